//! CLOP, confident local optimization (Coulom, "CLOP: Confident Local Optimization
//! for Noisy Black-Box Parameter Tuning", Advances in Computer Games 13, 2011).
//!
//! A quadratic, fitted to the samples by logistic regression, cannot follow the whole surface. So
//! samples where it lies confidently below the mean lose weight, the quadratic is fitted again with
//! the new weights, and so on until the weights settle. The next sample is drawn with the weight as
//! its density; the estimate is the weighted mean of the samples.

use super::logistic::{Rows, fit};
use super::method::Method;
use super::optimum::Samples;
use super::quadratic;
use super::space::Point;
use super::trial::{Estimate, Score, Trial};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_stats::seed::mix;

/// The precision of the normal prior of each coefficient.
const PRIOR_PRECISION: f64 = 0.01;
/// H: at this many deviations below the mean the weight is 1/e.
const CONFIDENCE: f64 = 3.0;
/// Weights have settled when a fit shrinks their sum to no less than this share.
const SETTLED: f64 = 0.99;
/// The number of wins, and of losses, that the first fit needs.
const FEWEST: f64 = 2.0;

/// One of the fits that make up the weights.
#[derive(Clone, Debug)]
struct Round {
    coefficients: Vec<f64>,
    mean: f64,
    deviation: f64,
}

impl Round {
    /// The logarithm of the weight of `features` by this fit alone, at most 0.
    fn log_weight(&self, features: &[f64]) -> f64 {
        let q: f64 = features.iter().zip(&self.coefficients).map(|(f, c)| f * c).sum();
        ((q - self.mean) / (CONFIDENCE * self.deviation)).min(0.0)
    }
}

/// The weights that follow from the samples.
#[derive(Clone, Debug, Default)]
struct Weights {
    rounds: Vec<Round>,
}

impl Weights {
    /// The weights that follow from `rows`, each sample counted `counts` times.
    fn of(rows: &Rows, counts: &[f64]) -> Self {
        let mut rounds = Vec::new();
        let score = weighted_sum(rows, counts);
        if score.wins < FEWEST || score.losses < FEWEST {
            return Self { rounds };
        }
        let width = rows.features().next().map_or(0, <[f64]>::len);
        let prior = vec![PRIOR_PRECISION; width];
        let mut start = vec![0.0; width];
        let mut log_weights = vec![0.0_f64; counts.len()];
        let mut weights = counts.to_vec();
        let mut total: f64 = weights.iter().sum();
        while let Some(found) = fit(rows, &weights, &prior, &start) {
            let Score { wins, losses } = weighted_sum(rows, &weights);
            // The fit of a constant, and its deviation.
            let mean = (wins / losses).ln();
            let deviation = ((wins + losses) / (wins * losses)).sqrt();
            if !(mean.is_finite() && deviation.is_finite()) {
                break;
            }
            let round = Round { coefficients: found.coefficients, mean, deviation };
            let cells = rows.features().zip(&mut log_weights).zip(&mut weights).zip(counts);
            for (((features, log_weight), weight), count) in cells {
                *log_weight = log_weight.min(round.log_weight(features));
                *weight = count * log_weight.exp();
            }
            start.clone_from(&round.coefficients);
            rounds.push(round);
            let left: f64 = weights.iter().sum();
            if left >= SETTLED * total {
                break;
            }
            total = left;
        }
        Self { rounds }
    }

    /// The weight of `features`, from 0 to 1.
    fn at(&self, features: &[f64]) -> f64 {
        let of_rounds = self.rounds.iter().map(|round| round.log_weight(features));
        of_rounds.fold(0.0, f64::min).exp()
    }
}

/// The sum of the scores of `rows` by `weights`.
fn weighted_sum(rows: &Rows, weights: &[f64]) -> Score {
    let mut sum = Score::default();
    for (score, weight) in rows.scores().iter().zip(weights) {
        sum += Score { wins: weight * score.wins, losses: weight * score.losses };
    }
    sum
}

/// Confident local optimization (CLOP).
#[derive(Clone, Debug)]
pub struct Clop {
    dimensions: usize,
    seed: u64,
    asked: usize,
    samples: Samples,
    points: Vec<Point>,
    rows: Rows,
    weights: Weights,
    /// The number of samples at which the weights are next computed.
    next_fit: usize,
}

impl Clop {
    /// CLOP over `dimensions` parameters with the random numbers of `seed`.
    #[must_use]
    pub fn new(dimensions: usize, seed: u64) -> Self {
        Self {
            dimensions,
            seed,
            asked: 0,
            samples: Samples::default(),
            points: Vec::new(),
            rows: Rows::new(quadratic::count(dimensions)),
            weights: Weights::default(),
            next_fit: 1,
        }
    }

    /// A point drawn with the weight as its density.
    fn draw(&self, stream: &mut Xoshiro256PlusPlus) -> Point {
        /// Tries of a uniform draw, enough wherever weights are not tiny.
        const TRIES: usize = 1_000;
        let mut features = Vec::new();
        let mut weight = |point: &[f64]| {
            features.clear();
            quadratic::append(point, &mut features);
            self.weights.at(&features)
        };
        let mut point = vec![0.0; self.dimensions];
        for _ in 0..TRIES {
            for unit in &mut point {
                *unit = stream.random_range(-1.0..=1.0);
            }
            if stream.random::<f64>() <= weight(&point) {
                return point;
            }
        }
        // Slice sampling (Neal 2003), one coordinate after the other, from a sample.
        point.clone_from(&self.points[self.sample_by_weight(stream)]);
        for number in (0..self.dimensions).cycle().take(5 * self.dimensions) {
            let level = weight(&point) * stream.random::<f64>();
            let here = point[number];
            let (mut low, mut high) = (-1.0, 1.0);
            loop {
                point[number] = stream.random_range(low..=high);
                if weight(&point) >= level || high - low < 1e-9 {
                    break;
                }
                if point[number] < here { low = point[number] } else { high = point[number] }
            }
        }
        point
    }

    /// The number of a sample, drawn by its weight.
    fn sample_by_weight(&self, stream: &mut Xoshiro256PlusPlus) -> usize {
        let weights: Vec<f64> = self.rows.features().map(|row| self.weights.at(row)).collect();
        let mut left = stream.random::<f64>() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        drawn.unwrap_or(weights.len() - 1)
    }

    /// The mean of the samples by the weights that follow from them, each sample counted `counts`
    /// times.
    fn weighted_mean(&self, counts: &[f64]) -> Point {
        let weights = Weights::of(&self.rows, counts);
        let mut sum = vec![0.0; self.dimensions];
        let mut total = 0.0;
        for ((point, features), count) in self.points.iter().zip(self.rows.features()).zip(counts) {
            let weight = count * weights.at(features);
            total += weight;
            for (sum, unit) in sum.iter_mut().zip(point) {
                *sum += weight * unit;
            }
        }
        if total > 0.0 {
            for unit in &mut sum {
                *unit /= total;
            }
        }
        sum
    }
}

impl Method for Clop {
    fn ask(&mut self) -> Option<Trial> {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(mix(self.seed, self.asked as u64));
        let trial = Trial::against_reference(self.draw(&mut stream), self.asked);
        self.asked += 1;
        Some(trial)
    }

    fn tell(&mut self, trial: &Trial, score: Score) {
        self.samples.push(trial, score);
        self.rows.push(&quadratic::features(&trial.first), score);
        self.points.push(trial.first.clone());
        if self.points.len() >= self.next_fit {
            self.next_fit += 1 + self.next_fit / 10;
            self.weights = Weights::of(&self.rows, &vec![1.0; self.points.len()]);
        }
    }

    fn best(&self) -> Point {
        self.weighted_mean(&vec![1.0; self.points.len()])
    }

    fn estimate(&self) -> Estimate {
        self.samples.estimate(self.best(), mix(self.seed, u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CLOP after games at evenly spread points: the nearer a point is to 0.5, the more are won.
    fn told(count: u32) -> Clop {
        let mut clop = Clop::new(1, 1);
        for number in 0..count {
            let unit = f64::from(number) / f64::from(count - 1) * 2.0 - 1.0;
            let is_won = (unit - 0.5).abs() < 0.1 + f64::from(number % 7) / 7.0;
            clop.tell(&Trial::against_reference(vec![unit], 0), Score::of_game(is_won));
        }
        clop
    }

    #[test]
    fn samples_far_below_the_mean_lose_weight() {
        let clop = told(200);
        let weight = |unit: f64| clop.weights.at(&quadratic::features(&[unit]));
        assert!(weight(0.5) > 0.999, "{}", weight(0.5));
        assert!(weight(-1.0) < 0.05 && weight(-1.0) < weight(-0.5), "{}", weight(-1.0));
        assert!((clop.best()[0] - 0.5).abs() < 0.1, "{:?}", clop.best());
        let estimate = clop.estimate();
        assert!(estimate.intervals[0].half_width() < 0.2, "{estimate:?}");
    }

    #[test]
    fn draws_follow_the_weight() {
        let clop = told(200);
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(2);
        let drawn: Vec<f64> = (0..4_000).map(|_| clop.draw(&mut stream)[0]).collect();
        let steps: Vec<f64> = (0..2_000).map(|step| f64::from(step) / 1_000.0 - 0.9995).collect();
        let weight = |unit: &f64| clop.weights.at(&quadratic::features(&[*unit]));
        let total: f64 = steps.iter().map(weight).sum();
        for limit in [-0.2, 0.2, 0.6] {
            let expected =
                steps.iter().filter(|unit| **unit < limit).map(weight).sum::<f64>() / total;
            let share = drawn.iter().filter(|unit| **unit < limit).count() as f64 / 4_000.0;
            assert!((share - expected).abs() < 0.03, "below {limit}: {share} {expected}");
        }
    }
}
