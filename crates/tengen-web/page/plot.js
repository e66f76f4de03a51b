// Curves over an axis; the pointer or the arrow keys read their values.

import { percent, short, svg } from "./dom.js";

const WIDTH = 360;
const HEIGHT = 148;
const EDGE = { left: 34, right: 22, top: 8, bottom: 20 };

/**
 * @typedef {object} Series a curve
 * @property {string} name
 * @property {string} look the class of its colour
 * @property {[number, number][]} points by the axis, with values from 0 to 1
 * @property {boolean} [isDashed]
 * @property {boolean} [hasDots]
 * @property {boolean} [isFilled] whether what is below it is shaded
 * @property {string} [tag] a text at its end
 *
 * @typedef {{x: number, y: number, look: string}} Mark a highlighted place
 *
 * @typedef {object} Drawing
 * @property {Series[]} series
 * @property {number} from where the axis begins
 * @property {number} to
 * @property {number[]} stops places that can be read, in order
 * @property {number | null} at the place that is read or chosen
 * @property {Mark[]} [marks]
 * @property {number} [low] the least value that is drawn
 * @property {number} [high]
 */

/** Places of the ticks of an axis, at most `most`.
 * @param {number} from
 * @param {number} to
 */
export function linearTicks(from, to, most = 6) {
  const wanted = Math.max(to - from, 1e-9) / most;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((by) => by * power).find((one) => one >= wanted * 0.999);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, order) => (first + order) * step);
}

/** Places of the ticks of a logarithmic axis.
 * @param {number} from
 * @param {number} to
 */
export function logarithmicTicks(from, to) {
  const all = [];
  const isShort = to / from < 100;
  for (let power = 1; power <= to; power *= 10) {
    for (const by of isShort ? [1, 2, 5] : [1]) {
      if (by * power >= from && by * power <= to) all.push(by * power);
    }
  }
  return all;
}

/** The limits of values that are drawn, whole tenths with a little room.
 * @param {number[]} values
 * @returns {[number, number]}
 */
export function limits(values) {
  const least = Math.min(...values, 1);
  const most = Math.max(...values, 0);
  if (least > most) return [0, 1];
  const low = Math.max(0, Math.floor(10 * least - 0.2));
  return [low / 10, Math.min(10, Math.max(low + 2, Math.ceil(10 * most + 0.2))) / 10];
}

export class Plot {
  /**
   * @param {object} options
   * @param {string} options.label what the values are
   * @param {string} [options.look] a further class
   * @param {boolean} [options.isLogarithmic]
   * @param {(at: number) => string[]} options.describe lines of text about a place
   * @param {(at: number) => void} options.onRead where the pointer or the keys go
   * @param {((at: number) => void) | null} [options.onChoose] where it is clicked
   */
  constructor({ label, look = "", isLogarithmic = false, describe, onRead, onChoose = null }) {
    this.isLogarithmic = isLogarithmic;
    this.describe = describe;
    this.onRead = onRead;
    this.onChoose = onChoose;
    /** @type {Drawing} */
    this.drawing = { series: [], from: 0, to: 1, stops: [], at: null };
    /** @type {number | null} */
    this.pointed = null;
    this.tip = svg("g", { class: "tip" });
    this.body = svg("g");
    this.element = svg(
      "svg",
      {
        class: `plot ${look}`,
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: "slider",
        tabindex: "0",
        "aria-label": label,
        "aria-valuenow": "0",
        onpointermove: (event) => this.point(event),
        onpointerleave: () => this.showTip(null),
        onclick: (event) => this.point(event, true),
        onkeydown: (event) => this.key(event),
        onblur: () => this.showTip(null),
      },
      this.body,
      this.tip,
    );
    this.draw(this.drawing);
  }

  /** @param {number} value on the axis */
  x(value) {
    const { from, to } = this.drawing;
    const scale = this.isLogarithmic ? (one) => Math.log(Math.max(one, 1e-9)) : (one) => one;
    const share = (scale(value) - scale(from)) / Math.max(scale(to) - scale(from), 1e-9);
    return EDGE.left + share * (WIDTH - EDGE.left - EDGE.right);
  }

  /** @param {number} value */
  y(value) {
    const { low = 0, high = 1 } = this.drawing;
    const share = (value - low) / (high - low);
    return HEIGHT - EDGE.bottom - share * (HEIGHT - EDGE.top - EDGE.bottom);
  }

  /** @param {Drawing} drawing */
  draw(drawing) {
    this.drawing = drawing;
    const { series, at, marks = [] } = drawing;
    const filled = series.filter(({ isFilled }) => isFilled);
    const shapes = [...this.axes(), ...filled.map((one) => this.ground(one))];
    if (at !== null) {
      const x = this.x(at).toFixed(1);
      shapes.push(svg("path", { class: "now", d: `M${x} ${EDGE.top}V${HEIGHT - EDGE.bottom}` }));
    }
    for (const one of series) shapes.push(...this.curve(one));
    shapes.push(...this.tags());
    for (const { x, y, look } of marks) {
      shapes.push(svg("circle", { class: look, cx: this.x(x), cy: this.y(y), r: 4.6 }));
    }
    this.body.replaceChildren(...shapes);
    this.say();
    if (this.pointed !== null) this.showTip(this.pointed);
  }

  axes() {
    const { from, to, low = 0, high = 1 } = this.drawing;
    const [right, bottom] = [WIDTH - EDGE.right, HEIGHT - EDGE.bottom];
    const size = { width: right - EDGE.left, height: bottom - EDGE.top };
    const shapes = [svg("rect", { class: "ground", x: EDGE.left, y: EDGE.top, ...size })];
    for (const value of linearTicks(low, high, 4)) {
      const y = this.y(value);
      shapes.push(svg("path", { class: "grid", d: `M${EDGE.left} ${y.toFixed(1)}H${right}` }));
      shapes.push(svg("text", { class: "value", x: EDGE.left - 4, y: y + 3.4 }, percent(value)));
    }
    const whole = linearTicks(from, to).filter(Number.isInteger);
    const ticks = this.isLogarithmic ? logarithmicTicks(from, to) : whole;
    for (const value of ticks) {
      const x = this.x(value).toFixed(1);
      shapes.push(svg("path", { class: "grid", d: `M${x} ${bottom}v4` }));
      shapes.push(svg("text", { class: "tick", x, y: HEIGHT - 5 }, short(value)));
    }
    return shapes;
  }

  /** @param {Series} series */
  path({ points }) {
    return points
      .map(([x, y], order) => `${order ? "L" : "M"}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`)
      .join("");
  }

  /** @param {Series} series */
  ground(series) {
    const { points, look } = series;
    if (points.length < 2) return svg("g");
    const [first, last] = [points[0], points[points.length - 1]].map(([x]) => this.x(x).toFixed(1));
    const bottom = HEIGHT - EDGE.bottom;
    const d = `${this.path(series)}L${last} ${bottom}L${first} ${bottom}Z`;
    return svg("path", { class: `below ${look}`, d });
  }

  /** @param {Series} series */
  curve(series) {
    const { points, look, isDashed = false, hasDots = false } = series;
    const dashes = isDashed ? " dashed" : "";
    const shapes = [];
    if (points.length > 1) {
      shapes.push(svg("path", { class: `course ${look}${dashes}`, d: this.path(series) }));
    }
    for (const [x, y] of hasDots || points.length === 1 ? points : []) {
      const [cx, cy] = [this.x(x).toFixed(1), this.y(y).toFixed(1)];
      shapes.push(svg("circle", { class: `dot ${look}`, cx, cy, r: 2.2 }));
    }
    return shapes;
  }

  /** The texts at the ends of the curves, apart from each other. */
  tags() {
    const tagged = this.drawing.series.filter(({ tag, points }) => tag && points.length > 0);
    const ends = tagged.map(({ tag, look, points }) => {
      const [x, y] = points[points.length - 1];
      return { tag, look, x: this.x(x), y: this.y(y) };
    });
    ends.sort((one, other) => one.y - other.y);
    let free = -Infinity;
    for (const end of ends) {
      end.y = Math.max(end.y, free);
      free = end.y + 9;
    }
    let lowest = HEIGHT - EDGE.bottom;
    for (const end of ends.toReversed()) {
      end.y = Math.min(end.y, lowest);
      lowest = end.y - 9;
    }
    return ends.map(({ tag, look, x, y }) => {
      return svg("text", { class: `tag ${look}`, x: x + 3, y: y + 3.2 }, tag);
    });
  }

  /** The stop nearest to the pointer.
   * @param {PointerEvent} event
   */
  stopAt(event) {
    const box = this.element.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const { stops } = this.drawing;
    if (stops.length === 0) return null;
    const away = (/** @type {number} */ stop) => Math.abs(this.x(stop) - x);
    return stops.reduce((best, stop) => (away(stop) < away(best) ? stop : best));
  }

  /** @param {PointerEvent} event */
  point(event, isChosen = false) {
    const stop = this.stopAt(event);
    if (stop === null) return;
    this.showTip(stop);
    if (isChosen && this.onChoose) this.onChoose(stop);
    else this.onRead(stop);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { stops, at } = this.drawing;
    const last = stops.length - 1;
    if (last < 0) return;
    const here = at === null ? last : stops.findLastIndex((stop) => stop <= at);
    const steps = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -10,
      PageUp: 10,
    };
    const to = { Home: 0, End: last }[event.key] ?? here + (steps[event.key] ?? NaN);
    if (Number.isNaN(to)) return;
    event.preventDefault();
    // The board must not get this key too.
    event.stopPropagation();
    const stop = stops[Math.min(Math.max(to, 0), last)];
    this.showTip(stop);
    if (this.onChoose) this.onChoose(stop);
    else this.onRead(stop);
  }

  /** Shows the values at a place; null hides them.
   * @param {number | null} stop
   */
  showTip(stop) {
    this.pointed = stop;
    const lines = stop === null ? [] : this.describe(stop);
    if (lines.length === 0) {
      this.tip.replaceChildren();
      return;
    }
    const width = 12 + 5.4 * Math.max(...lines.map((line) => line.length));
    const height = 6 + 12 * lines.length;
    const isLeft = this.x(stop) + 8 + width > WIDTH;
    const x = Math.max(0, isLeft ? this.x(stop) - 8 - width : this.x(stop) + 8);
    this.tip.replaceChildren(
      svg("rect", { x, y: EDGE.top, width, height, rx: 4 }),
      ...lines.map((line, order) => {
        return svg("text", { x: x + 6, y: EDGE.top + 12 + 12 * order }, line);
      }),
    );
  }

  /** Tells screen readers the present place. */
  say() {
    const { stops, at } = this.drawing;
    const here = at ?? stops[stops.length - 1] ?? 0;
    const text = stops.length === 0 ? "no values yet" : this.describe(here).join(", ");
    const values = {
      valuemin: stops[0] ?? 0,
      valuemax: stops[stops.length - 1] ?? 0,
      valuenow: here,
    };
    for (const [name, value] of Object.entries(values)) {
      this.element.setAttribute(`aria-${name}`, String(value));
    }
    this.element.setAttribute("aria-valuetext", text);
  }
}
