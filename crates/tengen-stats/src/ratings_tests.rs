//! Ratings against closed forms, and against the truth they were simulated from.

use super::*;
use crate::{Outcome, Pairs};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn names(count: usize) -> Vec<String> {
    ["random", "two-ply", "uct-100", "uct-1000", "uct-4000", "gnugo"][..count]
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn record(first_mover: usize, second_mover: usize, wins: u64, losses: u64) -> Record {
    Record { first_mover, second_mover, games: Games { losses, draws: 0, wins } }
}

/// A tournament of all against all with these true ratings.
fn simulate(truth: &[f64], advantage: f64, games: u64, seed: u64) -> Vec<Record> {
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut records = Vec::new();
    for (i, first) in truth.iter().enumerate() {
        for (j, second) in truth.iter().enumerate().filter(|(j, _)| *j != i) {
            let p = Elo(first - second + advantage).score();
            let mut tally = Games::default();
            for _ in 0..games {
                let won = stream.random::<f64>() < p;
                tally.record(if won { Outcome::Win } else { Outcome::Loss });
            }
            records.push(Record { first_mover: i, second_mover: j, games: tally });
        }
    }
    records
}

#[test]
fn two_players_have_the_elo_of_their_score() {
    // So many games that the prior says nothing.
    let million = 1_000_000;
    let records =
        [record(0, 1, 60 * million, 40 * million), record(1, 0, 30 * million, 70 * million)];
    let ratings = rate(&names(2), &records).expect("connected");
    // Logits of the two sides: r + a = ln(60/40), -r + a = ln(30/70).
    let (one, other) = ((60.0_f64 / 40.0).ln(), (30.0_f64 / 70.0).ln());
    let unit = Elo::PER_LOGIT;
    assert!((ratings.difference(0, 1).value.0 - unit * (one - other) / 2.0).abs() < 1e-4);
    assert!((ratings.advantage().value.0 - unit * f64::midpoint(one, other)).abs() < 1e-4);
    assert!((ratings.rating(0).value.0 + ratings.rating(1).value.0).abs() < 1e-9);
    // Var r = (1/24 + 1/21) / 4 of the two logits' variances 1/(n p q).
    let expected = unit * ((1.0 / 24.0 + 1.0 / 21.0) / 4e6_f64).sqrt();
    let error = ratings.difference(0, 1).standard_error.0;
    assert!((error - expected).abs() < 1e-6, "{error} instead of {expected}");
    assert!((ratings.rating(0).standard_error.0 - expected / 2.0).abs() < 1e-6);
}

#[test]
fn the_prior_is_two_draws_against_the_pool() {
    // One player won all ten games. A virtual draw is half a win and half a loss, so two players at
    // ±r have the equation 10(1 - σ(2r)) + 1 = 2σ(r).
    let records = [record(0, 1, 5, 0), record(1, 0, 0, 5)];
    let ratings = rate(&names(2), &records).expect("connected");
    let r = ratings.rating(0).value.0 / Elo::PER_LOGIT;
    let sigma = |x: f64| 1.0 / (1.0 + (-x).exp());
    assert!((10.0 * (1.0 - sigma(2.0 * r)) + 1.0 - 2.0 * sigma(r)).abs() < 1e-8, "{r}");
    assert!(ratings.advantage().value.0.abs() < 1e-6);
}

#[test]
fn ratings_find_the_truth_within_their_errors() {
    let truth = [-300.0, -100.0, 0.0, 50.0, 120.0, 230.0];
    let mut outside = 0;
    for seed in 0..20 {
        let records = simulate(&truth, 35.0, 200, seed);
        let ratings = rate(&names(6), &records).expect("connected");
        for (i, rating) in truth.iter().enumerate() {
            let found = ratings.rating(i);
            outside += u32::from(!found.interval(Level::P95).contains(&Elo(*rating)));
            let z = (found.value.0 - rating) / found.standard_error.0;
            assert!(z.abs() < 4.5, "player {i}, seed {seed}: {z}");
        }
        outside += u32::from(!ratings.advantage().interval(Level::P95).contains(&Elo(35.0)));
    }
    // 5 % of 140 are 7; 17 is four standard errors more.
    assert!(outside <= 17, "{outside} of 140 outside 95 %");
}

#[test]
fn groups_that_never_met_are_named() {
    let records = [record(0, 1, 5, 5), record(2, 3, 5, 5), record(1, 2, 0, 0)];
    let error = rate(&names(5), &records).expect_err("three groups");
    assert_eq!(
        error.to_string(),
        "no games connect these groups of players: \
         {random, two-ply} and {uct-100, uct-1000} and {uct-4000}"
    );
    let joined = [&records[..], &[record(1, 2, 1, 0), record(3, 4, 0, 1)]].concat();
    assert!(rate(&names(5), &joined).is_ok());
}

#[test]
fn residuals_show_who_beats_whom_against_the_ratings() {
    // A circle: each beats the next by 70 %. All ratings are equal.
    let mut records = Vec::new();
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        records.extend([record(i, j, 35, 15), record(j, i, 15, 35)]);
    }
    records.push(record(1, 1, 10, 10));
    let ratings = rate(&names(3), &records).expect("connected");
    let residuals = ratings.residuals(&records);
    assert_eq!(residuals.len(), 3, "a player against itself is no pairing");
    for residual in residuals {
        assert_eq!(residual.games, 100);
        assert!((residual.expected - 0.5).abs() < 1e-6);
        assert!((residual.standard_error - 0.05).abs() < 1e-6);
        let sign = if (residual.player, residual.opponent) == (0, 2) { -1.0 } else { 1.0 };
        assert!((residual.z() - 4.0 * sign).abs() < 1e-4, "{residual:?}");
    }
}

#[test]
fn draws_count_half_and_one_side_is_enough() {
    let games = Games { losses: 10, draws: 80, wins: 10 };
    let records = [Record { first_mover: 0, second_mover: 1, games }];
    let ratings = rate(&names(2), &records).expect("connected");
    assert!(ratings.difference(0, 1).value.0.abs() < 1e-6);
    // The games cannot tell strength from the advantage of the first move: the prior decides.
    let records = [record(0, 1, 90, 10)];
    let ratings = rate(&names(2), &records).expect("connected");
    assert!(ratings.difference(0, 1).value.0 > 0.0 && ratings.advantage().value.0 > 0.0);
}

/// Pairs in which the first player wins both games, or one, with these probabilities, else none. In
/// a share `by_first` of the split pairs it wins the game in which it moves first.
fn simulate_pairs(
    [won, split]: [f64; 2],
    by_first: f64,
    pairs: u32,
    seed: u64,
) -> (Vec<Record>, PairRecord, Pairs) {
    use Outcome::{Loss, Win};
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut paired, mut counted) = (PairRecord::new(0, 1), Pairs::default());
    let (mut there, mut back) = (Games::default(), Games::default());
    for _ in 0..pairs {
        let drawn = stream.random::<f64>();
        let (first, second) = match drawn {
            _ if drawn < won => (Win, Win),
            _ if drawn >= won + split => (Loss, Loss),
            _ if stream.random::<f64>() < by_first => (Win, Loss),
            _ => (Loss, Win),
        };
        paired.record(first, second);
        counted.record(first, second);
        there.record(first);
        back.record(second.reversed());
    }
    let records = [(0, 1, there), (1, 0, back)];
    let record = |(first_mover, second_mover, games)| Record { first_mover, second_mover, games };
    (records.map(record).to_vec(), paired, counted)
}

#[test]
fn pairs_decide_the_errors() {
    // Pairs whose second game repeats the first, and pairs that are mostly split.
    for (won, split, is_wider) in [(0.55, 0.05, true), (0.15, 0.8, false)] {
        let truth = Elo::from_score(won + split / 2.0).0;
        let (mut outside, mut alone) = (0, 0);
        for seed in 0..200 {
            let (records, pairs, _) = simulate_pairs([won, split], 0.5, 150, seed);
            let with = rate_in_pairs(&names(2), &records, &[pairs]).expect("connected");
            let without = rate(&names(2), &records).expect("connected");
            assert_eq!(with.rating(0).value, without.rating(0).value);
            let [with, without] = [with, without].map(|ratings| ratings.difference(0, 1));
            assert_eq!(with.standard_error.0 > without.standard_error.0, is_wider);
            let covers = |found: Estimate| found.interval(Level::P95).contains(&Elo(truth));
            outside += u32::from(!covers(with));
            alone += u32::from(!covers(without));
        }
        assert!((2..=20).contains(&outside), "{outside} of 200 outside 95 %");
        assert_eq!(alone > 20, is_wider, "{alone} of 200 if the games are taken for independent");
    }
}

#[test]
fn the_errors_of_two_players_are_those_of_their_pairs() {
    let (records, pairs, counted) = simulate_pairs([0.3, 0.5], 0.7, 1_000, 1);
    let found = rate_in_pairs(&names(2), &records, &[pairs]).expect("connected").difference(0, 1);
    let of_pairs = Elo::interval(counted.interval(Level::P95).expect("pairs"));
    let interval = found.interval(Level::P95);
    assert!((interval.low.0 - of_pairs.low.0).abs() < 2.0, "{interval:?} {of_pairs:?}");
    assert!((interval.high.0 - of_pairs.high.0).abs() < 2.0, "{interval:?} {of_pairs:?}");
}

#[test]
fn the_prior_pulls_towards_the_mean() {
    let pull = |records: &[Record]| -> Vec<f64> {
        let pull = rate(&names(2), records).expect("connected").pull(records);
        pull.expect("finite").into_iter().map(|pull| pull.0).collect()
    };
    let few = pull(&[record(0, 1, 9, 1), record(1, 0, 2, 8)]);
    assert!(few[0] > 5.0 && (few[0] + few[1]).abs() < 1e-6, "{few:?}");
    let many = pull(&[record(0, 1, 9_000, 1_000), record(1, 0, 2_000, 8_000)]);
    assert!(many[0] > 0.0 && many[0] < 0.1, "{many:?}");
}
