import assert from "node:assert/strict";
import { test } from "node:test";
import * as trees from "../../crates/tengen-web/page/play/tree.js";

/** A tree of lines, each a text of moves from the first. */
function treeOf(...lines) {
  let tree = trees.NO_MOVES;
  for (const line of lines) {
    let at = 0;
    for (const move of line.split(".")) ({ tree, node: at } = trees.withMove(tree, at, move));
  }
  return tree;
}

/** The lines of a tree. */
function linesOf(tree, id = 0, before = []) {
  const { move, children } = tree[id];
  const line = id === 0 ? before : [...before, move];
  if (children.length === 0) return [line.join(".")];
  return children.flatMap((child) => linesOf(tree, child, line));
}

test("a move beside another begins a variation, and one that is known does not", () => {
  const tree = treeOf("A1.B1.C1", "A1.B2", "A1.B1.C1.D1", "A2");
  assert.deepEqual(linesOf(tree), ["A1.B1.C1.D1", "A1.B2", "A2"]);
  assert.equal(tree.length, 7);
  assert.equal(treeOf("A1.B1").length, 3);
});

test("lines lead through a node and on by the first variations", () => {
  const tree = treeOf("A1.B1.C1", "A1.B2.C2", "A1.B2.C3");
  const at = (id) => trees.lineThrough(tree, id).slice(1).map((one) => tree[one].move).join(".");
  assert.equal(at(0), "A1.B1.C1");
  assert.equal(at(4), "A1.B2.C2");
  assert.equal(at(6), "A1.B2.C3");
  assert.deepEqual(trees.pathTo(tree, 6), [0, 1, 4, 6]);
});

test("a variation is removed with what follows, or made the main line", () => {
  const tree = treeOf("A1.B1.C1", "A1.B2.C2");
  assert.deepEqual(linesOf(trees.without(tree, 2)), ["A1.B2.C2"]);
  assert.deepEqual(linesOf(trees.withMain(tree, 5)), ["A1.B2.C2", "A1.B1.C1"]);
  assert.deepEqual(linesOf(tree), ["A1.B1.C1", "A1.B2.C2"], "the tree itself stays");
});

test("the variation beside the nearest branch is found", () => {
  const tree = treeOf("A1.B1.C1", "A1.B2.C2", "A2");
  const moveAt = (id, by) => tree[trees.beside(tree, id, by)]?.move;
  assert.equal(moveAt(3, 1), "B2");
  assert.equal(moveAt(5, -1), "B1");
  assert.equal(moveAt(5, 1), "A2");
  assert.equal(trees.beside(tree, 3, -1), null);
});

test("a tree comes back from the variations of a record as it was", () => {
  const tree = treeOf("A1.B1.C1", "A1.B2.C2", "A2.pass", "A1.B1.C3");
  const again = trees.treeOfVariations(trees.toVariations(tree));
  assert.deepEqual(linesOf(again), linesOf(tree));
  const removed = trees.toVariations(trees.without(tree, 2));
  assert.equal(removed.length, 6);
  const marked = trees.treeOfVariations([{ parent: 0, marks: [{ at: "A1", mark: "TR" }] }, { parent: 0, move: "A1", comment: "so" }]);
  assert.deepEqual(trees.toVariations(marked)[0].marks, [{ at: "A1", mark: "TR" }]);
  assert.equal(trees.hasVariations(marked), false);
});

test("no two nodes are drawn at one place, and no line through another's nodes", () => {
  const random = ((seed) => () => (seed = (seed * 48271) % 2147483647) / 2147483647)(7);
  for (let round = 0; round < 40; round += 1) {
    let tree = trees.NO_MOVES;
    for (let move = 0; move < 60; move += 1) {
      const at = random() < 0.7 ? tree.length - 1 : Math.floor(random() * tree.length);
      ({ tree } = trees.withMove(tree, at, `M${move}`));
    }
    const places = trees.layout(tree);
    assert.equal(places.length, tree.length);
    const taken = new Set(places.map(({ column, row }) => `${column},${row}`));
    assert.equal(taken.size, tree.length);
    for (const { id, column, row, parentRow } of places) {
      const parent = places.find((one) => one.id === tree[id].parent);
      if (id === 0) continue;
      assert.deepEqual([parent.column, parent.row], [column - 1, parentRow]);
      // What leads down to a variation goes through no node.
      for (let between = parentRow + 1; between <= row; between += 1) {
        assert.ok(!taken.has(`${column - 1},${between}`), `${id} at ${column - 1},${between}`);
      }
    }
    const main = trees.lineThrough(tree, 0);
    for (const { id, row } of places) if (main.includes(id)) assert.equal(row, 0);
  }
});
