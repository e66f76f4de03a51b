// The form of a new game.

import { button, el, say } from "./dom.js";

const RULES = [
  ["tengen", "Tengen: positional superko, no suicide"],
  ["tromp-taylor", "Tromp-Taylor: positional superko, suicide"],
  ["aga", "AGA: situational superko, no suicide"],
  ["new-zealand", "New Zealand: situational superko, suicide"],
  ["simple", "Simple ko, no suicide"],
];

let fields = 0;

/** A labelled field. */
export function field(label, input, help = "") {
  fields += 1;
  input.id = `field-${fields}`;
  const about = help ? el("small", { id: `${input.id}-help` }, help) : null;
  if (about) input.setAttribute("aria-describedby", about.id);
  return el("div", { class: "field" }, el("label", { for: input.id }, label), input, about);
}

function sides(chosen) {
  const sizes = Array.from({ length: 18 }, (_, less) => less + 2);
  const option = (size) => el("option", { value: size, selected: String(size) === chosen }, size);
  return el("select", {}, sizes.map(option));
}

/** A field for a bot: its name or its specification. */
export function botField(bots, value, withPerson) {
  fields += 1;
  const list = el("datalist", { id: `bots-${fields}` });
  if (withPerson) list.append(el("option", { value: "person" }, "somebody at this board"));
  for (const { spec, help, searches } of bots) {
    if (withPerson || searches) list.append(el("option", { value: spec }, help));
  }
  const input = el("input", {
    list: list.id,
    value,
    required: true,
    autocomplete: "off",
    spellcheck: "false",
  });
  return { input, list };
}

/** Shows the form; `onStart` gets what a new game changes of the state. */
export function showSetup(state, bots, onStart) {
  const [columns, rows = columns] = state.size.split("x");
  const width = sides(columns);
  const height = sides(rows);
  const komi = el("input", {
    type: "number",
    step: "0.5",
    min: "-1000",
    max: "1000",
    value: state.komi,
    placeholder: "of the size",
  });
  width.addEventListener("change", () => {
    height.value = width.value;
    komi.value = "";
  });
  height.addEventListener("change", () => (komi.value = ""));
  const rules = el(
    "select",
    {},
    RULES.map(([name, text]) => {
      const isChosen = name === state.rules || (name === "tengen" && state.rules === "chinese");
      return el("option", { value: name, selected: isChosen }, text);
    }),
  );
  const black = botField(bots, state.black, true);
  const white = botField(bots, state.white, true);
  const swap = button("Swap colours", () => {
    [black.input.value, white.input.value] = [white.input.value, black.input.value];
  });
  const start = () => {
    const named = ({ input }) => input.value.trim() || "person";
    onStart({
      size: `${width.value}x${height.value}`,
      komi: komi.value,
      rules: rules.value,
      black: named(black),
      white: named(white),
      seed: String(Math.floor(Math.random() * 1e9)),
    });
    dialog.close();
  };
  const about = "person, or a bot: choose one, or write uct:playouts=500,exploration=0.3";
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
    field("Komi", komi),
    field("Rules", rules),
    field("Black", black.input, about),
    field("White", white.input),
    black.list,
    white.list,
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "submit", class: "primary" }, "Start"),
      swap,
      button("Cancel", () => dialog.close()),
    ),
  );
  const dialog = el("dialog", { "aria-labelledby": "setup-title", class: "setup" }, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  say("");
}
