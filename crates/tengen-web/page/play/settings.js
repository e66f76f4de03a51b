// The settings that a person has chosen for all games; the browser keeps them.

/** The default settings. */
const FIRST = {
  /** Whether keys of a single letter have actions: these disturb people who use speech input. */
  letters: true,
  /** Whether moves are heard. */
  sound: false,
  /** Light or dark; `auto` follows the system. */
  theme: "auto",
  /** Whether the board has coordinates. */
  coordinates: true,
  /** The shortest time between two moves where two bots play, in milliseconds. */
  pace: 0,
};

/** The key under which the browser keeps the settings. */
const KEPT = "tengen-settings";

/** The settings kept in `text`, and defaults for all others.
 * @param {string | null} text
 * @returns {typeof FIRST}
 */
export function readSettings(text) {
  let kept = null;
  try {
    kept = JSON.parse(text);
  } catch {
    // A text that is no JSON was not written here.
  }
  const isKnown = (/** @type {string} */ key) => typeof kept?.[key] === typeof FIRST[key];
  const known = Object.keys(FIRST).filter(isKnown).map((key) => [key, kept[key]]);
  return { ...FIRST, ...Object.fromEntries(known) };
}

function stored() {
  try {
    return readSettings(localStorage.getItem(KEPT));
  } catch {
    return { ...FIRST };
  }
}

/** The present settings; change them by [`choose`]. */
export const settings = typeof localStorage === "undefined" ? { ...FIRST } : stored();

/** Changes a setting and keeps it.
 * @template {keyof typeof FIRST} Key
 * @param {Key} key
 * @param {typeof FIRST[Key]} value
 */
export function choose(key, value) {
  settings[key] = value;
  try {
    localStorage.setItem(KEPT, JSON.stringify(settings));
  } catch {
    // The browser refuses to keep it: the choice is lost with the page.
  }
}
