// The marks of a record: letters, triangles, squares, circles and crosses on points.

import { svg } from "../dom.js";

/** @import { Mark } from "./tree.js" */

/** Marks in words. */
const WORDS = { TR: "triangle", SQ: "square", CR: "circle", MA: "cross" };

/** The mark in words.
 * @param {Mark} mark
 */
export function markInWords({ mark, text }) {
  return mark === "LB" ? `marked ${text}` : `marked by a ${WORDS[mark]}`;
}

/** The shapes of a mark around `cx`, `cy`, on `X`, `O` or an empty point.
 * @param {Mark} mark
 * @param {number} cx
 * @param {number} cy
 * @param {string} stone
 */
export function markShapes({ mark, text = "" }, cx, cy, stone) {
  const on = { X: "on-black", O: "on-white" }[stone] ?? "on-wood";
  if (mark === "LB") {
    const letters = [...text].slice(0, 4).join("");
    const long = letters.length > 2 ? "long" : "";
    const label = svg("text", { x: cx, y: cy, class: `label ${on} ${long}` }, letters);
    // The disc of wood hides the lines of the board behind the letters.
    return stone === "." ? [svg("circle", { cx, cy, r: 13, class: "wood" }), label] : [label];
  }
  const r = 9.5;
  const shape = {
    TR: () => svg("path", { d: `M${cx} ${cy - r}l${0.87 * r} ${1.5 * r}h${-1.74 * r}z` }),
    SQ: () => svg("rect", { x: cx - 7.5, y: cy - 7.5, width: 15, height: 15 }),
    CR: () => svg("circle", { cx, cy, r: 8.5 }),
    MA: () => svg("path", { d: `M${cx - 7} ${cy - 7}l14 14M${cx + 7} ${cy - 7}l-14 14` }),
  }[mark]?.();
  if (!shape) return [];
  shape.setAttribute("class", `sign ${on}`);
  return [shape];
}
