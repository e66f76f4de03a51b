// Why this move? Repeats the search of a position with each setting off in turn: which settings
// change the move, and by how many visits. Another seed tells how much is chance.

import { button, el, percent, sayFault, whole } from "../dom.js";
import { shares } from "../play/comparison.js";
import { withSetting } from "../play/text.js";
import { moverAt } from "../play/review.js";
import { isBot } from "../play/state.js";
import { SearchPanel, numberField, searchOf } from "./question.js";

/** @import { Position, State, Update } from "../play/types.js"
 * @import { Context } from "./findings.js"
 *
 * @typedef {object} Switch a setting, and how it is off
 * @property {string} key
 * @property {string} off
 * @property {string} label
 *
 * @typedef {object} Found what a search with one setting off, or with another seed, has found
 * @property {string} label
 * @property {Update} update
 * @property {boolean} [isSeed] whether only the seed differs
 *
 * @typedef {"next" | "last"} Which move is explained
 */

/** The name of the search with another seed. */
const OTHER_SEED = "with another seed";

/** Moves that are shown on the board. */
const DISCS = 10;

/** The most simulations of each search. */
const MOST = 200_000;

/** The settings that are switched off, one at a time.
 * @type {Switch[]} */
const SWITCHES = [
  { key: "exploration", off: "0", label: "without exploration" },
  { key: "rave", off: "none", label: "without RAVE" },
  { key: "prior", off: "none", label: "without prior" },
  { key: "policy", off: "uniform", label: "with uniform playouts" },
  { key: "in_flight", off: "1", label: "with one leaf in flight" },
];

/** The switches that change a bot with these settings.
 * @param {Record<string, any>} settings
 */
export function switchesOf(settings) {
  return SWITCHES.filter(({ key, off }) => key in settings && String(settings[key]) !== off);
}

export class InfluencePanel extends SearchPanel {
  static title = "Why this move?";
  static overlay = "influence";

  /** @param {Context} context */
  constructor(context) {
    super(context);
    this.ask = context.ask;
    this.think = context.think;
    this.simulations = 1000;
    this.control = new AbortController();
    /** Whether all searches of the question are made. */
    this.isWhole = false;
    this.field = numberField("Simulations of each search", this.simulations, MOST, (value) => {
      this.simulations = value;
      this.load();
    });
    /** @type {Which} */
    this.which = "next";
    /** The game's move after the searched position; empty if none is known. */
    this.played = "";
    /** The searched position, unless it is the position on the board.
     * @type {Position | undefined} */
    this.position = undefined;
    this.choice = /** @type {HTMLSelectElement} */ (
      el(
        "select",
        { "aria-label": "The move to explain" },
        el("option", { value: "next" }, "the next move"),
        el("option", { value: "last" }, "the last move"),
      )
    );
    this.choice.addEventListener("change", () => {
      this.which = /** @type {Which} */ (this.choice.value);
      if (this.state) this.show(this.state);
    });
    this.answer = el("p", { class: "facts", role: "status" });
    this.rows = el("tbody");
    const head = ["search", "plays", "its share of visits", "visits of the first move", "change"];
    // Not a caption, which would scroll with a table that is wider than the window.
    const legend = el("p", { class: "note" }, "Grey rows play another move. The "
      + "coloured row is shown on the board: dark moves have more visits in it, light ones fewer. "
      + "The last row has the same settings: changes that are no larger than its own may be chance.");
    const table = el(
      "table",
      { class: "influence" },
      el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))),
      this.rows,
    );
    const attributes = { class: "scroll", tabindex: "0", role: "region", "aria-label": "Influence of settings" };
    this.found = el("div", { hidden: true }, legend, el("div", attributes, table));
    this.element = el(
      "div",
      { class: "why" },
      el("div", { class: "toolbar" }, this.choice, this.field.element, this.about),
      this.answer,
      this.found,
    );
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    super.show(state);
  }

  /** The search of the position, or of the position before it by the bot that moved there.
   * @param {State} state
   */
  searchFor(state) {
    if (this.which === "next") return super.searchFor(state);
    if (state.place === 0) return null;
    const before = { ...state, place: state.place - 1 };
    const mover = moverAt(before, before.place);
    const search = searchOf(before);
    return isBot(state, mover) ? { ...search, bot: state[mover] } : search;
  }

  /** @param {State} state */
  begin(state) {
    const isLast = this.which === "last";
    this.played = state.moves[isLast ? state.place - 1 : state.place]?.replace("~", "") ?? "";
    this.load();
  }

  /** Searches with all settings on, then with each of them off. */
  async load() {
    this.control.abort();
    this.control = new AbortController();
    const { signal } = this.control;
    this.rows.replaceChildren();
    this.found.hidden = true;
    this.isWhole = false;
    this.put(null);
    if (this.search === null) {
      this.answer.textContent = this.which === "next" ? "The game is over." : "There is no last move.";
      return;
    }
    try {
      const isLast = this.which === "last";
      this.position = isLast ? await this.ask("position", this.search.game) : undefined;
      const settings = await this.ask("settings", this.search.bot);
      if (signal.aborted) return;
      const full = await this.find("as it is", this.search.bot, signal);
      if (full === null) return;
      this.found.hidden = false;
      /** @type {Found[]} */
      const found = [];
      const all = switchesOf(settings);
      for (const { key, off, label } of all) {
        const bot = withSetting(this.search.bot, key, off);
        // Some settings need others: a specification that is refused is left out.
        const one = await this.ask("settings", bot).then(() => this.find(label, bot, signal), () => null);
        if (signal.aborted) return;
        if (one !== null) found.push(one);
        this.draw(full, found, false);
      }
      const other = await this.find(OTHER_SEED, this.search.bot, signal, this.search.seed + 1);
      if (other !== null) this.draw(full, [...found, { ...other, isSeed: true }], true);
    } catch (fault) {
      if (signal.aborted) return;
      this.answer.textContent = "";
      sayFault(fault);
    }
  }

  /** The findings of a search; null if another question was asked meanwhile.
   * @param {string} label
   * @param {string} bot
   * @param {AbortSignal} signal
   * @param {number} seed
   * @returns {Promise<Found | null>}
   */
  async find(label, bot, signal, seed = this.search.seed) {
    this.answer.textContent = `Searching ${label}…`;
    const { simulations } = this;
    const question = { ...this.search, bot, seed, purpose: "analysis", simulations };
    const update = await this.think(question, () => {}, signal);
    return signal.aborted || !update?.moves.length ? null : { label, update };
  }

  /** @param {Found} full
   * @param {Found[]} found
   * @param {boolean} isWhole whether no search is to come
   */
  draw(full, found, isWhole) {
    const best = full.update.moves[0].move;
    const before = shares(full.update);
    const row = (/** @type {Found} */ one) => {
      const own = shares(one.update);
      const first = one.update.moves[0].move;
      const change = (own.get(best) ?? 0) - (before.get(best) ?? 0);
      const isFull = one === full;
      const points = `${change > 0 ? "+" : "−"}${Math.abs(100 * change).toFixed(1)}`;
      const name = isFull ? one.label : button(one.label, () => this.point(full, one));
      const cells = [
        first,
        percent(own.get(first) ?? 0, 1),
        percent(own.get(best) ?? 0, 1),
        isFull ? "" : `${points} points`,
      ];
      return el(
        "tr",
        { class: first === best ? "" : "chosen", "data-label": one.label },
        el("th", { scope: "row" }, name),
        cells.map((text) => el("td", {}, text)),
      );
    };
    this.rows.replaceChildren(...[full, ...found].map(row));
    if (!isWhole) return;
    this.isWhole = true;
    this.answer.textContent = `${answerOf(best, full, found, this.simulations)}${playedText(best, this.played)}`;
    const largest = byChange(best, full, found)[0];
    if (largest) this.point(full, largest);
  }

  /** Shows on the board by how much the shares of visits differ.
   * @param {Found} full
   * @param {Found} one
   */
  point(full, one) {
    const [own, before] = [shares(one.update), shares(full.update)];
    const moves = [...new Set([...own.keys(), ...before.keys()])];
    const changes = moves.map((move) => {
      return { move, change: (own.get(move) ?? 0) - (before.get(move) ?? 0) };
    });
    const most = Math.max(1e-9, ...changes.map(({ change }) => Math.abs(change)));
    const discs = changes.map(({ move, change }) => ({
      move,
      // Gains get the dark band of the discs, losses the pale band.
      share: change > 0 ? 0.25 + 0.75 * (change / most) : 0.24 * (-change / most),
      change,
      text: `${change > 0 ? "+" : "−"}${Math.abs(100 * change).toFixed(0)}`,
    }));
    const largest = discs.sort((a, b) => Math.abs(b.change) - Math.abs(a.change)).slice(0, DISCS);
    const shown = largest.filter(({ change }) => Math.abs(change) >= 0.005);
    shown.sort((a, b) => b.change - a.change);
    for (const row of this.rows.children) row.classList.toggle("linked", row.dataset.label === one.label);
    const caption = `visits more or fewer ${one.label}, in % of all`;
    const { position } = this;
    this.put({ caption, draw: (board) => board.showDiscs(shown), ...(position ? { position } : {}) });
  }

  /** Complete findings stay for the same position. */
  hide() {
    if (!this.isWhole) this.leave();
  }

  leave() {
    super.leave();
    this.control.abort();
  }
}

/** The searches with a setting off, the largest change in the visits of `best` first.
 * @param {string} best
 * @param {Found} full
 * @param {Found[]} found
 */
function byChange(best, full, found) {
  const of = (/** @type {Found} */ one) => shares(one.update).get(best) ?? 0;
  const change = (/** @type {Found} */ one) => Math.abs(of(one) - of(full));
  const off = found.filter(({ isSeed }) => !isSeed);
  return off.sort((one, other) => change(other) - change(one));
}

/** What the searches have found, in sentences.
 * @param {string} best
 * @param {Found} full
 * @param {Found[]} found
 * @param {number} simulations
 */
export function answerOf(best, full, found, simulations) {
  const by = `after ${whole(simulations)} simulations`;
  const first = (/** @type {Found} */ { update }) => update.moves[0].move;
  const share = (/** @type {Found} */ one) => percent(shares(one.update).get(best) ?? 0, 1);
  const seed = found.find(({ isSeed }) => isSeed);
  const chance = seed === undefined ? ""
    : ` ${first(seed) === best ? `Another seed also plays ${best}` : `Another seed plays ${first(seed)}`}:`
      + ` ${best} then has ${share(seed)} of the visits.`;
  const [largest] = byChange(best, full, found);
  if (largest === undefined) return `It plays ${best} ${by}; no setting of it can be switched off.${chance}`;
  const others = found.filter((one) => !one.isSeed && first(one) !== best);
  const named = others.map((one) => `${one.label} it plays ${first(one)}`);
  const most = `${largest.label} ${best} has ${share(largest)} of the visits in place of ${share(full)}`;
  const what = named.length === 0 ? `, with each of these settings off too` : `; ${named.join(", ")}`;
  return `It plays ${best} ${by}${what}. The largest change: ${most}.${chance}`;
}

/** Whether search and game chose the same move, in words; empty if the game has no move here.
 * @param {string} best
 * @param {string} played
 */
export function playedText(best, played) {
  if (played === "") return "";
  return played === best ? " The game has this move too." : ` The game has ${played}.`;
}
