import assert from "node:assert/strict";
import { test } from "node:test";
import * as actions from "../../crates/tengen-web/page/play/actions.js";
import { fromAddress, toAddress } from "../../crates/tengen-web/page/play/address.js";
import * as lines from "../../crates/tengen-web/page/play/line.js";
import * as states from "../../crates/tengen-web/page/play/state.js";
import { Store } from "../../crates/tengen-web/page/play/effects.js";

const { Refusal, reduce } = actions;
const { gameText, isOpen, searches } = states;

/** What a backend would say of a game of passes and moves, without any rules. */
function positionOf({ moves, first = "black" }) {
  const list = moves.split(".").filter((move) => move !== "");
  const isBlack = (list.length % 2 === 0) === (first === "black");
  const end = list.slice(-2).join(".") === "pass.pass" ? "passes" : null;
  return { to_play: isBlack ? "black" : "white", illegal: {}, captures: [0, 0], end, count: {} };
}

function shown(given) {
  const { state } = fromAddress(given);
  return { ...state, position: positionOf(gameText(state)) };
}

test("an address comes back as it was", () => {
  for (const given of [
    {},
    { size: "9x9", komi: "7.5", moves: "C3.pass.D4", at: "1", white: "person", b: "uct:rave=none" },
    { run: "a run", game: "3", white: "person" },
    { run: "a run", game: "3", seed: "7", resigned: "white", dead: "C3.D4" },
    { size: "1x1" },
    { setup: "X../.O./...", size: "3x3", first: "white", seed: "12", resigned: "black" },
  ]) {
    const { state, faults } = fromAddress(given);
    assert.deepEqual(faults, []);
    assert.deepEqual(toAddress(state), given);
  }
});

test("what an address should not say is named, and what it does not know is left out", () => {
  const { state, faults } = fromAddress({ komi: "abc", size: "0x1", at: "-1", given: "[object Object]" });
  assert.equal(faults.length, 3);
  assert.match(faults.join(), /komi=abc: expected a number/);
  assert.deepEqual(toAddress(state), {});
  const odd = JSON.parse('{"__proto__": {"size": "9x9"}, "constructor": "x"}');
  assert.equal(fromAddress(odd).state.size, "5x5");
});

test("a person moves for persons, and for a bot only where it is paused", () => {
  const state = shown({ black: "two-ply", white: "person" });
  assert.equal(isOpen(state), false);
  assert.throws(() => reduce(state, { type: "play", move: "C3" }), Refusal);
  const paused = reduce(state, { type: "pause" });
  assert.deepEqual(reduce(paused, { type: "play", move: "C3" }).moves, ["C3"]);
  assert.deepEqual(searches(paused), [null, null]);
  assert.equal(searches(state)[0].purpose, "move");
});

test("undo leads to moves of persons, redo forward again", () => {
  const withBot = shown({ moves: "C3.C2.D4.D3" });
  const undone = reduce(withBot, { type: "undo" });
  assert.equal(undone.place, 2);
  assert.equal(reduce({ ...undone, position: positionOf(gameText(undone)) }, { type: "redo" }).place, 4);
  const first = shown({ black: "uct", white: "person", moves: "C3" });
  assert.equal(states.undoPlace(first), null);
  const bots = reduce(shown({ black: "uct", white: "uct", moves: "C3.D4" }), { type: "undo" });
  assert.deepEqual([bots.place, bots.isPaused], [1, true]);
  const resigned = shown({ moves: "C3.D4", resigned: "black" });
  assert.deepEqual(reduce(resigned, { type: "undo" }).resigned, "");
});

/** A state after an action, with its position. */
function after(state, action) {
  const next = reduce(state, action);
  return { ...next, position: positionOf(gameText(next)) };
}

const RECORD = {
  game: { size: "5x5", komi: 2.5, rules: "tengen", first: "black", moves: "C3.D4.B2" },
  black: "A", white: "B", result: "B+R",
  variations: [
    { parent: 0, nodes: ";SZ[5]PB[A]RE[B+R]" },
    { parent: 0, move: "C3", comment: "one", nodes: ";B[cc]C[one]" },
    { parent: 1, move: "D4", nodes: ";W[db]" },
    { parent: 2, move: "B2", comment: "three", nodes: ";B[bd]C[three]XX[y]" },
  ],
};

test("a move at an earlier place begins a variation, and loses nothing", () => {
  const read = after(shown({}), { type: "record", record: RECORD });
  const back = after(read, { type: "seek", at: 1 });
  const next = after(back, { type: "play", move: "A1" });
  assert.deepEqual([next.moves, next.comments], [["C3", "A1"], { 1: "one" }]);
  // The result is that of the recorded moves; a name is that of whoever moves by hand.
  assert.deepEqual([states.playerName(next, "black"), states.outcome(next)], ["A", ""]);
  assert.equal(states.playerName({ ...next, black: "uct" }, "black"), "uct");
  const record = states.toRecord(next);
  assert.deepEqual([record.black, record.result, record.game.moves], ["A", "B+R", "C3.D4.B2"]);
  assert.deepEqual(record.variations.map(({ move }) => move), ["", "C3", "D4", "B2", "A1"]);
  assert.deepEqual(record.variations.map(({ nodes }) => nodes),
    [...RECORD.variations.map(({ nodes }) => nodes), ""]);
  const main = after(after(next, { type: "beside", by: -1 }), { type: "seek", at: 3 });
  assert.deepEqual([main.moves, main.comments[3]], [["C3", "D4", "B2"], "three"]);
  assert.deepEqual([states.playerName(main, "black"), states.outcome(main)], ["A", "B+R"]);
  assert.equal(toAddress(next).moves, "C3.A1");
  const again = after(after(main, { type: "seek", at: 1 }), { type: "play", move: "A1" });
  assert.equal(again.tree, main.tree, "a known move is no other variation");
});

test("variations are visited, removed and made the main line", () => {
  let state = shown({ white: "person", moves: "A1.B2.C3" });
  state = after(after(state, { type: "seek", at: 1 }), { type: "play", move: "D4" });
  assert.equal(reduce(state, { type: "beside", by: 1 }), state, "there is no other");
  assert.deepEqual(after(state, { type: "visit", node: 3 }).moves, ["A1", "B2", "C3"]);
  const main = after(state, { type: "main" });
  assert.equal(states.toRecord(main).game.moves, "A1.D4");
  const removed = after(main, { type: "remove" });
  assert.deepEqual([removed.moves, removed.place], [["A1", "B2", "C3"], 1]);
  assert.throws(() => reduce(after(state, { type: "seek", at: 0 }), { type: "remove" }), Refusal);
  assert.equal(reduce(state, { type: "visit", node: 99 }), state);
});

test("a variation of a game of a run knows its game, also from its address", () => {
  const game = { ...shown({}), run: "finished", game: "3", filter: "result=black" };
  assert.deepEqual(lines.originOf(game), { run: "finished", game: "3", filter: "result=black" });
  const other = lines.play(game, "A1");
  assert.equal(other.run, "");
  assert.deepEqual(lines.originOf(other), lines.originOf(game));
  const linked = fromAddress(toAddress(other)).state;
  assert.deepEqual(lines.originOf(linked), lines.originOf(game));
  assert.equal(lines.originOf(shown({})), null);
});

test("a record that the browser kept comes back with its result and its names", () => {
  const read = after(shown({}), { type: "record", record: RECORD });
  const kept = structuredClone(lines.besideAddress(read));
  const again = lines.withKept(shown(toAddress(read)), kept);
  assert.deepEqual([again.tree, again.names], [read.tree, read.names]);
  assert.deepEqual(states.toRecord(again), states.toRecord(read));
  assert.equal(states.outcome(again), "B+R");
});

test("a result is that of the stones marked dead, of the record, or of the area", () => {
  const read = after(shown({}), { type: "record", record: RECORD });
  const count = { rows: "", black: 0, white: 0, score: 0, result: "W+7.5" };
  assert.equal(states.outcome({ ...read, dead: { chains: [], count } }), "W+7.5");
  assert.equal(states.toRecord({ ...read, dead: { chains: [], count } }).result, "W+7.5");
  const on = after(read, { type: "play", move: "E5" });
  assert.equal(states.outcome(on), "");
  assert.equal(states.toRecord(on).result, "B+R", "a game that is looked at further keeps its result");
});

test("variations that the browser kept come back, where the line is one of them", () => {
  let state = shown({ white: "person", moves: "A1.B2.C3" });
  assert.equal(lines.besideAddress(state), null);
  state = after(after(state, { type: "seek", at: 1 }), { type: "play", move: "D4" });
  const kept = lines.besideAddress(state);
  const again = lines.withKept(shown(toAddress(state)), kept);
  assert.deepEqual([again.moves, again.place, again.tree], [["A1", "D4"], 2, state.tree]);
  const other = shown({ moves: "E5" });
  assert.equal(lines.withKept(other, kept), other);
  assert.equal(lines.withKept(other, null), other);
});

test("a walk ends at the ends of the game", () => {
  const state = shown({ white: "person", moves: "A1.B2.C3", at: "2" });
  const to = (by) => reduce(state, { type: "walk", by }).place;
  assert.deepEqual([to(-1), to(1), to(-10), to(10)], [1, 3, 0, 3]);
  assert.equal(reduce({ ...state, place: 3 }, { type: "walk", by: 1 }).place, 3);
});

test("a bot waits while a person looks back, and answers the next move", () => {
  const state = shown({ moves: "A1.B2" });
  const back = after(state, { type: "walk", by: -2 });
  assert.equal(back.isPaused, true);
  assert.equal(after(back, { type: "walk", by: 2 }).isPaused, false);
  const other = after(back, { type: "play", move: "C3" });
  assert.equal(searches(other)[0].bot, "two-ply");
  // One who moves for the bot, or has pressed Pause, goes on alone.
  const forBot = after(after(back, { type: "walk", by: 1 }), { type: "play", move: "D4" });
  assert.equal(after(after(forBot, { type: "walk", by: -1 }), { type: "walk", by: 1 }).isPaused, true);
  const paused = after(state, { type: "pause" });
  assert.equal(after(after(paused, { type: "walk", by: -1 }), { type: "walk", by: 1 }).isPaused, true);
  // Two bots go on when they are told to.
  const bots = after(shown({ black: "uct", moves: "A1.B2" }), { type: "walk", by: -1 });
  assert.equal(after(bots, { type: "walk", by: 1 }).isPaused, true);
});

test("a bot makes one move by a step, and waits again", () => {
  const state = after(shown({ black: "uct", white: "uct" }), { type: "pause" });
  const step = reduce(state, { type: "step" });
  const search = JSON.stringify(searches(step)[0]);
  const moved = after(step, { type: "moved", move: "C3", search });
  assert.deepEqual([moved.moves, moved.isPaused, moved.isOneStep], [["C3"], true, false]);
  assert.deepEqual(searches(moved), [null, null]);
  assert.throws(() => reduce(shown({ white: "person" }), { type: "step" }), Refusal);
});

test("chains are marked dead at the end of a game alone, and no longer elsewhere", () => {
  const over = shown({ white: "person", moves: "A1.B2.pass.pass" });
  const position = { ...over.position, rows: ".../.O./X..", height: 3 };
  const one = reduce({ ...over, position }, { type: "dead", point: "A1" });
  assert.deepEqual(one.marked, ["A1"]);
  const counted = { ...one, position, dead: { chains: [["A1"]], count: {} } };
  assert.deepEqual(reduce(counted, { type: "dead", point: "B2" }).marked, ["A1", "B2"]);
  assert.deepEqual(reduce(counted, { type: "dead", point: "A1" }).marked, []);
  assert.equal(reduce(counted, { type: "dead", point: "C3" }), counted, "an empty point");
  assert.deepEqual(reduce(counted, { type: "walk", by: -1 }).marked, []);
  assert.throws(() => reduce(shown({ moves: "A1" }), { type: "dead", point: "A1" }), Refusal);
});

test("what a search found is of the search that is wanted, and stays after its own move", () => {
  const state = shown({ moves: "C3", white: "uct" });
  const search = JSON.stringify(searches(state)[0]);
  const update = { black_win_rate: 0.5, moves: [] };
  const found = reduce(state, { type: "found", slot: 0, update, search });
  assert.equal(found.findings[0], update);
  assert.equal(found.rates.C3, 0.5);
  assert.equal(reduce(state, { type: "found", slot: 0, update, search: "another" }), state);
  const moved = reduce(found, { type: "moved", move: "D4", search });
  assert.deepEqual([moved.findings[0], moved.isPast, moved.moves], [update, true, ["C3", "D4"]]);
  const open = { ...moved, position: positionOf(gameText(moved)) };
  assert.equal(reduce(open, { type: "play", move: "A1" }).findings[0], null);
  assert.equal(reduce(open, { type: "moved", move: "E5", search }), open, "a late answer");
});

/** A backend that answers after a while, out of order where it can. */
function slowBackend(think = () => new Promise(() => {})) {
  let asked = 0;
  const ask = async (name, question) => {
    asked += 1;
    await new Promise((done) => setTimeout(done, (asked * 7) % 5));
    const game = name === "play" ? question.game : question;
    const moves = name === "play" ? [game.moves, question.move].filter((one) => one).join(".") : game.moves;
    return positionOf({ ...game, moves });
  };
  return { ask, think };
}

async function opened(given, backend) {
  const faults = [];
  const changes = [];
  const store = new Store(fromAddress(given).state, backend, (_, after) => changes.push(after),
    (fault) => faults.push(fault.message));
  await store.begin(Promise.resolve(null));
  return { store, faults, changes };
}

test("actions that come at once are done one after the other", async () => {
  const { store, faults, changes } = await opened({ white: "person" }, slowBackend());
  const kinds = ["A1", "B2", "C3", "u", "D4", "r", "u", "u", "E5", "pass", "pass", "pass", "u"];
  const action = (kind) => ({ u: { type: "undo" }, r: { type: "redo" } })[kind] ?? { type: "play", move: kind };
  const waiting = [];
  store.onWaiting = (count) => waiting.push(count);
  await Promise.all(kinds.map((kind) => store.dispatch(action(kind))));
  assert.deepEqual(waiting, [...kinds.map((_, at) => at + 1), ...kinds.map((_, at) => at).reverse()]);
  assert.deepEqual(store.state.moves, ["A1", "E5", "pass", "pass"]);
  assert.equal(store.state.place, 3);
  assert.deepEqual(faults, ["the game is over"]);
  for (const state of changes) assert.deepEqual(state.position, positionOf(gameText(state)));
});

test("what is done while the board loads waits for it", async () => {
  const store = new Store(fromAddress({ white: "person" }).state, slowBackend(), () => {}, assert.fail);
  store.begin(new Promise((done) => setTimeout(() => done(null), 10)));
  await store.dispatch({ type: "play", move: "pass" });
  assert.deepEqual(store.state.moves, ["pass"]);
});

test("a bot answers once, and a click in its turn is refused", async () => {
  const think = async () => ({ move: "B2", moves: [] });
  const { store, faults } = await opened({}, slowBackend(think));
  store.dispatch({ type: "play", move: "C3" });
  await store.dispatch({ type: "play", move: "D4" });
  await store.queue;
  await new Promise((done) => setTimeout(done, 30));
  await store.queue;
  assert.deepEqual(store.state.moves, ["C3", "B2"]);
  assert.deepEqual(faults, ["it is the turn of two-ply"]);
});

test("an analysis that is over is off", async () => {
  const update = { black_win_rate: 0.5, moves: [{ move: "C3" }], done: true, ended_by: "time" };
  const think = async (request, onUpdate) => {
    onUpdate(update);
    return update;
  };
  const { store } = await opened({ white: "person" }, slowBackend(think));
  await store.dispatch({ type: "analyse" });
  await new Promise((done) => setTimeout(done, 30));
  await store.queue;
  assert.equal(store.state.isAnalysing, false);
  assert.equal(store.state.findings[0], update);
});

test("a link to no game shows its moves before the fault", async () => {
  const backend = slowBackend();
  const ask = async (name, question) => {
    if (question.moves.includes("E5.E5")) throw new Error("move 3, E5: the point is occupied");
    return backend.ask(name, question);
  };
  const given = { white: "person", moves: "A1.E5.E5.C3" };
  const store = new Store(fromAddress(given).state, { ...backend, ask }, () => {}, () => {});
  assert.match((await store.begin(Promise.resolve(null))).message, /occupied/);
  assert.deepEqual(store.state.moves, ["A1", "E5"]);
});

test("a game of a run keeps what its address says of it", () => {
  const given = { run: "a run", game: "3", at: "2", seed: "7", resigned: "white", dead: "C3" };
  const record = { game: { size: "5x5", komi: 2.5, rules: "tengen", first: "black", moves: "C3.D4" } };
  const loaded = reduce(fromAddress(given).state, { type: "load", record });
  assert.deepEqual(toAddress(loaded), given);
});

test("a new game begins after the server was away", async () => {
  let isAway = true;
  const backend = slowBackend();
  const ask = async (name, question) => {
    if (isAway) throw new Error("the server does not answer");
    return backend.ask(name, question);
  };
  const store = new Store(fromAddress({}).state, { ...backend, ask }, () => {}, () => {});
  assert.match((await store.begin(Promise.resolve(null))).message, /does not answer/);
  assert.equal(store.state.position, null);
  isAway = false;
  await store.dispatch({ type: "play", move: "C3" });
  assert.equal(store.state.position, null);
  const change = { size: "7x7", white: "person" };
  await store.dispatch({ type: "fresh", change });
  assert.equal(store.state.position?.to_play, "black");
  await store.dispatch({ type: "play", move: "C3" });
  assert.deepEqual(store.state.moves, ["C3"]);
});
