// The form of a new run.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

// What the module imports asks a server when it is loaded: its own functions are read alone.
const path = new URL("../../crates/tengen-web/page/runs/start.js", import.meta.url);
const source = readFileSync(path, "utf8").replace(/^import .*$/gm, "");
const { freeName, helpOf, labelOf, tableOf, valueOf } =
  await import(`data:text/javascript,${encodeURIComponent(source)}`);

test("a description has a meaning and maybe a default", () => {
  assert.deepEqual(helpOf("Seed [of bots] [default: 1]"), { meaning: "Seed [of bots]", standard: "1" });
  assert.deepEqual(helpOf("File"), { meaning: "File", standard: "" });
  assert.equal(labelOf("max_plies"), "Max plies");
});

test("a text becomes the value that is wanted, or stays what was typed", () => {
  const values = [["integer", "12"], ["integer", "1.5"], ["integer", "many"], ["number", "0.5"],
    ["string", "12"], ["boolean", "true"], ["boolean", "false"], [undefined, "9"]];
  assert.deepEqual(values.map(([type, text]) => valueOf(type, text)),
    [12, "1.5", "many", 0.5, "12", true, false, "9"]);
  assert.deepEqual(tableOf(["a = 1..2:log", "b"]), { a: "1..2:log", b: "" });
});

test("a new run has a name that is free", () => {
  const now = new Date("2026-11-27T23:59:59Z");
  assert.equal(freeName("tune", [], now), "2026-11-27-tune");
  assert.equal(freeName("tune", ["2026-11-27-tune", "2026-11-27-tune-2"], now), "2026-11-27-tune-3");
});
