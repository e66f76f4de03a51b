// The board: play, watch and analyse.

import { ask } from "./backend.js";
import { Findings, Thinker } from "./analysis.js";
import { Board } from "./board.js";
import { WinRateChart } from "./chart.js";
import { el, say, sayFault } from "./dom.js";
import { Game, inWords } from "./game.js";
import { side, toolbar } from "./layout.js";
import { BotField, showSetup } from "./setup.js";
import { writeAddress } from "./state.js";

/** What the side of a search says of its win rate: the comments of recorded games. */
const COMMENTED = /win rate ([0-9.]+)/;

export async function showPlay(main, state, signal) {
  const view = new PlayView(state, signal);
  main.append(view.element);
  try {
    view.bots = await ask("bots");
    view.build();
    await view.game.loadOfRun();
  } catch (fault) {
    sayFault(fault);
  }
  if (!signal.aborted) await view.update();
}

class PlayView {
  constructor(state, signal) {
    this.game = new Game(state);
    this.signal = signal;
    this.turn = 0;
    this.isAnalysing = false;
    this.isPaused = false;
    this.show = { numbers: false, area: false };
    this.thinkers = [new Thinker(), new Thinker()];
    this.rates = new Map();
    this.bots = [];
    this.element = el("div", { class: "play" });
    signal.addEventListener("abort", () => this.thinkers.forEach((one) => one.stop()));
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    addEventListener("pagehide", () => this.thinkers.forEach((one) => one.stop()), { signal });
  }

  build() {
    const { state } = this.game;
    const onLine = (order) => (moves) => this.boards[order].showLine(moves);
    this.findings = ["Search", "Second search"].map((title, at) => new Findings(title, onLine(at)));
    const hover = (order) => (vertex) => {
      this.boards[order].showLine(vertex && this.findings[order].lineOf(vertex));
    };
    this.boards = [
      new Board({ label: "Board", onPlay: (at) => this.play(at), onHover: hover(0) }),
      new Board({ label: "Board of the second search", onHover: hover(1) }),
    ];
    this.chart = new WinRateChart((ply) => this.seek(ply));
    this.players = { black: el("div", { class: "player" }), white: el("div", { class: "player" }) };
    this.status = el("p", { class: "status" });
    this.comment = el("p", { class: "comment", hidden: true });
    const spec = (key, label) =>
      new BotField(label, this.bots, state[key] || state.a, {
        onChange: () => {
          this.game.state[key] = this.specs[key].value;
          this.update();
        },
      });
    this.specs = { a: spec("a", "By"), b: spec("b", "And by") };
    this.second = el("figure", { class: "second", hidden: true }, this.boards[1].element);
    this.element.replaceChildren(
      el(
        "div",
        { class: "table" },
        el("div", { class: "players" }, this.players.black, this.players.white),
        el(
          "div",
          { class: "boards" },
          el("figure", {}, this.boards[0].element),
          this.second,
        ),
        toolbar(this),
      ),
      side(this),
    );
    this.compare(state.b !== "");
  }

  /** Shows the present position and goes on from it: a bot's move, or the analysis. */
  async update() {
    const turn = (this.turn += 1);
    this.thinkers.forEach((one) => one.stop());
    this.findings?.forEach((one) => one.clear());
    try {
      await this.game.refresh();
    } catch (fault) {
      sayFault(fault);
      return;
    }
    if (turn !== this.turn || this.signal.aborted) return;
    writeAddress("play", this.game.address());
    this.draw();
    const player = this.game.turn();
    const isBots = player !== null && this.game.isBot(player) && this.game.isAtEnd();
    if (isBots && !this.isPaused) this.moveOfBot(player, turn);
    else if (this.isAnalysing && player !== null) this.search();
  }

  draw() {
    const { game } = this;
    const { position } = game;
    const isOver = game.isOver();
    const isOpen = !isOver && !(game.isBot(position.to_play) && !this.isPaused && game.isAtEnd());
    const area = this.show.area || position.end !== null;
    for (const board of this.boards) {
      board.draw(position, { numbers: this.show.numbers, area, isOpen });
    }
    for (const player of ["black", "white"]) this.drawPlayer(player);
    const place = game.at;
    const { count, komi, handicap_points: points } = position;
    const toWhite = points > 0 ? `komi ${komi} and ${points} for handicap stones` : `komi ${komi}`;
    const score = `Area: Black ${count.black}, White ${count.white}, ${toWhite}: ${count.result}`;
    const outcome = game.outcome();
    const turn = `${position.to_play === "black" ? "Black" : "White"} to play`;
    const known = outcome !== "" ? inWords(outcome) : turn;
    this.status.replaceChildren(el("strong", {}, known), area ? el("span", {}, score) : "");
    const comment = game.comments[place];
    this.comment.hidden = comment === undefined;
    this.comment.textContent = comment ?? "";
    this.place.textContent = `move ${place} of ${game.moves.length}`;
    const isBots = game.isBot("black") || game.isBot("white");
    this.passButton.disabled = !isOpen;
    this.resignButton.disabled = !isOpen;
    this.undoButton.disabled = place === 0 && game.state.resigned === "";
    this.redoButton.disabled = game.isAtEnd();
    this.pauseButton.hidden = !isBots || isOver;
    this.pauseButton.textContent = this.isPaused ? "Go on" : "Pause";
    this.numbersButton.setAttribute("aria-pressed", String(this.show.numbers));
    this.areaButton.setAttribute("aria-pressed", String(area));
    this.drawChart();
  }

  drawPlayer(player) {
    const { game } = this;
    const { captures, to_play: toPlay } = game.position;
    const isTurn = toPlay === player && !game.isOver();
    this.players[player].classList.toggle("turn", isTurn);
    this.players[player].classList.remove("thinking");
    this.players[player].replaceChildren(
      el("span", { class: `bowl ${player}`, "aria-hidden": "true" }),
      el("span", { class: "name" }, `${player === "black" ? "Black" : "White"}: `, game.name(player)),
      el("span", { class: "taken" }, `${captures[player === "black" ? 0 : 1]} captured`),
    );
  }

  drawChart() {
    const { game } = this;
    const rates = new Map();
    for (const [ply, comment] of Object.entries(game.comments)) {
      const found = COMMENTED.exec(comment);
      // The rate is that of the player who has just moved.
      const isBlack = game.playerAt(Number(ply) - 1) === "black";
      if (found) rates.set(Number(ply), isBlack ? Number(found[1]) : 1 - Number(found[1]));
    }
    for (const [moves, rate] of this.rates) {
      const line = moves === "" ? [] : moves.split(".");
      if (line.every((move, at) => game.moves[at] === move)) rates.set(line.length, rate);
    }
    this.chart.draw(rates, game.at, game.moves.length);
  }

  /** Takes what a search has found of the present position. */
  found(order, update) {
    this.findings[order].show(update);
    if (update.moves.length > 0) this.boards[order].showHeat(update);
    if (order > 0 || update.black_win_rate === null) return;
    this.rates.set(this.game.moves.slice(0, this.game.at).join("."), update.black_win_rate);
    this.drawChart();
  }

  async moveOfBot(player, turn) {
    const { game } = this;
    const { seed } = game.state;
    const bot = game.state[player];
    this.players[player].classList.add("thinking");
    try {
      const request = { game: game.text(), bot, purpose: "move", seed: Number(seed) || 1 };
      const last = await this.thinkers[0].start(request, (update) => this.found(0, update));
      if (turn !== this.turn) return;
      if (!last?.move) throw new Error(`${bot} made no move`);
      await this.made(player, last.move);
    } catch (fault) {
      if (fault.name === "AbortError") return;
      this.isPaused = true;
      this.draw();
      sayFault(fault);
    }
  }

  /** Makes a move of `player`, and says it. */
  async made(player, move) {
    const name = player === "black" ? "Black" : "White";
    if (move === "resign") {
      this.game.state.resigned = player;
      say(`${name} resigns`);
    } else {
      const before = this.game.position.captures;
      await this.game.play(move);
      const taken = this.game.position.captures.map((count, at) => count - before[at]);
      const most = Math.max(...taken);
      const captures = most > 0 ? `, captures ${most}` : "";
      say(`${name} ${move === "pass" ? "passes" : `plays ${move}`}${captures}`);
    }
    if (this.game.isOver()) say(inWords(this.game.outcome()));
    await this.update();
  }

  /** A person's move. */
  async play(move) {
    const player = this.game.turn();
    if (player === null) {
      say("the game is over", true);
      return;
    }
    const reason = this.game.position.illegal[move];
    if (reason) {
      say(`${move}: ${reason}`, true);
      return;
    }
    if (this.passButton.disabled) return;
    const turn = this.turn;
    try {
      if (turn === this.turn) await this.made(player, move);
    } catch (fault) {
      sayFault(fault);
    }
  }

  undo() {
    if (this.undoButton.disabled) return;
    this.game.undo();
    say("");
    this.update();
  }

  redo() {
    if (this.redoButton.disabled) return;
    this.game.redo();
    this.update();
  }

  seek(at) {
    this.game.seek(at);
    // A walk through a game is no wish for the bot's next move.
    this.isPaused = this.isPaused || !this.game.isAtEnd();
    this.update();
  }

  resign() {
    if (this.resignButton.disabled) return;
    this.game.state.resigned = this.game.turn();
    say(inWords(this.game.outcome()));
    this.update();
  }

  pause() {
    this.isPaused = !this.isPaused;
    this.update();
  }

  newGame() {
    showSetup(this.game.state, this.bots, (change) => {
      const { a, b } = this.game.state;
      const start = { handicap: "0", setup: "", first: "black" };
      const fresh = { ...start, moves: "", at: "", resigned: "", run: "", game: "" };
      this.game = new Game({ ...fresh, a, b, ...change });
      this.rates.clear();
      this.isPaused = false;
      this.show.area = false;
      this.update();
      this.boards[0].element.focus();
    });
  }

  /** Begins or ends the analysis. */
  analyse() {
    this.isAnalysing = !this.isAnalysing;
    this.analyseButton.setAttribute("aria-pressed", String(this.isAnalysing));
    this.analyseButton.textContent = this.isAnalysing ? "Stop" : "Analyse";
    if (this.isAnalysing) this.update();
    else this.thinkers.forEach((one) => one.stop());
  }

  compare(isWanted) {
    this.second.hidden = !isWanted;
    this.secondSlot.hidden = !isWanted;
    this.element.classList.toggle("comparing", isWanted);
    this.compareButton.setAttribute("aria-pressed", String(isWanted));
    this.game.state.b = isWanted ? this.specs.b.value : "";
    if (this.game.position) this.update();
  }

  /** Analyses the present position until something changes. */
  search() {
    ["a", "b"].forEach((key, order) => {
      if (order === 1 && this.second.hidden) return;
      const bot = this.specs[key].value;
      const request = { game: this.game.text(), bot, purpose: "analysis" };
      const seed = Number(this.game.state.seed) || 1;
      this.thinkers[order]
        .start({ ...request, seed }, (update) => this.found(order, update))
        .catch((fault) => {
          if (fault.name !== "AbortError") this.findings[order].clear(fault.message);
        });
    });
  }

  key(event) {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (typing || event.ctrlKey || event.altKey || event.metaKey || !this.game.position) return;
    const onButton = event.target.closest?.("button, a, summary");
    if (event.key.startsWith("Arrow") && !event.target.closest?.(".goban")) {
      this.boards[0].element.focus();
      this.boards[0].key(event);
      return;
    }
    const keys = {
      p: () => this.play("pass"),
      u: () => this.undo(),
      r: () => this.redo(),
      n: () => this.newGame(),
      " ": onButton ? null : () => this.analyse(),
    };
    const done = keys[event.key];
    if (!done) return;
    event.preventDefault();
    done();
  }
}
