import assert from "node:assert/strict";
import { test } from "node:test";
import { address, readAddress, writeAddress } from "../../crates/tengen-web/page/address.js";

/** A browser's address and history, as far as the page uses them. */
function browse(hash) {
  globalThis.location = { hash };
  const write = (state, _, to) => {
    globalThis.history.state = state;
    globalThis.location.hash = to;
  };
  globalThis.history = { state: null, pushState: write, replaceState: write };
}

test("a view writes its address", () => {
  browse("#/play?size=5");
  assert.deepEqual(readAddress(), { view: "play", given: { size: "5" } });
  writeAddress("play", { size: "7", komi: "" });
  assert.equal(location.hash, address("play", { size: "7" }));
  writeAddress("play", { size: "9" });
  assert.equal(location.hash, "#/play?size=9");
});

test("a link that was followed is not lost to the view that it leaves", () => {
  browse("#/play?game=1");
  readAddress();
  // The browser has followed a link, and tells the page of it only later.
  location.hash = "#/play?game=2";
  writeAddress("play", { game: "1", moves: "A1" });
  assert.equal(location.hash, "#/play?game=2");
  assert.deepEqual(readAddress().given, { game: "2" });
  writeAddress("play", { game: "2", moves: "B2" });
  assert.equal(location.hash, "#/play?game=2&moves=B2");
});
