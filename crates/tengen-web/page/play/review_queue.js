// The analysis of a whole game: one position at a time, so that it takes no place of a bot's
// search. It can be stopped at any time, and continues where it stopped.

import { gameText, searches } from "./state.js";
import { evaluationOf, keyAt, nextPlace, nextToProve } from "./review.js";

/** @import { Action, Search, State, Update } from "./types.js"
 * @import { Evaluation } from "./review.js"
 *
 * @typedef {object} Surroundings what the queue uses
 * @property {() => State} state
 * @property {(action: Action) => Promise<void>} dispatch
 * @property {(name: string, question?: any) => Promise<any>} ask
 * @property {(request: Search, onUpdate: (update: Update) => void, signal: AbortSignal)
 *   => Promise<Update>} think
 * @property {(text: string) => void} onProgress
 */

/** Milliseconds between two checks for a free place for a search. */
const PAUSE = 400;

/** The most searches of the board itself while the queue searches. */
const MOST_BESIDE = 1;

export class ReviewQueue {
  /** @param {Surroundings} surroundings */
  constructor(surroundings) {
    this.use = surroundings;
    /** @type {AbortController | null} */
    this.control = null;
  }

  get isRunning() {
    return this.control !== null;
  }

  stop() {
    this.control?.abort();
    this.control = null;
  }

  /** Searches all positions of the game that are not searched yet, then lets the solver prove what
   * it can. Resolves at the end, to the reason if the solver proves nothing.
   * @param {string} bot
   * @param {number} simulations
   * @returns {Promise<string>}
   */
  async run(bot, simulations) {
    this.stop();
    const control = new AbortController();
    this.control = control;
    try {
      await this.use.dispatch({ type: "review", bot, simulations });
      await this.search(control.signal);
      return await this.prove(control.signal);
    } finally {
      if (this.control === control) this.control = null;
    }
  }

  /** @param {AbortSignal} signal */
  async search(signal) {
    for (;;) {
      const state = this.use.state();
      const place = state.review && nextPlace(state);
      if (signal.aborted || place === null) return;
      const { bot, simulations } = state.review;
      this.use.onProgress(`searching position ${place} of ${state.moves.length}`);
      const evaluation = await this.evaluation(state, place, signal);
      if (signal.aborted) return;
      if (evaluation === null) {
        await new Promise((done) => setTimeout(done, PAUSE));
        continue;
      }
      const key = keyAt(state, place);
      await this.use.dispatch({ type: "evaluated", key, evaluation, bot, simulations });
      // The state of a closed view no longer changes.
      if (this.use.state() === state) return;
    }
  }

  /** The evaluation of a position; null if there is no place for a search now.
   * @param {State} state
   * @param {number} place
   * @param {AbortSignal} signal
   * @returns {Promise<Evaluation | null>}
   */
  async evaluation(state, place, signal) {
    const { bot, simulations, seed } = state.review;
    const game = gameText(state, place);
    const position = await this.use.ask("position", game);
    if (position.end !== null) {
      const { score } = position.count;
      const rate = score > 0 ? 1 : score < 0 ? 0 : 0.5;
      return { rate, best: "", line: [], to_play: position.to_play };
    }
    if (searches(this.use.state()).filter((one) => one !== null).length > MOST_BESIDE) {
      this.use.onProgress("waiting for a place among the searches");
      return null;
    }
    try {
      const question = { game, bot, purpose: /** @type {const} */ ("analysis"), seed, simulations };
      const last = await this.use.think(question, () => {}, signal);
      // A search that was replaced by another one is incomplete.
      return last?.done && last.moves.length > 0 ? evaluationOf(last) : null;
    } catch (fault) {
      if (signal.aborted) return null;
      if (!/try again soon/.test(fault.message)) throw fault;
      this.use.onProgress("waiting for a place among the searches");
      return null;
    }
  }

  /** @param {AbortSignal} signal */
  async prove(signal) {
    for (;;) {
      const state = this.use.state();
      // A new game has no analysis yet.
      const place = state.review && nextToProve(state);
      if (signal.aborted || place === null) return "";
      this.use.onProgress(`proving position ${place} of ${state.moves.length}`);
      let verdict;
      try {
        verdict = await this.use.ask("solve", { game: gameText(state, place) });
      } catch (fault) {
        return fault.message;
      }
      if (signal.aborted) return "";
      await this.use.dispatch({ type: "solved", key: keyAt(state, place), verdict });
      if (this.use.state() === state) return "";
    }
  }
}
