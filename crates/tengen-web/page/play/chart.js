// The course of Black's win rate over a game: by searches at this board, and by the players of a
// recorded game.

import { percent } from "../dom.js";
import { Plot } from "../plot.js";
import {
  blunders,
  commentedRates,
  drops,
  foundRates,
  lostAt,
  moverAt,
  verdictAt,
} from "./review.js";
import { playerName } from "./state.js";
import { colorName, leadInWords } from "./text.js";

/** @import { Player, State } from "./types.js" */

const PLAYERS = /** @type {Player[]} */ (["black", "white"]);

/** All figures of the position after `place` moves, in lines.
 * @param {State} state
 * @param {number} place
 */
export function placeInWords(state, place) {
  const move = state.moves[place - 1]?.replace("~", "");
  const by = place > 0 ? `: ${colorName(moverAt(state, place - 1))} ${move}` : "";
  const lines = [`move ${place}${by}`];
  const own = foundRates(state).get(place);
  if (own !== undefined) lines.push(`Black ${percent(own, 1)}`);
  const told = commentedRates(state);
  for (const player of PLAYERS) {
    const rate = told[player].get(place);
    if (rate !== undefined)
      lines.push(`${playerName(state, player)} says: Black ${percent(rate, 1)}`);
  }
  const fall = drops(state).find((one) => one.place === place - 1);
  if (fall && fall.drop > 0.005) lines.push(`the move lost ${points(fall.drop)}`);
  const verdict = verdictAt(state, place);
  if (verdict?.proved) lines.push(`proved: ${leadInWords(verdict)}`);
  const lost = place > 0 ? lostAt(state, place - 1) : null;
  if (lost && lost.points > 0) lines.push(`proved: the move lost ${scorePoints(lost.points)}`);
  return lines;
}

/** A difference of win rates.
 * @param {number} share
 */
export function points(share) {
  return `${Math.round(100 * share)} percentage points`;
}

/** Points of the score.
 * @param {number} count
 */
export function scorePoints(count) {
  return `${count} ${count === 1 ? "point" : "points"}`;
}

export class WinRateChart {
  /** @param {(place: number) => void} onSeek where the chart is clicked, and by its keys */
  constructor(onSeek) {
    /** @type {State | null} */
    this.state = null;
    this.plot = new Plot({
      label: "Black's win rate over the game",
      look: "chart",
      describe: (place) => (this.state ? placeInWords(this.state, place) : []),
      onRead: () => {},
      onChoose: onSeek,
    });
    this.element = this.plot.element;
  }

  /** @param {State} state */
  draw(state) {
    this.state = state;
    const most = Math.max(state.moves.length, 1);
    const sorted = (/** @type {Map<number, number>} */ rates) => {
      return [...rates].sort((one, other) => one[0] - other[0]);
    };
    const found = foundRates(state);
    const told = commentedRates(state);
    const hasDots = most < 60;
    const own = { name: "found", look: "own", points: sorted(found), hasDots, isFilled: true };
    const series = PLAYERS.map((player) => {
      const isDashed = player === "white";
      return {
        name: player,
        look: `of-${player}`,
        points: sorted(told[player]),
        hasDots,
        isDashed,
      };
    });
    const marks = blunders(state).map(({ place }) => {
      return { x: place + 1, y: found.get(place + 1), look: "blunder" };
    });
    const stops = Array.from({ length: state.moves.length + 1 }, (_, place) => place);
    this.plot.draw({ series: [...series, own], from: 0, to: most, stops, at: state.place, marks });
  }
}
