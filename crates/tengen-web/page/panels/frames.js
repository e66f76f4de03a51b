// One simulation as a series of pictures: functions of the answer that use neither the document
// nor the backend.

import { colorName, placeOf } from "../play/text.js";

const OTHER = { black: "white", white: "black" };

/** What happens in each phase. */
export const PHASES = {
  selection: "Selection: from the root on, the most urgent move is followed.",
  expansion: "Expansion: the simulation has left the tree, and its first new position joins it.",
  leaf: "A leaf: the node has had too few visits to choose among moves, so the playout begins here.",
  playout: "Playout: both players move at random, by the policy, until the game is over.",
  over: "The game is over in the tree: no playout is needed.",
  proved: "The result of this node is proved: no playout is needed.",
  evaluation: "Evaluation: an evaluator judges the leaf in place of a playout.",
  backup: "Backing up: every node on the path counts the result, for the player who moved to it.",
};

/** The index of a vertex in rows from the top.
 * @param {string} vertex
 * @param {{width: number, height: number}} board
 */
function indexOf(vertex, { width, height }) {
  const { column, row } = placeOf(vertex, height);
  return row * width + column;
}

/** The position after a ply, without checking rules: the backend tells which stones are taken.
 * @param {any} position
 * @param {{color: string, move: string, taken?: string[]}} ply
 * @param {number} number that is written on the stone
 */
export function after(position, { color, move, taken = [] }, number) {
  const points = [...position.rows.replaceAll("/", "")];
  const numbers = [...position.numbers];
  for (const vertex of taken) points[indexOf(vertex, position)] = ".";
  if (move !== "pass") {
    const index = indexOf(move, position);
    points[index] = color === "black" ? "X" : "O";
    numbers[index] = number;
  }
  const rows = [];
  for (let at = 0; at < points.length; at += position.width) {
    rows.push(points.slice(at, at + position.width).join(""));
  }
  const moves = [...position.moves, { color, move }];
  return { ...position, rows: rows.join("/"), numbers, moves, to_play: OTHER[color], illegal: {} };
}

/** The pictures of a simulation, from the `position` at its root.
 * @param {any} answer
 * @param {any} position
 */
export function framesOf(answer, position) {
  const frames = [];
  let now = { ...position, numbers: position.numbers.map(() => 0) };
  answer.selections.forEach((/** @type {any} */ node, /** @type {number} */ depth) => {
    const ply = answer.path[depth];
    const text = `${PHASES.selection} ${colorName(ply.color)} chooses ${ply.move}.`;
    frames.push({ phase: "selection", position: now, text, node, chosen: ply.move });
    now = after(now, ply, depth + 1);
  });
  const leaf = answer.path.at(-1)?.move ?? null;
  const kind = answer.is_new ? "expansion" : "leaf";
  frames.push({ phase: "expansion", position: now, text: PHASES[kind], ring: leaf });
  const result = answer.result === null ? "" : ` ${answer.result} after komi.`;
  if (answer.playout === null) {
    const value = answer.value === null ? "" : ` Its value is ${answer.value.toFixed(3)}.`;
    const proof = answer.proof === null ? "" : ` It is ${answer.proof} for who moved there.`;
    const text = `${PHASES[answer.outcome]}${value}${proof}${result}`;
    frames.push({ phase: "playout", position: now, text, ring: leaf });
  } else {
    const moves = answer.playout;
    moves.forEach((/** @type {any} */ ply, /** @type {number} */ at) => {
      now = after(now, ply, 0);
      const end = at + 1 === moves.length ? result : "";
      const text = `${PHASES.playout} Move ${at + 1} of ${moves.length}.${end}`;
      frames.push({ phase: "playout", position: now, text, ring: leaf });
    });
  }
  const text = `${PHASES.backup}${result}`;
  frames.push({ phase: "backup", position: now, text, backUp: answer.back_up });
  return frames;
}
