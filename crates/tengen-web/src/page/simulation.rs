//! The question `simulation`: what one simulation of a search does.

use crate::page::deep::{from_one, game_and_bot, one};
use crate::page::tree::{Formula, Node};
use crate::page::trees::{grow, with_tree};
use crate::page::{GameText, Limits, Offers, Player, Refusal};
use serde::{Deserialize, Serialize};
use tengen_bots::TreeSearch;
use tengen_go::{Bits, Board, Color, Game, Move};
use tengen_playout::Ending;
use tengen_search::trace::{BackedUpNode, Counts, Outcome, TracedSimulation};
use tengen_search::tree::Proof;

/// Moves of a selecting node that are shown.
const MOST_MOVES: usize = 24;

/// Which simulation of which search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulationRequest {
    /// The game, whose last position is searched.
    pub game: GameText,
    /// The bot, by name or specification.
    pub bot: String,
    /// The random seed of the bot in this game.
    #[serde(default = "one")]
    pub seed: u64,
    /// The number of the simulation, from 1: the search has made all simulations before it. With
    /// several workers it counts the simulations of the first worker.
    pub number: u64,
}

/// What a simulation does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulationAnswer {
    /// The number of the simulation, from 1.
    pub number: u64,
    /// The player to move at the root.
    pub to_play: Player,
    /// The settings that decide the selection.
    pub formula: Formula,
    /// The nodes that select, from the root on; each with its most urgent moves.
    pub selections: Vec<Node>,
    /// The moves from the root to the leaf.
    pub path: Vec<Ply>,
    /// Whether the leaf is new in the tree.
    pub is_new: bool,
    /// Visits of the leaf before this simulation.
    pub leaf_visits: u32,
    /// How the simulation ends: `playout`, `evaluation`, `over` or `proved`.
    pub outcome: &'static str,
    /// The playout, if there is one.
    pub playout: Option<PlayoutText>,
    /// The score before komi in points, Black's lead, where there is one.
    pub score: Option<f64>,
    /// The result after komi as GTP writes it, where there is a score.
    pub result: Option<String>,
    /// The evaluator's value of the leaf, for the player to move there; none without an evaluation.
    pub value: Option<f64>,
    /// The proven result of the player who moved to the leaf.
    pub proof: Option<Proof>,
    /// Simulations from the same leaf, which are backed up together.
    pub count: u32,
    /// The sum of these simulations' rewards, for the player to move at the root.
    pub reward: f64,
    /// The nodes to which the result is backed up, from the leaf to the root.
    pub back_up: Vec<BackUpText>,
}

/// A move on the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ply {
    /// Who moves.
    pub color: Player,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The points of the stones that it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<String>,
}

/// A playout.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayoutText {
    /// Its seed, a whole number as text: a reader of JSON may not support 64-bit numbers.
    pub seed: String,
    /// Its moves.
    pub moves: Vec<Ply>,
    /// Why it ended: `passes`, `stopped` or `cut-short`.
    pub ending: &'static str,
}

/// A node before and after back-up, from the view of the player who moved to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BackUpText {
    /// The move to it; none at the root.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Who moved to it; at the root the opponent of the player to move.
    pub color: Player,
    /// Its counts before back-up.
    pub before: CountsText,
    /// Its counts after back-up.
    pub after: CountsText,
}

/// Visits and win rate of a node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CountsText {
    /// The visits.
    pub visits: u32,
    /// The sum of the rewards.
    pub reward: f64,
    /// The win rate; none without visits.
    pub win_rate: Option<f64>,
}

impl From<Counts> for CountsText {
    fn from(Counts { visits, reward }: Counts) -> Self {
        Self { visits, reward, win_rate: (visits > 0).then(|| reward / f64::from(visits)) }
    }
}

/// Plays `moves` on `board`.
fn plies(board: &mut Board<6>, moves: &[Move]) -> Vec<Ply> {
    let ply = |&mv: &Move| {
        let (color, before) = (board.to_play(), *board);
        board.play_unchecked(mv);
        let taken = before.stones(!color) - board.stones(!color);
        let taken = taken.iter().map(|index| Bits::<6>::vertex(index).to_string());
        Ply { color: color.into(), mv: mv.to_string(), taken: taken.collect() }
    };
    moves.iter().map(ply).collect()
}

fn back_up(nodes: &[BackedUpNode], to_play: Color) -> Vec<BackUpText> {
    let depth = |place: usize| nodes.len() - 1 - place;
    let text = |(place, node): (usize, &BackedUpNode)| BackUpText {
        mv: node.mv.map(|mv| mv.to_string()),
        color: if depth(place) % 2 == 1 { to_play.into() } else { (!to_play).into() },
        before: node.before.into(),
        after: node.after.into(),
    };
    nodes.iter().enumerate().map(text).collect()
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
        if game.end().is_some() {
            return Err(Refusal::new("the game is over"));
        }
        let number = self.number - 1;
        let before = TreeSearch::grown_before(&config, number);
        let traced = with_tree(&game, &config, self.seed, before, |tree| {
            grow(tree, before, limits, should_stop)?;
            tree.simulate(number).map_err(Refusal::new)
        })?;
        let over = || {
            let number = self.number;
            Refusal::new(format!("the search is over before simulation {number}: all is proved"))
        };
        let formula = Formula::of(&config);
        let no_search = || Refusal::new(format!("{config} makes no search"));
        Ok(told_of(&game, &traced.ok_or_else(over)?, formula.ok_or_else(no_search)?))
    }
}

fn told_of(game: &Game, traced: &TracedSimulation, formula: Formula) -> SimulationAnswer {
    let mut board = *game.board();
    let chosen = |place: usize| traced.path.get(place).copied();
    let selections = traced.selections.iter().enumerate();
    let selections = selections.map(|(place, node)| Node::of(node, MOST_MOVES, chosen(place)));
    let path = plies(&mut board, &traced.path);
    let playout = match &traced.outcome {
        Outcome::Playout(playout) => Some(PlayoutText {
            seed: playout.seed.to_string(),
            moves: plies(&mut board, &playout.moves),
            ending: match playout.ending {
                Ending::Passes => "passes",
                Ending::Stopped => "stopped",
                Ending::CutShort => "cut-short",
            },
        }),
        _ => None,
    };
    let (outcome, score, value, proof) = match &traced.outcome {
        Outcome::Playout(playout) => ("playout", Some(playout.score), None, None),
        Outcome::Evaluation(value) => ("evaluation", None, Some(*value), None),
        Outcome::Over(score) => ("over", Some(*score), None, None),
        Outcome::Proven(proof) => ("proved", None, None, Some(*proof)),
    };
    SimulationAnswer {
        number: traced.number + 1,
        to_play: game.to_play().into(),
        formula,
        selections: selections.collect(),
        path,
        is_new: traced.is_new,
        leaf_visits: traced.leaf_visits,
        outcome,
        playout,
        score: score.map(tengen_go::Score::points),
        result: score.map(|score| (score - game.rules().komi).to_result()),
        value,
        proof,
        count: traced.count,
        reward: traced.reward,
        back_up: back_up(&traced.back_up, game.to_play()),
    }
}

#[cfg(test)]
mod tests {
    use crate::page::{Limits, Offers, deep_answer};
    use serde_json::{Value, json};

    fn simulation(bot: &str, number: u64) -> Result<Value, String> {
        let game = json!({"size": "5x5", "komi": 2.5, "moves": "C3.B2"});
        let question = json!({"game": game, "bot": bot, "number": number}).to_string();
        let (offers, limits) = (Offers::default(), Limits::default());
        let answer = deep_answer("simulation", &question, &offers, &limits, &|| false);
        answer
            .map(|json| serde_json::from_str(&json.unwrap()).unwrap())
            .map_err(|why| why.to_string())
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
        let moves = plies(&answer["path"]).into_iter().chain(plies(&answer["playout"]["moves"]));
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
