// The variations of the game as a tree: the main line at the top, other lines below it.

import { button, el, svg } from "../dom.js";
import { nodeOf } from "../play/line.js";
import { hasVariations, layout } from "../play/tree.js";

/** @import { Action, State } from "../play/types.js" */

/** Pixels between two nodes, and around the tree. */
const STEP = 20;
const EDGE = 12;

/** Columns and rows that are drawn around a middle, and the steps in which the middle follows the
 * present node: so a walk through a long game draws little. */
const AROUND = { column: 80, row: 30 };
const WALKED = { column: 40, row: 15 };

/** The panel of the variations. */
export class VariationsPanel {
  static title = "Variations";

  /** @param {{dispatch: (action: Action) => Promise<void>}} context */
  constructor({ dispatch }) {
    this.dispatch = dispatch;
    /** What is drawn now: a walk along a line need not draw the tree again.
     * @type {any[] | null} */
    this.shown = null;
    /** @type {{x: (column: number) => number, y: (row: number) => number}} */
    this.scale = { x: () => 0, y: () => 0 };
    /** @type {Map<number, SVGElement>} */
    this.nodes = new Map();
    this.isRevealed = false;
    const onclick = (/** @type {Event} */ event) => this.choose(event);
    this.drawing = svg("svg", { class: "tree", role: "img", onclick });
    this.box = el(
      "div",
      { class: "tree-box", tabindex: "0", role: "group", "aria-label": "Tree of variations" },
      this.drawing,
    );
    /** @type {ReturnType<typeof layout>} */
    this.places = [];
    /** @type {ReturnType<typeof layout>[number] | null} */
    this.here = null;
    this.others = el("p", { class: "others" });
    this.mainButton = button("Make main line", () => dispatch({ type: "main" }));
    this.removeButton = button("Remove this move", () => dispatch({ type: "remove" }), {
      title: "Remove this move and all that follows it",
    });
    this.element = el(
      "div",
      { class: "variations" },
      this.box,
      this.others,
      el("div", { class: "toolbar" }, this.mainButton, this.removeButton),
    );
  }

  /** Whether the panel opens by itself: when a game first has variations.
   * @param {State} state
   */
  wantsToOpen(state) {
    const isFirst = !this.isRevealed && hasVariations(state.tree);
    if (isFirst) this.isRevealed = true;
    return isFirst;
  }

  /** @param {Event} event */
  choose(event) {
    const own = /** @type {Element} */ (event.target).closest("[data-node]");
    if (own) this.dispatch({ type: "visit", node: Number(own.getAttribute("data-node")) });
  }

  /** @param {State} state */
  show(state) {
    const { tree, line } = state;
    const node = nodeOf(state);
    if (this.shown?.[0] !== tree) {
      this.places = layout(tree);
      this.here = null;
    }
    if (this.here?.id === node && this.shown?.[1] === line) return;
    this.here = this.places.find(({ id }) => id === node);
    const middle = {
      column: Math.round(this.here.column / WALKED.column) * WALKED.column,
      row: Math.round(this.here.row / WALKED.row) * WALKED.row,
    };
    const key = [tree, line, middle.column, middle.row];
    if (!this.shown?.every((part, at) => part === key[at])) this.drawTree(state, middle);
    this.shown = key;
    this.drawHere();
    this.drawOthers(state);
    const isMain = line.every((id, at) => at === 0 || tree[line[at - 1]].children[0] === id);
    this.mainButton.disabled = isMain;
    this.removeButton.disabled = node === 0;
  }

  /** Shows which node is the present one. */
  drawHere() {
    for (const own of this.drawing.querySelectorAll(".here")) own.classList.remove("here");
    this.nodes.get(this.here.id)?.classList.add("here");
    const { clientWidth, clientHeight } = this.box;
    const { x, y } = this.scale;
    this.box.scrollTo(x(this.here.column) - clientWidth / 2, y(this.here.row) - clientHeight / 2);
  }

  /** Draws the tree around a place.
   * @param {State} state
   * @param {{column: number, row: number}} middle
   */
  drawTree({ tree, line }, middle) {
    const isNear = (name, at) => Math.abs(at - middle[name]) <= AROUND[name];
    const near = this.places.filter(({ column, row }) => {
      return isNear("column", column) && isNear("row", row);
    });
    const first = Math.min(...near.map(({ column }) => column));
    const top = Math.min(...near.map(({ row, parentRow }) => Math.min(row, parentRow)));
    const x = (column) => EDGE + (column - first) * STEP;
    const y = (row) => EDGE + (row - top) * STEP;
    const present = new Set(line);
    const shapes = { links: [], nodes: [] };
    this.scale = { x, y };
    this.nodes.clear();
    for (const { id, column, row, parentRow } of near) {
      if (id !== 0 && column > first) {
        const bend = row > parentRow ? `V${y(row - 1)}L${x(column)} ${y(row)}` : `H${x(column)}`;
        const d = `M${x(column - 1)} ${y(parentRow)}${bend}`;
        shapes.links.push(svg("path", { d, class: present.has(id) ? "present" : null }));
      }
      const at = { cx: x(column), cy: y(row) };
      const { move, comment, marks } = tree[id];
      const isTold = comment !== "" || marks.length > 0;
      const label = id === 0 ? "before the first move" : `${column} ${move}`;
      const node = svg(
        "g",
        { "data-node": id, class: present.has(id) ? "present" : null },
        svg("title", {}, label),
        svg("rect", { x: at.cx - STEP / 2, y: at.cy - STEP / 2, width: STEP, height: STEP }),
        svg("circle", { ...at, r: 5 }),
        isTold ? svg("circle", { ...at, r: 1.8, class: "told" }) : null,
      );
      this.nodes.set(id, node);
      shapes.nodes.push(node);
    }
    const width = x(Math.max(...near.map(({ column }) => column))) + EDGE;
    const height = y(Math.max(...near.map(({ row }) => row))) + EDGE;
    for (const [name, value] of Object.entries({ width, height })) {
      this.drawing.setAttribute(name, String(value));
    }
    const forks = this.places.filter(({ id }) => tree[id].children.length > 1).length;
    const label = `Tree of ${this.places.length - 1} moves, variations begin at ${forks} places`;
    this.drawing.setAttribute("aria-label", label);
    this.drawing.replaceChildren(...shapes.links, ...shapes.nodes);
  }

  /** The alternatives to the last move, and the moves that follow, as buttons.
   * @param {State} state
   */
  drawOthers(state) {
    const { tree } = state;
    const node = nodeOf(state);
    const go = (id) => {
      const isHere = id === node;
      return button(tree[id].move, () => this.dispatch({ type: "visit", node: id }), {
        "aria-pressed": String(isHere),
      });
    };
    const parts = [];
    const add = (label, ids) => {
      if (ids.length > 1) parts.push(el("span", {}, label), ids.map(go));
    };
    add("here:", node === 0 ? [] : tree[tree[node].parent].children);
    add("next:", tree[node].children);
    const hint = hasVariations(tree)
      ? "↑ and ↓ lead from variation to variation."
      : "Another move at an earlier position begins a variation.";
    if (parts.length === 0) parts.push(el("span", {}, hint));
    this.others.replaceChildren(...parts.flat());
  }

  leave() {
    this.shown = null;
    this.here = null;
  }
}
