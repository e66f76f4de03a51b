// The standing of a tournament: ratings, the sequential test, pairs, the last games, cost.

import { el, percent, short, whole } from "../dom.js";
import { RatioChart, drawInterval, intervalBox, smallBoard } from "./charts.js";
import { gameAddress } from "./games.js";
import { keep, write, writeCells } from "./keyed.js";
import { duration, numberOf, signed, withInterval } from "./text.js";

const rate = (/** @type {number} */ value) => percent(value, 1);

/** The standing of a run; only what changes is drawn anew. */
export class Dashboard {
  /** @param {string} name of the run */
  constructor(name) {
    this.name = name;
    this.facts = el("p", { class: "facts" });
    this.unrated = el("p", { class: "note", hidden: true });
    this.method = el("p", { class: "note" }, "One Bradley–Terry fit of the games of all bots; the mean is 0, without bots that won or lost all.");
    this.bots = el("tbody");
    this.pairings = el("tbody");
    this.boards = el("ul", { class: "minis" });
    this.chart = new RatioChart();
    this.verdict = el("p", { class: "note" });
    this.test = el(
      "section",
      { "aria-label": "Sequential test" },
      el("h2", {}, "Sequential test"),
      this.chart.element,
      this.verdict,
    );
    const bots = [
      "bot", "rating in Elo (95 %)", "", "win rate (95 %)", "games", "simulations", "thinking",
    ];
    const pairs = ["bot", "against", "pairs won", "split", "lost", "", "Elo (95 %)"];
    this.latest = el(
      "section",
      { "aria-label": "Latest games" },
      el("h2", {}, "Latest games"),
      el("p", { class: "note" }, "A game is written when it is over: these ended last."),
      this.boards,
    );
    this.element = el(
      "div",
      { class: "standing", hidden: true },
      this.facts,
      el(
        "section",
        { "aria-label": "Ratings" },
        el("h2", {}, "Ratings"),
        this.unrated,
        this.method,
        table(bots, this.bots),
      ),
      this.test,
      this.latest,
      el(
        "section",
        { "aria-label": "Pairs" },
        el("h2", {}, "Pairs"),
        el("p", { class: "note" }, "A pair is two games of one opening, with the colours swapped. "
          + "Elo here is that of the win rate between these two bots alone."),
        table(pairs, this.pairings),
      ),
    );
  }

  /** @param {any} standing
   * @param {boolean} isPlaying
   */
  show(standing, isPlaying) {
    this.element.hidden = false;
    write(this.facts, factsOf(standing, isPlaying));
    this.showBots(standing);
    this.test.hidden = standing.test === null;
    if (standing.test !== null) {
      this.chart.show(standing.test);
      write(this.verdict, standing.test.verdict);
    }
    const key = (line) => `${line.bot}\n${line.opponent}`;
    const figures = new Map(standing.summary.map((row) => [key(row), row]));
    keep(this.pairings, standing.pairings, key, createPairing, (row, line) => {
      updatePairing(row, line, figures.get(key(line)));
    });
    this.latest.hidden = standing.latest.length === 0;
    const create = (game) => boardOf(this.name, game);
    keep(this.boards, standing.latest, ({ game }) => game, create);
  }

  showBots({ summary, ratings, unrated, cost }) {
    this.unrated.hidden = unrated === null;
    this.method.hidden = unrated !== null;
    write(this.unrated, unrated === null ? "" : `There are no ratings: ${unrated}.`);
    const lines = summary.filter(({ kind }) => kind === "bot");
    const of = (/** @type {any[]} */ rows) => new Map((rows ?? []).map((row) => [row.bot, row]));
    const [rated, rates, costs] = [of(ratings), of(lines), of(cost)];
    const [name, zero] = ratings === null ? ["win_rate", 0.5] : ["rating", 0];
    const shown = ratings ?? lines;
    const figures = shown.flatMap((row) => ["", "_low", "_high"].map((end) => row[name + end]));
    const numbers = figures.filter((figure) => figure !== null).map(numberOf);
    const known = [...numbers.filter(Number.isFinite), zero];
    const scale = { low: Math.min(...known), high: Math.max(...known), zero };
    keep(this.bots, shown, (row) => row.bot, createBot, (node, row) => {
      const { simulations, seconds } = costs.get(row.bot);
      const line = rates.get(row.bot);
      writeCells(node, [row.bot, withInterval(rated.get(row.bot) ?? {}, "rating", signed)]);
      const texts = [
        withInterval(line, "win_rate", rate),
        whole(line.games),
        simulations === null ? "" : short(simulations),
        duration(seconds),
      ];
      texts.forEach((text, at) => write(node.children[at + 3], text));
      const [value, low, high] = ["", "_low", "_high"].map((end) => row[name + end]);
      const estimate = value === null || low === null
        ? null
        : { value: numberOf(value), low: numberOf(low), high: numberOf(high) };
      drawInterval(node.querySelector(".interval"), estimate, scale);
    });
  }
}

/** @param {string[]} head
 * @param {Element} body
 */
function table(head, body) {
  const cells = head.map((name) => (name === "" ? el("td") : el("th", { scope: "col" }, name)));
  const label = `Table of ${head.slice(0, 2).join(", ")}`;
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    el("table", { class: "wide" }, el("thead", {}, el("tr", {}, cells)), body),
  );
}

/** The number of games, the time elapsed and the time left, in words. */
function factsOf({ finished, counted, expected, scheduled, cost, clock, test }, isPlaying) {
  const facts = [];
  if (counted < finished) {
    facts.push(`${whole(counted)} of ${whole(finished)} finished games count: all before the first missing game`);
  } else {
    facts.push(`${whole(counted)} games count`);
  }
  if (clock.elapsed !== null) facts.push(`played for ${duration(clock.elapsed)} by the clock`);
  if (isPlaying && clock.left !== null) {
    const early = test !== null && expected < scheduled ? " if the test goes on as it has gone" : "";
    facts.push(`about ${duration(clock.left)} left${early}`);
  }
  const seconds = cost.reduce((sum, { seconds }) => sum + seconds, 0);
  facts.push(`the bots thought for ${duration(seconds)} in all`);
  return facts.join(" · ");
}

function createBot() {
  return el(
    "tr",
    {},
    el("th", { scope: "row" }),
    el("td", { class: "number" }),
    el("td", {}, intervalBox()),
    ["", "", "", ""].map(() => el("td", { class: "number" })),
  );
}

function createPairing() {
  const parts = ["won", "split", "lost"].map((name) => el("span", { class: name }));
  return el(
    "tr",
    {},
    el("th", { scope: "row" }),
    el("td"),
    parts.map(() => el("td", { class: "number" })),
    el("td", {}, el("div", { class: "shares", "aria-hidden": "true" }, parts)),
    el("td", { class: "number" }),
  );
}

/** @param {HTMLTableRowElement} row
 * @param {any} line
 * @param {any} figures its row of the summary
 */
function updatePairing(row, line, figures) {
  const counts = [line.won, line.split, line.lost];
  writeCells(row, [line.bot, line.opponent, ...counts.map(whole)]);
  const bar = row.cells[5].firstElementChild;
  // The page's policy forbids inline styles, but allows a script to set a style.
  counts.forEach((count, at) => {
    const part = /** @type {HTMLElement} */ (bar.children[at]);
    part.style.flexGrow = String(count);
  });
  write(row.cells[6], withInterval(figures, "elo", signed));
}

/** A game that has ended, as a small board that leads to it.
 * @param {string} run
 * @param {any} game
 */
function boardOf(run, { game, black, white, result, board, last }) {
  const told = `game ${game}: ${black} (Black) against ${white}, ${result}`;
  return el(
    "li",
    {},
    el(
      "a",
      { href: gameAddress(run, game, {}), title: told },
      smallBoard(board, last),
      el("span", {}, `${game}: ${result}`),
      el("span", { class: "names" }, `${black} – ${white}`),
    ),
  );
}
