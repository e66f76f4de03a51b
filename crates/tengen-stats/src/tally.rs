//! Counts of games and of side-swapped pairs of games, and what follows from
//! them.
//!
//! The unit of a match is the pair: two games on one opening, in which the players swap
//! sides. Its two results depend on each other, so that variances are computed from pair
//! scores; [`Games`] is for results whose pairs are not known.

use super::elo::NormalizedElo;
use super::interval::{Interval, Level, normal_cdf, wilson};

/// The result of a game as the first player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The first player lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The first player won.
    Win,
}

impl Outcome {
    /// The score of the game in halves: 0, 1 or 2.
    #[must_use]
    pub const fn halves(self) -> u8 {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }

    /// The same result as the second player sees it.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Counts of single games by result.
///
/// # Examples
/// ```
/// use tengen_stats::{Games, Outcome};
///
/// let mut games = Games::default();
/// games.record(Outcome::Win);
/// games.record(Outcome::Win);
/// games.record(Outcome::Draw);
/// games.record(Outcome::Loss);
/// assert_eq!((games.count(), games.score()), (4, Some(0.625)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// Games the first player lost.
    pub losses: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games the first player won.
    pub wins: u64,
}

impl Games {
    /// Adds a game to the counts.
    pub fn record(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Loss => self.losses += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Win => self.wins += 1,
        }
    }

    /// The number of games.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.losses + self.draws + self.wins
    }

    /// The counts by score: 0, ½, 1.
    #[must_use]
    pub const fn cells(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// Win rate, `(wins + ½ draws) / games`.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        Some(self.moments()?.mean)
    }

    /// The effective sample size: the number of independent games without draws that have as much
    /// information about the win rate, `N·p(1-p)/s²`, where p is the mean and s² the population
    /// variance of the scores of these games and of two more, one lost and one won.
    ///
    /// Without draws it is N. With draws it is more, since a draw varies less than a win or a loss.
    #[must_use]
    pub fn effective_games(&self) -> Option<f64> {
        let games = self.moments()?.units;
        let more = Self { losses: self.losses + 1, wins: self.wins + 1, ..*self };
        if self.draws == 0 {
            return Some(games);
        }
        let Moments { mean, variance, .. } = more.moments()?;
        Some(games * mean * (1.0 - mean) / variance)
    }

    /// The Wilson interval of the win rate at the effective number of games. It assumes independent
    /// games: for a match in pairs use [`Pairs::interval`].
    #[must_use]
    pub fn interval(&self, level: Level) -> Option<Interval> {
        wilson(self.score()?, self.effective_games()?, level)
    }

    /// The interval of [`Moments::normalized_elo`], by the delta method: mean and deviation are
    /// both estimated, and their errors depend on each other. `None` if no score differs from
    /// another.
    ///
    /// Chess match runners take the deviation as known. The two agree for an even match; where the
    /// first player wins 80 % of games without draws, theirs has 0.63 of this width.
    #[must_use]
    pub fn normalized_elo_interval(&self, level: Level) -> Option<Interval<NormalizedElo>> {
        let moments = self.moments()?;
        let half = level.z() * (moments.asinh_variance()? / moments.units).sqrt();
        moments.normalized_elo_within(half)
    }

    /// Mean and variance of a game's score; `None` without a game.
    #[must_use]
    pub fn moments(&self) -> Option<Moments> {
        Moments::of_cells(&self.cells(), 1)
    }
}

/// Counts of side-swapped pairs by the first player's score in the two games
/// together: 0, ¼, ½, ¾ or 1.
///
/// Where games cannot be drawn the second and the fourth cell stay empty.
///
/// # Examples
/// ```
/// use tengen_stats::{Level, Outcome, Pairs, percent_range};
///
/// let mut pairs = Pairs::without_draws([20, 54, 40]);
/// pairs.record(Outcome::Win, Outcome::Loss);
/// assert_eq!(pairs.cells(), [20, 0, 55, 0, 40]);
/// let interval = pairs.interval(Level::P95).map(percent_range);
/// assert_eq!(interval, Some("52.1 to 65.0 %".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    cells: [u64; 5],
}

impl Pairs {
    /// Pairs counted by score: 0, ¼, ½, ¾, 1 (LL, LD, WL or DD, WD, WW).
    #[must_use]
    pub const fn from_cells(cells: [u64; 5]) -> Self {
        Self { cells }
    }

    /// Pairs without draws, by score: 0, ½, 1 (LL, WL, WW).
    #[must_use]
    pub const fn without_draws(cells: [u64; 3]) -> Self {
        Self { cells: [cells[0], 0, cells[1], 0, cells[2]] }
    }

    /// Adds a pair to the counts, given its two results as seen by the first player.
    pub fn record(&mut self, one: Outcome, other: Outcome) {
        self.cells[usize::from(one.halves() + other.halves())] += 1;
    }

    /// The number of pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.cells.iter().sum()
    }

    /// The counts by score: 0, ¼, ½, ¾, 1.
    #[must_use]
    pub const fn cells(&self) -> [u64; 5] {
        self.cells
    }

    /// These pairs and `others`.
    #[must_use]
    pub fn with(&self, others: &Self) -> Self {
        Self { cells: std::array::from_fn(|cell| self.cells[cell] + others.cells[cell]) }
    }

    /// The counts of pairs by result: lost, split, won. A pair with one jigo counts as lost or won,
    /// as its other game was.
    #[must_use]
    pub const fn by_result(&self) -> [u64; 3] {
        let [lost, mostly_lost, split, mostly_won, won] = self.cells;
        [lost + mostly_lost, split, mostly_won + won]
    }

    /// The same pairs as the second player sees them.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut cells = self.cells;
        cells.reverse();
        Self { cells }
    }

    /// Win rate: the mean score of a pair, which equals the mean score of a game.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        Some(self.moments()?.mean)
    }

    /// Mean and variance of a pair's score; `None` without a pair.
    #[must_use]
    pub fn moments(&self) -> Option<Moments> {
        Moments::of_cells(&self.cells, 2)
    }
}

/// Mean, variance and shape of the scores of a sample of games or of pairs.
///
/// # Examples
/// ```
/// use tengen_stats::{Pairs, percent};
///
/// let moments = Pairs::without_draws([20, 55, 40]).moments().ok_or("no pairs")?;
/// assert_eq!(percent(moments.mean), "58.7 %");
/// assert_eq!(percent(moments.standard_error()), "3.3 %");
/// assert_eq!(moments.los().map(percent), Some("99.6 %".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// The number of units, each a game or a pair: at least one.
    pub units: f64,
    /// Games per unit: 1, or 2 for pairs.
    pub games_per_unit: u8,
    /// Mean score of a unit.
    pub mean: f64,
    /// Population variance of a unit's score: divided by the number of units.
    pub variance: f64,
    /// Third central moment of a unit's score: the mean of `(score - mean)³`.
    pub third: f64,
    /// Fourth central moment of a unit's score: the mean of `(score - mean)⁴`.
    pub fourth: f64,
}

impl Moments {
    /// The moments of counts by score, the scores evenly spread from 0 to 1.
    fn of_cells(cells: &[u64], games_per_unit: u8) -> Option<Self> {
        let counts: Vec<f64> = cells.iter().map(|&count| count as f64).collect();
        Self::of_weights(&counts, games_per_unit)
    }

    /// The moments of counts by score that need not be whole numbers.
    pub(crate) fn of_weights(cells: &[f64], games_per_unit: u8) -> Option<Self> {
        let units: f64 = cells.iter().sum();
        if units <= 0.0 {
            return None;
        }
        let last = (cells.len() - 1) as f64;
        let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
            cells.iter().enumerate().map(|(i, count)| count * f(i as f64 / last)).sum()
        };
        let mean = sum(&|score| score) / units;
        let central = |power| sum(&|score| (score - mean).powi(power)) / units;
        let [variance, third, fourth] = [2, 3, 4].map(central);
        Some(Self { units, games_per_unit, mean, variance, third, fourth })
    }

    /// The standard error of the mean, `σ / sqrt(N)`.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.units).sqrt()
    }

    /// Likelihood of superiority, `Φ((μ - ½) / (σ / sqrt(N)))`: how sure it is, after a
    /// match of fixed length, that the first player is the better one.
    ///
    /// Not valid for a match that was watched and could have been stopped before its end: say so
    /// wherever this number is printed. `None` if no score differs from another, since the variance
    /// is then unknown.
    #[must_use]
    pub fn los(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| normal_cdf((self.mean - 0.5) / self.standard_error()))
    }

    /// Normalized Elo: `t = (μ - ½)/σ` of a game, times 347.4356. The mean of a
    /// pair has a deviation smaller by the root of two, so that pairs give
    /// `t = (μ - ½)/(sqrt(2)·σ)`. `None` if no score differs from another.
    #[must_use]
    pub fn normalized_elo(&self) -> Option<NormalizedElo> {
        let deviation = (f64::from(self.games_per_unit) * self.variance).sqrt();
        let normalized = (self.mean - 0.5) / deviation * NormalizedElo::PER_DEVIATION;
        (self.variance > 0.0).then_some(NormalizedElo(normalized))
    }

    /// N times the variance of `asinh t̂`, where `t = (μ - ½)/σ` of a unit, by the delta method.
    ///
    /// With the skewness γ and the kurtosis κ of a score, `t̂` has the variance
    /// `(1 - γt + (κ-1)t²/4)/N` (Cramér 1946, "Mathematical methods of statistics", §27.7 and
    /// §28.4: N times the variance of a mean is σ², that of a variance `μ₄ - σ⁴`, and their
    /// covariance is `μ₃`). The derivative of asinh is `1/sqrt(1 + t²)`. `None` without spread.
    pub(crate) fn asinh_variance(&self) -> Option<f64> {
        if self.variance <= 0.0 {
            return None;
        }
        let deviation = self.variance.sqrt();
        let t = (self.mean - 0.5) / deviation;
        let skewness = self.third / deviation.powi(3);
        let kurtosis = self.fourth / self.variance.powi(2);
        let spread = 1.0 - skewness * t + (kurtosis - 1.0) * t * t / 4.0;
        Some(spread.max(0.0) / (1.0 + t * t))
    }

    /// The normalized Elo at `asinh t ± half`, `t = (μ - ½)/σ` of a unit. `None` without spread.
    ///
    /// For games without draws `asinh t` is half the log-odds of the win rate, and its error
    /// hardly depends on the rate.
    pub(crate) fn normalized_elo_within(&self, half: f64) -> Option<Interval<NormalizedElo>> {
        if self.variance <= 0.0 {
            return None;
        }
        let asinh = ((self.mean - 0.5) / self.variance.sqrt()).asinh();
        let per_unit = NormalizedElo::PER_DEVIATION / f64::from(self.games_per_unit).sqrt();
        let end = |asinh: f64| NormalizedElo(asinh.sinh() * per_unit);
        Some(Interval { low: end(asinh - half), high: end(asinh + half) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Elo;

    /// Half the width of an interval in Elo, as chess match runners print it.
    fn plus_minus<T>(interval: Interval<T>, value: impl Fn(T) -> f64) -> f64 {
        interval.map(value).half_width()
    }

    /// The normal interval in Elo as chess match runners print it, at `μ ± z·σ/sqrt(N)`. For small
    /// samples and extreme scores it is too narrow, and after one won game it is a point.
    fn normal_interval(moments: &Moments) -> Interval<Elo> {
        let half = Level::P95.z() * moments.standard_error();
        Elo::interval(Interval { low: moments.mean - half, high: moments.mean + half })
    }

    #[track_caller]
    fn assert_near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 0.005_001, "{value} instead of {expected}");
    }

    #[test]
    fn games_reproduce_the_published_elo() {
        // STATISTICS.md §3: W 136 L 96 D 111.
        let games = Games { losses: 96, draws: 111, wins: 136 };
        let moments = games.moments().expect("games");
        assert_near(Elo::from_score(moments.mean).0, 40.70);
        assert_near(plus_minus(normal_interval(&moments), |e| e.0), 30.43);
        assert_near(moments.normalized_elo().expect("spread").0, 49.77);
        // The runner prints ± 36.77, with the deviation taken as known.
        let known = Level::P95.z() / 343_f64.sqrt() * NormalizedElo::PER_DEVIATION;
        assert_near(known, 36.77);
        let interval = games.normalized_elo_interval(Level::P95).expect("spread");
        assert_near(plus_minus(interval, |e| e.0), 37.46);
        assert_near(100.0 * moments.los().expect("spread"), 99.60);
    }

    #[test]
    fn pairs_reproduce_the_published_elo() {
        // STATISTICS.md §3: penta 34, 54, 31 + 32, 64, 75.
        let moments = Pairs::from_cells([34, 54, 63, 64, 75]).moments().expect("pairs");
        assert_near(Elo::from_score(moments.mean).0, 55.58);
        assert_near(plus_minus(normal_interval(&moments), |e| e.0), 27.65);
        assert_near(moments.normalized_elo().expect("spread").0, 57.94);
    }

    #[test]
    fn draws_narrow_the_interval_of_games() {
        // The runner's ± 30.43 of the same counts is the normal interval of the mean.
        let games = Games { losses: 96, draws: 111, wins: 136 };
        let interval = games.interval(Level::P95).map(Elo::interval).expect("games");
        assert!((plus_minus(interval, |e| e.0) - 30.4).abs() < 0.1, "{interval:?}");
        let without = Games { losses: 152, draws: 0, wins: 191 };
        let wider = without.interval(Level::P95).map(Elo::interval).expect("games");
        assert!((plus_minus(wider, |e| e.0) - 37.0).abs() < 0.1, "{wider:?}");
        assert_eq!(without.effective_games(), Some(343.0));
        // Ten draws are ten scores of ½: information, but not certainty.
        let drawn = Games { losses: 0, draws: 10, wins: 0 }.interval(Level::P95).expect("games");
        assert!(drawn.half_width() > 0.08 && drawn.half_width() < 0.15, "{drawn:?}");
    }

    #[test]
    fn the_interval_of_games_with_draws_covers_the_win_rate() {
        for (games, least) in [(10, 0.90), (60, 0.93)] {
            for (draw, decided) in [(0.1, 0.5), (0.1, 0.85), (0.5, 0.7), (0.8, 0.5), (0.8, 0.85)] {
                let probabilities = [(1.0 - draw) * (1.0 - decided), draw, (1.0 - draw) * decided];
                let covered = covered(games, probabilities);
                assert!(covered > least, "{games} {draw} {decided}: {covered}");
            }
        }
    }

    /// The probability that the interval of so many games holds the true win rate, where a game is
    /// lost, drawn and won with these probabilities: games are added one by one.
    fn covered(games: u64, [loss, draw, win]: [f64; 3]) -> f64 {
        let size = usize::try_from(games).expect("few games") + 1;
        // The probability of so many losses and wins.
        let mut now = vec![vec![0.0; size]; size];
        now[0][0] = 1.0;
        for _ in 0..games {
            for losses in (0..size).rev() {
                for wins in (0..size).rev() {
                    let one_less = |n: usize, other: usize, is_loss: bool| {
                        let before = n.checked_sub(1)?;
                        let [row, column] = if is_loss { [before, other] } else { [other, before] };
                        Some(now[row][column])
                    };
                    let after_loss = one_less(losses, wins, true).unwrap_or(0.0);
                    let after_win = one_less(wins, losses, false).unwrap_or(0.0);
                    now[losses][wins] =
                        draw * now[losses][wins] + loss * after_loss + win * after_win;
                }
            }
        }
        let mut covered = 0.0;
        for (losses, row) in (0_u64..).zip(&now) {
            for (wins, probability) in (0..).zip(row).take_while(|(wins, _)| losses + wins <= games)
            {
                let games = Games { losses, draws: games - losses - wins, wins };
                let found = games.interval(Level::P95);
                if found.is_some_and(|interval| interval.contains(&(win + draw / 2.0))) {
                    covered += probability;
                }
            }
        }
        covered
    }

    #[test]
    fn normalized_elo_allows_for_the_estimated_deviation() {
        // 80.3 % of 1,600 games won: with the deviation taken as known it would be 248 to 282.
        let games = Games { losses: 315, draws: 0, wins: 1_285 };
        let interval = games.normalized_elo_interval(Level::P95).expect("spread");
        assert_eq!(format!("{:.0} to {:.0}", interval.low, interval.high), "238 to 292");
        // For games without draws t = sinh(x/2) of the log-odds x, with the variance 1/(N·p(1-p)).
        let (wins, losses) = (1_285_f64, 315_f64);
        let half = Level::P95.z() * (1.0 / wins + 1.0 / losses).sqrt();
        let end = |logit: f64| (logit / 2.0).sinh() * NormalizedElo::PER_DEVIATION;
        let odds = (wins / losses).ln();
        assert!((interval.low.0 - end(odds - half)).abs() < 1e-6, "{interval:?}");
        assert!((interval.high.0 - end(odds + half)).abs() < 1e-6, "{interval:?}");
    }

    #[test]
    fn nothing_played_says_nothing() {
        let (pairs, games) = (Pairs::default(), Games::default());
        assert_eq!((pairs.score(), pairs.moments()), (None, None));
        assert_eq!(pairs.interval(Level::P95), None);
        assert_eq!((games.score(), games.interval(Level::P95)), (None, None));
    }

    #[test]
    fn no_spread_has_neither_los_nor_normalized_elo() {
        for cells in [[0, 0, 7], [0, 7, 0], [7, 0, 0]] {
            let moments = Pairs::without_draws(cells).moments().expect("pairs");
            assert_eq!((moments.los(), moments.normalized_elo()), (None, None));
            assert_eq!(Pairs::without_draws(cells).normalized_elo_interval(Level::P95), None);
        }
        let all = Pairs::without_draws([0, 0, 7]);
        let interval = all.interval(Level::P95).map(Elo::interval).expect("pairs");
        assert!(interval.low.0 > 0.0 && interval.high == Elo(f64::INFINITY));
    }

    #[test]
    fn recording_and_reversing_agree() {
        use Outcome::{Draw, Loss, Win};
        let mut pairs = Pairs::default();
        let mut seen_by_second = Pairs::default();
        let mut games = Games::default();
        for (one, other) in [(Win, Win), (Win, Loss), (Draw, Draw), (Draw, Win), (Loss, Draw)] {
            pairs.record(one, other);
            seen_by_second.record(one.reversed(), other.reversed());
            games.record(one);
            games.record(other);
        }
        assert_eq!(pairs.cells(), [0, 1, 2, 1, 1]);
        assert_eq!(pairs.reversed(), seen_by_second);
        assert_eq!(games, Games { losses: 2, draws: 4, wins: 4 });
        assert_eq!(pairs.score(), games.score());
    }
}
