//! What a program registers: twins of built-in formulas, priors and policies give their trees, and
//! values, final moves and versions follow what is registered.

use super::common::*;
use super::judged_by_playouts::{signatures, some_games, together, uct};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Mutex;
use tengen::bots::BotConfig;
use tengen::go::{Board, Game, Move, Vertex};
use tengen::playout::BuiltInPolicy;
use tengen::playout::policy::{PlayoutPolicy, Turn};
use tengen::register;
use tengen::run::Experiment;
use tengen::search::back_up::BackedUp;
use tengen::search::prior::{MovePrior, Prior, Recent};
use tengen::search::select::{Child, Formula, Properties, SelectingNode};
use tengen::search::tree::Tree;
use tengen::search::{FinalMove, RootMove, SearchReport, UctConfig, final_move, shared};
use tengen::tournament::Tournament;

/// UCB1 by its definition.
struct Ucb1;

impl Formula for Ucb1 {
    type AtNode = (f64, f64);

    fn at(&self, node: &SelectingNode<'_>) -> (f64, f64) {
        (node.exploration, f64::from(node.visits.max(1)).ln())
    }

    fn urgency(&self, &(c, log): &(f64, f64), child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        child.mean + c * (log * (1.0 / child.visits)).sqrt()
    }

    fn mean(reward: f64, visits: f64) -> f64 {
        reward * (1.0 / visits)
    }
}

/// PUCT by its definition.
struct Puct;

impl Formula for Puct {
    const PROPERTIES: Properties =
        Properties { ranks_unvisited: true, reads_priors: true, ..Properties::NONE };

    type AtNode = f64;

    fn at(&self, node: &SelectingNode<'_>) -> f64 {
        let of_children: u32 = node.children.visits.iter().sum();
        assert!(node.depth > 0 || node.visits <= of_children + 1, "the root is a leaf once");
        node.exploration * f64::from(node.visits).sqrt()
    }

    fn urgency(&self, root: &f64, child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        child.mean + root * child.prior / (1.0 + child.visits)
    }
}

/// The built-in prior, move by move.
struct Heuristic;

impl MovePrior for Heuristic {
    fn values(&self, board: &Board<6>, last: Option<Move>, values: &mut [f32]) {
        let recent = Recent { last, before: None };
        let Some(priors) = Prior::built_in("heuristic:1").of(board, recent, board.empty()) else {
            return;
        };
        let size = board.size();
        let moves = Vertex::all(size).map(Move::Play).chain([Move::Pass]);
        for (value, mv) in values.iter_mut().zip(moves) {
            #[allow(clippy::cast_possible_truncation)] // hundredths
            let given = priors.value(mv) as f32;
            *value = given;
        }
    }
}

/// The built-in policy, turn by turn.
struct CaptureEscape;

impl PlayoutPolicy for CaptureEscape {
    fn draw<const W: usize>(&self, turn: &Turn<W>) -> usize {
        let built_in = BuiltInPolicy::CaptureEscape { probability: 1.0 };
        let [preferred, _] = built_in.preferred(&turn.board, turn.last);
        let preferred = preferred & turn.candidates;
        let is_preferred = turn.is_first && turn.coin(0.9) && !preferred.is_empty();
        turn.one_of(if is_preferred { preferred } else { turn.candidates })
    }
}

pub fn register_twins() {
    register::selection("twin-ucb1", "1", |_| Ok(Ucb1)).unwrap();
    register::prior("twin-heuristic", "1", |_| Ok(Heuristic)).unwrap();
    register::policy("twin-capture", "1", |_| Ok(CaptureEscape)).unwrap();
    register::selection("twin-puct", "1", |_| Ok(Puct)).unwrap();
    register::back_up("twin-mean", "1", |_| Ok(|node: &BackedUp<'_>| node.mean())).unwrap();
    register::final_move("most", "1", |_| {
        Ok(|root_move: &RootMove, _: &SearchReport| root_move.visits as f64)
    })
    .unwrap();
}

#[test]
fn twins_of_built_in_strategies_give_their_trees() {
    register_twins();
    let all = "selection=twin-ucb1,prior=twin-heuristic:20,policy=twin-capture";
    for size in [3, 5, 9] {
        let games = some_games(size);
        for more in [
            "",
            ",exploration=0.5",
            ",rave=none",
            ",rave=none,expansion=1,in_flight=4",
            ",prior=none,rave=none,expansion=2,proofs=true",
            ",transpositions=true,max_nodes=1000",
            ",stop=mercy:5,leaf_playouts=2",
        ] {
            let (own, built_in) = (
                uct_over(all, more),
                uct_over("prior=heuristic:20,policy=capture-escape:0.9", more),
            );
            let expected = signatures(together(&games, &built_in, 300));
            assert_eq!(signatures(together(&games, &own, 300)), expected, "{size}: {more}");
        }
    }
}

/// The bot with the settings of `all`, of which those in `more` replace theirs.
fn uct_over(all: &str, more: &str) -> UctConfig {
    let key = |setting: &str| setting.split('=').next().unwrap_or_default().to_owned();
    let replaced: Vec<String> = more.split(',').map(key).collect();
    let kept = all.split(',').filter(|setting| !replaced.contains(&key(setting)));
    uct(&format!("uct:{}{more}", kept.collect::<Vec<_>>().join(",")).replace(":,", ":"))
}

#[test]
fn a_formula_sees_its_node_and_ranks_moves_without_visits() {
    register_twins();
    let settings = "exploration=0.7,first_play=0.5,rave=none,prior=heuristic:1,expansion=1";
    let games = some_games(5);
    let own = uct(&format!("uct:selection=twin-puct,{settings}"));
    let built_in = uct(&format!("uct:selection=puct,{settings}"));
    let expected = signatures(together(&games, &built_in, 300));
    assert_eq!(signatures(together(&games, &own, 300)), expected);
}

#[test]
fn a_back_up_sets_the_values_of_all_nodes() {
    // The value of a node is that of its best child.
    register::back_up("best", "1", |_| {
        Ok(|node: &BackedUp<'_>| {
            let best = node.visited().map(|(_, value)| value).reduce(f64::max);
            best.unwrap_or_else(|| node.mean())
        })
    })
    .unwrap();
    let config = uct("uct:back_up=best,rave=none,prior=none,exploration=0.5,expansion=2");
    let mut inner = 0;
    for result in together(&some_games(5), &config, 400) {
        let tree = result.tree;
        for node in tree.nodes().filter(|&node| !tree.children(node).is_empty()) {
            let value = |node| tree.reward(node) / f64::from(tree.visits(node));
            let visited = tree.children(node).filter(|&child| tree.visits(child) > 0);
            let best = visited.map(value).fold(0.0, f64::max);
            let found = 1.0 - value(node);
            assert!((found - best).abs() < 1e-9, "{found} and not {best}");
            inner += 1;
        }
        assert_eq!(tree.visits(Tree::ROOT), 400);
    }
    assert!(inner > 50, "{inner}");
    for refused in ["transpositions=true", "sharing=upper-tree:50:0.05:3"] {
        let said = format!("uct:back_up=best,{refused}").parse::<BotConfig>().unwrap_err();
        assert!(said.to_string().contains("`back_up` is best: it must be mean with"), "{said}");
    }
}

#[test]
fn a_back_up_sees_no_visits_without_results() {
    /// Visits, new results, their rewards and the value before, of the root.
    static ROOT: Mutex<Vec<(u32, u32, f64, f64)>> = Mutex::new(Vec::new());
    register::back_up("noted", "1", |_| {
        Ok(|node: &BackedUp<'_>| {
            if node.depth == 0 {
                let noted = (node.visits, node.results, node.reward, node.value);
                ROOT.lock().unwrap().push(noted);
            }
            node.mean()
        })
    })
    .unwrap();
    for in_flight in [1, 7] {
        let config = uct(&format!("uct:back_up=noted,leaf_playouts=2,in_flight={in_flight}"));
        together(&some_games(5)[..1], &config, 60);
        let (mut before, mut sum) = (0, 0.0);
        for (visits, results, reward, value) in ROOT.lock().unwrap().drain(..) {
            assert_eq!(visits, before + results, "in_flight={in_flight}");
            let is_mean = before == 0 || (value - sum / f64::from(before)).abs() < 1e-9;
            assert!(is_mean, "in_flight={in_flight}: {value} after {before} results of {sum}");
            (before, sum) = (visits, sum + reward);
        }
        assert_eq!(before, 60);
    }
}

/// The mean of the results by its rule, through the general road.
#[test]
fn a_back_up_by_means_is_the_built_in_one() {
    register_twins();
    let games = some_games(3);
    for settings in [
        "rave=none,prior=none,expansion=1",
        "leaf_playouts=3",
        "proofs=true",
        "in_flight=7,leaf_playouts=2",
        "in_flight=16,reuse=true,epoch=0.001",
        "workers=2,in_flight=3",
    ] {
        let built_in = together(&games, &uct(&format!("uct:{settings}")), 60);
        let own = together(&games, &uct(&format!("uct:back_up=twin-mean,{settings}")), 60);
        for (own, built_in) in own.into_iter().zip(built_in) {
            let children = own.tree.children(Tree::ROOT).zip(built_in.tree.children(Tree::ROOT));
            for (own_child, child) in children {
                assert_eq!(own.tree.visits(own_child), built_in.tree.visits(child), "{settings}");
                let difference = own.tree.reward(own_child) - built_in.tree.reward(child);
                assert!(difference.abs() < 1e-9, "{settings}: {difference}");
            }
        }
    }
}

#[test]
fn a_rule_for_the_final_move_decides() {
    register::final_move("least", "1", |_| {
        Ok(|root_move: &RootMove, _: &SearchReport| -(root_move.visits as f64))
    })
    .unwrap();
    let rule: FinalMove = "least".parse().unwrap();
    let game: Game = empty(5, "2.5");
    let config = UctConfig { final_move: rule, ..UctConfig::plain() };
    let (report, _) = shared::search(&game, &config, 1, Vec::new(), None).unwrap();
    let least = report.moves.iter().map(|root_move| root_move.visits).min();
    let chosen = final_move::choose(&game, &report, rule);
    let found = report.moves.iter().find(|root_move| root_move.mv == chosen).unwrap();
    assert_eq!(Some(found.visits), least);
}

#[test]
fn versions_tell_what_is_registered_apart() {
    register::policy("dated", "7", |_| Ok(CaptureEscape)).unwrap();
    let bot: BotConfig = "uct:prior=none,policy=dated".parse().unwrap();
    assert_eq!(bot.versions(), ["7"]);
    let signature = || {
        let text = "size = '3x3'\nbot = ['uct:policy=dated,simulations=5', 'random']";
        let tournament: Tournament = text.parse().unwrap();
        tournament.provenance().unwrap().bots[0].signature.clone()
    };
    let of_seven = signature();
    assert_eq!(signature(), of_seven);
    assert_eq!("uct:prior=none".parse::<BotConfig>().unwrap().versions(), [""; 0]);
    register::policy("dated", "8", |_| Ok(CaptureEscape)).unwrap();
    let newer: BotConfig = "uct:prior=none,policy=dated".parse().unwrap();
    assert_eq!((bot.to_string(), newer.versions()), (newer.to_string(), vec!["8".to_owned()]));
    assert_ne!(bot, newer);
    assert_ne!(signature(), of_seven, "runs of another version must not be resumed");
}
