// Figures of a run as text.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cells, dateOf, duration, numberOf, shortName, signed, withInterval,
} from "../../crates/tengen-web/page/runs/text.js";

test("durations have the two largest units", () => {
  const told = [0, 9.94, 59.4, 60, 61, 3599, 3600, 7_380].map(duration);
  const wanted = ["0.0 s", "9.9 s", "59 s", "1 min 0 s", "1 min 1 s", "59 min 59 s", "1 h 0 min"];
  assert.deepEqual(told, [...wanted, "2 h 3 min"]);
});

test("Elo has its sign, and may be infinite", () => {
  assert.deepEqual([12.34, -0.5, 0, "inf", "-inf", null].map(signed), [
    "+12.3", "−0.5", "+0.0", "+∞", "−∞", "",
  ]);
});

test("a figure of a table may be infinite", () => {
  assert.deepEqual([12.5, "inf", "-inf", "-3.0"].map(numberOf), [12.5, Infinity, -Infinity, -3]);
});

test("an estimate comes with its interval", () => {
  assert.equal(withInterval({ elo: 1, elo_low: -2, elo_high: 4 }, "elo", signed), "+1.0 (−2.0 to +4.0)");
  assert.equal(withInterval({ elo: 1, elo_low: null, elo_high: null }, "elo", signed), "+1.0");
  assert.equal(withInterval({ elo: null, elo_low: null, elo_high: null }, "elo", signed), "");
  assert.equal(withInterval({}, "elo", signed), "");
});

test("cells of CSV may have commas and quotes", () => {
  assert.deepEqual(cells('a,"b,c",,"d""e"'), ["a", "b,c", "", 'd"e']);
  assert.deepEqual(cells("a,"), ["a", ""]);
});

test("a run has the date of its manifest, of its name or of its files", () => {
  const date = (name, started) => dateOf({ name, started, changed: 86_400_000 });
  assert.equal(date("2026-11-22-a", "2026-11-23T01:02:03Z"), "2026-11-23T01:02:03Z");
  assert.equal(date("2026-11-22-a/validation", null), "2026-11-22");
  assert.equal(date("a-2026-11-22", null), "1970-01-02T00:00:00.000Z");
});

test("a run is called by its name without the date", () => {
  const names = ["2026-11-22-a", "2026-11-22-a/validation", "a", "2026-11-22-", "2026-11-22"];
  assert.deepEqual(names.map(shortName), ["a", "a/validation", "a", "2026-11-22-", "2026-11-22"]);
});
