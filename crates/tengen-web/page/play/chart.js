// The course of Black's win rate over a game.

import { percent, svg } from "../dom.js";

const [WIDTH, HEIGHT] = [320, 92];

export class WinRateChart {
  /** `onSeek(ply)` is called where the chart is clicked. */
  constructor(onSeek) {
    this.plies = 1;
    this.element = svg("svg", {
      class: "chart",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      onclick: (event) => {
        const box = this.element.getBoundingClientRect();
        onSeek(Math.round(((event.clientX - box.left) / box.width) * this.plies));
      },
    });
  }

  /** Draws `rates`, Black's win rates by ply, and the ply `at` of `plies`. */
  draw(rates, at, plies) {
    this.plies = Math.max(plies, at, 1);
    const x = (ply) => (ply / this.plies) * WIDTH;
    const y = (rate) => HEIGHT - 2 - rate * (HEIGHT - 4);
    const points = [...rates].sort((a, b) => a[0] - b[0]);
    const path = points.map(([ply, rate], order) => {
      return `${order === 0 ? "M" : "L"}${x(ply).toFixed(1)} ${y(rate).toFixed(1)}`;
    });
    const shapes = [
      svg("rect", { class: "ground", width: WIDTH, height: HEIGHT }),
      svg("path", { class: "half", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
      svg("path", { class: "now", d: `M${x(at)} 0V${HEIGHT}` }),
    ];
    if (points.length > 1) {
      const [first, last] = [x(points[0][0]), x(points.at(-1)[0])];
      const below = `${path.join("")}L${last} ${HEIGHT}L${first} ${HEIGHT}Z`;
      shapes.push(svg("path", { class: "below", d: below }));
      shapes.push(svg("path", { class: "course", d: path.join("") }));
    }
    for (const [ply, rate] of points.length < 60 ? points : []) {
      const [cx, cy] = [x(ply).toFixed(1), y(rate).toFixed(1)];
      shapes.push(svg("ellipse", { class: "dot", cx, cy, rx: 2.4, ry: 2.4 }));
    }
    this.element.replaceChildren(...shapes);
    const own = points.find(([ply]) => ply === at);
    const here = own ? `, here ${percent(own[1])}` : "";
    const label = `Black's win rate, known for ${points.length} positions${here}`;
    this.element.setAttribute("aria-label", label);
  }
}
