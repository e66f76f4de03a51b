// Captions of two compared boards: the settings of their searches.

import { el } from "../dom.js";
import { differences } from "./comparison.js";

/** A setting as a text.
 * @param {any} value
 */
function inWords(value) {
  if (value === null || value === undefined) return "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export class Captions {
  /** @param {(name: string, question?: any) => Promise<any>} ask */
  constructor(ask) {
    this.ask = ask;
    this.elements = [0, 1].map(() => el("figcaption"));
    this.shown = "null";
    /** @type {Map<string, Promise<Record<string, any>>>} */
    this.known = new Map();
  }

  /** All settings of a bot; empty if the backend refuses.
   * @param {string} bot
   */
  settings(bot) {
    if (!this.known.has(bot))
      this.known.set(
        bot,
        this.ask("settings", bot).catch(() => ({})),
      );
    return this.known.get(bot);
  }

  /** Shows the settings of two bots; null removes them.
   * @param {[string, string] | null} bots
   */
  async show(bots) {
    const wanted = JSON.stringify(bots);
    if (wanted === this.shown) return;
    this.shown = wanted;
    if (bots === null) {
      for (const element of this.elements) element.replaceChildren();
      return;
    }
    bots.forEach((bot, at) => this.elements[at].replaceChildren(el("strong", {}, bot)));
    const both = await Promise.all(bots.map((bot) => this.settings(bot)));
    if (this.shown !== wanted || both.some((one) => Object.keys(one).length === 0)) return;
    const different = differences(both[0], both[1]);
    this.elements.forEach((element, at) => {
      const own = different.map((name) => `${name} ${inWords(both[at][name])}`);
      const rows = Object.entries(both[at]).map(([name, value]) => {
        const look = different.includes(name) ? "differs" : "";
        return el(
          "tr",
          { class: look },
          el("th", { scope: "row" }, name),
          el("td", {}, inWords(value)),
        );
      });
      const name = `All settings of the ${at === 0 ? "first" : "second"} search`;
      element.replaceChildren(
        el("strong", {}, bots[at]),
        el("span", {}, own.length > 0 ? own.join(" · ") : "both have the same settings"),
        el(
          "details",
          {},
          el("summary", {}, "all settings"),
          el(
            "div",
            { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
            el("table", {}, rows),
          ),
        ),
      );
    });
  }
}
