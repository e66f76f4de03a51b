//! The generalized SPRT: the log-likelihood ratio of two mean scores if the distribution
//! of scores is not known.
//!
//! Each hypothesis fixes one number: the mean score, or how many standard deviations it lies above
//! ½. Otherwise the distribution is fitted to the data (Van den Bergh, "Comments on normalized
//! Elo", and the derivation of the LLR used by chess testing frameworks). Cells are scores evenly
//! spread from 0 to 1. A *unit* is what has one score: a game or a pair.

use super::elo::{Elo, NormalizedElo};

/// The count of an empty cell. If it were 0, the fitted distributions would have no weight in the
/// cell, and a player who wins every game would never pass the test.
pub(super) const EMPTY: f64 = 1e-3;

/// How far the mean score above ½ of a fit may miss its hypothesis, in standard deviations and
/// relative to 1 + |t|.
const MOST_MISS: f64 = 1e-9;

/// The relative precision of a root.
const PRECISION: f64 = 1e-14;

/// The largest number of steps of a root search. At least every third step halves its bracket, or
/// the length of the step before.
const STEPS: usize = 200;

/// The log-likelihood ratio for two differences in logistic Elo: positive for `elo1`. `cells`
/// counts units by score; the counts need not be whole numbers.
pub(super) fn logistic<const N: usize>(cells: [f64; N], elo0: Elo, elo1: Elo) -> Option<f64> {
    ratio(cells, |observed| Some([elo0, elo1].map(|elo| with_mean(observed, elo.score()))))
}

/// The log-likelihood ratio for two differences in normalized Elo; a unit holds `games_per_unit`
/// games. None where a fit misses its hypothesis.
pub(super) fn normalized<const N: usize>(
    cells: [f64; N],
    games_per_unit: u8,
    elo0: NormalizedElo,
    elo1: NormalizedElo,
) -> Option<f64> {
    let root = f64::from(games_per_unit).sqrt();
    let t = |elo: NormalizedElo| root * elo.0 / NormalizedElo::PER_DEVIATION;
    ratio(cells, |observed| Some([with_t(observed, t(elo0))?, with_t(observed, t(elo1))?]))
}

/// The ratio `N Σ p̂ ln(p₁ / p₀)`, where p̂ are the observed frequencies of the cells, and
/// `fit` returns the two distributions p₀ and p₁ for them.
fn ratio<const N: usize>(
    cells: [f64; N],
    fit: impl Fn(&[f64; N]) -> Option<[[f64; N]; 2]>,
) -> Option<f64> {
    if cells.iter().all(|&count| count == 0.0) {
        return Some(0.0);
    }
    let counts = cells.map(|count| if count == 0.0 { EMPTY } else { count });
    let total: f64 = counts.iter().sum();
    let [null, alternative] = fit(&counts.map(|count| count / total))?;
    let ratio: f64 = (0..N).map(|i| counts[i] * (alternative[i] / null[i]).ln()).sum();
    ratio.is_finite().then_some(ratio)
}

/// The scores of the cells: from 0 to 1 in equal steps.
fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| i as f64 / (N - 1) as f64)
}

/// The likeliest distribution with this mean. A mean of 0 or less, or of 1 or more, leaves no
/// choice: all units have the lowest score, or the highest.
pub(super) fn with_mean<const N: usize>(observed: &[f64; N], mean: f64) -> [f64; N] {
    tilted(observed, &scores().map(|a: f64| a - mean)).unwrap_or_else(|| {
        let sure = if mean < 0.5 { 0 } else { N - 1 };
        std::array::from_fn(|i| f64::from(u8::from(i == sure)))
    })
}

/// The likeliest distribution whose mean μ lies `t` of its own standard deviations σ above ½: the
/// greatest `Σ p̂ ln p` with `μ - ½ = tσ`. None where rounding keeps the fit from its condition.
///
/// By Lagrange's rule it is `tilted` by the offsets
///
/// ```text
/// b = a - ½ - ½t(σ + (a - μ)² / σ)    with μ = ½ + tσ
/// ```
///
/// with its own σ. So σ is the only unknown: a guess s yields offsets, the offsets yield a
/// distribution, and s is right if this distribution has the variance s² about ½ + ts. Every right
/// s is found, and the likeliest of their distributions is the fit.
fn with_t<const N: usize>(observed: &[f64; N], t: f64) -> Option<[f64; N]> {
    if t < 0.0 {
        return Some(reversed(with_t(&reversed(*observed), -t)?));
    }
    if t == 0.0 {
        return Some(with_mean(observed, 0.5));
    }
    let likelihood = |fit: &[f64; N]| (0..N).map(|i| observed[i] * fit[i].ln()).sum::<f64>();
    let fit = deviations::<N>(t)
        .filter_map(|range| tilted(observed, &offsets(t, own_deviation(observed, t, range)?)))
        .max_by(|one, other| likelihood(one).total_cmp(&likelihood(other)))?;
    let (mean, variance) = moments(&fit, None);
    let miss = ((mean - 0.5) / variance.sqrt() - t).abs();
    (miss <= MOST_MISS * (1.0 + t)).then_some(fit)
}

/// Ranges of the deviation, with at most one fit each, that cover every deviation σ with which a
/// mean can lie tσ above ½, for `t` > 0.
///
/// A distribution on two cells, ½ and the next, has the lowest deviation; one on 0 and 1 has the
/// highest. With three cells `p₀ + p₁` is `d²(1 + 1/t²)`, where d is `p₁ - p₀`, and `Σ p̂ ln p` is
/// concave in d: one range is enough. With more cells distributions near each of the scores above ½
/// can satisfy the condition when distributions between them cannot.
fn deviations<const N: usize>(t: f64) -> impl Iterator<Item = [f64; 2]> {
    let low = t / (1.0 + t * t) / (N - 1) as f64;
    let high = 0.5 / (1.0 + t * t).sqrt();
    let ranges = if N == 3 { 1 } else { 32 };
    let end = move |i: i32| low * (high / low).powf(f64::from(i) / f64::from(ranges));
    (0..ranges).map(move |i| [end(i), end(i + 1)])
}

/// The offsets whose average is zero for a distribution with the deviation `s`, if its mean
/// lies `t` times `s` above ½.
fn offsets<const N: usize>(t: f64, s: f64) -> [f64; N] {
    let mean = 0.5 + t * s;
    scores().map(|a: f64| a - 0.5 - 0.5 * t * (s + (a - mean).powi(2) / s))
}

/// The deviation s in `range` that equals the deviation of the distribution tilted by the offsets
/// of s, found by bisection and the secant (the Illinois method). None if no s does.
///
/// At this s the variance falls through s². Between two such ranges of s is a gap where no
/// distribution has offsets that average to zero: the variance counts as too small where the gap
/// begins, and as too large where it ends.
fn own_deviation<const N: usize>(observed: &[f64; N], t: f64, range: [f64; 2]) -> Option<f64> {
    let excess = |s: f64| {
        let fit = tilted(observed, &offsets(t, s))?;
        let (_, variance) = moments(&fit, Some(0.5 + t * s));
        Some((variance / (s * s)).ln())
    };
    let [mut low, mut high] = range;
    let (mut above, mut below) = (excess(low), excess(high));
    if (above, below) == (None, None)
        || above.is_some_and(|excess| excess < 0.0)
        || below.is_some_and(|excess| excess >= 0.0)
    {
        return None;
    }
    let mut was_low = None;
    for step in 0..STEPS {
        let secant = above.zip(below).map(|(a, b)| low + (high - low) * a / (a - b));
        let middle = match secant {
            Some(secant) if step % 3 < 2 && secant > low && secant < high => secant,
            _ => f64::midpoint(low, high),
        };
        if high - low <= PRECISION * high {
            break;
        }
        let found = excess(middle);
        let is_low = found.map_or(above.is_none(), |excess| excess >= 0.0);
        // An end that stays put while the other moves twice would hold the secant back.
        let share = if was_low == Some(is_low) { 0.5 } else { 1.0 };
        was_low = Some(is_low);
        if is_low {
            (low, above, below) = (middle, found, below.map(|excess| share * excess));
        } else {
            (high, below, above) = (middle, found, above.map(|excess| share * excess));
        }
    }
    Some(f64::midpoint(low, high))
}

/// The mean, and the variance about `center` or, without it, about the mean.
fn moments<const N: usize>(fit: &[f64; N], center: Option<f64>) -> (f64, f64) {
    let scores = scores::<N>();
    let mean = (0..N).map(|i| fit[i] * scores[i]).sum();
    let center = center.unwrap_or(mean);
    (mean, (0..N).map(|i| fit[i] * (scores[i] - center).powi(2)).sum())
}

fn reversed<const N: usize>(mut cells: [f64; N]) -> [f64; N] {
    cells.reverse();
    cells
}

/// `p̂ᵢ / (1 + θbᵢ)` with the θ that makes `Σ p̂ᵢ bᵢ / (1 + θbᵢ)` zero: the likeliest distribution
/// under which the offsets b average to zero. None unless there are offsets of both signs.
///
/// The sum falls in θ between its poles, from ∞ to -∞. A root can lie within 1e-20 of a pole, next
/// to the offset e that has to gain weight. So the unknown is `x = 1 + θe`, from 0 at the
/// pole to 1 at θ = 0, and `1 + θb` is `1 - r + xr` with `r = b/e`. The fit gives no cell a
/// weight above 1: x is at least the observed weight of e.
fn tilted<const N: usize>(observed: &[f64; N], offsets: &[f64; N]) -> Option<[f64; N]> {
    let lowest = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(lowest < 0.0 && highest > 0.0) {
        return None;
    }
    let drift: f64 = (0..N).map(|i| observed[i] * offsets[i]).sum();
    let extreme = if drift > 0.0 { lowest } else { highest };
    let r = offsets.map(|offset| offset / extreme);
    let divisors = |x: f64| r.map(|r| (1.0 - r) + x * r);
    let (mut low, mut high) = (0.0, 1.0);
    for i in 0..N {
        low = if r[i] == 1.0 { observed[i].max(low) } else { low };
    }
    // Newton's method for the sum times x, which is nearly straight where x is small, and a halving
    // of ln x where a step leaves the bracket or is not half as long as the one before.
    let (mut x, mut before) = (1.0_f64, f64::INFINITY);
    for _ in 0..STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for ((weight, r), divisor) in observed.iter().zip(&r).zip(divisors(x)) {
            let term = weight * r / divisor;
            sum += x * term;
            slope += term * (1.0 - r) / divisor;
        }
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - sum / slope;
        let step = (newton - x).abs();
        if step <= PRECISION * x {
            break;
        }
        let is_kept = newton >= low && newton <= high && step < 0.5 * before;
        let next = if is_kept { newton } else { (low * high).sqrt() };
        before = (next - x).abs();
        x = next;
    }
    let divisors = divisors(x);
    Some(std::array::from_fn(|i| observed[i] / divisors[i]))
}

#[cfg(test)]
#[path = "gsprt_tests.rs"]
mod tests;
