import assert from "node:assert/strict";
import { test } from "node:test";
import { percent, short, whole } from "../../crates/tengen-web/page/dom.js";
import { inWords, moveInWords } from "../../crates/tengen-web/page/play/text.js";

test("results are told in words", () => {
  for (const [result, words] of [
    ["B+3.5", "Black wins by 3.5"],
    ["W+R", "White wins by resignation"],
    ["W+Resign", "White wins by resignation"],
    ["b+resign", "Black wins by resignation"],
    ["B+T", "Black wins on time"],
    ["B+Time", "Black wins on time"],
    ["W+Forfeit", "White wins by forfeit"],
    ["W+F", "White wins by forfeit"],
    ["W+", "White wins"],
    ["0", "Jigo: nobody wins"],
    ["Draw", "Jigo: nobody wins"],
    ["Void", "No result"],
    ["?", "?"],
    ["Black won", "Black won"],
  ]) {
    assert.equal(inWords(result), words);
  }
});

test("moves are told in words", () => {
  const before = { position: { to_play: "white", captures: [0, 1] } };
  const after = { position: { captures: [0, 3] } };
  assert.equal(moveInWords(before, after, "C3"), "White plays C3, captures 2");
  assert.equal(moveInWords(before, before, "pass"), "White passes");
  assert.equal(moveInWords(before, before, "resign"), "White resigns");
});

test("numbers are short", () => {
  assert.deepEqual([950, 1234, 35_400, 999_600].map(short), ["950", "1.2k", "35k", "1.0M"]);
  assert.deepEqual([whole(1234.4), percent(0.123, 1)], ["1,234", "12.3 %"]);
});
