import assert from "node:assert/strict";
import { test } from "node:test";
import { linearTicks, limits, logarithmicTicks } from "../../crates/tengen-web/page/plot.js";
import {
  MOST_POINTS,
  colours,
  curve,
  extend,
  pointAt,
  topMoves,
} from "../../crates/tengen-web/page/play/course.js";
import { compare, differences } from "../../crates/tengen-web/page/play/comparison.js";

/** What a search found: moves as [name, visits, win rate]. */
function found(simulations, ...moves) {
  return {
    simulations,
    moves: moves.map(([move, visits, win_rate]) => ({ move, visits, win_rate })),
  };
}

test("a course keeps a bounded number of points, its ends, and even steps of the logarithm", () => {
  let course = null;
  for (let simulations = 64; simulations <= 64_000; simulations += 64) {
    course = extend(course, found(simulations, ["C3", simulations, 0.5]));
  }
  assert.equal(course.length, MOST_POINTS);
  assert.equal(course[0].simulations, 64);
  assert.equal(course.at(-1).simulations, 64_000);
  const steps = course.slice(1).map((point, at) => point.simulations / course[at].simulations);
  assert.ok(Math.max(...steps.slice(5)) < 1.6, `${Math.max(...steps.slice(5))}`);
  for (const [at, step] of steps.entries()) assert.ok(step > 1, `${at}`);
});

test("a search with fewer simulations begins a course, an update of the same replaces its end", () => {
  const first = extend(null, found(100, ["C3", 100, 0.5]));
  const second = extend(first, found(200, ["C3", 150, 0.5], ["D4", 50, 0.4]));
  assert.equal(second.length, 2);
  assert.equal(extend(second, found(200, ["C3", 150, 0.5])).length, 2);
  assert.equal(extend(second, found(64, ["C3", 64, 0.5])).length, 1);
  assert.deepEqual(extend(null, found(0)), []);
  assert.deepEqual(curve(second, "D4", "share"), [[100, 0], [200, 0.25]]);
  assert.deepEqual(curve(second, "D4", "rate", 51), []);
  assert.deepEqual(curve(second, "C3", "share"), [
    [100, 1],
    [200, 0.75],
  ]);
  assert.deepEqual(curve(second, "D4", "rate"), [[200, 0.4]]);
  assert.equal(pointAt(second, 199).simulations, 100);
  assert.equal(pointAt(second, 50).simulations, 100);
  const other = extend(null, found(200, ["B2", 190, 0.5], ["C3", 10, 0.5]));
  assert.deepEqual(topMoves([second, other], 2), ["B2", "C3"]);
});

test("a move keeps its colour while others come and go", () => {
  const first = colours(new Map(), ["A1", "B2", "C3"]);
  assert.deepEqual(
    [...first],
    [
      ["A1", 0],
      ["B2", 1],
      ["C3", 2],
    ],
  );
  const next = colours(first, ["C3", "D4", "A1"]);
  assert.deepEqual([next.get("C3"), next.get("A1"), next.get("D4")], [2, 0, 1]);
});

test("ticks are round numbers within an axis", () => {
  assert.deepEqual(linearTicks(0, 30), [0, 5, 10, 15, 20, 25, 30]);
  assert.deepEqual(linearTicks(0, 3), [0, 0.5, 1, 1.5, 2, 2.5, 3]);
  assert.deepEqual(
    linearTicks(0.4, 0.6, 4).map((tick) => tick.toFixed(2)),
    ["0.40", "0.45", "0.50", "0.55", "0.60"],
  );
  assert.deepEqual(logarithmicTicks(64, 120_000), [100, 1000, 10_000, 100_000]);
  assert.deepEqual(logarithmicTicks(64, 1200), [100, 200, 500, 1000]);
  assert.deepEqual(limits([0.43, 0.52]), [0.4, 0.6]);
  assert.deepEqual(limits([]), [0, 1]);
});

test("two searches are compared by their shares of visits", () => {
  const one = found(1000, ["C3", 600, 0.6], ["D4", 400, 0.5]);
  const other = found(500, ["D4", 250, 0.5], ["C3", 150, 0.6], ["B2", 100, 0.4]);
  const both = compare([one, other]);
  assert.deepEqual(both.best, ["C3", "D4"]);
  assert.equal(both.isSame, false);
  // Half of |0.6 - 0.3| + |0.4 - 0.5| + |0 - 0.2|.
  assert.ok(Math.abs(both.distance - 0.3) < 1e-12);
  assert.deepEqual(
    both.moves.map(({ move }) => move),
    ["C3", "B2", "D4"],
  );
  assert.equal(compare([one, one]).distance, 0);
  assert.equal(compare([one, null]), null);
  assert.deepEqual(differences({ a: 1, b: 2 }, { a: 1, b: 3, c: 4 }), ["b", "c"]);
});
