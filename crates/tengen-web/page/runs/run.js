// One run: its progress, its tables, its games and its report.

import { runs } from "../backend.js";
import { button, el, sayFault, whole } from "../dom.js";
import { progressBar } from "./list.js";
import { field } from "../play/setup.js";
import { address } from "../address.js";

const ROWS = 50;

export async function showRun(main, given, signal) {
  const name = given.name ?? "";
  const head = el("div", { class: "about" });
  const body = el("div");
  main.append(
    el(
      "div",
      { class: "run" },
      el("p", {}, el("a", { href: "#/runs" }, "All runs")),
      el("h1", {}, name),
      head,
      body,
    ),
  );
  let detail;
  try {
    detail = await runs.detail(name);
  } catch (fault) {
    sayFault(fault);
    return;
  }
  if (signal.aborted) return;
  drawHead(head, detail);
  const games = detail.games > 0 ? new Games(name, detail.bots) : null;
  const tables = el("div");
  const drawTables = () => tables.replaceChildren(...detail.tables.map(table));
  drawTables();
  body.append(tables, games?.element ?? "", report(name, detail), settings(detail.config));
  await games?.load();
  let known = detail.games;
  runs.watch(async (list) => {
    const own = list?.find((run) => run.name === name);
    if (!own) return;
    drawHead(head, own);
    if (own.games === known) return;
    known = own.games;
    try {
      detail = await runs.detail(name);
      drawTables();
      await games?.load();
    } catch (fault) {
      sayFault(fault);
    }
  }, signal);
}

function drawHead(head, run) {
  const facts = [
    run.kind,
    run.size,
    run.komi === null ? null : `komi ${run.komi}`,
    run.started ? `begun ${run.started.slice(0, 16).replace("T", " ")} UTC` : null,
  ];
  head.replaceChildren(
    el("p", {}, facts.filter((fact) => fact).join(" · ")),
    el(
      "p",
      { class: "count" },
      el("span", { class: `badge ${run.progress}` }, run.progress),
      " games: ",
      progressBar(run),
    ),
  );
}

/** The cells of a line of CSV, whose quoted cells may hold commas. */
function cells(line) {
  const found = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? [];
  const plain = found.map((cell) => cell.replace(/,$/, ""));
  if (!line.endsWith(",")) plain.pop();
  return plain.map((cell) => cell.replace(/^"(.*)"$/, "$1").replaceAll('""', '"'));
}

function table([name, text]) {
  const [head, ...lines] = text.trim().split("\n").map(cells);
  const number = (cell) => (/^-?\d+\.\d{3,}$/.test(cell) ? Number(cell).toFixed(3) : cell);
  return el(
    "details",
    { open: name === "ratings.csv" },
    el("summary", {}, name),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
      el(
        "table",
        { class: "wide" },
        el("thead", {}, el("tr", {}, head.map((cell) => el("th", {}, cell.replaceAll("_", " "))))),
        el("tbody", {}, lines.map((line) => el("tr", {}, line.map((cell) => el("td", {}, number(cell)))))),
      ),
    ),
  );
}

function report(name, detail) {
  if (!detail.has_report) return "";
  const url = runs.report(name);
  const frame = el("iframe", { title: `Report of ${name}`, loading: "lazy" });
  const box = el(
    "details",
    {
      ontoggle: () => {
        if (box.open && !frame.src) frame.src = url;
      },
    },
    el("summary", {}, "Report"),
    el("p", {}, el("a", { href: url, target: "_blank", rel: "noopener" }, "Open in a tab of its own")),
    frame,
  );
  return box;
}

function settings(config) {
  if (config === "") return "";
  return el("details", {}, el("summary", {}, "config.toml"), el("pre", {}, config));
}

/** The table of a run's games. */
class Games {
  constructor(name, bots) {
    this.name = name;
    this.offset = 0;
    const options = (list) => list.map(([value, text]) => el("option", { value }, text));
    const select = (list) => el("select", {}, options(list));
    this.fields = {
      bot: select([["", "any"], ...bots.map((bot) => [bot, bot])]),
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
      termination: select(
        [["", "any"]].concat(
          ["passes", "resign", "limit", "illegal", "crash", "time"].map((one) => [one, one]),
        ),
      ),
      opening: el("input", { placeholder: "C3 D4" }),
      least: el("input", { type: "number", min: "0" }),
      most: el("input", { type: "number", min: "0" }),
    };
    for (const input of Object.values(this.fields)) {
      input.addEventListener("change", () => {
        this.offset = 0;
        this.load();
      });
    }
    const labels = {
      bot: "Bot",
      color: "Its colour",
      result: "Result",
      termination: "Ended by",
      opening: "Opening",
      least: "From plies",
      most: "To plies",
    };
    const head = ["game", "black", "white", "result", "ended by", "plies", "opening"];
    this.body = el("tbody");
    this.count = el("span", { class: "place" });
    this.back = button("Back", () => this.turn(-ROWS));
    this.next = button("Next", () => this.turn(ROWS));
    this.element = el(
      "section",
      { class: "games", "aria-label": "Games" },
      el("h2", {}, "Games"),
      el(
        "form",
        { class: "filters", onsubmit: (event) => event.preventDefault() },
        Object.entries(this.fields).map(([key, input]) => field(labels[key], input)),
      ),
      el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of games" },
        el(
          "table",
          { class: "wide" },
          el("thead", {}, el("tr", {}, head.map((name) => el("th", {}, name)))),
          this.body,
        ),
      ),
      el("p", { class: "toolbar" }, this.back, this.next, this.count),
    );
  }

  turn(rows) {
    this.offset += rows;
    this.load();
  }

  async load() {
    const given = Object.entries(this.fields).map(([key, input]) => [key, input.value.trim()]);
    const wanted = given.filter(([, value]) => value !== "");
    const filter = new URLSearchParams([...wanted, ["offset", this.offset], ["limit", ROWS]]);
    try {
      const { total, rows } = await runs.games(this.name, filter);
      this.body.replaceChildren(...rows.map((row) => this.row(row)));
      const last = this.offset + rows.length;
      const range = total === 0 ? "no game" : `${whole(this.offset + 1)}–${whole(last)}`;
      this.count.textContent = total === 0 ? range : `${range} of ${whole(total)} games`;
      this.back.disabled = this.offset === 0;
      this.next.disabled = last >= total;
    } catch (fault) {
      sayFault(fault);
    }
  }

  row(row) {
    const score = row.score === null ? row.outcome : Math.abs(row.score);
    const letter = { black: "B+", white: "W+", jigo: "", void: "" }[row.outcome];
    const result = row.termination === "resign" ? `${letter}R` : `${letter}${score}`;
    const white = { run: this.name, game: row.game, black: "person", white: "person" };
    const href = address("play", white);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, el("a", { href }, `game ${row.game}`)),
      el("td", {}, row.black),
      el("td", {}, row.white),
      el("td", {}, row.outcome === "jigo" ? "jigo" : result),
      el("td", {}, row.termination),
      el("td", {}, row.plies),
      el("td", {}, row.moves.split(" ").slice(0, row.opening_plies).join(" ")),
    );
  }
}
