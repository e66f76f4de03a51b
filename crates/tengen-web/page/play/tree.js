// The moves of a game as a tree: a variation begins where a position has a second move.
//
// A tree is an array of nodes, each after its parent; node 0 is the position before the first
// move. Trees are never changed: each function returns a new tree.

/**
 * @typedef {object} Mark a marked point, as SGF has it
 * @property {string} at
 * @property {"LB" | "TR" | "SQ" | "CR" | "MA"} mark
 * @property {string} [text] of a label
 *
 * @typedef {object} Node
 * @property {number} parent
 * @property {string} move
 * @property {number[]} children the first continues the main line
 * @property {string} comment
 * @property {boolean} [isEdited] whether the comment was written here
 * @property {Mark[]} marks
 * @property {string} nodes its nodes in the original record, as SGF; empty for a move played here
 * @property {{after: number, sgf: string}[]} left_out variations of the record that cannot be shown
 * @property {string} result of the record, at the end of its main line
 * @property {boolean} [isDrawn] whether the move belongs to a run's opening: no player chose it
 *
 * @typedef {readonly Node[]} Tree
 */

/** A node without children, with `known` properties.
 * @param {Partial<Node>} known
 * @returns {Node}
 */
function nodeWith(known) {
  const none = { parent: 0, move: "", comment: "", marks: [], nodes: "", left_out: [], result: "" };
  return { ...none, ...known, children: [] };
}

/** @type {Tree} */
export const NO_MOVES = [nodeWith({})];

/** The tree of one line of moves.
 * @param {string[]} moves
 * @returns {Tree}
 */
export function treeOfLine(moves) {
  return treeOfVariations(["", ...moves].map((move, at) => ({ parent: Math.max(0, at - 1), move })));
}

/** The tree of the variations of a record.
 * @param {Partial<Node>[]} variations each after its parent
 * @returns {Tree}
 */
export function treeOfVariations(variations) {
  const tree = variations.map(nodeWith);
  for (let id = 1; id < tree.length; id += 1) tree[tree[id].parent].children.push(id);
  return tree;
}

/** The nodes of a tree without removed nodes, each after its parent, the main line first.
 * @param {Tree} tree
 */
export function toVariations(tree) {
  const variations = [];
  // First children come first; parents are written before their children.
  const waiting = [{ id: 0, parent: 0 }];
  while (waiting.length > 0) {
    const { id, parent } = waiting.pop();
    const { children, ...node } = tree[id];
    const own = variations.length;
    variations.push({ ...node, parent });
    for (const child of children.toReversed()) waiting.push({ id: child, parent: own });
  }
  return variations;
}

/** Whether a tree is more than a line of moves: it has variations or comments, or comes from a record.
 * @param {Tree} tree
 */
export function isMoreThanMoves(tree) {
  return tree[0].nodes !== "" || hasVariations(tree) || tree.some(({ comment }) => comment !== "");
}

/** A tree with another comment on the position of a node.
 * @param {Tree} tree
 * @param {number} id
 * @param {string} comment
 */
export function withComment(tree, id, comment) {
  return tree.map((node, own) => (own === id ? { ...node, comment, isEdited: true } : node));
}

/** Whether a node of the tree has two or more moves.
 * @param {Tree} tree
 */
export function hasVariations(tree) {
  return tree.some(({ children }) => children.length > 1);
}

/** The nodes from the root to `id`.
 * @param {Tree} tree
 * @param {number} id
 */
export function pathTo(tree, id) {
  const path = [id];
  while (path.at(-1) !== 0) path.push(tree[path.at(-1)].parent);
  return path.reverse();
}

/** The line through `id`: from the root to it, and on by first children.
 * @param {Tree} tree
 * @param {number} id
 */
export function lineThrough(tree, id) {
  const line = pathTo(tree, id);
  while (tree[line.at(-1)].children.length > 0) line.push(tree[line.at(-1)].children[0]);
  return line;
}

/** Adds a move after the node `id`, unless it exists; returns the tree and the node of the move.
 * @param {Tree} tree
 * @param {number} id
 * @param {string} move
 * @returns {{tree: Tree, node: number}}
 */
export function withMove(tree, id, move) {
  const known = tree[id].children.find((child) => tree[child].move === move);
  if (known !== undefined) return { tree, node: known };
  const node = tree.length;
  const next = [...tree, nodeWith({ parent: id, move })];
  next[id] = { ...tree[id], children: [...tree[id].children, node] };
  return { tree: next, node };
}

/** The tree without the node `id` and its descendants; all other nodes keep their numbers.
 * @param {Tree} tree
 * @param {number} id
 * @returns {Tree}
 */
export function without(tree, id) {
  const { parent } = tree[id];
  const next = [...tree];
  next[parent] = { ...tree[parent], children: tree[parent].children.filter((one) => one !== id) };
  return next;
}

/** The tree whose main line goes through `id`.
 * @param {Tree} tree
 * @param {number} id
 * @returns {Tree}
 */
export function withMain(tree, id) {
  const next = [...tree];
  for (const node of pathTo(tree, id).slice(1)) {
    const { parent } = tree[node];
    const others = tree[parent].children.filter((one) => one !== node);
    next[parent] = { ...tree[parent], children: [node, ...others] };
  }
  return next;
}

/** The next variation after that of `id` (`by` 1) or the one before (-1), at the nearest place
 * before `id` that has one; null without one.
 * @param {Tree} tree
 * @param {number} id
 * @param {1 | -1} by
 */
export function beside(tree, id, by) {
  for (let node = id; node !== 0; node = tree[node].parent) {
    const { children } = tree[tree[node].parent];
    const other = children[children.indexOf(node) + by];
    if (other !== undefined) return other;
  }
  return null;
}

/** Where each node is drawn: its column is the number of moves before it, and lines that share
 * a column have different rows, the main line the first.
 * @param {Tree} tree
 * @returns {{id: number, column: number, row: number, parentRow: number}[]} parents first
 */
export function layout(tree) {
  const places = [];
  /** @type {number[]} the last row that is taken, by column */
  const taken = [];
  const waiting = [{ id: 0, column: 0, parentRow: 0 }];
  while (waiting.length > 0) {
    const { id, column: begin, parentRow } = waiting.pop();
    // A line of first children is laid out at once, in a row that is free along all of it.
    const line = [id];
    while (tree[line.at(-1)].children.length > 0) line.push(tree[line.at(-1)].children[0]);
    let row = parentRow;
    // One column earlier the line leaves its parent's row.
    const from = Math.max(0, begin - 1);
    for (let column = from; column < begin + line.length; column += 1) {
      row = Math.max(row, (taken[column] ?? -1) + 1);
    }
    if (id === 0) row = 0;
    line.forEach((node, at) => {
      const column = begin + at;
      taken[column] = Math.max(taken[column] ?? -1, row);
      places.push({ id: node, column, row, parentRow: at === 0 ? parentRow : row });
    });
    if (begin > 0) taken[begin - 1] = Math.max(taken[begin - 1] ?? -1, row);
    // Later variations of an earlier place wait longest, since they are drawn further down.
    line.forEach((node, at) => {
      for (const child of tree[node].children.slice(1).toReversed()) {
        waiting.push({ id: child, column: begin + at + 1, parentRow: row });
      }
    });
  }
  return places;
}
