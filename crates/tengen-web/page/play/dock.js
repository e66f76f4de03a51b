// The panels below the board, over the whole width: one at a time is open.

import { button, el } from "../dom.js";

/** @import { State } from "./types.js"
 *
 * @typedef {object} Panel
 * @property {HTMLElement} element
 * @property {(state: State) => void} show
 * @property {() => void} leave
 * @property {() => void} [hide] in place of `leave`, if it runs on while another panel is open
 * @property {boolean} [isRunning] whether it is running
 */

/** Pixels of a panel that must be visible when it opens. */
const LEAST_SIGHT = 80;

export class Dock {
  /** `onTurn(opened, closed)` is called when a panel is opened or closed.
   * @param {Panel[]} panels
   * @param {(opened: Panel | null, closed: Panel | null) => void} onTurn
   */
  constructor(panels, onTurn) {
    this.onTurn = onTurn;
    /** @type {Panel | null} */
    this.open = null;
    this.buttons = new Map(
      panels.map((panel) => {
        const { title } = /** @type {any} */ (panel.constructor);
        const turn = () => this.turn(this.open === panel ? null : panel);
        const attributes = { "aria-expanded": "false", "aria-controls": "dock" };
        return [panel, button(title, turn, attributes)];
      }),
    );
    this.place = el("div", { class: "panel-place", id: "dock" });
    this.element = el(
      "section",
      { class: "dock", "aria-label": "Panels" },
      el("div", { class: "toolbar tabs", role: "group", "aria-label": "Panels" }, [...this.buttons.values()]),
      this.place,
    );
  }

  /** Opens a panel in place of another; null closes it.
   * @param {Panel | null} panel
   */
  turn(panel) {
    const before = this.open;
    if (panel === before) return;
    this.open = panel;
    for (const [own, one] of this.buttons) one.setAttribute("aria-expanded", String(own === panel));
    if (before?.hide) before.hide();
    else before?.leave();
    this.place.replaceChildren(...(panel ? [panel.element] : []));
    this.onTurn(panel, before);
    this.element.scrollTo(0, 0);
    // In a narrow window the panel lies below everything else.
    const { top } = this.place.getBoundingClientRect();
    if (panel && top > innerHeight - LEAST_SIGHT) this.element.scrollIntoView({ block: "start" });
  }

  /** Shows the state in the open panel, and in panels that are running.
   * @param {State} state
   */
  show(state) {
    for (const panel of this.buttons.keys()) {
      if (panel === this.open || panel.isRunning) panel.show(state);
    }
  }
}
