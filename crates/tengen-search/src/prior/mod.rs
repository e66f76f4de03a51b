//! Prior values of moves, from knowledge of Go: what a move is worth before any visit.
//!
//! A built-in prior is a file here that returns [`MovePriors`] for a position; a program registers
//! others ([`register`]).

mod heuristic;
mod learned;
mod own;
pub(crate) mod spent;

pub use learned::Learned;
pub use own::{MovePrior, register};
pub use tengen_learn::Recent;

use super::amaf::PriorSums;
use super::setting::number_after;
use super::tree::{Columns, cell};
use std::fmt;
use std::str::FromStr;
use tengen_go::{Bits, Board, Move, Named, ParseError, text_setting};

/// Prior values of moves. As text `none`, `heuristic:VISITS`, `learned`, `learned:EVEN:WEIGHT`,
/// `learned:FILE` or `learned:FILE:EVEN:WEIGHT`, or `NAME:VISITS` or `NAME:PARAMETERS:VISITS` of a prior
/// that the program registers ([`register`]).
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color};
/// use tengen_search::prior::{Prior, Recent};
///
/// let board = Board::<1>::from_diagram("...../XXX../OOX../.OX../.X...", Color::Black)?;
/// let prior: Prior = "heuristic:20".parse()?;
/// let priors = prior.of(&board, Recent::default(), board.empty()).ok_or("no priors")?;
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
    /// The probabilities of the moves by weights of their features, which were fitted to searches.
    Learned(Learned),
    /// By a prior that the program has registered.
    Own {
        /// The prior.
        prior: Named<dyn MovePrior>,
        /// The number of visits as which a value counts.
        visits: f64,
    },
}

/// Visits and half rewards of all-moves-as-first with which a pass begins where there are learned
/// priors: those of the heuristic prior at its usual 20 visits.
pub(super) const PASS: [u8; 2] = [20, 4];

/// The numbers of visits as which a prior value may count.
pub const VISITS: std::ops::RangeInclusive<f64> = 0.0..=1e6;

/// As which visits a prior counts, and which rewards of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VirtualVisits {
    /// The number of visits.
    pub visits: f64,
    /// The sum of their rewards.
    pub rewards: f64,
}

/// What a byte of [`MovePriors`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// The value in percent.
    Percent,
    /// The root of the value; 255 is 1.
    Root,
}

/// Prior values of all moves of a position, for the player to move.
#[derive(Clone, Debug)]
pub struct MovePriors<const W: usize> {
    /// The value of each move by its [`cell`], 1 to 255 on the scale.
    bytes: [[i16; 64]; W],
    scale: Scale,
}

impl<const W: usize> MovePriors<W> {
    /// The prior value, 0 to 1, of the legal move `mv`; of a learned prior its probability.
    #[must_use]
    pub fn value(&self, mv: Move) -> f64 {
        let byte = f64::from(self.byte_at(cell::<W>(mv)));
        match self.scale {
            Scale::Percent => byte / 100.0,
            Scale::Root => (byte * learned::ROOT_PER_BYTE).powi(2),
        }
    }

    #[inline]
    fn byte_at(&self, cell: usize) -> u8 {
        byte(self.bytes[cell / 64][cell % 64])
    }

    /// The priors of the legal `moves`, a set of [`cell`]s, as all-moves-as-first keeps them; 0 elsewhere.
    #[inline]
    pub(super) fn bytes_of(&self, moves: Bits<W>) -> [[u8; 64]; W] {
        let mut bytes = [[0; 64]; W];
        for ((bytes, values), set) in bytes.iter_mut().zip(&self.bytes).zip(moves.words()) {
            for (cell, (to, &value)) in bytes.iter_mut().zip(values).enumerate() {
                *to = if set >> cell & 1 == 1 { byte(value) } else { 0 };
            }
        }
        bytes
    }
}

#[inline]
const fn byte(value: i16) -> u8 {
    value.unsigned_abs().to_le_bytes()[0]
}

/// Sorts `moves` by their falling `values`, equal ones in their order, and the values with them.
/// Not generic, since each copy of a sort is large.
pub(super) fn sort_by_falling(moves: &mut [Move], values: &mut [f64]) {
    let mut pairs: Vec<_> = values.iter().copied().zip(moves.iter().copied()).collect();
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    for ((value, mv), sorted) in values.iter_mut().zip(moves).zip(pairs) {
        (*value, *mv) = sorted;
    }
}

impl Prior {
    /// As which visits the prior `value` of a move counts; none where there are no priors.
    #[must_use]
    pub fn virtual_visits(&self, value: f64) -> VirtualVisits {
        match self {
            Self::None => VirtualVisits::default(),
            Self::Heuristic(visits) | Self::Own { visits, .. } => {
                VirtualVisits { visits: *visits, rewards: visits * value }
            }
            Self::Learned(Learned { even, weight, .. }) => {
                let won = weight * value.sqrt();
                VirtualVisits { visits: even + won, rewards: even / 2.0 + won }
            }
        }
    }

    /// As which visits of all-moves-as-first the prior `value` of the move `mv` counts.
    ///
    /// Playouts count no passes, so that what a pass begins with stays: of learned priors, which are half
    /// won or more, it begins with 20 visits of which 2 are won in place of its own.
    #[must_use]
    pub fn virtual_visits_of(&self, mv: Move, value: f64) -> VirtualVisits {
        match (self, mv) {
            (Self::Learned(_), Move::Pass) => {
                VirtualVisits { visits: PASS[0].into(), rewards: f64::from(PASS[1]) / 2.0 }
            }
            _ => self.virtual_visits(value),
        }
    }

    /// The virtual visits of a move by the byte of its prior.
    pub(super) fn sums(&self) -> PriorSums {
        match self {
            Self::None => PriorSums::default(),
            Self::Heuristic(visits) | Self::Own { visits, .. } => {
                PriorSums::new([*visits, 0.0], [0.0, visits / 100.0])
            }
            Self::Learned(Learned { even, weight, .. }) => {
                let won = weight * learned::ROOT_PER_BYTE;
                PriorSums::new([*even, won], [even / 2.0, won])
            }
        }
    }

    /// The prior values of the moves on `board` after the moves `recent`. Probabilities are those among
    /// the plays at `candidates`, which are empty points, and the pass. None without priors.
    #[must_use]
    pub fn of<const W: usize>(
        &self,
        board: &Board<W>,
        recent: Recent,
        candidates: Bits<W>,
    ) -> Option<MovePriors<W>> {
        match self {
            Self::None => None,
            Self::Heuristic(_) => Some(spent::measured(|| heuristic::priors(board, recent.last))),
            Self::Learned(learned) => {
                Some(spent::measured(|| learned::priors(learned, board, recent, candidates)))
            }
            Self::Own { prior, .. } => {
                Some(spent::measured(|| own::priors(*prior, board, recent.last)))
            }
        }
    }

    /// Fills `means` with the means of the children, whose priors are virtual visits. A child without
    /// visits has `first_play` if it has no virtual ones either.
    pub(super) fn blend(&self, columns: &Columns<'_>, first_play: f64, means: &mut Vec<f64>) {
        let children = columns.visits.iter().zip(columns.rewards).zip(columns.priors);
        means.clear();
        means.extend(children.map(|((&n, &reward), &prior)| {
            let prior = self.virtual_visits(prior.into());
            let n = f64::from(n) + prior.visits;
            if n > 0.0 { (reward + prior.rewards) / n } else { first_play }
        }));
    }

    /// The version of what it names: of a registered prior its own, of a weights file the hash.
    #[must_use]
    pub fn version(&self) -> Option<&'static str> {
        match self {
            Self::None | Self::Heuristic(_) => None,
            Self::Learned(learned) => Some(learned.digest()),
            Self::Own { prior, .. } => Some(prior.version()),
        }
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
        if let Some(rest) = text.strip_prefix("learned").filter(|rest| !rest.starts_with(is_name)) {
            return Ok(Self::Learned(Learned::parse(rest)?));
        }
        own::parse(text).map_err(|expected| ParseError::new("prior", text, expected))
    }
}

impl fmt::Display for Prior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Heuristic(visits) => f.pad(&format!("heuristic:{visits}")),
            Self::Learned(learned) => f.pad(&format!("learned{}", learned.parameters())),
            Self::Own { prior, visits } => f.pad(&format!("{prior}:{visits}")),
        }
    }
}

text_setting!(Prior, "prior", own::expected());

/// Whether a character may be part of the name of a registered prior.
fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_.-".contains(character)
}

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
