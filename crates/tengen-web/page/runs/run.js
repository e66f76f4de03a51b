// One run: its progress, its standing, its tables, its games and its report.

import { runs } from "../backend.js";
import { el, sayFault } from "../dom.js";
import { Dashboard } from "./dashboard.js";
import { GamesTable } from "./games.js";
import { keep, write, writeCells } from "./keyed.js";
import { ProgressBar, showBadge } from "./list.js";
import { cells } from "./text.js";

/** @import { Summary } from "./list.js" */

/** Milliseconds between two looks at a run that is being played, at least and at most, and how many
 * times longer than the last look took they are: the machine is to play. */
const [PAUSE, MOST, SHARE] = [300, 10_000, 5];

/** Shows the run that the address names, until `signal`.
 * @param {HTMLElement} main
 * @param {Record<string, string>} given
 * @param {AbortSignal} signal
 */
export async function showRun(main, given, signal) {
  const view = new RunView(given);
  main.append(view.element);
  /** @type {Summary | null} */
  let wanted = null;
  let isBusy = false;
  const refresh = async () => {
    if (isBusy) return;
    isBusy = true;
    while (wanted !== null && !signal.aborted) {
      const own = wanted;
      wanted = null;
      const began = performance.now();
      try {
        await view.show(own, signal);
      } catch (fault) {
        if (!signal.aborted) sayFault(fault);
      }
      const pause = Math.min(Math.max(PAUSE, SHARE * (performance.now() - began)), MOST);
      await new Promise((done) => setTimeout(done, pause));
    }
    isBusy = false;
  };
  runs.watch((list, fault) => {
    if (fault) sayFault(fault);
    const own = list?.find((run) => run.name === view.name);
    if (list && !own) view.note("There is no such run in this folder.");
    if (!own || JSON.stringify(own) === view.shown) return;
    wanted = own;
    refresh();
  }, signal);
}

class RunView {
  /** @param {Record<string, string>} given */
  constructor(given) {
    this.given = given;
    this.name = given.name ?? "";
    /** What is shown, as text. */
    this.shown = "";
    /** @type {GamesTable | null} */
    this.games = null;
    /** @type {Dashboard | null} */
    this.dashboard = null;
    this.bar = new ProgressBar();
    this.badge = el("span", { class: "badge" });
    this.facts = el("p", {}, "Reading the run…");
    this.count = el("p", { class: "count", hidden: true }, this.badge, " games: ", this.bar.element);
    this.tables = el("div");
    this.places = { standing: el("div"), games: el("div"), report: el("div"), config: el("div") };
    const { standing, games, report, config } = this.places;
    // Shown once all of it is there: what comes above the rest would move it.
    this.contents = el("div", { hidden: true }, standing, this.tables, games, report, config);
    this.element = el(
      "div",
      { class: "run" },
      el("p", {}, el("a", { href: "#/runs" }, "All runs")),
      el("h1", {}, this.name),
      el("div", { class: "about" }, this.facts, this.count),
      this.contents,
    );
  }

  /** @param {string} text */
  note(text) {
    write(this.facts, text);
  }

  /** Shows `own`, and what belongs to it.
   * @param {Summary} own
   * @param {AbortSignal} signal
   */
  async show(own, signal) {
    this.shown = JSON.stringify(own);
    this.showHead(own);
    const hasStanding = own.kind === "tournament";
    if (hasStanding && this.dashboard === null) {
      this.dashboard = new Dashboard(this.name);
      this.places.standing.append(this.dashboard.element);
    }
    if (own.games > 0 && this.games === null) {
      this.games = new GamesTable(this.name, own.bots, this.given);
      this.places.games.append(this.games.element);
    }
    const [standing, detail] = await Promise.all([
      hasStanding ? runs.standing(this.name) : null,
      runs.detail(this.name),
      this.games?.load(),
    ]);
    if (signal.aborted) return;
    if (standing !== null) this.dashboard.show(standing, own.progress === "playing");
    const create = (/** @type {[string, string]} */ [name]) => createTable(name, name === "ratings.csv" && !hasStanding);
    keep(this.tables, detail.tables, ([name]) => name, create, updateTable);
    this.showReport(own);
    this.showConfig(detail.config);
    this.contents.hidden = false;
  }

  /** @param {Summary} run */
  showHead(run) {
    const facts = [
      run.kind,
      run.size,
      run.komi === null ? null : `komi ${run.komi}`,
      run.started ? `begun ${run.started.slice(0, 16).replace("T", " ")} UTC` : null,
    ];
    write(this.facts, facts.filter((fact) => fact).join(" · "));
    this.count.hidden = false;
    showBadge(this.badge, run.progress);
    this.bar.show(run);
  }

  /** @param {Summary} run */
  showReport(run) {
    const { report } = this.places;
    if (!run.has_report || report.hasChildNodes()) return;
    const url = runs.report(this.name);
    const frame = /** @type {HTMLIFrameElement} */ (
      el("iframe", { title: `Report of ${this.name}`, loading: "lazy", sandbox: "" })
    );
    const box = /** @type {HTMLDetailsElement} */ (
      el(
        "details",
        {},
        el("summary", {}, "Report"),
        el("p", {}, el("a", { href: url, target: "_blank", rel: "noopener" }, "Open in a tab of its own")),
        frame,
      )
    );
    box.addEventListener("toggle", () => {
      if (box.open && !frame.src) frame.src = url;
    });
    report.append(box);
  }

  /** @param {string} config */
  showConfig(config) {
    const { config: place } = this.places;
    if (config === "") return;
    if (!place.hasChildNodes()) {
      place.append(el("details", {}, el("summary", {}, "config.toml"), el("pre")));
    }
    write(place.querySelector("pre"), config);
  }
}

/** @param {string} name
 * @param {boolean} isOpen
 */
function createTable(name, isOpen) {
  const region = { class: "scroll", tabindex: "0", role: "region", "aria-label": name };
  return el(
    "details",
    { open: isOpen },
    el("summary", {}, name),
    el("div", region, el("table", { class: "wide" }, el("thead"), el("tbody"))),
  );
}

/** @param {HTMLDetailsElement} box
 * @param {[string, string]} table name and text
 */
function updateTable(box, [, text]) {
  const [head, ...lines] = text.trim().split("\n").map(cells);
  const number = (cell) => (/^-?\d+\.\d{3,}$/.test(cell) ? Number(cell).toFixed(3) : cell);
  const show = (parent, rows, name) => {
    const items = rows.map((texts, place) => ({ place, texts }));
    const key = ({ place, texts }) => `${place} ${texts.length}`;
    const create = ({ texts }) => el("tr", {}, texts.map(() => el(name)));
    keep(box.querySelector(parent), items, key, create, (row, { texts }) => writeCells(row, texts));
  };
  show("thead", [head.map((name) => name.replaceAll("_", " "))], "th");
  show("tbody", lines.map((line) => line.map(number)), "td");
}
