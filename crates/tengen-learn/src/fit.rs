//! Fits weights to samples.
//!
//! ```text
//! for each pass through the positions, in random order, in batches:
//!     for each position: P = softmax of the sums of weights
//!         for each move, for each feature of it: gradient += target − P
//!     for each feature of the batch: weight += step · (gradient − share of the penalty)
//! ```
//!
//! The fit maximises the sum over all positions of Σ target · ln P, less `penalty` / 2 · weight²
//! for each feature (a Gaussian prior, which holds rare features near 0). A target is the teacher's
//! probability to the power of `sharpness`, scaled so that the targets of a position add up to 1. A
//! batch subtracts the penalty's share of one position from each of its features, however many of
//! its positions have the feature, so that the penalty of common features is up to `batch` times
//! smaller. The step of a feature falls with the sum of its squared gradients (Duchi, Hazan and
//! Singer, "Adaptive subgradient methods", 2011). The weights are the mean over the last half of
//! the passes.

use crate::feature::{FEATURES, Feature};
use crate::samples::{Sample, Samples};
use crate::weights::Row;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Number of passes through the positions.
    pub passes: usize,
    /// Number of positions of a batch.
    pub batch: usize,
    /// The first step.
    pub step: f64,
    /// The penalty of squared weights.
    pub penalty: f64,
    /// The power to which the teacher's probabilities are raised, before they are made to add up to 1.
    pub sharpness: f64,
    /// The seed of the order of the positions.
    pub seed: u64,
}

impl Default for Fit {
    fn default() -> Self {
        Self { passes: 12, batch: 16, step: 0.15, penalty: 2.0, sharpness: 2.0, seed: 1 }
    }
}

impl std::fmt::Display for Fit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { passes, batch, step, penalty, sharpness, seed } = self;
        write!(
            f,
            "{passes} passes, batches of {batch}, step {step}, penalty {penalty}, sharpness {sharpness}, \
             seed {seed}"
        )
    }
}

/// How often a feature occurs, and is chosen.
#[derive(Clone, Copy, Default)]
struct Of {
    seen: u64,
    chosen: f64,
    /// Number of positions with a move that has it.
    positions: f64,
}

impl Fit {
    /// The weights fitted to the positions of `samples` with these `numbers`, by falling number of
    /// moves that had the feature. Features for which `is_left_out` returns true get none.
    #[must_use]
    pub fn run(
        &self,
        samples: &Samples,
        numbers: &[usize],
        is_left_out: impl Fn(Feature) -> bool,
    ) -> Vec<Row> {
        let counts = counts(samples, numbers);
        let mut weights = vec![0.0; FEATURES];
        let mut squares = vec![0.0; FEATURES];
        let mut means = vec![0.0; FEATURES];
        let mut gradient = vec![0.0; FEATURES];
        let mut touched: Vec<Feature> = Vec::new();
        let (mut probabilities, mut targets) = (Vec::new(), Vec::new());
        let mut order = numbers.to_vec();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let averaged = self.passes.div_ceil(2);
        for pass in 0..self.passes {
            order.shuffle(&mut random);
            for batch in order.chunks(self.batch) {
                for &number in batch {
                    let sample = samples.get(number);
                    softmax(&sample, &weights, &mut probabilities);
                    self.sharpen(&sample, &mut targets);
                    for (number, (target, probability)) in
                        targets.iter().zip(&probabilities).enumerate()
                    {
                        let error = target - probability;
                        for &feature in sample.features(number) {
                            if gradient[feature as usize] == 0.0 {
                                touched.push(feature);
                            }
                            gradient[feature as usize] += error;
                        }
                    }
                }
                for feature in touched.drain(..) {
                    let at = feature as usize;
                    let slope = gradient[at] - self.penalty * weights[at] / counts[at].positions;
                    gradient[at] = 0.0;
                    if !is_left_out(feature) {
                        squares[at] += slope * slope;
                        weights[at] += self.step * slope / (1e-9 + f64::sqrt(squares[at]));
                    }
                }
            }
            if self.passes - pass <= averaged {
                for (mean, weight) in means.iter_mut().zip(&weights) {
                    *mean += weight / averaged as f64;
                }
            }
        }
        rows(&counts, &means).into_iter().filter(|row| !is_left_out(row.feature)).collect()
    }

    /// Fills `targets` with the sharpened probabilities of the teacher.
    fn sharpen(&self, sample: &Sample<'_>, targets: &mut Vec<f64>) {
        let most = sample.targets().iter().copied().fold(0.0, f32::max);
        targets.clear();
        targets.extend(
            sample.targets().iter().map(|&target| f64::from(target / most).powf(self.sharpness)),
        );
        let all: f64 = targets.iter().sum();
        for target in targets {
            *target /= all;
        }
    }
}

/// How often each feature was there, and chosen, in the positions of `samples` with these
/// `numbers`.
fn counts(samples: &Samples, numbers: &[usize]) -> Vec<Of> {
    let mut counts = vec![Of::default(); FEATURES];
    let mut last = vec![usize::MAX; FEATURES];
    for &number in numbers {
        let sample = samples.get(number);
        for (mv, &target) in sample.targets().iter().enumerate() {
            for &feature in sample.features(mv) {
                let of = &mut counts[feature as usize];
                of.seen += 1;
                of.chosen += f64::from(target);
                if std::mem::replace(&mut last[feature as usize], number) != number {
                    of.positions += 1.0;
                }
            }
        }
    }
    counts
}

/// The features that were seen, with their weights, rounded as in files.
fn rows(counts: &[Of], weights: &[f64]) -> Vec<Row> {
    let number = |feature: usize| Feature::try_from(feature).ok();
    let mut rows: Vec<Row> = counts
        .iter()
        .zip(weights)
        .enumerate()
        .filter(|(_, (of, _))| of.seen > 0)
        .filter_map(|(feature, (of, &weight))| {
            #[allow(clippy::cast_possible_truncation)] // four digits after the point
            let weight = ((weight * 1e4).round() / 1e4) as f32;
            let chosen = (of.chosen * 100.0).round() / 100.0;
            Some(Row { feature: number(feature)?, weight, seen: of.seen, chosen })
        })
        .collect();
    rows.sort_by(|one, other| other.seen.cmp(&one.seen).then(one.feature.cmp(&other.feature)));
    rows
}

/// Fills `probabilities` with those of the moves of `sample` by weights per feature.
pub(crate) fn softmax(sample: &Sample<'_>, weights: &[f64], probabilities: &mut Vec<f64>) {
    probabilities.clear();
    probabilities.extend((0..sample.moves()).map(|number| {
        sample.features(number).iter().map(|&feature| weights[feature as usize]).sum::<f64>()
    }));
    let most = probabilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut all = 0.0;
    for probability in &mut *probabilities {
        *probability = (*probability - most).exp();
        all += *probability;
    }
    for probability in probabilities {
        *probability /= all;
    }
}
