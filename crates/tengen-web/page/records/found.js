// The search in the list of records.

/** A line of the list of records.
 * @typedef {object} Line
 * @property {string} name
 * @property {string} black
 * @property {string} white
 * @property {string} result
 * @property {string} event
 * @property {string} date
 * @property {string} size
 * @property {number} moves
 */

/** The records with all words of `text`, in any of their fields; the latest first.
 * @param {Line[]} all
 * @param {string} text
 */
export function found(all, text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const of = ({ name, black, white, result, event, date, size }) => {
    return [name, black, white, result, event, date, sizeText(size)].join(" ").toLowerCase();
  };
  const shown = all.filter((line) => words.every((word) => of(line).includes(word)));
  return shown.sort((one, other) => {
    if (one.date !== other.date) return one.date < other.date ? 1 : -1;
    return one.name < other.name ? -1 : 1;
  });
}

/** The size of a board as other parts of the page write it.
 * @param {string} size
 */
export function sizeText(size) {
  if (size === "") return "19x19";
  return size.includes(":") ? size.replace(":", "x") : `${size}x${size}`;
}
