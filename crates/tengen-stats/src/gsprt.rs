//! The generalized SPRT: the log-likelihood ratio of two mean scores if the distribution
//! of scores is not known.
//!
//! Each hypothesis fixes one number: the mean score, or the mean score above ½ in
//! standard deviations. Otherwise the distribution is fitted to the data (Van den Bergh,
//! "Comments on normalized Elo", and the derivation of the LLR used by chess
//! testing frameworks). Cells are scores evenly spread from 0 to 1. A *unit* is what has
//! one score: a game or a pair.

use super::elo::{Elo, NormalizedElo};

/// The count of an empty cell. If it were 0, the fitted distributions had no weight
/// there, and a player who wins every game would never pass the test.
pub(super) const EMPTY: f64 = 1e-3;

/// The largest number of iterations of the fit of normalized Elo.
const ROUNDS: usize = 50;

/// The ratio for two differences in logistic Elo: positive for `elo1`.
/// `cells` counts units by score; the counts need not be whole numbers.
pub(super) fn logistic<const N: usize>(cells: [f64; N], elo0: Elo, elo1: Elo) -> f64 {
    ratio(cells, |observed| [elo0, elo1].map(|elo| with_mean(observed, elo.score())))
}

/// The ratio for two differences in normalized Elo; a unit holds
/// `games_per_unit` games.
pub(super) fn normalized<const N: usize>(
    cells: [f64; N],
    games_per_unit: u8,
    elo0: NormalizedElo,
    elo1: NormalizedElo,
) -> f64 {
    let root = f64::from(games_per_unit).sqrt();
    ratio(cells, |observed| {
        [elo0, elo1].map(|elo| with_t(observed, root * elo.0 / NormalizedElo::PER_DEVIATION))
    })
}

/// The ratio `N Σ p̂ ln(p₁ / p₀)`, where p̂ are the observed frequencies of the cells, and
/// `fit` returns the two distributions p₀ and p₁ for them.
fn ratio<const N: usize>(cells: [f64; N], fit: impl Fn(&[f64; N]) -> [[f64; N]; 2]) -> f64 {
    if cells.iter().all(|&count| count == 0.0) {
        return 0.0;
    }
    let counts = cells.map(|count| if count == 0.0 { EMPTY } else { count });
    let total: f64 = counts.iter().sum();
    let [null, alternative] = fit(&counts.map(|count| count / total));
    (0..N).map(|i| counts[i] * (alternative[i] / null[i]).ln()).sum()
}

/// The scores of the cells: from 0 to 1 in equal steps.
fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| i as f64 / (N - 1) as f64)
}

/// The distribution nearest to `observed` with this mean, which lies between 0 and 1.
pub(super) fn with_mean<const N: usize>(observed: &[f64; N], mean: f64) -> [f64; N] {
    tilted(observed, &scores().map(|a: f64| a - mean))
}

/// The distribution nearest to `observed` whose mean lies `t` of its own standard
/// deviations above ½. The condition is linear if mean and deviation are known: they are
/// taken from the iteration before, until the distribution no longer changes.
fn with_t<const N: usize>(observed: &[f64; N], t: f64) -> [f64; N] {
    let scores = scores::<N>();
    let mut fitted = [1.0 / N as f64; N];
    for _ in 0..ROUNDS {
        let mean: f64 = (0..N).map(|i| fitted[i] * scores[i]).sum();
        let variance: f64 = (0..N).map(|i| fitted[i] * (scores[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let offsets = scores
            .map(|a| a - 0.5 - 0.5 * t * deviation * (1.0 + ((a - mean) / deviation).powi(2)));
        let next = tilted(observed, &offsets);
        let moved = (0..N).map(|i| (next[i] - fitted[i]).abs()).fold(0.0, f64::max);
        fitted = next;
        if moved < 1e-9 {
            break;
        }
    }
    fitted
}

/// `p̂ᵢ / (1 + θbᵢ)` with the θ that makes `Σ p̂ᵢ bᵢ / (1 + θbᵢ)` zero: the
/// likeliest distribution under which the offsets b average to zero.
fn tilted<const N: usize>(observed: &[f64; N], offsets: &[f64; N]) -> [f64; N] {
    let theta = secular_root(observed, offsets);
    std::array::from_fn(|i| observed[i] / (1.0 + theta * offsets[i]))
}

/// The root of the falling function `Σ p b / (1 + θb)` between its poles, by
/// Newton's method kept inside a shrinking bracket. Without offsets of both
/// signs there is none; 0, which changes nothing, stands for it.
fn secular_root<const N: usize>(weights: &[f64; N], offsets: &[f64; N]) -> f64 {
    let min = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let max = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if min >= 0.0 || max <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / max, -1.0 / min);
    let tolerance = 1e-13 * (high - low);
    let mut theta = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (weight, offset) in weights.iter().zip(offsets) {
            let term = offset / (1.0 + theta * offset);
            value += weight * term;
            slope -= weight * term * term;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        let step = (next - theta).abs();
        theta = next;
        if step <= tolerance {
            break;
        }
    }
    theta
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Moments;

    #[test]
    fn a_fitted_distribution_keeps_its_condition() {
        let observed = [0.1, 0.2, 0.3, 0.15, 0.25];
        for mean in [0.2, 0.5, 0.55, 0.9] {
            let moments = Moments::of_weights(&with_mean(&observed, mean), 2).expect("weights");
            assert!((moments.units - 1.0).abs() < 1e-9 && (moments.mean - mean).abs() < 1e-9);
        }
        for t in [-0.3, 0.0, 0.05, 0.4] {
            let moments = Moments::of_weights(&with_t(&observed, t), 2).expect("weights");
            assert!((moments.units - 1.0).abs() < 1e-8, "{t}: {moments:?}");
            let found = (moments.mean - 0.5) / moments.variance.sqrt();
            assert!((found - t).abs() < 1e-7, "{t}: {found}");
        }
    }
}
