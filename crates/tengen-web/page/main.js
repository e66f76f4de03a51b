// Begins the page and shows the view that the address names.

import { runs, where } from "./backend.js";
import { say } from "./dom.js";
import { showPlay } from "./play.js";
import { showRun } from "./run.js";
import { showRuns } from "./runs.js";
import { readAddress } from "./state.js";

const main = document.getElementById("main");
let leave = null;

const views = { play: showPlay, runs: showRuns, run: showRun };

function show() {
  const { view, state, given } = readAddress();
  leave?.abort();
  leave = new AbortController();
  main.replaceChildren();
  say("");
  const known = runs === null && view !== "play" ? "play" : view;
  const shown = known in views ? known : "play";
  document.body.dataset.view = shown;
  document.getElementById("to-play").toggleAttribute("aria-current", shown === "play");
  document.getElementById("to-runs").toggleAttribute("aria-current", shown !== "play");
  views[shown](main, { ...state, given }, leave.signal);
}

document.getElementById("to-runs").hidden = runs === null;
document.getElementById("where").textContent = where;
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  (document.querySelector(".goban") ?? main).focus();
});
addEventListener("hashchange", show);
show();
