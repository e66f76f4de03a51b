// The address of the page: from a state to its address and back.

import { toMoves, withMoves } from "./line.js";
import { empty } from "./state.js";

/** @import { State } from "./types.js" */

const NATURAL = /^\d{1,4}$/;

/** The expected value of each key of the address, in words for an error. */
export const EXPECTED = {
  size: [/^([1-9]|1\d)x([1-9]|1\d)$/, "a size from 1x1 to 19x19, such as 9x9"],
  komi: [/^-?\d{1,4}(\.\d+)?$/, "a number"],
  handicap: [NATURAL, "a number of stones"],
  at: [NATURAL, "a number of moves"],
  dead: [/^[A-HJ-T]\d{1,2}(\.[A-HJ-T]\d{1,2})*$/, "points of dead stones, such as C3.D4"],
  first: [/^(black|white)$/, "black or white"],
  resigned: [/^(black|white)$/, "black or white"],
  seed: [/^\d{1,15}$/, "a number"],
  equal: [/^(time|simulations)$/, "time or simulations"],
  budget: [/^[1-9]\d{0,7}$/, "a number of simulations"],
};

/** The state that an address describes, and its unreadable parts, in words.
 * @param {Record<string, string>} given
 * @returns {{state: State, faults: string[]}}
 */
export function fromAddress(given) {
  let state = empty();
  const faults = [];
  const isOwn = (/** @type {string} */ key) => Object.hasOwn(given, key) && given[key] !== "";
  for (const key of KEYS.filter(isOwn)) {
    const value = given[key];
    const [pattern, expected] = EXPECTED[key] ?? [/^/, ""];
    if (!pattern.test(value)) faults.push(`${key}=${value}: expected ${expected}`);
    else if (key === "moves") state = withMoves(state, toMoves(value));
    else if (key === "dead") state.marked = toMoves(value);
    else state[key] = value;
  }
  state.place = Math.min(state.at === "" ? state.moves.length : Number(state.at), state.moves.length);
  state.isPaused = state.place < state.moves.length;
  state.isLooking = state.isPaused;
  return { state, faults };
}

/** The keys of the address. */
const KEYS = [
  "size", "komi", "rules", "handicap", "setup", "first", "moves", "at", "black", "white",
  "resigned", "dead", "run", "game", "filter", "origin", "a", "b", "equal", "budget", "seed",
];

/** The keys of the address for a state, without empty and default values.
 * @param {State} state
 * @returns {Record<string, string>}
 */
export function toAddress(state) {
  const isAtLast = state.place === state.moves.length;
  const at = isAtLast ? "" : String(state.place);
  const all = { ...state, moves: state.moves.join("."), at, dead: state.marked.join(".") };
  const keys = state.run === "" ? KEYS
    : [
      "run", "game", "filter", "at", "a", "b", "equal", "budget", "black", "white", "seed",
      "resigned", "dead",
    ];
  if (state.run !== "") all.at = String(state.place);
  const usual = { ...empty(), moves: "", dead: "", at: state.run === "" ? "" : "0" };
  const kept = keys.filter((key) => all[key] !== "" && all[key] !== usual[key]);
  return Object.fromEntries(kept.map((key) => [key, String(all[key])]));
}
