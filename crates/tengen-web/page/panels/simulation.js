// One simulation at a time: what the search really does, step by step.

import { button, el, percent } from "../dom.js";
import { framesOf } from "./frames.js";
import { Asker, SearchPanel, numberField } from "./question.js";
import { termsTable } from "./terms.js";

/** @import { State } from "../play/types.js"
 * @import { Context } from "./findings.js" */

/** The highest number of a simulation that the panel shows. */
const MOST = 2000;

/** Rows of the table of a node that selects. */
const ROWS = 6;

/** The phases in words. */
const PHASES = {
  selection: "selection",
  expansion: "expansion",
  playout: "playout",
  backup: "backing up",
};

/** Milliseconds for which a picture of each phase is shown while it plays. */
const PAUSES = { selection: 1200, expansion: 1200, playout: 160, backup: 2400 };

/** The panel of one simulation. */
export class SimulationPanel extends SearchPanel {
  static title = "One simulation";
  static overlay = "simulation";

  /** @param {Context} context */
  constructor(context) {
    super(context);
    this.asker = new Asker(context.ask);
    this.number = 1;
    /** @type {any[]} */
    this.frames = [];
    this.at = 0;
    this.timer = 0;
    this.field = numberField("Simulation", this.number, MOST, (value) => this.load(value));
    this.buttons = {
      back: button("Back", () => this.halt(() => this.step(-1))),
      step: button("Step", () => this.halt(() => this.step(1))),
      phase: button("Next phase", () => this.halt(() => this.skip())),
      play: button("Play", () => this.toggle(), { "aria-pressed": "false" }),
    };
    this.text = el("p", { class: "facts", role: "status" });
    this.table = el("div");
    this.element = el(
      "div",
      { class: "simulation" },
      el("div", { class: "toolbar" }, this.field.element, Object.values(this.buttons), this.about),
      this.text,
      this.table,
    );
  }

  /** @param {State} state */
  begin(state) {
    this.position = state.position;
    this.stop();
    this.frames = [];
    this.picture = null;
    this.table.replaceChildren();
    if (this.search) this.load(1);
    else this.text.textContent = "The game is over.";
  }

  /** Shows the first or the last picture of a simulation.
   * @param {number} number
   * @param {boolean} isLast
   */
  async load(number, isLast = false) {
    if (!this.search) return;
    this.number = number;
    this.field.input.value = String(number);
    try {
      const answer = await this.asker.answer("simulation", { ...this.search, number });
      if (!answer) return;
      this.frames = framesOf(answer, this.position);
      this.at = isLast ? this.frames.length - 1 : 0;
      this.draw();
    } catch (fault) {
      this.stop();
      this.text.textContent = fault.message;
    }
  }

  draw() {
    const frame = this.frames[this.at];
    const { phase, position, node, chosen, backUp, ring = null } = frame;
    const at = ring ?? (phase === "selection" ? chosen : null);
    const caption = `number ${this.number}: ${PHASES[phase]}`;
    this.put({ caption, position, draw: (board) => board.showRing(at) });
    this.text.textContent = frame.text;
    this.element.dataset.phase = phase;
    const table = node ? [termsTable(ranked(node, chosen), { chosen, most: ROWS })] : [];
    if (backUp) table.push(backUpTable(backUp));
    this.table.replaceChildren(...table);
    this.buttons.back.disabled = this.at === 0 && this.number === 1;
    this.buttons.step.disabled = this.at + 1 === this.frames.length && this.number === MOST;
  }

  /** @param {number} by */
  async step(by) {
    if (this.frames.length === 0) return;
    const next = this.at + by;
    if (next < 0 && this.number > 1) await this.load(this.number - 1, true);
    else if (next >= this.frames.length && this.number < MOST) await this.load(this.number + 1);
    else if (next >= 0 && next < this.frames.length) {
      this.at = next;
      this.draw();
    }
  }

  /** Goes to the next phase. */
  skip() {
    const { phase } = this.frames[this.at] ?? {};
    const next = this.frames.findIndex((one, at) => at > this.at && one.phase !== phase);
    this.step(next < 0 ? this.frames.length - this.at : next - this.at);
  }

  /** Stops playing, and does `work`, which a person has chosen.
   * @param {() => void} work
   */
  halt(work) {
    this.stop();
    work();
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    this.buttons.play.textContent = "Stop playing";
    this.buttons.play.setAttribute("aria-pressed", "true");
    this.tick();
  }

  tick() {
    const { phase } = this.frames[this.at] ?? { phase: "selection" };
    this.timer = setTimeout(async () => {
      await this.step(1);
      const isEnd = this.number === MOST && this.at + 1 === this.frames.length;
      if (this.timer && !isEnd) this.tick();
      else this.stop();
    }, PAUSES[phase]);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.buttons.play.textContent = "Play";
    this.buttons.play.setAttribute("aria-pressed", "false");
  }

  leave() {
    super.leave();
    this.asker.forget();
    this.stop();
  }
}

/** `node` with its moves by falling urgency, the chosen one first.
 * @param {any} node
 * @param {string} chosen
 */
function ranked(node, chosen) {
  const value = (/** @type {any} */ one) => {
    if (one.move === chosen) return Infinity;
    return one.urgency ?? (one.by === "first-play" ? Number.MAX_VALUE : -1);
  };
  return { ...node, moves: [...node.moves].sort((one, other) => value(other) - value(one)) };
}

/** Visits and win rates before and after, from the leaf to the root.
 * @param {any[]} nodes
 */
function backUpTable(nodes) {
  const counts = ({ visits, reward }) => {
    const rate = visits > 0 ? percent(reward / visits, 1) : "–";
    return [el("td", {}, String(visits)), el("td", {}, rate)];
  };
  const rows = nodes.map(({ move, color, before, after }) => el(
    "tr",
    {},
    el("th", { scope: "row" }, move ?? "root"),
    el("td", {}, color),
    counts(before),
    counts(after),
  ));
  const head = ["node", "of", "visits before", "win rate", "visits after", "win rate"];
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Backing up" },
    el(
      "table",
      { class: "back-up" },
      el("caption", {}, "From the leaf to the root; rates of the player who moved to the node"),
      el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, rows),
    ),
  );
}
