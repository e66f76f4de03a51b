// The result of a run: its answer in sentences, its plots, and its bots.

import { el } from "../dom.js";
import { keep, write, writeCells } from "./keyed.js";
import { duration } from "./text.js";

/** @typedef {object} Picture a plot
 * @property {string} name
 * @property {string} title
 * @property {string} svg
 *
 * @typedef {object} Bot
 * @property {string} name
 * @property {[string, string][]} settings in which it differs from the other bots
 *
 * @typedef {object} Card
 * @property {string | null} question
 * @property {string[]} answer
 * @property {Picture[]} plots
 * @property {Bot[]} bots
 * @property {string[]} faults
 *
 * @typedef {{elapsed: number | null, left: number | null}} Clock
 */

/** The most bots whose settings are shown at once. */
const FEW = 8;

/** Width and height of an SVG document, by its view box or else its size.
 * @param {string} svg
 */
export function sizeOf(svg) {
  const head = svg.slice(0, svg.indexOf(">"));
  const box = /viewBox="[-\d.]+[ ,]+[-\d.]+[ ,]+([\d.]+)[ ,]+([\d.]+)"/.exec(head);
  const [width, height] = box
    ? box.slice(1).map(Number)
    : ["width", "height"].map((name) => Number(new RegExp(`\\s${name}="([\\d.]+)`).exec(head)?.[1] ?? 0));
  return width > 0 && height > 0 ? { width, height } : { width: 1000, height: 420 };
}

/** The card of a run, updated when the run changes. */
export class CardView {
  constructor() {
    this.question = el("p", { class: "question" });
    this.answer = el("div", { class: "answer" });
    this.time = el("p", { class: "clock", hidden: true });
    this.first = el("div");
    this.others = el("div");
    this.more = el("details", { hidden: true }, el("summary"), this.others);
    this.rows = el("tbody");
    const region = { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of bots" };
    const head = ["bot", "settings"].map((name) => el("th", { scope: "col" }, name));
    this.bots = el(
      "details",
      { hidden: true },
      el("summary", {}, "Bots: the settings in which they differ"),
      el("div", region, el("table", { class: "wide" }, el("thead", {}, el("tr", {}, head)), this.rows)),
    );
    this.element = el(
      "section",
      { class: "card", "aria-label": "Result" },
      this.question,
      this.answer,
      this.time,
      this.first,
      this.more,
      this.bots,
    );
  }

  /** @param {Card} card
   * @param {Clock | null} clock
   */
  show(card, clock) {
    write(this.question, card.question ?? "");
    this.question.hidden = card.question === null;
    const sentences = card.answer.map((text, place) => ({ text, place }));
    keep(this.answer, sentences, ({ place }) => place, () => el("p"), (node, { text }) => write(node, text));
    const facts = [];
    if (clock?.elapsed) facts.push(`took ${duration(clock.elapsed)} by the clock`);
    if (clock?.left) facts.push(`about ${duration(clock.left)} left`);
    write(this.time, facts.join(" · "));
    this.time.hidden = facts.length === 0;
    const [first, ...others] = card.plots;
    keep(this.first, first ? [first] : [], ({ name }) => name, createPlot, updatePlot);
    keep(this.others, others, ({ name }) => name, createPlot, updatePlot);
    this.more.hidden = others.length === 0;
    write(this.more.firstElementChild, `More plots: ${others.map(({ title }) => title).join(", ")}`);
    this.showBots(card.bots);
    const isEmpty = this.question.hidden && card.answer.length + card.plots.length + card.bots.length === 0;
    this.element.hidden = isEmpty && this.time.hidden;
  }

  /** @param {Bot[]} bots */
  showBots(bots) {
    const isNew = this.bots.hidden && bots.length > 0;
    this.bots.hidden = bots.length === 0;
    if (isNew) this.bots.toggleAttribute("open", bots.length <= FEW);
    const create = () => el("tr", {}, el("th", { scope: "row" }), el("td", { class: "text" }));
    keep(this.rows, bots, ({ name }) => name, create, (row, { name, settings }) => {
      const texts = settings.map(([key, value]) => (key === "settings" ? value : `${key}=${value}`));
      writeCells(row, [name, texts.join(", ") || "no setting differs"]);
    });
  }
}

/** @param {Picture} plot */
function createPlot({ title }) {
  // On a phone the plot is wider than the page, and scrolls.
  const box = { class: "result", tabindex: "0", role: "group", "aria-label": `Plot: ${title}` };
  const hint = el("p", { class: "note swipe", "aria-hidden": "true" }, "The plot is wider than the window: swipe it to the side.");
  return el("div", box, el("img", { alt: `Plot: ${title}`, decoding: "sync" }), hint);
}

/** @param {HTMLElement} figure
 * @param {Picture} plot
 */
function updatePlot(figure, { svg }) {
  const image = /** @type {HTMLImageElement} */ (figure.firstElementChild);
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  if (image.getAttribute("src") === source) return;
  // In an `img` the SVG cannot run scripts, and has the colours of paper in the dark theme too.
  const { width, height } = sizeOf(svg);
  image.setAttribute("width", String(width));
  image.setAttribute("height", String(height));
  image.src = source;
}
