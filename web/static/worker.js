// Answers in a worker, by WebAssembly, so that the page stays responsive.

/** Milliseconds of a slice of a search, between which other questions are answered. */
const SLICE = 100;

/** Questions about positions and records, which the small module answers. */
const OF_RULES = ["position", "play", "dead", "sgf", "charset", "record"];

/** The small module, and the whole one. */
let rules = null;
let wasm = null;
/** The address of the run that the module has loaded. */
let run = "";
/** Questions about runs wait for each other: the module holds one run at a time. */
let questions = Promise.resolve();
const current = [0, 0];

/** What a module exports. */
async function module(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name} cannot be loaded`);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), {});
  return instance.exports;
}

async function loadRules() {
  rules = await module("rules.wasm");
}

async function load() {
  wasm = await module("tengen.wasm");
  run = "";
}

/** Calls the whole module with a text, or the bytes of one. */
function call(name, text, ...more) {
  return callOf(wasm, name, text, ...more);
}

/** Calls a module with a text, or the bytes of one. */
function callOf(own, name, text, ...more) {
  if (text !== null) {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    const at = own.input(bytes.length);
    new Uint8Array(own.memory.buffer, at, bytes.length).set(bytes);
  }
  const isRefused = own[name](...more) !== 0;
  const answer = new Uint8Array(own.memory.buffer, own.output(), own.output_bytes());
  const said = new TextDecoder().decode(answer);
  if (isRefused) throw new Error(said);
  return said;
}

/** Lets the messages in that came meanwhile. */
function pause() {
  return new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      done();
    };
    channel.port2.postMessage(null);
  });
}

async function think({ id, slot, request }) {
  current[slot] = id;
  call("think", JSON.stringify(request), slot);
  const began = performance.now();
  let simulations = 64;
  let shown = 0;
  let told = 0;
  while (current[slot] === id) {
    const before = performance.now();
    const update = JSON.parse(call("advance", null, slot, simulations, (before - began) / 1000));
    const now = performance.now();
    update.seconds = (now - began) / 1000;
    // More at the beginning, so that the course of a search is seen from there on.
    if (update.done || now - shown >= 180 || update.simulations >= 1.5 * told) {
      postMessage({ id, update });
      shown = now;
      told = update.simulations;
    }
    if (update.done) break;
    const factor = Math.min(2, SLICE / Math.max(1, now - before));
    simulations = Math.max(16, Math.round(simulations * factor));
    await pause();
  }
  if (current[slot] === id) wasm.stop(slot);
}

async function askRun({ url, question, argument }) {
  if (run !== url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error("the games of this run cannot be loaded");
    const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
    run = "";
    call("load_run", new Uint8Array(await new Response(unpacked).arrayBuffer()));
    run = url;
  }
  return JSON.parse(call("ask_run", `${question}\n${JSON.stringify(argument)}`));
}

function measure({ side, seconds }) {
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < 1000 * seconds) {
    wasm.playouts(side, 4096);
    count += 4096;
  }
  return count / ((performance.now() - began) / 1000);
}

// The first position and the first move need the small module alone: it comes first.
const ready = loadRules();
const loaded = ready.then(load);

onmessage = async ({ data }) => {
  const { id, kind } = data;
  const isOfRules = kind === "ask" && OF_RULES.includes(data.name);
  try {
    await (isOfRules ? ready : loaded);
    if (kind === "ask") {
      const question = `${data.name}\n${JSON.stringify(data.question)}`;
      const text = callOf(isOfRules ? rules : wasm, "ask", question);
      postMessage({ id, answer: JSON.parse(text) });
    } else if (kind === "think") {
      await think(data);
      postMessage({ id, answer: null });
    } else if (kind === "stop") {
      if (current[data.slot] === data.search) {
        current[data.slot] = 0;
        wasm.stop(data.slot);
      }
    } else if (kind === "run") {
      const answer = questions.then(() => askRun(data));
      questions = answer.catch(() => {});
      postMessage({ id, answer: await answer });
    } else if (kind === "measure") {
      postMessage({ id, answer: measure(data) });
    }
  } catch (fault) {
    postMessage({ id, fault: fault.message });
    if (fault instanceof WebAssembly.RuntimeError) await (isOfRules ? loadRules() : load());
  }
};
