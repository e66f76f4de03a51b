//! The fits of normalized Elo against a slow twin: brute force over the distributions that satisfy
//! the hypothesis, without multipliers and without derivatives of the condition.

use super::*;
use crate::Moments;
use crate::seed::{mix, uniform};

#[test]
fn a_fitted_distribution_keeps_its_condition() {
    let observed = [0.1, 0.2, 0.3, 0.15, 0.25];
    for mean in [0.2, 0.5, 0.55, 0.9] {
        let moments = Moments::of_weights(&with_mean(&observed, mean), 2).expect("weights");
        assert!((moments.units - 1.0).abs() < 1e-9 && (moments.mean - mean).abs() < 1e-9);
    }
    for t in [-3.0, -0.3, 0.0, 0.05, 0.4, 1.0, 4.0] {
        let moments =
            Moments::of_weights(&with_t(&observed, t).expect("a fit"), 2).expect("weights");
        assert!((moments.units - 1.0).abs() < 1e-8, "{t}: {moments:?}");
        let found = (moments.mean - 0.5) / moments.variance.sqrt();
        assert!((found - t).abs() < 1e-7, "{t}: {found}");
    }
}

/// The maximum of a function with one maximum in `[low, high]`, by the golden section.
fn maximum(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let golden = 0.5 * (5_f64.sqrt() - 1.0);
    let mut at = [high - golden * (high - low), low + golden * (high - low)];
    let mut values = at.map(&f);
    for _ in 0..80 {
        if values[0] > values[1] {
            high = at[1];
            at = [high - golden * (high - low), at[0]];
            values = [f(at[0]), values[0]];
        } else {
            low = at[0];
            at = [at[1], low + golden * (high - low)];
            values = [values[1], f(at[1])];
        }
    }
    values[0].max(values[1])
}

/// `Σ p̂ ln p`; minus infinity where a weight is not positive.
fn likelihood<const N: usize>(observed: &[f64; N], p: [f64; N]) -> f64 {
    if p.iter().any(|&p| p <= 0.0) {
        return f64::NEG_INFINITY;
    }
    (0..N).map(|i| observed[i] * p[i].ln()).sum()
}

/// The greatest likelihood of three cells with `μ - ½ = tσ`, t > 0: the maximum over the difference
/// d of the weights of 1 and 0, whose sum is `d²(1 + 1/t²)`.
fn of_three(observed: &[f64; 3], t: f64) -> f64 {
    let c = 1.0 + 1.0 / (t * t);
    maximum(1.0 / c, 1.0 / c.sqrt(), |d| {
        let sum = c * d * d;
        likelihood(observed, [0.5 * (sum - d), 1.0 - sum, 0.5 * (sum + d)])
    })
}

/// The greatest likelihood of five cells with `μ - ½ = tσ`, t > 0: the maximum over the mean, which
/// sets the deviation. The distributions of one mean and one deviation differ by third differences.
fn of_five(observed: &[f64; 5], t: f64) -> f64 {
    const MEANS: usize = 600;
    let profile = |mean: f64| of_moments(observed, mean, ((mean - 0.5) / t).powi(2));
    let mean = |i: usize| 0.5 + 0.5 * i as f64 / MEANS as f64;
    let mut values: Vec<f64> = (0..=MEANS).map(|i| profile(mean(i))).collect();
    values[0] = f64::NEG_INFINITY;
    let peaks = (1..MEANS).filter(|&i| {
        let value = values[i];
        value.is_finite() && value >= values[i - 1] && value >= values[i + 1]
    });
    peaks.map(|i| maximum(mean(i - 1), mean(i + 1), profile)).fold(f64::NEG_INFINITY, f64::max)
}

/// The greatest likelihood of five cells with this mean and variance: climbing from the middle of
/// all such distributions on three cells, along the two third differences.
fn of_moments(observed: &[f64; 5], mean: f64, variance: f64) -> f64 {
    let scores = scores::<5>();
    let (mut middle, mut corners) = ([0.0; 5], 0.0);
    for [i, j, k] in
        (0..5).flat_map(|i| (i + 1..5).flat_map(move |j| (j + 1..5).map(move |k| [i, j, k])))
    {
        // Lagrange's weights: E (a - b)(a - c) over (a_i - b)(a_i - c).
        let weight = |at: usize, b: usize, c: usize| {
            let (a, b, c) = (scores[at], scores[b], scores[c]);
            ((mean - b) * (mean - c) + variance) / ((a - b) * (a - c))
        };
        let weights = [weight(i, j, k), weight(j, i, k), weight(k, i, j)];
        if weights.iter().all(|&weight| weight >= 0.0) {
            for (cell, weight) in [i, j, k].into_iter().zip(weights) {
                middle[cell] += weight;
            }
            corners += 1.0;
        }
    }
    let mut p = middle.map(|sum| sum / corners);
    let mut best = likelihood(observed, p);
    if !best.is_finite() {
        return f64::NEG_INFINITY;
    }
    let along = [[1.0, -3.0, 3.0, -1.0, 0.0], [0.0, 1.0, -3.0, 3.0, -1.0]];
    for _ in 0..100 {
        // Newton's step for the concave likelihood, halved until it climbs.
        let slope = along.map(|u| (0..5).map(|i| observed[i] * u[i] / p[i]).sum::<f64>());
        let bend = |u: [f64; 5], v: [f64; 5]| -> f64 {
            (0..5).map(|i| observed[i] * u[i] * v[i] / (p[i] * p[i])).sum()
        };
        let [a, b, c] =
            [bend(along[0], along[0]), bend(along[0], along[1]), bend(along[1], along[1])];
        let det = a * c - b * b;
        let step = [(c * slope[0] - b * slope[1]) / det, (a * slope[1] - b * slope[0]) / det];
        let to = |share: f64| -> [f64; 5] {
            std::array::from_fn(|i| p[i] + share * (step[0] * along[0][i] + step[1] * along[1][i]))
        };
        let climbed = (0..60).map(|halvings| to(0.5_f64.powi(halvings))).find_map(|next| {
            let value = likelihood(observed, next);
            (value > best).then_some((next, value))
        });
        let Some((next, value)) = climbed else { break };
        let gained = value - best;
        (p, best) = (next, value);
        if gained < 1e-14 {
            break;
        }
    }
    best
}

/// The ratio by brute force.
fn twin<const N: usize>(cells: [f64; N], ts: [f64; 2], best: fn(&[f64; N], f64) -> f64) -> f64 {
    let counts = cells.map(|count| if count == 0.0 { EMPTY } else { count });
    let total: f64 = counts.iter().sum();
    let observed = counts.map(|count| count / total);
    let [null, alternative] = ts.map(|t| {
        if t == 0.0 {
            // A linear condition, for which the multiplier is exact.
            likelihood(&observed, with_mean(&observed, 0.5))
        } else if t < 0.0 {
            best(&reversed(observed), -t)
        } else {
            best(&observed, t)
        }
    });
    total * (alternative - null)
}

/// Random numbers from 0 to 1: their seed, and how many were drawn.
struct Draws(u64, u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.1 += 1;
        uniform(self.0, self.1)
    }

    /// A count: often none, else up to 1, 10, 100 or 1000.
    fn count(&mut self) -> f64 {
        if self.next() < 0.2 { 0.0 } else { (10_f64.powf(3.0 * self.next())).floor() }
    }

    fn elos(&mut self) -> [f64; 2] {
        let [one, other] = [0, 1].map(|_| (2000.0 * self.next() - 1000.0).round());
        [one.min(other), one.max(other) + 1.0]
    }
}

/// The greatest difference of the ratios to those of the twin, relative to 1 + |ratio|, over random
/// counts and hypotheses.
fn greatest_difference<const N: usize>(
    tests: u64,
    best: fn(&[f64; N], f64) -> f64,
) -> (f64, String) {
    let mut greatest = (0.0, String::new());
    for number in 0..tests {
        let mut draws = Draws(mix(N as u64, number), 0);
        let cells: [f64; N] = std::array::from_fn(|_| draws.count());
        let [elo0, elo1] = draws.elos();
        if cells.iter().all(|&count| count == 0.0) {
            continue;
        }
        let found = normalized(cells, 2, NormalizedElo(elo0), NormalizedElo(elo1)).expect("a fit");
        let ts = [elo0, elo1].map(|elo| 2_f64.sqrt() * elo / NormalizedElo::PER_DEVIATION);
        let expected = twin(cells, ts, best);
        let difference = (found - expected).abs() / (1.0 + expected.abs());
        if difference > greatest.0 {
            greatest =
                (difference, format!("{cells:?} [{elo0}, {elo1}]: {found}, twin {expected}"));
        }
    }
    greatest
}

#[test]
fn ratios_of_three_cells_are_those_of_brute_force() {
    let (difference, text) = greatest_difference(2000, of_three);
    assert!(difference < 1e-9, "{text}");
}

#[test]
fn ratios_of_five_cells_are_those_of_brute_force() {
    let (difference, text) = greatest_difference(2000, of_five);
    assert!(difference < 1e-9, "{text}");
}
/// More losses never speak for the first player, and more wins never against it. (Five cells on
/// normalized Elo are not monotone by definition: a lost pair among pairs that are nearly all ¼
/// widens the distribution more than it lowers the mean.)
#[test]
fn a_lost_unit_never_raises_the_ratio_nor_a_won_one_lowers_it() {
    fn check<const N: usize>(number: u64, ratio: fn([f64; N], [f64; 2]) -> f64) {
        let mut draws = Draws(mix(7, number), 0);
        let cells: [f64; N] = std::array::from_fn(|_| draws.count());
        let elos = draws.elos();
        let with = |cell: usize| {
            let mut more = cells;
            more[cell] += 1.0;
            ratio(more, elos)
        };
        let now = ratio(cells, elos);
        let slack = 1e-9 * (1.0 + now.abs());
        let (lost, won) = (with(0), with(N - 1));
        assert!(
            lost <= now + slack && now <= won + slack,
            "{cells:?} {elos:?}: {lost} {now} {won}"
        );
    }
    for number in 0..2000 {
        check::<3>(number, |cells, [elo0, elo1]| {
            normalized(cells, 2, NormalizedElo(elo0), NormalizedElo(elo1)).expect("a fit")
        });
        check::<3>(number, |cells, [a, b]| logistic(cells, Elo(a), Elo(b)).expect("a fit"));
        check::<5>(number, |cells, [a, b]| logistic(cells, Elo(a), Elo(b)).expect("a fit"));
    }
}

#[test]
fn a_fit_that_rounding_spoils_is_none() {
    let ratio = |lost| normalized([lost, 0.0, 0.0], 2, NormalizedElo(-532.0), NormalizedElo(711.0));
    assert!(ratio(5e8).is_some_and(|ratio| ratio < 0.0));
    assert_eq!(ratio(576_465_519_995_154.0), None);
}
