//! A Gaussian process over the strength of points, learned from wins and losses
//! (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006,
//! chapter 3).
//!
//! The strength q, in logits, is a quadratic plus a deviation from it with the squared exponential
//! kernel, written as a sum of cosines whose variances are the spectral density of the kernel
//! (Solin and Särkkä, "Hilbert space methods for reduced-rank Gaussian process regression", 2020,
//! equation 20, with reflecting borders). So the process is a Bayesian logistic regression over a
//! few dozen features. A duel of two points has the difference of their features.

use super::logistic::{Fit, Rows, fit};
use super::quadratic;
use super::space::Point;
use super::trial::{Score, Trial};
use rand::RngExt;
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::f64::consts::FRAC_PI_2;
use tengen_stats::{Interval, Level};

/// The standard deviation of the constant, in logits.
const CONSTANT: f64 = 3.0;
/// The standard deviation of the other coefficients of the quadratic, in logits.
const TREND: f64 = 10.0;
/// The standard deviation of the deviation from the quadratic, in logits.
const AMPLITUDE: f64 = 3.0;
/// The distance over which the deviation changes; [-1, 1] has the length 2.
const LENGTH: f64 = 0.5;
/// Cosines whose standard deviation is below this share of the largest are left out.
const SMALLEST: f64 = 0.03;

/// The features of the process: those of a quadratic, then products of cosines.
#[derive(Clone, Debug)]
pub struct Basis {
    dimensions: usize,
    /// The frequency of each cosine in each coordinate, in half periods per range.
    frequencies: Vec<Vec<u32>>,
    /// The precision of the prior of each coefficient.
    prior: Vec<f64>,
}

impl Basis {
    /// The features over `dimensions` parameters, with a deviation from the quadratic that changes
    /// over the distance `length` and has the standard deviation `amplitude`, in logits. With more
    /// than two parameters the deviation is a sum of deviations of one parameter each.
    #[must_use]
    pub fn new(dimensions: usize, length: f64, amplitude: f64) -> Self {
        let density = |frequencies: &[u32]| density(frequencies, length);
        let is_used = |each: &Vec<u32>| {
            let (highest, share) = (each.iter().max().copied().unwrap_or(0), density(each).sqrt());
            highest > 0 && share >= SMALLEST
        };
        let most = (0..u32::MAX).find(|&j| density(&[j]).sqrt() < SMALLEST).unwrap_or_default();
        let mut frequencies: Vec<Vec<u32>> = if dimensions == 2 {
            (0..most).flat_map(|i| (0..most).map(move |j| vec![i, j])).collect()
        } else {
            let of_one = |number: usize| {
                (0..most).map(move |j| {
                    (0..dimensions).map(|i| if i == number { j } else { 0 }).collect()
                })
            };
            (0..dimensions).flat_map(of_one).collect()
        };
        frequencies.retain(is_used);
        // The mean square of a cosine is ½.
        let mean_square =
            |each: &Vec<u32>| each.iter().filter(|&&j| j > 0).fold(1.0, |m, _| 0.5 * m);
        let total: f64 = frequencies.iter().map(|each| density(each) * mean_square(each)).sum();
        let mut prior = vec![TREND.powi(-2); quadratic::count(dimensions)];
        prior[0] = CONSTANT.powi(-2);
        let variance = |each: &Vec<u32>| amplitude.powi(2) * density(each) / total;
        prior.extend(frequencies.iter().map(|each| variance(each).recip()));
        Self { dimensions, frequencies, prior }
    }

    /// How many features there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.prior.len()
    }

    /// The features of `point`.
    #[must_use]
    pub fn features(&self, point: &[f64]) -> Vec<f64> {
        let mut features = quadratic::features(point);
        features.extend(self.frequencies.iter().map(|frequencies| {
            let each = frequencies.iter().zip(point);
            each.map(|(&j, unit)| (FRAC_PI_2 * f64::from(j) * (unit + 1.0)).cos()).product::<f64>()
        }));
        features
    }

    /// The features of `trial`: those of its first point, less those of its second point if there
    /// is one.
    #[must_use]
    pub fn features_of_trial(&self, trial: &Trial) -> Vec<f64> {
        let mut features = self.features(&trial.first);
        if let Some(second) = &trial.second {
            for (feature, other) in features.iter_mut().zip(self.features(second)) {
                *feature -= other;
            }
        }
        features
    }
}

/// The spectral density of the squared exponential kernel at these frequencies, as a
/// share of that at frequency 0.
fn density(frequencies: &[u32], length: f64) -> f64 {
    let square: f64 = frequencies.iter().map(|&j| (FRAC_PI_2 * f64::from(j)).powi(2)).sum();
    (-0.5 * square * length * length).exp()
}

/// A sample from the posterior over surfaces, or its mean: coefficients of the features.
pub type Coefficients = Vec<f64>;

/// The posterior over surfaces after some samples.
#[derive(Clone, Debug)]
pub struct Process {
    basis: Basis,
    rows: Rows,
    /// The fit to the samples; none before the first fit, when the prior holds.
    fit: Option<Fit>,
}

impl Process {
    /// The process over `dimensions` parameters, before any sample.
    #[must_use]
    pub fn new(dimensions: usize) -> Self {
        Self::of(Basis::new(dimensions, LENGTH, AMPLITUDE))
    }

    /// The process with the features of `basis`, before any sample.
    #[must_use]
    pub fn of(basis: Basis) -> Self {
        let mut process = Self { rows: Rows::new(basis.count()), basis, fit: None };
        process.update();
        process
    }

    /// Adds a sample, which counts from the next [`Process::update`] on.
    pub fn push(&mut self, trial: &Trial, score: Score) {
        self.rows.push(&self.basis.features_of_trial(trial), score);
    }

    /// Learns from the samples added. It costs a few times samples × features².
    pub fn update(&mut self) {
        let weights = vec![1.0; self.rows.scores().len()];
        let start = self.mean();
        self.fit = fit(&self.rows, &weights, &self.basis.prior, &start).or(self.fit.take());
    }

    /// The logarithm of the evidence of the samples, up to a constant that all processes share;
    /// none before a fit.
    #[must_use]
    pub fn log_evidence(&self) -> Option<f64> {
        Some(self.fit.as_ref()?.log_evidence(&self.basis.prior))
    }

    /// The features whose coefficients it learns.
    #[must_use]
    pub const fn basis(&self) -> &Basis {
        &self.basis
    }

    /// The mean of all surfaces.
    #[must_use]
    pub fn mean(&self) -> Coefficients {
        let zeros = || vec![0.0; self.basis.count()];
        self.fit.as_ref().map_or_else(zeros, |fit| fit.coefficients.clone())
    }

    /// A sample from the posterior over surfaces.
    #[must_use]
    pub fn draw(&self, stream: &mut Xoshiro256PlusPlus) -> Coefficients {
        let mut surface = self.mean();
        if let Some(fit) = &self.fit {
            let normal: Vec<f64> = surface.iter().map(|_| stream.sample(StandardNormal)).collect();
            for (sum, deviation) in surface.iter_mut().zip(fit.precision.solve_transposed(&normal))
            {
                *sum += deviation;
            }
        }
        surface
    }

    /// The mean strength at `point` with its 95 % band, in logits. If all samples are duels of two
    /// points, give an `origin`: the strength is then relative to it, since duels tell differences
    /// only.
    #[must_use]
    pub fn strength(&self, point: &[f64], origin: Option<&[f64]>) -> (f64, Interval) {
        let second = origin.map(<[f64]>::to_vec);
        let features =
            self.basis.features_of_trial(&Trial { first: point.to_vec(), second, opening: 0 });
        let mean = dot(&features, &self.mean());
        let variance =
            self.fit.as_ref().map_or(0.0, |fit| dot(&features, &fit.precision.solve(&features)));
        let half = Level::P95.z() * variance.max(0.0).sqrt();
        (mean, Interval { low: mean - half, high: mean + half })
    }
}

/// The points among which the highest of a surface is sought, with the features of each.
#[derive(Clone, Debug)]
pub struct Candidates {
    points: Vec<Point>,
    features: Vec<Vec<f64>>,
}

/// The distance of neighbours among the candidates of one and of two parameters.
const STEP: [f64; 2] = [1.0 / 64.0, 1.0 / 16.0];

impl Candidates {
    /// The candidates for `basis`: a regular grid of 129 points for one parameter, of 33
    /// times 33 for two, else 4096 points of an additive recurrence.
    #[must_use]
    pub fn new(basis: &Basis) -> Self {
        let points = match basis.dimensions {
            1 => super::grid::regular(1, 129),
            2 => super::grid::regular(2, 33),
            more => (0..4_096).map(|number| recurrence(more, number)).collect(),
        };
        let features = points.iter().map(|point| basis.features(point)).collect();
        Self { points, features }
    }

    /// The candidate where a surface is highest.
    #[must_use]
    pub fn highest(&self, surface: &Coefficients) -> &Point {
        let mut best = (&self.points[0], f64::NEG_INFINITY);
        for (point, features) in self.points.iter().zip(&self.features) {
            let strength = dot(features, surface);
            if strength > best.1 {
                best = (point, strength);
            }
        }
        best.0
    }

    /// The point where a surface is highest: from the highest candidate uphill in steps
    /// that are halved down to 1/1024.
    #[must_use]
    pub fn summit(&self, basis: &Basis, surface: &Coefficients) -> Point {
        let strength = |point: &[f64]| dot(&basis.features(point), surface);
        let mut here = self.highest(surface).clone();
        let mut height = strength(&here);
        let mut step = STEP.get(here.len() - 1).copied().unwrap_or(0.25) / 2.0;
        while step >= 1.0 / 1_024.0 {
            let around = directions(here.len()).into_iter().map(|direction| -> Point {
                let each = here.iter().zip(direction);
                each.map(|(unit, sign)| (unit + sign * step).clamp(-1.0, 1.0)).collect()
            });
            let best = around
                .map(|point| (strength(&point), point))
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .filter(|(there, _)| *there > height);
            match best {
                Some((there, point)) => (height, here) = (there, point),
                None => step /= 2.0,
            }
        }
        here
    }
}

/// The steps along each axis and, with two parameters, along the diagonals.
fn directions(dimensions: usize) -> Vec<Vec<f64>> {
    if dimensions == 2 {
        return super::grid::regular(2, 3);
    }
    let along = |number: usize, sign: f64| -> Vec<f64> {
        (0..dimensions).map(|i| if i == number { sign } else { 0.0 }).collect()
    };
    (0..dimensions).flat_map(|number| [along(number, 1.0), along(number, -1.0)]).collect()
}

/// The point `number` of the additive recurrence of Roberts ("The unreasonable
/// effectiveness of quasirandom sequences", 2018), spread over [-1, 1]ᵈ.
fn recurrence(dimensions: usize, number: usize) -> Point {
    // The root above 1 of x^(d + 1) = x + 1.
    let exponent = (dimensions as f64 + 1.0).recip();
    let mut root = 1.5_f64;
    for _ in 0..60 {
        root = (1.0 + root).powf(exponent);
    }
    let unit = |power: usize| {
        let share = (0.5 + root.powf(-(power as f64)) * (number + 1) as f64).fract();
        2.0 * share - 1.0
    };
    (1..=dimensions).map(unit).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::logistic;
    use rand_xoshiro::rand_core::SeedableRng;

    /// Games of a hill of r = 1.5 - 4 (v - 0.3)² against the reference, as expected scores.
    fn hill() -> Process {
        let mut process = Process::new(1);
        for step in 0..=40 {
            let v = f64::from(step) / 20.0 - 1.0;
            let p = logistic(1.5 - 4.0 * (v - 0.3) * (v - 0.3));
            let score = Score { wins: 100.0 * p, losses: 100.0 * (1.0 - p) };
            process.push(&Trial::against_reference(vec![v], 0), score);
        }
        process.update();
        process
    }

    #[test]
    fn the_mean_follows_the_samples() {
        let process = hill();
        for v in [-0.7_f64, 0.0, 0.3, 0.9] {
            let (mean, band) = process.strength(&[v], None);
            let truth = 1.5 - 4.0 * (v - 0.3).powi(2);
            assert!((mean - truth).abs() < 0.1, "{v}: {mean} {truth}");
            assert!(band.contains(&truth) && band.half_width() < 0.5, "{v}: {band:?}");
        }
        let candidates = Candidates::new(process.basis());
        let summit = candidates.summit(process.basis(), &process.mean());
        assert!((summit[0] - 0.3).abs() < 0.05, "{summit:?}");
    }

    #[test]
    fn matches_of_two_points_tell_their_difference() {
        let mut process = Process::new(2);
        for a in crate::grid::regular(2, 5) {
            for b in crate::grid::regular(2, 4) {
                let strength = |v: &[f64]| 2.0 * v[0] - v[1] * v[1];
                let p = logistic(strength(&a) - strength(&b));
                let trial = Trial { first: a.clone(), second: Some(b), opening: 0 };
                process.push(&trial, Score { wins: 20.0 * p, losses: 20.0 * (1.0 - p) });
            }
        }
        process.update();
        let (mean, _) = process.strength(&[0.5, 0.0], Some(&[-0.5, 1.0]));
        assert!((mean - 3.0).abs() < 0.3, "{mean}");
    }

    #[test]
    fn draws_vary_as_the_band_says() {
        let process = hill();
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(5);
        let features = process.basis().features(&[0.8]);
        let (mean, band) = process.strength(&[0.8], None);
        let inside = (0..2_000)
            .filter(|_| band.contains(&dot(&features, &process.draw(&mut stream))))
            .count();
        // 95 % with a deviation of 0.5 %.
        assert!((1_860..=1_940).contains(&inside), "{inside} around {mean}");
    }

    #[test]
    fn the_recurrence_fills_the_cube() {
        let mut octants = [0; 8];
        for number in 0..4_096 {
            let point = recurrence(3, number);
            assert!(point.iter().all(|unit| (-1.0..=1.0).contains(unit)));
            octants[point.iter().fold(0, |sum, &unit| 2 * sum + usize::from(unit > 0.0))] += 1;
        }
        assert!(octants.iter().all(|count| (470..=554).contains(count)), "{octants:?}");
    }
}
