// What a person has chosen for all games, which the browser keeps.

/** What is chosen, as it is at first. */
const FIRST = {
  /** Whether keys of a single letter do something: they are in the way of people who speak to
   * their computer. */
  letters: true,
  /** Whether moves are heard. */
  sound: false,
  /** Light or dark; `auto` is what the system has. */
  theme: "auto",
  /** Whether the board has coordinates. */
  coordinates: true,
  /** The shortest time between two moves where two bots play, in milliseconds. */
  pace: 0,
};

/** Where the browser keeps it. */
const KEPT = "tengen-settings";

/** What is kept in `text`, and for what is not the first choice.
 * @param {string | null} text
 * @returns {typeof FIRST}
 */
export function readSettings(text) {
  let kept = null;
  try {
    kept = JSON.parse(text);
  } catch {
    // What is no JSON was not written here.
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

/** What is chosen now; change it by [`choose`]. */
export const settings = typeof localStorage === "undefined" ? { ...FIRST } : stored();

/** Chooses, and keeps it.
 * @template {keyof typeof FIRST} Key
 * @param {Key} key
 * @param {typeof FIRST[Key]} value
 */
export function choose(key, value) {
  settings[key] = value;
  try {
    localStorage.setItem(KEPT, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing forgets it.
  }
}
