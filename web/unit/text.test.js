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
  // As `format!("{:.1} %", 100.0 * share)` in Rust.
  for (const [share, digits, text] of [
    [0.6085, 1, "60.9 %"], [0.3555, 1, "35.5 %"], [0.5025, 1, "50.2 %"], [0.5075, 1, "50.7 %"], [0.1275, 1, "12.8 %"],
    [0.005, 0, "0 %"], [0.015, 0, "2 %"], [1, 1, "100.0 %"], [-0.0001, 1, "0.0 %"], [0, 0, "0 %"],
  ]) {
    assert.equal(percent(share, digits), text, `${share}`);
  }
});
