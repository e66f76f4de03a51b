// Drawings of a run's dashboard: intervals, the course of a test, small boards.

import { svg } from "../dom.js";
import { placeOf } from "../play/text.js";

/** Draws a value and its interval on a scale from `low` to `high`, with a mark at `zero`. An infinite
 * end is drawn as a line without a bar, up to the edge.
 * @param {SVGElement} box of class `interval`
 * @param {{value: number, low: number, high: number} | null} estimate
 * @param {{low: number, high: number, zero: number}} scale
 */
export function drawInterval(box, estimate, scale) {
  const width = Math.max(scale.high - scale.low, 1e-9);
  const x = (/** @type {number} */ value) => {
    return (4 + 92 * Math.min(Math.max((value - scale.low) / width, 0), 1)).toFixed(2);
  };
  const shapes = [svg("path", { class: "zero", d: `M${x(scale.zero)} 0V16` })];
  if (estimate !== null) {
    const { value, low, high } = estimate;
    const bar = (/** @type {number} */ end) => (Number.isFinite(end) ? `M${x(end)} 4V12` : "");
    shapes.push(
      svg("path", { class: "ends", d: `${bar(low)}M${x(low)} 8H${x(high)}${bar(high)}` }),
      svg("path", { class: "value", d: `M${x(value)} 2V14` }),
    );
  }
  box.replaceChildren(...shapes);
}

/** An empty drawing of an interval. */
export function intervalBox() {
  return svg("svg", {
    class: "interval",
    viewBox: "0 0 100 16",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
}

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [360, 150, 40, 22];

/** The log-likelihood ratio of a sequential test over its pairs, between its bounds. */
export class RatioChart {
  constructor() {
    this.element = svg("svg", { class: "ratio", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  }

  /** @param {{curve: [number, number][], llr: number, lower: number, upper: number}} test */
  show({ curve, llr, lower, upper }) {
    const ratios = curve.map(([, ratio]) => ratio);
    const [low, high] = [Math.min(lower, ...ratios) - 0.3, Math.max(upper, ...ratios) + 0.3];
    const pairs = curve.at(-1)[0];
    const last = Math.max(pairs, 10);
    const x = (/** @type {number} */ pair) => LEFT + (pair / last) * (WIDTH - LEFT - 6);
    const y = (/** @type {number} */ ratio) => {
      return 4 + ((high - ratio) / (high - low)) * (HEIGHT - BOTTOM - 4);
    };
    const path = curve.map(([pair, ratio], at) => {
      return `${at === 0 ? "M" : "L"}${x(pair).toFixed(1)} ${y(ratio).toFixed(1)}`;
    });
    const line = (/** @type {number} */ at, /** @type {string} */ name) => {
      return svg("path", { class: name, d: `M${LEFT} ${y(at).toFixed(1)}H${WIDTH - 6}` });
    };
    const label = (/** @type {number} */ at) => {
      const place = { class: "end", x: LEFT - 5, y: y(at) + 4 };
      return svg("text", place, at.toFixed(2).replace("-", "−"));
    };
    this.element.replaceChildren(
      line(upper, "bound"),
      line(0, "zero"),
      line(lower, "bound"),
      label(upper),
      label(0),
      label(lower),
      svg("path", { class: "course", d: path.join("") }),
      svg("circle", { class: "dot", cx: x(pairs), cy: y(llr), r: 3 }),
      svg("text", { x: LEFT, y: HEIGHT - 5 }, "0"),
      svg("text", { class: "end", x: WIDTH - 6, y: HEIGHT - 5 }, `${last} pairs`),
    );
    const told = `LLR ${llr.toFixed(2)} after ${pairs} pairs, bounds ${lower.toFixed(2)} and `;
    this.element.setAttribute("aria-label", `${told}${upper.toFixed(2)}`);
  }
}

/** A small board with stones.
 * @param {string} board rows from the top, joined by `/`
 * @param {string | null} last the last point that was played
 */
export function smallBoard(board, last) {
  const rows = board.split("/");
  const [width, height] = [rows[0].length, rows.length];
  const lines = rows.map((_, row) => `M.5 ${row + 0.5}H${width - 0.5}`);
  const files = [...rows[0]].map((_, column) => `M${column + 0.5} .5V${height - 0.5}`);
  const stones = rows.flatMap((row, y) => {
    return [...row].flatMap((stone, x) => {
      if (stone === ".") return [];
      return [svg("circle", { class: `stone-${stone}`, cx: x + 0.5, cy: y + 0.5, r: 0.46 })];
    });
  });
  if (last !== null) {
    const { column, row } = placeOf(last, height);
    const isBlack = rows[row][column] === "X";
    const name = isBlack ? "mark on-black" : "mark";
    stones.push(svg("circle", { class: name, cx: column + 0.5, cy: row + 0.5, r: 0.2 }));
  }
  return svg(
    "svg",
    { class: "mini", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    svg("rect", { class: "wood", width, height }),
    svg("path", { class: "lines", d: [...lines, ...files].join("") }),
    stones,
  );
}
