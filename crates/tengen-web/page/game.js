// The game of the page: moves, the place in them, and its position.

import { ask, runs } from "./backend.js";
import { tokens } from "./state.js";

/** Positions that are kept, so that a walk through a game asks once. */
const MOST_KEPT = 400;

const OTHER = { black: "white", white: "black" };

export class Game {
  constructor(state) {
    this.state = { ...state };
    this.moves = tokens(state.moves);
    this.at = state.at === "" ? this.moves.length : Number(state.at);
    this.at = Math.min(Math.max(this.at || 0, 0), this.moves.length);
    this.comments = {};
    this.names = null;
    this.result = "";
    this.kept = new Map();
    this.position = null;
  }

  /** Reads the game of a run that the address names. */
  async loadOfRun() {
    const { run, game } = this.state;
    if (run === "" || game === "" || runs === null) return;
    const { record } = await runs.game(run, game);
    this.take(record);
    this.at = Math.min(Number(this.state.at || 0), this.moves.length);
  }

  /** Takes a record over: its moves, its rules and what is written about it. */
  take(record) {
    const { size, komi, rules, handicap = 0, setup = "", first, moves = "" } = record.game;
    const conditions = { size, komi: String(komi), rules, handicap: String(handicap) };
    Object.assign(this.state, { ...conditions, setup, first, resigned: "" });
    this.moves = tokens(moves);
    this.at = this.moves.length;
    this.comments = record.comments ?? {};
    this.names = { black: record.black, white: record.white };
    this.result = record.result;
    this.kept.clear();
  }

  /** The game up to the place `at`, as the backend reads it. */
  text(at = this.at) {
    const { size, komi, rules, setup, first } = this.state;
    const handicap = Number(this.state.handicap);
    const moves = this.moves.slice(0, at).join(".");
    const text = { size, rules, handicap, setup, first, moves };
    return komi === "" ? text : { ...text, komi: Number(komi) };
  }

  /** The whole state for the address. */
  address() {
    const at = this.at === this.moves.length ? "" : String(this.at);
    const { run, game, black, white, a, b } = this.state;
    if (run !== "") return { run, game, at: String(this.at), a, b, black, white };
    return { ...this.state, moves: this.moves.join("."), at };
  }

  /** The position at the present place. */
  async refresh() {
    const key = JSON.stringify(this.text());
    if (!this.kept.has(key)) this.keep(key, await ask("position", this.text()));
    this.position = this.kept.get(key);
    return this.position;
  }

  keep(key, position) {
    if (this.kept.size > MOST_KEPT) this.kept.clear();
    this.kept.set(key, position);
  }

  /** Makes a move; what was undone is dropped. */
  async play(move) {
    const position = await ask("play", { game: this.text(), move });
    const isNext = this.moves[this.at] === move;
    if (!isNext) {
      this.moves = [...this.moves.slice(0, this.at), move];
      Object.assign(this.state, { run: "", game: "", resigned: "" });
      this.names = null;
      this.result = "";
      const known = Object.entries(this.comments).filter(([ply]) => Number(ply) <= this.at);
      this.comments = Object.fromEntries(known);
    }
    this.at += 1;
    this.keep(JSON.stringify(this.text()), position);
    this.position = position;
  }

  /** Goes to the place after `at` moves. */
  seek(at) {
    this.at = Math.min(Math.max(at, 0), this.moves.length);
    this.state.resigned = "";
  }

  /** Takes back to the last move of a person: with a bot, its answer too. */
  undo() {
    if (this.state.resigned !== "") {
      this.state.resigned = "";
      return;
    }
    const isBot = (at) => this.isBot(this.playerAt(at));
    let to = this.at - 1;
    const hasPerson = !this.isBot("black") || !this.isBot("white");
    while (hasPerson && to > 0 && isBot(to)) to -= 1;
    if (to >= 0) this.seek(to);
  }

  /** Makes again what was undone. */
  redo() {
    let to = this.at + 1;
    const hasPerson = !this.isBot("black") || !this.isBot("white");
    while (hasPerson && to < this.moves.length && this.isBot(this.playerAt(to))) to += 1;
    if (to <= this.moves.length) this.seek(to);
  }

  /** Who moves after `at` moves, as long as the players move in turn. */
  playerAt(at) {
    let player = this.state.first;
    for (const move of this.moves.slice(0, at)) {
      if (!move.startsWith("~")) player = OTHER[player];
    }
    return player;
  }

  isBot(player) {
    return this.state[player] !== "person";
  }

  /** The player whose turn it is, if the game goes on. */
  turn() {
    return this.isOver() ? null : this.position.to_play;
  }

  isOver() {
    return this.position.end !== null || this.state.resigned !== "";
  }

  isAtEnd() {
    return this.at === this.moves.length;
  }

  /** The result as SGF writes it; empty while the game goes on. */
  outcome() {
    const { resigned } = this.state;
    if (resigned !== "") return `${resigned === "black" ? "W" : "B"}+R`;
    if (this.position?.end) return this.position.count.result;
    return this.isAtEnd() ? this.result : "";
  }

  /** Who plays `player`, in words. */
  name(player) {
    const own = this.names?.[player];
    if (own) return own;
    return this.state[player] === "person" ? "person" : this.state[player];
  }

  /** The game and what is known of it, for SGF. */
  record() {
    return {
      game: this.text(this.moves.length),
      black: this.name("black"),
      white: this.name("white"),
      result: this.isAtEnd() ? this.outcome() : this.result,
      comments: this.comments,
    };
  }
}

/** The result in words. */
export function inWords(result) {
  const [winner, by] = result.split("+");
  const name = { B: "Black", W: "White" }[winner];
  if (!name) return result === "0" ? "Jigo: nobody wins" : result;
  if (by === "R") return `${name} wins by resignation`;
  return by === "" ? `${name} wins` : `${name} wins by ${by}`;
}
