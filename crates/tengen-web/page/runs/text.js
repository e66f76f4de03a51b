// Figures of a run as text.

/** Seconds as `1 h 5 min`, `3 min 20 s` or `4.2 s`.
 * @param {number} seconds
 */
export function duration(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The number that a table of figures gives, where infinity is the text `inf`.
 * @param {number | string} value
 */
export function numberOf(value) {
  return Number(String(value).replace("inf", "Infinity"));
}

/** A number with its sign; empty where there is none.
 * @param {number | string | null} value
 */
export function signed(value) {
  if (value === null) return "";
  // The rating of a bot that won or lost all games has no bound on one side.
  const text = String(value).endsWith("inf") ? "∞" : Math.abs(Number(value)).toFixed(1);
  return `${String(value).startsWith("-") ? "−" : "+"}${text}`;
}

/** An estimate and its interval, which `text` turns into texts; empty without an estimate.
 * @param {Record<string, any>} row of a table of figures
 * @param {string} name
 * @param {(value: any) => string} text
 */
export function withInterval(row, name, text) {
  const [value, low, high] = ["", "_low", "_high"].map((end) => row[name + end]);
  if (value === null || value === undefined) return "";
  return low === null ? text(value) : `${text(value)} (${text(low)} to ${text(high)})`;
}

/** When a run was begun: by its manifest, else by the name of its folder, else by the last change
 * of its files.
 * @param {{name: string, started: string | null, changed: number}} run
 */
export function dateOf({ name, started, changed }) {
  return started ?? /^\d{4}-\d\d-\d\d/.exec(name)?.[0] ?? new Date(changed).toISOString();
}

/** The name of a run without the date that it begins with.
 * @param {string} name
 */
export function shortName(name) {
  return name.replace(/^\d{4}-\d\d-\d\d-(?=.)/, "");
}

/** The cells of a line of CSV, whose quoted cells may hold commas.
 * @param {string} line
 */
export function cells(line) {
  const found = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? [];
  const plain = found.map((cell) => cell.replace(/,$/, ""));
  if (!line.endsWith(",")) plain.pop();
  return plain.map((cell) => cell.replace(/^"(.*)"$/, "$1").replaceAll('""', '"'));
}
