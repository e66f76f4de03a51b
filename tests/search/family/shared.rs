//! What positions share.

use super::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::HashMap;
use tengen::go::{Board, Color, Score};
use tengen::search::tree::Tree;
use tengen::search::uct::UctSearch;
use tengen::search::{Request, Search};

/// What makes two nodes one position.
type State = (String, Color, u8, Option<String>);

fn state(board: &Board<1>) -> State {
    let ko = board.ko().map(|vertex| vertex.to_string());
    (board.to_string(), board.to_play(), board.passes(), ko)
}

/// Selection by shared means, recounted from the lines and results alone: at
/// every node on the way whose moves are all there, the one taken is as good
/// as any.
#[test]
fn lines_that_meet_share_their_mean() {
    let config = config("transpositions = true\nexploration = 0.4");
    let game = empty(3, "0.5");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut search = UctSearch::<1>::new(&game, &config, 4_000, 1, Tree::new(config.extras()));
    // Visits, and rewards of the player who moved there.
    let mut positions = HashMap::<State, (f64, f64)>::new();
    let (mut checked, mut shared) = (0, 0);
    for simulation in 0..4_000 {
        // One simulation at a time, also where a line ends in the tree.
        search.set_budget(simulation + 1);
        let before = search.tree().clone();
        let request = search.select();
        let after = search.tree();
        let points = i32::try_from(random.next_u64() % 9).unwrap() - 4;
        let line = new_visits(&before, after);
        let mut board: Board<1> = game.board().repacked();
        let mut node = Some(Tree::ROOT);
        let mut met = Vec::new();
        for &mv in &line {
            if let Some(at) = node.filter(|&at| before.is_complete(at)) {
                let big_n = f64::from(before.visits(at));
                let urgency = |child: usize| {
                    let mut there = board;
                    there.play_unchecked(before.mv(child));
                    let (visits, rewards) = positions[&state(&there)];
                    let n = f64::from(before.visits(child));
                    shared += u32::from(visits > n);
                    rewards / visits + 0.4 * (big_n.ln() / n).sqrt()
                };
                let urgencies: Vec<(usize, f64)> =
                    before.children(at).zip(before.children(at).map(urgency)).collect();
                let best = urgencies.iter().map(|&(_, u)| u).fold(f64::NEG_INFINITY, f64::max);
                let taken = urgencies.iter().find(|&&(child, _)| before.mv(child) == mv);
                assert!(taken.unwrap().1 >= best - 1e-9, "{urgencies:?}");
                checked += 1;
            }
            node = node.and_then(|at| before.child(at, mv));
            let mover = board.to_play();
            board.play_unchecked(mv);
            met.push((state(&board), mover));
        }
        let score = match request {
            Request::Playout { job, .. } => {
                assert_eq!(board, job.start);
                search.update(simulation, &result(points));
                Score::from_points(points)
            }
            _ => board.area_score(),
        };
        let black = f64::from(u8::from((score - game.rules().komi).half_points() > 0));
        for (state, mover) in met {
            let (visits, rewards) = positions.entry(state).or_default();
            *visits += 1.0;
            *rewards += if mover == Color::Black { black } else { 1.0 - black };
        }
    }
    assert!(checked > 1_000 && shared > 1_000, "{checked} {shared}");
}
