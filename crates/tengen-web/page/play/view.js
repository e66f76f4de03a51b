// The view of the board: it draws the state, and turns what a person does into actions.

import { writeAddress } from "../address.js";
import { ask, records, runs, think } from "../backend.js";
import { el, say, sayFault } from "../dom.js";
import { DOCK_PANELS, SIDE_PANELS } from "../panels/all.js";
import { FindingsPanel } from "../panels/findings.js";
import { VariationsPanel } from "../panels/variations.js";
import { AroundGame } from "../runs/around.js";
import { Refusal } from "./actions.js";
import { fromAddress, toAddress } from "./address.js";
import { Board } from "./board.js";
import { Captions } from "./captions.js";
import { WinRateChart } from "./chart.js";
import { Dock } from "./dock.js";
import { takeRecords } from "./record.js";
import { Store } from "./effects.js";
import { listenToWheel, takeKey } from "./keys.js";
import { courseSection, recordSection, showCoordinates, toolbar, walkBar } from "./layout.js";
import { keepAnalysis, keptAnalysis } from "./kept.js";
import { besideAddress, nodeOf, originOf, withKept } from "./line.js";
import { Overlays, isOfSearch } from "./overlays.js";
import { settings } from "./settings.js";
import { showSetup } from "./setup.js";
import { clack } from "./sound.js";
import {
  canMark, isBehind, isBot, isElsewhere, isOpen, isOver, outcome, redoPlace, showsArea, undoPlace,
} from "./state.js";
import { CommentBox, drawPlayer, statusLines } from "./status.js";
import { endInWords, inWords, moveInWords, scoreInWords } from "./text.js";

/** @import { Action, Player, State } from "./types.js" */

/** The game of a page that is opened without one. */
const FIRST_GAME = { size: "9x9", white: "uct" };

/** Shows the board as the address describes it, until `signal`.
 * @param {HTMLElement} main
 * @param {Record<string, string>} given
 * @param {AbortSignal} signal
 */
export async function showPlay(main, given, signal) {
  const isFirstVisit = Object.keys(given).length === 0;
  const { state: linked, faults } = fromAddress(isFirstVisit ? FIRST_GAME : given);
  // After a reload or a step back the browser still keeps the variations and the record.
  const state = withKept(linked, history.state);
  const view = new PlayView(state, signal);
  main.append(view.element);
  view.draw(state, state);
  // A record of the folder is read once; then it is part of the state, like an opened file.
  const { record = "" } = given;
  await view.begin(faults, record === "" ? null : records?.record(record));
}

/** The overlay of a panel; null where it shows nothing on the board.
 * @param {any} panel
 * @returns {string | null}
 */
function overlayOf(panel) {
  return panel.constructor.overlay ?? null;
}

class PlayView {
  /** @param {State} state
   * @param {AbortSignal} signal
   */
  constructor(state, signal) {
    this.signal = signal;
    this.store = this.storeOf(state);
    /** @type {Promise<import("./setup.js").Offer[]>} */
    this.bots = Promise.resolve([]);
    this.dispatch = (/** @type {Action} */ action) => this.store.dispatch(action);
    const close = () => {
      this.store.close();
      if (this.state.position !== null) keepAnalysis(this.state);
      for (const panel of this.panels) panel.leave();
    };
    signal.addEventListener("abort", close);
    addEventListener("pagehide", close, { signal });
    document.addEventListener("keydown", (event) => takeKey(this, event), { signal });
    takeRecords(this.dispatch, signal);
    this.build();
  }

  /** @param {State} state */
  storeOf(state) {
    const store = new Store(
      state,
      { ask, think },
      (before, after, action) => this.changed(before, after, action),
      (fault) => this.refused(fault),
    );
    store.pace = () => settings.pace;
    // Tests that drive the page read from it when all actions are finished.
    store.onWaiting = (waiting) => (this.element.dataset.waiting = String(waiting));
    return store;
  }

  get state() {
    return this.store.state;
  }

  build() {
    const hover = (/** @type {number} */ order) => (/** @type {string | null} */ vertex) => {
      const panel = this.side.find((one) => one instanceof FindingsPanel);
      const isShown = isOfSearch(this.state.overlay) && !isBehind(this.state);
      const line = isShown ? panel?.lineOf(order, vertex) : null;
      this.boards[order].showLine(line ?? null);
    };
    const onPlay = (/** @type {string} */ move) => {
      const { elsewhere } = this.overlays;
      if (elsewhere === "") this.dispatch({ type: "play", move });
      else say(`${elsewhere}: choose visits on the board to play`, true);
    };
    const onAim = (/** @type {string | null} */ at) => {
      this.toolbar.buttons.confirm.hidden = at === null;
      this.toolbar.buttons.confirm.textContent = `Play ${at}`;
      if (at !== null) say(`${at}: tap it again to play there`);
    };
    const onMark = (/** @type {string} */ point) => this.dispatch({ type: "dead", point });
    this.boards = [
      new Board({ label: "Board", onPlay, onAim, onMark, onHover: hover(0) }),
      new Board({ label: "Board of the second search", onHover: hover(1) }),
    ];
    const hasGame = () => this.state.moves.length > 0;
    const walk = (/** @type {number} */ by) => this.dispatch({ type: "walk", by });
    for (const { element } of this.boards) listenToWheel(element, hasGame, walk);
    this.captions = new Captions(ask);
    this.figures = this.boards.map((board, at) => {
      return el("figure", { hidden: at > 0 }, this.captions.elements[at], board.element);
    });
    const [board] = this.boards;
    const onPicture = () => this.drawBoards(this.state);
    const context = { ask, think, dispatch: this.dispatch, board, boards: this.boards, onPicture };
    this.side = SIDE_PANELS.map((Panel) => new Panel(context));
    const docked = DOCK_PANELS.map((Panel) => new Panel(context));
    this.dock = new Dock(docked, (opened, closed) => this.turned(opened, closed));
    this.panels = [...this.side, ...docked];
    const withOverlay = docked.filter((panel) => overlayOf(panel) !== null);
    const sources = new Map(withOverlay.map((panel) => [overlayOf(panel), panel]));
    this.overlays = new Overlays(this.boards, /** @type {any} */ (sources), (overlay) => {
      this.dispatch({ type: "overlay", overlay });
      if (sources.has(overlay)) this.dock.turn(sources.get(overlay));
    });
    this.chart = new WinRateChart((at) => this.dispatch({ type: "seek", at }));
    this.players = { black: el("div", { class: "player" }), white: el("div", { class: "player" }) };
    this.status = el("p", { class: "status" }, el("strong", {}, "Loading…"));
    this.comment = new CommentBox(this.dispatch);
    this.toolbar = toolbar(this);
    this.walk = walkBar(this.dispatch, () => this.state);
    this.notice = el("p", { class: "notice", role: "alert", hidden: true });
    const origin = runs === null ? null : originOf(this.state);
    this.around = origin === null ? null : new AroundGame(origin);
    this.element = el(
      "div",
      { class: "play" },
      el("h1", { class: "hidden" }, "Play Go and watch a search think"),
      el(
        "div",
        { class: "table" },
        this.notice,
        this.around?.element,
        this.overlays.element,
        el("div", { class: "boards" }, this.figures),
      ),
      el(
        "div",
        { class: "side" },
        el(
          "section",
          { class: "state", "aria-label": "State" },
          el("div", { class: "players" }, this.players.black, this.players.white),
          this.status,
          this.walk.element,
          this.toolbar.element,
          this.comment.text,
        ),
        this.side.map((panel) => this.panelSection(panel)),
        courseSection(this.chart.element),
        recordSection(this),
      ),
      this.dock.element,
    );
    showCoordinates(this.element);
  }

  /** Shows the picture of the opened panel on the board, or removes that of the closed panel.
   * @param {any} opened
   * @param {any} closed
   */
  turned(opened, closed) {
    this.element.classList.toggle("docked", opened !== null);
    if (opened && this.state.position !== null) opened.show(this.state);
    const [own, before] = [opened, closed].map((panel) => panel && overlayOf(panel));
    const { overlay } = this.state;
    if (own) this.dispatch({ type: "overlay", overlay: own });
    else if (before === overlay) this.dispatch({ type: "overlay", overlay: "visits" });
  }

  /** A panel in a part that opens and closes; it shows the state while it is open.
   * @param {InstanceType<typeof SIDE_PANELS[number]>} panel
   */
  panelSection(panel) {
    const { title } = /** @type {typeof SIDE_PANELS[number]} */ (panel.constructor);
    const isFirst = panel instanceof FindingsPanel;
    const box = /** @type {HTMLDetailsElement} */ (
      el("details", { class: "panel", open: isFirst }, el("summary", {}, title), panel.element)
    );
    box.addEventListener("toggle", () => {
      if (box.open) panel.show(this.state);
      else panel.leave();
    });
    return box;
  }

  /** Asks the backend for everything that the first picture needs.
   * @param {string[]} faults of the address
   * @param {Promise<any> | null} opened the record that the address names
   */
  async begin(faults, opened) {
    this.bots = ask("bots");
    this.bots.then((bots) => {
      for (const panel of this.side) if (panel instanceof FindingsPanel) panel.offer(bots);
    }, sayFault);
    const ofRun = this.around === null ? null : this.recordOfRun();
    // A line that only began in a game of a run still has a link back to that game.
    ofRun?.catch(() => {});
    const reading = this.state.run === "" ? opened : ofRun;
    const fault = await this.store.begin(Promise.resolve(reading));
    if (fault) faults.push(fault.message);
    if (this.signal.aborted) return;
    const analysis = this.state.position === null ? null : keptAnalysis(this.state);
    if (analysis !== null) this.dispatch({ type: "known", analysis });
    if (faults.length === 0) return;
    if (this.state.position === null) this.status.replaceChildren(el("strong", {}, "No board"));
    this.notice.textContent = `This link cannot be shown as it is: ${faults.join("; ")}.`;
    this.notice.hidden = false;
  }

  /** The record of the game of a run that the address names; shows the way to its neighbours. */
  async recordOfRun() {
    const { run, game, filter } = this.around.place;
    const found = await runs.game(run, game, Object.fromEntries(new URLSearchParams(filter)));
    if (!this.signal.aborted) this.around.show(found);
    return found.record;
  }

  /** Says why an action or a search was not possible.
   * @param {Error} fault
   */
  refused(fault) {
    if (fault instanceof Refusal) say(fault.message, true);
    else sayFault(fault);
  }

  /** Draws a change of the state, and announces it.
   * @param {State} before
   * @param {State} after
   * @param {Action} action
   */
  changed(before, after, action) {
    // Changes without an undo button get an entry of the history: going back undoes them.
    const isNew = ["fresh", "record", "remove"].includes(action.type);
    if (action.type === "fresh" || action.type === "record") this.notice.hidden = true;
    // Browsers limit writes per second: findings of a search change nothing here.
    const isSameTree = before.tree === after.tree && before.position !== null;
    const more = isSameTree ? history.state : besideAddress(after);
    writeAddress("play", toAddress(after), isNew, more);
    this.draw(before, after);
    const parts = [];
    if (action.type === "play" || action.type === "moved") {
      parts.push(moveInWords(before, after, action.move));
      if (after.remark !== "") parts.push(after.remark);
      if (settings.sound && action.move !== "pass" && action.move !== "resign") clack();
    }
    if (action.type === "remove") parts.push("removed: the browser's Back brings the moves back");
    if (action.type === "dead") parts.push(scoreInWords(after));
    if (action.type === "ended") parts.push(endInWords(after.findings[action.slot]));
    const hasEnded = isOver(after) && (!isOver(before) || isElsewhere(before, after));
    if (hasEnded) parts.push(inWords(outcome(after)));
    if (parts.length > 0) say(parts.join(". "));
  }

  /** Draws what differs between two states.
   * @param {State} before
   * @param {State} state
   */
  draw(before, state) {
    const { position } = state;
    if (position === null) {
      const [width, height] = state.size.split("x").map(Number);
      for (const board of this.boards) board.resize(width, height);
    } else {
      const isDrawn = this.drawBoards(state);
      if (isDrawn || position !== before.position) {
        this.status.replaceChildren(...statusLines(state));
      }
    }
    const isComparing = state.b !== "";
    this.figures[1].hidden = !isComparing;
    this.element.classList.toggle("comparing", isComparing);
    this.captions.show(isComparing ? [state.a, state.b] : null);
    for (const player of /** @type {Player[]} */ (["black", "white"])) {
      drawPlayer(this.players[player], state, player);
    }
    for (const panel of this.side) {
      const box = panel.element.closest("details");
      if (panel instanceof VariationsPanel && panel.wantsToOpen(state)) box.open = true;
      if (box.open) panel.show(state);
    }
    if (position !== null) this.dock.show(state);
    this.drawControls(state);
    const shown = ["rates", "moves", "place", "comments", "review", "verdicts"];
    const isSame = before.position !== null && shown.every((key) => state[key] === before[key]);
    if (!isSame) this.chart.draw(state);
  }

  /** Draws the boards with their overlays; whether a position was drawn.
   * @param {State} state
   */
  drawBoards(state) {
    const { position } = state;
    if (position === null) return false;
    return this.overlays.show(state, {
      numbers: state.show.numbers,
      area: showsArea(state),
      isOpen: isOpen(state),
      isMarking: canMark(state),
      dead: state.dead?.chains.flat() ?? [],
      count: (state.dead ?? position).count,
      signs: state.tree[nodeOf(state)].marks,
    });
  }

  /** @param {State} state */
  drawControls(state) {
    const { buttons } = this.toolbar;
    this.around?.follow(originOf(state), state.run !== "");
    this.comment.show(state);
    this.walk.place.textContent = `move ${state.place} of ${state.moves.length}`;
    const { result } = state.tree[state.line.at(-1)];
    this.walk.end.textContent = result !== "" && outcome(state) === "" ? inWords(result) : "";
    buttons.pass.disabled = !isOpen(state);
    buttons.resign.disabled = !isOpen(state);
    buttons.undo.disabled = undoPlace(state) === null;
    buttons.redo.disabled = redoPlace(state) === null;
    const hasBots = isBot(state, "black") || isBot(state, "white");
    buttons.pause.hidden = !hasBots;
    buttons.pause.disabled = isOver(state);
    const areBots = isBot(state, "black") && isBot(state, "white");
    buttons.step.hidden = !areBots;
    buttons.step.disabled = isOver(state);
    this.toolbar.pace.hidden = !areBots;
    buttons.pause.textContent = state.isPaused ? "Go on" : "Pause";
    buttons.numbers.setAttribute("aria-pressed", String(state.show.numbers));
    buttons.area.setAttribute("aria-pressed", String(showsArea(state)));
  }

  async newGame() {
    const bots = await this.bots.catch(() => []);
    showSetup(this.state, bots, async (change) => {
      await this.dispatch({ type: "fresh", change });
      this.boards[0].element.focus();
    });
  }
}
