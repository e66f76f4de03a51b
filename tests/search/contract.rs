//! The contract of `select` and `update`, and what a tree then holds.

use super::common::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tengen::go::{Board, Color, Game, Ko, Move, Preset, Rules, Size};
use tengen::search::SearchControl;
use tengen::search::UctConfig;
use tengen::search::select::Fpu;
use tengen::search::tree::{Node, Tree};
use tengen::search::uct::UctSearch;
use tengen::search::{Request, Search};
use tengen::seed::mix;

#[test]
fn one_simulation_is_out_at_a_time_and_the_budget_ends_the_search() {
    let game = empty(5, "2.5");
    let mut search = UctSearch::<1>::new(&game, &uct(3), 3, 9, Tree::default());
    for expected in 0..3 {
        let Request::Playout { simulation, .. } = search.select() else { panic!() };
        assert_eq!(simulation, expected);
        assert_eq!(search.select(), Request::Wait);
        assert_eq!(search.select(), Request::Wait);
        assert_eq!(search.simulations(), expected + 1);
        search.update(simulation, &result(3));
    }
    assert_eq!(search.select(), Request::Done);
    assert_eq!(search.select(), Request::Done);
    assert_eq!(search.simulations(), 3);
    assert_counts(search.tree(), 3, 1);
    let mut none = UctSearch::<1>::new(&game, &uct(3), 0, 9, Tree::default());
    assert_eq!(none.select(), Request::Done);
}

/// A result of another simulation, one that nobody asked for, and one that was given before.
#[test]
fn a_result_is_taken_once_and_in_flight_only() {
    for (asked, given) in [(1, &[1][..]), (0, &[0]), (1, &[0, 0])] {
        let mut search = UctSearch::<1>::new(&empty(5, "2.5"), &uct(9), 9, 9, Tree::default());
        for _ in 0..asked {
            let _ = search.select();
        }
        let give = || given.iter().for_each(|&number| search.update(number, &result(0)));
        let panic = catch_unwind(AssertUnwindSafe(give)).expect_err("a result is refused");
        let told = panic.downcast_ref::<String>().expect("a message");
        assert!(told.ends_with("is not in flight"), "{told}");
    }
}

/// UCB1 as the documentation writes it, in other words than the program's.
fn urgency(tree: &Tree, parent: Node, child: Node, c: f64) -> f64 {
    let n = f64::from(tree.visits(child));
    tree.reward(child) / n + c * (f64::from(tree.visits(parent)).ln() / n).powf(0.5)
}

/// Drives a search by hand with made-up results: every step down must take a
/// child of the highest urgency, or a new one where a first play is more
/// urgent than all, and every result must be counted on the path, for the
/// player who moved, and nowhere else.
#[test]
fn every_simulation_follows_ucb1_and_is_counted_on_its_path() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut followed, mut new) = (0, 0);
    for (c, first_play, expansion, komi) in [
        (0.5, f64::INFINITY, 1, "2"),
        (1.4, 0.6, 1, "0.5"),
        (0.2, 1.1, 3, "-1"),
        (0.0, 0.0, 2, "2.5"),
    ] {
        let mut game = empty(3, komi);
        play_all(&mut game, "B2 A1");
        let urgency_of_first = first_play;
        let first_play = Fpu::Constant(first_play);
        let config = UctConfig { exploration: c, first_play, expansion, ..uct(3_000) };
        let komi = game.rules().komi.half_points();
        let seed = random.next_u64();
        let mut search = UctSearch::<1>::new(&game, &config, 3_000, seed, Tree::default());
        let mut counted = 0;
        loop {
            let before = search.tree().clone();
            let (score, at) = match search.select() {
                Request::Wait => panic!("nothing is out"),
                Request::Pause | Request::Evaluation { .. } => continue,
                Request::Done => break,
                Request::Playout { simulation, job } => {
                    assert_eq!(job.seed, mix(seed, simulation));
                    // What selection saw, unless simulations that ended inside
                    // the tree took numbers between.
                    let lone = simulation == counted;
                    counted = simulation + 1;
                    let points = i32::try_from(random.next_u64() % 19).unwrap() - 9;
                    search.update(simulation, &result(points));
                    if !lone {
                        continue;
                    }
                    followed += 1;
                    (2 * points - i32::from(komi), job.start)
                }
            };
            // A node of the tree before, and where it is now.
            let after = search.tree();
            let mut board: Board<1> = game.board().repacked();
            let (mut old, mut node) = (Some(Tree::ROOT), Tree::ROOT);
            let mut mover = !game.to_play();
            let mut visited = 0;
            loop {
                let gained = after.reward(node) - old.map_or(0.0, |old| before.reward(old));
                let visits = after.visits(node) - old.map_or(0, |old| before.visits(old));
                let lead = if mover == Color::Black { score } else { -score };
                let expected = 0.5 + 0.5 * f64::from(lead.signum());
                assert_eq!((gained, visits), (expected, 1), "node {node}, lead {lead}");
                visited += 1;
                let children = after.children(node);
                let known = old.map_or(0..0, |old| before.children(old));
                if children.is_empty() {
                    break;
                }
                let taken = (0..children.len())
                    .find(|&n| {
                        let was = known.clone().nth(n).map_or(0, |child| before.visits(child));
                        after.visits(children.start + n) > was
                    })
                    .expect("a node with children is no leaf");
                let value = |child| urgency(&before, old.unwrap(), child, c);
                let best = known.clone().map(value).fold(f64::NEG_INFINITY, f64::max);
                if taken < known.len() {
                    let urgency = value(known.start + taken);
                    assert!(urgency >= best - 1e-12, "{urgency} < {best}");
                    let can_grow = !after.is_complete(node) && !known.is_empty();
                    assert!(!can_grow || urgency_of_first <= urgency + 1e-12);
                    old = Some(known.start + taken);
                } else {
                    assert_eq!(children.len(), known.len() + 1, "one child more");
                    assert!(urgency_of_first > best - 1e-12);
                    new += 1;
                    old = None;
                }
                node = children.start + taken;
                board.play_unchecked(after.mv(node));
                mover = !mover;
            }
            assert_eq!(board, at, "the job begins at the leaf");
            let visits = |tree: &Tree| tree.nodes().map(|n| u64::from(tree.visits(n))).sum::<u64>();
            assert_eq!(visits(after) - visits(&before), visited, "no other node was visited");
        }
        assert_eq!(search.simulations(), 3_000);
        assert_counts(search.tree(), 3_000, expansion);
    }
    assert!(followed > 1_000, "{followed} simulations were followed");
    assert!(new > 100, "{new} children were new");
}

/// The player to move has nothing but passes: two of them end every line.
#[test]
fn terminal_leaves_take_numbers_and_count_the_board() {
    let game = drawn(SETTLED, Color::White, Ko::Psk, "2.5");
    let mut search = UctSearch::<1>::new(&game, &uct(50), 50, 3, Tree::default());
    // The pass, and its playout; from then on pass and pass, on the board.
    assert!(matches!(search.select(), Request::Playout { simulation: 0, .. }));
    search.update(0, &result(9));
    assert_eq!(search.select(), Request::Done);
    assert_eq!(search.simulations(), 50);
    assert_counts(search.tree(), 50, 1);
    let tree = search.tree();
    let pass = tree.child(Tree::ROOT, Move::Pass).unwrap();
    let over = tree.child(pass, Move::Pass).unwrap();
    assert_eq!(tree.visits(over), 49);
    assert!(tree.children(over).is_empty());
    // Black has all nine points and wins; the second pass is Black's.
    assert_eq!((tree.reward(over), tree.reward(pass)), (49.0, 0.0));
    assert_eq!((search.view().counts.max_depth, search.view().counts.depth_sum), (2, 1 + 49 * 2));
}

#[test]
fn the_limit_of_plies_ends_lines_in_the_tree() {
    let size = Size::square(3).unwrap();
    let rules = Rules { max_plies: 5, ..rules(Preset::Tengen, size, "0.5") };
    let mut game = Game::new(size, rules);
    play_all(&mut game, "B2 A1");
    let mut search = UctSearch::<1>::new(&game, &uct(4_000), 4_000, 3, Tree::default());
    run(&mut search);
    assert_eq!(search.view().counts.max_depth, 3);
    walk(search.tree(), Tree::ROOT, &mut game, &mut |node, game| {
        assert!(game.end().is_none() || search.tree().children(node).is_empty());
    });
}
