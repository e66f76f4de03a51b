// The moves of an opened node as a table, with the terms that add up to their urgency.

import { button, el, percent, short, whole } from "../dom.js";
import { colorName } from "../play/text.js";

/** The terms by their names in an answer, and as columns. */
export const TERMS = {
  win_rate: "from win rate",
  virtual_loss: "from leaves in flight",
  transpositions: "from transpositions",
  rave: "from RAVE",
  prior: "from prior",
  first_play: "from first play",
  exploration: "from exploration",
};

/** Smaller terms are not shown: RAVE is blended in single precision. */
const LEAST = 5e-7;

/** The terms that at least one of the moves has.
 * @param {any[]} moves
 * @returns {string[]}
 */
export function termsOf(moves) {
  return Object.keys(TERMS).filter((name) => {
    return moves.some(({ terms }) => terms !== undefined && Math.abs(terms[name]) > LEAST);
  });
}

/** The urgency of a move in words or as a number.
 * @param {any} move
 */
export function urgencyText({ by, urgency, proof, beta }) {
  if (by === "first-play") return "∞: not tried yet";
  if (by === "proof") return proof;
  if (by === "none") return "not compared";
  const drawn = by === "draw" ? " drawn" : "";
  const from = beta ? ` from Beta(${beta.map((one) => Number(one.toFixed(1))).join(", ")})` : "";
  return `${urgency.toFixed(4)}${drawn}${from}`;
}

/** A table of the moves of `node`. A move is a button if `onOpen` is called with it; `onPoint` is
 * called with the move under the pointer, or null.
 * @param {any} node
 * @param {{onOpen?: (move: string) => void, onPoint?: (move: string | null) => void,
 *   chosen?: string, most?: number}} options
 */
export function termsTable(node, { onOpen, onPoint = () => {}, chosen, most = Infinity } = {}) {
  const moves = node.moves.slice(0, most);
  const terms = termsOf(moves);
  const hasRave = moves.some(({ rave }) => rave !== null);
  const hasPrior = moves.some(({ prior }) => prior !== null);
  const hasScore = moves.some(({ score }) => score !== null);
  const head = (/** @type {string} */ name) => el("th", { scope: "col" }, name);
  const number = (/** @type {number | null} */ value, digits = 4) => {
    return el("td", {}, value === null || value === undefined ? "–" : value.toFixed(digits));
  };
  const rate = (/** @type {number | null} */ value) => {
    return el("td", {}, value === null ? "–" : percent(value, 1));
  };
  const raveCells = (/** @type {[number, number]} */ [visits, rewards]) => {
    return [el("td", {}, short(visits)), rate(visits > 0.5 ? rewards / visits : null)];
  };
  const rows = moves.map((/** @type {any} */ one) => {
    const isChosen = one.move === chosen || (chosen === undefined && one.most_urgent);
    const name = onOpen && one.in_tree ? button(one.move, () => onOpen(one.move)) : one.move;
    return el(
      "tr",
      {
        class: isChosen ? "chosen" : "",
        "data-move": one.move,
        onpointerenter: () => onPoint(one.move),
        onfocusin: () => onPoint(one.move),
        onfocusout: () => onPoint(null),
      },
      el("th", { scope: "row" }, name),
      el("td", { class: "urgency" }, urgencyText(one)),
      terms.map((term) => number(one.terms?.[term] ?? null)),
      el("td", {}, one.in_tree ? short(one.visits) : "not in the tree"),
      one.proof ? el("td", {}, one.proof) : rate(one.win_rate),
      hasRave ? raveCells(one.rave ?? [0, 0]) : [],
      hasPrior ? number(one.prior, 3) : [],
      hasScore ? number(one.score, 1) : [],
    );
  });
  const caption = `Moves of ${colorName(node.to_play)}: the urgency is the sum of the terms to its right`;
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el(
      "table",
      { class: "terms", onpointerleave: () => onPoint(null) },
      el("caption", {}, caption),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          head("move"),
          el("th", { scope: "col", class: "urgency-of" }, "urgency"),
          terms.map((term) => el("th", { scope: "col", class: "term" }, TERMS[term])),
          ["visits", "win rate"].map(head),
          hasRave ? ["RAVE visits", "RAVE rate"].map(head) : [],
          hasPrior ? head("prior value") : [],
          hasScore ? head("Black's lead") : [],
        ),
      ),
      el("tbody", {}, rows),
    ),
  );
}

/** The number of visits for which the priors of a node's moves count.
 * @param {any} node
 */
function priorVisits(node) {
  const all = node.moves.flatMap((/** @type {any} */ one) => one.prior_visits?.visits ?? []);
  if (all.length === 0) return "";
  const [least, most] = [Math.min(...all), Math.max(...all)].map((visits) => visits.toFixed(0));
  return least === most ? `, a prior counts as ${most} visits` : `, priors count as ${least} to ${most} visits`;
}

/** The figures of a node, in one line.
 * @param {any} node
 * @param {any} formula
 */
export function nodeText(node, formula) {
  const rate = node.win_rate === null ? "no result yet" : `wins ${percent(node.win_rate, 1)}`;
  const beta = node.rave_weight > 0 ? `, RAVE weighs β = ${node.rave_weight.toFixed(3)}` : "";
  const prior = priorVisits(node);
  const pending = node.pending > 0 ? ` (${node.pending} in flight)` : "";
  const b = formula.prior_exploration > 0 ? `, b = ${formula.prior_exploration}` : "";
  const by = `${formula.selection}, c = ${formula.exploration}${b}`;
  const proof = node.proof ? `, ${node.proof}` : "";
  return `${colorName(node.to_play)} to play ${rate}${proof} of ${whole(node.visits)} visits${pending}; ${by}${beta}${prior}`;
}
