// The view and its state in the address, so that a link leads to the same position.

/** The address as this page last read or wrote it. */
let seen = "";

/** The view that the address names, and its other keys. */
export function readAddress() {
  seen = location.hash;
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const given = Object.fromEntries(new URLSearchParams(query));
  return { view: path.replace(/^\//, "") || "play", given };
}

/** The address of `view` with the keys of `given` that are not empty.
 * @param {string} view
 * @param {Record<string, any>} given
 */
export function address(view, given) {
  const kept = Object.entries(given).filter(([, value]) => value !== "" && value !== null);
  const query = new URLSearchParams(kept).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

/** The last address of each view, and what the browser kept with it.
 * @type {Record<string, {hash: string, more: any}>}
 */
const last = {};

/** Goes back to a view as it was last seen; false if it was never seen.
 * @param {string} view
 */
export function goBackTo(view) {
  if (!Object.hasOwn(last, view)) return false;
  const { hash, more } = last[view];
  history.pushState(more, "", hash);
  seen = location.hash;
  return true;
}

/** Writes the address: as a new entry of the history, or in place of the present entry. The
 * browser keeps `more`, which is too long for an address, with the entry. If a link was followed
 * that this page has yet to read, the address stays the one of the link.
 * @param {string} view
 * @param {Record<string, any>} given
 * @param {boolean} isNew
 * @param {any} more
 */
export function writeAddress(view, given, isNew = false, more = history.state) {
  const hash = address(view, given);
  last[view] = { hash, more };
  if (location.hash !== seen || (hash === seen && more === history.state)) return;
  if (isNew) history.pushState(more, "", hash);
  else history.replaceState(more, "", hash);
  seen = location.hash;
}
