// The course of a search: its findings by number of simulations.

/** @import { Update } from "./types.js"
 *
 * @typedef {object} CoursePoint
 * @property {number} simulations
 * @property {number} visits of all moves
 * @property {Record<string, [number, number]>} moves visits and win rates of the most visited
 *
 * @typedef {CoursePoint[]} Course
 */

/** The most points that are kept of a course. */
export const MOST_POINTS = 160;

/** The most moves that are kept of a point. */
const MOST_MOVES = 64;

/** @param {Update} update
 * @returns {CoursePoint}
 */
function pointOf({ simulations, moves }) {
  const kept = moves.slice(0, MOST_MOVES).map((one) => [one.move, [one.visits, one.win_rate]]);
  const visits = moves.reduce((sum, one) => sum + one.visits, 0);
  return { simulations, visits, moves: Object.fromEntries(kept) };
}

/** A course with new findings. If it has too many points, the point is removed whose neighbours
 * are nearest on a logarithmic axis. Findings with fewer simulations come from another search and
 * begin a new course.
 * @param {Course | null} course
 * @param {Update} update
 * @returns {Course}
 */
export function extend(course, update) {
  const last = course?.[course.length - 1];
  if (update.simulations < 1) return course ?? [];
  if (!last || update.simulations < last.simulations) return [pointOf(update)];
  const before = update.simulations === last.simulations ? course.slice(0, -1) : course;
  const next = [...before, pointOf(update)];
  if (next.length > MOST_POINTS) {
    const gap = (/** @type {number} */ at) => next[at + 1].simulations / next[at - 1].simulations;
    let least = 1;
    for (let at = 2; at < next.length - 1; at += 1) if (gap(at) < gap(least)) least = at;
    next.splice(least, 1);
  }
  return next;
}

/** The last point of a course with at most `simulations` simulations; else the first point.
 * @param {Course} course
 * @param {number} simulations
 */
export function pointAt(course, simulations) {
  return course.findLast((point) => point.simulations <= simulations) ?? course[0] ?? null;
}

/** The moves with the most visits at the ends of the courses, at most `most`.
 * @param {Course[]} courses
 * @param {number} most
 */
export function topMoves(courses, most) {
  /** @type {Map<string, number>} */
  const shares = new Map();
  for (const course of courses) {
    const last = course[course.length - 1];
    for (const [move, [visits]] of Object.entries(last?.moves ?? {})) {
      shares.set(move, Math.max(shares.get(move) ?? 0, visits / Math.max(1, last.visits)));
    }
  }
  const sorted = [...shares].sort((one, other) => other[1] - one[1]);
  return sorted.slice(0, most).map(([move]) => move);
}

/** The curve of a move: its share of visits, or its win rate where it has at least `least` visits.
 * @param {Course} course
 * @param {string} move
 * @param {"share" | "rate"} what
 * @returns {[number, number][]}
 */
export function curve(course, move, what, least = 1) {
  return course.flatMap(({ simulations, visits, moves }) => {
    const [own, rate] = moves[move] ?? [0, 0];
    if (what === "rate" && own < least) return [];
    const value = what === "share" ? own / Math.max(1, visits) : rate;
    return [/** @type {[number, number]} */ ([simulations, value])];
  });
}

/** The colour of each move: a move keeps its colour, new moves take free colours.
 * @param {Map<string, number>} before
 * @param {string[]} moves
 */
export function colours(before, moves) {
  /** @type {Map<string, number>} */
  const next = new Map();
  for (const move of moves) if (before.has(move)) next.set(move, before.get(move));
  const free = moves.map((_, at) => at).filter((at) => ![...next.values()].includes(at));
  for (const move of moves) if (!next.has(move)) next.set(move, free.shift() ?? 0);
  return next;
}
