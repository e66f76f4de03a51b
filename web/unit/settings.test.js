import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../../crates/tengen-web/page/play/settings.js";

test("what is kept is read, and what is not of its kind is as at first", () => {
  const first = {
    letters: true, sound: false, theme: "auto", coordinates: true, pace: 0,
  };
  for (const text of [null, "", "no", "[]", "1", '{"pace":"fast","other":1}']) {
    assert.deepEqual(readSettings(text), first, text);
  }
  assert.deepEqual(readSettings('{"sound":true,"pace":500}'), { ...first, sound: true, pace: 500 });
});
