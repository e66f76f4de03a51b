//! What is learned from a result, and what is known before: all-moves-as-first and priors.

use super::*;
use std::collections::HashMap;
use tengen::go::{Bits, Color, Move};
use tengen::playout::scalar;
use tengen::search::SearchControl;
use tengen::search::prior::{Prior, Recent};
use tengen::search::tree::Tree;
use tengen::search::uct::UctSearch;
use tengen::search::{Request, Search};

/// All-moves-as-first of the root and of the nodes below it, recounted from
/// recorded games: who was the first to take each point after the node, in the
/// tree or in the playout, going forward.
#[test]
fn all_moves_as_first_are_those_of_a_slow_recount() {
    for (text, size) in [
        ("rave = 'equivalence:200'\nexploration = 0.2", 4),
        ("rave = 'equivalence:900'\nleaf_playouts = 3", 4),
    ] {
        let config = config(text);
        let game = empty(size, "1.5");
        let mut search = UctSearch::<1>::new(&game, &config, 3_000, 5, Tree::new(config.extras()));
        // By the line to a child: visits and rewards of all-moves-as-first.
        let mut recount = HashMap::<Vec<Move>, (u32, f64)>::new();
        let (mut line, mut recounted) = (Vec::new(), 0);
        let mut before = search.tree().clone();
        loop {
            // A budget of one leaf more, so that lines that end in the tree,
            // which bring nothing here, are told from the others.
            let playouts = u64::from(config.leaf_playouts);
            search.set_budget((search.simulations() + playouts).min(1_500));
            let Request::Playout { simulation, job } = search.select() else {
                before = search.tree().clone();
                if search.simulations() == 1_500 {
                    break;
                }
                continue;
            };
            if simulation.is_multiple_of(playouts) {
                line = new_visits(&before, search.tree());
                before = search.tree().clone();
            }
            recounted += 1;
            let playout = scalar::play(&job);
            search.update(simulation, &playout);
            let winner = (playout.score - game.rules().komi).winner();
            let black = winner.map_or(0.5, |winner| f64::from(u8::from(winner == Color::Black)));
            // The leaf has no children that could learn.
            for depth in 0..line.len() {
                // The owners of the points from here on.
                let mut owners = HashMap::<Move, Color>::new();
                let mut player = game.to_play();
                for (place, &mv) in line.iter().enumerate() {
                    if place >= depth {
                        owners.entry(mv).or_insert(player);
                    }
                    player = !player;
                }
                for color in Color::BOTH {
                    for index in playout.first_plays[color.index()].iter() {
                        let mv = Move::Play(Bits::<1>::vertex(index));
                        owners.entry(mv).or_insert(color);
                    }
                }
                let chooser = if depth % 2 == 0 { game.to_play() } else { !game.to_play() };
                for (mv, owner) in owners {
                    if owner == chooser && mv != Move::Pass {
                        let mut path = line[..depth].to_vec();
                        path.push(mv);
                        let (visits, rewards) = recount.entry(path).or_default();
                        *visits += 1;
                        *rewards += if chooser == Color::Black { black } else { 1.0 - black };
                    }
                }
            }
        }
        let tree = search.tree();
        let mut compared = 0;
        compare(tree, Tree::ROOT, &mut Vec::new(), &recount, &mut compared);
        assert!(recounted > 1_000 && compared > 100, "{recounted} and {compared} nodes");
    }
}

fn compare(
    tree: &Tree,
    node: usize,
    path: &mut Vec<Move>,
    recount: &HashMap<Vec<Move>, (u32, f64)>,
    compared: &mut u32,
) {
    for child in tree.children(node) {
        path.push(tree.mv(child));
        let (visits, rewards) = recount.get(path).copied().unwrap_or_default();
        let (found, rewarded) = tree
            .amaf()
            .counted(node)
            .find(|&(mv, ..)| mv == tree.mv(child))
            .map_or((0.0, 0.0), |(_, visits, rewards)| (visits, rewards));
        assert_eq!(f64::from(found), f64::from(visits), "{path:?}");
        let error = (f64::from(rewarded) - rewards).abs();
        assert!(error < 1e-5 * rewards.max(1.0), "{path:?}: {rewarded} {rewards}");
        *compared += 1;
        if path.len() < 3 {
            compare(tree, child, path, recount, compared);
        }
        path.pop();
    }
}

/// With RAVE a node begins with the priors of its moves as visits of
/// all-moves-as-first, and what is counted comes on top.
#[test]
fn priors_are_the_first_counts_of_all_moves_as_first() {
    let mut game = empty(5, "2.5");
    play_all(&mut game, "C3 C2 D2");
    let config = config("prior = 'heuristic:8'\nrave = 'equivalence:300'\nexpansion = 1");
    let mut search = UctSearch::<1>::new(&game, &config, 9, 1, Tree::new(config.extras()));
    assert!(matches!(search.select(), Request::Playout { .. }));
    let recent = Recent::of(game.moves().rev().map(|(_, mv)| mv));
    let move_priors =
        Prior::built_in("heuristic:8").of(game.board(), recent, game.board().empty()).unwrap();
    let counted: Vec<_> = search.tree().amaf().counted(Tree::ROOT).collect();
    // Three points are taken, and the pass may be made.
    assert_eq!(counted.len(), 25 - 3 + 1);
    let mut best = 0.0;
    for (mv, visits, reward) in counted {
        let value = move_priors.value(mv);
        assert!((f64::from(visits) - 8.0).abs() < 1e-9, "{mv}");
        assert!((f64::from(reward) - 8.0 * value).abs() < 1e-5, "{mv}: {reward}");
        best = value.max(best);
    }
    let first = search.tree().mv(search.tree().children(Tree::ROOT).start);
    assert!((move_priors.value(first) - best).abs() < 1e-9, "{first} is worth less than {best}");
}

#[test]
fn priors_are_those_of_the_position_and_come_in_falling_order() {
    let mut game = empty(5, "2.5");
    play_all(&mut game, "C3 C2 D2");
    for text in
        ["prior = 'heuristic:10'", "selection = 'puct'\nprior = 'heuristic:10'\nfirst_play = 1"]
    {
        let config = UctConfig { simulations: Some(400), ..config(text) };
        let tree = tree_of(&game, &config, 1);
        let mut seen = 0;
        walk(&tree, Tree::ROOT, &mut game.clone(), &mut |node, game| {
            let children = tree.children(node);
            let recent = Recent::of(game.moves().rev().map(|(_, mv)| mv));
            let move_priors = Prior::built_in("heuristic:8")
                .of(game.board(), recent, game.board().empty())
                .unwrap();
            let value = |child| move_priors.value(tree.mv(child));
            let values: Vec<f64> = children.clone().map(value).collect();
            assert!(values.is_sorted_by(|a, b| a >= b), "node {node}");
            seen += values.len();
            // All-moves-as-first has counted them.
            let columns = tree.columns(children);
            assert_eq!(columns.priors.is_empty(), tree.extras().amaf || values.is_empty());
            // PUCT has their shares.
            let is_read = config.selection.properties().reads_priors;
            let sum = if is_read { values.iter().sum() } else { 1.0 };
            for (prior, value) in columns.priors.iter().zip(values) {
                assert!((f64::from(*prior) - value / sum).abs() < 1e-6, "node {node}");
            }
        });
        assert!(seen > 100, "{seen}");
    }
    // One simulation goes to the move of the highest prior.
    let config = UctConfig { simulations: Some(1), ..config("prior = 'heuristic:10'") };
    let tree = tree_of(&game, &config, 1);
    assert_eq!(tree.visits(tree.children(Tree::ROOT).start), 1);
}
