//! The answer of a solution: proved bounds, verdicts and claims.

use std::fmt;
use std::time::Duration;
use tengen_go::{Color, Move};

/// Proved bounds of a value, in points, from Black's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: i8,
    /// The value is at most this.
    pub upper: i8,
}

/// What is proved of a value, in points, from Black's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The value.
    Exact(i8),
    /// The value is this or more.
    AtLeast(i8),
    /// The value is this or less.
    AtMost(i8),
    /// The value lies within the bounds, neither of which is trivial.
    Between(i8, i8),
    /// Nothing is proved beyond the bounds that the size of the board sets.
    Unknown,
}

impl Bounds {
    /// The bounds of any position of `points` points.
    #[must_use]
    pub const fn of_board(points: usize) -> Self {
        Self { lower: -(points as i8), upper: points as i8 }
    }

    /// Whether the bounds meet.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// The bounds as a verdict on a board of `points` points.
    #[must_use]
    pub const fn verdict(self, points: usize) -> Verdict {
        let most = points as i8;
        if self.lower == self.upper {
            Verdict::Exact(self.lower)
        } else if self.lower == -most && self.upper == most {
            Verdict::Unknown
        } else if self.upper == most {
            Verdict::AtLeast(self.lower)
        } else if self.lower == -most {
            Verdict::AtMost(self.upper)
        } else {
            Verdict::Between(self.lower, self.upper)
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Exact(value) => format!("{value}"),
            Self::AtLeast(value) => format!("at least {value}"),
            Self::AtMost(value) => format!("at most {value}"),
            Self::Between(lower, upper) => format!("from {lower} to {upper}"),
            Self::Unknown => "unknown".to_owned(),
        };
        f.pad(&text)
    }
}

/// A claim about a value, in points, from Black's view, which must hold without the help of endless
/// games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreClaim {
    /// Black can end the game with this or more.
    AtLeast(i8),
    /// White can end the game with this or less.
    AtMost(i8),
}

impl ScoreClaim {
    /// The score claimed, from Black's view.
    #[must_use]
    pub const fn score(self) -> i8 {
        match self {
            Self::AtLeast(score) | Self::AtMost(score) => score,
        }
    }

    /// The player who can force the score, if the claim is true.
    #[must_use]
    pub const fn favours(self) -> Color {
        match self {
            Self::AtLeast(_) => Color::Black,
            Self::AtMost(_) => Color::White,
        }
    }
}

impl fmt::Display for ScoreClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(score) => write!(f, "at least {score}"),
            Self::AtMost(score) => write!(f, "at most {score}"),
        }
    }
}

/// The reason why a solution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolveEnd {
    /// Every value that was asked for is exact, or the one claim is proved.
    Solved,
    /// The limit of nodes was reached.
    Nodes,
    /// The limit of time was reached.
    Time,
    /// The caller asked to stop.
    Interrupted,
    /// A search with the largest budget did not suffice.
    Depth,
}

/// What is proved of a position. Every bound holds, wherever the search ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The value if an endless game counts as the worst result for Black. Under superko, where no
    /// game is endless, the only value.
    pub worst: Bounds,
    /// The value if an endless game counts as the best result for Black. Under superko equal to
    /// `worst`.
    pub best: Bounds,
    /// A best move if the value is exact; else the move with the best proof, or the move that the
    /// search ranked best. `None` if the game is over, or for a claim whose proof rests on no move.
    pub best_move: Option<Move>,
    /// Moves from the position on that keep the value, as far as they are known.
    pub variation: Vec<Move>,
    /// The reason why the search ended.
    pub end: SolveEnd,
    /// Positions examined.
    pub nodes: u64,
    /// The time taken.
    pub time: Duration,
    /// The memory of the tables, in bytes.
    pub memory: usize,
}

impl Answer {
    /// The bounds of the value if an endless game is a draw: the median of `worst`, 0 and `best`,
    /// since a player who can have a draw takes no loss.
    #[must_use]
    pub fn draw(&self) -> Bounds {
        let median = |worst: i8, best: i8| worst.max(best.min(0));
        Bounds {
            lower: median(self.worst.lower, self.best.lower),
            upper: median(self.worst.upper, self.best.upper),
        }
    }

    /// Whether the bounds prove `claim`, whichever player gains by an endless game.
    #[must_use]
    pub const fn proves(&self, claim: ScoreClaim) -> bool {
        match claim {
            ScoreClaim::AtLeast(score) => self.worst.lower >= score,
            ScoreClaim::AtMost(score) => self.best.upper <= score,
        }
    }

    /// Whether both values are exact.
    #[must_use]
    pub const fn is_solved(&self) -> bool {
        self.worst.is_exact() && self.best.is_exact()
    }
}
