// The list of the game records of a folder.

import { address } from "../address.js";
import { records } from "../backend.js";
import { el, sayFault, whole } from "../dom.js";
import { field } from "../play/setup.js";
import { found, sizeText } from "./found.js";

/** @import { Line } from "./found.js" */

/** Rows that are shown at once. */
const ROWS = 200;

/** Shows the list until `signal`.
 * @param {HTMLElement} main
 * @param {Record<string, string>} given
 * @param {AbortSignal} signal
 */
export async function showRecords(main, given, signal) {
  const body = el("tbody");
  const search = /** @type {HTMLInputElement} */ (
    el("input", { type: "search", placeholder: "player, result, size, date, file", oninput: () => draw() })
  );
  const note = el("p", { class: "note", role: "status" }, "Reading the records…");
  const head = ["file", "date", "black", "white", "result", "board", "moves", "event"];
  const table = el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of records", hidden: true },
    el(
      "table",
      { class: "wide cards" },
      el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))),
      body,
    ),
  );
  main.append(
    el(
      "div",
      { class: "runs" },
      el("h1", {}, "Records"),
      el(
        "form",
        { class: "filters of-runs", onsubmit: (event) => event.preventDefault() },
        field("Search", search),
      ),
      note,
      table,
    ),
  );
  /** @type {Line[]} */
  let all = [];
  const draw = () => {
    const shown = found(all, search.value);
    body.replaceChildren(...shown.slice(0, ROWS).map(row));
    table.hidden = shown.length === 0;
    const rest = shown.length > ROWS ? `, of which the first ${ROWS} are shown` : "";
    note.textContent = all.length === 0
      ? "This folder has no SGF files. The board opens a single file: Play, then Open SGF, or drop the file there."
      : `${whole(shown.length)} of ${whole(all.length)} records${rest}`;
  };
  try {
    all = await records.list();
    if (!signal.aborted) draw();
  } catch (fault) {
    if (signal.aborted) return;
    note.textContent = fault.message;
    sayFault(fault);
  }
}

/** The columns whose texts may be long. */
const LONG = ["black", "white", "event"];

/** @param {Line} line */
function row({ name, black, white, result, event, date, size, moves }) {
  const link = el("a", { href: address("play", { record: name }) }, name);
  const cells = { date, black, white, result, board: sizeText(size), moves: whole(moves), event };
  return el(
    "tr",
    {},
    el("th", { scope: "row", class: "text" }, link),
    Object.entries(cells).map(([label, text]) =>
      el("td", { "data-name": label, class: LONG.includes(label) ? "text" : null }, text),
    ),
  );
}
