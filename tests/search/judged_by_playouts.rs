//! The evaluator `playouts` through the general road of evaluators: the trees are those of searches
//! that play their own playouts.

use super::common::*;
use tengen::bots::BotConfig;
use tengen::go::Game;
use tengen::search::evaluator::registered;
use tengen::search::tree::Tree;
use tengen::search::{SearchResult, UctConfig, driver, root_parallel, signature};

/// The settings of a search in the text of a bot.
pub fn uct(text: &str) -> UctConfig {
    match text.parse() {
        Ok(BotConfig::Uct(config)) => config,
        other => panic!("{text}: {other:?}"),
    }
}

/// The results of searches of `games` by `config`, all in one driver.
pub fn together(games: &[Game], config: &UctConfig, budget: u64) -> Vec<SearchResult> {
    let begin = |(seed, game)| {
        root_parallel::begin_one(game, config, budget, seed, Tree::new(config.extras()))
    };
    driver::run(games[0].size(), (0..).zip(games).map(begin).collect(), None).unwrap()
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

const SETTINGS: [&str; 14] = [
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
    "expansion=1,prior=none,solver=true",
    "expansion=2,prior=heuristic:5,solver=true,transpositions=true,max_nodes=1000",
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
