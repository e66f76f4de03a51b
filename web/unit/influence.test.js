import assert from "node:assert/strict";
import { test } from "node:test";
import { discsOf } from "../../crates/tengen-web/page/play/overlays.js";
import { withSetting } from "../../crates/tengen-web/page/play/specification.js";

test("a setting of a specification is set, replaced or left out", () => {
  assert.equal(withSetting("uct", "rave", "none"), "uct:rave=none");
  assert.equal(withSetting("uct:rave=300,prior=none", "rave", "none"), "uct:prior=none,rave=none");
  assert.equal(withSetting("strong:simulations=9", "simulations", null), "strong");
  assert.equal(withSetting("uct:policy=mogo:0.9:1", "policy", "uniform"), "uct:policy=uniform");
});

const UPDATE = {
  to_play: "black",
  moves: [
    { move: "C3", visits: 900, win_rate: 0.5, prior: 0.4 },
    { move: "D4", visits: 90, win_rate: 0.6, prior: 0.7 },
    { move: "A1", visits: 1, win_rate: 1 },
  ],
};

test("discs are by visits, by win rates of moves with visits, or by priors", () => {
  const shown = (overlay) => discsOf(UPDATE, overlay).map(({ move, text }) => `${move} ${text}`);
  assert.deepEqual(shown("visits"), ["C3 50", "D4 60", "A1 100"]);
  assert.deepEqual(shown("rates"), ["D4 60.0", "C3 50.0"]);
  assert.deepEqual(shown("prior"), ["D4 70.0", "C3 40.0"]);
});
