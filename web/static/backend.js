// The answers come from WebAssembly in a worker: there is no server.

/** Where the answers come from, for the head of the page. */
export const where = "All in this browser: nothing is sent anywhere";

/** There are no runs without a server. */
export const runs = null;

const worker = new Worker("worker.js");
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
