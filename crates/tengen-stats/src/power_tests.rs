//! Fixed matches: the power by closed forms and by the sum over all results.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small numbers of pairs

use super::*;
use crate::{Finding, Pairs, Sprt};

fn above(level: f64, kind: PairKind, margin: f64) -> FixedMatch {
    let level = Level::new(level).expect("a level");
    FixedMatch { kind, level, claim: Claim::Above(Elo(margin)) }
}

#[test]
fn many_pairs_need_what_the_test_of_known_variance_needs() {
    // One-sided error rates of 5 %. The interval estimates the variance, which costs a game or two:
    // the quantile is Student's.
    for elo in [5.0, 20.0, 50.0, 100.0] {
        let planned = above(0.90, PairKind::INDEPENDENT, 0.0);
        let found = 2.0 * planned.pairs(Elo(elo), 0.95).expect("a number");
        let test: Sprt = format!("elo0=0 elo1={elo}").parse().expect("a test");
        let games = 2.0 * test.fixed_pairs(&PairKind::INDEPENDENT);
        assert!(found > games && found < games + 3.0, "{elo}: {found}, not {games}");
    }
}

#[test]
fn lehrs_rule_and_split_pairs() {
    // 80 % power at 95 % needs close to (1.96 + 0.8416)² σ²/δ² = 7.849 σ²/δ² units.
    let pairs = above(0.95, PairKind::INDEPENDENT, 0.0).pairs(Elo(10.0), 0.8).expect("a number");
    let delta = Elo(10.0).score() - 0.5;
    assert!((pairs * 8.0 * delta * delta - 7.849).abs() < 0.01, "{pairs}");
    // With four fifths of the pairs split a pair has the variance 1/20 in place of 1/8.
    let kind = PairKind::of_split(0.8, 0.0).expect("a kind");
    let split = above(0.95, kind, 0.0).pairs(Elo(10.0), 0.8).expect("a number");
    assert!((split / pairs - 0.4).abs() < 0.002, "{split} of {pairs}");
    // A margin needs what the difference beyond it needs, nearly.
    let margin = above(0.95, PairKind::INDEPENDENT, 20.0).pairs(Elo(30.0), 0.8).expect("a number");
    assert!((margin / pairs - 1.0).abs() < 0.02, "{margin} instead of {pairs}");
}

#[test]
fn what_needs_so_many_pairs_is_the_smallest_difference_of_them() {
    for (level, power, margin, jigo) in
        [(0.95, 0.8, 0.0, 0.0), (0.95, 0.5, -30.0, 0.2), (0.99, 0.95, 200.0, 0.0)]
    {
        let kind = PairKind::of_split(0.6, jigo).expect("a kind");
        let planned = above(level, kind, margin);
        for more in [3.0, 40.0, 150.0] {
            let truth = Elo(margin + more);
            let pairs = planned.pairs(truth, power).expect("a number");
            assert!((planned.power(pairs, truth) - power).abs() < 1e-9, "{planned:?} {more}");
            let again = planned.smallest_difference(pairs, power).expect("a difference");
            assert!((again.0 - truth.0).abs() < 1e-6, "{planned:?} {more}: {again:?}");
        }
        assert_eq!(planned.pairs(Elo(margin), power), None);
        assert_eq!(planned.pairs(Elo(margin + 5.0), 1.0), None);
    }
    assert_eq!(above(0.95, PairKind::INDEPENDENT, 0.0).smallest_difference(0.5, 0.8), None);
}

/// The probability that the interval of the program shows the claim after a match of `pairs`
/// pairs without jigo: the sum over all results.
fn exact_power(planned: &FixedMatch, pairs: u64, truth: Elo) -> f64 {
    let [lost, _, split, _, won] = planned.kind.cells(truth.score());
    let ln_factorial: Vec<f64> = (0..=pairs)
        .scan(0.0, |sum, n| {
            *sum += if n > 1 { (n as f64).ln() } else { 0.0 };
            Some(*sum)
        })
        .collect();
    let mut power = 0.0;
    for losses in 0..=pairs {
        for wins in 0..=pairs - losses {
            let splits = pairs - losses - wins;
            let [l, w, s] = [losses, wins, splits].map(|count| count as usize);
            let ways =
                ln_factorial[pairs as usize] - ln_factorial[l] - ln_factorial[w] - ln_factorial[s];
            let weight = [(losses, lost), (splits, split), (wins, won)]
                .iter()
                .map(|&(count, p)| if count == 0 { 0.0 } else { count as f64 * p.ln() })
                .sum::<f64>();
            let probability = (ways + weight).exp();
            if probability < 1e-13 {
                continue;
            }
            let interval = Pairs::without_draws([losses, splits, wins]).interval(planned.level);
            let interval = Elo::interval(interval.expect("pairs"));
            power += f64::from(u8::from(planned.claim.finding(interval) == Finding::Holds))
                * probability;
        }
    }
    power
}

#[test]
fn the_interval_of_the_program_has_this_power() {
    for (correlation, elo, power) in
        [(0.0, 100.0, 0.8), (0.0, 60.0, 0.5), (-0.5, 60.0, 0.9), (0.2, 90.0, 0.8)]
    {
        let kind = PairKind::new(correlation, 0.0).expect("a kind");
        let planned = above(0.95, kind, 0.0);
        let pairs = planned.pairs(Elo(elo), power).expect("a number").ceil() as u64;
        assert!((40..200).contains(&pairs), "{pairs}");
        let exact = exact_power(&planned, pairs, Elo(elo));
        assert!((exact - power).abs() < 0.02, "{correlation} {elo}: {exact} of {pairs} pairs");
    }
    // Equivalence, which needs more pairs.
    let kind = PairKind::new(-0.8, 0.0).expect("a kind");
    let planned = FixedMatch { kind, level: Level::P95, claim: Claim::Within(Elo(30.0)) };
    let pairs = planned.pairs(Elo(0.0), 0.8).expect("a number").ceil() as u64;
    let exact = exact_power(&planned, pairs, Elo(0.0));
    assert!((exact - 0.8).abs() < 0.02, "{exact} of {pairs} pairs");
}

#[test]
fn equivalence_by_its_closed_form() {
    // At equality both ends have one half of the error: √N·δ = z σ(m) + z' σ(½), Φ(z') = 0.9.
    let kind = PairKind::INDEPENDENT;
    let planned = FixedMatch { kind, level: Level::P95, claim: Claim::Within(Elo(20.0)) };
    let s = Elo(20.0).score();
    let by_hand = ((1.959_964 * (s * (1.0 - s) / 2.0).sqrt() + 1.281_552 * 0.125_f64.sqrt())
        / (s - 0.5))
        .powi(2);
    let found = planned.pairs(Elo(0.0), 0.8).expect("a number");
    assert!((found - by_hand).abs() < 0.005 * by_hand, "{found} {by_hand}");
    assert!(planned.pairs(Elo(10.0), 0.8).expect("a number") > 2.0 * found);
    assert_eq!(planned.pairs(Elo(20.0), 0.8), None);
    assert_eq!(planned.smallest_difference(100.0, 0.8), None);
}

#[test]
fn widths_are_those_of_the_manual() {
    // docs/how-to/choose-the-number-of-games.md: points of win rate and Elo.
    for (pairs, split, points, elo) in [
        (50, 0.5, 9.8, 69.0),
        (200, 0.5, 4.9, 34.0),
        (2_000, 0.5, 1.5, 11.0),
        (100, 0.8, 4.5, 32.0),
        (1_000, 0.8, 1.4, 10.0),
    ] {
        let kind = PairKind::of_split(split, 0.0).expect("a kind");
        let interval = above(0.95, kind, 0.0).expected_interval(f64::from(pairs), Elo(0.0));
        let interval = interval.expect("pairs");
        let found = 100.0 * interval.half_width();
        assert!((found - points).abs() < 0.06, "{pairs} {split}: {found}");
        let found = interval.map(|score| Elo::from_score(score).0).half_width();
        assert!((found - elo).abs() < 0.6, "{pairs} {split}: {found}");
    }
    // Whole counts: the interval of a match.
    let found = above(0.95, PairKind::INDEPENDENT, 0.0).expected_interval(40.0, Elo(0.0));
    assert_eq!(found, Pairs::without_draws([10, 20, 10]).interval(Level::P95));
    assert_eq!(above(0.95, PairKind::INDEPENDENT, 0.0).expected_interval(0.0, Elo(0.0)), None);
}
