// Who owns each point at the ends of playouts, and with which scores.

import { el, percent, svg, whole } from "../dom.js";
import { Asker, SearchPanel, numberField, openedOf, searchOf } from "./question.js";

/** @import { State } from "../play/types.js"
 * @import { Context } from "./findings.js" */

/** The most playouts that the backend counts. */
const MOST = 100_000;

const [WIDTH, HEIGHT, FOOT] = [320, 120, 16];

/** The panel of owners and scores. */
export class ScorePanel extends SearchPanel {
  static title = "Owners and scores";
  static overlay = "owners";

  /** @param {Context} context */
  constructor(context) {
    super(context);
    this.opened = openedOf(context);
    this.asker = new Asker(context.ask);
    this.playouts = 1000;
    this.opened.addEventListener("change", () => {
      if (this.asked !== "" && this.search) this.load();
    });
    this.field = numberField("Playouts", this.playouts, MOST, (value) => {
      this.playouts = value;
      this.load();
    });
    this.facts = el("p", { class: "facts", role: "status" });
    this.chart = svg("svg", {
      class: "histogram",
      viewBox: `0 0 ${WIDTH} ${HEIGHT + FOOT}`,
      role: "img",
      "aria-label": "Scores of the playouts",
    });
    this.element = el(
      "div",
      { class: "score" },
      el("div", { class: "toolbar" }, this.field.element),
      this.facts,
      this.chart,
    );
  }

  /** Playouts are possible even from the end of a game.
   * @param {State} state
   */
  show(state) {
    if (state.position === null) return;
    const search = searchOf(state);
    const key = JSON.stringify(search);
    if (key === this.asked) return;
    this.asked = key;
    this.search = search;
    this.load();
  }

  async load() {
    const path = this.opened.pathIn(this.search);
    const question = { ...this.search, path, playouts: this.playouts };
    this.facts.textContent = `Making ${whole(this.playouts)} playouts…`;
    try {
      const answer = await this.asker.answer("playouts", question);
      if (answer) this.draw(answer, path);
    } catch (fault) {
      this.facts.textContent = fault.message;
    }
  }

  /** @param {any} answer
   * @param {string[]} path
   */
  draw(answer, path) {
    const { playouts, policy, mean, deviation, komi, wins, ownership, scores, position } = answer;
    const of = (/** @type {number} */ count) => percent(count / playouts, 1);
    const jigo = wins[2] > 0 ? `, jigo ${of(wins[2])}` : "";
    const from = path.length > 0 ? ` after ${path.join(" ")}` : "";
    const lead = `${mean < 0 ? "White" : "Black"} leads by ${Math.abs(mean).toFixed(1)} points`;
    this.put({
      caption: `by ${whole(playouts)} playouts${from}: ${lead} before komi`,
      draw: (board) => board.showOwnership(ownership),
      ...(path.length > 0 ? { position } : {}),
    });
    this.facts.textContent = `${whole(playouts)} playouts by ${policy}${from}: ${lead} before komi, `
      + `standard deviation ${deviation.toFixed(1)}. With komi ${komi} Black wins ${of(wins[0])}, `
      + `White ${of(wins[1])}${jigo}.`;
    this.chart.replaceChildren(...histogram(scores, komi, mean));
  }

  leave() {
    super.leave();
    this.asker.forget();
  }
}

/** A score before komi, as SGF writes results.
 * @param {number} score
 */
function scoreText(score) {
  return score === 0 ? "even" : `${score > 0 ? "B" : "W"}+${Math.abs(score)}`;
}

/** The bars of a histogram: one for each score, dark where Black wins after komi.
 * @param {[number, number][]} scores
 * @param {number} komi
 * @param {number} mean
 */
export function histogram(scores, komi, mean) {
  const points = scores.map(([score]) => score);
  const [low, high] = [Math.min(...points, komi) - 1, Math.max(...points, komi) + 1];
  const most = Math.max(...scores.map(([, count]) => count));
  const x = (/** @type {number} */ score) => ((score - low) / (high - low)) * WIDTH;
  const unit = Math.max(1, (WIDTH / (high - low)) * 0.86);
  const bars = scores.map(([score, count]) => {
    const height = (count / most) * (HEIGHT - 6);
    const winner = score > komi ? "X" : score < komi ? "O" : "none";
    const at = { x: x(score) - unit / 2, y: HEIGHT - height, width: unit, height };
    const told = `${scoreText(score)}: ${whole(count)} playouts`;
    return svg("rect", { ...at, class: `bar-${winner}` }, svg("title", {}, told));
  });
  const isApart = (/** @type {number} */ score) => Math.abs(x(score) - x(komi)) > 56;
  const label = (/** @type {number} */ at, /** @type {string} */ text) => {
    const place = Math.min(Math.max(x(at), 24), WIDTH - 24);
    return svg("text", { x: place, y: HEIGHT + 12 }, text);
  };
  return [
    svg("rect", { class: "ground", width: WIDTH, height: HEIGHT }),
    ...bars,
    svg("path", { class: "komi", d: `M${x(komi)} 0V${HEIGHT}` }),
    svg("path", { class: "mean", d: `M${x(mean)} 0V${HEIGHT}` }),
    label(komi, `komi ${komi}`),
    isApart(mean) ? label(mean, `mean ${mean.toFixed(1)}`) : null,
    ...[points[0], points[points.length - 1]].filter(isApart).map((end) => label(end, scoreText(end))),
  ].filter((shape) => shape !== null);
}
