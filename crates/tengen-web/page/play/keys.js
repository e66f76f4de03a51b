// The keys of the board, the window that shows them, and the wheel.

import { button, el } from "../dom.js";
import { settings } from "./settings.js";

/** Number of moves that page up and page down walk. */
const MANY = 10;

/**
 * @typedef {object} Key
 * @property {string[]} names as they are shown
 * @property {string} text what it does
 * @property {boolean} [isLetter] whether it can be switched off
 * @property {Record<string, (view: any) => void>} acts by the keys that do it
 */

/** @param {import("./types.js").Action} action */
const act = (action) => (/** @type {any} */ view) => view.dispatch(action);
/** @param {number} by moves */
const walk = (by) => act({ type: "walk", by });

/** @type {Key[]} */
const KEYS = [
  {
    names: ["←", "→"],
    text: "back and forward by a move; the wheel over the board does the same",
    acts: { ArrowLeft: walk(-1), ArrowRight: walk(1) },
  },
  {
    names: ["PgUp", "PgDn"],
    text: `back and forward by ${MANY} moves`,
    acts: { PageUp: walk(-MANY), PageDown: walk(MANY) },
  },
  {
    names: ["Home", "End"],
    text: "to the first and the last position",
    acts: { Home: act({ type: "seek", at: 0 }), End: act({ type: "seek", at: Infinity }) },
  },
  {
    names: ["↑", "↓"],
    text: "to the variation before and the next one",
    acts: {
      ArrowUp: act({ type: "beside", by: -1 }),
      ArrowDown: act({ type: "beside", by: 1 }),
    },
  },
  {
    names: ["Enter", "Tab"],
    text: "to the board: then arrows walk over its points, and Enter plays. "
      + "Shift with an arrow still walks through the game, Escape leaves the points",
    acts: { Enter: (view) => view.boards[0].enter() },
  },
  { names: ["p"], text: "pass", isLetter: true, acts: { p: act({ type: "play", move: "pass" }) } },
  {
    names: ["u", "r"],
    text: "undo and redo: back or forward to a person's move",
    isLetter: true,
    acts: { u: act({ type: "undo" }), r: act({ type: "redo" }) },
  },
  { names: ["s"], text: "one move of a bot", isLetter: true, acts: { s: act({ type: "step" }) } },
  {
    names: ["space"],
    text: "begin and end the analysis",
    isLetter: true,
    acts: { " ": act({ type: "analyse" }) },
  },
  { names: ["n"], text: "new game", isLetter: true, acts: { n: (view) => view.newGame() } },
  { names: ["?"], text: "these keys", isLetter: true, acts: { "?": () => showHelp() } },
];

/** Shows the keys and their actions. */
export function showHelp() {
  showKeys(KEYS, settings.letters);
}

/** Does what a key does, for `view`.
 * @param {any} view
 * @param {KeyboardEvent} event
 */
export function takeKey(view, event) {
  const target = /** @type {Element} */ (event.target);
  const typing = target.closest?.("input, select, textarea, dialog");
  if (typing || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  const key = KEYS.find(({ acts }) => Object.hasOwn(acts, event.key));
  if (!key || (key.isLetter && !settings.letters)) return;
  // Buttons and scrolling parts use these keys themselves.
  const isPressed = event.key === " " || event.key === "Enter";
  if (isPressed && target.closest?.("button, a, summary")) return;
  if (!key.isLetter && !isPressed && target.closest?.(".scroll, summary")) return;
  // Without a game to walk through, they scroll the page.
  if (!key.isLetter && !isPressed && view.state.moves.length === 0) return;
  event.preventDefault();
  key.acts[event.key](view);
}

/** Shows what the keys do.
 * @param {{names: string[], text: string}[]} keys
 * @param {boolean} hasLetters whether keys of a single letter are on
 */
function showKeys(keys, hasLetters) {
  const row = ({ names, text }) => {
    const shown = names.flatMap((name, at) => [at > 0 ? " " : null, el("kbd", {}, name)]);
    return el("tr", {}, el("th", { scope: "row" }, shown), el("td", {}, text));
  };
  const off = "Keys of a single letter, space and ? are off: a checkbox on the page turns them on.";
  const dialog = /** @type {HTMLDialogElement} */ (
    el(
      "dialog",
      { "aria-labelledby": "keys-title", class: "help" },
      // The focus is at the top, so that a low window shows the table from its beginning.
      el("h2", { id: "keys-title", tabindex: "-1", autofocus: true }, "Keys"),
      hasLetters ? null : el("p", { class: "note" }, off),
      el("table", {}, el("tbody", {}, keys.map(row))),
      el("div", { class: "buttons" }, button("Close", () => dialog.close(), { class: "primary" })),
    )
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Pixels of wheel movement for one move, and the wheel's other units in pixels. */
const NOTCH = 60;
const WHEEL_UNITS = [1, 30, 400];

/** Calls `walk` with 1 or -1 for each move that the wheel turns over `element`, unless there is no
 * game to walk through.
 * @param {Element} element
 * @param {() => boolean} hasGame
 * @param {(by: number) => void} walk
 */
export function listenToWheel(element, hasGame, walk) {
  let turned = 0;
  const turn = (/** @type {WheelEvent} */ event) => {
    if (event.ctrlKey || event.deltaY === 0 || !hasGame()) return;
    event.preventDefault();
    if (Math.sign(turned) !== Math.sign(event.deltaY)) turned = 0;
    turned += event.deltaY * (WHEEL_UNITS[event.deltaMode] ?? 1);
    if (Math.abs(turned) < NOTCH) return;
    // In some browsers a notch of the wheel is more than NOTCH pixels; it still is one move.
    walk(Math.sign(turned));
    turned = 0;
  };
  // Only a listener that is not passive can prevent scrolling.
  element.addEventListener("wheel", turn, { passive: false });
}
