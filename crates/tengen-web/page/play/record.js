// Opening and saving of game records, also dropped and pasted ones, and saving of pictures.

import { ask } from "../backend.js";
import { el, say, sayFault } from "../dom.js";
import { toRecord } from "./state.js";

/** @import { Action, State } from "./types.js" */

/** Gives `text` to the person as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  say(`saved as ${name}`);
}

/** The name of a saved record: the players, the size and the date.
 * @param {State} state
 */
function fileName(state, now = new Date()) {
  const { black, white } = toRecord(state);
  const plain = (/** @type {string} */ name) => {
    return name.replaceAll(/[^\p{L}\p{N}.]+/gu, "-").replaceAll(/^-+|-+$/g, "").slice(0, 40) || "unknown";
  };
  const day = now.toISOString().slice(0, 10);
  return `${plain(black)}-against-${plain(white)}-${state.size}-${day}.sgf`;
}

/** Saves the game with its variations as an SGF file.
 * @param {State} state
 */
export async function saveRecord(state) {
  try {
    const { sgf } = await ask("sgf", toRecord(state));
    save(fileName(state), sgf, "application/x-go-sgf");
  } catch (fault) {
    sayFault(fault);
  }
}

/** Saves the board as it is seen.
 * @param {State} state
 * @param {SVGSVGElement} board
 */
export function savePicture(state, board) {
  save(`tengen-${state.size}-move-${state.place}.svg`, toPicture(board), "image/svg+xml");
}

/** Bytes as a text: each byte becomes the character with its number.
 * @param {Uint8Array} bytes
 */
function toCharacters(bytes) {
  let text = "";
  // In parts, since the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

/** Opens an SGF file: the bytes of its first game are read in the charset of that game.
 * @param {(action: Action) => Promise<void>} dispatch
 * @param {File} file
 */
export async function openRecord(dispatch, file) {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { charset, end, warnings } = await ask("charset", { bytes: toCharacters(bytes) });
    const sgf = new TextDecoder(charset).decode(bytes.subarray(0, end));
    await readRecord(dispatch, file.name, sgf, warnings);
  } catch (fault) {
    sayFault(fault);
  }
}

/** Opens a record, which is called `name`.
 * @param {(action: Action) => Promise<void>} dispatch
 * @param {string} name
 * @param {string} sgf
 * @param {string[]} doubts what is doubtful about its charset
 */
async function readRecord(dispatch, name, sgf, doubts = []) {
  try {
    const record = await ask("record", { sgf });
    await dispatch({ type: "record", record });
    say([`read ${name}`, ...doubts, ...(record.warnings ?? [])].join("; "));
  } catch (fault) {
    sayFault(fault);
  }
}

/** Takes records until `signal`.
 * @param {(action: Action) => Promise<void>} dispatch
 * @param {AbortSignal} signal
 */
export function takeRecords(dispatch, signal) {
  const take = async (/** @type {DataTransfer} */ data, /** @type {string} */ how) => {
    const [file] = data.files;
    const text = data.getData("text/plain");
    if (file) await openRecord(dispatch, file);
    else if (text.trim() !== "") await readRecord(dispatch, `what was ${how}`, text);
  };
  const isOver = (/** @type {boolean} */ is) => document.body.classList.toggle("dropping", is);
  document.addEventListener(
    "dragover",
    (event) => {
      if (!event.dataTransfer) return;
      // Without this the browser would leave the page for the file.
      event.preventDefault();
      isOver(true);
    },
    { signal },
  );
  const leave = (/** @type {DragEvent} */ event) => event.relatedTarget ?? isOver(false);
  document.addEventListener("dragleave", leave, { signal });
  document.addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      isOver(false);
      if (event.dataTransfer) take(event.dataTransfer, "dropped");
    },
    { signal },
  );
  document.addEventListener(
    "paste",
    (event) => {
      const target = /** @type {Element} */ (event.target);
      if (target.closest?.("input, select, textarea, dialog") || !event.clipboardData) return;
      event.preventDefault();
      take(event.clipboardData, "pasted");
    },
    { signal },
  );
  signal.addEventListener("abort", () => isOver(false));
}

/** The properties that style sheets set, with the default values, which are not written. */
const SHAPE = {
  fill: "",
  "fill-opacity": "1",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  opacity: "1",
};
const TEXT = {
  "font-family": "",
  "font-size": "",
  "font-weight": "400",
  "text-anchor": "start",
  "dominant-baseline": "auto",
  "paint-order": "normal",
};

/** The parts of the board that a picture leaves out. */
const LEFT_OUT = ".points, .ghost";

/** The board as it is seen, as SVG with the colours of this page.
 * @param {SVGSVGElement} board
 */
function toPicture(board) {
  const picture = /** @type {SVGSVGElement} */ (board.cloneNode(true));
  const shapes = picture.querySelectorAll("*");
  board.querySelectorAll("*").forEach((shown, at) => {
    if (!shown.closest(LEFT_OUT)) dress(/** @type {SVGElement} */ (shapes[at]), shown);
  });
  for (const part of picture.querySelectorAll(LEFT_OUT)) part.remove();
  const label = board.getAttribute("aria-label");
  const { width, height } = board.viewBox.baseVal;
  for (const { name } of [...picture.attributes]) {
    if (name !== "viewBox") picture.removeAttribute(name);
  }
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", String(height));
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  title.textContent = label;
  picture.prepend(title);
  return `${new XMLSerializer().serializeToString(picture)}\n`;
}

/** Writes the style of `shown` into `shape`.
 * @param {SVGElement} shape
 * @param {Element} shown
 */
function dress(shape, shown) {
  const style = getComputedStyle(shown);
  const isGroup = ["g", "defs", "radialGradient", "stop"].includes(shape.localName);
  const usual = isGroup ? { opacity: "1" } : SHAPE;
  const all = shape.localName === "text" ? { ...usual, ...TEXT } : usual;
  for (const [name, plain] of Object.entries(all)) {
    const value = style.getPropertyValue(name);
    if (value !== plain) shape.setAttribute(name, value.replaceAll('"', ""));
  }
  for (const name of ["class", "aria-hidden"]) shape.removeAttribute(name);
}
