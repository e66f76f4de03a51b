import assert from "node:assert/strict";
import { test } from "node:test";
import { reduce } from "../../crates/tengen-web/page/play/actions.js";
import { fromAddress } from "../../crates/tengen-web/page/play/address.js";
import { searches } from "../../crates/tengen-web/page/play/state.js";
import * as review from "../../crates/tengen-web/page/play/review.js";
import { ReviewQueue } from "../../crates/tengen-web/page/play/review_queue.js";
import { leadInWords } from "../../crates/tengen-web/page/play/text.js";

function shown(given) {
  const { state } = fromAddress({ black: "person", white: "person", ...given });
  return { ...state, position: { to_play: "black", illegal: {}, captures: [0, 0], end: null } };
}

/** The state with Black's win rates of the positions, from the first. */
function evaluated(state, rates) {
  const by = { bot: "uct", simulations: 100 };
  return rates.reduce(
    (next, rate, place) => {
      const evaluation = { rate, best: "E5", line: ["E5"], to_play: place % 2 ? "white" : "black" };
      const key = review.keyAt(state, place);
      return reduce(next, { type: "evaluated", key, evaluation, ...by });
    },
    reduce(state, { type: "review", ...by }),
  );
}

test("blunders are drops of the mover's own win rate, the largest first", () => {
  const state = evaluated(shown({ moves: "C3.D4.B2.A1" }), [0.5, 0.35, 0.6, 0.6, 0.55]);
  const found = review.blunders(state);
  assert.deepEqual(
    found.map(({ place, mover }) => [place, mover]),
    [
      [1, "white"],
      [0, "black"],
    ],
  );
  assert.ok(Math.abs(found[0].drop - 0.25) < 1e-12);
  assert.equal(found[0].evaluation.best, "E5");
  assert.equal(review.drops(state).length, 4);
  assert.ok(review.drops(state)[3].drop < 0, "White gained by the last");
  assert.equal(review.nextPlace(state), null);
});

test("a move that the search would have played is no blunder", () => {
  const state = evaluated(shown({ moves: "E5.D4" }), [0.5, 0.2, 0.5]);
  assert.ok(review.drops(state)[0].drop > review.BLUNDER);
  assert.deepEqual(review.blunders(state).map(({ move }) => move), ["D4"]);
});

test("moves of a run's opening are no blunders, a variation in it is none of its moves", () => {
  const game = { size: "5x5", komi: 2.5, rules: "tengen", first: "black", moves: "C3.D4.B2.A1" };
  const record = { game, black: "a", white: "b", result: "W+2.5", opening: 1 };
  const read = { ...reduce(shown({}), { type: "record", record }), position: shown({}).position };
  const state = evaluated(read, [0.5, 0.35, 0.6, 0.6, 0.55]);
  assert.deepEqual(review.blunders(state).map(({ place }) => place), [1]);
  const other = reduce({ ...state, place: 0 }, { type: "play", move: "A2" });
  assert.deepEqual([review.isDrawn(state, 0), review.isDrawn(state, 1)], [true, false]);
  assert.equal(review.isDrawn(other, 0), false);
});

test("an analysis goes on where it was, and begins again by other settings", () => {
  const state = evaluated(shown({ moves: "C3.D4" }), [0.5]);
  assert.equal(review.nextPlace(state), 1);
  assert.equal(reduce(state, { type: "review", bot: "uct", simulations: 100 }), state);
  const other = reduce(state, { type: "review", bot: "uct", simulations: 200 });
  assert.equal(review.nextPlace(other), 0);
  // What comes late from the earlier settings is dropped.
  const late = { type: "evaluated", key: "C3", evaluation: {}, bot: "uct", simulations: 100 };
  assert.equal(reduce(other, late), other);
});

test("moves out of turn are those of the other player", () => {
  const state = shown({ moves: "C3.~B2.D4" });
  assert.deepEqual(
    [0, 1, 2].map((place) => review.moverAt(state, place)),
    ["black", "black", "white"],
  );
});

test("the solver's values say which moves lost points", () => {
  let state = shown({ moves: "C3.D4.B2" });
  const solved = (place, lower, upper) => {
    const verdict = { lower, upper, proved: lower === upper, best: null };
    state = reduce(state, { type: "solved", key: review.keyAt(state, place), verdict });
  };
  assert.equal(review.nextToProve(state), 3, "the last first");
  solved(3, 1.5, 1.5);
  solved(2, 4.5, 4.5);
  solved(1, 4.5, 4.5);
  solved(0, -9.5, 9.5);
  assert.equal(review.nextToProve(state), null);
  assert.deepEqual(review.lostAt(state, 2), { points: 3, isExact: true });
  assert.deepEqual(review.lostAt(state, 1), { points: 0, isExact: true });
  assert.equal(review.lostAt(state, 0), null);
  solved(0, 6.5, 9.5);
  assert.deepEqual(review.lostAt(state, 0), { points: 2, isExact: false });
  assert.equal(leadInWords({ lower: 1.5, upper: 1.5 }), "B+1.5");
  assert.equal(leadInWords({ lower: -2, upper: 0 }), "between W+2 and jigo");
  const endless = { lower: -2, upper: 2, proved: true };
  assert.equal(leadInWords(endless), "W+2 and B+2, depending on how endless games count");
});

test("the solver gives up after three positions in a row that it cannot prove", () => {
  let state = shown({ moves: "A1.B1.C1.D1.E1" });
  const asked = [];
  for (let place = review.nextToProve(state); place !== null; place = review.nextToProve(state)) {
    asked.push(place);
    const verdict = { lower: place === 4 ? 2 : -9, upper: place === 4 ? 2 : 9, proved: place === 4, best: null };
    state = reduce(state, { type: "solved", key: review.keyAt(state, place), verdict });
  }
  assert.deepEqual(asked, [5, 4, 3, 2, 1]);
});

test("comments have the evaluations of both players, and where they part most", () => {
  const state = {
    ...shown({ moves: "C3.D4.B2.A1" }),
    comments: {
      1: "visits 9, win rate 0.60",
      2: "visits 9, win rate 0.55",
      3: "visits 9, win rate 0.90",
      4: "nothing",
    },
  };
  const { black, white } = review.commentedRates(state);
  assert.deepEqual(
    [...black],
    [
      [0, 0.6],
      [2, 0.9],
    ],
  );
  assert.deepEqual(
    [...white].map(([place, rate]) => [place, rate.toFixed(2)]),
    [[1, "0.45"]],
  );
  const [first, second] = review.partings(state);
  assert.deepEqual([first.place, first.gap.toFixed(2)], [1, "0.45"]);
  assert.deepEqual([second.place, second.gap.toFixed(2)], [0, "0.15"]);
});

test("two searches of equal simulations end by themselves, those of equal time together", () => {
  const state = { ...shown({ b: "uct:rave=none" }), isAnalysing: true };
  assert.equal(searches(state)[1].simulations, undefined);
  const bounded = reduce(state, { type: "equal", equal: "simulations", budget: "500" });
  assert.deepEqual(
    searches(bounded).map(({ simulations }) => simulations),
    [500, 500],
  );
  assert.throws(
    () => reduce(state, { type: "equal", equal: "time", budget: "-1" }),
    /number of simulations/,
  );
  const ended = (from) => {
    const search = JSON.stringify(searches(from)[0]);
    return reduce(from, { type: "ended", slot: 0, search }).isAnalysing;
  };
  assert.equal(ended(state), false, "both are stopped");
  assert.equal(ended(bounded), true, "the other goes on");
  const both = { ...bounded, findings: [{ done: true }, { done: true }] };
  assert.equal(ended(both), false);
});

/** A queue over a state that changes as the store would change it. */
function queueOf(state, think, ask = () => Promise.reject(new Error("no solver"))) {
  const told = [];
  const own = { state };
  const queue = new ReviewQueue({
    state: () => own.state,
    dispatch: async (action) => {
      own.state = reduce(own.state, action);
    },
    ask: async (name, question) => {
      if (name === "solve") return ask(question);
      const isOver = question.moves.endsWith("pass.pass");
      return { end: isOver ? "passes" : null, count: { score: 2.5 }, to_play: "black" };
    },
    think,
    onProgress: (text) => told.push(text),
  });
  return { queue, own, told };
}

const UPDATE = { done: true, black_win_rate: 0.5, to_play: "black", moves: [{ move: "C3" }] };

test("each position is searched once; the end counts as it is scored", async () => {
  const asked = [];
  const think = async ({ game, simulations }) => {
    asked.push([game.moves, simulations]);
    return UPDATE;
  };
  const { queue, own } = queueOf(shown({ moves: "C3.pass.pass" }), think);
  assert.equal(await queue.run("uct", 50), "no solver");
  assert.deepEqual(asked, [
    ["", 50],
    ["C3", 50],
    ["C3.pass", 50],
  ]);
  assert.equal(review.evaluationAt(own.state, 3).rate, 1);
  await queue.run("uct", 50);
  assert.equal(asked.length, 3, "what is known is not searched again");
});

test("a queue waits for a place, and what was searched in part counts for nothing", async () => {
  let calls = 0;
  const think = async () => {
    calls += 1;
    if (calls === 1) throw new Error("3 analyses are running, which is the limit: try again soon");
    return calls === 2 ? { ...UPDATE, done: false } : UPDATE;
  };
  const { queue, own, told } = queueOf(shown({ moves: "" }), think);
  await queue.run("uct", 50);
  assert.equal(calls, 3);
  assert.ok(told.includes("waiting for a place among the searches"));
  assert.equal(review.evaluationAt(own.state, 0).rate, 0.5);
});

test("a queue can be stopped and goes on", async () => {
  const asked = [];
  const think = ({ game }, _, signal) => {
    asked.push(game.moves);
    if (asked.length !== 2) return Promise.resolve(UPDATE);
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(new Error("stopped"))),
    );
  };
  const { queue, own } = queueOf(shown({ moves: "C3.D4" }), think);
  const done = queue.run("uct", 50);
  while (asked.length < 2) await new Promise((rest) => setTimeout(rest, 1));
  queue.stop();
  await done;
  assert.equal(queue.isRunning, false);
  assert.equal(review.nextPlace(own.state), 1);
  await queue.run("uct", 50);
  assert.deepEqual(asked, ["", "C3", "C3", "C3.D4"]);
});

test("a queue ends where another game begins", async () => {
  const solved = [];
  const { queue, own } = queueOf(
    shown({ moves: "C3.D4" }),
    async () => {
      own.state = { ...shown({ moves: "A1" }), review: null };
      return UPDATE;
    },
    async (question) => solved.push(question),
  );
  assert.equal(await queue.run("uct", 50), "");
  assert.deepEqual(solved, []);
  assert.equal(own.state.review, null);
});
