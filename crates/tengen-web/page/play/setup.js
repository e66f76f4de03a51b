// The form of a new game.

import { ask } from "../backend.js";
import { button, el, say, sayFault } from "../dom.js";
import { withSetting } from "./text.js";

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

/** The sides of square boards that have a button of their own. */
const SIZES = ["5", "7", "9", "13", "19"];

/** Seconds for a move that are offered. */
const SECONDS = ["0.5", "1", "3", "10", "30"];

/** @param {string} chosen */
function sides(chosen) {
  const sizes = Array.from({ length: 18 }, (_, less) => less + 2);
  const option = (size) => el("option", { value: size, selected: String(size) === chosen }, size);
  return /** @type {HTMLSelectElement} */ (el("select", {}, sizes.map(option)));
}

/** The size of the board: a button for each usual size, and fields for other sizes. */
class SizeField {
  /** @param {string} size
   * @param {() => void} onChange
   */
  constructor(size, onChange) {
    const [columns, rows = columns] = size.split("x");
    this.onChange = onChange;
    this.width = sides(columns);
    this.height = sides(rows);
    const isUsual = columns === rows && SIZES.includes(columns);
    const radio = (/** @type {string} */ value, /** @type {string} */ text) => {
      const checked = value === (isUsual ? columns : "");
      const onchange = () => this.choose(value);
      // The form opens at the chosen size, not at the first one.
      const attributes = { type: "radio", name: "size", value, checked, autofocus: checked };
      const input = el("input", { ...attributes, onchange });
      return el("label", {}, input, el("span", {}, text));
    };
    const usual = SIZES.map((side) => radio(side, `${side}×${side}`));
    this.sides = el(
      "div",
      { class: "pair", hidden: isUsual },
      field("Columns", this.width),
      field("Rows", this.height),
    );
    this.width.addEventListener("change", () => {
      this.height.value = this.width.value;
      onChange();
    });
    this.height.addEventListener("change", onChange);
    this.element = el(
      "fieldset",
      { class: "sizes" },
      el("legend", {}, "Board"),
      el("div", { class: "choices" }, usual, radio("", "other")),
      this.sides,
    );
  }

  /** @param {string} side empty for another one */
  choose(side) {
    this.sides.hidden = side !== "";
    if (side !== "") this.width.value = this.height.value = side;
    this.onChange();
  }

  get value() {
    return `${this.width.value}x${this.height.value}`;
  }
}

/** A field for a player or a bot: an offered bot, or a specification. */
export class BotField {
  /** `onChange()` is called when another bot is chosen.
   * @param {string} label
   * @param {Offer[]} bots
   * @param {string} value
   * @param {{withPerson?: boolean, withAll?: boolean, onChange?: () => void}} options also a person,
   *   or also bots that do not search
   */
  constructor(label, bots, value, { withPerson = false, withAll = withPerson, onChange = () => {} } = {}) {
    this.withPerson = withPerson;
    this.withAll = withAll;
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
    const { withPerson, withAll, wanted } = this;
    const offers = bots.filter(({ searches }) => withAll || searches);
    const options = offers.map(({ spec, help }) => [spec, `${help} (${spec})`]);
    if (withPerson) options.unshift(["person", "a person at this board"]);
    options.push(["", "another bot, by its specification"]);
    this.select.replaceChildren(
      ...options.map(([value, text]) => el("option", { value }, text)),
    );
    this.hasOffers = bots.length > 0;
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
    // Until the offers come, the bot is an offer of its own, so that the field keeps its height.
    if (!this.hasOffers && value !== "") this.select.prepend(el("option", { value }, value));
    const isOffered = [...this.select.options].some((option) => option.value === value);
    this.select.value = isOffered ? value : "";
    this.input.value = isOffered ? "" : value;
    this.input.hidden = isOffered;
  }
}

/** The usual komi with handicap stones. */
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

  /** Offers the handicaps of a board of `size`.
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
    this.komi.placeholder = this.select.value === "0" ? "default" : KOMI_OF_HANDICAP;
  }

  /** The changes of a state by the chosen handicap.
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

/** Shows the form; `onStart` gets the changes of the state for a new game.
 * @param {State} state
 * @param {Offer[]} bots
 * @param {(change: Partial<State>) => void} onStart
 */
export function showSetup(state, bots, onStart) {
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
  const size = new SizeField(state.size, () => {
    komi.value = "";
    handicap.offer(size.value);
  });
  handicap.offer(size.value);
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
  const seconds = /** @type {HTMLSelectElement} */ (
    el(
      "select",
      {},
      el("option", { value: "" }, "its own number of simulations"),
      SECONDS.map((value) => el("option", { value }, `${value} s`)),
    )
  );
  const timed = async (/** @type {string} */ bot) => {
    if (bot === "" || bot === "person" || seconds.value === "") return bot || "person";
    const own = withSetting(withSetting(bot, "simulations", null), "seconds", seconds.value);
    // Bots that do not search have no setting for time, and stay as they are.
    return ask("settings", own).then(() => own, () => bot);
  };
  const refused = el("p", { class: "notice", role: "alert", hidden: true });
  const start = async () => {
    const players = await Promise.all([black.value, white.value].map(timed));
    try {
      for (const bot of players.filter((player) => player !== "person")) await ask("settings", bot);
    } catch (fault) {
      refused.textContent = fault.message;
      refused.hidden = false;
      return;
    }
    dialog.close();
    onStart({
      size: size.value,
      komi: komi.value,
      rules: rules.value,
      black: players[0],
      white: players[1],
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
    size.element,
    black.element,
    white.element,
    field("A bot that searches thinks for", seconds),
    el("div", { class: "pair" }, handicap.element, field("Komi", komi)),
    field("Rules", rules),
    refused,
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
