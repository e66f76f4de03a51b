//! Error rates of sequential tests, by simulated matches in which the side
//! that wins decides how long a game takes.
//!
//! Workers play the games of the schedule in order; a game that ends the slow
//! way takes five times as long. Pairs are handed to the test as they finish.
//! Read by the schedule's prefix, the test keeps its error rates and stops at
//! the same pair with any number of workers; read in order of completion, 64 workers
//! make it err in more than 30 % of the matches.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tengen_stats::seed::mix;
use tengen_stats::sprt::{Model, Settings};
use tengen_stats::{Decision, Elo, NormalizedElo, Outcome, SequentialTest, Sprt, State};

/// The hypotheses: far enough apart for a match of some hundred games.
const ELO1: f64 = 50.0;
/// The nominal rate of either error.
const RATE: f64 = 0.05;

fn sprt(model: Model) -> Sprt {
    let settings = Settings { elo0: 0.0, elo1: ELO1, alpha: RATE, beta: RATE, model };
    settings.try_into().expect("a valid test")
}

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

/// How much more one of the sides wins: the two games of a pair differ, their mean does
/// not. Wald's test knows nothing of pairs and gets none.
fn side_advantage(model: Model) -> f64 {
    if model == Model::Logistic { 0.1 } else { 0.0 }
}

/// What is simulated.
#[derive(Clone, Copy)]
struct Setting {
    model: Model,
    /// The true difference.
    elo: f64,
    /// Games that end so take five times as long.
    slow: Outcome,
    /// The decision that is an error, the more so if the slow games are missed.
    wrong: State,
}

/// H0 holds and the first player's wins are quick, or H1 holds and they are
/// slow: either way what is seen first speaks for the error.
fn settings(model: Model) -> [Setting; 2] {
    [
        Setting { model, elo: 0.0, slow: Outcome::Loss, wrong: State::AcceptH1 },
        Setting { model, elo: ELO1, slow: Outcome::Win, wrong: State::AcceptH0 },
    ]
}

/// The results of a match, drawn as they are asked for: a function of the seed
/// and of nothing that the workers do.
struct Match {
    stream: Xoshiro256PlusPlus,
    rates: [f64; 2],
    slow: Outcome,
    games: Vec<(Outcome, f64)>,
}

impl Match {
    fn new(seed: u64, Setting { model, elo, slow, .. }: Setting) -> Self {
        let stream = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (rate, advantage) = (win_rate(model, elo), side_advantage(model));
        let rates = [rate + advantage, rate - advantage];
        Self { stream, rates, slow, games: Vec::new() }
    }

    /// The result of a game and the time it takes.
    fn game(&mut self, number: usize) -> (Outcome, f64) {
        while self.games.len() <= number {
            let rate = self.rates[self.games.len() % 2];
            let won = self.stream.random::<f64>() < rate;
            let outcome = if won { Outcome::Win } else { Outcome::Loss };
            let pace = if outcome == self.slow { 5.0 } else { 1.0 };
            self.games.push((outcome, pace * (0.5 + self.stream.random::<f64>())));
        }
        self.games[number]
    }
}

/// Plays until the test stops.
fn play(test: &mut SequentialTest, games: &mut Match, workers: usize) -> Decision {
    // Times as bits: positive floats are ordered as their bits are.
    let mut running = BinaryHeap::new();
    let mut next = 0;
    let mut half_done: Vec<bool> = Vec::new();
    let mut now = 0.0;
    loop {
        while running.len() < workers {
            let finish: f64 = now + games.game(next).1;
            running.push(Reverse((finish.to_bits(), next)));
            next += 1;
        }
        let Reverse((finish, game)) = running.pop().expect("a running game");
        now = f64::from_bits(finish);
        let pair = game / 2;
        if half_done.len() <= pair {
            half_done.resize(pair + 1, false);
        }
        if !half_done[pair] {
            half_done[pair] = true;
            continue;
        }
        let results = [games.game(2 * pair).0, games.game(2 * pair + 1).0];
        if let Some(decision) = test.finish(pair as u64, results) {
            return decision;
        }
    }
}

/// The share of `matches` that end in the wrong decision; with more than one
/// number of workers, decision and stopping pair do not depend on it.
fn error_rate(setting: Setting, matches: std::ops::Range<u64>, workers: &[usize]) -> f64 {
    let count = (matches.end - matches.start) as f64;
    let mut errors = 0_u64;
    for i in matches {
        let mut results = Match::new(mix(mix(1, setting.model as u64), i), setting);
        let mut decide = |&workers: &usize| {
            let mut test = SequentialTest::new(sprt(setting.model));
            let decision = play(&mut test, &mut results, workers);
            (decision.state, decision.last_pair, decision.llr.to_bits())
        };
        let first = decide(&workers[0]);
        for more in &workers[1..] {
            assert_eq!(decide(more), first, "{}, match {i}: {more} workers", setting.model);
        }
        errors += u64::from(first.0 == setting.wrong);
    }
    errors as f64 / count
}

/// Both error rates are within four standard errors of the nominal rate, or
/// below it. The first `compared` matches are played at 1, 4 and 64 workers,
/// the others at 4.
fn assert_errors_bounded(model: Model, compared: u64, matches: u64) {
    let limit = RATE + 4.0 * (RATE * (1.0 - RATE) / matches as f64).sqrt();
    for setting in settings(model) {
        let Setting { elo, wrong, .. } = setting;
        let part = compared as f64 / matches as f64;
        let mut rate = part * error_rate(setting, 0..compared, &[1, 4, 64]);
        if compared < matches {
            rate += (1.0 - part) * error_rate(setting, compared..matches, &[4]);
        }
        println!("{model} at {elo}: {wrong:?} in {:.2} % of {matches}", 100.0 * rate);
        assert!(rate <= limit, "{model} at {elo}: {rate} > {limit}");
        // A test that never errs would be another test, and take longer.
        assert!(rate >= 0.03, "{model} at {elo}: {rate}");
    }
}

#[test]
fn every_model_keeps_its_error_rates() {
    for model in [Model::Wald, Model::Logistic, Model::Normalized] {
        assert_errors_bounded(model, 500, 10_000);
    }
}
