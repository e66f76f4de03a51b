// Types only: the state of the board, and the actions that change it.

/** @import { Course } from "./course.js"
 * @import { Evaluation, Review, Verdict } from "./review.js"
 * @import { Tree } from "./tree.js"
 */

/**
 * @typedef {"black" | "white"} Player
 *
 * @typedef {object} Position a position as the backend describes it
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
 * @property {number} [score] Black's mean lead in points
 * @property {number} [prior]
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
 * @property {number} [mean_depth]
 * @property {number} max_depth
 * @property {number} bytes
 * @property {boolean} done
 * @property {string} [ended_by]
 * @property {string} [move]
 * @property {string} [remark] a bot's comment on its move
 *
 * @typedef {object} Search a search: the question to the backend
 * @property {object} game
 * @property {string} bot
 * @property {"move" | "analysis"} purpose
 * @property {number} seed
 * @property {number} [simulations] after which an analysis ends
 *
 * @typedef {object} State
 * @property {string} size
 * @property {string} komi in points; empty for the default of the size
 * @property {string} rules
 * @property {string} handicap
 * @property {string} setup
 * @property {Player} first
 * @property {string} black `person` or a bot
 * @property {string} white
 * @property {string} seed
 * @property {string} a the bot that analyses
 * @property {string} b the bot of the second search, for comparison; empty for none
 * @property {string} equal the budget that two searches share: `time` or `simulations`
 * @property {string} budget simulations of each search, if `equal` is `simulations`
 * @property {string} run the run whose game this is; empty for none
 * @property {string} game
 * @property {string} filter which games of the run are next to this one, as a query
 * @property {string} origin run, game and filter, as a query, of the game in which this line began
 * @property {string} at the place that the address names, until the game of a run is read
 * @property {Tree} tree the moves of all variations
 * @property {number[]} line the nodes of the present line from the first position on
 * @property {string[]} moves the moves of the line
 * @property {number} place number of moves before the position that is shown
 * @property {Player | ""} resigned
 * @property {Record<string, string>} comments of the line, by the number of plies before them
 * @property {{black: string, white: string} | null} names of a record
 * @property {boolean} isAnalysing
 * @property {boolean} isPaused whether bots wait, and persons move for them
 * @property {boolean} isLooking whether bots wait only because a person walks through the game
 * @property {boolean} isOneStep whether bots wait again after the next move
 * @property {{numbers: boolean, area: boolean}} show
 * @property {string} remark a bot's comment on the last move
 * @property {string} overlay the overlay above the stones of the board
 * @property {string[]} marked a stone of each chain that was marked dead
 * @property {DeadStones | null} dead none where no chain is marked
 * @property {(Update | null)[]} findings of the first and the second search
 * @property {(Course | null)[]} courses the courses of both searches
 * @property {boolean} isPast whether the findings belong to the bot's last move
 * @property {Record<string, number>} rates Black's win rates by the moves before them
 * @property {Review | null} review of the whole game
 * @property {Record<string, Verdict>} verdicts of the solver, by the moves before the position
 * @property {Position | null} position none before the first answer
 *
 * @typedef {{type: "load", record?: any} | {type: "play", move: string}
 *   | {type: "moved", move: string, search: string, remark?: string}
 *   | {type: "found", slot: number, update: Update, search: string}
 *   | {type: "ended", slot: number, search: string}
 *   | {type: "failed", slot: number, search: string}
 *   | {type: "undo"} | {type: "redo"} | {type: "seek", at: number} | {type: "resign"}
 *   | {type: "walk", by: number} | {type: "visit", node: number}
 *   | {type: "beside", by: 1 | -1} | {type: "remove"} | {type: "main"}
 *   | {type: "dead", point: string} | {type: "step"}
 *   | {type: "comment", text: string, node: number} | {type: "known", analysis: Partial<State>}
 *   | {type: "pause"} | {type: "analyse"} | {type: "compare", bot: string}
 *   | {type: "equal", equal: string, budget: string}
 *   | {type: "review", bot: string, simulations: number}
 *   | {type: "evaluated", key: string, evaluation: Evaluation, bot: string, simulations: number}
 *   | {type: "solved", key: string, verdict: Verdict}
 *   | {type: "overlay", overlay: string}
 *   | {type: "bot", key: "a" | "b", bot: string} | {type: "show", key: "numbers" | "area"}
 *   | {type: "fresh", change: Partial<State>} | {type: "record", record: any}} Action
 */

export {};
