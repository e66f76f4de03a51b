// Why this move? The search of the position once more with one setting off, for each setting: which
// of them changes the move, and by how many visits.

import { button, el, percent, sayFault, whole } from "../dom.js";
import { shares } from "../play/comparison.js";
import { withSetting } from "../play/specification.js";
import { SearchPanel, numberField } from "./question.js";

/** @import { Update } from "../play/types.js"
 * @import { Context } from "./findings.js"
 *
 * @typedef {object} Switch a setting, and how it is off
 * @property {string} key
 * @property {string} off
 * @property {string} label
 *
 * @typedef {object} Found what a search with one setting off has found
 * @property {string} label
 * @property {Update} update
 */

/** Moves that are shown on the board. */
const DISCS = 10;

/** The most simulations of each search. */
const MOST = 200_000;

/** The settings that are taken off, one at a time.
 * @type {Switch[]} */
const SWITCHES = [
  { key: "exploration", off: "0", label: "without exploration" },
  { key: "rave", off: "none", label: "without RAVE" },
  { key: "prior", off: "none", label: "without prior" },
  { key: "policy", off: "uniform", label: "with uniform playouts" },
  { key: "in_flight", off: "1", label: "with one leaf in flight" },
];

/** The switches that change something of a bot with these settings.
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
    this.answer = el("p", { class: "facts", role: "status" });
    this.rows = el("tbody");
    const head = ["search", "plays", "its share of visits", "visits of the first move", "change"];
    this.table = el(
      "table",
      { class: "influence", hidden: true },
      el("caption", {}, "The same seed and simulations each time; grey rows play another move. The "
        + "coloured row is shown on the board: dark moves have more visits in it, light ones fewer."),
      el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))),
      this.rows,
    );
    this.element = el(
      "div",
      { class: "why" },
      el("div", { class: "toolbar" }, this.field.element),
      this.answer,
      el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Influence of settings" },
        this.table,
      ),
    );
  }

  begin() {
    this.load();
  }

  /** Searches with all settings, then with each of them off. */
  async load() {
    this.control.abort();
    this.control = new AbortController();
    const { signal } = this.control;
    this.rows.replaceChildren();
    this.table.hidden = true;
    this.isWhole = false;
    this.put(null);
    if (this.search === null) {
      this.answer.textContent = "The game is over.";
      return;
    }
    try {
      const settings = await this.ask("settings", this.search.bot);
      const full = await this.find("as it is", this.search.bot, signal);
      if (full === null) return;
      this.table.hidden = false;
      /** @type {Found[]} */
      const found = [];
      const all = switchesOf(settings);
      for (const [at, { key, off, label }] of all.entries()) {
        const bot = withSetting(this.search.bot, key, off);
        // Some settings go only with others: what is no bot is left out.
        const one = await this.ask("settings", bot).then(() => this.find(label, bot, signal), () => null);
        if (signal.aborted) return;
        if (one !== null) found.push(one);
        this.draw(full, found, at + 1 === all.length);
      }
      if (all.length === 0) this.draw(full, [], true);
    } catch (fault) {
      if (signal.aborted) return;
      this.answer.textContent = "";
      sayFault(fault);
    }
  }

  /** What a search finds; null where another question was put meanwhile.
   * @param {string} label
   * @param {string} bot
   * @param {AbortSignal} signal
   * @returns {Promise<Found | null>}
   */
  async find(label, bot, signal) {
    this.answer.textContent = `Searching ${label}…`;
    const { simulations } = this;
    const question = { ...this.search, bot, purpose: "analysis", simulations };
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
    this.answer.textContent = answerOf(best, full, found, this.simulations);
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
      // Gains lie in the dark band of the discs, losses in the pale one.
      share: change > 0 ? 0.25 + 0.75 * (change / most) : 0.24 * (-change / most),
      change,
      text: `${change > 0 ? "+" : "−"}${Math.abs(100 * change).toFixed(0)}`,
    }));
    const largest = discs.sort((a, b) => Math.abs(b.change) - Math.abs(a.change)).slice(0, DISCS);
    const shown = largest.filter(({ change }) => Math.abs(change) >= 0.005);
    shown.sort((a, b) => b.change - a.change);
    for (const row of this.rows.children) row.classList.toggle("linked", row.dataset.label === one.label);
    const caption = `visits more or fewer ${one.label}, in % of all`;
    this.put({ caption, draw: (board) => board.showDiscs(shown) });
  }

  /** What is found stays for the same position. */
  hide() {
    if (!this.isWhole) this.leave();
  }

  leave() {
    super.leave();
    this.control.abort();
  }
}

/** The searches by how many visits of `best` their setting is worth, the most first.
 * @param {string} best
 * @param {Found} full
 * @param {Found[]} found
 */
function byChange(best, full, found) {
  const of = (/** @type {Found} */ one) => shares(one.update).get(best) ?? 0;
  const change = (/** @type {Found} */ one) => Math.abs(of(one) - of(full));
  return [...found].sort((one, other) => change(other) - change(one));
}

/** Which setting changes the move, in a sentence.
 * @param {string} best
 * @param {Found} full
 * @param {Found[]} found
 * @param {number} simulations
 */
export function answerOf(best, full, found, simulations) {
  const by = `after ${whole(simulations)} simulations`;
  if (found.length === 0) return `It plays ${best} ${by}; none of its settings can be taken off.`;
  const others = found.filter(({ update }) => update.moves[0].move !== best);
  const named = others.map(({ label, update }) => `${label} it plays ${update.moves[0].move}`);
  const [largest] = byChange(best, full, found);
  const visits = percent(shares(largest.update).get(best) ?? 0, 1);
  const most = `${largest.label} ${best} has ${visits} of the visits in place of `
    + `${percent(shares(full.update).get(best) ?? 0, 1)}`;
  return named.length === 0
    ? `It plays ${best} ${by}, with each of these settings off too. The largest change: ${most}.`
    : `It plays ${best} ${by}; ${named.join(", ")}. The largest change: ${most}.`;
}
