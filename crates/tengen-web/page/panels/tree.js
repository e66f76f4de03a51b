// The tree, opened: a node with its moves and the terms by which they are ranked.

import { button, el } from "../dom.js";
import { isOver } from "../play/state.js";
import { Asker, numberField, openedOf, searchOf } from "./question.js";
import { nodeText, termsTable } from "./terms.js";

/** @import { State } from "../play/types.js"
 * @import { Context } from "./findings.js" */

/** The most simulations of a tree that the backend opens. */
const MOST = 200_000;

/** The panel of the tree. */
export class TreePanel {
  static title = "The tree";

  /** @param {Context} context */
  constructor(context) {
    this.board = context.board;
    this.opened = openedOf(context);
    this.asker = new Asker(context.ask);
    this.simulations = 1000;
    this.asked = "";
    /** @type {any} */
    this.search = null;
    this.field = numberField("Simulations", this.simulations, MOST, (value) => {
      this.simulations = value;
      this.load();
    });
    this.crumbs = el("nav", { class: "crumbs", "aria-label": "Path from the root" });
    this.facts = el("p", { class: "facts", role: "status" });
    this.list = el("div");
    this.element = el(
      "div",
      { class: "tree" },
      el("div", { class: "toolbar" }, this.field.element),
      this.crumbs,
      this.facts,
      this.list,
    );
  }

  /** @param {State} state */
  show(state) {
    const search = isOver(state) || state.position === null ? null : searchOf(state);
    const key = JSON.stringify(search);
    if (key === this.asked) return;
    this.asked = key;
    this.search = search;
    this.opened.go([]);
    if (search) {
      this.load();
      return;
    }
    this.asker.forget();
    this.crumbs.replaceChildren();
    this.list.replaceChildren();
    this.facts.textContent = "The game is over.";
  }

  async load(focused = "") {
    if (!this.search) return;
    const { path } = this.opened;
    this.drawCrumbs(path);
    this.facts.textContent = "Growing the tree…";
    const question = { ...this.search, simulations: this.simulations, path };
    try {
      const answer = await this.asker.answer("tree", question);
      if (answer) this.draw(answer, focused);
    } catch (fault) {
      this.facts.textContent = fault.message;
      this.list.replaceChildren();
    }
  }

  /** Goes to a node, and keeps the focus in the panel.
   * @param {string[]} path
   */
  go(path) {
    this.opened.go(path);
    this.load("crumb");
  }

  /** @param {string[]} path */
  drawCrumbs(path) {
    const crumb = (/** @type {string} */ name, /** @type {number} */ at) => {
      const isHere = at === path.length;
      const attributes = { "aria-current": isHere ? "true" : null, class: isHere ? "here" : "" };
      return button(name, () => this.go(path.slice(0, at)), attributes);
    };
    const crumbs = ["root", ...path].map(crumb);
    this.crumbs.replaceChildren(...crumbs);
  }

  /** @param {any} answer
   * @param {string} focused
   */
  draw({ node, formula, workers }, focused) {
    const many = workers > 1 ? ` The tree of the first of ${workers} workers.` : "";
    const leaf = node.moves.length > 0 ? "" : ` A leaf until it has ${formula.expansion} visits.`;
    this.facts.textContent = `${nodeText(node, formula)}.${leaf}${many}`;
    const onOpen = (/** @type {string} */ move) => this.go([...node.path, move]);
    const onPoint = (/** @type {string | null} */ move) => {
      this.line(move === null ? node.variation : [move], node);
    };
    this.list.replaceChildren(...(leaf ? [] : [termsTable(node, { onOpen, onPoint })]));
    this.line(node.variation, node);
    if (focused) {
      const current = /** @type {HTMLElement} */ (this.crumbs.querySelector("[aria-current]"));
      current.focus();
    }
  }

  /** Draws the path and the moves after it on the board.
   * @param {string[]} moves
   * @param {any} node
   */
  line(moves, node) {
    const isEven = node.path.length % 2 === 0;
    const first = isEven ? node.to_play : node.to_play === "black" ? "white" : "black";
    this.board.showLine({ moves: [...node.path, ...moves], first });
  }

  leave() {
    this.asker.forget();
    this.asked = "";
    this.opened.go([]);
    this.board.showLine(null);
  }
}
