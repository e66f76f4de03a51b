// The state of the board, and how actions change it: functions of plain objects, which know
// neither the document nor the backend.
//
// `reduce` makes the next state. `effects.js` then completes it by its position, so that
// moves, place and position of a state always belong together.

import { extend } from "./course.js";
import {
  cleared, nodeOf, onLine, play, resumed, seek, toMoves, visit, walked, withLine, withMoves,
} from "./line.js";
import * as trees from "./tree.js";

/** @import { Course } from "./course.js"
 * @import { Evaluation, Review, Verdict } from "./review.js"
 * @import { Tree } from "./tree.js"
 */

export { nodeOf, variationsOf, withMoves, withVariations } from "./line.js";

/**
 * @typedef {"black" | "white"} Player
 *
 * @typedef {object} Position what the backend tells of a position
 * @property {number} width
 * @property {number} height
 * @property {number} komi
 * @property {number} handicap_points
 * @property {Player} to_play
 * @property {string} rows
 * @property {number[]} numbers
 * @property {Record<string, string>} illegal
 * @property {[number, number]} captures
 * @property {{color: Player, move: string}[]} moves
 * @property {string | null} end
 * @property {{rows: string, black: number, white: number, score: number, result: string}} count
 *
 * @typedef {object} DeadStones the score without the chains that were marked dead
 * @property {string[][]} chains
 * @property {Position["count"]} count
 *
 * @typedef {object} RootMove
 * @property {string} move
 * @property {number} visits
 * @property {number} win_rate
 * @property {string[]} [variation]
 * @property {string} [proof]
 *
 * @typedef {object} Update what a search has found so far
 * @property {Player} to_play
 * @property {number} ply
 * @property {number} simulations
 * @property {number} seconds
 * @property {number | null} black_win_rate
 * @property {RootMove[]} moves
 * @property {number} depth
 * @property {number} max_depth
 * @property {number} bytes
 * @property {boolean} done
 * @property {string} [ended_by]
 * @property {string} [move]
 *
 * @typedef {object} Search what is to be thought about: the question to the backend
 * @property {object} game
 * @property {string} bot
 * @property {"move" | "analysis"} purpose
 * @property {number} seed
 * @property {number} [simulations] after which an analysis ends
 *
 * @typedef {object} State
 * @property {string} size
 * @property {string} komi in points; empty for that of the size
 * @property {string} rules
 * @property {string} handicap
 * @property {string} setup
 * @property {Player} first
 * @property {string} black `person` or a bot
 * @property {string} white
 * @property {string} seed
 * @property {string} a the bot whose search analyses
 * @property {string} b the one that it is compared with; empty for none
 * @property {string} equal what two searches have the same of: `time` or `simulations`
 * @property {string} budget simulations of each where these are equal
 * @property {string} run the run whose game this is; empty for none
 * @property {string} game
 * @property {string} filter which games of the run are next to this one, as a query
 * @property {string} at the place that the address names, until the game of a run is read
 * @property {Tree} tree all moves, with those of other variations
 * @property {number[]} line the nodes of the present line from the first position on
 * @property {number} recorded number of the first nodes of the tree that a record has
 * @property {number} recordEnd the node to which the result of the record belongs
 * @property {string[]} moves those of the line
 * @property {number} place number of moves before the position that is shown
 * @property {Player | ""} resigned
 * @property {Record<string, string>} comments of the line, by the number of plies before them
 * @property {{black: string, white: string} | null} names of a record
 * @property {string} result of a record
 * @property {boolean} isAnalysing
 * @property {boolean} isPaused whether bots wait, and persons move for them
 * @property {boolean} isLooking whether they wait only because somebody walks through the game
 * @property {boolean} isOneStep whether bots wait again after the next move
 * @property {{numbers: boolean, area: boolean}} show
 * @property {string[]} marked a stone of each chain that was marked dead
 * @property {DeadStones | null} dead none where no chain is marked
 * @property {(Update | null)[]} findings of the first and the second search
 * @property {(Course | null)[]} courses how both came to their findings, if they have some
 * @property {boolean} isPast whether the findings are those of the bot's last move
 * @property {Record<string, number>} rates Black's win rates by the moves before them
 * @property {Review | null} review of the whole game
 * @property {Record<string, Verdict>} verdicts of the solver, by the moves before the position
 * @property {Position | null} position none before the first answer
 *
 * @typedef {{type: "load", record?: any} | {type: "play", move: string}
 *   | {type: "moved", move: string, search: string}
 *   | {type: "found", slot: number, update: Update, search: string}
 *   | {type: "ended", slot: number, search: string}
 *   | {type: "failed", slot: number, search: string}
 *   | {type: "undo"} | {type: "redo"} | {type: "seek", at: number} | {type: "resign"}
 *   | {type: "walk", by: number} | {type: "visit", node: number}
 *   | {type: "beside", by: 1 | -1} | {type: "remove"} | {type: "main"}
 *   | {type: "dead", point: string} | {type: "step"}
 *   | {type: "pause"} | {type: "analyse"} | {type: "compare", bot: string}
 *   | {type: "equal", equal: string, budget: string}
 *   | {type: "review", bot: string, simulations: number}
 *   | {type: "evaluated", key: string, evaluation: Evaluation, bot: string, simulations: number}
 *   | {type: "solved", key: string, verdict: Verdict}
 *   | {type: "bot", key: "a" | "b", bot: string} | {type: "show", key: "numbers" | "area"}
 *   | {type: "fresh", change: Partial<State>} | {type: "record", record: any}} Action
 */

/** Why an action is not possible, for the person who wanted it. */
export class Refusal extends Error {}

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
    at: "",
    tree: trees.NO_MOVES,
    line: [0],
    recorded: 0,
    recordEnd: -1,
    moves: [],
    place: 0,
    resigned: "",
    comments: {},
    names: null,
    result: "",
    isAnalysing: false,
    isPaused: false,
    isLooking: false,
    isOneStep: false,
    marked: [],
    dead: null,
    show: { numbers: false, area: false },
    findings: [null, null],
    courses: [null, null],
    isPast: false,
    rates: {},
    review: null,
    verdicts: {},
    position: null,
  };
}

const NATURAL = /^\d{1,4}$/;

/** What each key of the address may be, in words where it is something else. */
const EXPECTED = {
  size: [/^([2-9]|1\d)x([2-9]|1\d)$/, "a size from 2x2 to 19x19, such as 9x9"],
  komi: [/^-?\d{1,4}(\.\d+)?$/, "a number"],
  handicap: [NATURAL, "a number of stones"],
  at: [NATURAL, "a number of moves"],
  first: [/^(black|white)$/, "black or white"],
  resigned: [/^(black|white)$/, "black or white"],
  seed: [/^\d{1,15}$/, "a number"],
  equal: [/^(time|simulations)$/, "time or simulations"],
  budget: [/^[1-9]\d{0,7}$/, "a number of simulations"],
};

/** The state that an address describes, and what in it cannot be read, in words.
 * @param {Record<string, string>} given
 * @returns {{state: State, faults: string[]}}
 */
export function fromAddress(given) {
  let state = empty();
  const faults = [];
  const isOwn = (/** @type {string} */ key) => Object.hasOwn(given, key) && given[key] !== "";
  for (const key of KEYS.filter(isOwn)) {
    const value = given[key];
    const [pattern, expected] = EXPECTED[key] ?? [/^/, ""];
    if (!pattern.test(value)) faults.push(`${key}=${value}: expected ${expected}`);
    else if (key === "moves") state = withMoves(state, toMoves(value));
    else state[key] = value;
  }
  state.place = Math.min(state.at === "" ? state.moves.length : Number(state.at), state.moves.length);
  state.isPaused = state.place < state.moves.length;
  state.isLooking = state.isPaused;
  return { state, faults };
}

/** The keys of the address. */
const KEYS = [
  "size", "komi", "rules", "handicap", "setup", "first", "moves", "at", "black", "white",
  "resigned", "run", "game", "filter", "a", "b", "equal", "budget", "seed",
];

/** What the address says of a state; what is empty or as it is by default is left out.
 * @param {State} state
 * @returns {Record<string, string>}
 */
export function toAddress(state) {
  const isAtLast = state.place === state.moves.length;
  const all = { ...state, moves: state.moves.join("."), at: isAtLast ? "" : String(state.place) };
  const keys = state.run === "" ? KEYS
    : ["run", "game", "filter", "at", "a", "b", "equal", "budget", "black", "white"];
  if (state.run !== "") all.at = String(state.place);
  const usual = { ...empty(), moves: "", at: state.run === "" ? "" : "0" };
  const kept = keys.filter((key) => all[key] !== "" && all[key] !== usual[key]);
  return Object.fromEntries(kept.map((key) => [key, String(all[key])]));
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

/** Who moves after so many moves.
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

/** The result as SGF writes it; empty while the game goes on.
 * @param {State} state
 */
export function outcome(state) {
  if (state.resigned !== "") return `${state.resigned === "black" ? "W" : "B"}+R`;
  if (state.position?.end) return state.position.count.result;
  return nodeOf(state) === state.recordEnd ? state.result : "";
}

/** Who plays, in words.
 * @param {State} state
 * @param {Player} player
 */
export function playerName(state, player) {
  const isRecorded = nodeOf(state) < state.recorded;
  return (isRecorded && state.names?.[player]) || state[player];
}

/** The game and what is known of it, for SGF: the main line, with its variations if there are
 * some.
 * @param {State} state
 */
export function toRecord(state) {
  const { tree, recordEnd, names } = state;
  const main = trees.lineThrough(tree, 0);
  const whole = withLine(state, tree, main);
  const isShown = isAtEnd(state) && nodeOf(state) === main.at(-1);
  const record = {
    game: gameText(whole, main.length - 1),
    black: names?.black || state.black,
    white: names?.white || state.white,
    result: main.at(-1) === recordEnd ? state.result : isShown ? outcome(state) : "",
  };
  if (!trees.isMoreThanLine(tree)) return { ...record, comments: whole.comments };
  return { ...record, variations: trees.toVariations(tree) };
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

/** Whether the second of two states has another position.
 * @param {State} before
 * @param {State} after
 */
export function isElsewhere(before, after) {
  return JSON.stringify(gameText(before)) !== JSON.stringify(gameText(after));
}

/** Marks a chain dead, or no longer. It takes the end of a game.
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

/** The state with other findings of one search, whose course goes on or begins.
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

/** Whether stones can be marked dead.
 * @param {State} state
 */
export function canMark(state) {
  return state.position?.end === "passes" && state.resigned === "";
}

/** What is on a point: `X`, `O` or `.`.
 * @param {Position} position
 * @param {string} point
 */
function stoneAt({ rows, height }, point) {
  const column = "ABCDEFGHJKLMNOPQRST".indexOf(point[0]);
  return rows.split("/")[height - Number(point.slice(1))]?.[column] ?? ".";
}

/** Whether a person has the move after `place` moves; where two bots play, always.
 * @param {State} state
 * @param {number} place
 */
function isPersonAt(state, place) {
  const hasPerson = !isBot(state, "black") || !isBot(state, "white");
  return !hasPerson || !isBot(state, playerAt(state, place));
}

/** Where undo leads to: the last move of a person; null where there is none.
 * @param {State} state
 */
export function undoPlace(state) {
  if (state.resigned !== "") return state.place;
  for (let to = state.place - 1; to >= 0; to -= 1) {
    if (isPersonAt(state, to)) return to;
  }
  return null;
}

/** Where redo leads to; null where nothing is undone.
 * @param {State} state
 */
export function redoPlace(state) {
  if (isAtEnd(state)) return null;
  let to = state.place + 1;
  while (to < state.moves.length && !isPersonAt(state, to)) to += 1;
  return to;
}

/** Takes a record over: its moves, its rules and what is written about it.
 * @param {State} state
 * @param {any} record
 * @returns {State}
 */
function take(state, record) {
  const { size, komi, rules, handicap = 0, setup = "", first, moves = "" } = record.game;
  const { variations = [], comments } = record;
  const tree = variations.length > 0
    ? trees.treeOfVariations(variations)
    : trees.treeOfLine(toMoves(moves), comments);
  const line = trees.lineThrough(tree, 0);
  return {
    ...withLine(cleared(state), tree, line),
    size,
    komi: String(komi),
    rules,
    handicap: String(handicap),
    setup,
    first,
    resigned: "",
    recorded: tree.length,
    recordEnd: line.at(-1),
    place: line.length - 1,
    names: { black: record.black, white: record.white },
    result: record.result,
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

/** Whether what a search has found is still wanted.
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
    const next = take(state, record);
    return { ...next, place: Math.min(Number(state.at), next.moves.length) };
  },
  play: (state, { move }) => {
    checkMove(state, move);
    const next = play(state, move);
    // Who moves for a bot wants it to wait; who makes an own move, an answer.
    return isBot(state, state.position.to_play) ? { ...next, isLooking: false } : resumed(next);
  },
  moved: (state, action) => {
    if (!isWanted(state, { ...action, slot: 0 })) return state;
    // After a single step bots wait again.
    const after = state.isOneStep ? { isPaused: true, isOneStep: false } : {};
    if (action.move === "resign") {
      return { ...state, ...after, resigned: state.position.to_play };
    }
    // What the bot thought stays in sight until the next move.
    return { ...play(state, action.move), ...after, findings: state.findings, isPast: true };
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
    // Where two have equal time, the end of one is that of both.
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
  analyse: (state) => ({ ...state, isAnalysing: !state.isAnalysing }),
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
  fresh: ({ a, b, equal, budget, show, isAnalysing }, { change }) => {
    const kept = { a, b, equal, budget, isAnalysing, show: { ...show, area: false } };
    return { ...empty(), ...kept, ...change };
  },
  record: (state, { record }) => {
    const persons = { black: "person", white: "person", run: "", game: "", filter: "" };
    return { ...take(state, record), ...persons, isPaused: false, isLooking: false };
  },
};

/** The state after an action; its position is that of the state before.
 * @param {State} state
 * @param {Action} action
 * @returns {State}
 */
export function reduce(state, action) {
  return REDUCERS[action.type](state, action);
}
