// The analysis of a whole game: its errors, values that the solver proves, and where the two
// players' own evaluations differ.

import { button, el, percent, sayFault, whole } from "../dom.js";
import { points, scorePoints } from "../play/chart.js";
import { ReviewQueue } from "../play/review_queue.js";
import {
  blunders,
  drops,
  evaluationAt,
  isDrawn,
  lostAt,
  moverAt,
  nextPlace,
  partings,
  verdictAt,
} from "../play/review.js";
import { field } from "../play/setup.js";
import { outcome, playerName } from "../play/state.js";
import { colorName, leadInWords } from "../play/text.js";

/** @import { Context } from "./findings.js"
 * @import { Drop } from "../play/review.js"
 * @import { State } from "../play/types.js" */

/** The most entries of a list. */
const MOST = 10;

/** The default number of simulations of each position. */
const SIMULATIONS = 1000;

export class GamePanel {
  static title = "Analysis of the game";

  /** @param {Context} context */
  constructor({ ask, think, dispatch, board }) {
    this.dispatch = dispatch;
    this.board = board;
    /** @type {State | null} */
    this.state = null;
    this.hasDrawn = false;
    this.queue = new ReviewQueue({
      state: () => this.state,
      dispatch,
      ask,
      think,
      onProgress: (text) => (this.progress.textContent = text),
    });
    this.button = button("Analyse the game", () => this.turn(), { class: "primary" });
    this.simulations = /** @type {HTMLInputElement} */ (
      el("input", {
        type: "number",
        min: "1",
        max: "1000000",
        step: "1",
        value: String(SIMULATIONS),
      })
    );
    this.simulations.addEventListener("change", () => this.state && this.showButton(this.state));
    this.progress = el("p", { class: "note", role: "status" });
    this.bar = /** @type {HTMLProgressElement} */ (
      el("progress", { value: "0", max: "1", hidden: true, "aria-label": "Positions analysed" })
    );
    this.here = el("p", { class: "verdict", hidden: true });
    this.lists = el("div", { class: "errors" });
    this.rows = el("tbody");
    const head = ["move", "Black", "lost", "proved"].map((name) => el("th", {}, name));
    this.table = el(
      "details",
      { hidden: true },
      el("summary", {}, "All moves"),
      el(
        "div",
        { class: "scroll moves", tabindex: "0", role: "region", "aria-label": "All moves" },
        el("table", {}, el("thead", {}, el("tr", {}, head)), this.rows),
      ),
    );
    this.element = el(
      "div",
      { class: "review" },
      el(
        "div",
        { class: "toolbar" },
        this.button,
        field("Simulations of each position", this.simulations),
      ),
      this.bar,
      this.progress,
      this.here,
      this.lists,
      this.table,
    );
  }

  get wanted() {
    return Math.min(
      Math.max(Math.round(Number(this.simulations.value)) || SIMULATIONS, 1),
      1_000_000,
    );
  }

  /** Begins the analysis, or stops it. */
  async turn() {
    if (this.queue.isRunning) {
      this.queue.stop();
      this.showButton(this.state);
      return;
    }
    const done = this.queue.run(this.state.a, this.wanted);
    this.showButton(this.state);
    try {
      const why = await done;
      // If another analysis has begun meanwhile, its text stays.
      if (this.queue.isRunning) return;
      this.progress.textContent = this.endInWords(why);
    } catch (fault) {
      this.progress.textContent = "";
      sayFault(fault);
    }
    this.showButton(this.state);
  }

  /** How the queue has ended.
   * @param {string} why the solver proves nothing, if it does not
   */
  endInWords(why) {
    if (this.state.review === null) return "";
    if (nextPlace(this.state) !== null) return "stopped";
    return `all positions are analysed${why === "" ? "" : `; the solver proved nothing: ${why}`}`;
  }

  /** @param {State} state */
  showButton(state) {
    const { review } = state;
    const isSame = review?.bot === state.a && review.simulations === this.wanted;
    const isBegun = isSame && Object.keys(review.found).length > 0 && nextPlace(state) !== null;
    this.button.textContent = this.queue.isRunning
      ? "Stop the analysis"
      : isBegun
        ? "Go on"
        : "Analyse the game";
    this.button.disabled = state.moves.length === 0;
  }

  /** @param {State} state */
  show(state) {
    const before = this.state;
    this.state = state;
    this.showButton(state);
    const shown = ["review", "verdicts", "moves", "comments", "place", "names"];
    if (before && this.hasDrawn && shown.every((key) => before[key] === state[key])) return;
    this.hasDrawn = true;
    const known = state.moves.filter((_, place) => evaluationAt(state, place)).length;
    this.bar.hidden = state.review === null;
    this.bar.max = Math.max(state.moves.length, 1);
    this.bar.value = known;
    const verdict = verdictAt(state, state.place);
    this.here.hidden = verdict === null;
    if (verdict) {
      const best = verdict.best === null ? "" : `; ${verdict.best} keeps it`;
      this.here.textContent = verdict.proved
        ? `This position is proved: ${leadInWords(verdict)}${best}.`
        : `This position is not proved: ${leadInWords(verdict)}.`;
    }
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.jump;
    const lists = [this.errors(state), this.losses(state), this.partings(state)];
    this.lists.replaceChildren(...lists.flat());
    this.table.hidden = state.review === null;
    const falls = new Map(drops(state).map((one) => [one.place, one]));
    const errors = new Set(blunders(state).map(({ place }) => place));
    const rows = state.moves.map((_, place) => {
      return this.row(state, place, falls.get(place), errors.has(place));
    });
    this.rows.replaceChildren(...rows);
    // The new button for the same place gets the focus.
    if (focused)
      /** @type {HTMLElement | null} */ (
        this.element.querySelector(`[data-jump="${focused}"]`)
      )?.focus();
  }

  /** A button that leads to the position before a move, and shows there the move of the search.
   * @param {State} state
   * @param {number} place
   * @param {string} text
   */
  jump(state, place, text) {
    const evaluation = evaluationAt(state, place);
    const line =
      evaluation && evaluation.line.length > 0
        ? { moves: evaluation.line, first: evaluation.to_play }
        : null;
    const showLine = () => this.board.showLine(this.state.place === place ? line : null);
    return button(
      text,
      async () => {
        await this.dispatch({ type: "seek", at: place });
        showLine();
      },
      {
        class: "jump",
        "data-jump": `${place} ${text}`,
        "aria-current": state.place === place ? "step" : null,
        onpointerenter: showLine,
        onpointerleave: () => this.board.showLine(null),
        onblur: () => this.board.showLine(null),
      },
    );
  }

  /** @param {State} state
   * @param {number} place
   */
  named(state, place) {
    return `${place + 1}. ${colorName(moverAt(state, place))} ${state.moves[place].replace("~", "")}`;
  }

  /** The moves by which a win rate fell.
   * @param {State} state
   */
  errors(state) {
    if (state.review === null || drops(state).length === 0) return [];
    const found = blunders(state);
    const drawn = state.moves.filter((_, place) => isDrawn(state, place)).length;
    const opening = drawn === 0 ? ""
      : ` The first ${drawn === 1 ? "move is" : `${drawn} moves are`} the run's opening, which no bot chose.`;
    const items = found.slice(0, MOST).map(({ place, before, after, drop, evaluation }) => {
      const own = `the search would play ${evaluation.best}`;
      return el(
        "li",
        {},
        this.jump(state, place, this.named(state, place)),
        ` lost ${points(drop)} (${percent(before)} to ${percent(after)}); ${own}`,
      );
    });
    const head = el("h2", {}, "Blunders");
    if (items.length > 0) {
      return [head, el("p", { class: "note" }, this.turningPoint(state, found) + opening), el("ol", { class: "plain" }, items)];
    }
    const count = whole(drops(state).filter(({ place }) => !isDrawn(state, place)).length);
    return [
      head,
      el("p", { class: "note" }, `No blunder in ${count} moves.${opening}`),
    ];
  }

  /** Where the loser lost most, in a sentence; empty if nobody has lost.
   * @param {State} state
   * @param {Drop[]} found
   */
  turningPoint(state, found) {
    const result = state.tree[state.line.at(-1)].result || outcome(state);
    const loser = { B: "white", W: "black" }[result[0]];
    const largest = found.find(({ mover }) => mover === loser);
    if (!result.includes("+") || !largest) return "";
    const { place, before, after } = largest;
    const rates = `${percent(before)} to ${percent(after)}`;
    return `${colorName(loser)} lost the game. Its largest blunder is ${this.named(state, place)} (${rates}).`;
  }

  /** The moves that lost points, as the solver proves.
   * @param {State} state
   */
  losses(state) {
    const all = state.moves.map((_, place) => ({ place, lost: lostAt(state, place) }));
    const known = all.filter(({ lost }) => lost !== null);
    if (Object.keys(state.verdicts).length === 0) return [];
    const places = state.moves.length + 1;
    const proved = Array.from({ length: places }, (_, place) => verdictAt(state, place)?.proved);
    const count = proved.filter((is) => is).length;
    const open = all.length - known.length;
    const rest = open > 0 ? ` For ${open} of ${all.length} moves the lost points are unknown.` : "";
    const since = `The values of ${count} of ${places} positions are proved.${rest}`;
    const items = known
      .filter(({ lost }) => lost.points > 0)
      .map(({ place, lost }) => {
        const best = verdictAt(state, place).best;
        const kept = best === null ? "" : `; ${best} loses nothing`;
        const least = lost.isExact ? "" : "at least ";
        return el(
          "li",
          {},
          this.jump(state, place, this.named(state, place)),
          ` lost ${least}${scorePoints(lost.points)}${kept}`,
        );
      });
    const list =
      items.length > 0
        ? el("ol", { class: "plain" }, items)
        : el("p", { class: "note" }, known.length === all.length ? "No move lost points." : "");
    return [el("h2", {}, "Lost points, by the solver"), el("p", { class: "note" }, since), list];
  }

  /** Where the two players of a recorded game disagreed most.
   * @param {State} state
   */
  partings(state) {
    const found = partings(state)
      .slice(0, 3)
      .filter(({ gap }) => gap > 0.01);
    if (found.length === 0) return [];
    const [black, white] = [playerName(state, "black"), playerName(state, "white")];
    const items = found.map(({ place, black: one, white: other, gap }) => {
      return el(
        "li",
        {},
        this.jump(state, place, `move ${place}`),
        ` ${points(gap)} apart: ${black} gives Black ${percent(one)}, ${white} ${percent(other)}`,
      );
    });
    return [
      el("h2", {}, "Where the players' evaluations differ most"),
      el(
        "p",
        { class: "note" },
        `In the chart: ${black} is the line drawn through, ${white} the dashed one.`,
      ),
      el("ol", { class: "plain" }, items),
    ];
  }

  /** @param {State} state
   * @param {number} place
   * @param {Drop | undefined} fall
   * @param {boolean} isBlunder
   */
  row(state, place, fall, isBlunder) {
    const after = evaluationAt(state, place + 1);
    const verdict = verdictAt(state, place + 1);
    const cells = [
      after ? percent(after.rate, 1) : "",
      fall && fall.drop > 0.005 ? percent(fall.drop) : "",
      verdict ? leadInWords(verdict) : "",
    ];
    return el(
      "tr",
      { class: isBlunder ? "blundered" : "" },
      el("th", { scope: "row" }, this.jump(state, place, this.named(state, place))),
      cells.map((text) => el("td", {}, text)),
    );
  }

  get isRunning() {
    return this.queue.isRunning;
  }

  hide() {
    this.board.showLine(null);
  }

  leave() {
    this.queue.stop();
    this.board.showLine(null);
    if (this.state) this.showButton(this.state);
  }
}
