use super::*;
use crate::AnySearch;
use crate::driver::{self, Ended};
use crate::evaluator::NamedEvaluator;
use crate::result::SearchResult;
use crate::tree::Tree;
use crate::{UctConfig, root_parallel};
use tengen_go::{Board, Color, Game, Preset, Rules};
use tengen_stats::seed::mix;

/// Judges each leaf by its hash.
fn answer(batch: Batch<'_>) {
    let each = batch.size.points() + 1;
    for (leaf, value) in batch.leaves.iter().zip(batch.values) {
        *value = (mix(leaf.board.hash(), 1) % 1_000) as f32 / 999.0;
    }
    for (leaf, priors) in batch.leaves.iter().zip(batch.priors.chunks_exact_mut(each)) {
        for (place, prior) in (2..).zip(priors) {
            *prior = (mix(leaf.board.hash(), place) % 100) as f32;
        }
    }
}

fn config(in_flight: u32, playout_share: f64) -> UctConfig {
    let by_hash = |batch: Batch<'_>| {
        answer(batch);
        Ok(())
    };
    let evaluator = NamedEvaluator::new("by-hash", "1", move || Ok(Box::new(by_hash)));
    let config = UctConfig::with_evaluator(evaluator);
    UctConfig { in_flight, playout_share, simulations: Some(150), ..config }
}

/// Games with two komi; one game is near its end.
fn games() -> Vec<Game> {
    let rows = [".....", "X...O", "XXXXX", "OO.OO", "....."];
    let game = |number: usize| {
        let rows = if number == 3 { rows.join("/") } else { [rows[0]; 5].join("/") };
        let board = Board::from_diagram(&rows, Color::Black).unwrap();
        let komi = ["0.5", "7"][number % 2].parse().unwrap();
        Game::from_position(board, Rules::new(Preset::Tengen, board.size(), komi))
    };
    (0..5).map(game).collect()
}

fn searches(config: &UctConfig) -> Vec<AnySearch> {
    let begin = |(seed, game): (u64, Game)| {
        root_parallel::begin_one(&game, config, 150, seed, Tree::new(config.extras()))
    };
    (1..).zip(games()).map(begin).collect()
}

/// Keeps the searches that are suspended, each in a slot of its own.
#[derive(Default)]
struct Parked {
    searches: Vec<Option<AnySearch>>,
    waiting: Vec<usize>,
    /// Whether [`Host::should_stop`] always returns true.
    is_impatient: bool,
}

impl Host for Parked {
    fn next(&mut self, slot: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
        match ended {
            Some(mut ended) => {
                self.searches[slot] = ended.searches.pop();
                None
            }
            None => self.searches[slot].take().map(|search| vec![search]),
        }
    }

    fn wake(&mut self, _: bool) -> Option<usize> {
        self.waiting.pop()
    }

    fn should_stop(&mut self) -> bool {
        self.is_impatient
    }
}

fn assert_same(one: SearchResult, other: SearchResult, what: &str) {
    let counts = |result: &SearchResult| (result.counts, result.scores.clone());
    assert_eq!(counts(&one), counts(&other), "{what}");
    let nodes = |result: SearchResult| {
        let tree = result.tree;
        let node = |node| (tree.mv(node), tree.visits(node), tree.reward(node).to_bits());
        tree.nodes().map(node).collect::<Vec<_>>()
    };
    assert_eq!(nodes(one), nodes(other), "{what}");
}

#[test]
fn steps_find_what_a_drive_finds() {
    for (in_flight, share) in [(1, 0.0), (5, 0.0), (3, 0.5)] {
        let config = config(in_flight, share);
        let size = games()[0].size();
        for batch in [1, 4, 64] {
            let expected = driver::run(size, searches(&config)).unwrap();
            let parked = searches(&config).into_iter().map(Some).collect();
            let host = Parked { searches: parked, is_impatient: batch == 4, ..Parked::default() };
            let mut steps = steps(size, 5, host);
            let (mut batches, mut leaves) = (0, 0);
            loop {
                match steps.gather(batch).unwrap() {
                    Gathered::Leaves => {
                        let found = steps.batch().unwrap();
                        assert!(found.leaves.len() <= batch);
                        leaves += found.leaves.len();
                        answer(found);
                        steps.hand_back().unwrap();
                        batches += 1;
                    }
                    Gathered::Paused => assert_eq!(batch, 4),
                    Gathered::Nothing => break,
                }
            }
            assert!(leaves > 500 && batches >= leaves / batch, "{leaves} in {batches}");
            let found = steps.end().searches.into_iter().flatten().map(AnySearch::report);
            for (number, (found, expected)) in found.zip(expected).enumerate() {
                assert_same(found, expected, &format!("{in_flight} {share} {batch} {number}"));
            }
        }
    }
}

/// A loop that stops with a batch without answer, looks at the searches, and goes on.
#[test]
fn suspended_and_abandoned_steps_go_on() {
    let config = config(4, 0.0);
    let size = games()[0].size();
    let expected = driver::run(size, searches(&config)).unwrap();
    let parked = searches(&config).into_iter().map(|mut search| {
        search.suspend_after(40);
        Some(search)
    });
    let host = Parked { searches: parked.collect(), ..Parked::default() };
    let mut steps = steps(size, 5, host);
    for _ in 0..3 {
        assert_eq!(steps.gather(7), Ok(Gathered::Leaves));
        answer(steps.batch().unwrap());
        steps.hand_back().unwrap();
    }
    assert_eq!(steps.gather(7), Ok(Gathered::Leaves));
    assert_eq!(steps.slots().len(), steps.batch().unwrap().leaves.len());
    // Without an answer the batch still waits.
    let error = steps.hand_back().unwrap_err().to_string();
    assert_eq!(error, "evaluator `by-hash`: a value is NaN: expected 0 to 1");
    let seen: u64 = steps.views().iter().map(|(_, view)| view.counts.simulations).sum();
    assert!((21..200).contains(&seen), "{seen}");
    steps.suspend_after(60);
    loop {
        while steps.gather(7).unwrap() == Gathered::Leaves {
            answer(steps.batch().unwrap());
            steps.hand_back().unwrap();
        }
        assert!(steps.views().is_empty());
        let host = steps.host_mut();
        let left = |search: &AnySearch| !search.is_done();
        let slots = (0..5).filter(|&slot| host.searches[slot].as_ref().is_some_and(left));
        host.waiting = slots.collect();
        if host.waiting.is_empty() {
            break;
        }
        for search in host.searches.iter_mut().flatten() {
            let begun = search.simulations();
            search.suspend_after(begun + 37);
        }
    }
    let found = steps.end().searches.into_iter().flatten().map(AnySearch::report);
    for (number, (found, expected)) in found.zip(expected).enumerate() {
        assert_same(found, expected, &number.to_string());
    }
}

#[test]
fn searches_by_playouts_have_no_leaves() {
    let config = UctConfig::plain();
    let parked = searches(&config).into_iter().map(Some).collect();
    let mut steps = steps(games()[0].size(), 5, Parked { searches: parked, ..Parked::default() });
    let error = steps.gather(7).unwrap_err().to_string();
    assert!(error.contains("judged by playouts"), "{error}");
}
