// An empty board: its lines, star points and coordinates.

import { svg } from "../dom.js";
import { COLUMNS } from "./vertex.js";

/** The distance of two lines. */
export const CELL = 40;

/** Lines with star points among `count` lines. */
function starLines(count) {
  const middle = count % 2 === 1 ? [(count - 1) / 2] : [];
  if (count >= 13) return [3, ...middle, count - 4];
  if (count >= 9) return [2, ...middle, count - 3];
  return count >= 5 ? middle : [];
}

/** The lines of a board with its star points and coordinates, which are of size `letter`.
 * @param {{width: number, height: number, margin: number, letter: number}} board
 */
export function grid({ width, height, margin, letter }) {
  const place = (/** @type {number} */ line) => margin + line * CELL;
  const [right, bottom] = [place(width - 1), place(height - 1)];
  let path = "";
  for (let column = 0; column < width; column += 1) {
    path += `M${place(column)} ${margin}V${bottom}`;
  }
  for (let row = 0; row < height; row += 1) path += `M${margin} ${place(row)}H${right}`;
  const group = svg("g", { class: "lines", "aria-hidden": "true" }, svg("path", { d: path }));
  const [columns, rows] = [starLines(width), starLines(height)];
  for (const row of rows) {
    for (const column of columns) {
      const isMiddle = [2 * column === width - 1, 2 * row === height - 1];
      if (width < 15 && isMiddle[0] !== isMiddle[1]) continue;
      const [cx, cy] = [place(column), place(row)];
      group.append(svg("circle", { cx, cy, r: 2 + 0.09 * width }));
    }
  }
  const inset = 0.72 * letter;
  const name = (x, y, text) => {
    group.append(svg("text", { x, y, "font-size": letter }, text));
  };
  for (let column = 0; column < width; column += 1) {
    const x = place(column);
    name(x, inset, COLUMNS[column]);
    name(x, bottom + margin - inset, COLUMNS[column]);
  }
  for (let row = 0; row < height; row += 1) {
    const y = place(row);
    name(inset, y, String(height - row));
    name(right + margin - inset, y, String(height - row));
  }
  return group;
}
