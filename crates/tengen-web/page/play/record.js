// Opening and saving of game records, and saving of pictures.

import { ask } from "../backend.js";
import { el, say, sayFault } from "../dom.js";
import { toPicture } from "./picture.js";
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
export function fileName(state, now = new Date()) {
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
export async function readRecord(dispatch, name, sgf, doubts = []) {
  try {
    const record = await ask("record", { sgf });
    await dispatch({ type: "record", record });
    say([`read ${name}`, ...doubts, ...(record.warnings ?? [])].join("; "));
  } catch (fault) {
    sayFault(fault);
  }
}
