// The form of a new game.

import { ask } from "../backend.js";
import { button, el, say, sayFault } from "../dom.js";

/** @import { State } from "./types.js"
 *
 * @typedef {{spec: string, help: string, searches: boolean}} Offer a bot that is offered
 */

const RULES = [
  ["tengen", "Tengen: positional superko, no suicide"],
  ["tromp-taylor", "Tromp-Taylor: positional superko, suicide"],
  ["aga", "AGA: situational superko, no suicide"],
  ["new-zealand", "New Zealand: situational superko, suicide"],
  ["simple", "Simple ko, no suicide"],
];

let fields = 0;

/** A labelled field. */
export function field(label, input) {
  fields += 1;
  input.id = `field-${fields}`;
  return el("div", { class: "field" }, el("label", { for: input.id }, label), input);
}

function sides(chosen) {
  const sizes = Array.from({ length: 18 }, (_, less) => less + 2);
  const option = (size) => el("option", { value: size, selected: String(size) === chosen }, size);
  return el("select", {}, sizes.map(option));
}

/** A field for a player or a bot: one of those that are offered, or a specification. */
export class BotField {
  /** `onChange()` is called when another bot is chosen.
   * @param {string} label
   * @param {Offer[]} bots
   * @param {string} value
   * @param {{withPerson?: boolean, onChange?: () => void}} options
   */
  constructor(label, bots, value, { withPerson = false, onChange = () => {} } = {}) {
    this.withPerson = withPerson;
    this.select = /** @type {HTMLSelectElement} */ (el("select"));
    this.input = /** @type {HTMLInputElement} */ (
      el("input", {
        "aria-label": `${label}: specification`,
        placeholder: "uct:simulations=500,exploration=0.3",
        autocomplete: "off",
        spellcheck: "false",
      })
    );
    this.select.addEventListener("change", () => {
      this.input.hidden = this.select.value !== "";
      if (this.input.hidden) onChange();
      else this.input.focus();
    });
    this.input.addEventListener("change", onChange);
    this.element = field(label, this.select);
    this.element.append(this.input);
    this.wanted = value;
    this.offer(bots);
  }

  /** Offers other bots.
   * @param {Offer[]} bots
   */
  offer(bots) {
    const { withPerson, wanted } = this;
    const offers = bots.filter(({ searches }) => withPerson || searches);
    const options = offers.map(({ spec, help }) => [spec, `${spec}: ${help}`]);
    if (withPerson) options.unshift(["person", "person: somebody at this board"]);
    options.push(["", "another, by its specification"]);
    this.select.replaceChildren(
      ...options.map(([value, text]) => el("option", { value }, text)),
    );
    this.wanted = "";
    this.value = wanted;
  }

  get value() {
    return this.select.value || this.input.value.trim();
  }

  /** Shows another bot, unless it is shown already. */
  set value(value) {
    if (value === this.wanted) return;
    this.wanted = value;
    const isOffered = [...this.select.options].some((option) => option.value === value);
    this.select.value = isOffered ? value : "";
    this.input.value = isOffered ? "" : value;
    this.input.hidden = isOffered;
  }
}

/** What is usual as komi with handicap stones. */
const KOMI_OF_HANDICAP = "0.5";

/** A field for the number of handicap stones, at the usual points of the board. */
class HandicapField {
  /** @param {HTMLInputElement} komi */
  constructor(komi) {
    this.komi = komi;
    /** @type {Record<string, string>} set-up stones by the number of handicap stones */
    this.setups = {};
    this.select = /** @type {HTMLSelectElement} */ (el("select", { disabled: true }));
    this.select.addEventListener("change", () => this.showKomi());
    this.element = field("Handicap", this.select);
    this.show();
  }

  /** Offers what a board of `size` has.
   * @param {string} size
   */
  async offer(size) {
    this.size = size;
    this.setups = {};
    this.show();
    try {
      const { setups } = await ask("handicaps", { size });
      if (this.size === size) this.setups = setups;
      this.show();
    } catch (fault) {
      sayFault(fault);
    }
  }

  show() {
    const counts = Object.keys(this.setups);
    const none = counts.length === 0 ? "none on this board" : "none";
    const options = counts.map((count) => el("option", { value: count }, `${count} stones`));
    this.select.replaceChildren(el("option", { value: "0" }, none), ...options);
    this.select.disabled = counts.length === 0;
    this.showKomi();
  }

  showKomi() {
    this.komi.placeholder = this.select.value === "0" ? "of the size" : KOMI_OF_HANDICAP;
  }

  /** What the chosen handicap changes of a state.
   * @returns {Partial<State>}
   */
  change() {
    const count = this.select.value;
    const setup = this.setups[count];
    if (setup === undefined) return {};
    const komi = this.komi.value || KOMI_OF_HANDICAP;
    return { handicap: count, setup, first: "white", komi };
  }
}

/** Shows the form; `onStart` gets what a new game changes of the state.
 * @param {State} state
 * @param {Offer[]} bots
 * @param {(change: Partial<State>) => void} onStart
 */
export function showSetup(state, bots, onStart) {
  const [columns, rows = columns] = state.size.split("x");
  const width = sides(columns);
  const height = sides(rows);
  const komi = /** @type {HTMLInputElement} */ (
    el("input", {
      type: "number",
      step: "0.5",
      min: "-1000",
      max: "1000",
      value: state.komi,
    })
  );
  const handicap = new HandicapField(komi);
  const sized = () => handicap.offer(`${width.value}x${height.value}`);
  width.addEventListener("change", () => {
    height.value = width.value;
    komi.value = "";
    sized();
  });
  height.addEventListener("change", () => {
    komi.value = "";
    sized();
  });
  sized();
  const rules = el(
    "select",
    {},
    RULES.map(([name, text]) => {
      const isChosen = name === state.rules || (name === "tengen" && state.rules === "chinese");
      return el("option", { value: name, selected: isChosen }, text);
    }),
  );
  const player = (label, value) => new BotField(label, bots, value, { withPerson: true });
  const [black, white] = [player("Black", state.black), player("White", state.white)];
  const start = () => {
    dialog.close();
    onStart({
      size: `${width.value}x${height.value}`,
      komi: komi.value,
      rules: rules.value,
      black: black.value || "person",
      white: white.value || "person",
      seed: String(Math.floor(Math.random() * 1e9)),
      ...handicap.change(),
    });
  };
  const form = el(
    "form",
    {
      method: "dialog",
      onsubmit: (event) => {
        event.preventDefault();
        start();
      },
    },
    el("h2", { id: "setup-title" }, "New game"),
    el("div", { class: "pair" }, field("Columns", width), field("Rows", height)),
    el("div", { class: "pair" }, handicap.element, field("Komi", komi)),
    field("Rules", rules),
    black.element,
    white.element,
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "submit", class: "primary" }, "Start"),
      button("Cancel", () => dialog.close()),
    ),
  );
  const dialog = el("dialog", { "aria-labelledby": "setup-title", class: "setup" }, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  say("");
}
