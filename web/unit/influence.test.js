import assert from "node:assert/strict";
import { test } from "node:test";
import { discsOf } from "../../crates/tengen-web/page/play/overlays.js";
import { answerOf, playedText } from "../../crates/tengen-web/page/panels/influence.js";
import { withSetting } from "../../crates/tengen-web/page/play/text.js";

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

/** A search that gives `share` of 100 visits to C3, and the rest to D4. */
const found = (label, share, more = {}) => {
  const moves = [{ move: "C3", visits: share }, { move: "D4", visits: 100 - share }];
  return { label, update: { moves: moves.sort((one, other) => other.visits - one.visits) }, ...more };
};

test("the answer names the settings that change the move, the largest change, and chance", () => {
  const full = found("as it is", 80);
  const off = [found("without RAVE", 30), found("without prior", 70)];
  const seed = found("with another seed", 76, { isSeed: true });
  assert.equal(
    answerOf("C3", full, [...off, seed], 1000),
    "It plays C3 after 1,000 simulations; without RAVE it plays D4. The largest change: without RAVE "
      + "C3 has 30.0 % of the visits in place of 80.0 %. Another seed also plays C3: C3 then has 76.0 % of the visits.",
  );
  // A seed is no setting, however large its change is.
  const only = answerOf("C3", full, [found("with another seed", 10, { isSeed: true })], 1000);
  assert.match(only, /no setting of it can be switched off\. Another seed plays D4: C3 then has 10\.0 %/);
  assert.equal(playedText("C3", "C3"), " The game has this move too.");
  assert.equal(playedText("C3", "D4"), " The game has D4.");
  assert.equal(playedText("C3", ""), "");
});
