// Overlays above the stones of a board: a person chooses one at a time, and a caption names it.

import { el, percent, short, whole } from "../dom.js";
import { isBehind } from "./state.js";
import { colorName } from "./text.js";

/** @import { Board } from "./board.js"
 * @import { Position, RootMove, State, Update } from "./types.js"
 *
 * @typedef {object} Picture what a panel shows on the board
 * @property {string} caption
 * @property {(board: Board) => void} draw
 * @property {Position} [position] if it is not the game's position
 *
 * @typedef {object} Source a panel that has a picture
 * @property {Picture | null} picture
 *
 * @typedef {object} Disc a finding of a search about a move
 * @property {string} move
 * @property {number} share of the greatest value, from 0 to 1
 * @property {string} text in the upper line
 * @property {string} [below] in the lower line
 *
 * @typedef {"visits" | "rates" | "prior"} SearchOverlay the overlays of a search without a panel
 */

/** The overlays and their names on the page. */
const LABELS = {
  visits: "visits",
  rates: "win rates",
  prior: "prior",
  owners: "owners of the points",
  tree: "a node of the tree",
  simulation: "one simulation",
  influence: "influence of a setting",
  none: "nothing",
};

/** Moves with less than this share of the most visits show no win rate: it would mean little. */
const LEAST_SHARE = 0.01;

/** The discs that each overlay of a search makes of its moves.
 * @type {Record<SearchOverlay, (moves: RootMove[]) => Disc[]>}
 */
const DISCS = {
  visits: (moves) => {
    const most = Math.max(1, ...moves.map(({ visits }) => visits));
    return moves.map(({ move, visits, win_rate: rate }) => {
      const text = percent(rate).replace(" %", "");
      return { move, share: visits / most, text, below: short(visits) };
    });
  },
  rates: (moves) => {
    const most = Math.max(1, ...moves.map(({ visits }) => visits));
    const known = moves.filter(({ visits }) => visits >= LEAST_SHARE * most);
    return scaled(known, ({ win_rate: rate }) => rate, 1);
  },
  prior: (moves) => {
    return scaled(moves.filter(({ prior }) => typeof prior === "number"), ({ prior }) => prior, 1);
  },
};

/** Whether an overlay shows findings of a search.
 * @param {string} overlay
 * @returns {overlay is SearchOverlay}
 */
export function isOfSearch(overlay) {
  return Object.hasOwn(DISCS, overlay);
}

/** Discs between the least and the greatest value, the greatest first.
 * @param {RootMove[]} moves
 * @param {(move: RootMove) => number} of
 * @param {number} digits
 * @returns {Disc[]}
 */
function scaled(moves, of, digits) {
  const values = moves.map(of);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const discs = moves.map((one) => {
    const share = high > low ? (of(one) - low) / (high - low) : 1;
    return { move: one.move, share, text: percent(of(one), digits).replace(" %", "") };
  });
  return discs.sort((one, other) => other.share - one.share);
}

/** The discs of a search.
 * @param {Update} update
 * @param {SearchOverlay} overlay
 */
export function discsOf(update, overlay) {
  return DISCS[overlay](update.moves);
}

/** What the overlay of a search shows, in words.
 * @param {State} state
 * @param {SearchOverlay} overlay
 */
function captionOf(state, overlay) {
  const [update] = state.findings;
  if (update === null) return "nothing is searched yet";
  const { moves, place, isPast } = state;
  if (isBehind(state)) return `your turn: Analysis shows the search for ${moves[place - 1]}`;
  const when = isPast ? `the search before ${moves[place - 1]}: ` : "";
  const by = `${whole(update.simulations)} simulations`;
  const player = colorName(update.to_play);
  if (overlay === "visits") return `${when}${by}; win rate of ${player} in %, visits below it`;
  const has = discsOf(update, overlay).length > 0;
  const prior = has ? "of the moves, in %" : "this search reports no priors: open The tree";
  return overlay === "prior" ? `${when}${prior}` : `${when}of ${player} in %, after ${by}`;
}

export class Overlays {
  /** @param {Board[]} boards
   * @param {Map<string, Source>} sources the panels by their overlays
   * @param {(overlay: string) => void} onChoose
   */
  constructor(boards, sources, onChoose) {
    this.boards = boards;
    this.sources = sources;
    /** What each board shows: its position, its options, and the overlay.
     * @type {any[][]} */
    this.drawn = boards.map(() => []);
    this.select = /** @type {HTMLSelectElement} */ (
      el(
        "select",
        { id: "overlay" },
        Object.entries(LABELS).map(([value, label]) => el("option", { value }, label)),
      )
    );
    this.select.addEventListener("change", () => onChoose(this.select.value));
    this.caption = el("span", { class: "note" });
    this.element = el(
      "p",
      { class: "overlay" },
      el("label", { for: "overlay" }, "On the board"),
      this.select,
      this.caption,
    );
    /** Why the board shows another position than the game's; empty if it shows the game's. */
    this.elsewhere = "";
  }

  /** What is shown on the board `at`: of a panel, of a search, or nothing.
   * @param {State} state
   * @param {number} at
   * @returns {Picture | null}
   */
  picture(state, at) {
    const { overlay, findings } = state;
    const source = this.sources.get(overlay);
    if (source) return at === 0 ? source.picture : null;
    const update = findings[at];
    if (!isOfSearch(overlay) || update === null || isBehind(state)) return null;
    const discs = discsOf(update, overlay);
    return { caption: "", draw: (board) => board.showDiscs(discs) };
  }

  /** Draws the position of `state`, and what lies above it; `options` are those of the board.
   * @param {State} state
   * @param {any} options
   * @returns {boolean} whether a position was drawn
   */
  show(state, options) {
    const { position, overlay, findings } = state;
    const source = this.sources.get(overlay);
    const written = JSON.stringify(options);
    let isDrawn = false;
    this.boards.forEach((board, at) => {
      const above = source ? source.picture : isBehind(state) ? null : findings[at];
      const shown = (source && at === 0 && source.picture?.position) || position;
      const next = [shown, written, overlay, above];
      const before = this.drawn[at];
      this.drawn[at] = next;
      const isOther = shown !== position;
      const isMoved = before[0] !== shown || (before[1] !== written && !isOther);
      if (isMoved) {
        board.draw(shown, isOther ? { numbers: true, isOpen: false } : options);
        isDrawn = true;
      }
      if (isMoved || before[2] !== overlay || before[3] !== above) {
        board.clear();
        this.picture(state, at)?.draw(board);
      }
    });
    const own = source?.picture;
    this.elsewhere = own?.position ? `the board shows ${LABELS[overlay]}` : "";
    this.select.value = overlay;
    this.caption.textContent = own?.caption ?? (isOfSearch(overlay) ? captionOf(state, overlay) : "");
    this.caption.title = this.caption.textContent;
    return isDrawn;
  }
}
