// What a search has found, as a table, and the search itself.

import { think } from "./backend.js";
import { el, percent, short, whole } from "./dom.js";

const ROWS = 8;

/** One search at a time: a new one ends the one before. */
export class Thinker {
  constructor() {
    this.running = null;
  }

  /** Thinks; the updates go to `onUpdate` as long as nothing else is asked. */
  async start(request, onUpdate) {
    this.stop();
    const own = new AbortController();
    this.running = own;
    try {
      return await think(
        request,
        (update) => {
          if (!own.signal.aborted) onUpdate(update);
        },
        own.signal,
      );
    } finally {
      if (this.running === own) this.running = null;
    }
  }

  stop() {
    this.running?.abort();
    this.running = null;
  }
}

/** The table of a search; `onLine(moves or null)` is called for the line under the pointer. */
export class Findings {
  constructor(title, onLine) {
    this.onLine = onLine;
    this.pointed = null;
    this.update = null;
    this.rate = el("strong", { class: "rate" }, "–");
    this.figures = el("span", { class: "figures" });
    this.rows = Array.from({ length: ROWS }, () => this.row());
    const head = ["move", "visits", "win rate", "line"].map((name) => el("th", {}, name));
    this.element = el(
      "section",
      { class: "findings", "aria-label": title },
      el("p", { class: "summary" }, this.rate, this.figures),
      el(
        "table",
        { onpointerleave: () => this.point(null) },
        el("thead", {}, el("tr", {}, head)),
        el("tbody", {}, this.rows.map((row) => row.element)),
      ),
    );
    this.clear();
  }

  row() {
    const row = {};
    row.cells = [el("th", { scope: "row" }), el("td"), el("td"), el("td", { class: "line" })];
    row.element = el(
      "tr",
      {
        hidden: true,
        tabindex: "0",
        onpointerenter: () => this.point(row.move),
        onfocus: () => this.point(row.move),
        onblur: () => this.point(null),
      },
      row.cells,
    );
    return row;
  }

  point(move) {
    this.pointed = move;
    this.onLine(this.lineOf(move));
  }

  /** The principal variation that begins with `move`. */
  lineOf(move) {
    const found = this.update?.moves.find((known) => known.move === move);
    return found?.variation ?? null;
  }

  clear(text = "") {
    this.update = null;
    this.rate.textContent = "–";
    this.figures.textContent = text;
    this.element.classList.add("empty");
    for (const row of this.rows) row.element.hidden = true;
  }

  show(update) {
    this.update = update;
    this.element.classList.remove("empty");
    const { simulations, seconds, depth, max_depth: most, bytes } = update;
    if (update.black_win_rate !== null) {
      this.rate.textContent = `Black ${percent(update.black_win_rate, 1)}`;
    }
    const speed = seconds > 0.02 ? `${short(simulations / seconds)}/s` : "";
    const parts = [
      `${whole(simulations)} simulations`,
      speed,
      `depth ${depth.toFixed(1)} (${most})`,
      `${short(bytes / 1048576)} MiB`,
    ];
    if (update.ended_by === "memory") parts.push("the memory is full");
    this.figures.textContent = parts.filter((part) => part !== "").join(" · ");
    const all = update.moves.reduce((sum, { visits }) => sum + visits, 0);
    this.rows.forEach((row, order) => {
      const found = update.moves[order];
      row.element.hidden = !found;
      if (!found) return;
      row.move = found.move;
      const [move, visits, rate, line] = row.cells;
      move.textContent = found.move;
      visits.textContent = `${short(found.visits)} (${percent(found.visits / Math.max(1, all))})`;
      rate.textContent = found.proof ?? percent(found.win_rate, 1);
      line.textContent = (found.variation ?? []).slice(1, 7).join(" ");
    });
    if (this.pointed) this.onLine(this.lineOf(this.pointed));
  }
}
