// The findings of the searches, as tables, and the fields that choose the bots.

import { button, el, percent, short, whole } from "../dom.js";
import { colorName, endInWords } from "../play/text.js";
import { BotField } from "../play/setup.js";
import { isOver } from "../play/state.js";
import { ComparisonPart } from "./comparison.js";

/** @import { Board } from "../play/board.js"
 * @import { Action, RootMove, State, Update } from "../play/types.js" */

const ROWS = 8;

/** The text in place of figures before a search. */
const NOTHING = "Results of a search appear here. Analyse searches until you stop it: "
  + "the bot's own number of simulations does not apply.";

/** What the page shows of a move or a search without a tooltip. */
const SHOWN = [
  "move", "visits", "win_rate", "proof", "variation", "to_play", "simulations", "mean_depth", "max_depth",
  "bytes", "seconds", "moves", "ply", "black_win_rate", "done", "ended_by", "remark",
];

/**
 * @typedef {object} Context what a panel may use
 * @property {(name: string, question?: any) => Promise<any>} ask
 * @property {import("../play/effects.js").Backend["think"]} think
 * @property {(action: Action) => Promise<void>} dispatch
 * @property {Board} board
 * @property {() => void} onPicture called when what a panel shows on the board has changed
 * @property {Board[]} boards the board, and that of the second search
 * @property {import("./question.js").Opened} [opened] the node that is opened in the tree
 */

/** The panel of the analysis. */
export class FindingsPanel {
  static title = "Analysis";

  /** @param {Context} context */
  constructor({ dispatch, boards }) {
    this.dispatch = dispatch;
    this.boards = boards;
    this.analyseButton = button("Analyse", () => dispatch({ type: "analyse" }), {
      "aria-keyshortcuts": "Space",
      title: "key: space",
      "aria-pressed": "false",
    });
    this.compareButton = button("Compare", () => {
      const isOn = this.compareButton.getAttribute("aria-pressed") === "true";
      dispatch({ type: "compare", bot: isOn ? "" : this.fields[1].value });
    });
    /** @type {BotField[]} */
    this.fields = [this.field("Bot that searches", "a"), this.field("Bot of the second search", "b")];
    this.tables = ["Search", "Second search"].map((title, at) => {
      return new FindingsTable(title, (line) => this.boards[at].showLine(line));
    });
    this.slots = this.fields.map((field, at) => {
      return el("div", { class: "slot" }, field.element, this.tables[at].element);
    });
    this.comparison = new ComparisonPart(dispatch);
    this.element = el(
      "div",
      { class: "analysis" },
      el("div", { class: "toolbar" }, this.analyseButton, this.compareButton),
      this.slots,
      this.comparison.element,
    );
  }

  /** @param {string} label
   * @param {"a" | "b"} key
   */
  field(label, key) {
    const onChange = () => this.dispatch({ type: "bot", key, bot: field.value || "uct" });
    const field = new BotField(label, [], "uct", { onChange });
    return field;
  }

  /** @param {{spec: string, help: string, searches: boolean}[]} bots */
  offer(bots) {
    for (const field of this.fields) field.offer(bots);
  }

  /** The line of the move `vertex` of a search; null where it is not known.
   * @param {number} order
   * @param {string | null} vertex
   */
  lineOf(order, vertex) {
    return vertex === null ? null : this.tables[order].lineOf(vertex);
  }

  /** @param {State} state */
  show(state) {
    const isComparing = state.b !== "";
    this.slots[1].hidden = !isComparing;
    this.compareButton.setAttribute("aria-pressed", String(isComparing));
    const isOn = state.isAnalysing && !isOver(state);
    this.analyseButton.setAttribute("aria-pressed", String(isOn));
    this.analyseButton.textContent = isOn ? "Stop" : "Analyse";
    this.analyseButton.disabled = isOver(state);
    this.analyseButton.title = isOver(state) ? "the game is over here" : "key: space";
    this.fields[0].value = state.a;
    if (isComparing) this.fields[1].value = state.b;
    this.tables.forEach((table, at) => table.show(state.findings[at], state));
    this.comparison.show(state);
  }

  leave() {
    for (const board of this.boards) board.showLine(null);
  }
}

/** The table of a search. */
class FindingsTable {
  /** `onLine(line or null)` is called for the line under the pointer.
   * @param {string} title
   * @param {(line: {moves: string[], first: string} | null) => void} onLine
   */
  constructor(title, onLine) {
    this.onLine = onLine;
    this.pointed = null;
    /** @type {Update | null} */
    this.update = null;
    this.rate = el("strong", { class: "rate" }, "–");
    this.figures = el("span", { class: "figures" }, NOTHING);
    this.rows = Array.from({ length: ROWS }, () => this.row());
    this.head = el("th", {}, "win rate");
    const head = [el("th", {}, "move"), el("th", {}, "visits"), this.head, el("th", {}, "line")];
    this.element = el(
      "section",
      { class: "findings empty", "aria-label": title },
      el("p", { class: "summary" }, this.rate, this.figures),
      el(
        "table",
        { onpointerleave: () => this.point(null) },
        el("thead", {}, el("tr", {}, head)),
        el("tbody", {}, this.rows.map((row) => row.element)),
      ),
    );
  }

  row() {
    const row = { move: "", cells: [], element: null };
    row.cells = [el("th", { scope: "row" }), el("td"), el("td"), el("td", { class: "line" })];
    row.element = el(
      "tr",
      {
        hidden: true,
        tabindex: "0",
        onpointerenter: () => this.point(row.move),
        onfocus: () => this.point(row.move),
        onblur: () => this.point(null),
      },
      row.cells,
    );
    return row;
  }

  /** @param {string | null} move */
  point(move) {
    this.pointed = move;
    this.onLine(this.lineOf(move));
  }

  /** The principal variation that begins with `move`.
   * @param {string | null} move
   */
  lineOf(move) {
    const moves = this.update?.moves.find((known) => known.move === move)?.variation;
    return moves ? { moves, first: this.update.to_play } : null;
  }

  /** @param {Update | null} update
   * @param {State} state
   */
  show(update, state) {
    if (update === this.update && this.isPast === state.isPast) return;
    this.isPast = state.isPast;
    this.update = update;
    this.element.classList.toggle("empty", update === null);
    if (update === null) {
      this.rate.textContent = "–";
      this.figures.textContent = NOTHING;
      this.figures.title = "";
      for (const row of this.rows) row.element.hidden = true;
      return;
    }
    const [rate, player] = [update.black_win_rate, colorName(update.to_play)];
    const other = update.to_play === "white" && rate !== null ? `White ${percent(1 - rate, 1)}, ` : "";
    this.rate.textContent = rate === null ? "–" : `${other}Black ${percent(rate, 1)}`;
    this.head.textContent = `${player}'s rate`;
    this.figures.textContent = figures(update, state).join(" · ");
    this.figures.title = more(update);
    const all = update.moves.reduce((sum, { visits }) => sum + visits, 0);
    this.rows.forEach((row, order) => {
      const found = update.moves[order];
      row.element.hidden = !found;
      if (!found) return;
      row.move = found.move;
      row.element.title = more(found);
      const [move, visits, rate, line] = row.cells;
      move.textContent = found.move;
      visits.textContent = `${short(found.visits)} (${percent(found.visits / Math.max(1, all))})`;
      rate.textContent = found.proof ?? percent(found.win_rate, 1);
      line.textContent = (found.variation ?? []).slice(1, 7).join(" ");
    });
    if (this.pointed) this.onLine(this.lineOf(this.pointed));
  }
}

/** All figures of a move or a search that are not shown otherwise, by their names in the backend.
 * @param {RootMove | Update} found
 */
function more(found) {
  const figures = Object.entries(found).filter(([name]) => !SHOWN.includes(name));
  return figures.map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`).join(", ");
}

/** @param {number} bytes */
function mebibytes(bytes) {
  const size = bytes / 1048576;
  return size < 10 ? size.toFixed(1) : short(size);
}

/** The figures of a search.
 * @param {Update} update
 * @param {State} state
 */
function figures(update, state) {
  const { simulations, seconds, mean_depth: depth = 0, max_depth: most, bytes } = update;
  return [
    state.isPast ? `the search before ${state.moves[state.place - 1]}` : "",
    `${whole(simulations)} simulations`,
    seconds > 0.02 ? `${short(simulations / seconds)}/s` : "",
    `depth ${depth.toFixed(1)}, at most ${most}`,
    `${mebibytes(bytes)} MiB`,
    update.ended_by && !update.move ? endInWords(update) : "",
  ].filter((part) => part !== "");
}
