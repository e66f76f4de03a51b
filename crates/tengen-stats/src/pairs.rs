//! The interval of the score of a match in pairs.
//!
//! The two games of a pair depend on each other. Where an opening favours one player on either
//! side, the games tend to have the same winner, and a pair says less than two independent games.
//! Where the opening favours one side, as most do, the games tend to have different winners, and a
//! pair says more. The variance of the scores of pairs shows which: its estimate decides how many
//! independent games the match is worth.
//!
//! Few pairs estimate a variance badly: for ten pairs that are all split it is 0. So the variance
//! is estimated from the match and [`PSEUDO_PAIRS`] together, and the quantile is Student's. With
//! both choices the interval covers the true score best:
//! `cargo run --release -p tengen-stats --example coverage` computes the coverage of this interval
//! and of others.

use super::elo::NormalizedElo;
use super::interval::{Interval, Level, score_interval, student_tail};
use super::tally::{Moments, Pairs};

/// Four pairs between equal players whose games are independent: one lost, two split, one
/// won. They are added where the variance is estimated, and nowhere else.
pub const PSEUDO_PAIRS: Pairs = Pairs::without_draws([1, 2, 1]);

impl Pairs {
    /// The effective sample size: the number of independent games with as much information about
    /// the score as these N pairs, `N·p(1-p)/s²`, where p is the mean and s² the population
    /// variance of the scores of these pairs and of [`PSEUDO_PAIRS`].
    ///
    /// It is never below N, its value where the second game of a pair repeats the first. It is
    /// about 2N where the games are independent, and more where they tend to differ.
    #[must_use]
    pub fn effective_games(&self) -> Option<f64> {
        Some(Evidence::of(self.weights())?.games)
    }

    /// The interval of the score: Wilson's at the effective number of games, with the quantile of
    /// Student's distribution in place of the normal one.
    #[must_use]
    pub fn interval(&self, level: Level) -> Option<Interval> {
        Evidence::of(self.weights())?.interval(level)
    }

    /// The one-sided p-value of "the true score is above `score`": the probability, if the true
    /// score is `score`, of pairs that speak as much for the first player as these pairs, or more.
    ///
    /// It belongs to [`Self::interval`], whose lower end exceeds `score` at each level for which
    /// the p-value is below [`Level::tail`]. `None` without pairs, and unless `score` is above 0
    /// and below 1.
    #[must_use]
    pub fn p_value(&self, score: f64) -> Option<f64> {
        let evidence = Evidence::of(self.weights())?;
        let error = evidence.error_at(score);
        (error > 0.0).then(|| student_tail((evidence.score - score) / error, evidence.freedom))
    }

    /// The interval of [`Moments::normalized_elo`], by the delta method, as that of
    /// [`Games::normalized_elo_interval`](super::tally::Games::normalized_elo_interval): its error
    /// is computed from these pairs and [`PSEUDO_PAIRS`], and the quantile is Student's. `None` if
    /// no score differs from another.
    #[must_use]
    pub fn normalized_elo_interval(&self, level: Level) -> Option<Interval<NormalizedElo>> {
        let moments = self.moments()?;
        let more = self.with(&PSEUDO_PAIRS);
        let variance = more.moments()?.asinh_variance()? / moments.units;
        let freedom = more.count().saturating_sub(1);
        moments.normalized_elo_within(level.t(freedom as f64) * variance.sqrt())
    }

    /// The counts by score as weights.
    fn weights(&self) -> [f64; 5] {
        self.cells().map(|count| count as f64)
    }
}

/// What pairs say about the true score.
pub(crate) struct Evidence {
    /// The mean score.
    score: f64,
    /// The effective number of games.
    games: f64,
    /// Degrees of freedom of the variance.
    freedom: f64,
}

impl Evidence {
    /// The evidence of pairs by score, whose counts need not be whole numbers; `None` without
    /// pairs.
    pub(crate) fn of(cells: [f64; 5]) -> Option<Self> {
        let Moments { units: pairs, mean: score, .. } = Moments::of_weights(&cells, 2)?;
        let pseudo = PSEUDO_PAIRS.cells();
        let with_pseudo: [f64; 5] = std::array::from_fn(|i| cells[i] + pseudo[i] as f64);
        let Moments { units, mean, variance, .. } = Moments::of_weights(&with_pseudo, 2)?;
        let games = pairs * mean * (1.0 - mean) / variance;
        Some(Self { score, games, freedom: units - 1.0 })
    }

    /// [`Pairs::interval`].
    pub(crate) fn interval(&self, level: Level) -> Option<Interval> {
        score_interval(self.score, self.games, level.t(self.freedom))
    }

    /// The standard error of the mean score if the true score is `score`.
    fn error_at(&self, score: f64) -> f64 {
        (score * (1.0 - score) / self.games).sqrt()
    }

    /// How far the mean score lies from `score` where an end of the interval is `score`.
    pub(crate) fn reach(&self, score: f64, level: Level) -> f64 {
        level.t(self.freedom) * self.error_at(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{Coverage, PairModel};
    use crate::{Elo, percent_range};

    #[test]
    fn effective_games_by_hand() {
        let effective = |cells| Pairs::without_draws(cells).effective_games();
        assert_eq!(effective([0, 0, 0]), None);
        // Independent games: with the pseudo-pairs still 1/4, 1/2, 1/4.
        assert_eq!(effective([24, 48, 24]), Some(192.0));
        // The second game always repeats the first: 51, 2, 51 of 104, s² = 102/416.
        let games = effective([50, 0, 50]).expect("pairs");
        assert!((games - 100.0 * 104.0 / 102.0).abs() < 1e-9, "{games}");
        // One side always wins: 1, 102, 1, s² = 2/416. That is far more than 200 games.
        let games = effective([0, 100, 0]).expect("pairs");
        assert!((games - 100.0 * 104.0 / 2.0).abs() < 1e-9, "{games}");
    }

    #[test]
    fn split_pairs_narrow_the_interval() {
        // The published match new-default-5x5, of 200 pairs.
        let pairs = Pairs::without_draws([10, 161, 29]);
        let interval = pairs.interval(Level::P95).expect("pairs");
        assert_eq!(percent_range(interval), "51.7 to 57.8 %");
        let elo = Elo::interval(interval);
        assert_eq!(format!("{:+.0} to {:+.0}", elo.low, elo.high), "+12 to +55");
        // The pairs that independent games of the same score would give.
        let independent = Pairs::without_draws([41, 99, 60]).interval(Level::P95).expect("pairs");
        assert!(independent.half_width() > 1.5 * interval.half_width());
    }

    #[test]
    fn a_few_won_pairs_prove_little() {
        let range = |cells| Pairs::without_draws(cells).interval(Level::P95).map(percent_range);
        assert_eq!(range([0, 0, 1]).as_deref(), Some("18.2 to 100.0 %"));
        assert_eq!(range([0, 0, 5]).as_deref(), Some("58.1 to 100.0 %"));
        assert_eq!(range([5, 0, 0]).as_deref(), Some("0.0 to 41.9 %"));
    }

    #[test]
    fn the_p_value_is_the_level_at_which_the_interval_ends_at_the_score() {
        for cells in [[3, 1, 8, 2, 9], [10, 0, 161, 0, 29], [0, 0, 0, 0, 5], [0, 0, 40, 0, 0]] {
            let pairs = Pairs::from_cells(cells);
            for score in [0.3, 0.45, 0.5, 0.6] {
                let p = pairs.p_value(score).expect("pairs");
                // Two-sided at twice the smaller tail; below 1e-9 rounding spoils the level.
                let tail = p.min(1.0 - p);
                let level = Level::new(1.0 - 2.0 * tail).filter(|_| tail > 1e-9);
                let Some(level) = level else { continue };
                let interval = pairs.interval(level).expect("pairs");
                let end = if p < 0.5 { interval.low } else { interval.high };
                assert!((end - score).abs() < 1e-6, "{cells:?} {score}: {p} {interval:?}");
                let other = pairs.reversed().p_value(1.0 - score).expect("pairs");
                assert!((p + other - 1.0).abs() < 1e-9, "{cells:?} {score}: {p} {other}");
            }
        }
        // SciPy 1.17: t.sf((67.5/114 - 0.5) / sqrt(0.25/n), 117) with n = 219.80.
        let p = Pairs::without_draws([20, 53, 41]).p_value(0.5).expect("pairs");
        assert!((p - 0.003_645_539_570_627).abs() < 1e-9, "{p}");
        assert_eq!(Pairs::default().p_value(0.5), None);
        assert_eq!(Pairs::without_draws([1, 2, 3]).p_value(0.0), None);
    }

    #[test]
    fn both_players_see_one_interval() {
        let pairs = Pairs::from_cells([3, 1, 8, 2, 9]);
        let (one, other) = (pairs.interval(Level::P95), pairs.reversed().interval(Level::P95));
        let (one, other) = (one.expect("pairs"), other.expect("pairs"));
        assert!((one.low + other.high - 1.0).abs() < 1e-12);
        assert!((one.high + other.low - 1.0).abs() < 1e-12);
    }

    /// Normalized Elo of a pair with these probabilities, from its definition.
    fn normalized_elo(model: &PairModel) -> f64 {
        let [_, split, won] = model.cells();
        let mean = won + split / 2.0;
        let square = won + split / 4.0;
        (mean - 0.5) / (2.0 * (square - mean * mean)).sqrt() * NormalizedElo::PER_DEVIATION
    }

    #[test]
    fn the_interval_covers_the_true_normalized_elo() {
        let estimated = |pairs: &Pairs| {
            pairs.normalized_elo_interval(Level::P95).map(|interval| interval.map(|elo| elo.0))
        };
        // The deviation taken as known: the runner's interval.
        let known = |pairs: &Pairs| {
            let moments = pairs.moments()?;
            let elo = moments.normalized_elo()?.0;
            let half = Level::P95.z() / (2.0 * moments.units).sqrt() * NormalizedElo::PER_DEVIATION;
            Some(Interval { low: elo - half, high: elo + half })
        };
        let models: Vec<PairModel> = [0.5, 0.7, 0.8, 0.9, 0.95]
            .into_iter()
            .flat_map(|score| [0.0, 0.3].map(|correlation| PairModel { score, correlation }))
            .collect();
        for (pairs, least) in [(50, 0.83), (200, 0.92)] {
            let found = Coverage::of_figure(&models, pairs, normalized_elo, estimated);
            let worst = found.iter().map(|coverage| coverage.covered).fold(1.0, f64::min);
            assert!(worst > least, "{pairs}: {found:?}");
            let runner = Coverage::of_figure(&models, pairs, normalized_elo, known);
            assert!(runner[0].covered > 0.93 && runner[8].covered < 0.5, "{pairs}: {runner:?}");
        }
        // Near 50 % both agree: the runner prints 57.94 ± 28.28 for these pairs.
        let pairs = Pairs::from_cells([34, 54, 63, 64, 75]);
        let half = |interval: Option<Interval>| interval.expect("spread").half_width();
        assert!((half(known(&pairs)) - 28.28).abs() < 0.005);
        assert!((half(estimated(&pairs)) - 29.3).abs() < 0.15, "{:?}", estimated(&pairs));
    }

    #[test]
    fn the_interval_covers_the_true_score() {
        for (pairs, least) in [(5, 0.91), (10, 0.92), (20, 0.93), (50, 0.935)] {
            let interval = |pairs: &Pairs| pairs.interval(Level::P95);
            let found = Coverage::over(&PairModel::all(), pairs, interval);
            let covered = found.iter().map(|coverage| coverage.covered);
            let worst = covered.clone().fold(1.0, f64::min);
            let mean = covered.sum::<f64>() / found.len() as f64;
            assert!(worst > least && (0.95..0.98).contains(&mean), "{pairs}: {worst} {mean}");
        }
    }
}
