// Begins the page and shows the view that the address names.

import { goBackTo, readAddress } from "./address.js";
import { records, runs, where } from "./backend.js";
import { say } from "./dom.js";
import { showTheme } from "./play/layout.js";
import { showPlay } from "./play/view.js";
import { showRecords } from "./records/list.js";
import { showRuns } from "./runs/list.js";
import { showRun } from "./runs/run.js";

const main = document.getElementById("main");
/** @type {AbortController | null} */
let leave = null;

const views = {
  play: {
    show: showPlay,
    title: ({ run, game }) => (run && game ? `Game ${game} of ${run}` : "Play"),
  },
  records: { show: showRecords, title: () => "Records" },
  runs: { show: showRuns, title: () => "Runs" },
  run: { show: showRun, title: ({ name = "" }) => `Run ${name}` },
};

function show() {
  const { view, given } = readAddress();
  leave?.abort();
  leave = new AbortController();
  main.replaceChildren();
  scrollTo(0, 0);
  say("");
  const isAbsent = view === "records" ? records === null : runs === null && view !== "play";
  const isShown = Object.hasOwn(views, view) && !isAbsent;
  const shown = isShown ? view : "play";
  document.body.dataset.view = shown;
  document.title = `${views[shown].title(given)} · Tengen`;
  document.getElementById("to-play").toggleAttribute("aria-current", shown === "play");
  document.getElementById("to-records").toggleAttribute("aria-current", shown === "records");
  document.getElementById("to-runs").toggleAttribute("aria-current", shown.startsWith("run"));
  views[shown].show(main, given, leave.signal);
  if (!isShown) say(`This page has no "${view}": here is the board.`, true);
}

showTheme();
document.getElementById("to-records").hidden = records === null;
document.getElementById("to-runs").hidden = runs === null;
document.getElementById("where").textContent = where;
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  /** @type {HTMLElement} */ (document.querySelector(".goban") ?? main).focus();
});
document.getElementById("to-play").addEventListener("click", (event) => {
  // Only a plain click: with Ctrl, Cmd or Shift the browser opens another tab or window.
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!isPlain || document.body.dataset.view === "play" || !goBackTo("play")) return;
  event.preventDefault();
  show();
});
addEventListener("hashchange", show);
// A page that the browser keeps for going back would hold one of the few connections.
addEventListener("pagehide", () => leave?.abort());
addEventListener("pageshow", (event) => {
  if (event.persisted) show();
});
show();
