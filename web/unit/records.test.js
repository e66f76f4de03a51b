import assert from "node:assert/strict";
import { test } from "node:test";
import { found } from "../../crates/tengen-web/page/records/found.js";

const LINES = [
  { name: "a.sgf", black: "Lee", white: "Cho", result: "W+R", event: "Cup", date: "2024-01-02", size: "9" },
  { name: "b.sgf", black: "Kim", white: "Lee", result: "B+2.5", event: "", date: "2025-03-04", size: "" },
  { name: "c.sgf", black: "Kim", white: "Cho", result: "B+R", event: "", date: "", size: "9:13" },
];

test("records are found by all words, the latest first", () => {
  const names = (text) => found(LINES, text).map(({ name }) => name);
  assert.deepEqual(names(""), ["b.sgf", "a.sgf", "c.sgf"]);
  assert.deepEqual(names("lee"), ["b.sgf", "a.sgf"]);
  assert.deepEqual(names("LEE w+r"), ["a.sgf"]);
  assert.deepEqual(names("19x19"), ["b.sgf"]);
  assert.deepEqual(names("9x13"), ["c.sgf"]);
  assert.deepEqual(names("nobody"), []);
});
