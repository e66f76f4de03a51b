//! The trials that a method requests, their scores, and its estimate of the optimum.

use super::space::Point;
use tengen_stats::Interval;

/// A trial: one or more games between two sides on one opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The point of the first side, from whose view the score is counted.
    pub first: Point,
    /// The point of the second side; none where that is the reference opponent.
    pub second: Option<Point>,
    /// The number of the opening: trials of one number are played on one opening with
    /// one seed, so that points can be compared on equal terms.
    pub opening: usize,
}

impl Trial {
    /// The trial of `point` against the reference opponent.
    #[must_use]
    pub const fn against_reference(point: Point, opening: usize) -> Self {
        Self { first: point, second: None, opening }
    }
}

/// The score of the first side of a trial: a won game adds 1 to the wins, a lost game 1 to the
/// losses, a jigo ½ to both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Games won.
    pub wins: f64,
    /// Games lost.
    pub losses: f64,
}

impl Score {
    /// The score of one game.
    #[must_use]
    pub const fn of_game(is_won: bool) -> Self {
        if is_won { Self { wins: 1.0, losses: 0.0 } } else { Self { wins: 0.0, losses: 1.0 } }
    }

    /// How many games it is made of.
    #[must_use]
    pub fn games(self) -> f64 {
        self.wins + self.losses
    }

    /// The win rate; none without games.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        (self.games() > 0.0).then(|| self.wins / self.games())
    }
}

impl std::ops::AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.losses += other.losses;
    }
}

/// A trial with its score.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The trial that was played.
    pub trial: Trial,
    /// Its score.
    pub score: Score,
}

/// A method's estimate of the optimum.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate of the optimum.
    pub point: Point,
    /// The interval of each coordinate of the optimum; it always holds the estimate.
    /// [`optimum`](super::optimum) says how it is found, docs/reference/tuning-methods.md how often
    /// it holds the optimum.
    pub intervals: Vec<Interval>,
}

impl Estimate {
    /// A parameter is called flat if the interval of its optimum covers more than this
    /// share of its range: the samples do not show where the optimum is.
    pub const FLAT_SHARE: f64 = 0.5;

    /// The estimate `point` whose coordinates have these intervals, each of which is
    /// widened where it does not hold its coordinate.
    #[must_use]
    pub fn new(point: Point, intervals: Vec<Interval>) -> Self {
        let widened = intervals.into_iter().zip(&point).map(|(interval, &unit)| Interval {
            low: interval.low.min(unit),
            high: interval.high.max(unit),
        });
        Self { intervals: widened.collect(), point }
    }

    /// The estimate without knowledge: its intervals are the whole ranges.
    #[must_use]
    pub fn unknown(point: Point) -> Self {
        let intervals = vec![Interval { low: -1.0, high: 1.0 }; point.len()];
        Self { point, intervals }
    }

    /// Whether the parameter `number` is flat: see [`Estimate::FLAT_SHARE`].
    #[must_use]
    pub fn is_flat(&self, number: usize) -> bool {
        // The length of [-1, 1] is 2.
        self.intervals[number].half_width() > Self::FLAT_SHARE
    }
}
