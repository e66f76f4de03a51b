// The names of points, such as D4.

/** The letters of the columns from the left, without I. */
export const COLUMNS = "ABCDEFGHJKLMNOPQRST";

/** The column from the left and the row from the top of a point; column -1 if it names no point.
 * @param {string} vertex
 * @param {number} height of the board
 */
export function placeOf(vertex, height) {
  return { column: COLUMNS.indexOf(vertex[0]), row: height - Number(vertex.slice(1)) };
}
