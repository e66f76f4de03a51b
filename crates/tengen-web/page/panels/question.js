// Shared by the panels that open a search: asking, and dropping answers that are no longer
// wanted.

import { el } from "../dom.js";
import { gameText, isOver } from "../play/state.js";

/** @import { State } from "../play/types.js"
 * @import { Context } from "./findings.js" */

/** The node that is opened in the tree, for the panels that show something of this node. */
export class Opened extends EventTarget {
  constructor() {
    super();
    this.search = "";
    /** @type {string[]} */
    this.path = [];
  }

  /** Opens the node at the end of a path of a search.
   * @param {any} search
   * @param {string[]} path
   */
  go(search, path) {
    this.search = JSON.stringify(search);
    this.path = path;
    this.dispatchEvent(new Event("change"));
  }

  /** The path to the node that is opened in the tree of a search; by default the root.
   * @param {any} search
   */
  pathIn(search) {
    return this.search === JSON.stringify(search) ? this.path : [];
  }
}

/** The opened node of a view.
 * @param {Context} context
 * @returns {Opened}
 */
export function openedOf(context) {
  context.opened ??= new Opened();
  return context.opened;
}

/** Game, bot and seed of a question about the search that the analysis makes of the shown
 * position.
 * @param {State} state
 */
export function searchOf(state) {
  return { game: gameText(state), bot: state.a, seed: Number(state.seed) || 1 };
}

/** A panel that opens the search of the position that is shown, and may show something on the board. */
export class SearchPanel {
  /** @param {Context} context */
  constructor({ onPicture }) {
    this.onPicture = onPicture;
    /** @type {import("../play/overlays.js").Picture | null} */
    this.picture = null;
    this.asked = "";
    /** Which search it opens, in words. */
    this.about = el("p", { class: "note" });
    /** The search; null at the end of a game.
     * @type {any} */
    this.search = null;
  }

  /** Begins anew if the search has changed.
   * @param {State} state
   */
  show(state) {
    const search = state.position === null ? null : this.searchFor(state);
    const key = JSON.stringify(search);
    if (key === this.asked) return;
    this.asked = key;
    this.search = search;
    this.about.textContent = search === null ? ""
      : `This panel makes a search of its own by ${search.bot}, seed ${search.seed}, apart from Analyse and from playing bots.`;
    this.begin(state);
  }

  /** The search of the position that is shown; null at the end of a game.
   * @param {State} state
   */
  searchFor(state) {
    return isOver(state) ? null : searchOf(state);
  }

  /** @param {State} state */
  begin(state) {
    throw new Error(`no panel for ${state.size}`);
  }

  /** Shows another picture on the board; null takes it off.
   * @param {SearchPanel["picture"]} picture
   */
  put(picture) {
    this.picture = picture;
    this.onPicture();
  }

  leave() {
    this.asked = "";
    this.picture = null;
  }
}

/** Asks one question at a time; answers that nobody waits for any more are dropped. */
export class Asker {
  /** @param {Context["ask"]} ask */
  constructor(ask) {
    this.ask = ask;
    this.last = 0;
  }

  /** The answer; null if another question was asked meanwhile.
   * @param {string} name
   * @param {any} question
   */
  async answer(name, question) {
    this.last += 1;
    const own = this.last;
    try {
      const answer = await this.ask(name, question);
      return own === this.last ? answer : null;
    } catch (fault) {
      if (own !== this.last) return null;
      throw fault;
    }
  }

  forget() {
    this.last += 1;
  }
}

/** A field for a whole number from 1 to `most`; `onChange` is called with it.
 * @param {string} label
 * @param {number} value
 * @param {number} most
 * @param {(value: number) => void} onChange
 */
export function numberField(label, value, most, onChange) {
  const input = /** @type {HTMLInputElement} */ (
    el("input", { type: "number", min: "1", max: String(most), value: String(value) })
  );
  input.addEventListener("change", () => {
    const wanted = Math.round(Number(input.value));
    input.value = String(Math.min(Math.max(Number.isFinite(wanted) ? wanted : value, 1), most));
    onChange(Number(input.value));
  });
  return { element: el("label", { class: "number" }, `${label} `, input), input };
}
