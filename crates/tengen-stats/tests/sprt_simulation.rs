//! Error rates of sequential tests, by simulated matches.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_stats::seed::mix;
use tengen_stats::sprt::{Model, Settings};
use tengen_stats::{Elo, NormalizedElo, Outcome, SequentialTest, Sprt, State};

/// The hypotheses: far enough apart for a match of some hundred games.
const ELO1: f64 = 50.0;
/// The nominal rate of either error.
const RATE: f64 = 0.05;

/// The win rate at which the difference is `elo` in the Elo of the model.
fn win_rate(model: Model, elo: f64) -> f64 {
    match model {
        Model::Wald | Model::Logistic => Elo(elo).score(),
        Model::Normalized => {
            // Of independent games: (p - ½) / sqrt(p(1-p)) = t.
            let t = elo / NormalizedElo::PER_DEVIATION;
            0.5 + 0.5 * t / (1.0 + t * t).sqrt()
        }
    }
}

/// The decision of a match at the true difference `elo`, on the hypotheses 0 and `ELO1`.
fn decide(model: Model, elo: f64, seed: u64) -> State {
    let settings = Settings { elo0: 0.0, elo1: ELO1, alpha: RATE, beta: RATE, model };
    let mut test = SequentialTest::new(Sprt::try_from(settings).expect("a valid test"));
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
    // The advantage of one side: the two games of a pair differ, their mean does not. Wald's test,
    // which ignores pairs, and the normalized model, whose win rate is of independent games, get
    // none.
    let advantage = if model == Model::Logistic { 0.1 } else { 0.0 };
    let rates = [advantage, -advantage].map(|more| win_rate(model, elo) + more);
    let mut play = |rate| if stream.random::<f64>() < rate { Outcome::Win } else { Outcome::Loss };
    let decision = (0..).find_map(|pair| test.finish(pair, rates.map(&mut play)));
    decision.expect("a match ends").state
}

/// Both error rates are within four standard errors of the nominal rate, or below it. A test
/// that never errs would be another test, and take longer.
#[test]
fn every_model_keeps_its_error_rates() {
    const MATCHES: u64 = 10_000;
    let limit = RATE + 4.0 * (RATE * (1.0 - RATE) / MATCHES as f64).sqrt();
    for model in [Model::Wald, Model::Logistic, Model::Normalized] {
        for (elo, wrong) in [(0.0, State::AcceptH1), (ELO1, State::AcceptH0)] {
            let seed = |number| mix(mix(1, model as u64), number);
            let errors = (0..MATCHES).filter(|&number| decide(model, elo, seed(number)) == wrong);
            let rate = errors.count() as f64 / MATCHES as f64;
            assert!((0.03..=limit).contains(&rate), "{model} at {elo}: {rate}");
        }
    }
}
