// The browser keeps the analyses of games until its tab is closed: a person who leaves the board
// and comes back finds them again.

import { gameText } from "./state.js";

/** @import { State } from "./types.js" */

/** The key under which the browser keeps the analyses. */
const KEPT = "tengen-analyses";

/** Number of games, the latest, whose analysis is kept. */
const MOST = 6;

/** The parts of a state that are the analysis of its game.
 * @param {State} state
 */
function analysisOf({ review, verdicts, rates }) {
  return { review, verdicts, rates };
}

/** The line of a state, by which its analysis is kept.
 * @param {State} state
 */
function keyOf(state) {
  return JSON.stringify(gameText(state, state.moves.length));
}

/** All kept analyses, the latest last.
 * @returns {[string, Partial<State>][]}
 */
function all() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    // A text that is no JSON was not written here.
    return [];
  }
}

/** Keeps the analysis of the game that is shown, if there is one.
 * @param {State} state
 */
export function keepAnalysis(state) {
  const isEmpty = state.review === null && Object.keys(state.verdicts).length === 0;
  if (isEmpty && Object.keys(state.rates).length === 0) return;
  const key = keyOf(state);
  const others = all().filter(([other]) => other !== key);
  const kept = [...others, [key, analysisOf(state)]].slice(-MOST);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // The browser refuses to keep it, or has no room: the analysis is lost.
  }
}

/** The kept analysis of the game that is shown; null without one.
 * @param {State} state
 */
export function keptAnalysis(state) {
  const key = keyOf(state);
  return all().find(([other]) => other === key)?.[1] ?? null;
}
