//! The evaluator `playouts` through the general road of evaluators: the trees are those of searches
//! that play their own playouts.

use super::common::*;
use tengen::bots::BotConfig;
use tengen::go::Game;
use tengen::playout::{Job, scalar};
use tengen::search::evaluator::{Batch, Evaluator, NamedEvaluator, registered};
use tengen::search::tree::Tree;
use tengen::search::{SearchResult, UctConfig, driver, root_parallel, signature};
use tengen::seed::mix;

/// The settings of a search in the text of a bot.
pub fn uct(text: &str) -> UctConfig {
    text.parse::<BotConfig>().unwrap().uct().unwrap().clone()
}

/// The results of searches of `games` by `config`, all in one driver.
pub fn together(games: &[Game], config: &UctConfig, budget: u64) -> Vec<SearchResult> {
    let begin = |(seed, game)| {
        root_parallel::begin_one(game, config, budget, seed, Tree::new(config.extras()))
    };
    driver::run(games[0].size(), (0..).zip(games).map(begin).collect()).unwrap()
}

pub fn signatures(results: Vec<SearchResult>) -> Vec<u64> {
    results.into_iter().map(|result| signature::of(&[result.tree])).collect()
}

/// Games on a board of `size`, the first one at its beginning.
pub fn some_games(size: u8) -> Vec<Game> {
    let after = |moves| {
        let mut game = empty(size, "0.5");
        play_all(&mut game, moves);
        game
    };
    ["", "B2", "B2 C3 A1", "C1 B2 pass"].map(after).into()
}

const SETTINGS: [&str; 15] = [
    "expansion=1,prior=none,exploration=0.5",
    "expansion=2,prior=none,exploration=0.5",
    "expansion=8,prior=none,exploration=0.5",
    "expansion=2,prior=none,exploration=0.5,first_play=0.6",
    "expansion=1,prior=none,first_play=parent-0.1",
    "expansion=8,prior=heuristic:20",
    "expansion=2,prior=none,selection=ucb1-tuned,exploration=0.7",
    "expansion=2,prior=none,selection=kl-ucb,exploration=1",
    "expansion=2,prior=none,selection=thompson",
    "expansion=1,prior=none,selection=puct,exploration=1,first_play=parent-0.2",
    "expansion=3,prior=heuristic:10,selection=puct,exploration=1,first_play=0.4",
    "expansion=2,prior=none,transpositions=true,first_play=1",
    "expansion=1,prior=none,proofs=true",
    "expansion=2,prior=none,own_eyes=true",
    "expansion=2,prior=heuristic:5,proofs=true,transpositions=true,max_nodes=1000",
];

#[test]
fn playouts_as_an_evaluator_grow_the_same_trees() {
    for (size, budget) in [(3, 700), (5, 400), (9, 150)] {
        let games = some_games(size);
        for settings in SETTINGS {
            for in_flight in [1, 4, 8] {
                let text = format!("uct:policy=uniform,rave=none,in_flight={in_flight},{settings}");
                let plain = uct(&text);
                let evaluator = Some(registered("playouts").unwrap());
                let general = UctConfig { evaluator, ..plain.clone() };
                general.validate().unwrap();
                let expected = signatures(together(&games, &plain, budget));
                let found = signatures(together(&games, &general, budget));
                assert_eq!(found, expected, "{size}: {text}");
                // Alone, and so without lanes.
                let alone = together(&games[..1], &general, budget);
                assert_eq!(signatures(alone), expected[..1], "{size}: {text}");
            }
        }
    }
}

/// A quarter everywhere, and one move twice as likely as the others.
struct Quarter;

impl Evaluator for Quarter {
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        batch.values.fill(0.25);
        let moves = batch.size.points() + 1;
        batch.priors.iter_mut().step_by(moves).for_each(|prior| *prior = 2.0);
        Ok(())
    }
}

pub fn quarter() -> NamedEvaluator {
    NamedEvaluator::new("quarter", "1", || Ok(Box::new(Quarter)))
}

#[test]
fn a_leaf_mixes_its_value_and_its_playout() {
    let game = some_games(5).remove(1);
    for share in [0.0, 0.3, 0.5, 1.0] {
        let config = UctConfig { playout_share: share, ..UctConfig::with_evaluator(quarter()) };
        config.validate().unwrap();
        let found = together(std::slice::from_ref(&game), &config, 1).remove(0);
        let job = Job { start: game.board().repacked::<1>(), seed: mix(0, 0) };
        let playout = scalar::play_by(config.playout_config(game.rules().komi), &job);
        let is_won = (playout.score - game.rules().komi).winner() == Some(game.to_play());
        let expected = (1.0 - share) * 0.25 + share * f64::from(u8::from(is_won));
        let own = 1.0 - found.tree.reward(Tree::ROOT);
        assert!((own - expected).abs() < 1e-6, "{share}: {own} for {expected}");
        let units = own * f64::from(1 << 20);
        assert_eq!(units, units.round(), "{share}");
    }
}

/// With a share of 1 and without priors the evaluator counts for nothing.
#[test]
fn a_whole_share_of_playouts_is_a_search_by_playouts() {
    let games = some_games(5);
    for settings in ["prior=none,expansion=2", "proofs=true", "policy=uniform,stop=mercy:10"] {
        for in_flight in [1, 8] {
            let plain = uct(&format!("uct:rave=none,in_flight={in_flight},{settings}"));
            let evaluator = Some(quarter().without_priors());
            let mixed = UctConfig { evaluator, playout_share: 1.0, ..plain.clone() };
            let (found, plain) = (together(&games, &mixed, 300), together(&games, &plain, 300));
            for (found, plain) in found.iter().zip(&plain) {
                assert_eq!(found.scores, plain.scores, "{settings}");
            }
            assert_eq!(signatures(found), signatures(plain), "{settings}");
        }
    }
}
