// The line of moves that a state shows, and its walk through the tree of variations.

import * as trees from "./tree.js";

/** @import { Player, State } from "./types.js"
 * @import { Tree } from "./tree.js" */

/** @param {string} text moves of an address */
export function toMoves(text) {
  return text.split(".").filter((move) => move !== "");
}

/** A state with another line of its tree.
 * @param {State} state
 * @param {Tree} tree
 * @param {number[]} line
 * @returns {State}
 */
export function withLine(state, tree, line) {
  const comments = line.map((id, ply) => [ply, tree[id].comment]).filter(([, text]) => text !== "");
  const moves = line.slice(1).map((id) => tree[id].move);
  return { ...state, tree, line, moves, comments: Object.fromEntries(comments) };
}

/** A state whose game is a single line of moves, without variations and comments.
 * @param {State} state
 * @param {string[]} moves
 * @returns {State}
 */
export function withMoves(state, moves) {
  const tree = trees.treeOfLine(moves);
  return withLine(state, tree, trees.lineThrough(tree, 0));
}

/** The parts of a state that its address does not contain: variations and record. Null for a line
 * that was played here.
 * @param {State} state
 */
export function besideAddress({ tree, names, run }) {
  const isKept = run === "" && trees.isMoreThanMoves(tree);
  return isKept ? { variations: trees.toVariations(tree), names } : null;
}

/** A state with the `kept` variations and record of its address, if its line is one of them.
 * @param {State} state
 * @param {any} kept
 * @returns {State}
 */
export function withKept(state, kept) {
  const { variations, names = null } = kept ?? {};
  if (!Array.isArray(variations) || state.run !== "") return state;
  const tree = trees.treeOfVariations(variations);
  const line = [0];
  for (const move of state.moves) {
    const next = tree[line.at(-1)].children.find((child) => tree[child].move === move);
    if (next === undefined) return state;
    line.push(next);
  }
  return { ...withLine(state, tree, trees.lineThrough(tree, line.at(-1))), names };
}

/** The node that is shown.
 * @param {State} state
 */
export function nodeOf(state) {
  return state.line[state.place];
}

/** A state without findings and dead stones, which belong to one position only.
 * @param {State} state
 * @returns {State}
 */
export function cleared(state) {
  return { ...state, findings: [null, null], isPast: false, remark: "", marked: [], dead: null };
}

/** @param {State} state
 * @param {number} place
 * @returns {State}
 */
export function seek(state, place) {
  const to = Math.min(Math.max(place, 0), state.moves.length);
  const next = { ...state, place: to, resigned: /** @type {Player | ""} */ ("") };
  return to === state.place ? next : cleared(next);
}

/** Makes a move; if another move follows already, this begins a variation.
 * @param {State} state
 * @param {string} move
 * @returns {State}
 */
export function play(state, move) {
  const next = cleared({ ...state, place: state.place + 1 });
  if (state.moves[state.place] === move) return next;
  const { tree, node } = trees.withMove(state.tree, nodeOf(state), move);
  return onLine({ ...next, resigned: "" }, tree, node);
}

/** Run, game and filter of the shown game of a run, or of the game in which the line began; null
 * without one.
 * @param {State} state
 * @returns {{run: string, game: string, filter: string} | null}
 */
export function originOf({ run, game, filter, origin }) {
  if (run !== "" && game !== "") return { run, game, filter };
  const known = new URLSearchParams(origin);
  const [name, number] = [known.get("run"), known.get("game")];
  return name && number ? { run: name, game: number, filter: known.get("filter") ?? "" } : null;
}

/** A state on the line through `node`. This line is no longer the game of a run.
 * @param {State} state
 * @param {Tree} tree
 * @param {number} node
 * @returns {State}
 */
export function onLine(state, tree, node) {
  const line = withLine(state, tree, trees.lineThrough(tree, node));
  const from = originOf(state);
  const origin = from === null ? "" : new URLSearchParams(from).toString();
  return { ...line, run: "", game: "", filter: "", origin };
}

/** Goes to a node: along the line, or to another line.
 * @param {State} state
 * @param {number | null} node
 * @returns {State}
 */
export function visit(state, node) {
  if (node === null || state.tree[node] === undefined) return state;
  const place = trees.pathTo(state.tree, node).length - 1;
  const next = state.line[place] === node ? state : onLine(state, state.tree, node);
  return walked(next, place, node !== nodeOf(state));
}

/** Goes to a place of the line of `state`. During a walk through the game the bot waits.
 * @param {State} state
 * @param {number} place
 * @param {boolean} isElsewhere
 * @returns {State}
 */
export function walked(state, place, isElsewhere = false) {
  const next = seek(state, place);
  const there = isElsewhere ? cleared(next) : next;
  const isLast = next.place === next.moves.length;
  const paused = isLast || state.isPaused ? {} : { isPaused: true, isLooking: true };
  return resumed({ ...there, ...paused, isOneStep: false });
}

/** A state in which a bot continues, if it waited only because a person looked back.
 * @param {State} state
 * @returns {State}
 */
export function resumed(state) {
  const isPlayed = (state.black === "person") !== (state.white === "person");
  const isOver = state.isLooking && isPlayed && state.place === state.moves.length;
  return isOver ? { ...state, isPaused: false, isLooking: false } : state;
}
