// A whole game analysed: what was found of each of its positions, and which moves were errors.

import { playerAt } from "./state.js";

/** @import { Player, State, Update } from "./types.js"
 *
 * @typedef {object} Evaluation what a search has found of a position
 * @property {number} rate Black's win rate
 * @property {string} best the move that the search would play; empty where the game is over
 * @property {string[]} line that begins with it
 * @property {Player} to_play
 *
 * @typedef {object} Verdict what the solver has proved of a position: Black's lead after komi
 * @property {number} lower
 * @property {number} upper
 * @property {boolean} proved whether the bounds are exact; they may differ where endless games are
 *   possible
 * @property {string | null} best
 *
 * @typedef {object} Review
 * @property {string} bot
 * @property {number} simulations of each position
 * @property {number} seed
 * @property {Record<string, Evaluation>} found by the moves before the position
 *
 * @typedef {object} Drop of the win rate of the player who moved
 * @property {number} place the number of moves before the move
 * @property {string} move
 * @property {Player} mover
 * @property {number} before his win rate before the move
 * @property {number} after
 * @property {number} drop
 * @property {Evaluation} evaluation of the position before the move
 */

/** The drop of a win rate from which a move is called a blunder. */
export const BLUNDER = 0.1;

/** Positions in a row that the solver may fail to prove before it gives up. */
const MOST_UNPROVED = 3;

/** The moves before a place, by which what is known of its position is kept.
 * @param {State} state
 * @param {number} place
 */
export function keyAt(state, place) {
  return state.moves.slice(0, place).join(".");
}

/** Who made the move after so many moves.
 * @param {State} state
 * @param {number} place
 * @returns {Player}
 */
export function moverAt(state, place) {
  const player = playerAt(state, place);
  if (!state.moves[place]?.startsWith("~")) return player;
  return player === "black" ? "white" : "black";
}

/** @param {State} state
 * @returns {number[]}
 */
function places(state) {
  return Array.from({ length: state.moves.length + 1 }, (_, place) => place);
}

/** What the search has found of a position.
 * @param {State} state
 * @param {number} place
 * @returns {Evaluation | null}
 */
export function evaluationAt(state, place) {
  return state.review?.found[keyAt(state, place)] ?? null;
}

/** @param {State} state
 * @param {number} place
 * @returns {Verdict | null}
 */
export function verdictAt(state, place) {
  return state.verdicts[keyAt(state, place)] ?? null;
}

/** The first position that is still to be searched; null where all are.
 * @param {State} state
 */
export function nextPlace(state) {
  return places(state).find((place) => evaluationAt(state, place) === null) ?? null;
}

/** The position that the solver is to prove next, from the last back to the first, since those
 * at the end are easy; null where all are proved, or too many in a row are not.
 * @param {State} state
 */
export function nextToProve(state) {
  let unproved = 0;
  for (const place of places(state).reverse()) {
    const verdict = verdictAt(state, place);
    if (verdict === null) return place;
    unproved = verdict.proved ? 0 : unproved + 1;
    if (unproved >= MOST_UNPROVED) return null;
  }
  return null;
}

/** Kept of what a search has found.
 * @param {Update} update
 * @returns {Evaluation}
 */
export function evaluationOf(update) {
  const [best] = update.moves;
  const line = best.variation ?? [best.move];
  return { rate: update.black_win_rate, best: best.move, line, to_play: update.to_play };
}

/** By how much the mover's win rate fell with each move; negative where it rose.
 * @param {State} state
 * @returns {Drop[]}
 */
export function drops(state) {
  return state.moves.flatMap((move, place) => {
    const [evaluation, next] = [evaluationAt(state, place), evaluationAt(state, place + 1)];
    if (evaluation === null || next === null) return [];
    const mover = moverAt(state, place);
    const own = (/** @type {number} */ rate) => (mover === "black" ? rate : 1 - rate);
    const [before, after] = [own(evaluation.rate), own(next.rate)];
    return [{ place, move, mover, before, after, drop: before - after, evaluation }];
  });
}

/** Whether nobody chose the move after `place` moves: it is of a run's opening.
 * @param {State} state
 * @param {number} place
 */
export function isDrawn({ tree, line }, place) {
  return tree[line[place + 1]]?.isDrawn === true;
}

/** The moves with which a win rate fell by more than [`BLUNDER`], the largest fall first; without
 * those that the search would have played itself, where its own judgement changed, and without
 * the moves of a run's opening.
 * @param {State} state
 */
export function blunders(state) {
  const isOther = (/** @type {Drop} */ { move, evaluation }) => move.replace("~", "") !== evaluation.best;
  const isChosen = (/** @type {Drop} */ { place }) => !isDrawn(state, place);
  const found = drops(state).filter((one) => one.drop > BLUNDER && isOther(one) && isChosen(one));
  return found.sort((one, other) => other.drop - one.drop);
}

/** The points that a move has lost, as the solver proves: at least so many, exactly so many
 * where both values are known; null where nothing is proved.
 * @param {State} state
 * @param {number} place
 */
export function lostAt(state, place) {
  const [before, after] = [verdictAt(state, place), verdictAt(state, place + 1)];
  if (before === null || after === null) return null;
  const isBlack = moverAt(state, place) === "black";
  const points = isBlack ? before.lower - after.upper : after.lower - before.upper;
  const isExact = before.lower === before.upper && after.lower === after.upper;
  return points > 0 || isExact ? { points: Math.max(0, points), isExact } : null;
}

/** What comments of recorded games say of the win rate of the player who has just moved. */
const COMMENTED = /win rate ([0-9.]+)/;

/** Black's win rates as each player's own comments have them, by the number of moves before the
 * position in which he thought.
 * @param {State} state
 * @returns {Record<Player, Map<number, number>>}
 */
export function commentedRates(state) {
  const rates = { black: new Map(), white: new Map() };
  const plies = Object.keys(state.comments)
    .map(Number)
    .sort((one, other) => one - other);
  for (const ply of plies) {
    const found = COMMENTED.exec(state.comments[ply]);
    if (!found || ply < 1) continue;
    const mover = moverAt(state, ply - 1);
    const own = Number(found[1]);
    rates[mover].set(ply - 1, mover === "black" ? own : 1 - own);
  }
  return rates;
}

/** Where the evaluations of the two players part most, the widest first: each of a position
 * where one thought, and the next where the other did.
 * @param {State} state
 */
export function partings(state) {
  const { black, white } = commentedRates(state);
  const found = [];
  for (const [place, rate] of black) {
    for (const next of [place - 1, place + 1]) {
      const other = white.get(next);
      // Each pair of neighbours once.
      if (other === undefined) continue;
      found.push({
        place: Math.min(place, next),
        black: rate,
        white: other,
        gap: Math.abs(rate - other),
      });
    }
  }
  return found.sort((one, other) => other.gap - one.gap || one.place - other.place);
}

/** Black's win rates that searches at this board have found, by the number of moves.
 * @param {State} state
 * @returns {Map<number, number>}
 */
export function foundRates(state) {
  const rates = new Map();
  for (const place of places(state)) {
    const key = keyAt(state, place);
    const rate = evaluationAt(state, place)?.rate ?? state.rates[key];
    if (rate !== undefined) rates.set(place, rate);
  }
  return rates;
}
