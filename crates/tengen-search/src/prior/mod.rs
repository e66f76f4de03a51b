//! Prior values of moves, from knowledge of Go: what a move is worth before any visit.
//!
//! A built-in prior is a file here that returns [`MovePriors`] for a position; a program registers
//! others ([`register`]).

mod heuristic;
mod own;

pub use own::{MovePrior, register};

use super::setting::number_after;
use super::tree::{Columns, cell};
use std::fmt;
use std::str::FromStr;
use tengen_go::{Board, Move, Named, ParseError, written_as_text};

/// Prior values of moves. As text `none`, `heuristic:VISITS`, or `NAME:VISITS` or
/// `NAME:PARAMETERS:VISITS` of a prior that the program registers ([`register`]).
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color};
/// use tengen_search::prior::Prior;
///
/// let board = Board::<1>::from_diagram("...../XXX../OOX../.OX../.X...", Color::Black)?;
/// let prior: Prior = "heuristic:20".parse()?;
/// let priors = prior.of(&board, None).ok_or("no priors")?;
/// assert!(priors.value("A2".parse()?) > priors.value("E5".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Prior {
    /// No priors; PUCT then takes all moves as equal.
    #[default]
    None,
    /// Prior values by captures, escapes, atari, distance from the last move and the like,
    /// each of which counts as this number of visits (Gelly and Silver, "Combining online and offline knowledge
    /// in UCT", 2007, section 6).
    Heuristic(f64),
    /// By a prior that the program has registered.
    Own {
        /// The prior.
        prior: Named<dyn MovePrior>,
        /// The number of visits as which a value counts.
        visits: f64,
    },
}

/// The numbers of visits as which a prior value may count.
const VISITS: std::ops::RangeInclusive<f64> = 0.0..=1e6;

/// Prior values of all moves of a position, for the player to move.
#[derive(Clone, Debug)]
pub struct MovePriors<const W: usize> {
    /// The value of each move in percent, 1 to 100, by its [`cell`].
    percents: [[i16; 64]; W],
}

impl<const W: usize> MovePriors<W> {
    /// The prior value, 0 to 1, of the legal move `mv`.
    #[must_use]
    pub fn value(&self, mv: Move) -> f64 {
        f64::from(self.percent_at(cell::<W>(mv))) / 100.0
    }

    /// The prior value in percent of the legal move of a [`cell`].
    #[inline]
    pub(super) fn percent_at(&self, cell: usize) -> u8 {
        self.percents[cell / 64][cell % 64].unsigned_abs().to_le_bytes()[0]
    }
}

impl Prior {
    /// The number of visits as which a prior value counts; 0 without priors.
    #[must_use]
    pub const fn visits(&self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Heuristic(visits) | Self::Own { visits, .. } => *visits,
        }
    }

    /// The prior values of the moves on `board`; `last` is the opponent's last move, if
    /// known. None without priors.
    #[must_use]
    pub fn of<const W: usize>(
        &self,
        board: &Board<W>,
        last: Option<Move>,
    ) -> Option<MovePriors<W>> {
        match self {
            Self::None => None,
            Self::Heuristic(_) => Some(heuristic::priors(board, last)),
            Self::Own { prior, .. } => Some(own::priors(&**prior, board, last)),
        }
    }

    /// Fills `means` with the means of the children, where a prior p counts as w visits
    /// of mean p: (r + w p) / (n + w) for rewards r in n visits. A child without visits
    /// has `first_play` if w is 0.
    pub(super) fn blend(&self, columns: &Columns<'_>, first_play: f64, means: &mut Vec<f64>) {
        let weight = self.visits();
        let children = columns.visits.iter().zip(columns.rewards).zip(columns.priors);
        means.clear();
        means.extend(children.map(|((&n, &reward), &prior)| {
            let n = f64::from(n) + weight;
            if n > 0.0 { (reward + weight * f64::from(prior)) / n } else { first_play }
        }));
    }
}

impl FromStr for Prior {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "none" {
            return Ok(Self::None);
        }
        if let Some(visits) = number_after(text, "heuristic", VISITS) {
            return Ok(Self::Heuristic(visits));
        }
        own::parse(text).map_err(|expected| ParseError::new("prior", text, expected))
    }
}

impl fmt::Display for Prior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Heuristic(visits) => f.pad(&format!("heuristic:{visits}")),
            Self::Own { prior, visits } => f.pad(&format!("{prior}:{visits}")),
        }
    }
}

written_as_text!(Prior);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_virtual_visits() {
        // (6 + 10·0.8) / 20 = 0.7, and 0.8 without visits.
        let (visits, rewards, priors) = ([10, 0], [6.0, 0.0], [0.8, 0.8]);
        let columns =
            Columns { visits: &visits, rewards: &rewards, priors: &priors, positions: &[] };
        let mut means = Vec::new();
        Prior::Heuristic(10.0).blend(&columns, 0.9, &mut means);
        assert!((means[0] - 0.7).abs() < 1e-6 && (means[1] - 0.8).abs() < 1e-6, "{means:?}");
        Prior::Heuristic(0.0).blend(&columns, 0.9, &mut means);
        assert_eq!(means, [0.6, 0.9]);
    }
}
