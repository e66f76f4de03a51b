// The answers come from WebAssembly in a worker: there is no server.

/** Where the answers come from, for the head of the page. */
export const where = "All in this browser: nothing is sent anywhere";

/** The list of the runs beside the page, which web/build writes here; none without runs.
 * @type {string | null}
 */
const LIST = null;

/** The address of a file beside the page. */
function beside(name) {
  return new URL(`../${name}`, import.meta.url).href;
}

if ("serviceWorker" in navigator) {
  // Where there is none, as in a private window, the page needs the network.
  navigator.serviceWorker.register(beside("service-worker.js")).catch(() => {});
}

async function read(name) {
  const response = await fetch(beside(name));
  if (!response.ok) throw new Error(`${name} cannot be loaded`);
  return response.json();
}

/** The runs by name, once they are asked for. */
let listed = null;

function list() {
  // What could not be loaded is asked for again the next time.
  listed ??= read(LIST).catch((fault) => {
    listed = null;
    throw fault;
  });
  return listed;
}

async function files(name) {
  const found = (await list()).find((run) => run.name === name);
  if (!found) throw new Error(`unknown run \`${name}\``);
  return found.files;
}

/** The last run that was asked for, and what is known of it. */
let about = { name: null, answer: null };

async function aboutRun(name) {
  if (about.name !== name) {
    const answer = files(name).then((found) => read(found.about));
    about = { name, answer };
    answer.catch(() => (about = { name: null, answer: null }));
  }
  return about.answer;
}

async function askRun(name, question, argument) {
  const { games } = await files(name);
  if (!games) throw new Error(`${name} has no games`);
  return send("run", { url: beside(games), question, argument }).answer;
}

/** There are no records but those that are opened. */
export const records = null;

let reports = new Map();

/** The runs beside the page; none if there are none. */
export const runs = LIST === null ? null : {
  detail: async (name) => (await aboutRun(name)).detail,
  standing: async (name) => (await aboutRun(name)).standing,
  games: (name, filter = {}) => askRun(name, "games", filter),
  game: (name, number, filter = {}) => {
    return askRun(name, "game", { game: Number(number), filter });
  },
  report: (name) => beside(reports.get(name)),
  /** Calls `onList` with all runs, once: they do not change. */
  async watch(onList, signal) {
    try {
      const all = await list();
      reports = new Map(all.map((run) => [run.name, run.files.report]));
      if (!signal.aborted) onList(all);
    } catch (fault) {
      onList(null, fault);
    }
  },
};

/** No run is started where there is no server. */
export const experiments = null;

const worker = new Worker(new URL("./worker.js", import.meta.url));
const waiting = new Map();
const slots = [null, null];
let last = 0;

worker.onmessage = ({ data }) => {
  const own = waiting.get(data.id);
  if (!own) return;
  if ("update" in data) {
    own.onUpdate(data.update);
    return;
  }
  waiting.delete(data.id);
  if ("fault" in data) own.reject(new Error(data.fault));
  else own.resolve(data.answer);
};

worker.onerror = () => {
  for (const { reject } of waiting.values()) reject(new Error("the worker has failed"));
  waiting.clear();
};

function send(kind, contents, onUpdate = null) {
  last += 1;
  const id = last;
  const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, onUpdate }));
  worker.postMessage({ id, kind, ...contents });
  return { id, answer };
}

/** The answer to a question that takes no search. */
export function ask(name, question = null) {
  return send("ask", { name, question }).answer;
}

/** Thinks until the end or until `signal`; each update goes to `onUpdate`. */
export async function think(request, onUpdate, signal) {
  const free = slots.indexOf(null);
  const slot = free < 0 ? 0 : free;
  let found = null;
  const { id, answer } = send("think", { slot, request }, (update) => {
    found = update;
    onUpdate(update);
  });
  slots[slot] = id;
  const aborted = new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      // At once, since the next search may begin before this one is told.
      if (slots[slot] === id) slots[slot] = null;
      worker.postMessage({ kind: "stop", slot, search: id });
      waiting.delete(id);
      reject(new DOMException("stopped", "AbortError"));
    });
  });
  try {
    await Promise.race([answer, aborted]);
    return found;
  } finally {
    if (slots[slot] === id) slots[slot] = null;
  }
}

/** Playouts per second on a square board, measured for so many seconds. */
export function measure(side, seconds) {
  return send("measure", { side, seconds }).answer;
}
