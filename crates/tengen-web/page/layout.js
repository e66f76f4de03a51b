// The controls around the board, and game records.

import { ask, measure } from "./backend.js";
import { button, el, say, sayFault, short } from "./dom.js";

/** The buttons below the board; `view` keeps those that change. */
export function toolbar(view) {
  const named = (name, label, keys, onclick, attributes = {}) => {
    const shortcut = keys === "" ? {} : { "aria-keyshortcuts": keys, title: `key: ${keys}` };
    return (view[name] = button(label, onclick, { ...shortcut, ...attributes }));
  };
  const toggle = (name, label, key) =>
    named(name, label, "", () => {
      view.show[key] = !view.show[key];
      view.draw();
    });
  return el(
    "div",
    { class: "toolbar", role: "toolbar", "aria-label": "Game" },
    named("newButton", "New game", "n", () => view.newGame(), { class: "primary" }),
    named("passButton", "Pass", "p", () => view.play("pass")),
    named("undoButton", "Undo", "u", () => view.undo()),
    named("redoButton", "Redo", "r", () => view.redo()),
    named("resignButton", "Resign", "", () => view.resign()),
    named("pauseButton", "Pause", "", () => view.pause()),
    toggle("numbersButton", "Numbers", "numbers"),
    toggle("areaButton", "Area", "area"),
  );
}

/** The parts beside the board. */
export function side(view) {
  const file = el("input", {
    type: "file",
    accept: ".sgf",
    class: "hidden",
    id: "open-record",
    tabindex: "-1",
    "aria-label": "SGF file",
  });
  file.addEventListener("change", () => openRecord(view, file));
  return el(
    "div",
    { class: "side" },
    el("section", { class: "state", "aria-label": "State" }, view.status, view.comment),
    analysis(view),
    el(
      "section",
      { class: "course", "aria-label": "Course of the win rate" },
      el("h2", {}, "Black's win rate over the game"),
      view.chart.element,
      el(
        "div",
        { class: "toolbar walk" },
        button("First", () => view.seek(0)),
        button("Back", () => view.seek(view.game.at - 1)),
        button("Next", () => view.seek(view.game.at + 1)),
        button("Last", () => view.seek(view.game.moves.length)),
        (view.place = el("span", { class: "place" })),
      ),
    ),
    el(
      "section",
      { class: "record", "aria-label": "Record" },
      el(
        "div",
        { class: "toolbar" },
        button("Save SGF", () => saveRecord(view.game), { id: "save-record" }),
        button("Open SGF", () => file.click()),
        button("Copy link", copyLink),
        measure && button("Playouts/s", measurePlayouts),
        file,
      ),
      el(
        "p",
        { class: "keys" },
        "Keys: arrows and enter on the board, p pass, u undo, r redo, space analysis, n new game.",
      ),
    ),
  );
}

function analysis(view) {
  const { specs, findings } = view;
  view.analyseButton = button("Analyse", () => view.analyse(), {
    "aria-keyshortcuts": "Space",
    title: "key: space",
    "aria-pressed": "false",
  });
  view.compareButton = button("Compare", () => view.compare(view.second.hidden));
  view.secondSlot = el("div", { class: "slot", hidden: true }, [
    specs.b.element,
    findings[1].element,
  ]);
  return el(
    "section",
    { class: "analysis", "aria-label": "Analysis" },
    el(
      "div",
      { class: "head" },
      el("h2", {}, "Analysis"),
      view.analyseButton,
      view.compareButton,
    ),
    el("div", { class: "slot" }, specs.a.element, findings[0].element),
    view.secondSlot,
  );
}

async function saveRecord(game) {
  try {
    const { sgf } = await ask("sgf", game.record());
    const url = URL.createObjectURL(new Blob([sgf], { type: "application/x-go-sgf" }));
    const name = `tengen-${game.state.size}.sgf`;
    el("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    say(`saved as ${name}`);
  } catch (fault) {
    sayFault(fault);
  }
}

async function openRecord(view, file) {
  const [chosen] = file.files;
  if (!chosen) return;
  try {
    const record = await ask("record", { sgf: await chosen.text() });
    Object.assign(view.game.state, { black: "person", white: "person", run: "", game: "" });
    view.game.take(record);
    view.rates.clear();
    await view.update();
    say([`read ${chosen.name}`, ...(record.warnings ?? [])].join("; "));
  } catch (fault) {
    sayFault(fault);
  }
  file.value = "";
}

/** Seconds for which playouts are measured. */
const MEASURED = 2;

async function measurePlayouts() {
  say(`measuring playouts on 9x9 for ${MEASURED} s`);
  try {
    say(`${short(await measure(9, MEASURED))} playouts per second on 9x9 in one worker`);
  } catch (fault) {
    sayFault(fault);
  }
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    say("the link is copied");
  } catch {
    say("the link is the address of this page: copy it there");
  }
}
