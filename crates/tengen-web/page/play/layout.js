// The controls around the board.

import { address } from "../address.js";
import { measure } from "../backend.js";
import { button, el, say, sayFault, short } from "../dom.js";
import { toAddress } from "./address.js";
import { showHelp } from "./keys.js";
import { openRecord, savePicture, saveRecord } from "./record.js";
import { choose, settings } from "./settings.js";
import { clack } from "./sound.js";
import { isMoreThanMoves } from "./tree.js";

/** The buttons below the board, by name, and their toolbar.
 * @param {any} view
 */
export function toolbar(view) {
  const { dispatch } = view;
  const made = (label, keys, onclick, attributes = {}) => {
    const shortcut = keys === "" ? {} : { "aria-keyshortcuts": keys, title: `key: ${keys}` };
    return button(label, onclick, { ...shortcut, ...attributes });
  };
  const act = (label, keys, action) => made(label, keys, () => dispatch(action));
  const buttons = {
    confirm: made("Play here", "", () => view.boards[0].playAimed(), { class: "primary", hidden: true }),
    fresh: made("New game", "n", () => view.newGame(), { class: "primary" }),
    pass: act("Pass", "p", { type: "play", move: "pass" }),
    undo: act("Undo", "u", { type: "undo" }),
    redo: act("Redo", "r", { type: "redo" }),
    resign: act("Resign", "", { type: "resign" }),
    pause: act("Pause", "", { type: "pause" }),
    step: act("Step", "s", { type: "step" }),
    numbers: act("Numbers", "", { type: "show", key: "numbers" }),
    area: act("Area", "", { type: "show", key: "area" }),
  };
  const attributes = { class: "toolbar", role: "toolbar", "aria-label": "Game" };
  const pace = paceField();
  return { buttons, pace, element: el("div", attributes, Object.values(buttons), pace) };
}

/** The offered choices of the shortest time between two moves of bots, in milliseconds. */
const PACES = [
  [0, "at once"],
  [500, "every ½ s"],
  [1000, "every 1 s"],
  [2000, "every 2 s"],
  [5000, "every 5 s"],
];

/** The field for how fast two bots play. */
function paceField() {
  const field = /** @type {HTMLSelectElement} */ (
    el(
      "select",
      { "aria-label": "Moves of two bots", id: "pace", hidden: true },
      PACES.map(([value, text]) => {
        return el("option", { value, selected: value === settings.pace }, text);
      }),
    )
  );
  field.addEventListener("change", () => choose("pace", Number(field.value)));
  return field;
}

/** A box that is checked while a setting is on.
 * @param {"letters" | "sound" | "coordinates"} key
 * @param {string} id
 * @param {string} label
 * @param {() => void} onChange
 */
function settingBox(key, id, label, onChange = () => {}) {
  const box = /** @type {HTMLInputElement} */ (
    el("input", { type: "checkbox", id, checked: settings[key] })
  );
  box.addEventListener("change", () => {
    choose(key, box.checked);
    onChange();
  });
  return el("p", { class: "keys check" }, box, el("label", { for: id }, label));
}

/** The choices of how the page looks, which the browser keeps.
 * @param {any} view
 */
function lookFields(view) {
  const theme = /** @type {HTMLSelectElement} */ (
    el(
      "select",
      { id: "theme" },
      ["auto", "light", "dark"].map((value) => {
        const text = value === "auto" ? "as the system" : value;
        return el("option", { value, selected: value === settings.theme }, text);
      }),
    )
  );
  theme.addEventListener("change", () => {
    choose("theme", theme.value);
    showTheme();
  });
  return [
    el("p", { class: "keys check" }, el("label", { for: "theme" }, "Colours"), theme),
    settingBox("coordinates", "coordinates", "Coordinates of the board", () => showCoordinates(view.element)),
  ];
}

/** Shows the colours that are chosen. */
export function showTheme() {
  document.documentElement.dataset.theme = settings.theme;
}

/** Shows or hides the coordinates of the boards of a view.
 * @param {HTMLElement} view
 */
export function showCoordinates(view) {
  view.classList.toggle("without-coordinates", !settings.coordinates);
}

/** The controls that walk through the game and show the place in it.
 * @param {(action: import("./types.js").Action) => Promise<void>} dispatch
 * @param {() => import("./types.js").State} state
 */
export function walkBar(dispatch, state) {
  const walk = (label, to) => button(label, () => dispatch({ type: "seek", at: to(state()) }));
  const place = el("span", { class: "place" });
  const end = el("span", { class: "end-of-game" });
  const element = el(
    "div",
    { class: "toolbar walk", role: "group", "aria-label": "Moves" },
    walk("First", () => 0),
    walk("Back", ({ place }) => place - 1),
    walk("Next", ({ place }) => place + 1),
    walk("Last", ({ moves }) => moves.length),
    place,
    end,
  );
  return { element, place, end };
}

/** The course of the win rate.
 * @param {Element} chart
 */
export function courseSection(chart) {
  return el(
    "section",
    { class: "course", "aria-label": "Course of the win rate" },
    el("h2", {}, "Black's win rate over the game"),
    chart,
  );
}

/** Records, the link, and the keys.
 * @param {any} view
 */
export function recordSection(view) {
  const file = /** @type {HTMLInputElement} */ (
    el("input", {
      type: "file",
      accept: ".sgf",
      class: "hidden",
      id: "open-record",
      tabindex: "-1",
      "aria-label": "SGF file",
    })
  );
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (chosen) await openRecord(view.dispatch, chosen);
    file.value = "";
  });
  return el(
    "section",
    { class: "record", "aria-label": "Record" },
    el(
      "div",
      { class: "toolbar" },
      button("Save SGF", () => saveRecord(view.store.state), { id: "save-record" }),
      button("Open SGF", () => file.click()),
      button("Save SVG", () => savePicture(view.state, view.boards[0].element), {
        id: "save-picture",
        title: "The board as a picture",
      }),
      view.comment.edit,
      button("Copy link", () => copyLink(view.state), {
        title: "A link to this position, with all moves of the game",
      }),
      measure && button("Playouts/s", measurePlayouts),
      button("Keys", showHelp, { "aria-keyshortcuts": "?", title: "key: ?" }),
      file,
    ),
    view.comment.form,
    el("p", { class: "keys" }, "An SGF file can also be dropped here, and its text pasted."),
    lookFields(view),
    settingBox("letters", "letter-keys", "Keys of a single letter, space and ?"),
    settingBox("sound", "sound", "Sound of moves", () => settings.sound && clack()),
  );
}

/** Seconds for which playouts are measured. */
const MEASURED = 2;

async function measurePlayouts() {
  say(`measuring playouts on 9x9 for ${MEASURED} s`);
  try {
    say(`${short(await measure(9, MEASURED))} playouts per second on 9x9 in one worker`);
  } catch (fault) {
    sayFault(fault);
  }
}

/** Copies a link that contains the whole game: it opens even on a server without the run.
 * @param {import("./types.js").State} state
 */
async function copyLink(state) {
  const persons = /** @type {const} */ ({ black: "person", white: "person" });
  const place = /** @type {const} */ ({ run: "", game: "", filter: "", origin: "" });
  const own = state.run === "" ? { ...state, ...place } : { ...state, ...persons, ...place };
  const isMore = state.names !== null || isMoreThanMoves(state.tree);
  const lost = isMore ? ", without names, comments and other variations: Save SGF keeps them" : "";
  const what = `it holds the moves of this line${lost}`;
  const link = new URL(address("play", toAddress(own)), location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    say(`the link is copied: ${what}`);
  } catch {
    say(`the browser does not let a page copy: ${link} (${what})`);
  }
}
