// The answers come from the server that has sent this page.

// A link to a server that other machines can reach has a token, which every question carries.
const token = new URLSearchParams(location.search).get("token");

/** Where the answers come from, for the head of the page. */
export const where = "";

const SILENT = "the server does not answer: is it still running?";

function headers(more = {}) {
  return token ? { ...more, "X-Tengen-Token": token } : more;
}

async function fetched(path, options = {}) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    throw new Error(SILENT);
  }
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

function post(path, question, signal) {
  const json = headers({ "Content-Type": "application/json" });
  return fetched(path, { method: "POST", headers: json, body: JSON.stringify(question), signal });
}

async function get(path) {
  return (await fetched(path, { headers: headers() })).json();
}

/** The answer to a question that takes no search. */
export async function ask(name, question = null) {
  return (await post(`api/ask/${name}`, question)).json();
}

/** The events of a stream, one by one: their names and data. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read().catch((fault) => {
      if (fault.name === "AbortError") throw fault;
      throw new Error(SILENT);
    });
    if (done) return;
    text += value;
    const whole = text.split("\n\n");
    text = whole.pop();
    for (const event of whole) {
      const fields = Object.fromEntries(
        event.split("\n").map((line) => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon), line.slice(colon + 1).trim()];
        }),
      );
      if ("data" in fields) yield { name: fields.event ?? "message", data: fields.data };
    }
  }
}

/** Thinks until the end or until `signal`; each update goes to `onUpdate`. */
export async function think(request, onUpdate, signal) {
  const response = await post("api/think", request, signal);
  let last = null;
  for await (const { name, data } of events(response)) {
    if (name === "refused") throw new Error(data);
    last = JSON.parse(data);
    onUpdate(last);
  }
  return last;
}

/** The page does not measure the server's playouts: the command `playouts` does. */
export const measure = null;

/** A filter of games as a query; it has the keys that the server expects. */
function query(filter) {
  const text = new URLSearchParams(filter).toString();
  return text === "" ? "" : `?${text}`;
}

/** Where a run is. */
function at(name) {
  return `api/run/${encodeURIComponent(name)}`;
}

/** The game records that can be opened. */
export const records = {
  list: () => get("api/records"),
  record: (name) => get(`api/record/${name.split("/").map(encodeURIComponent).join("/")}`),
};

/** The runs that can be started, where the server allows it. */
export const experiments = {
  list: () => get("api/experiments"),
  plan: async (kind, settings) => (await post(`api/experiments/${kind}/plan`, settings)).json(),
  start: async (kind, settings) => (await post(`api/experiments/${kind}`, settings)).json(),
  stop: (name) => post(`${at(name)}/stop`, null),
  resume: (name) => post(`${at(name)}/resume`, null),
  extend: (name, number) => post(`${at(name)}/extend`, number),
};

/** The runs that can be looked at. */
export const runs = {
  detail: (name) => get(at(name)),
  standing: (name) => get(`${at(name)}/standing`),
  games: (name, filter = {}) => get(`${at(name)}/games${query(filter)}`),
  game: (name, number, filter = {}) => get(`${at(name)}/games/${number}${query(filter)}`),
  report: (name) => `${at(name)}/report${query(token ? { token } : {})}`,
  /** Calls `onList` with all runs, now and whenever they change, until `signal`. */
  async watch(onList, signal) {
    for (;;) {
      try {
        const response = await fetched("api/events", { headers: headers(), signal });
        for await (const { data } of events(response)) onList(JSON.parse(data));
      } catch (fault) {
        if (signal.aborted) return;
        onList(null, fault);
      }
      if (signal.aborted) return;
      await new Promise((done) => setTimeout(done, 2000));
    }
  },
};
