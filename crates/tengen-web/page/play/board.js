// A board as SVG: a grid that can be clicked, and walked over by the arrow keys.

import { percent, svg } from "../dom.js";
import { COLUMNS, placeOf } from "./text.js";

/** @import { Mark } from "./tree.js" */

/** Pixels of a point below which it is too small for a finger. */
const FINGER = 30;
/** On boards with longer sides a finger always aims first, whatever the size of the points. */
const LARGE = 9;
const NAMES = { X: "black stone", O: "white stone", ".": "empty" };

let boards = 0;

export class Board {
  /** `onPlay(vertex)` is called when a point is chosen, `onHover(vertex or null)` when the pointer
   * or the cursor moves, `onAim(vertex or null)` when a finger aims or stops aiming, and
   * `onMark(vertex)` when a stone is chosen at the end of a game.
   * @param {{label: string, onPlay?: (vertex: string) => void,
   *   onHover?: (vertex: string | null) => void, onAim?: (vertex: string | null) => void,
   *   onMark?: (vertex: string) => void}} options
   */
  constructor({ label, onPlay = null, onHover = null, onAim = null, onMark = null }) {
    this.id = `board-${(boards += 1)}`;
    this.label = label;
    this.onPlay = onPlay;
    this.onHover = onHover;
    this.onAim = onAim;
    this.onMark = onMark;
    /** Whether arrows walk over the points. */
    this.hasCursor = false;
    /** Whether stones can be marked dead. */
    this.isMarking = false;
    /** The label of each point; its owner is added while owners are shown.
     * @type {string[]} */
    this.names = [];
    this.isOwned = false;
    /** The layers above the wood. */
    this.heat = this.line = this.ghost = svg("g");
    /** The point at which a finger aims; -1 for none. */
    this.aimed = -1;
    this.cursor = 0;
    this.hovered = -1;
    this.isOpen = false;
    this.position = null;
    this.width = 0;
    this.height = 0;
    this.element = svg("svg", {
      class: "goban",
      role: "grid",
      tabindex: "0",
      onkeydown: (event) => this.key(event),
      onpointerover: (event) => this.hover(event.target.closest?.("[data-at]")),
      onpointerleave: () => this.hover(null),
      onclick: (event) => this.choose(event.target.closest?.("[data-at]"), event.pointerType),
      onpointerdown: () => this.setCursor(false),
      onfocus: () => this.setCursor(this.element.matches(":focus-visible")),
      onblur: () => {
        this.setCursor(false);
        this.onHover?.(null);
      },
    });
  }

  /** Moves the keyboard's focus to the points. */
  enter() {
    this.element.focus();
    this.setCursor(true);
  }

  /** Shows or hides the cursor, which arrows move.
   * @param {boolean} hasCursor
   */
  setCursor(hasCursor) {
    this.hasCursor = hasCursor;
    this.element.classList.toggle("with-cursor", hasCursor);
  }

  vertex(index) {
    return `${COLUMNS[index % this.width]}${this.height - Math.floor(index / this.width)}`;
  }

  index(vertex) {
    const { column, row } = placeOf(vertex, this.height);
    return column < 0 || !(row >= 0) ? -1 : row * this.width + column;
  }

  place(index) {
    const { width, margin } = this;
    return [margin + (index % width) * CELL, margin + Math.floor(index / width) * CELL];
  }

  /** Draws lines, coordinates and points of a board without stones. */
  resize(width, height) {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.hovered = -1;
    this.position = null;
    this.cursor = Math.floor(height / 2) * width + Math.floor(width / 2);
    // Coordinates have about the same size on the screen for any number of lines.
    const lines = Math.max(width, height);
    this.margin = 26 + 0.55 * lines;
    this.letter = 5.2 + 0.4 * lines;
    const [right, bottom] = this.place(width * height - 1);
    const [across, down] = [right + this.margin, bottom + this.margin];
    const layer = (name) => (this[name] = svg("g", { class: name, "aria-hidden": "true" }));
    const radial = (color, from, to) =>
      svg(
        "radialGradient",
        { id: `${this.id}-${color}`, cx: "0.36", cy: "0.3", r: "0.8" },
        svg("stop", { offset: "0", "stop-color": from }),
        svg("stop", { offset: "1", "stop-color": to }),
      );
    this.element.setAttribute("viewBox", `0 0 ${across} ${down}`);
    this.element.replaceChildren(
      svg("defs", {}, radial("X", "#5c5c63", "#0b0b0d"), radial("O", "#ffffff", "#cfcdc6")),
      svg("rect", { class: "wood", width: across, height: down, rx: 3 }),
      grid(this),
      layer("area"),
      layer("shadows"),
      layer("stones"),
      layer("marks"),
      layer("signs"),
      layer("heat"),
      layer("line"),
      layer("ghost"),
      this.points(),
    );
  }

  points() {
    const group = svg("g", { class: "points", role: "rowgroup" });
    this.cells = [];
    for (let row = 0; row < this.height; row += 1) {
      const line = svg("g", { role: "row" });
      for (let column = 0; column < this.width; column += 1) {
        const index = row * this.width + column;
        const [x, y] = this.place(index);
        const size = { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL };
        const id = `${this.id}-${this.vertex(index)}`;
        const cell = svg("g", { role: "gridcell", id, "data-at": index }, svg("rect", size));
        this.cells.push(cell);
        line.append(cell);
      }
      group.append(line);
    }
    return group;
  }

  /** Draws a position. Of `options`, `numbers` and `area` are shown if true, `isOpen` says whether
   * points can be chosen, `isMarking` whether stones can be marked dead; `dead` are the dead
   * stones, `count` is the area without them, and `signs` are the marks of a record.
   * @param {any} position
   * @param {{numbers?: boolean, area?: boolean, isOpen?: boolean, isMarking?: boolean,
   *   dead?: string[], count?: {rows: string}, signs?: Mark[]}} options
   */
  draw(position, options = {}) {
    this.resize(position.width, position.height);
    if (position !== this.position) this.aim(-1);
    this.position = position;
    this.isOpen = options.isOpen ?? false;
    this.isMarking = (options.isMarking ?? false) && this.onMark !== null;
    this.element.classList.toggle("open", this.isOpen || this.isMarking);
    const { dead = [], count = position.count, signs = [] } = options;
    const stones = position.rows.replaceAll("/", "");
    const owners = options.area ? count.rows.replaceAll("/", "") : "";
    const last = position.moves.at(-1)?.move;
    const drawn = { area: [], shadows: [], stones: [], marks: [], signs: [] };
    for (let index = 0; index < stones.length; index += 1) {
      const [cx, cy] = this.place(index);
      const stone = stones[index];
      const name = this.vertex(index);
      if (stone !== ".") {
        const isDead = dead.includes(name);
        if (!isDead) drawn.shadows.push(svg("circle", { cx: cx + 1.2, cy: cy + 2, r: 18.6 }));
        const fill = `url(#${this.id}-${stone})`;
        const kind = `stone-${stone}${isDead ? " dead" : ""}`;
        drawn.stones.push(svg("circle", { cx, cy, r: 18.6, fill, class: kind }));
        const number = position.numbers[index];
        const mark = stone === "X" ? "on-black" : "on-white";
        if (options.numbers && number > 0) {
          const long = number > 99 ? "long" : "";
          drawn.marks.push(svg("text", { x: cx, y: cy, class: `${mark} ${long}` }, `${number}`));
        } else if (name === last && !signs.some(({ at }) => at === name)) {
          drawn.marks.push(svg("circle", { cx, cy, r: 6.5, class: `last ${mark}` }));
        }
      }
      const owner = owners[index] ?? ".";
      if (owner !== "." && owner !== stone) {
        const at = { x: cx - 7, y: cy - 7, width: 14, height: 14, rx: 2 };
        // The mark goes above a dead stone, which would hide it.
        const layer = stone === "." ? drawn.area : drawn.marks;
        layer.push(svg("rect", { ...at, class: `area-${owner}` }));
      }
      const own = owner === "." ? "" : `, ${owner === "X" ? "black" : "white"} area`;
      const isLast = name === last ? ", last move" : "";
      const here = signs.filter(({ at }) => at === name);
      for (const sign of here) drawn.signs.push(...markShapes(sign, cx, cy, stone));
      const told = here.map((sign) => `, ${markInWords(sign)}`).join("");
      const fate = dead.includes(name) ? ", marked dead" : "";
      const label = `${name}, ${NAMES[stone]}${isLast}${fate}${told}${own}`;
      this.names[index] = label;
      this.cells[index].setAttribute("aria-label", label);
    }
    for (const [layer, shapes] of Object.entries(drawn)) this[layer].replaceChildren(...shapes);
    const turn = position.end ? "the game is over" : `${position.to_play} to play`;
    const label = `${this.label}, ${position.width} by ${position.height}, ${turn}`;
    this.element.setAttribute("aria-label", label);
    this.showGhost();
    this.showCursor();
  }

  /** Removes everything above the stones. */
  clear() {
    this.heat.replaceChildren();
    if (this.isOwned) this.cells.forEach((cell, at) => cell.setAttribute("aria-label", this.names[at]));
    this.isOwned = false;
  }

  /** Draws discs on the empty points.
   * @param {import("./overlays.js").Disc[]} discs
   */
  showDiscs(discs) {
    this.heat.replaceChildren(...discShapes(this, discs));
  }

  /** Draws the owners of the points, from the top left by rows: a square is larger the more surely
   * its point is Black's (1) or White's (-1).
   * @param {number[]} shares
   */
  showOwnership(shares) {
    this.heat.replaceChildren(...ownerShapes(this, shares));
    shares.forEach((share, index) => {
      const cell = this.cells[index];
      const owner = share > 0 ? "black" : "white";
      const own = `${owner}'s by ${percent(Math.abs(share))}`;
      cell.setAttribute("aria-label", `${this.names[index]}, ${own}`);
    });
    this.isOwned = true;
  }

  /** Draws a ring around a point; null removes it.
   * @param {string | null} vertex
   */
  showRing(vertex) {
    const index = vertex === null || vertex === "pass" ? -1 : this.index(vertex);
    if (index < 0) {
      this.heat.replaceChildren();
      return;
    }
    const [cx, cy] = this.place(index);
    this.heat.replaceChildren(svg("circle", { cx, cy, r: 18.6, class: "ring" }));
  }

  /** Draws a numbered line of play over the board, which `first` begins; null removes it.
   * @param {{moves: string[], first: string} | null} line
   */
  showLine(line) {
    this.element.classList.toggle("with-line", line !== null);
    this.line.replaceChildren(...lineShapes(this, line));
  }

  /** Draws a line of play that stays, in place of discs.
   * @param {{moves: string[], first: string}} line
   */
  showPath(line) {
    this.heat.replaceChildren(svg("g", { class: "path" }, lineShapes(this, line)));
  }

  hover(cell) {
    this.hovered = cell ? Number(cell.dataset.at) : -1;
    this.onHover?.(this.hovered < 0 ? null : this.vertex(this.hovered));
    this.showGhost();
  }

  /** Draws the stone that a click would place. */
  showGhost() {
    const index = this.hovered;
    this.ghost.replaceChildren();
    const vertex = index < 0 ? null : this.vertex(index);
    if (vertex === null || !this.isOpen || !this.position) return;
    const isEmpty = this.position.rows.replaceAll("/", "")[index] === ".";
    if (!isEmpty || vertex in this.position.illegal) return;
    const [cx, cy] = this.place(index);
    const stone = this.position.to_play === "black" ? "X" : "O";
    if (index === this.aimed) {
      const [right, bottom] = this.place(this.width * this.height - 1);
      const { margin } = this;
      const d = `M${margin} ${cy}H${right}M${cx} ${margin}V${bottom}`;
      this.ghost.append(svg("path", { class: "aim", d }));
    }
    this.ghost.append(svg("circle", { cx, cy, r: 18, fill: `url(#${this.id}-${stone})` }));
  }

  /** Chooses a point. A finger hides small points: there it aims first, and plays by a second tap
   * or by [`Board.playAimed`].
   * @param {SVGElement | null} cell
   * @param {string} [pointer]
   */
  choose(cell, pointer = "") {
    if (!cell) return;
    if (this.isMarking) {
      this.onMark(this.vertex(Number(cell.dataset.at)));
      return;
    }
    this.cursor = Number(cell.dataset.at);
    this.showCursor();
    const isLarge = this.width > LARGE || this.height > LARGE;
    const isSmall = isLarge || cell.getBoundingClientRect().width < FINGER;
    if (this.isOpen && pointer === "touch" && isSmall && this.aimed !== this.cursor) {
      this.aim(this.cursor);
      return;
    }
    this.aim(-1);
    this.onPlay?.(this.vertex(Number(cell.dataset.at)));
  }

  /** Aims at a point; -1 aims at none.
   * @param {number} index
   */
  aim(index) {
    if (index === this.aimed) return;
    this.aimed = index;
    this.hovered = index;
    if (index >= 0) this.showGhost();
    this.onAim?.(index < 0 ? null : this.vertex(index));
  }

  /** Plays at the point at which a finger aims. */
  playAimed() {
    const index = this.aimed;
    if (index < 0) return;
    this.aim(-1);
    this.onPlay?.(this.vertex(index));
  }

  showCursor() {
    for (const cell of this.cells) cell.classList.remove("cursor");
    this.cells[this.cursor]?.classList.add("cursor");
    const vertex = this.vertex(this.cursor);
    this.element.setAttribute("aria-activedescendant", `${this.id}-${vertex}`);
  }

  key(event) {
    if (!this.hasCursor && event.key === "Enter") {
      event.preventDefault();
      this.setCursor(true);
      return;
    }
    if (!this.hasCursor || event.shiftKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in steps) {
      const [x, y] = steps[event.key];
      const column = (this.cursor % this.width) + x;
      const row = Math.floor(this.cursor / this.width) + y;
      if (column >= 0 && column < this.width && row >= 0 && row < this.height) {
        this.cursor = row * this.width + column;
        this.showCursor();
        this.onHover?.(this.vertex(this.cursor));
      }
      event.preventDefault();
    } else if (event.key === "Escape") {
      this.setCursor(false);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.choose(this.cells[this.cursor]);
    }
  }
}

/** The distance of two lines. */
const CELL = 40;

/** Lines with star points among `count` lines. */
function starLines(count) {
  const middle = count % 2 === 1 ? [(count - 1) / 2] : [];
  if (count >= 13) return [3, ...middle, count - 4];
  if (count >= 9) return [2, ...middle, count - 3];
  return count >= 5 ? middle : [];
}

/** The lines of a board with its star points and coordinates, which are of size `letter`.
 * @param {{width: number, height: number, margin: number, letter: number}} board
 */
export function grid({ width, height, margin, letter }) {
  const place = (/** @type {number} */ line) => margin + line * CELL;
  const [right, bottom] = [place(width - 1), place(height - 1)];
  let path = "";
  for (let column = 0; column < width; column += 1) {
    path += `M${place(column)} ${margin}V${bottom}`;
  }
  for (let row = 0; row < height; row += 1) path += `M${margin} ${place(row)}H${right}`;
  const group = svg("g", { class: "lines", "aria-hidden": "true" }, svg("path", { d: path }));
  const [columns, rows] = [starLines(width), starLines(height)];
  for (const row of rows) {
    for (const column of columns) {
      const isMiddle = [2 * column === width - 1, 2 * row === height - 1];
      if (width < 15 && isMiddle[0] !== isMiddle[1]) continue;
      const [cx, cy] = [place(column), place(row)];
      group.append(svg("circle", { cx, cy, r: 2 + 0.09 * width }));
    }
  }
  const inset = 0.72 * letter;
  const name = (x, y, text) => {
    group.append(svg("text", { x, y, "font-size": letter }, text));
  };
  for (let column = 0; column < width; column += 1) {
    const x = place(column);
    name(x, inset, COLUMNS[column]);
    name(x, bottom + margin - inset, COLUMNS[column]);
  }
  for (let row = 0; row < height; row += 1) {
    const y = place(row);
    name(inset, y, String(height - row));
    name(right + margin - inset, y, String(height - row));
  }
  return group;
}

/** Marks in words. */
const WORDS = { TR: "triangle", SQ: "square", CR: "circle", MA: "cross" };

/** The mark in words.
 * @param {Mark} mark
 */
function markInWords({ mark, text }) {
  return mark === "LB" ? `marked ${text}` : `marked by a ${WORDS[mark]}`;
}

/** The shapes of a mark around `cx`, `cy`, on `X`, `O` or an empty point.
 * @param {Mark} mark
 * @param {number} cx
 * @param {number} cy
 * @param {string} stone
 */
function markShapes({ mark, text = "" }, cx, cy, stone) {
  const on = { X: "on-black", O: "on-white" }[stone] ?? "on-wood";
  if (mark === "LB") {
    const letters = [...text].slice(0, 4).join("");
    const long = letters.length > 2 ? "long" : "";
    const label = svg("text", { x: cx, y: cy, class: `label ${on} ${long}` }, letters);
    // The disc of wood hides the lines of the board behind the letters.
    return stone === "." ? [svg("circle", { cx, cy, r: 13, class: "wood" }), label] : [label];
  }
  const r = 9.5;
  const shape = {
    TR: () => svg("path", { d: `M${cx} ${cy - r}l${0.87 * r} ${1.5 * r}h${-1.74 * r}z` }),
    SQ: () => svg("rect", { x: cx - 7.5, y: cy - 7.5, width: 15, height: 15 }),
    CR: () => svg("circle", { cx, cy, r: 8.5 }),
    MA: () => svg("path", { d: `M${cx - 7} ${cy - 7}l14 14M${cx + 7} ${cy - 7}l-14 14` }),
  }[mark]?.();
  if (!shape) return [];
  shape.setAttribute("class", `sign ${on}`);
  return [shape];
}

/** The most discs with a text, on most boards and on large boards. */
const [NAMED, NAMED_ON_LARGE] = [14, 8];

/** Discs on empty points: darker for greater values, the first with a ring, and small values as
 * dots without text.
 * @param {Board} board
 * @param {import("./overlays.js").Disc[]} discs
 */
function discShapes(board, discs) {
  const shapes = [];
  const stones = board.position?.rows.replaceAll("/", "") ?? "";
  const isLarge = board.width > 13 || board.height > 13;
  const named = isLarge ? NAMED_ON_LARGE : NAMED;
  discs.forEach(({ move, share, text, below = "" }, order) => {
    const index = move === "pass" ? -1 : board.index(move);
    if (index < 0 || stones[index] !== "." || (share < 0.002 && order > named)) return;
    const [cx, cy] = board.place(index);
    const root = Math.sqrt(share);
    const isNamed = order < named && share > 0.01;
    const r = isNamed ? 17.5 : 3 + 10 * root;
    // Two bands of opacity: in each band one colour of text is readable.
    const isPale = root < 0.5 && order > 0;
    const opacity = (isPale ? 0.28 + 0.2 * root : 0.8 + 0.36 * Math.max(0, root - 0.5)).toFixed(3);
    const look = `disc${order === 0 ? " best" : ""}`;
    shapes.push(svg("circle", { cx, cy, r, class: look, "fill-opacity": opacity }));
    if (!isNamed) return;
    const pale = isPale ? " pale" : "";
    const long = text.length > 3 ? " long" : "";
    const y = below === "" ? cy : cy - 4;
    shapes.push(svg("text", { x: cx, y, class: `rate${pale}${long}` }, text));
    if (below === "") return;
    shapes.push(svg("text", { x: cx, y: cy + 8.5, class: `visits${pale}` }, below));
  });
  return shapes;
}

/** A square on each point, larger the more surely the point is Black's (1) or White's (-1).
 * @param {Board} board
 * @param {number[]} shares
 */
function ownerShapes(board, shares) {
  return shares.map((share, index) => {
    const [cx, cy] = board.place(index);
    const side = 30 * Math.sqrt(Math.abs(share));
    const at = { x: cx - side / 2, y: cy - side / 2, width: side, height: side, rx: 2 };
    return svg("rect", { ...at, class: `area-${share > 0 ? "X" : "O"}`, "fill-opacity": "0.8" });
  });
}

/** The numbered stones of a line of play; on each point only the first stone.
 * @param {Board} board
 * @param {{moves: string[], first: string} | null} line
 */
function lineShapes(board, line) {
  const taken = new Set();
  const shapes = [];
  (line?.moves ?? []).forEach((move, order) => {
    const index = move === "pass" ? -1 : board.index(move);
    if (index < 0 || taken.has(index)) return;
    taken.add(index);
    const [cx, cy] = board.place(index);
    const isBlack = (line.first === "black") === (order % 2 === 0);
    const stone = isBlack ? "X" : "O";
    const on = isBlack ? "on-black" : "on-white";
    const fill = `url(#${board.id}-${stone})`;
    shapes.push(svg("circle", { cx, cy, r: 17, fill, class: "planned" }));
    shapes.push(svg("text", { x: cx, y: cy, class: on }, `${order + 1}`));
  });
  return shapes;
}
