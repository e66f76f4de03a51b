//! The estimate after a sequential test, against the truth it was simulated from.

use super::*;
use crate::SequentialTest;
use crate::coverage::games_of;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn estimate(test: &str, cells: [u64; 5]) -> StoppedElo {
    let test: Sprt = test.parse().expect("a test");
    test.estimate(&Pairs::from_cells(cells), Level::P95).expect("pairs")
}

/// Plays the test with pairs of these probabilities (lost, split, won) until it stops.
fn played(test: &Sprt, cells: [f64; 3], stream: &mut Xoshiro256PlusPlus) -> Pairs {
    let mut match_ = SequentialTest::new(*test);
    for pair in 0.. {
        if match_.finish(pair, games_of(cells, stream.random())).is_some() {
            break;
        }
    }
    *match_.pairs()
}

#[test]
fn the_estimate_is_above_the_truth_half_of_the_time() {
    let test: Sprt = "elo0=0 elo1=100".parse().expect("a test");
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(37);
    for (truth, split) in [(0.0, 0.5), (50.0, 0.7), (100.0, 0.4), (200.0, 0.3)] {
        let score = Elo(truth).score();
        let won = score - split / 2.0;
        let cells = [1.0 - split - won, split, won];
        let (mut above, mut covered, mut naive) = (0.0, 0, 0.0);
        let matches = 200;
        for _ in 0..matches {
            let pairs = played(&test, cells, &mut stream);
            let found = test.estimate(&pairs, Level::P95).expect("pairs");
            above += f64::from(u8::from(found.elo.0 > truth)) / f64::from(matches);
            covered += u32::from(found.interval.contains(&Elo(truth)));
            let of_score = Elo::from_score(pairs.score().expect("pairs"));
            naive += f64::from(u8::from(of_score.0 > truth)) / f64::from(matches);
        }
        // Three standard errors of 200 matches.
        assert!((above - 0.5).abs() < 0.106, "{truth}: {above}, and {naive} of the scores");
        assert!(covered >= 181, "{truth}: {covered} of {matches}");
    }
}

#[test]
fn both_players_see_one_estimate() {
    for cells in [[21, 0, 48, 0, 42], [3, 2, 11, 4, 9], [0, 0, 1, 0, 22]] {
        let pairs = Pairs::from_cells(cells);
        let one = estimate("elo0=0 elo1=50", cells);
        let other = estimate("elo0=-50 elo1=0", pairs.reversed().cells());
        for (a, b) in [
            (one.elo, other.elo),
            (one.interval.low, other.interval.high),
            (one.interval.high, other.interval.low),
        ] {
            assert!((a.0 + b.0).abs() < 0.5, "{one:?} {other:?}");
        }
        assert_eq!(one.reversed().reversed(), one);
    }
}

#[test]
fn who_won_every_game_has_no_upper_end() {
    let test: Sprt = "elo0=0 elo1=50".parse().expect("a test");
    let end = |won: u64| test.state(test.llr(&Pairs::without_draws([0, 0, won])).expect("a fit"));
    let end = (1..100).find(|&won| end(won) != State::Continue).expect("it stops");
    let won = estimate("elo0=0 elo1=50", [0, 0, 0, 0, end]);
    assert_eq!((won.elo, won.interval.high), (Elo(f64::INFINITY), Elo(f64::INFINITY)));
    assert!(won.interval.low.0 > 50.0, "{won:?}");
    let lost = estimate("elo0=-50 elo1=0", [end, 0, 0, 0, 0]);
    assert_eq!(lost, won.reversed());
}

#[test]
fn a_match_that_could_not_stop_has_the_elo_of_its_score() {
    // The bounds are so far away that the test cannot have stopped earlier.
    let pairs = Pairs::without_draws([30, 40, 50]);
    let text = "elo0=0 elo1=10 alpha=0.0001 beta=0.0001";
    let found = estimate(text, pairs.cells());
    let plain = Elo::from_score(pairs.score().expect("pairs"));
    assert!((found.elo.0 - plain.0).abs() < 1.5, "{found:?} instead of {plain:?}");
    let fixed = Elo::interval(pairs.interval(Level::P95).expect("pairs"));
    assert!((found.interval.low.0 - fixed.low.0).abs() < 5.0, "{found:?} {fixed:?}");
    assert!((found.interval.high.0 - fixed.high.0).abs() < 5.0, "{found:?} {fixed:?}");
}

#[test]
fn a_test_stops_at_its_bound() {
    let test: Sprt = "elo0=0 elo1=50".parse().expect("a test");
    let can = |cells| test.can_have_stopped(&Pairs::without_draws(cells));
    // The ratios are 2.96, 2.7 and 3.3; the last test would have stopped a pair earlier.
    assert!(can([0, 1, 22]));
    assert!(!can([0, 0, 0]) && !can([20, 55, 36]) && !can([20, 55, 45]));
}

#[test]
fn the_p_value_is_that_of_the_ends_of_the_interval() {
    let test: Sprt = "elo0=0 elo1=50".parse().expect("a test");
    for cells in [[0, 0, 1, 0, 22], [22, 0, 1, 0, 0], [20, 0, 53, 0, 41]] {
        let pairs = Pairs::from_cells(cells);
        let Interval { low, high } = test.estimate(&pairs, Level::P95).expect("pairs").interval;
        let p_value = |elo: Elo| test.p_value(&pairs, elo.score()).expect("a score");
        // "The true score is above the lower end" is nearly sure, "above the upper end" hardly possible.
        assert!((p_value(low) - 0.025).abs() < 1e-4, "{cells:?}: {}", p_value(low));
        assert!((p_value(high) - 0.975).abs() < 1e-4, "{cells:?}: {}", p_value(high));
    }
    assert_eq!(test.p_value(&Pairs::from_cells([0, 0, 1, 0, 22]), 1.0), None);
    assert_eq!(test.p_value(&Pairs::default(), 0.5), None);
}
