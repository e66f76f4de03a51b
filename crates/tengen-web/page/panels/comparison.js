// How the findings of two searches differ, and the fields for their shared budget.

import { el, percent, whole } from "../dom.js";
import { compare } from "../play/comparison.js";
import { field } from "../play/setup.js";

/** @import { Action, State } from "../play/types.js" */

/** Moves that are shown. */
const ROWS = 5;

export class ComparisonPart {
  /** @param {(action: Action) => Promise<void>} dispatch */
  constructor(dispatch) {
    const options = [
      ["time", "time, until stopped"],
      ["simulations", "simulations"],
    ];
    this.equal = /** @type {HTMLSelectElement} */ (
      el(
        "select",
        {},
        options.map(([value, text]) => el("option", { value }, text)),
      )
    );
    this.budget = /** @type {HTMLInputElement} */ (
      el("input", { type: "number", min: "1", max: "20000000", step: "1" })
    );
    const onChange = () => {
      dispatch({ type: "equal", equal: this.equal.value, budget: this.budget.value });
    };
    this.equal.addEventListener("change", onChange);
    this.budget.addEventListener("change", onChange);
    this.budgetField = field("Simulations of each", this.budget);
    this.best = el("p", { class: "agreement" });
    this.distance = el("p", { class: "note" });
    this.rows = el("tbody");
    const head = ["move", "first", "second", "difference"].map((name) => el("th", {}, name));
    this.table = el(
      "table",
      {},
      el("caption", {}, "Shares of visits that differ most"),
      el("thead", {}, el("tr", {}, head)),
      this.rows,
    );
    this.element = el(
      "div",
      { class: "comparison" },
      el("div", { class: "pair" }, field("Equal", this.equal), this.budgetField),
      this.best,
      this.distance,
      this.table,
    );
  }

  /** @param {State} state */
  show(state) {
    this.element.hidden = state.b === "";
    if (state.b === "") return;
    this.equal.value = state.equal;
    if (document.activeElement !== this.budget) this.budget.value = state.budget;
    this.budgetField.hidden = state.equal !== "simulations";
    const found = compare(state.findings);
    this.table.hidden = found === null;
    if (found === null) {
      this.best.textContent = "";
      this.distance.textContent = "Press Analyse to compare the two searches.";
      return;
    }
    const [one, other] = state.findings.map(({ simulations }) => whole(simulations));
    const { isSame, best, distance } = found;
    const told = isSame
      ? `Both visit ${best[0]} most`
      : `The first visits ${best[0]} most, the second ${best[1]}`;
    this.best.replaceChildren(el("strong", {}, told), ` after ${one} and ${other} simulations.`);
    this.distance.textContent =
      `Distance of the distributions of visits: ${percent(distance, 1)}. This is the total ` +
      "variation, the share of visits that go to other moves.";
    const sign = (/** @type {number} */ share) =>
      `${share > 0 ? "+" : "−"}${percent(Math.abs(share), 1)}`;
    const rows = found.moves.slice(0, ROWS).map(({ move, shares: [a, b] }) => {
      const cells = [percent(a, 1), percent(b, 1), a === b ? "0" : sign(b - a)];
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, move),
        cells.map((text) => el("td", {}, text)),
      );
    });
    this.rows.replaceChildren(...rows);
  }
}
