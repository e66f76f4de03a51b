// The tree, opened: a node with its moves and the terms by which they are ranked.

import { button, el, whole } from "../dom.js";
import { Asker, SearchPanel, numberField, openedOf } from "./question.js";
import { nodeText, termsTable } from "./terms.js";

/** @import { Context } from "./findings.js" */

/** The most simulations of a tree that the backend opens. */
const MOST = 200_000;

/** The panel of the tree. */
export class TreePanel extends SearchPanel {
  static title = "The tree";
  static overlay = "tree";

  /** @param {Context} context */
  constructor(context) {
    super(context);
    this.board = context.board;
    this.opened = openedOf(context);
    this.asker = new Asker(context.ask);
    this.simulations = 1000;
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
      el("div", { class: "toolbar" }, this.field.element, this.about),
      this.crumbs,
      this.facts,
      this.list,
    );
  }

  begin() {
    if (this.search) {
      this.load();
      return;
    }
    this.asker.forget();
    this.crumbs.replaceChildren();
    this.list.replaceChildren();
    this.facts.textContent = "The game is over.";
    this.put(null);
  }

  async load(focused = "") {
    if (!this.search) return;
    const path = this.opened.pathIn(this.search);
    this.drawCrumbs(path);
    this.facts.textContent = "Growing the tree…";
    const question = { ...this.search, simulations: this.simulations, path };
    try {
      const answer = await this.asker.answer("tree", question);
      if (answer) this.draw(answer, focused);
    } catch (fault) {
      this.facts.textContent = fault.message;
      this.list.replaceChildren();
      this.put(null);
    }
  }

  /** Goes to a node, and keeps the focus in the panel.
   * @param {string[]} path
   */
  go(path) {
    this.opened.go(this.search, path);
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
    const leaf = node.moves.length > 0 ? "" : ` ${leafText(node, formula)}`;
    this.facts.textContent = `${nodeText(node, formula)}.${leaf}${many}`;
    const onOpen = (/** @type {string} */ move) => this.go([...node.path, move]);
    const onPoint = (/** @type {string | null} */ move) => {
      this.board.showLine(move === null ? null : lineAfter(node, [move]));
    };
    this.list.replaceChildren(...(leaf ? [] : [termsTable(node, { onOpen, onPoint })]));
    const place = node.path.length === 0 ? "the root" : node.path.join(" ");
    const caption = `${place} and its principal variation, by ${whole(this.simulations)} simulations`;
    const line = lineAfter(node, node.variation);
    this.put({ caption, draw: (board) => board.showPath(line) });
    if (focused) {
      const current = /** @type {HTMLElement} */ (this.crumbs.querySelector("[aria-current]"));
      current.focus();
    }
  }

  leave() {
    super.leave();
    this.asker.forget();
    this.board.showLine(null);
  }
}

/** The path to a node and the moves after it.
 * @param {any} node
 * @param {string[]} moves
 */
function lineAfter(node, moves) {
  const isEven = node.path.length % 2 === 0;
  const first = isEven ? node.to_play : node.to_play === "black" ? "white" : "black";
  return { moves: [...node.path, ...moves], first };
}

/** Why nothing follows a node.
 * @param {any} node
 * @param {any} formula
 */
function leafText({ visits, proof }, { expansion }) {
  if (proof) return "Nothing follows it: its result is proved.";
  const of = `${expansion} ${expansion === 1 ? "visit" : "visits"}`;
  return visits < expansion
    ? `A leaf: the search expands it after ${of}.`
    : `A leaf: it has its ${of}, and the next simulation through it expands it.`;
}
