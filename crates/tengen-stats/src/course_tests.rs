//! Courses of tests: the reference values of STATISTICS.md §3, and exact courses against a walk
//! written in Python.

use super::*;

fn test(text: &str) -> Sprt {
    text.parse().expect("a test")
}

/// The course at the difference `truth`: most pairs, tests and seed.
fn course(test: &Sprt, kind: PairKind, truth: Elo, [pairs, tests, seed]: [u64; 3]) -> Course {
    let simulation = Simulation { pairs, tests, seed };
    test.course(&kind, truth, &simulation, &AtomicBool::new(false)).expect("nobody stops it")
}

fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance
}

#[test]
fn games_of_a_test_of_fixed_length_are_the_reference_values() {
    // STATISTICS.md §3, for the same error rates.
    for (elo1, games) in [(20.0, 3268.0), (50.0, 524.0), (100.0, 132.0)] {
        let test = test(&format!("elo0=0 elo1={elo1}"));
        let found = 2.0 * test.fixed_pairs(&PairKind::INDEPENDENT);
        assert_eq!(found.round(), games, "{elo1}");
        // Independent games: a single game has the deviation sqrt(s(1 - s)).
        let (s, z) = (Elo(elo1).score(), 1.644_853_626_951_472);
        let by_hand = (z * (0.5 + (s * (1.0 - s)).sqrt()) / (s - 0.5)).powi(2);
        assert!(near(found, by_hand, 1e-3), "{found} {by_hand}");
    }
    // Unequal error rates: 1.2816 and 2.3263.
    let found = test("elo0=0 elo1=50 alpha=0.1 beta=0.01").fixed_pairs(&PairKind::INDEPENDENT);
    let (s, deviation) = (Elo(50.0).score(), 0.125_f64.sqrt());
    let other = (s * (1.0 - s) / 2.0).sqrt();
    let by_hand = ((1.281_551_6 * deviation + 2.326_347_9 * other) / (s - 0.5)).powi(2);
    assert!(near(found, by_hand, 1e-3), "{found} {by_hand}");
}

#[test]
fn courses_of_walds_test_are_exact() {
    // Computed by a walk over a dictionary of leads in Python: expected pairs, shares of H0 and H1,
    // undecided, and the number within which nine tenths end.
    let independent = PairKind::INDEPENDENT;
    let split = PairKind::new(-0.5, 0.0).expect("a kind");
    for (elo1, kind, truth, most, [pairs, h0, h1, undecided], nine_tenths) in [
        (
            50.0,
            independent,
            0.0,
            3_000,
            [135.237_691_361_5, 0.955_048_482_6, 0.044_951_517_4, 0.0],
            260,
        ),
        (
            50.0,
            independent,
            50.0,
            3_000,
            [135.900_580_041_8, 0.044_688_861_3, 0.955_311_138_7, 0.0],
            261,
        ),
        (100.0, split, 0.0, 2_000, [38.297_488_554_5, 0.997_614_410_8, 0.002_385_589_2, 0.0], 65),
        (
            50.0,
            independent,
            25.0,
            200,
            [148.153_558_024_5, 0.285_924_610_2, 0.286_311_637_1, 0.427_763_752_7],
            200,
        ),
    ] {
        let test = test(&format!("elo0=0 elo1={elo1} model=wald"));
        let found = course(&test, kind, Elo(truth), [most, 1, 1]);
        assert!(near(found.pairs, pairs, 1e-6), "{found:?} {pairs}");
        let shares = [found.accepts_h0, found.accepts_h1, found.undecided];
        for (share, expected) in shares.into_iter().zip([h0, h1, undecided]) {
            assert!(near(share, expected, 1e-9), "{found:?}");
        }
        assert_eq!((found.nine_tenths, found.error, found.simulated), (nine_tenths, 0.0, None));
        assert_eq!(found.error_of(found.accepts_h1), 0.0);
    }
}

/// On independent games without jigo the logistic test is close to Wald's.
#[test]
fn simulated_courses_agree_with_exact_ones() {
    let independent = PairKind::INDEPENDENT;
    for truth in [0.0, 60.0, 120.0] {
        let exact =
            course(&test("elo0=0 elo1=120 model=wald"), independent, Elo(truth), [60, 1, 1]);
        let logistic = test("elo0=0 elo1=120");
        let found = course(&logistic, independent, Elo(truth), [60, 2_000, 7]);
        assert_eq!(found.simulated, Some(2_000));
        // The two tests differ by about a pair.
        assert!(near(found.pairs, exact.pairs, 4.0 * found.error + 1.5), "{found:?} {exact:?}");
        let error = found.error_of(found.accepts_h1).max(0.005);
        assert!(near(found.accepts_h1, exact.accepts_h1, 4.0 * error), "{found:?} {exact:?}");
        let sum = found.accepts_h0 + found.accepts_h1 + found.undecided;
        assert!(near(sum, 1.0, 1e-9) && found.error > 0.1, "{found:?}");
        assert_eq!(found, course(&logistic, independent, Elo(truth), [60, 2_000, 7]));
        assert_ne!(found, course(&logistic, independent, Elo(truth), [60, 2_000, 8]));
    }
}

/// By hand: a player who wins every pair, until the ratio of so many won pairs reaches the bound.
#[test]
fn a_sure_result_has_a_sure_course() {
    let test = test("elo0=0 elo1=50");
    let end = (1..100).find(|&won| {
        let llr = test.llr(&Pairs::without_draws([0, 0, won])).expect("a fit");
        test.state(llr) == State::AcceptH1
    });
    let found = course(&test, PairKind::INDEPENDENT, Elo(f64::INFINITY), [500, 3, 1]);
    assert_eq!(Some(found.nine_tenths), end);
    assert_eq!((found.pairs, found.error), (found.nine_tenths as f64, 0.0));
    assert_eq!((found.accepts_h1, found.undecided), (1.0, 0.0));
    let stopped_early = course(&test, PairKind::INDEPENDENT, Elo(f64::INFINITY), [2, 3, 1]);
    assert_eq!((stopped_early.pairs, stopped_early.undecided), (2.0, 1.0));
}

#[test]
fn truths_of_the_normalized_model() {
    let normalized = test("elo0=0 elo1=50 model=normalized");
    for (correlation, jigo, nelo) in [(0.0, 0.0, 50.0), (-0.6, 0.0, 50.0), (0.3, 0.2, -20.0)] {
        let kind = PairKind::new(correlation, jigo).expect("a kind");
        let score = normalized.truth(&kind, nelo).score();
        // Normalized Elo of a match with these shares.
        let found =
            (score - 0.5) / (2.0_f64.sqrt() * kind.deviation(score)) * NormalizedElo::PER_DEVIATION;
        assert!(near(found, nelo, 1e-6), "{kind:?}: {found}");
    }
    assert!(normalized.truth(&PairKind::INDEPENDENT, 0.0).0.abs() < 1e-9);
    let truths = test("elo0=-10 elo1=30").truths(&PairKind::INDEPENDENT);
    assert_eq!(truths, [-30.0, -10.0, 10.0, 30.0, 50.0].map(Elo));
}

#[test]
fn draws_follow_the_shares() {
    let cells = PairKind::new(-0.2, 0.1).expect("a kind").cells(0.6);
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut counts = [0.0; 5];
    for _ in 0..20_000 {
        counts[drawn(&cells, &mut stream)] += 1.0 / 20_000.0;
    }
    for (found, expected) in counts.into_iter().zip(cells) {
        assert!(near(found, expected, 0.015), "{counts:?} {cells:?}");
    }
    assert_eq!(drawn(&[0.0, 0.0, 0.0, 0.0, 1.0], &mut stream), 4);
}

/// Both error rates are within four standard errors of the nominal rate, or below it. A test that
/// never errs would be another test, and take longer.
#[test]
fn every_model_keeps_its_error_rates() {
    let limit = 0.05 + 4.0 * (0.05 * 0.95 / 10_000_f64).sqrt();
    // Wald's test ignores pairs, and normalized Elo depends on them.
    for (model, correlation) in [("wald", 0.0), ("logistic", -0.04), ("normalized", 0.0)] {
        let test = test(&format!("elo0=0 elo1=50 model={model}"));
        let kind = PairKind::new(correlation, 0.0).expect("a kind");
        let [h0, h1] = [0.0, 50.0].map(|elo| {
            let truth = test.truth(&kind, elo);
            course(&test, kind, truth, [5_000, 10_000, 1])
        });
        for rate in [h0.accepts_h1, h1.accepts_h0] {
            assert!((0.03..=limit).contains(&rate), "{model}: {rate}");
        }
    }
}

#[test]
fn a_stopped_course_is_none() {
    let simulation = Simulation { pairs: 1_000, tests: 1_000, seed: 1 };
    for model in ["wald", "logistic"] {
        let test = test(&format!("model={model}"));
        let stop = AtomicBool::new(true);
        assert_eq!(test.course(&PairKind::INDEPENDENT, Elo(0.0), &simulation, &stop), None);
    }
}
