// Texts of the page.

/** @import { Player, State, Update } from "./types.js"
 * @import { Verdict } from "./review.js" */

const WAYS = {
  R: "by resignation",
  Resign: "by resignation",
  T: "on time",
  Time: "on time",
  F: "by forfeit",
  Forfeit: "by forfeit",
};

/** A player's name.
 * @param {Player} player
 */
export function colorName(player) {
  return player === "black" ? "Black" : "White";
}

/** A result in SGF's form, in words.
 * @param {string} result
 */
export function inWords(result) {
  const [winner, by = ""] = result.split("+");
  const name = { B: "Black", W: "White" }[winner.toUpperCase()];
  if (name === undefined || !result.includes("+")) {
    if (["0", "draw", "jigo"].includes(result.toLowerCase())) return "Jigo: nobody wins";
    return result.toLowerCase() === "void" ? "No result" : result;
  }
  const way = Object.entries(WAYS).find(([key]) => key.toLowerCase() === by.toLowerCase());
  if (way) return `${name} wins ${way[1]}`;
  return by === "" ? `${name} wins` : `${name} wins by ${by}`;
}

/** The announcement of a move that led from one state to the next.
 * @param {State} before
 * @param {State} after
 * @param {string} move
 */
export function moveInWords(before, after, move) {
  const name = colorName(before.position.to_play);
  if (move === "resign") return `${name} resigns`;
  if (move === "pass") return `${name} passes`;
  const taken = after.position.captures.map((count, at) => count - before.position.captures[at]);
  const most = Math.max(...taken);
  return `${name} plays ${move}${most > 0 ? `, captures ${most}` : ""}`;
}

/** Area and score of a position in words.
 * @param {State} state
 */
export function scoreInWords({ position, dead }) {
  const { komi, handicap_points: points } = position;
  const { count } = dead ?? position;
  const toWhite = points > 0 ? `komi ${komi} and ${points} for handicap stones` : `komi ${komi}`;
  const score = `Black ${count.black}, White ${count.white}, ${toWhite}: ${count.result}`;
  return dead === null ? `Area: ${score}` : `Without the stones marked dead: ${score}`;
}

/** The hint on dead stones at the end of a game with this result.
 * @param {State} state
 * @param {string} outcome
 */
export function deadInWords({ position, dead }, outcome) {
  const { result } = position.count;
  if (dead !== null) return `With no stones marked dead: ${result}.`;
  const hint = "A click on a chain marks it dead: the result then counts without it.";
  return outcome === result ? hint : `The result is that of the record. ${hint}`;
}

/** Why an analysis is over.
 * @param {Update | null} update
 */
export function endInWords(update) {
  const why = {
    simulations: "all its simulations are made",
    time: "the longest time of an analysis is over",
    memory: "the memory of an analysis is full",
  }[update?.ended_by ?? ""];
  return why === undefined ? "The analysis is over" : `The analysis is over: ${why}`;
}

/** A lead of Black in points as SGF writes it: `B+3.5`.
 * @param {number} lead
 */
function result(lead) {
  return lead === 0 ? "jigo" : `${lead > 0 ? "B" : "W"}+${Math.abs(lead)}`;
}

/** The solver's proved bounds of a position, in words.
 * @param {Verdict} verdict
 */
export function leadInWords({ lower, upper, proved }) {
  if (lower === upper) return result(lower);
  const both = `${result(lower)} and ${result(upper)}`;
  return proved ? `${both}, depending on how endless games count` : `between ${both}`;
}
