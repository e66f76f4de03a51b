// The view and its state in the address, so that a link leads to the same position.

/** The view and what else the address says. */
export function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const given = Object.fromEntries(new URLSearchParams(query));
  return { view: path.replace(/^\//, "") || "play", given };
}

/** The address of `view` with `given`, without what is empty.
 * @param {string} view
 * @param {Record<string, any>} given
 */
export function address(view, given) {
  const kept = Object.entries(given).filter(([, value]) => value !== "" && value !== null);
  const query = new URLSearchParams(kept).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

/** The last address of each view, with what the browser kept beside it.
 * @type {Record<string, {hash: string, more: any}>}
 */
const last = {};

/** Goes back to a view as it was last seen; whether it was seen.
 * @param {string} view
 */
export function goBackTo(view) {
  if (!Object.hasOwn(last, view)) return false;
  const { hash, more } = last[view];
  history.pushState(more, "", hash);
  return true;
}

/** Writes the address: as an entry of its own in the history, or in place of the present one.
 * The browser keeps `more` with the entry, which is too much for an address.
 * @param {string} view
 * @param {Record<string, any>} given
 * @param {boolean} isNew
 * @param {any} more
 */
export function writeAddress(view, given, isNew = false, more = history.state) {
  const hash = address(view, given);
  last[view] = { hash, more };
  if (hash === location.hash && more === history.state) return;
  if (isNew) history.pushState(more, "", hash);
  else history.replaceState(more, "", hash);
}
