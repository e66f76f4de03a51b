// The list of runs, as it changes.

import { address } from "../address.js";
import { runs } from "../backend.js";
import { el, sayFault, whole } from "../dom.js";
import { keep, write } from "./keyed.js";

/** What the list tells of a run.
 * @typedef {object} Summary
 * @property {string} name
 * @property {string} kind
 * @property {string | null} size
 * @property {number | null} komi
 * @property {string[]} bots
 * @property {number | null} scheduled
 * @property {boolean} has_test
 * @property {number} games
 * @property {"playing" | "finished" | "stopped"} progress
 * @property {string | null} started
 * @property {number} changed
 * @property {boolean} has_report
 */

/** How far a schedule is played: a text, and a bar while games are due. */
export class ProgressBar {
  constructor() {
    this.text = el("span");
    this.bar = /** @type {HTMLProgressElement} */ (el("progress"));
    this.element = el("span", { class: "played" }, this.text, this.bar);
  }

  /** @param {Summary} run */
  show({ games, scheduled, has_test: hasTest, progress }) {
    const isOver = progress === "finished";
    const hasEnd = scheduled !== null && !(hasTest && isOver);
    const end = hasEnd ? ` of ${whole(scheduled)}${hasTest ? " at most" : ""}` : "";
    const text = games > 0 || hasEnd ? `${whole(games)}${end}` : "";
    write(this.text, text);
    this.bar.hidden = isOver || !hasEnd;
    this.bar.max = scheduled || 1;
    this.bar.value = games;
    this.bar.setAttribute("aria-label", text);
  }
}

/** What a run does, as a badge.
 * @param {Element} badge
 * @param {string} progress
 */
export function showBadge(badge, progress) {
  badge.className = `badge ${progress}`;
  write(badge, progress);
}

/** Shows the list until `signal`.
 * @param {HTMLElement} main
 * @param {Record<string, string>} given
 * @param {AbortSignal} signal
 */
export function showRuns(main, given, signal) {
  const body = el("tbody");
  const filter = /** @type {HTMLInputElement} */ (
    el("input", {
      type: "search",
      id: "runs-filter",
      placeholder: "name, bot or size",
      oninput: () => draw(),
    })
  );
  const note = el("p", { class: "note" }, "Reading the runs…");
  const head = ["run", "kind", "board", "bots", "games", "state"];
  // Where there is nothing to show the note has its place.
  const table = el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of runs", hidden: true },
    el(
      "table",
      { class: "wide cards" },
      el("thead", {}, el("tr", {}, head.map((name) => el("th", {}, name)))),
      body,
    ),
  );
  main.append(
    el(
      "div",
      { class: "runs" },
      el("h1", {}, "Runs"),
      el("p", { class: "filter" }, el("label", { for: "runs-filter" }, "Filter "), filter),
      note,
      table,
    ),
  );
  /** @type {Summary[]} */
  let list = [];
  const draw = () => {
    const wanted = filter.value.trim().toLowerCase();
    const text = (run) => [run.name, run.kind, run.size, ...run.bots].join(" ").toLowerCase();
    const shown = list.filter((run) => text(run).includes(wanted));
    keep(body, shown, (run) => run.name, createRow, updateRow);
    note.hidden = shown.length > 0;
    table.hidden = shown.length === 0;
    write(note, list.length > 0 ? "No run has this." : "There are no runs in this folder.");
  };
  runs.watch((read, fault) => {
    if (fault) sayFault(fault);
    else list = read;
    draw();
  }, signal);
}

/** The bars of the rows.
 * @type {WeakMap<Element, ProgressBar>}
 */
const bars = new WeakMap();

/** @param {Summary} run */
function createRow(run) {
  const bar = new ProgressBar();
  const row = el(
    "tr",
    {},
    el("th", { scope: "row" }, el("a", { href: address("run", { name: run.name }) }, run.name)),
    el("td", { "data-name": "kind" }),
    el("td", { "data-name": "board" }),
    el("td", { class: "bots", "data-name": "bots" }),
    el("td", { class: "count", "data-name": "games" }, bar.element),
    el("td", { "data-name": "state" }, el("span", { class: "badge" })),
  );
  bars.set(row, bar);
  return row;
}

/** @param {HTMLTableRowElement} row
 * @param {Summary} run
 */
function updateRow(row, run) {
  const [, kind, size, bots, , progress] = row.cells;
  const first = run.bots.slice(0, 3).join(", ");
  row.className = run.progress;
  write(kind, run.kind);
  write(size, run.size ?? "");
  write(bots, run.bots.length > 3 ? `${first}, …` : first);
  bots.title = run.bots.join(", ");
  bars.get(row).show(run);
  showBadge(progress.firstElementChild, run.progress);
}
