// Game records in and out.

import { ask } from "../backend.js";
import { el, say, sayFault } from "../dom.js";
import { toRecord } from "./state.js";

/** @import { Action, State } from "./state.js" */

/** Saves the game as an SGF file.
 * @param {State} state
 */
export async function saveRecord(state) {
  try {
    const { sgf } = await ask("sgf", toRecord(state));
    const url = URL.createObjectURL(new Blob([sgf], { type: "application/x-go-sgf" }));
    const name = `tengen-${state.size}.sgf`;
    el("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    say(`saved as ${name}`);
  } catch (fault) {
    sayFault(fault);
  }
}

/** Bytes as a text, each as the character of its number.
 * @param {Uint8Array} bytes
 */
function toCharacters(bytes) {
  let text = "";
  // In parts, since a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

/** Opens an SGF file: its bytes are read in the charset that it names.
 * @param {(action: Action) => Promise<void>} dispatch
 * @param {File} file
 */
export async function openRecord(dispatch, file) {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { charset } = await ask("charset", { bytes: toCharacters(bytes) });
    const record = await ask("record", { sgf: new TextDecoder(charset).decode(bytes) });
    await dispatch({ type: "record", record });
    say([`read ${file.name}`, ...(record.warnings ?? [])].join("; "));
  } catch (fault) {
    sayFault(fault);
  }
}
