//! Simple regret: what the estimate of a method loses to the optimum of a synthetic
//! surface, averaged over seeded repeats; and how often its intervals hold that optimum.

use super::method::Method;
use super::surface::Surface;
use super::trial::{Estimate, Score};
use super::tuner::{Next, Tuner};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rayon::prelude::*;
use tengen_stats::Interval;
use tengen_stats::seed::mix;

/// What is measured: games on a surface, in seeded repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The surface.
    pub surface: Surface,
    /// Games per repeat; a trial is one game.
    pub games: usize,
    /// Repeats, each with a seed of its own.
    pub repeats: usize,
    /// The seed from which the seeds of all repeats are derived.
    pub seed: u64,
    /// How many games are played at once.
    pub look_ahead: usize,
}

/// The result of a repeat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Win probability lost at the estimate.
    pub regret: f64,
    /// The share of the coordinates whose interval holds the optimum.
    pub covered: f64,
    /// The width of the intervals, in shares of the range; the mean over the coordinates.
    pub width: f64,
}

impl Measurement {
    /// The regret of each repeat of the method that `make` makes from a seed, and the quality of its
    /// intervals. The order and the values do not depend on the number of threads.
    pub fn outcomes(&self, make: impl Fn(u64) -> Box<dyn Method> + Sync) -> Vec<Outcome> {
        self.each(make, |method| Outcome::of(self.surface, &method.estimate()))
    }

    /// What `find` returns for the method after each repeat.
    fn each<T: Send>(
        &self,
        make: impl Fn(u64) -> Box<dyn Method> + Sync,
        find: impl Fn(&dyn Method) -> T + Sync,
    ) -> Vec<T> {
        let repeat = |number: usize| {
            let seed = mix(self.seed, number as u64);
            find(self.run(make(mix(seed, 0)), mix(seed, 1)).method())
        };
        (0..self.repeats).into_par_iter().map(repeat).collect()
    }

    /// One repeat, whose games follow `seed`.
    fn run(&self, method: Box<dyn Method>, seed: u64) -> Tuner {
        let mut tuner = Tuner::new(method, self.games, self.look_ahead);
        let mut waiting = Vec::new();
        loop {
            match tuner.next_trial() {
                Next::Play(number, trial) => {
                    let mut stream = Xoshiro256PlusPlus::seed_from_u64(mix(seed, number as u64));
                    let is_won = stream.random::<f64>() < self.surface.probability(&trial);
                    waiting.push((number, Score::of_game(is_won)));
                }
                Next::Wait => {
                    for (number, score) in waiting.drain(..) {
                        tuner.tell(number, score);
                    }
                }
                Next::Done => break,
            }
        }
        for (number, score) in waiting {
            tuner.tell(number, score);
        }
        tuner.settle();
        tuner
    }
}

impl Outcome {
    fn of(surface: Surface, estimate: &Estimate) -> Self {
        let optimum = surface.optimum();
        let coordinates = optimum.len() as f64;
        let held = estimate.intervals.iter().zip(&optimum).filter(|(i, unit)| i.contains(unit));
        let width: f64 = estimate.intervals.iter().map(Interval::half_width).sum();
        Self {
            regret: surface.regret(&estimate.point),
            covered: held.count() as f64 / coordinates,
            width: width / coordinates,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::{MethodConfig, MethodKind};

    fn mean(kind: MethodKind, surface: Surface, games: usize, repeats: usize) -> f64 {
        let measurement = Measurement { surface, games, repeats, seed: 1, look_ahead: 1 };
        let config = MethodConfig { kind, trials: games, ..MethodConfig::default() };
        let make = |seed| config.build(surface.dimensions(), seed);
        // Intervals would take longer.
        let regrets = measurement.each(make, |method| surface.regret(&method.best()));
        tengen_stats::mean(&regrets, tengen_stats::Level::P95).unwrap().0
    }

    #[test]
    fn clop_loses_what_the_original_program_does() {
        // Means of the original over many repeats, with room for chance.
        for (surface, published) in [
            (Surface::Log, 0.0124),
            (Surface::Flat, 0.0285),
            (Surface::Power, 0.0159),
            (Surface::Angle, 0.0200),
            (Surface::Rosenbrock, 0.0213),
            (Surface::Correlated, 0.0112),
        ] {
            let found = mean(MethodKind::Clop, surface, 300, 100);
            assert!((0.6..1.5).contains(&(found / published)), "{surface}: {found} {published}");
        }
    }

    #[test]
    fn the_default_beats_the_uniform_grid() {
        for surface in [Surface::Log, Surface::Power, Surface::Step, Surface::Correlated] {
            let default = mean(MethodConfig::default().kind, surface, 300, 40);
            let grid = mean(MethodKind::Sweep, surface, 300, 200);
            assert!(default < grid, "{surface}: {default} against {grid}");
        }
    }

    #[test]
    fn an_interval_covers_the_optimum_or_not() {
        let estimate = |low, high| Estimate::new(vec![-0.2], vec![Interval { low, high }]);
        let found = Outcome::of(Surface::Angle, &estimate(-0.4, 0.0));
        assert_eq!((found.regret, found.covered), (0.0, 1.0));
        assert!((found.width - 0.2).abs() < 1e-12);
        assert_eq!(Outcome::of(Surface::Log, &estimate(-0.4, 0.0)).covered, 0.0);
        let both = vec![Interval { low: 0.2, high: 0.3 }, Interval { low: 0.0, high: 1.0 }];
        let found = Outcome::of(Surface::Rosenbrock, &Estimate::new(vec![0.25, 0.5], both));
        assert!((found.covered - 0.5).abs() < 1e-12 && (found.width - 0.275).abs() < 1e-12);
    }
}
