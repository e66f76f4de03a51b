// The tables of a run, from its files.

import { address } from "../address.js";
import { el } from "../dom.js";
import { keep, write, writeCells } from "./keyed.js";
import { cells } from "./text.js";

/** The most rows and columns of a table that is open at first. */
const SHORT = 12;

/** Number of first cells that identify a row of a table. */
const KEY = 3;

/** Tables whose figures the standing of a tournament shows too. */
const IN_STANDING = ["ratings.csv", "summary.csv"];

/** The tables of a run; each row has a link of its own. */
export class Tables {
  /** @param {string} run
   * @param {string} row the row that the address names, as [`rowName`] names it; empty for none
   */
  constructor(run, row) {
    this.run = run;
    this.row = row;
    this.isFound = false;
    this.element = el("div");
  }

  /** Shows `tables`, names and texts.
   * @param {[string, string][]} tables
   * @param {boolean} hasStanding
   */
  show(tables, hasStanding) {
    const create = (/** @type {[string, string]} */ [name, text]) => {
      const rows = text.trim().split("\n").map(cells);
      const isShort = rows.length <= SHORT + 1 && rows[0].length <= SHORT;
      return createTable(name, isShort && !(hasStanding && IN_STANDING.includes(name)));
    };
    const update = (/** @type {HTMLDetailsElement} */ box, /** @type {[string, string]} */ table) => {
      this.update(box, table);
    };
    keep(this.element, tables, ([name]) => name, create, update);
  }

  /** @param {HTMLDetailsElement} box
   * @param {[string, string]} table name and text
   */
  update(box, [table, text]) {
    const [head, ...lines] = text.trim().split("\n").map(cells);
    const number = (cell) => (/^-?\d+\.\d{3,}$/.test(cell) ? Number(cell).toFixed(3) : cell);
    const show = (parent, rows, create, update) => {
      const items = rows.map((texts, place) => ({ place, texts, name: rowName(table, texts) }));
      keep(box.querySelector(parent), items, ({ place, texts }) => `${place} ${texts.length}`, create, update);
    };
    const createHead = ({ texts }) => el("tr", {}, texts.map(() => el("th")));
    const names = head.map((name) => name.replaceAll("_", " "));
    show("thead", [names], createHead, (row, { texts }) => writeCells(row, texts));
    const createRow = ({ texts }) => {
      const [, ...others] = texts;
      return el("tr", {}, el("th", { scope: "row" }, el("a")), others.map(() => el("td")));
    };
    show("tbody", lines, createRow, (row, { texts, name }) => {
      const [first, ...others] = texts.map(number);
      const link = row.cells[0].firstElementChild;
      link.href = address("run", { name: this.run, row: name });
      write(link, first || "–");
      others.forEach((other, at) => write(row.cells[at + 1], other));
      row.classList.toggle("linked", name === this.row);
      if (name === this.row && !this.isFound) this.reveal(box, row);
    });
  }

  /** Scrolls to the row that the address names, once the page is complete.
   * @param {HTMLDetailsElement} box
   * @param {HTMLElement} row
   */
  reveal(box, row) {
    this.isFound = true;
    box.open = true;
    setTimeout(() => row.scrollIntoView({ block: "center" }), 0);
  }
}

/** The name of a table's row in an address: its first cells, which stay when rows are added.
 * @param {string} table
 * @param {string[]} texts
 */
export function rowName(table, texts) {
  return [table, ...texts.slice(0, KEY)].join(" ");
}

/** @param {string} name
 * @param {boolean} isOpen
 */
function createTable(name, isOpen) {
  const region = { class: "scroll", tabindex: "0", role: "region", "aria-label": name };
  return el(
    "details",
    { open: isOpen },
    el("summary", {}, name),
    el("div", region, el("table", { class: "wide" }, el("thead"), el("tbody"))),
  );
}
