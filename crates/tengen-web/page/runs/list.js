// The list of runs, as it changes.

import { runs } from "../backend.js";
import { el, sayFault, whole } from "../dom.js";
import { address } from "../address.js";

/** How far the schedule is played, as a bar; none where the number is not known. */
export function progressBar({ games, scheduled, has_test: hasTest, progress }) {
  const isOver = progress === "finished";
  if (scheduled === null || (hasTest && isOver)) return [games > 0 ? whole(games) : ""];
  const text = `${whole(games)} of ${whole(scheduled)}${hasTest ? " at most" : ""}`;
  if (isOver) return [text];
  return [text, el("progress", { value: games, max: scheduled, "aria-label": text })];
}

export function showRuns(main, given, signal) {
  const body = el("tbody");
  const filter = el("input", {
    type: "search",
    id: "runs-filter",
    placeholder: "name, bot or size",
    oninput: () => draw(),
  });
  const note = el("p", { class: "note" }, "Reading the runs…");
  const head = ["run", "kind", "board", "bots", "games", "state"].map((name) => el("th", {}, name));
  main.append(
    el(
      "div",
      { class: "runs" },
      el("h1", {}, "Runs"),
      el("p", { class: "filter" }, el("label", { for: "runs-filter" }, "Filter "), filter),
      note,
      el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of runs" },
        el("table", { class: "wide" }, el("thead", {}, el("tr", {}, head)), body),
      ),
    ),
  );
  let list = [];
  const draw = () => {
    const wanted = filter.value.trim().toLowerCase();
    const text = (run) => [run.name, run.kind, run.size, ...run.bots].join(" ").toLowerCase();
    const shown = list.filter((run) => text(run).includes(wanted));
    body.replaceChildren(...shown.map(row));
    note.hidden = shown.length > 0;
    note.textContent = list.length > 0 ? "No run has this." : "There are no runs in this folder.";
  };
  runs.watch((read, fault) => {
    if (fault) sayFault(fault);
    else list = read;
    draw();
  }, signal);
}

function row(run) {
  const bots = run.bots.length > 3 ? `${run.bots.slice(0, 3).join(", ")}, …` : run.bots.join(", ");
  return el(
    "tr",
    { class: run.progress },
    el("th", { scope: "row" }, el("a", { href: address("run", { name: run.name }) }, run.name)),
    el("td", {}, run.kind),
    el("td", {}, run.size ?? ""),
    el("td", { class: "bots", title: run.bots.join(", ") }, bots),
    el("td", { class: "count" }, progressBar(run)),
    el("td", {}, el("span", { class: `badge ${run.progress}` }, run.progress)),
  );
}
