//! The interval of an optimum, computed from the samples, whichever method requested them.
//!
//! A single Gaussian process is too sure of the optimum wherever the surface is rougher or smoother
//! than its kernel: intervals of 95 % then hold the optimum in 50 to 90 % of all cases. So several
//! processes are fitted, each with another length and amplitude, and the interval is the smallest
//! that holds the intervals of all processes whose evidence is near the best. Where these processes
//! agree on much, it covers the optimum in more than 95 % of all cases; `tune --synthetic` measures
//! how often.

use super::process::{Basis, Candidates, Process};
use super::space::Point;
use super::trial::{Estimate, Score, Trial};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::iter::once;
use tengen_stats::{Interval, Level, percentile_interval};

/// Surfaces drawn from each process.
const DRAWS: usize = 400;
/// The lengths over which the processes change; [-1, 1] has the length 2.
const LENGTHS: [f64; 4] = [0.1, 0.2, 0.4, 0.8];
/// The standard deviations of the processes' deviation from a quadratic, in logits.
const AMPLITUDES: [f64; 3] = [0.3, 1.0, 3.0];
/// A process counts if the logarithm of its evidence is at most this far below that of the best.
const NEAR: f64 = 3.0;
/// The number of last trials with which the trial of a new sample is compared.
const RECENT: usize = 64;

/// The samples of a method; scores of equal trials are added up.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    cells: Vec<(Trial, Score)>,
}

impl Samples {
    /// Adds a sample.
    pub fn push(&mut self, trial: &Trial, score: Score) {
        // Grids ask for few points again and again; other methods hardly ever.
        let recent = self.cells.iter_mut().rev().take(RECENT);
        let is_same = |other: &Trial| other.first == trial.first && other.second == trial.second;
        match recent.into_iter().find(|(other, _)| is_same(other)) {
            Some((_, sum)) => *sum += score,
            None => self.cells.push((trial.clone(), score)),
        }
    }

    /// The estimate with `point` as the optimum, and its intervals. The random draws follow from
    /// `seed`.
    #[must_use]
    pub fn estimate(&self, point: Point, seed: u64) -> Estimate {
        if self.cells.is_empty() {
            return Estimate::unknown(point);
        }
        let processes = self.processes(point.len());
        let best =
            processes.iter().map(|(_, evidence)| *evidence).fold(f64::NEG_INFINITY, f64::max);
        let near = processes.into_iter().filter(|(_, evidence)| best - evidence <= NEAR);
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
        let intervals = near.filter_map(|(process, _)| optima(&process, point.len(), &mut stream));
        let join = |all: Vec<Interval>, more: Vec<Interval>| -> Vec<Interval> {
            let hull = |(one, other): (Interval, Interval)| Interval {
                low: one.low.min(other.low),
                high: one.high.max(other.high),
            };
            all.into_iter().zip(more).map(hull).collect()
        };
        match intervals.reduce(join) {
            Some(intervals) => {
                let wide = intervals.iter().enumerate();
                let wide = wide.map(|(number, interval)| self.to_neighbours(number, *interval));
                Estimate::new(point, wide.collect())
            }
            None => Estimate::unknown(point),
        }
    }

    /// The processes fitted to the samples, with the logarithm of the evidence of each.
    fn processes(&self, dimensions: usize) -> Vec<(Process, f64)> {
        // With several parameters the shortest length needs too many products of cosines.
        let lengths = if dimensions == 1 { &LENGTHS[..] } else { &LENGTHS[1..] };
        let all =
            lengths.iter().flat_map(|length| AMPLITUDES.map(|amplitude| (*length, amplitude)));
        let fitted = all.filter_map(|(length, amplitude)| {
            let mut process = Process::of(Basis::new(dimensions, length, amplitude));
            for (trial, score) in &self.cells {
                process.push(trial, *score);
            }
            process.update();
            let evidence = process.log_evidence()?;
            Some((process, evidence))
        });
        fitted.collect()
    }

    /// `interval` of the coordinate `number`, extended to the nearest points played outside it, or
    /// to the end of the range: nothing is known of the gap between two points.
    fn to_neighbours(&self, number: usize, interval: Interval) -> Interval {
        let of_trial = |(trial, _): &(Trial, Score)| {
            let second = trial.second.as_ref().map(|second| second[number]);
            once(trial.first[number]).chain(second)
        };
        let units = || self.cells.iter().flat_map(of_trial);
        let below = units().filter(|unit| *unit < interval.low).fold(-1.0, f64::max);
        let above = units().filter(|unit| *unit > interval.high).fold(1.0, f64::min);
        Interval { low: below.min(interval.low), high: above.max(interval.high) }
    }
}

/// The interval of each coordinate of the highest point of a surface drawn from `process`.
fn optima(
    process: &Process,
    dimensions: usize,
    stream: &mut Xoshiro256PlusPlus,
) -> Option<Vec<Interval>> {
    let candidates = Candidates::new(process.basis());
    let optima: Vec<&Point> =
        (0..DRAWS).map(|_| candidates.highest(&process.draw(stream))).collect();
    let interval = |number: usize| {
        percentile_interval(optima.iter().map(|optimum| optimum[number]).collect(), Level::P95)
    };
    (0..dimensions).map(interval).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Surface;

    /// Expected scores of `games` games at each of `points` points of `surface`.
    fn samples(surface: Surface, points: u32, games: f64) -> Samples {
        let mut samples = Samples::default();
        for number in 0..points {
            let point = vec![2.0 * f64::from(number) / f64::from(points - 1) - 1.0];
            let wins = games * surface.win_probability(&point);
            let score = Score { wins, losses: games - wins };
            samples.push(&Trial::against_reference(point, 0), score);
        }
        samples
    }

    #[test]
    fn an_interval_narrows_with_games_and_holds_a_kink() {
        let width = |games| {
            let found = samples(Surface::Step, 41, games).estimate(vec![-0.3], 1).intervals[0];
            assert!(found.contains(&-0.3), "{games}: {found:?}");
            found.half_width()
        };
        assert!(width(10_000.0) < 0.7 * width(20.0), "{} {}", width(10_000.0), width(20.0));
    }

    #[test]
    fn the_gap_between_two_points_of_a_grid_is_unknown() {
        // The optimum, -0.3, lies between the points -3/7 and -1/7, where all games were played.
        let found = samples(Surface::Step, 8, 100_000.0).estimate(vec![-1.0 / 7.0], 1);
        assert!(found.intervals[0].contains(&-0.3), "{found:?}");
        let sparse = samples(Surface::Log, 3, 10.0);
        let wide = sparse.to_neighbours(0, Interval { low: -0.2, high: 0.3 });
        assert_eq!(wide, Interval { low: -1.0, high: 1.0 });
    }

    #[test]
    fn scores_of_one_trial_are_added() {
        let mut samples = Samples::default();
        for unit in [0.0, 0.5, 0.0, 0.5] {
            samples.push(&Trial::against_reference(vec![unit], 0), Score::of_game(true));
        }
        assert_eq!(samples.cells.len(), 2);
        assert!((samples.cells[1].1.wins - 2.0).abs() < 1e-12);
    }
}
