// The one way to change the state of the board: actions wait in a queue, and each is
// finished, with its position and its address, before the next begins.

import { reduce } from "./actions.js";
import { withMoves } from "./line.js";
import { empty, gameText, isBot, isElsewhere, searches } from "./state.js";

/** @import { Action, Position, Search, State, Update } from "./types.js" */

/** Positions that are kept: a walk through a game asks for each position once. */
const MOST_KEPT = 400;

/**
 * @typedef {object} Backend
 * @property {(name: string, question?: any) => Promise<any>} ask
 * @property {(request: Search, onUpdate: (update: Update) => void, signal: AbortSignal)
 *   => Promise<Update>} think
 */

/** Holds the state and changes it. */
export class Store {
  /**
   * @param {State} state without a position: [`Store.begin`] loads it
   * @param {Backend} backend
   * @param {(before: State, after: State, action: Action) => void} onChange after each change
   * @param {(fault: Error) => void} onFault where an action or a search is refused
   */
  constructor(state, backend, onChange, onFault) {
    this.state = state;
    this.backend = backend;
    this.onChange = onChange;
    this.onFault = onFault;
    this.isClosed = false;
    /** The shortest time between the moves of two bots, in milliseconds, and the last move. */
    this.pace = () => 0;
    this.lastMove = 0;
    /** @type {Promise<void>} */
    this.queue = Promise.resolve();
    /** The number of unfinished actions, and the function that is called when it changes. */
    this.waiting = 0;
    /** @type {(waiting: number) => void} */
    this.onWaiting = () => {};
    /** @type {Map<string, Position>} */
    this.kept = new Map();
    /** @type {({search: string, control: AbortController} | null)[]} what is being thought about */
    this.running = [null, null];
  }

  /** Puts an action into the queue; resolves when it is done or refused.
   * @param {Action} action
   */
  dispatch(action) {
    this.count(1);
    this.queue = this.queue.then(() => this.act(action)).finally(() => this.count(-1));
    return this.queue;
  }

  /** @param {number} change of the number of unfinished actions */
  count(change) {
    this.waiting += change;
    this.onWaiting(this.waiting);
  }

  /** @param {Action} action */
  async act(action) {
    const before = this.state;
    const begins = action.type === "fresh" || action.type === "record";
    if (this.isClosed || (before.position === null && !begins)) return;
    try {
      const next = reduce(before, action);
      if (next === before) return;
      const isSame = next.position !== null && !isElsewhere(before, next);
      const position = isSame ? next.position : await this.position(before, next, action);
      const dead = next.marked === before.marked ? next.dead : await this.dead(next);
      if (this.isClosed) return;
      this.state = { ...next, position, dead };
      if (action.type === "moved") this.lastMove = Date.now();
    } catch (fault) {
      if (!this.isClosed) this.onFault(fault);
      return;
    }
    this.think();
    this.onChange(before, this.state, action);
  }

  /** Shows the initial state of the store, or the record that `reading` gives. If a move cannot be
   * made, the moves before it are shown; if nothing can be shown, an empty board. Actions wait
   * meanwhile.
   * @param {Promise<any>} reading the record, or null
   * @returns {Promise<Error | null>} why something else is shown
   */
  begin(reading) {
    this.count(1);
    const begun = this.load(reading).finally(() => this.count(-1));
    this.queue = begun.then(() => {});
    return begun;
  }

  /** @param {Promise<any>} reading */
  async load(reading) {
    let fault = null;
    const record = await reading.catch((why) => {
      fault = why;
      return null;
    });
    const wanted = reduce(this.state, { type: "load", record });
    const { size, a, b } = wanted;
    const boards = [wanted, { ...empty(), size, a, b }, empty()];
    for (let next = boards.shift(); next && !this.isClosed; next = boards.shift()) {
      try {
        const position = await this.backend.ask("position", gameText(next));
        if (this.isClosed) return null;
        const before = this.state;
        const dead = await this.dead(next);
        if (this.isClosed) return null;
        this.state = { ...next, position, dead };
        this.think();
        this.onChange(before, this.state, { type: "load" });
        return fault;
      } catch (why) {
        fault ??= why;
        const illegal = /^move (\d+),/.exec(why.message);
        if (illegal) {
          const moves = next.moves.slice(0, Number(illegal[1]) - 1);
          boards.unshift({ ...withMoves(next, moves), place: moves.length, isPaused: false });
        }
      }
    }
    return fault;
  }

  /** The position of `next`. A new move must keep the rules; past moves may break them.
   * @param {State} before
   * @param {State} next
   * @param {Action} action
   * @returns {Promise<Position>}
   */
  async position(before, next, action) {
    const key = JSON.stringify(gameText(next));
    const known = this.kept.get(key);
    if (known) return known;
    const isMove = action.type === "play" || action.type === "moved";
    const isNew = isMove && before.moves[before.place] !== action.move;
    const position = isNew
      ? await this.backend.ask("play", { game: gameText(before), move: action.move })
      : await this.backend.ask("position", gameText(next));
    if (this.kept.size > MOST_KEPT) this.kept.clear();
    this.kept.set(key, position);
    return position;
  }

  /** The score without the chains that `state` marks dead.
   * @param {State} state
   */
  async dead(state) {
    if (state.marked.length === 0) return null;
    return this.backend.ask("dead", { game: gameText(state), dead: state.marked });
  }

  /** Begins the searches that the state wants, and ends all other searches. */
  think() {
    searches(this.state).forEach((wanted, slot) => {
      const search = wanted && JSON.stringify(wanted);
      const now = this.running[slot];
      if (now?.search === search) return;
      now?.control.abort();
      this.running[slot] = null;
      if (search) this.search(slot, wanted, search);
    });
  }

  /** @param {number} slot
   * @param {Search} wanted
   * @param {string} search `wanted` as text
   */
  async search(slot, wanted, search) {
    const own = { search, control: new AbortController() };
    this.running[slot] = own;
    const { signal } = own.control;
    try {
      const onUpdate = (/** @type {Update} */ update) => {
        if (signal.aborted) return;
        // A bot that does not search has nothing to show.
        if (update.moves.length > 0) this.dispatch({ type: "found", slot, update, search });
      };
      const last = await this.backend.think(wanted, onUpdate, signal);
      if (wanted.purpose === "move") await this.wait(signal);
      if (signal.aborted) return;
      if (wanted.purpose === "analysis") this.dispatch({ type: "ended", slot, search });
      else if (last?.move) {
        this.dispatch({ type: "moved", move: last.move, search, remark: last.remark });
      } else throw new Error(`${wanted.bot} made no move`);
    } catch (fault) {
      if (signal.aborted || fault.name === "AbortError") return;
      this.onFault(fault);
      this.dispatch({ type: "failed", slot, search });
    }
  }

  /** Waits until two bots may make their next move. Their pace may change meanwhile.
   * @param {AbortSignal} signal
   */
  async wait(signal) {
    const { state } = this;
    if (!isBot(state, "black") || !isBot(state, "white") || state.isOneStep) return;
    while (!signal.aborted && Date.now() < this.lastMove + this.pace()) {
      await new Promise((done) => setTimeout(done, 30));
    }
  }

  /** Ends the searches; from now on actions have no effect. */
  close() {
    this.isClosed = true;
    for (const one of this.running) one?.control.abort();
    this.running = [null, null];
  }
}
