//! SPSA, simultaneous perturbation stochastic approximation (Spall, "Implementation
//! of the simultaneous perturbation algorithm for stochastic optimization", 1998).
//!
//! Two points at opposite sides of the estimate θ play each other, and θ moves towards
//! the winner. Perturbations and steps shrink on a schedule that is tied to the number
//! of trials.

use super::method::Method;
use super::optimum::Samples;
use super::space::Point;
use super::trial::{Estimate, Score, Trial};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::VecDeque;
use tengen_stats::seed::mix;

/// α: how fast steps shrink.
const STEP_DECAY: f64 = 0.602;
/// γ: how fast perturbations shrink.
const PERTURBATION_DECAY: f64 = 0.101;
/// A, as a share of the number of trials: steps begin to shrink after so many.
const STABILITY: f64 = 0.1;

/// The perturbation and the step at the end of a run, on the scale of [-1, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// c: the perturbation of each parameter at the end.
    pub perturbation: f64,
    /// r: the step at the end, as a share of the perturbation.
    pub step: f64,
}

impl Default for Sizes {
    /// For effects of 10 to 100 Elo.
    fn default() -> Self {
        Self { perturbation: 0.25, step: 0.02 }
    }
}

/// The sizes of one trial.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gains {
    /// The perturbation, `c_k`.
    perturbation: f64,
    /// The step of θ per game won, `R_k·c_k`.
    step: f64,
}

impl Sizes {
    /// The gains of the trial `number`, counted from 1, of `trials`.
    fn at(self, number: usize, trials: usize) -> Gains {
        let (k, n) = (number as f64, trials as f64);
        let a = STABILITY * n;
        let perturbation = self.perturbation * (n / k).powf(PERTURBATION_DECAY);
        let last = self.step * self.perturbation * self.perturbation;
        let rate = last * ((a + n) / (a + k)).powf(STEP_DECAY) / (perturbation * perturbation);
        Gains { perturbation, step: rate * perturbation }
    }
}

/// Simultaneous perturbation stochastic approximation (SPSA). Its trials are duels of two points.
#[derive(Clone, Debug)]
pub struct Spsa {
    trials: usize,
    seed: u64,
    sizes: Sizes,
    theta: Point,
    asked: usize,
    /// For each trial asked and not yet told: its step in each coordinate if the first
    /// side wins one game more than it loses.
    steps: VecDeque<Vec<f64>>,
    samples: Samples,
}

impl Spsa {
    /// SPSA over `dimensions` parameters from the centre, in `trials` trials with the random numbers
    /// of `seed`.
    #[must_use]
    pub fn new(dimensions: usize, trials: usize, sizes: Sizes, seed: u64) -> Self {
        let (theta, steps) = (vec![0.0; dimensions], VecDeque::new());
        Self { trials, seed, sizes, theta, asked: 0, steps, samples: Samples::default() }
    }
}

impl Method for Spsa {
    /// None after the number of trials that the schedule is made for.
    fn ask(&mut self) -> Option<Trial> {
        if self.asked == self.trials {
            return None;
        }
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(mix(self.seed, self.asked as u64));
        let gains = self.sizes.at(self.asked + 1, self.trials);
        let mut side = || if stream.random::<bool>() { 1.0 } else { -1.0 };
        let flips: Vec<f64> = self.theta.iter().map(|_| side()).collect();
        let at = |sign: f64| -> Point {
            let each = self.theta.iter().zip(&flips);
            each.map(|(unit, flip)| (unit + sign * gains.perturbation * flip).clamp(-1.0, 1.0))
                .collect()
        };
        let trial = Trial { first: at(1.0), second: Some(at(-1.0)), opening: self.asked };
        self.steps.push_back(flips.iter().map(|flip| gains.step * flip).collect());
        self.asked += 1;
        Some(trial)
    }

    fn tell(&mut self, trial: &Trial, score: Score) {
        if let Some(step) = self.steps.pop_front() {
            let lead = score.wins - score.losses;
            for (unit, step) in self.theta.iter_mut().zip(step) {
                *unit = (*unit + lead * step).clamp(-1.0, 1.0);
            }
        }
        self.samples.push(trial, score);
    }

    fn best(&self) -> Point {
        self.theta.clone()
    }

    fn estimate(&self) -> Estimate {
        self.samples.estimate(self.best(), mix(self.seed, u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedule_ends_at_its_sizes() {
        let sizes = Sizes { perturbation: 0.25, step: 0.02 };
        let last = sizes.at(1_000, 1_000);
        assert!((last.perturbation - 0.25).abs() < 1e-12);
        assert!((last.step - 0.02 * 0.25).abs() < 1e-12);
        // By hand for k = 1: 1000^0.101 = 2.0091, (1100/101)^0.602 = 4.2099.
        let first = sizes.at(1, 1_000);
        assert!((first.perturbation - 0.25 * 2.0091).abs() < 1e-4, "{first:?}");
        let expected = 0.02 * 0.0625 * 4.2099 / (0.25 * 2.0091);
        assert!((first.step - expected).abs() < 1e-4, "{first:?}");
    }
}
