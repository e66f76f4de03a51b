// Shapes above the stones of a board.

import { svg } from "../dom.js";

/** @import { Board } from "./board.js" */

/** The most discs with a text, on most boards and on large boards. */
const [NAMED, NAMED_ON_LARGE] = [14, 8];

/** Discs on empty points: darker for greater values, the first with a ring, and small values as
 * dots without text.
 * @param {Board} board
 * @param {import("./overlays.js").Disc[]} discs
 */
export function discShapes(board, discs) {
  const shapes = [];
  const stones = board.position?.rows.replaceAll("/", "") ?? "";
  const isLarge = board.width > 13 || board.height > 13;
  const named = isLarge ? NAMED_ON_LARGE : NAMED;
  discs.forEach(({ move, share, text, below = "" }, order) => {
    const index = move === "pass" ? -1 : board.index(move);
    if (index < 0 || stones[index] !== "." || (share < 0.002 && order > named)) return;
    const [cx, cy] = board.place(index);
    const root = Math.sqrt(share);
    const isNamed = order < named && share > 0.01;
    const r = isNamed ? 17.5 : 3 + 10 * root;
    // Two bands of opacity: in each band one colour of text is readable.
    const isPale = root < 0.5 && order > 0;
    const opacity = (isPale ? 0.28 + 0.2 * root : 0.8 + 0.36 * Math.max(0, root - 0.5)).toFixed(3);
    const look = `disc${order === 0 ? " best" : ""}`;
    shapes.push(svg("circle", { cx, cy, r, class: look, "fill-opacity": opacity }));
    if (!isNamed) return;
    const pale = isPale ? " pale" : "";
    const long = text.length > 3 ? " long" : "";
    const y = below === "" ? cy : cy - 4;
    shapes.push(svg("text", { x: cx, y, class: `rate${pale}${long}` }, text));
    if (below === "") return;
    shapes.push(svg("text", { x: cx, y: cy + 8.5, class: `visits${pale}` }, below));
  });
  return shapes;
}

/** A square on each point, larger the more surely the point is Black's (1) or White's (-1).
 * @param {Board} board
 * @param {number[]} shares
 */
export function ownerShapes(board, shares) {
  return shares.map((share, index) => {
    const [cx, cy] = board.place(index);
    const side = 30 * Math.sqrt(Math.abs(share));
    const at = { x: cx - side / 2, y: cy - side / 2, width: side, height: side, rx: 2 };
    return svg("rect", { ...at, class: `area-${share > 0 ? "X" : "O"}`, "fill-opacity": "0.8" });
  });
}

/** The numbered stones of a line of play; on each point only the first stone.
 * @param {Board} board
 * @param {{moves: string[], first: string} | null} line
 */
export function lineShapes(board, line) {
  const taken = new Set();
  const shapes = [];
  (line?.moves ?? []).forEach((move, order) => {
    const index = move === "pass" ? -1 : board.index(move);
    if (index < 0 || taken.has(index)) return;
    taken.add(index);
    const [cx, cy] = board.place(index);
    const isBlack = (line.first === "black") === (order % 2 === 0);
    const stone = isBlack ? "X" : "O";
    const on = isBlack ? "on-black" : "on-white";
    const fill = `url(#${board.id}-${stone})`;
    shapes.push(svg("circle", { cx, cy, r: 17, fill, class: "planned" }));
    shapes.push(svg("text", { x: cx, y: cy, class: on }, `${order + 1}`));
  });
  return shapes;
}
