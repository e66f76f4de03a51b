//! Counts of games and of side-swapped pairs of games, and what follows from
//! them.
//!
//! The unit of a match is the pair: two games on one opening, in which the players swap
//! sides. Its two results depend on each other, so that variances are computed from pair
//! scores; [`Games`] is for results whose pairs are not known.

use super::elo::{Elo, NormalizedElo};
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

    /// The Wilson interval of the win rate, which assumes independent games: for a match in pairs
    /// use [`Pairs::interval`].
    #[must_use]
    pub fn interval(&self, level: Level) -> Option<Interval> {
        wilson(self.score()?, self.count() as f64, level)
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

/// Mean and variance of the scores of a sample of games or of pairs.
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
        let variance = sum(&|score| (score - mean).powi(2)) / units;
        Some(Self { units, games_per_unit, mean, variance })
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

    /// The normal interval in Elo: Elo at the ends of `μ ± z·σ/sqrt(N)`, as chess match
    /// runners print it (they show half its width as the error). For small samples and
    /// extreme scores it is too narrow, and after one won game it is a point: the programs show
    /// [`Pairs::interval`] in Elo.
    #[must_use]
    pub fn elo_normal_interval(&self, level: Level) -> Interval<Elo> {
        Elo::interval(self.mean_interval(level))
    }

    /// Normalized Elo: `t = (μ - ½)/σ` of a game, times 347.4356. The mean of a
    /// pair has a deviation smaller by the root of two, so that pairs give
    /// `t = (μ - ½)/(sqrt(2)·σ)`. `None` if no score differs from another.
    #[must_use]
    pub fn normalized_elo(&self) -> Option<NormalizedElo> {
        (self.variance > 0.0).then(|| self.normalized(self.mean))
    }

    /// The interval of [`Moments::normalized_elo`]: the ends of
    /// `μ ± z·σ/sqrt(N)` with the deviation taken as known.
    #[must_use]
    pub fn normalized_elo_interval(&self, level: Level) -> Option<Interval<NormalizedElo>> {
        (self.variance > 0.0).then(|| self.mean_interval(level).map(|mean| self.normalized(mean)))
    }

    /// `μ ± z·σ/sqrt(N)`: it can reach beyond 0 and 1.
    fn mean_interval(&self, level: Level) -> Interval {
        let half = level.z() * self.standard_error();
        Interval { low: self.mean - half, high: self.mean + half }
    }

    /// `mean` in units of the deviation of a game.
    fn normalized(&self, mean: f64) -> NormalizedElo {
        let deviation = (f64::from(self.games_per_unit) * self.variance).sqrt();
        NormalizedElo((mean - 0.5) / deviation * NormalizedElo::PER_DEVIATION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half the width of an interval in Elo, as chess match runners print it.
    fn plus_minus<T>(interval: Interval<T>, value: impl Fn(T) -> f64) -> f64 {
        interval.map(value).half_width()
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
        assert_near(plus_minus(moments.elo_normal_interval(Level::P95), |e| e.0), 30.43);
        assert_near(moments.normalized_elo().expect("spread").0, 49.77);
        let interval = moments.normalized_elo_interval(Level::P95).expect("spread");
        assert_near(plus_minus(interval, |e| e.0), 36.77);
        assert_near(100.0 * moments.los().expect("spread"), 99.60);
    }

    #[test]
    fn pairs_reproduce_the_published_elo() {
        // STATISTICS.md §3: penta 34, 54, 31 + 32, 64, 75.
        let moments = Pairs::from_cells([34, 54, 63, 64, 75]).moments().expect("pairs");
        assert_near(Elo::from_score(moments.mean).0, 55.58);
        assert_near(plus_minus(moments.elo_normal_interval(Level::P95), |e| e.0), 27.65);
        assert_near(moments.normalized_elo().expect("spread").0, 57.94);
        let interval = moments.normalized_elo_interval(Level::P95).expect("spread");
        assert_near(plus_minus(interval, |e| e.0), 28.28);
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
            assert_eq!(moments.normalized_elo_interval(Level::P95), None);
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
