// The pictures of a simulation, from an answer of the backend.

import assert from "node:assert/strict";
import { test } from "node:test";
import { after, framesOf } from "../../crates/tengen-web/page/panels/frames.js";
import { nodeText, termsOf, urgencyText } from "../../crates/tengen-web/page/panels/terms.js";

const position = {
  width: 3, height: 3, rows: "XO./.X./...", numbers: [1, 2, 0, 0, 3, 0, 0, 0, 0],
  moves: [], to_play: "black", illegal: {}, end: null,
};

test("a stone is placed, and what is taken goes", () => {
  const next = after(position, { color: "black", move: "C3", taken: ["B3"] }, 7);
  assert.equal(next.rows, "X.X/.X./...");
  assert.equal(next.numbers[2], 7);
  assert.equal(next.to_play, "white");
  assert.equal(position.rows, "XO./.X./...");
  assert.equal(after(next, { color: "white", move: "pass" }, 0).rows, next.rows);
});

test("a simulation is shown in its four phases", () => {
  const answer = {
    selections: [{ moves: [] }],
    path: [{ color: "black", move: "C3", taken: ["B3"] }],
    is_new: true,
    outcome: "playout",
    playout: [{ color: "white", move: "A1" }, { color: "black", move: "pass" }],
    result: "B+2.5",
    value: null,
    proof: null,
    back_up: [{}, {}],
  };
  const frames = framesOf(answer, position);
  assert.deepEqual(frames.map(({ phase }) => phase),
    ["selection", "expansion", "playout", "playout", "backup"]);
  assert.match(frames[1].text, /Expansion/);
  assert.equal(frames[1].ring, "C3");
  assert.equal(frames[4].position.rows, "X.X/.X./O..");
  assert.match(frames[4].text, /B\+2\.5/);
});

test("urgencies in words", () => {
  assert.equal(urgencyText({ by: "terms", urgency: 0.5 }), "0.5000");
  assert.equal(urgencyText({ by: "first-play" }), "∞: not tried yet");
  assert.equal(urgencyText({ by: "draw", urgency: 0.5, beta: [3, 2.5] }),
    "0.5000 drawn from Beta(3, 2.5)");
  const none = { win_rate: 0.5, rave: 0, exploration: 1e-9 };
  assert.deepEqual(termsOf([{ terms: none }, {}]), ["win_rate"]);
});

test("a node names the constant of exploration by its prior only if it has one", () => {
  const node = { win_rate: null, rave_weight: 0, moves: [], pending: 0, proof: null, to_play: "black", visits: 3 };
  const text = (prior_exploration) => nodeText(node, { selection: "ucb1", exploration: 0.05, prior_exploration });
  assert.ok(text(0.15).endsWith("of 3 visits; ucb1, c = 0.05, b = 0.15"), text(0.15));
  assert.ok(text(0).endsWith("ucb1, c = 0.05"), text(0));
});
