//! The question `simulation`: what one simulation of a search does.

use super::tree::{Formula, with_tree};
use super::{Offers, from_one, game_and_bot, one};
use crate::page::position::{Ply, vertices};
use crate::page::{GameText, Limits, Refusal};
use serde::{Deserialize, Serialize};
use tengen_bots::TreeSearch;
use tengen_go::{Board, Color, Game, Move, Score};
use tengen_search::opened::{OpenedMove, OpenedNode};
use tengen_search::trace::{BackedUpNode, Outcome, TracedSimulation};
use tengen_search::tree::Proof;

/// Moves of a selecting node that are shown.
const MOST_MOVES: usize = 24;

/// Which simulation of which search.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulationRequest {
    /// The game, whose last position is searched.
    game: GameText,
    /// The bot, by name or specification.
    bot: String,
    /// The random seed of the bot in this game.
    #[serde(default = "one")]
    seed: u64,
    /// The number of the simulation, from 1: the search has made all simulations before it. With
    /// several workers it counts the simulations of the first worker.
    number: u64,
}

/// What a simulation does.
#[derive(Serialize)]
pub struct SimulationAnswer {
    /// The number of the simulation, from 1.
    number: u64,
    /// The player to move at the root.
    to_play: Color,
    /// The settings that decide the selection.
    formula: Formula,
    /// The nodes that select, from the root on; each with its most urgent moves, the chosen one
    /// first.
    selections: Vec<OpenedNode>,
    /// The moves from the root to the leaf.
    path: Vec<Ply>,
    /// Whether the leaf is new in the tree.
    is_new: bool,
    /// How the simulation ends: `playout`, `evaluation`, `over` or `proved`.
    outcome: &'static str,
    /// The moves of the playout, if there is one.
    playout: Option<Vec<Ply>>,
    /// The result after komi as GTP writes it, where there is a score.
    result: Option<String>,
    /// The evaluator's value of the leaf, for the player to move there; none without an evaluation.
    value: Option<f64>,
    /// The proven result of the player who moved to the leaf.
    proof: Option<Proof>,
    /// The sum of the rewards of the simulations from the leaf, which are backed up together, for
    /// the player to move at the root.
    reward: f64,
    /// The nodes to which the result is backed up, from the leaf to the root.
    back_up: Vec<BackUp>,
}

/// A node before and after back-up, from the view of the player who moved to it.
#[derive(Serialize)]
struct BackUp {
    /// Who moved to it; at the root the opponent of the player to move.
    color: Color,
    #[serde(flatten)]
    node: BackedUpNode,
}

/// Plays `moves` on `board`.
fn plies(board: &mut Board<6>, moves: &[Move]) -> Vec<Ply> {
    let ply = |&mv: &Move| {
        let (color, before) = (board.to_play(), *board);
        board.play_unchecked(mv);
        Ply { color, mv, taken: vertices(before.stones(!color) - board.stones(!color)) }
    };
    moves.iter().map(ply).collect()
}

/// Leaves the most urgent moves of `node`, the `chosen` one first.
fn shorten(node: &mut OpenedNode, chosen: Move) {
    let urgency = |one: &OpenedMove| one.urgency.value().unwrap_or(f64::NEG_INFINITY);
    node.moves.sort_by(|one, other| urgency(other).total_cmp(&urgency(one)));
    node.moves.sort_by_key(|one| one.mv != chosen);
    node.moves.truncate(MOST_MOVES);
}

impl SimulationRequest {
    /// What the simulation does.
    pub fn answer(
        &self,
        offers: &Offers,
        limits: &Limits,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<SimulationAnswer, Refusal> {
        from_one("simulation", self.number, limits.shown_simulation)?;
        let (game, config) = game_and_bot(&self.game, &self.bot, offers, limits)?;
        let number = self.number - 1;
        let before = TreeSearch::grown_before(&config, number);
        let simulate = |tree: &mut TreeSearch| tree.simulate(number).map_err(Refusal::new);
        let traced = with_tree(&game, &config, self.seed, before, limits, should_stop, simulate)?;
        let over = || {
            let number = self.number;
            Refusal::new(format!("the search is over before simulation {number}: all is proved"))
        };
        Ok(shown(&game, traced.ok_or_else(over)?, Formula::of(&config)?))
    }
}

fn shown(game: &Game, traced: TracedSimulation, formula: Formula) -> SimulationAnswer {
    let TracedSimulation { mut selections, path: moves, back_up, .. } = traced;
    for (node, &chosen) in selections.iter_mut().zip(&moves) {
        shorten(node, chosen);
    }
    let mut board = *game.board();
    let path = plies(&mut board, &moves);
    let mut playout = None;
    let (outcome, score, value, proof) = match traced.outcome {
        Outcome::Playout(played) => {
            playout = Some(plies(&mut board, &played.moves));
            ("playout", Some(played.score), None, None)
        }
        Outcome::Evaluation(value) => ("evaluation", None, Some(value), None),
        Outcome::Over(score) => ("over", Some(score), None, None),
        Outcome::Proven(proof) => ("proved", None, None, Some(proof)),
    };
    let depths = (0..back_up.len()).rev();
    let who = |depth: usize| if depth % 2 == 1 { game.to_play() } else { !game.to_play() };
    let back_up = depths.zip(back_up).map(|(depth, node)| BackUp { color: who(depth), node });
    SimulationAnswer {
        number: traced.number + 1,
        to_play: game.to_play(),
        formula,
        selections,
        path,
        is_new: traced.is_new,
        outcome,
        playout,
        result: score.map(|score: Score| (score - game.rules().komi).to_result()),
        value,
        proof,
        reward: traced.reward,
        back_up: back_up.collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::page::search::ask_deep;
    use serde_json::{Value, json};

    fn simulation(bot: &str, number: u64) -> Result<Value, String> {
        let game = json!({"size": "5x5", "komi": 2.5, "moves": "C3.B2"});
        ask_deep("simulation", &json!({"game": game, "bot": bot, "number": number}))
    }

    #[test]
    fn a_simulation_in_its_four_phases() {
        for number in [1, 2, 40, 39, 500] {
            let answer = simulation("uct", number).unwrap();
            assert_eq!((&answer["number"], &answer["to_play"]), (&json!(number), &json!("black")));
            let path = answer["path"].as_array().unwrap();
            let selections = answer["selections"].as_array().unwrap();
            assert_eq!(selections.len(), path.len());
            assert_eq!(selections[0]["visits"], number - 1);
            for (node, ply) in selections.iter().zip(path) {
                let moves = node["moves"].as_array().unwrap();
                assert!(moves.len() <= super::MOST_MOVES);
                let chosen = moves.iter().find(|one| one["move"] == ply["move"]).unwrap();
                assert_eq!(chosen["most_urgent"], true);
            }
            assert_eq!(answer["outcome"], "playout");
            let back_up = answer["back_up"].as_array().unwrap();
            let root = back_up.last().unwrap();
            assert_eq!((&root["move"], &root["color"]), (&Value::Null, &json!("white")));
            assert_eq!(root["before"]["visits"], number - 1);
            assert_eq!(root["after"]["visits"], number);
            let black = answer["result"].as_str().unwrap().starts_with('B');
            assert_eq!(answer["reward"], f64::from(u8::from(black)));
        }
    }

    /// The reported captures are exactly the stones that the board loses.
    #[test]
    fn the_moves_can_be_drawn_without_rules() {
        let answer = simulation("uct:policy=uniform", 300).unwrap();
        let mut stones = std::collections::BTreeMap::new();
        stones.insert("C3".to_owned(), "black".to_owned());
        stones.insert("B2".to_owned(), "white".to_owned());
        let plies = |list: &Value| list.as_array().unwrap().clone();
        let moves = plies(&answer["path"]).into_iter().chain(plies(&answer["playout"]));
        for ply in moves {
            let mv = ply["move"].as_str().unwrap();
            if mv != "pass" {
                let color = ply["color"].as_str().unwrap().to_owned();
                assert_eq!(stones.insert(mv.to_owned(), color), None, "{mv} is occupied");
            }
            for point in ply["taken"].as_array().into_iter().flatten() {
                assert!(stones.remove(point.as_str().unwrap()).is_some());
            }
        }
        assert!(stones.len() > 10);
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        assert!(simulation("uct", 0).unwrap_err().contains("from 1 to 20000"));
        assert!(simulation("random", 1).unwrap_err().contains("cannot analyse"));
    }
}
