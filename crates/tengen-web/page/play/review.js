// The analysis of a whole game: the findings on each position, and the moves that were errors.

import { playerAt } from "./state.js";

/** @import { Player, State, Update } from "./types.js"
 *
 * @typedef {object} Evaluation the findings of a search on a position
 * @property {number} rate Black's win rate
 * @property {string} best the move that the search would play; empty if the game is over
 * @property {string[]} line that begins with it
 * @property {Player} to_play
 *
 * @typedef {object} Verdict the solver's bounds of Black's lead after komi in a position
 * @property {number} lower
 * @property {number} upper
 * @property {boolean} proved whether the bounds are final; they may still differ if endless games
 *   are possible
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

/** The solver gives up after this many unproved positions in a row. */
const MOST_UNPROVED = 3;

/** The key of a position's findings: the moves before it.
 * @param {State} state
 * @param {number} place
 */
export function keyAt(state, place) {
  return state.moves.slice(0, place).join(".");
}

/** The player of the move after the first `place` moves.
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

/** The search's evaluation of a position; null if there is none.
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

/** The first position that is still to be searched; null if all are searched.
 * @param {State} state
 */
export function nextPlace(state) {
  return places(state).find((place) => evaluationAt(state, place) === null) ?? null;
}

/** The position that the solver proves next. It goes from the last position, which is easy, back
 * to the first. Null if it has tried all, or failed on too many in a row.
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

/** The part of a search's findings that is kept.
 * @param {Update} update
 * @returns {Evaluation}
 */
export function evaluationOf(update) {
  const [best] = update.moves;
  const line = best.variation ?? [best.move];
  return { rate: update.black_win_rate, best: best.move, line, to_play: update.to_play };
}

/** How far the mover's win rate fell with each move; negative if it rose.
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

/** Whether the move after `place` moves belongs to a run's opening, so no player chose it.
 * @param {State} state
 * @param {number} place
 */
export function isDrawn({ tree, line }, place) {
  return tree[line[place + 1]]?.isDrawn === true;
}

/** The moves with which a win rate fell by more than [`BLUNDER`], the largest fall first. Left out
 * are moves that the search would have played too, since only its judgement changed, and the moves
 * of a run's opening.
 * @param {State} state
 */
export function blunders(state) {
  const isOther = (/** @type {Drop} */ { move, evaluation }) => move.replace("~", "") !== evaluation.best;
  const isChosen = (/** @type {Drop} */ { place }) => !isDrawn(state, place);
  const found = drops(state).filter((one) => one.drop > BLUNDER && isOther(one) && isChosen(one));
  return found.sort((one, other) => other.drop - one.drop);
}

/** The points that a move provably lost: an exact number if both values are known, else a lower
 * bound; null if no loss is proved.
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

/** Finds the win rate of the player who has just moved in a comment of a recorded game. */
const COMMENTED = /win rate ([0-9.]+)/;

/** Black's win rates according to each player's own comments, by the number of moves before the
 * position that the player evaluated.
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

/** Where the evaluations of the two players differ, the widest gap first. Each gap is between two
 * neighbouring positions, one evaluated by each player.
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

/** Black's win rates by searches at this board, by number of moves.
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
