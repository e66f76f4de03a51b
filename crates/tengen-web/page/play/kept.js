// What was found of a game, which the browser keeps until its tab is closed: whoever leaves the
// board and comes back finds it again.

import { gameText } from "./state.js";

/** @import { State } from "./types.js" */

/** Where the browser keeps it. */
const KEPT = "tengen-analyses";

/** Games of which it is kept: the latest. */
const MOST = 6;

/** What belongs to the analysis of a game.
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

/** All that is kept, the latest last.
 * @returns {[string, Partial<State>][]}
 */
function all() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    // What is no JSON was not written here.
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
    // A browser that keeps nothing, or no more, forgets it.
  }
}

/** The analysis that was kept of the game that is shown; null without one.
 * @param {State} state
 */
export function keptAnalysis(state) {
  const key = keyOf(state);
  return all().find(([other]) => other === key)?.[1] ?? null;
}
