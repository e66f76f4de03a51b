// One run: its progress and control, its standing, its tables, its games and its report.

import { experiments, runs } from "../backend.js";
import { button, el, say, sayFault } from "../dom.js";
import { CardView } from "./card.js";
import { Dashboard } from "./dashboard.js";
import { GamesTable } from "./games.js";
import { keep, write } from "./keyed.js";
import { ProgressBar, showBadge } from "./list.js";
import { Tables } from "./tables.js";

/** @import { Summary } from "./list.js" */

/** Least and most milliseconds between two looks at a run in progress, and their ratio to the time
 * of the last look: most of the machine's time is for playing. */
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

/** Whether a run has the standing of a tournament.
 * @param {Summary} run
 */
function hasStanding({ replays }) {
  return replays;
}

/** Whether the games of a run can be listed.
 * @param {Summary} run
 */
function hasGames({ unit, games, files }) {
  return unit === "game" && games > 0 && (files === undefined || files.games !== undefined);
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
    this.bar = new ProgressBar(" games");
    this.badge = el("span", { class: "badge" });
    this.facts = el("p", {}, "Reading the run…");
    this.count = el("p", { class: "count", hidden: true }, this.badge, " ", this.bar.element);
    this.control = new ControlView(this.name);
    this.faults = el("ul", { class: "faults", "aria-label": "What cannot be read" });
    this.card = new CardView();
    this.tables = new Tables(this.name, given.row ?? "");
    this.places = { standing: el("div"), games: el("div"), report: el("div"), config: el("div") };
    const { standing, games, report, config } = this.places;
    // Shown once it is complete: a part that came later would move the parts below it.
    this.contents = el(
      "div",
      { hidden: true },
      this.faults,
      this.card.element,
      standing,
      this.tables.element,
      games,
      report,
      config,
    );
    this.element = el(
      "div",
      { class: "run" },
      el("p", {}, el("a", { href: "#/runs" }, "All runs")),
      el("h1", {}, this.name),
      el("div", { class: "about" }, this.facts, this.count),
      this.control.element,
      this.contents,
    );
  }

  /** @param {string} text */
  note(text) {
    write(this.facts, text);
  }

  /** Shows the run `own` with all its parts.
   * @param {Summary} own
   * @param {AbortSignal} signal
   */
  async show(own, signal) {
    this.shown = JSON.stringify(own);
    this.showHead(own);
    if (hasStanding(own) && this.dashboard === null) {
      this.dashboard = new Dashboard(this.name);
      this.places.standing.append(this.dashboard.element);
    }
    if (hasGames(own) && this.games === null) {
      this.games = new GamesTable(this.name, own.bots, this.given, own.replays);
      this.places.games.append(this.games.element);
    }
    // The detail names a file that cannot be read; all other parts are shown.
    const isBroken = () => null;
    const [standing, detail] = await Promise.all([
      hasStanding(own) ? runs.standing(this.name).catch(isBroken) : null,
      runs.detail(this.name),
      this.games?.load(),
    ]);
    if (signal.aborted) return;
    // Showing a run checks its files; the list checks them only little by little.
    this.showHead({ ...own, progress: detail.progress, fault: detail.fault });
    const faults = new Set([detail.fault, ...detail.card.faults].filter((fault) => fault !== null));
    keep(this.faults, [...faults], (fault) => fault, (fault) => el("li", { class: "fault" }, fault));
    this.faults.hidden = faults.size === 0;
    this.control.show(detail.control);
    this.card.show(detail.card, hasStanding(own) ? null : detail.clock);
    if (standing !== null) this.dashboard.show(standing, own.progress === "playing");
    this.tables.show(detail.tables, standing !== null);
    this.games?.explain(detail.repeat);
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
    showBadge(this.badge, run);
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

/** @typedef {object} Control
 * @property {boolean} stop
 * @property {boolean} resume
 * @property {[string, number] | null} extent the setting by which it can be extended, and its value
 * @property {string | null} fault
 */

/** The buttons of a run. */
class ControlView {
  /** @param {string} name of the run */
  constructor(name) {
    this.stop = button("Stop", () => this.act("Stopping…", () => experiments.stop(name)));
    this.resume = button("Resume", () => this.act("Resuming…", () => experiments.resume(name)), { class: "primary" });
    this.number = /** @type {HTMLInputElement} */ (el("input", { type: "number", step: "1" }));
    this.unit = el("label", { for: "extend-to" });
    this.number.id = "extend-to";
    this.extend = el(
      "form",
      {
        class: "toolbar",
        onsubmit: (event) => {
          event.preventDefault();
          this.act("Extending…", () => experiments.extend(name, Number(this.number.value)));
        },
      },
      el("button", { type: "submit" }, "Extend"),
      this.unit,
      this.number,
    );
    this.fault = el("p", { class: "fault" });
    this.element = el("div", { class: "control", hidden: true }, this.stop, this.resume, this.extend, this.fault);
  }

  /** @param {Control | undefined} control */
  show(control) {
    this.element.hidden = control === undefined;
    if (control === undefined) return;
    const { stop, resume, extent, fault } = control;
    this.stop.hidden = !stop;
    this.resume.hidden = !resume;
    this.extend.hidden = extent === null;
    write(this.fault, fault ?? "");
    if (extent === null) return;
    const [key, value] = extent;
    write(this.unit, `to this number of ${key} (now ${value}):`);
    if (this.number.min === String(value + 1)) return;
    this.number.min = String(value + 1);
    this.number.value = String(2 * value);
  }

  /** Sends a request; the list of runs then shows its effect.
   * @param {string} text
   * @param {() => Promise<any>} work
   */
  async act(text, work) {
    say(text);
    try {
      await work();
      say("");
    } catch (fault) {
      sayFault(fault);
    }
  }
}
