//! The test of transitivity: by hand, against numpy, and its error rates in simulated tournaments.

use super::*;
use crate::ratings::{PairRecord, Record};
use crate::{Elo, Games, Outcome, PairKind, rate_in_pairs};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A residual of so many games whose prediction is the same for both colours.
fn residual(player: usize, opponent: usize, games: u64, score: f64, expected: f64) -> Residual {
    let standard_error = (expected * (1.0 - expected) / games as f64).sqrt();
    Residual { player, opponent, games, score, expected, standard_error }
}

#[test]
fn a_cycle_of_three_by_hand() {
    // With equal variances v and slopes d the corrections explain nothing of a cycle: X² = 3·0.1²/v,
    // and v is 1/4 of 1/200 for independent games.
    let cycle = [
        residual(0, 1, 200, 0.6, 0.5),
        residual(0, 2, 200, 0.4, 0.5),
        residual(1, 2, 200, 0.6, 0.5),
    ];
    let independent = |_, _| Some(Pairs::without_draws([25, 50, 25]));
    let found = Transitivity::of(3, &cycle, independent).expect("a test");
    assert!((found.chi_square - 24.0).abs() < 1e-9 && found.freedom == 1, "{found:?}");
    // SciPy 1.17: chi2.sf(24, 1).
    assert!((found.p_value() / 9.633_570_086_430_95e-7 - 1.0).abs() < 1e-6, "{}", found.p_value());
    // What a change of one rating explains is no evidence against ratings.
    let shift = [
        residual(0, 1, 200, 0.6, 0.5),
        residual(0, 2, 200, 0.5, 0.5),
        residual(1, 2, 200, 0.4, 0.5),
    ];
    let found = Transitivity::of(3, &shift, independent).expect("a test");
    assert!(found.chi_square < 1e-9 && (found.p_value() - 1.0).abs() < 1e-4, "{found:?}");
}

#[test]
fn unequal_pairings_against_numpy() {
    // NumPy 2.4, lstsq: the residuals divided by their deviations, on the slopes so divided.
    let residuals = [
        residual(0, 1, 100, 0.62, 0.55),
        residual(0, 2, 60, 0.75, 0.70),
        residual(0, 3, 400, 0.81, 0.84),
        residual(1, 2, 80, 0.60, 0.66),
        residual(2, 3, 200, 0.72, 0.67),
    ];
    let pairs = |i: usize, j: usize| {
        Some(Pairs::without_draws(match (i, j) {
            (0, 1) => [10, 18, 22],
            (0, 2) => [0, 15, 15],
            (0, 3) => [10, 56, 134],
            (1, 2) => [4, 24, 12],
            _ => [6, 44, 50],
        }))
    };
    let found = Transitivity::of(4, &residuals, pairs).expect("a test");
    assert_eq!(found.freedom, 2);
    assert!((found.chi_square - 4.949_691_875_301).abs() < 1e-9, "{found:?}");
}

#[test]
fn pairings_that_the_ratings_need_test_nothing() {
    let pairs = |_, _| Some(Pairs::without_draws([10, 20, 10]));
    let gauntlet = [residual(0, 1, 80, 0.6, 0.5), residual(0, 2, 80, 0.4, 0.5)];
    assert_eq!(Transitivity::of(3, &gauntlet, pairs), None);
    assert_eq!(Transitivity::of(0, &[], pairs), None);
    let cycle = [gauntlet[0], gauntlet[1], residual(1, 2, 80, 0.6, 0.5)];
    assert!(Transitivity::of(3, &cycle, pairs).is_some());
    // A pairing without pairs is left out.
    let lacking = |i, j| pairs(i, j).filter(|_| (i, j) != (1, 2));
    assert_eq!(Transitivity::of(3, &cycle, lacking), None);
}

/// The p-value of a tournament of players with these true differences, in pairs of this kind;
/// `cycle` Elo are added for a player against the next one.
fn p_value(
    ratings: &[f64],
    cycle: f64,
    kind: &PairKind,
    pairs: usize,
    stream: &mut Xoshiro256PlusPlus,
) -> f64 {
    let players = ratings.len();
    let names: Vec<String> = (0..players).map(|player| player.to_string()).collect();
    let (mut records, mut counts, mut of_pairs) = (Vec::new(), Vec::new(), Vec::new());
    for player in 0..players {
        for opponent in player + 1..players {
            let is_next = opponent == player + 1;
            let difference =
                ratings[player] - ratings[opponent] + if is_next { cycle } else { -cycle / 2.0 };
            let cells = kind.cells(Elo(difference).score());
            let mut record = PairRecord::new(player, opponent);
            let (mut games, mut score) = ([Games::default(); 2], Pairs::default());
            for _ in 0..pairs {
                let draw = stream.random::<f64>();
                let is_first = stream.random::<f64>() < 0.5;
                let both = match draw {
                    _ if draw < cells[0] => [Outcome::Loss; 2],
                    _ if draw < cells[0] + cells[4] => [Outcome::Win; 2],
                    _ if is_first => [Outcome::Win, Outcome::Loss],
                    _ => [Outcome::Loss, Outcome::Win],
                };
                record.record(both[0], both[1]);
                score.record(both[0], both[1]);
                games[0].record(both[0]);
                games[1].record(both[1].reversed());
            }
            records.push(Record { first_mover: player, second_mover: opponent, games: games[0] });
            records.push(Record { first_mover: opponent, second_mover: player, games: games[1] });
            counts.push(((player, opponent), score));
            of_pairs.push(record);
        }
    }
    let residuals =
        rate_in_pairs(&names, &records, &of_pairs).expect("connected").residuals(&records);
    let score = |i, j| counts.iter().find(|(both, _)| *both == (i, j)).map(|(_, score)| *score);
    Transitivity::of(players, &residuals, score).expect("a test").p_value()
}

#[test]
fn a_transitive_tournament_is_rejected_at_the_nominal_rate() {
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(58);
    for (players, step, correlation, pairs) in
        [(3, 60.0, 0.0, 50), (5, 40.0, -0.5, 20), (5, 40.0, 0.3, 100), (6, 60.0, -0.2, 30)]
    {
        let kind = PairKind::new(correlation, 0.0).expect("a kind");
        let ratings: Vec<f64> = (0..players).map(|player| step * f64::from(player)).collect();
        let tournaments = 400;
        let rejected = (0..tournaments)
            .filter(|_| p_value(&ratings, 0.0, &kind, pairs, &mut stream) < 0.05)
            .count();
        let rate = rejected as f64 / f64::from(tournaments);
        println!("{players} players, {pairs} pairs, correlation {correlation}: {rate}");
        // Three standard errors of 400 tournaments.
        assert!((rate - 0.05).abs() < 0.034, "{players} {correlation} {pairs}: {rate}");
    }
}

#[test]
fn a_cycle_is_found() {
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(59);
    let kind = PairKind::new(-0.3, 0.0).expect("a kind");
    let found = (0..100)
        .filter(|_| p_value(&[0.0, 30.0, 60.0, 0.0], 80.0, &kind, 200, &mut stream) < 0.05)
        .count();
    assert!(found >= 95, "{found} of 100");
}
