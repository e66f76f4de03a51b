// How actions change the state.
//
// `reduce` makes the next state. `effects.js` then adds its position, so that moves, place and
// position of a state always belong together.

import { EXPECTED } from "./address.js";
import { extend } from "./course.js";
import {
  cleared, nodeOf, onLine, play, resumed, seek, toMoves, visit, walked, withLine,
} from "./line.js";
import {
  canMark, empty, isBot, isOpen, isOver, redoPlace, searches, undoPlace,
} from "./state.js";
import * as trees from "./tree.js";
import { placeOf } from "./text.js";

/** @import { Action, Position, Search, State, Update } from "./types.js" */

/** Why an action is not possible, for the person who wanted it. */
export class Refusal extends Error {}

/** What is on a point: `X`, `O` or `.`.
 * @param {Position} position
 * @param {string} point
 */
function stoneAt({ rows, height }, point) {
  const { column, row } = placeOf(point, height);
  return rows.split("/")[row]?.[column] ?? ".";
}

/** Marks a chain dead, or no longer dead. Possible only at the end of a game.
 * @param {State} state
 * @param {string} point
 * @returns {State}
 */
function markDead(state, point) {
  if (!canMark(state)) throw new Refusal("stones are marked dead at the end of a game");
  if (stoneAt(state.position, point) === ".") return state;
  const at = state.dead?.chains.findIndex((chain) => chain.includes(point)) ?? -1;
  const others = state.marked.filter((_, other) => other !== at);
  const marked = at < 0 ? [...state.marked, point] : others;
  return { ...state, marked };
}

/** The state with new findings of one search, which continue its course or begin a new one.
 * @param {State} state
 * @param {number} slot
 * @param {Update | null} update
 * @returns {State}
 */
function withFindings(state, slot, update) {
  const findings = [...state.findings];
  const courses = [...state.courses];
  courses[slot] = update && extend(findings[slot] && courses[slot], update);
  findings[slot] = update;
  return { ...state, findings, courses };
}

/** Takes over a record: its moves, its rules, names and comments.
 * @param {State} state
 * @param {any} record
 * @returns {State}
 */
function take(state, record) {
  const { size, komi, rules, handicap = 0, setup = "", first, moves = "" } = record.game;
  const { variations = [] } = record;
  const isLine = variations.length === 0;
  const read = isLine ? trees.treeOfLine(toMoves(moves)) : trees.treeOfVariations(variations);
  const line = trees.lineThrough(read, 0);
  const drawn = new Set(line.slice(1, 1 + (record.opening ?? 0)));
  const tree = read.map((node, id) => ({
    ...node,
    ...(drawn.has(id) ? { isDrawn: true } : {}),
    ...(id === line.at(-1) ? { result: record.result } : {}),
  }));
  return {
    ...withLine(cleared(state), tree, line),
    size,
    komi: String(komi),
    rules,
    handicap: String(handicap),
    setup,
    first,
    resigned: "",
    place: line.length - 1,
    names: { black: record.black, white: record.white },
    rates: {},
    review: null,
    verdicts: {},
  };
}

/** Refuses a move that a person may not make.
 * @param {State} state
 * @param {string} move
 */
function checkMove(state, move) {
  if (isOver(state)) throw new Refusal("the game is over");
  const player = state.position.to_play;
  const reason = state.position.illegal[move];
  if (reason) throw new Refusal(`${move}: ${reason}`);
  if (!isOpen(state)) throw new Refusal(`it is the turn of ${state[player]}`);
}

/** Whether the findings of a search are still wanted.
 * @param {State} state
 * @param {{slot: number, search: string}} action
 */
function isWanted(state, { slot, search }) {
  return JSON.stringify(searches(state)[slot]) === search;
}

/** How each action changes the state.
 * @type {{[type in Action["type"]]: (state: State, action: any) => State}}
 */
const REDUCERS = {
  load: (state, { record }) => {
    if (!record) return state;
    const { black, white } = state.run === "" ? { black: "person", white: "person" } : state;
    const { marked, resigned } = state;
    const next = { ...take(state, record), black, white, marked, resigned };
    return { ...next, place: Math.min(Number(state.at), next.moves.length) };
  },
  play: (state, { move }) => {
    checkMove(state, move);
    const next = play(state, move);
    // A person who moves for a bot wants the bot to wait; after an own move, to answer.
    return isBot(state, state.position.to_play) ? { ...next, isLooking: false } : resumed(next);
  },
  moved: (state, action) => {
    if (!isWanted(state, { ...action, slot: 0 })) return state;
    // After a single step bots wait again.
    const after = state.isOneStep ? { isPaused: true, isOneStep: false } : {};
    if (action.move === "resign") {
      return { ...state, ...after, resigned: state.position.to_play };
    }
    // The bot's findings stay in sight until the next move.
    const kept = { findings: state.findings, isPast: true, remark: action.remark ?? "" };
    return { ...play(state, action.move), ...after, ...kept };
  },
  found: (state, action) => {
    if (!isWanted(state, action)) return state;
    const { slot, update } = action;
    const next = withFindings(state.isPast ? cleared(state) : state, slot, update);
    const rates = { ...state.rates };
    if (slot === 0 && update.black_win_rate !== null) {
      rates[state.moves.slice(0, state.place).join(".")] = update.black_win_rate;
    }
    return { ...next, rates };
  },
  ended: (state, action) => {
    const isDone = (/** @type {Search | null} */ one, /** @type {number} */ at) =>
      one === null || state.findings[at]?.done;
    // With equal time, both searches end when one of them ends.
    const isOne = state.b !== "" && state.equal === "time";
    const isOver = isWanted(state, action) && (isOne || searches(state).every(isDone));
    return isOver ? { ...state, isAnalysing: false } : state;
  },
  failed: (state, action) => {
    if (!isWanted(state, action)) return state;
    const isMove = searches(state)[0]?.purpose === "move";
    return isMove ? { ...state, isPaused: true, isOneStep: false } : { ...state, isAnalysing: false };
  },
  undo: (state) => {
    const to = undoPlace(state);
    if (to === null) return state;
    const hasPerson = !isBot(state, "black") || !isBot(state, "white");
    return { ...seek(state, to), isPaused: state.isPaused || !hasPerson, isOneStep: false };
  },
  redo: (state) => {
    const to = redoPlace(state);
    return to === null ? state : resumed(seek(state, to));
  },
  seek: (state, { at }) => walked(state, at),
  walk: (state, { by }) => {
    const to = Math.min(Math.max(state.place + by, 0), state.moves.length);
    return to === state.place ? state : walked(state, to);
  },
  visit: (state, { node }) => visit(state, node),
  beside: (state, { by }) => visit(state, trees.beside(state.tree, nodeOf(state), by)),
  remove: (state) => {
    const node = nodeOf(state);
    if (node === 0) throw new Refusal("the first position stays");
    const to = state.tree[node].parent;
    return walked(onLine(state, trees.without(state.tree, node), to), state.place - 1, true);
  },
  main: (state) => onLine(state, trees.withMain(state.tree, nodeOf(state)), state.line.at(-1)),
  dead: (state, { point }) => markDead(state, point),
  comment: (state, { text, node }) => {
    const tree = trees.withComment(state.tree, node, text.trim());
    return onLine(state, tree, state.line.at(-1));
  },
  known: (state, { analysis }) => ({ ...state, ...analysis }),
  step: (state) => {
    if (isOver(state)) throw new Refusal("the game is over");
    if (!isBot(state, state.position.to_play)) throw new Refusal("it is the turn of a person");
    return { ...state, isPaused: false, isLooking: false, isOneStep: true };
  },
  resign: (state) => {
    if (!isOpen(state)) throw new Refusal("there is nothing to resign");
    return { ...state, resigned: state.position.to_play };
  },
  pause: (state) => {
    return { ...state, isPaused: !state.isPaused, isLooking: false, isOneStep: false };
  },
  analyse: (state) => {
    if (isOver(state)) throw new Refusal("the game is over here: go back to a position before its end");
    return { ...state, isAnalysing: !state.isAnalysing };
  },
  overlay: (state, { overlay }) => ({ ...state, overlay }),
  compare: (state, { bot }) => ({ ...withFindings(state, 1, null), b: bot }),
  bot: (state, { key, bot }) => {
    return { ...withFindings(state, key === "a" ? 0 : 1, null), [key]: bot };
  },
  equal: (state, { equal, budget }) => {
    const [pattern, expected] = EXPECTED.budget;
    if (!budget.match(pattern)) throw new Refusal(`${budget || "nothing"}: expected ${expected}`);
    return { ...state, equal, budget };
  },
  review: (state, { bot, simulations }) => {
    const { review } = state;
    const seed = Number(state.seed) || 1;
    const isSame = review?.bot === bot && review.simulations === simulations && review.seed === seed;
    return isSame ? state : { ...state, review: { bot, simulations, seed, found: {} } };
  },
  evaluated: (state, { key, evaluation, bot, simulations }) => {
    const { review } = state;
    if (review?.bot !== bot || review.simulations !== simulations) return state;
    return { ...state, review: { ...review, found: { ...review.found, [key]: evaluation } } };
  },
  solved: (state, { key, verdict }) => {
    return { ...state, verdicts: { ...state.verdicts, [key]: verdict } };
  },
  show: (state, { key }) => ({ ...state, show: { ...state.show, [key]: !state.show[key] } }),
  fresh: ({ a, b, equal, budget, show, overlay, isAnalysing }, { change }) => {
    const kept = { a, b, equal, budget, overlay, isAnalysing, show: { ...show, area: false } };
    return { ...empty(), ...kept, ...change };
  },
  record: (state, { record }) => {
    const persons = { black: "person", white: "person", run: "", game: "", filter: "", origin: "" };
    return { ...take(state, record), ...persons, isPaused: false, isLooking: false };
  },
};

/** The state after an action; it still has the position of the state before.
 * @param {State} state
 * @param {Action} action
 * @returns {State}
 */
export function reduce(state, action) {
  return REDUCERS[action.type](state, action);
}
