//! Bayesian logistic regression: the probability to win is 1/(1 + e^-q) with q = θ·φ. φ are the
//! features of a sample, and the coefficients θ have independent normal priors of mean zero.

use super::surface::logistic;
use super::trial::Score;
use tengen_stats::linear::Cholesky;

/// The samples of a regression: features, and what was won and lost with them.
#[derive(Clone, Debug)]
pub struct Rows {
    width: usize,
    features: Vec<f64>,
    scores: Vec<Score>,
}

impl Rows {
    /// No samples yet, of `width` features.
    #[must_use]
    pub const fn new(width: usize) -> Self {
        Self { width, features: Vec::new(), scores: Vec::new() }
    }

    /// Adds a sample.
    ///
    /// # Panics
    /// If it has another number of features.
    pub fn push(&mut self, features: &[f64], score: Score) {
        assert_eq!(features.len(), self.width, "features of a sample");
        self.features.extend_from_slice(features);
        self.scores.push(score);
    }

    /// The features of each sample.
    pub fn features(&self) -> impl Iterator<Item = &[f64]> {
        self.features.chunks_exact(self.width)
    }

    /// The score of each sample.
    #[must_use]
    pub fn scores(&self) -> &[Score] {
        &self.scores
    }
}

/// The coefficients of highest posterior probability, and their precision.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The mode of the posterior distribution.
    pub coefficients: Vec<f64>,
    /// The decomposed precision of the posterior distribution at its mode (Laplace's
    /// approximation).
    pub precision: Cholesky,
    /// The logarithm of likelihood times prior at the mode, without the factors of the prior that
    /// do not depend on the coefficients.
    pub log_posterior: f64,
}

impl Fit {
    /// The logarithm of the evidence, the probability of the samples under the model whose priors
    /// have the precisions `prior` (Laplace's approximation): it compares models of the same
    /// samples.
    #[must_use]
    pub fn log_evidence(&self, prior: &[f64]) -> f64 {
        let prior: f64 = prior.iter().map(|precision| precision.ln()).sum();
        self.log_posterior + 0.5 * (prior - self.precision.log_determinant())
    }
}

/// The logarithm of the posterior and its derivatives at one vector of coefficients.
struct Derivatives {
    log_posterior: f64,
    gradient: Vec<f64>,
    /// The lower triangle of minus the second derivatives.
    information: Vec<Vec<f64>>,
}

fn derivatives(rows: &Rows, weights: &[f64], prior: &[f64], at: &[f64]) -> Derivatives {
    let used = prior.len();
    let mut gradient: Vec<f64> = prior.iter().zip(at).map(|(p, x)| -p * x).collect();
    let mut log_posterior = 0.5 * gradient.iter().zip(at).map(|(g, x)| g * x).sum::<f64>();
    let mut information: Vec<Vec<f64>> = (0..used).map(|i| vec![0.0; i + 1]).collect();
    for (i, precision) in prior.iter().enumerate() {
        information[i][i] = *precision;
    }
    for ((features, score), &weight) in rows.features().zip(&rows.scores).zip(weights) {
        if weight == 0.0 {
            continue;
        }
        let features = &features[..used];
        let q: f64 = features.iter().zip(at).map(|(f, x)| f * x).sum();
        let probability = logistic(q);
        // ln σ(q) = -ln(1 + e^-q), and ln σ(-q) = ln σ(q) - q, without overflow.
        let log_win = q.min(0.0) - (-q.abs()).exp().ln_1p();
        let games = score.games();
        log_posterior += weight * (games * log_win - score.losses * q);
        let slope = weight * (score.wins - games * probability);
        let curvature = weight * games * probability * (1.0 - probability);
        for ((row, &f), g) in information.iter_mut().zip(features).zip(&mut gradient) {
            *g += slope * f;
            let scaled = curvature * f;
            for (cell, &other) in row.iter_mut().zip(features) {
                *cell += scaled * other;
            }
        }
    }
    Derivatives { log_posterior, gradient, information }
}

/// Fits the first `prior.len()` features of `rows`, each sample with its weight, under
/// normal priors with the precisions `prior`, by Newton's method from `start`. It costs
/// a few times samples × features².
///
/// `None` if numbers run out of range.
#[must_use]
pub fn fit(rows: &Rows, weights: &[f64], prior: &[f64], start: &[f64]) -> Option<Fit> {
    /// The gain in log probability below which a step is the last.
    const CLOSE: f64 = 1e-7;
    let mut at = start.to_vec();
    let mut here = derivatives(rows, weights, prior, &at);
    for _ in 0..100 {
        let precision = Cholesky::new(&here.information)?;
        let mut step = precision.solve(&here.gradient);
        let gain: f64 = step.iter().zip(&here.gradient).map(|(s, g)| s * g).sum();
        if gain < CLOSE {
            let log_posterior = here.log_posterior;
            return Some(Fit { coefficients: at, precision, log_posterior });
        }
        // Concave, but a full step can overshoot: halve until it gains.
        loop {
            let next: Vec<f64> = at.iter().zip(&step).map(|(x, s)| x + s).collect();
            let there = derivatives(rows, weights, prior, &next);
            if there.log_posterior >= here.log_posterior {
                (at, here) = (next, there);
                break;
            }
            if !there.log_posterior.is_finite() && step.iter().any(|s| !s.is_finite()) {
                return None;
            }
            for s in &mut step {
                *s *= 0.5;
            }
            if step.iter().all(|s| s.abs() < 1e-12) {
                break;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(samples: &[(f64, f64, f64)]) -> Rows {
        let mut rows = Rows::new(2);
        for &(x, wins, losses) in samples {
            rows.push(&[1.0, x], Score { wins, losses });
        }
        rows
    }

    #[test]
    fn a_constant_fits_the_odds() {
        // Almost without prior, one feature: q is the logarithm of the odds.
        let rows = rows(&[(0.3, 30.0, 10.0)]);
        let fit = fit(&rows, &[1.0], &[1e-9], &[0.0]).unwrap();
        assert!((fit.coefficients[0] - 3.0_f64.ln()).abs() < 1e-3);
        // The deviation is 1/√(n p (1 - p)).
        let variance = fit.precision.inverse()[0][0];
        assert!((variance - 1.0 / 7.5).abs() < 1e-3);
    }

    #[test]
    fn the_evidence_is_that_of_an_integral() {
        // One coefficient of precision 2, 30 games won and 10 lost: the integral as a sum over
        // steps.
        let mut rows = Rows::new(1);
        rows.push(&[1.0], Score { wins: 30.0, losses: 10.0 });
        let found = fit(&rows, &[1.0], &[2.0], &[0.0]).unwrap().log_evidence(&[2.0]);
        let density = |x: f64| {
            let p = 1.0 / (1.0 + (-x).exp());
            (30.0 * p.ln() + 10.0 * (1.0 - p).ln() - x * x).exp()
        };
        let sum: f64 = (-4_000..4_000).map(|step| density(f64::from(step) / 1_000.0)).sum();
        // The prior is √(2/2π)·exp(-x²).
        let expected = (sum / 1_000.0).ln() + 0.5 * (2.0 / std::f64::consts::TAU).ln();
        assert!((found - expected).abs() < 0.02, "{found} {expected}");
    }

    #[test]
    fn the_mode_is_that_of_a_search_by_hand() {
        let rows = rows(&[(-1.0, 2.0, 9.0), (0.0, 4.0, 5.0), (1.0, 7.0, 2.0)]);
        let (weights, prior) = ([1.0, 0.5, 1.0], [0.5, 0.5]);
        let found = fit(&rows, &weights, &prior, &[0.0, 0.0]).unwrap();
        let log_posterior = |a: f64, b: f64| {
            let samples = [(-1.0, 2.0, 9.0, 1.0), (0.0, 4.0, 5.0, 0.5), (1.0, 7.0, 2.0, 1.0)];
            let likelihood: f64 = samples
                .iter()
                .map(|&(x, wins, losses, weight)| {
                    let p: f64 = 1.0 / (1.0 + (-(a + b * x)).exp());
                    weight * (wins * p.ln() + losses * (1.0 - p).ln())
                })
                .sum();
            likelihood - 0.25 * (a * a + b * b)
        };
        let best = (-200..=200)
            .flat_map(|a| (-200..=200).map(move |b| (f64::from(a) / 100.0, f64::from(b) / 100.0)))
            .max_by(|x, y| log_posterior(x.0, x.1).total_cmp(&log_posterior(y.0, y.1)))
            .unwrap();
        assert!((found.coefficients[0] - best.0).abs() < 0.01, "{:?} {best:?}", found.coefficients);
        assert!((found.coefficients[1] - best.1).abs() < 0.01, "{:?} {best:?}", found.coefficients);
    }

    #[test]
    fn separated_samples_stay_finite() {
        let rows = rows(&[(-1.0, 0.0, 500.0), (1.0, 500.0, 0.0)]);
        let fit = fit(&rows, &[1.0, 1.0], &[0.01, 0.01], &[0.0, 0.0]).unwrap();
        assert!(fit.coefficients.iter().all(|x| x.is_finite()));
        assert!(fit.coefficients[1] > 4.0);
    }
}
