//! Thompson sampling of duels, as in Self-Sparring (Sui, Zhuang, Burdick and Yue,
//! "Multi-dueling Bandits with Dependent Arms", 2017), over a Gaussian process.
//!
//! Two surfaces are drawn from the posterior, and the points where they are highest
//! play each other: each is drawn with the probability that it is the optimum. Against
//! a reference opponent it is ordinary Thompson sampling (Thompson 1933).

use super::method::Method;
use super::optimum::Samples;
use super::process::{Candidates, Process};
use super::space::Point;
use super::trial::{Estimate, Score, Trial};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_stats::seed::mix;

/// The least distance of two points that play each other: nearer points hardly differ in strength.
const APART: f64 = 0.2;
/// Surfaces drawn at most for the second point; if no highest point is that far off, the farthest
/// plays.
const TRIES: usize = 20;

/// Thompson sampling over a Gaussian process.
#[derive(Clone, Debug)]
pub struct Thompson {
    seed: u64,
    /// Whether points play each other, rather than the reference opponent.
    is_duel: bool,
    asked: usize,
    told: usize,
    samples: Samples,
    process: Process,
    candidates: Candidates,
    /// The number of samples at which the process is next updated.
    next_update: usize,
}

impl Thompson {
    /// The method over `dimensions` parameters with the random numbers of `seed`; with `is_duel`
    /// two points play each other, else a point plays the reference opponent.
    #[must_use]
    pub fn new(dimensions: usize, is_duel: bool, seed: u64) -> Self {
        let process = Process::new(dimensions);
        let candidates = Candidates::new(process.basis());
        let samples = Samples::default();
        Self { seed, is_duel, asked: 0, told: 0, samples, process, candidates, next_update: 1 }
    }

    /// The point that plays against `first`.
    fn opponent(&self, first: &Point, stream: &mut Xoshiro256PlusPlus) -> Point {
        let mut farthest = (first, -1.0);
        for _ in 0..TRIES {
            let second = self.candidates.highest(&self.process.draw(stream));
            let square: f64 = first.iter().zip(second).map(|(a, b)| (a - b).powi(2)).sum();
            if square > farthest.1 {
                farthest = (second, square);
            }
            if square >= APART * APART {
                break;
            }
        }
        farthest.0.clone()
    }

    /// The process after learning from all samples.
    fn updated(&self) -> Process {
        let mut process = self.process.clone();
        process.update();
        process
    }
}

impl Method for Thompson {
    fn ask(&mut self) -> Option<Trial> {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(mix(self.seed, self.asked as u64));
        let first = self.candidates.highest(&self.process.draw(&mut stream)).clone();
        let second = self.is_duel.then(|| self.opponent(&first, &mut stream));
        let trial = Trial { first, second, opening: self.asked };
        self.asked += 1;
        Some(trial)
    }

    fn tell(&mut self, trial: &Trial, score: Score) {
        self.samples.push(trial, score);
        self.process.push(trial, score);
        self.told += 1;
        if self.told >= self.next_update {
            self.next_update += 1 + self.next_update / 10;
            self.process.update();
        }
    }

    /// Where the mean of the surfaces is highest.
    fn best(&self) -> Point {
        let process = self.updated();
        if self.told == 0 {
            return vec![0.0; self.candidates.highest(&process.mean()).len()];
        }
        self.candidates.summit(process.basis(), &process.mean())
    }

    fn estimate(&self) -> Estimate {
        self.samples.estimate(self.best(), mix(self.seed, u64::MAX))
    }
}
