// How two searches of one position differ.

/** @import { Update } from "./types.js"
 *
 * @typedef {object} Comparison
 * @property {[string, string]} best the most visited moves
 * @property {boolean} isSame
 * @property {number} distance of the distributions of visits: the total variation, half the sum of
 *   the moves' differences of shares; 0 if they are equal, 1 if they have no move in common
 * @property {{move: string, shares: [number, number]}[]} moves the largest difference first
 */

/** The share of the visits of each move.
 * @param {Update} update
 * @returns {Map<string, number>}
 */
export function shares({ moves }) {
  const all = moves.reduce((sum, { visits }) => sum + visits, 0);
  return new Map(moves.map(({ move, visits }) => [move, visits / Math.max(1, all)]));
}

/** Compares the findings of two searches; null as long as one of them has none.
 * @param {(Update | null)[]} findings
 * @returns {Comparison | null}
 */
export function compare([first, second]) {
  if (!first?.moves.length || !second?.moves.length) return null;
  const [one, other] = [shares(first), shares(second)];
  const moves = [...new Set([...one.keys(), ...other.keys()])].map((move) => {
    const both = /** @type {[number, number]} */ ([one.get(move) ?? 0, other.get(move) ?? 0]);
    return { move, shares: both };
  });
  const gap = (/** @type {{shares: [number, number]}} */ { shares: [a, b] }) => Math.abs(a - b);
  moves.sort((a, b) => gap(b) - gap(a));
  const best = /** @type {[string, string]} */ ([first.moves[0].move, second.moves[0].move]);
  const distance = moves.reduce((sum, move) => sum + gap(move), 0) / 2;
  return { best, isSame: best[0] === best[1], distance, moves };
}

/** The settings in which two bots differ: their names.
 * @param {Record<string, any>} one
 * @param {Record<string, any>} other
 */
export function differences(one, other) {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}
