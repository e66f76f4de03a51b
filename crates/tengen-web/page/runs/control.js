// Control of a run: stop it, resume it, extend it.

import { experiments } from "../backend.js";
import { button, el, say, sayFault } from "../dom.js";
import { write } from "./keyed.js";

/** @typedef {object} Control
 * @property {boolean} stop
 * @property {boolean} resume
 * @property {[string, number] | null} extent the setting by which it can be extended, and its value
 * @property {string | null} fault
 */

/** The buttons of a run. */
export class ControlView {
  /** @param {string} name of the run */
  constructor(name) {
    this.stop = button("Stop", () => this.act("Stopping…", () => experiments.stop(name)));
    this.resume = button("Resume", () => this.act("Resuming…", () => experiments.resume(name)), { class: "primary" });
    this.number = /** @type {HTMLInputElement} */ (el("input", { type: "number", step: "1" }));
    this.unit = el("label", { for: "extend-to" });
    this.number.id = "extend-to";
    this.extend = el(
      "form",
      {
        class: "toolbar",
        onsubmit: (event) => {
          event.preventDefault();
          this.act("Extending…", () => experiments.extend(name, Number(this.number.value)));
        },
      },
      el("button", { type: "submit" }, "Extend"),
      this.unit,
      this.number,
    );
    this.fault = el("p", { class: "fault" });
    this.element = el("div", { class: "control", hidden: true }, this.stop, this.resume, this.extend, this.fault);
  }

  /** @param {Control | undefined} control */
  show(control) {
    this.element.hidden = control === undefined;
    if (control === undefined) return;
    const { stop, resume, extent, fault } = control;
    this.stop.hidden = !stop;
    this.resume.hidden = !resume;
    this.extend.hidden = extent === null;
    write(this.fault, fault ?? "");
    if (extent === null) return;
    const [key, value] = extent;
    write(this.unit, `to this number of ${key} (now ${value}):`);
    if (this.number.min === String(value + 1)) return;
    this.number.min = String(value + 1);
    this.number.value = String(2 * value);
  }

  /** Sends a request; the list of runs then shows its effect.
   * @param {string} text
   * @param {() => Promise<any>} work
   */
  async act(text, work) {
    say(text);
    try {
      await work();
      say("");
    } catch (fault) {
      sayFault(fault);
    }
  }
}
