// Texts of the page: results and scores in words, names of points, specifications of bots.

/** @import { Verdict } from "./review.js"
 * @import { Player, State, Update } from "./types.js" */

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

/** The letters of the columns from the left, without I. */
export const COLUMNS = "ABCDEFGHJKLMNOPQRST";

/** The column from the left and the row from the top of a point; column -1 if it names no point.
 * @param {string} vertex
 * @param {number} height of the board
 */
export function placeOf(vertex, height) {
  return { column: COLUMNS.indexOf(vertex[0]), row: height - Number(vertex.slice(1)) };
}

/** The specification of a bot with another value of a setting, or without it.
 * @param {string} bot
 * @param {string} key
 * @param {string | null} value
 */
export function withSetting(bot, key, value) {
  const colon = bot.indexOf(":");
  const [kind, rest] = colon < 0 ? [bot, ""] : [bot.slice(0, colon), bot.slice(colon + 1)];
  const others = rest.split(",").filter((one) => one !== "" && !one.startsWith(`${key}=`));
  const settings = value === null ? others : [...others, `${key}=${value}`];
  return settings.length === 0 ? kind : `${kind}:${settings.join(",")}`;
}
