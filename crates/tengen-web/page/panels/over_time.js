// Visits and win rates of the moves of a search against its simulations.

import { el, percent, whole } from "../dom.js";
import { Plot, limits } from "../plot.js";
import { colours, curve, pointAt, topMoves } from "../play/course.js";

/** @import { Context } from "./findings.js"
 * @import { Course } from "../play/course.js"
 * @import { State } from "../play/types.js" */

/** Moves that are drawn. */
const MOVES = 5;

/** Fewest visits with which a win rate is drawn: with fewer visits it is noise. */
const LEAST = 10;

export class OverTimePanel {
  static title = "Search over time";

  /** @param {Context} context */
  constructor({ board }) {
    this.board = board;
    /** @type {Course[]} */
    this.courses = [];
    /** @type {string[]} */
    this.moves = [];
    /** @type {Map<string, number>} */
    this.colours = new Map();
    /** The simulations at which values are read; null for the end.
     * @type {number | null} */
    this.at = null;
    this.marked = "";
    const plot = (/** @type {string} */ label, /** @type {"share" | "rate"} */ what) => {
      const describe = (/** @type {number} */ at) => this.describe(at, what);
      return new Plot({ label, isLogarithmic: true, describe, onRead: (at) => this.read(at) });
    };
    this.shares = plot("Share of visits against simulations", "share");
    this.rates = plot("Win rate against simulations", "rate");
    const curves = (/** @type {string} */ title, /** @type {Plot} */ { element }) => {
      const below = el("p", { class: "axis below" }, "simulations");
      return el("div", {}, el("p", { class: "axis" }, title), element, below);
    };
    this.note = el("p", { class: "note" }, "The charts show a search: press Analyse, or let a bot think.");
    this.caption = el("caption");
    this.head = el("tr");
    this.rows = el("tbody");
    this.table = el("table", {}, this.caption, el("thead", {}, this.head), this.rows);
    this.body = el(
      "div",
      { hidden: true },
      curves("Share of the visits", this.shares),
      curves("Win rate of the player to move", this.rates),
      this.table,
    );
    this.element = el("div", { class: "over-time" }, this.note, this.body);
  }

  /** @param {State} state */
  show(state) {
    const courses = state.courses.filter((course, at) => state.findings[at] && course?.length > 0);
    const isSame =
      courses.length === this.courses.length &&
      courses.every((course, at) => course === this.courses[at]);
    if (isSame) return;
    if (courses.length === 0 || this.courses.length === 0) {
      this.colours = new Map();
      this.at = null;
    }
    this.courses = courses;
    this.draw();
  }

  draw() {
    const { courses } = this;
    this.note.hidden = courses.length > 0;
    this.body.hidden = courses.length === 0;
    if (courses.length === 0) return;
    this.moves = topMoves(courses, MOVES);
    this.colours = colours(this.colours, this.moves);
    const all = new Set(courses.flatMap((course) => course.map(({ simulations }) => simulations)));
    const stops = [...all].sort((one, other) => one - other);
    this.last = stops[stops.length - 1];
    if (this.at !== null && (this.at > this.last || this.at < stops[0])) this.at = null;
    const [from, to] = [stops[0], Math.max(this.last, stops[0] * 1.01)];
    for (const [plot, what] of /** @type {[Plot, "share" | "rate"][]} */ ([
      [this.shares, "share"],
      [this.rates, "rate"],
    ])) {
      const series = this.series(what);
      const values = series.flatMap(({ points }) => points.map(([, value]) => value));
      const [low, high] = what === "share" ? [0, limits(values)[1]] : limits(values);
      plot.draw({ series, from, to, stops, at: this.at, low, high });
    }
    this.drawTable();
  }

  /** @param {"share" | "rate"} what */
  series(what) {
    return this.moves.flatMap((move) => {
      const isPale = this.marked !== "" && this.marked !== move;
      const look = `colour-${this.colours.get(move)}${isPale ? " pale" : ""}`;
      const curves = this.courses.map((course) => curve(course, move, what, LEAST));
      const ends = curves.map((points) => points[points.length - 1]?.[1] ?? -1);
      // The name of a move stands at its higher curve.
      const named = ends.indexOf(Math.max(...ends));
      return curves.map((points, at) => {
        // Win rates end close to each other: names would stand at wrong values.
        const tag = what === "share" && at === named ? move : "";
        return { name: move, look, points, isDashed: at > 0, tag };
      });
    });
  }

  /** @param {number} at */
  read(at) {
    this.at = at;
    this.draw();
  }

  /** The values at a place of the axis.
   * @param {number} at
   * @param {"share" | "rate"} what
   */
  describe(at, what) {
    const lines = this.moves.map((move) => {
      const values = this.courses.map((course) => this.value(course, move, at, what));
      return `${move} ${values.join(" and ")}`;
    });
    return [`${whole(at)} simulations`, ...lines];
  }

  /** @param {Course} course
   * @param {string} move
   * @param {number} at
   * @param {"share" | "rate"} what
   */
  value(course, move, at, what) {
    const point = pointAt(course, at);
    const [known] = point ? curve([point], move, what) : [];
    return known ? percent(known[1], 1) : "–";
  }

  drawTable() {
    const at = this.at ?? this.last;
    this.caption.textContent =
      this.at === null
        ? `At the end, after ${whole(at)} simulations; point at a chart to read other values.`
        : `After ${whole(at)} simulations`;
    const isTwo = this.courses.length > 1;
    const names = isTwo
      ? ["move", "visits: first", "second", "win rate: first", "second"]
      : ["move", "visits", "win rate"];
    this.head.replaceChildren(...names.map((name) => el("th", {}, name)));
    const rows = this.moves.map((move) => {
      const values = /** @type {const} */ (["share", "rate"]).flatMap((what) => {
        return this.courses.map((course) => this.value(course, move, at, what));
      });
      const swatch = el("span", {
        class: `swatch colour-${this.colours.get(move)}`,
        "aria-hidden": "true",
      });
      return el(
        "tr",
        {
          class: move === this.marked ? "marked" : "",
          onpointerenter: () => this.mark(move),
          onpointerleave: () => this.mark(""),
        },
        el("th", { scope: "row" }, swatch, move),
        values.map((value) => el("td", {}, value)),
      );
    });
    const legend = isTwo
      ? el("tr", {}, el("td", { colspan: "5", class: "note" }, "The second search is dashed."))
      : null;
    this.rows.replaceChildren(...rows, ...(legend ? [legend] : []));
  }

  /** Shows the curves of one move above all other curves.
   * @param {string} move
   */
  mark(move) {
    if (this.marked === move) return;
    this.marked = move;
    for (const [plot, what] of /** @type {[Plot, "share" | "rate"][]} */ ([
      [this.shares, "share"],
      [this.rates, "rate"],
    ])) {
      plot.draw({ ...plot.drawing, series: this.series(what) });
    }
  }

  leave() {
    this.marked = "";
  }
}
