// The state of the board and what follows from it: functions of plain objects that use neither the
// document nor the backend.

import { nodeOf, withLine } from "./line.js";
import * as trees from "./tree.js";

/** @import { Player, Search, State } from "./types.js" */

/** @type {Record<Player, Player>} */
const OTHER = { black: "white", white: "black" };

/** A state without moves or position.
 * @returns {State}
 */
export function empty() {
  return {
    size: "5x5",
    komi: "",
    rules: "tengen",
    handicap: "0",
    setup: "",
    first: "black",
    black: "person",
    white: "two-ply",
    seed: "",
    a: "uct",
    b: "",
    equal: "time",
    budget: "10000",
    run: "",
    game: "",
    filter: "",
    origin: "",
    at: "",
    tree: trees.NO_MOVES,
    line: [0],
    moves: [],
    place: 0,
    resigned: "",
    comments: {},
    names: null,
    isAnalysing: false,
    isPaused: false,
    isLooking: false,
    isOneStep: false,
    marked: [],
    dead: null,
    show: { numbers: false, area: false },
    remark: "",
    overlay: "visits",
    findings: [null, null],
    courses: [null, null],
    isPast: false,
    rates: {},
    review: null,
    verdicts: {},
    position: null,
  };
}

/** The game up to a place, as the backend reads it.
 * @param {State} state
 */
export function gameText(state, place = state.place) {
  const { size, komi, rules, setup, first } = state;
  const moves = state.moves.slice(0, place).join(".");
  const text = { size, rules, handicap: Number(state.handicap), setup, first, moves };
  return komi === "" ? text : { ...text, komi: Number(komi) };
}

/** The player to move after `place` moves.
 * @param {State} state
 * @param {number} place
 */
export function playerAt(state, place) {
  const inTurn = state.moves.slice(0, place).filter((move) => !move.startsWith("~"));
  return inTurn.length % 2 === 0 ? state.first : OTHER[state.first];
}

/** @param {State} state
 * @param {Player} player
 */
export function isBot(state, player) {
  return state[player] !== "person";
}

/** @param {State} state */
export function isOver(state) {
  return state.position?.end != null || state.resigned !== "";
}

/** @param {State} state */
export function isAtEnd(state) {
  return state.place === state.moves.length;
}

/** Whether a person may move.
 * @param {State} state
 */
export function isOpen(state) {
  if (state.position === null || isOver(state)) return false;
  return state.isPaused || !isBot(state, state.position.to_play);
}

/** The result as SGF writes it; empty while the game goes on. At the end of a record it is the
 * record's result, unless chains were marked dead.
 * @param {State} state
 */
export function outcome(state) {
  if (state.resigned !== "") return `${state.resigned === "black" ? "W" : "B"}+R`;
  if (state.dead !== null) return state.dead.count.result;
  const { result } = state.tree[nodeOf(state)];
  return result || (state.position?.end ? state.position.count.result : "");
}

/** Who plays, in words.
 * @param {State} state
 * @param {Player} player
 */
export function playerName(state, player) {
  // A person who continues a record stays under the recorded name; a bot does not.
  const isRecorded = state.tree[nodeOf(state)].nodes !== "" || !isBot(state, player);
  return (isRecorded && state.names?.[player]) || state[player];
}

/** The game as a record, for SGF: the main line, its variations, and everything else that was in
 * the opened record.
 * @param {State} state
 */
export function toRecord(state) {
  const { tree, names } = state;
  const main = trees.lineThrough(tree, 0);
  const whole = withLine(state, tree, main);
  const isShown = isAtEnd(state) && nodeOf(state) === main.at(-1);
  const record = {
    game: gameText(whole, main.length - 1),
    black: names?.black || state.black,
    white: names?.white || state.white,
    result: (isShown && outcome(state)) || (tree.find(({ result }) => result !== "")?.result ?? ""),
  };
  if (!trees.isMoreThanMoves(tree)) return record;
  const variations = trees.toVariations(tree).map((node) => {
    const { parent, move, comment, isEdited = false, nodes, left_out } = node;
    return { parent, move, ...(isEdited ? { comment, edited: true } : {}), nodes, left_out };
  });
  return { ...record, variations };
}

/** The searches that the state wants: the bot's move, or the analyses.
 * @param {State} state
 * @returns {(Search | null)[]} of the first and the second slot
 */
export function searches(state) {
  if (state.position === null || isOver(state)) return [null, null];
  const seed = Number(state.seed) || 1;
  const game = gameText(state);
  const player = state.position.to_play;
  if (isBot(state, player) && !state.isPaused) {
    return [{ game, bot: state[player], purpose: "move", seed }, null];
  }
  const isBounded = state.b !== "" && state.equal === "simulations";
  const bound = isBounded ? { simulations: Number(state.budget) } : {};
  /** @type {(bot: string) => Search | null} */
  const analysis = (bot) => {
    return bot === "" ? null : { game, bot, purpose: "analysis", seed, ...bound };
  };
  return state.isAnalysing ? [analysis(state.a), analysis(state.b)] : [null, null];
}

/** Whether two states have different positions.
 * @param {State} before
 * @param {State} after
 */
export function isElsewhere(before, after) {
  return JSON.stringify(gameText(before)) !== JSON.stringify(gameText(after));
}

/** Whether the area is shown: at the end of a game, or if the person wants it.
 * @param {State} state
 */
export function showsArea({ show, position }) {
  return show.area || position?.end != null;
}

/** Whether it is a person's turn and the shown search belongs to the bot's last move: its discs
 * would lie on points of another position.
 * @param {State} state
 */
export function isBehind({ isPast, black, white, position }) {
  return isPast && { black, white }[position.to_play] === "person";
}

/** Whether stones can be marked dead.
 * @param {State} state
 */
export function canMark(state) {
  return state.position?.end === "passes" && state.resigned === "";
}

/** Whether a person has the move after `place` moves; always true if two bots play.
 * @param {State} state
 * @param {number} place
 */
function isPersonAt(state, place) {
  const hasPerson = !isBot(state, "black") || !isBot(state, "white");
  return !hasPerson || !isBot(state, playerAt(state, place));
}

/** The place to which undo leads: the last move of a person; null if there is none.
 * @param {State} state
 */
export function undoPlace(state) {
  if (state.resigned !== "") return state.place;
  for (let to = state.place - 1; to >= 0; to -= 1) {
    if (isPersonAt(state, to)) return to;
  }
  return null;
}

/** The place to which redo leads; null if nothing is undone.
 * @param {State} state
 */
export function redoPlace(state) {
  if (isAtEnd(state)) return null;
  let to = state.place + 1;
  while (to < state.moves.length && !isPersonAt(state, to)) to += 1;
  return to;
}
