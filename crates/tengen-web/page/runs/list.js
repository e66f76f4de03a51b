// The list of runs, updated as it changes.

import { address, writeAddress } from "../address.js";
import { runs } from "../backend.js";
import { el, sayFault, whole } from "../dom.js";
import { field } from "../play/setup.js";
import { keep, write } from "./keyed.js";
import { startButton } from "./start.js";
import { dateOf, shortName } from "./text.js";

/** A run as the list describes it.
 * @typedef {object} Summary
 * @property {string} name
 * @property {string} kind
 * @property {string | null} size
 * @property {number | null} komi
 * @property {string[]} bots
 * @property {number | null} scheduled
 * @property {boolean} has_test
 * @property {boolean} replays whether its games can be replayed if they have moves
 * @property {number} games or other units that are finished
 * @property {string} unit what a unit is called
 * @property {"playing" | "finished" | "stopped" | "broken"} progress
 * @property {string | null} fault what is wrong with its files
 * @property {string | null} answer in a few words
 * @property {string | null} started
 * @property {number} changed
 * @property {boolean} has_report
 * @property {{games?: string}} [files] of the page without a server
 */

const STATES = ["playing", "finished", "stopped", "broken"];

/** Rows that are drawn first: they fill the window before the remaining rows are drawn. */
const SCREENFUL = 20;

/** How much of a schedule is played: a text, and a bar while games are missing. */
export class ProgressBar {
  /** @param {string} unit after the number of games */
  constructor(unit = "") {
    this.unit = unit;
    this.text = el("span");
    this.bar = /** @type {HTMLProgressElement} */ (el("progress"));
    this.element = el("span", { class: "played" }, this.text, this.bar);
  }

  /** @param {Summary} run */
  show({ games, scheduled, has_test: hasTest, progress, unit: what }) {
    const isOver = progress === "finished";
    const hasEnd = scheduled !== null && !(hasTest && isOver);
    const end = hasEnd ? ` of ${whole(scheduled)}${hasTest ? " at most" : ""}` : "";
    const unit = what === "game" ? this.unit : ` ${what}s`;
    const text = games > 0 || hasEnd ? `${whole(games)}${end}${unit}` : "";
    write(this.text, text);
    this.bar.hidden = isOver || !hasEnd || progress === "broken";
    this.bar.max = scheduled || 1;
    this.bar.value = games;
    this.bar.setAttribute("aria-label", text);
  }
}

/** The state of a run, as a badge.
 * @param {HTMLElement} badge
 * @param {Summary} run
 */
export function showBadge(badge, { progress, fault }) {
  badge.className = `badge ${progress}`;
  badge.title = fault ?? "";
  write(badge, progress);
}

/** The order of the list: runs in progress, then the newest first.
 * @param {Summary} one
 * @param {Summary} other
 */
export function inOrder(one, other) {
  const isIdle = (/** @type {Summary} */ run) => Number(run.progress !== "playing");
  const [date, later] = [dateOf(one), dateOf(other)];
  if (isIdle(one) !== isIdle(other)) return isIdle(one) - isIdle(other);
  if (date !== later) return date < later ? 1 : -1;
  return one.name < other.name ? 1 : -1;
}

/** A choice of one of `names`, or any.
 * @param {string[]} names
 * @param {() => void} onchange
 */
function choice(names, onchange) {
  const options = ["any", ...names].map((name) => el("option", { value: name === "any" ? "" : name }, name));
  return /** @type {HTMLSelectElement} */ (el("select", { onchange }, options));
}

/** Shows the list until `signal`.
 * @param {HTMLElement} main
 * @param {Record<string, string>} given
 * @param {AbortSignal} signal
 */
export function showRuns(main, given, signal) {
  /** @type {Summary[]} */
  let list = [];
  let drawn = SCREENFUL;
  const body = el("tbody");
  const filter = /** @type {HTMLInputElement} */ (
    el("input", { type: "search", placeholder: "name, bot, size or answer", oninput: () => draw() })
  );
  const [kind, state] = [choice(given.kind ? [given.kind] : [], () => draw()), choice(STATES, () => draw())];
  // The address contains the choices, so that going back from a run restores them.
  const fields = { text: filter, kind, state };
  for (const [key, input] of Object.entries(fields)) input.value = given[key] ?? "";
  const note = el("p", { class: "note" }, "Reading the runs…");
  const head = ["run", "date", "kind", "board", "answer", "games", "state"];
  // Without runs to show, the note takes the table's place.
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
      el("div", { class: "heading" }, el("h1", {}, "Runs"), startButton(() => list.map((run) => run.name))),
      el(
        "form",
        { class: "filters of-runs", onsubmit: (event) => event.preventDefault() },
        field("Filter", filter),
        field("Kind", kind),
        field("State", state),
      ),
      note,
      table,
    ),
  );
  const draw = () => {
    const chosen = Object.entries(fields).map(([key, input]) => [key, input.value.trim()]);
    writeAddress("runs", Object.fromEntries(chosen));
    const wanted = filter.value.trim().toLowerCase();
    const text = (run) => [run.name, run.kind, run.size, run.answer, ...run.bots].join(" ").toLowerCase();
    const isShown = (run) => {
      return (
        text(run).includes(wanted) &&
        [run.kind, ""].includes(kind.value) &&
        [run.progress, ""].includes(state.value)
      );
    };
    const shown = list.filter(isShown).sort(inOrder);
    keep(body, shown.slice(0, drawn), (run) => run.name, createRow, updateRow);
    if (shown.length > drawn && !signal.aborted) {
      drawn += SCREENFUL;
      setTimeout(draw);
    }
    note.hidden = shown.length > 0;
    table.hidden = shown.length === 0;
    write(note, list.length > 0 ? "No run has this." : "There are no runs in this folder.");
  };
  // The kinds of the listed runs, beside the one of the address.
  const offer = () => {
    const offered = Array.from(kind.options, ({ value }) => value);
    const names = new Set(list.map((run) => run.kind).filter((name) => !offered.includes(name)));
    kind.append(...[...names].sort().map((name) => el("option", { value: name }, name)));
  };
  runs.watch((read, fault) => {
    if (fault) sayFault(fault);
    else list = read;
    offer();
    draw();
  }, signal);
}

/** The bars of the rows.
 * @type {WeakMap<Element, ProgressBar>}
 */
const bars = new WeakMap();

/** @param {Summary} run */
function createRow({ name }) {
  const bar = new ProgressBar();
  const link = el("a", { href: address("run", { name }), title: name }, shortName(name));
  const row = el(
    "tr",
    {},
    el("th", { scope: "row" }, link),
    el("td", { "data-name": "date" }),
    el("td", { "data-name": "kind" }),
    el("td", { "data-name": "board" }),
    el("td", { class: "text", "data-name": "answer" }),
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
  const [, date, kind, size, answer, , progress] = row.cells;
  row.className = run.progress;
  write(date, dateOf(run).slice(0, 10));
  write(kind, run.kind);
  write(size, run.size ?? "");
  write(answer, run.fault ?? run.answer ?? "");
  answer.classList.toggle("fault", run.fault !== null);
  answer.title = run.bots.join(", ");
  bars.get(row).show(run);
  showBadge(/** @type {HTMLElement} */ (progress.firstElementChild), run);
}
