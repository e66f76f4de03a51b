//! How often an interval for pairs covers the true score: computed exactly, by the sum over all
//! results of a match.

use super::interval::Interval;
use super::pair_kind::PairKind;
use super::tally::{Outcome, Pairs};
use statrs::distribution::{Binomial, Discrete};
use std::collections::HashMap;

/// The probabilities of a pair without draws: two games, each won with the probability `score`,
/// whose results have the correlation `correlation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairModel {
    /// The true score.
    pub score: f64,
    /// The correlation of the two games: 1 where the second repeats the first, 0 where they are
    /// independent, negative where they tend to differ.
    pub correlation: f64,
}

impl PairModel {
    /// The scores for which coverage is computed. Scores below ½ would show nothing new, since
    /// intervals are symmetric.
    pub const SCORES: [f64; 7] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98];

    /// The models for which coverage is computed: all [`Self::SCORES`], with independent games,
    /// four positive correlations, and five negative ones down to the lowest possible.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let positive = [0.1, 0.3, 0.6, 0.9];
        let of = |score: f64| {
            // Below this correlation the probability of two lost games would be negative.
            let lowest = -(1.0 - score) / score;
            let negative = [1.0, 0.9, 0.75, 0.5, 0.25].map(|part| part * lowest);
            let all = negative.into_iter().chain([0.0]).chain(positive);
            all.map(move |correlation| Self { score, correlation })
        };
        Self::SCORES.into_iter().flat_map(of).collect()
    }

    /// The probabilities of two lost games, a split pair, and two won games ([`PairKind::cells`]).
    #[must_use]
    pub fn cells(&self) -> [f64; 3] {
        let kind = PairKind::new(self.correlation, 0.0).unwrap_or_default();
        let [lost, _, split, _, won] = kind.cells(self.score);
        [lost, split, won]
    }
}

/// The results of both games of a pair with these probabilities of two lost games, a split pair and
/// two won games ([`PairModel::cells`]), for a number `drawn` from 0 to 1.
#[must_use]
pub fn games_of([lost, split, _]: [f64; 3], drawn: f64) -> [Outcome; 2] {
    match drawn {
        _ if drawn < lost => [Outcome::Loss; 2],
        _ if drawn < lost + split => [Outcome::Win, Outcome::Loss],
        _ => [Outcome::Win; 2],
    }
}

/// The coverage and the width of an interval under one model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// The probability that it contains the true score.
    pub covered: f64,
    /// Its mean width.
    pub width: f64,
}

/// Results less probable than this, relative to the likeliest, are left out.
const NEGLIGIBLE: f64 = 1e-12;

impl Coverage {
    /// The coverage of `interval` under each of `models`, in matches of `pairs` pairs.
    #[must_use]
    pub fn over(
        models: &[PairModel],
        pairs: u64,
        interval: impl Fn(&Pairs) -> Option<Interval>,
    ) -> Vec<Self> {
        Self::of_figure(models, pairs, |model| model.score, interval)
    }

    /// The coverage of an interval of another figure of a pair, whose true value under a model is
    /// `truth`, in matches of `pairs` pairs. Results without an interval are left out.
    #[must_use]
    pub fn of_figure(
        models: &[PairModel],
        pairs: u64,
        truth: impl Fn(&PairModel) -> f64,
        interval: impl Fn(&Pairs) -> Option<Interval>,
    ) -> Vec<Self> {
        let mut known = HashMap::new();
        let mut of = |lost, won| {
            let compute = || interval(&Pairs::without_draws([lost, pairs - lost - won, won]));
            *known.entry((lost, won)).or_insert_with(compute)
        };
        models.iter().map(|model| Self::of(model, pairs, truth(model), &mut of)).collect()
    }

    fn of(
        model: &PairModel,
        pairs: u64,
        truth: f64,
        interval: &mut impl FnMut(u64, u64) -> Option<Interval>,
    ) -> Self {
        let [lost, split, won] = model.cells();
        // If all pairs are lost, none are left to share out.
        let won = if won > 0.0 { won / (split + won) } else { 0.0 };
        let (mut all, mut covered, mut width) = (0.0, 0.0, 0.0);
        for (losses, probability) in binomial(pairs, lost) {
            // The other pairs are split or won.
            for (wins, given) in binomial(pairs - losses, won) {
                let Some(found) = interval(losses, wins) else { continue };
                let weight = probability * given;
                // The ends are rounded: a true score at an end is covered.
                let slack = 1e-12;
                let is_covered = found.low <= truth + slack && truth <= found.high + slack;
                all += weight;
                covered += if is_covered { weight } else { 0.0 };
                width += weight * (found.high - found.low);
            }
        }
        Self { covered: covered / all, width: width / all }
    }
}

/// The numbers of successes among `trials` that are not [`NEGLIGIBLE`], with their probabilities.
fn binomial(trials: u64, success: f64) -> impl Iterator<Item = (u64, f64)> {
    let n = trials as f64;
    let binomial = Binomial::new(success, trials).expect("a probability");
    // Ten deviations on either side, and a few trials where the deviation is small.
    let reach = 10.0 * (n * success * (1.0 - success)).sqrt() + 10.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within 0 to `trials`
    let [low, high] = [n * success - reach, n * success + reach].map(|k| k.clamp(0.0, n) as u64);
    (low..=high).map(move |k| (k, binomial.pmf(k))).filter(|(_, p)| *p > NEGLIGIBLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Games, Level, wilson};

    #[test]
    fn probabilities_add_up_to_one() {
        for (trials, success) in [(0, 0.3), (1, 0.0), (7, 1.0), (50, 0.02), (2_000, 0.5)] {
            let all: Vec<_> = binomial(trials, success).collect();
            let sum: f64 = all.iter().map(|(_, p)| p).sum();
            let mean: f64 = all.iter().map(|(k, p)| *k as f64 * p).sum();
            assert!((sum - 1.0).abs() < 1e-8, "{trials} {success}: {sum}");
            assert!((mean - trials as f64 * success).abs() < 1e-4, "{trials} {success}: {mean}");
        }
    }

    #[test]
    fn models_have_their_score_and_correlation() {
        for model in PairModel::all() {
            let [lost, split, won] = model.cells();
            assert!((won + split / 2.0 - model.score).abs() < 1e-12, "{model:?}");
            let both = won - model.score.powi(2);
            let correlation = both / (model.score * (1.0 - model.score));
            assert!((correlation - model.correlation).abs() < 1e-9 && lost >= 0.0, "{model:?}");
        }
    }

    #[test]
    fn what_repeats_itself_is_a_match_of_single_games() {
        // If the second game of each pair repeats the first, N pairs are worth N games.
        let repeated = [PairModel { score: 0.8, correlation: 1.0 }];
        let interval = |pairs: &Pairs| {
            let [losses, _, wins] = pairs.by_result();
            Games { losses, draws: 0, wins }.interval(Level::P95)
        };
        let found = Coverage::over(&repeated, 20, interval)[0].covered;
        let by_hand: f64 = binomial(20, 0.8)
            .filter(|(wins, _)| {
                let interval = wilson(*wins as f64 / 20.0, 20.0, Level::P95);
                interval.is_some_and(|interval| interval.contains(&0.8))
            })
            .map(|(_, probability)| probability)
            .sum();
        assert!((found - by_hand).abs() < 1e-9, "{found} instead of {by_hand}");
    }
}
