// The table of a run's games, and its filters, which the address contains.

import { address, writeAddress } from "../address.js";
import { runs } from "../backend.js";
import { button, el, whole } from "../dom.js";
import { field } from "../play/setup.js";
import { keep, write, writeCells } from "./keyed.js";

const ROWS = 50;

/** The filters in the order of their fields. */
const FILTERS = ["bot", "color", "result", "termination", "opening", "least", "most"];

/** The keys of the address that say which games are shown. */
export const GAME_KEYS = [...FILTERS, "offset"];

/** The keys of `given` that filter games, without empty values.
 * @param {Record<string, string>} given
 * @returns {Record<string, string>}
 */
export function filterOf(given) {
  const has = (/** @type {string} */ key) => Object.hasOwn(given, key) && given[key] !== "";
  return Object.fromEntries(GAME_KEYS.filter(has).map((key) => [key, given[key]]));
}

/** The address of a game; it contains the filter, so that the way back leads to the same games.
 * @param {string} run
 * @param {number} game
 * @param {Record<string, string>} filter
 */
export function gameAddress(run, game, filter) {
  const text = new URLSearchParams(filter).toString();
  return address("play", { white: "person", run, game, filter: text });
}

/** @param {[string, string][]} list values and texts */
function select(list) {
  return el("select", {}, list.map(([value, text]) => el("option", { value }, text)));
}

/** The table of the games of a run. */
export class GamesTable {
  /**
   * @param {string} name of the run
   * @param {string[]} bots
   * @param {Record<string, string>} given the address
   * @param {boolean} replays whether games that have moves can be replayed
   */
  constructor(name, bots, given, replays) {
    this.name = name;
    /** The row of a table that the address names beside the games. */
    this.row = given.row ?? "";
    this.replays = replays;
    const filter = filterOf(given);
    this.offset = Math.max(0, Number(filter.offset ?? 0)) || 0;
    /** @type {Record<string, any>} */
    this.fields = {
      bot: select([["", "any"], ...bots.map((bot) => /** @type {[string, string]} */ ([bot, bot]))]),
      color: select([["", "either"], ["black", "black"], ["white", "white"]]),
      result: select([
        ["", "any"],
        ["won", "won by the bot"],
        ["lost", "lost by the bot"],
        ["black", "Black wins"],
        ["white", "White wins"],
        ["jigo", "jigo"],
        ["void", "void"],
      ]),
      termination: select([
        ["", "any"],
        ["passes", "passes"],
        ["resign", "resign"],
        ["limit", "limit"],
        ["illegal", "illegal"],
        ["crash", "crash"],
        ["time", "time"],
      ]),
      opening: el("input", { placeholder: "C3 D4" }),
      // A wrong number from the address stays in sight, and the answer says what is expected.
      least: el("input", { inputmode: "numeric" }),
      most: el("input", { inputmode: "numeric" }),
    };
    for (const [key, input] of Object.entries(this.fields)) {
      const value = filter[key] ?? "";
      input.value = value;
      // A value without an option, such as a bot of another run, is asked for all the same.
      if (input.value !== value) input.append(el("option", { value, selected: true }, value));
      input.addEventListener("change", () => {
        this.offset = 0;
        this.load();
      });
    }
    this.build();
  }

  build() {
    const labels = ["Bot", "Its colour", "Result", "Ended by", "Opening", "From plies", "To plies"];
    const head = ["game", "black", "white", "result", "ended by", "plies", "opening"];
    this.body = el("tbody");
    this.count = el("span", { class: "place" });
    this.back = button("Back", () => this.turn(-ROWS));
    this.next = button("Next", () => this.turn(ROWS));
    this.note = el("p", { class: "note", hidden: true });
    this.fault = el("p", { class: "fault", role: "status" });
    this.element = el(
      "section",
      { class: "games", "aria-label": "Games" },
      el("h2", {}, "Games"),
      this.note,
      el(
        "form",
        { class: "filters", onsubmit: (event) => event.preventDefault() },
        FILTERS.map((key, at) => field(labels[at], this.fields[key])),
      ),
      this.fault,
      el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of games" },
        el(
          "table",
          { class: "wide cards" },
          el("thead", {}, el("tr", {}, head.map((name) => el("th", {}, name)))),
          this.body,
        ),
      ),
      el("p", { class: "toolbar" }, this.back, this.next, this.count),
    );
  }

  /** @param {number} rows */
  turn(rows) {
    this.offset = Math.max(0, this.offset + rows);
    this.load();
  }

  /** The filter of the fields, as in the address. */
  get filter() {
    const given = Object.entries(this.fields).map(([key, input]) => [key, input.value.trim()]);
    return filterOf({ ...Object.fromEntries(given), offset: this.offset > 0 ? `${this.offset}` : "" });
  }

  /** Says that no game can be replayed, and how to play the run again.
   * @param {{command: string, commit: string | null} | null} repeat
   */
  explain(repeat) {
    if (this.note.hasChildNodes() || this.note.hidden) return;
    const why = this.replays ? "the run keeps no moves" : "only games of tournaments have a record here";
    this.note.append(`These games cannot be replayed: ${why}.`);
    if (repeat === null) return;
    this.note.append(" This command plays the run again: ", el("code", {}, repeat.command), ".");
    if (repeat.commit === null) return;
    this.note.append(` Commit ${repeat.commit.slice(0, 12)} made the run: other commits may play other games.`);
  }

  /** Reads the games again; the address says which. */
  async load() {
    const { filter } = this;
    writeAddress("run", { name: this.name, row: this.row, ...filter });
    try {
      const page = await runs.games(this.name, { ...filter, limit: String(ROWS) });
      const { total, rows, has_moves: hasMoves } = page;
      // Another filter may have been chosen meanwhile.
      if (JSON.stringify(filter) !== JSON.stringify(this.filter)) return;
      if (total > 0 && this.offset >= total) {
        this.offset = ROWS * Math.floor((total - 1) / ROWS);
        await this.load();
        return;
      }
      write(this.fault, "");
      this.note.hidden = this.replays && hasMoves;
      const create = (row) => createRow(row, this.replays && row.moves !== "");
      keep(this.body, rows, (row) => row.game, create, (node, row) => {
        const link = node.querySelector("a");
        if (link) link.href = gameAddress(this.name, row.game, filter);
        writeCells(node, cells(row).map((text, at) => (at === 0 ? node.cells[0].textContent : text)));
      });
      const last = this.offset + rows.length;
      const range = total === 0 ? "no game" : `${whole(this.offset + 1)}–${whole(last)}`;
      write(this.count, total === 0 ? range : `${range} of ${whole(total)} games`);
      this.back.disabled = this.offset === 0;
      this.next.disabled = last >= total;
    } catch (fault) {
      // The table's rows would not be the requested ones: it is emptied.
      keep(this.body, [], (row) => row.game, (row) => createRow(row, false));
      write(this.count, "");
      write(this.fault, fault.message);
    }
  }
}

/** The texts of a row after its head. */
function cells(row) {
  const score = row.score === null ? row.outcome : Math.abs(row.score);
  const letter = { black: "B+", white: "W+", jigo: "", void: "" }[row.outcome];
  const result = row.termination === "resign" ? `${letter}R` : `${letter}${score}`;
  const opening = row.moves.split(" ").slice(0, row.opening_plies).join(" ");
  const shown = row.outcome === "jigo" ? "jigo" : result;
  return ["", row.black, row.white, shown, row.termination, row.plies, opening];
}

/** @param {any} row
 * @param {boolean} isLink whether the game can be replayed
 */
function createRow(row, isLink) {
  const names = ["", "black", "white", "result", "ended by", "plies", "opening"];
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, isLink ? el("a", {}, `game ${row.game}`) : `game ${row.game}`),
    names.slice(1).map((name) => el("td", { "data-name": name })),
  );
}
