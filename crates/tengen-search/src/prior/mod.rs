//! Prior values of moves, from knowledge of Go: what a move is worth before any visit.
//!
//! A built-in prior is a line of the registry `PRIORS` and a file here that returns [`MovePriors`]
//! for a position. A program registers its own priors as plain code ([`MovePrior`], [`register`]).

mod heuristic;
mod learned;
mod plain;

pub use learned::Learned;
pub use plain::MovePrior;
pub use tengen_learn::Recent;

use super::amaf::{PriorSums, ROOT_PER_BYTE};
use super::spent::{self, Part};
use super::tree::{Columns, cell};
use tengen_go::{
    Bits, Board, BuiltIn, Made, Move, Named, Registry, RegistryError, numbers, registered_setting,
};
use tengen_settings::Domain;

/// The source of the prior values of moves. As text `none`, `heuristic:VISITS`, `learned`,
/// `learned:EVEN:WEIGHT`, `learned:FILE` or `learned:FILE:EVEN:WEIGHT`, or `NAME:VISITS` or
/// `NAME:PARAMETERS:VISITS` of a prior that the program registers ([`register`]).
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
#[derive(Clone, Copy, Debug)]
pub struct Prior(Named<AnyPrior>);

registered_setting!(Prior, "prior", PRIORS);

/// The values of a prior, and as which visits they count.
pub struct AnyPrior {
    values: Values,
    counting: Counting,
}

/// Where the prior values of a position come from.
enum Values {
    /// No priors; PUCT then gives all moves equal shares.
    None,
    /// Captures, escapes, atari, distance from the last move and the like (Gelly and Silver, "Combining
    /// online and offline knowledge in UCT", 2007, section 6).
    Heuristic,
    /// Move probabilities by weights of features that were fitted to searches.
    Learned(Learned),
    /// Plain code.
    Plain(Box<dyn MovePrior>),
}

/// How many visits a prior value counts as, and how many of them are won.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Counting {
    #[default]
    Nothing,
    /// A number of visits, of which the prior value is the share won.
    Percent { visits: f64 },
    /// EVEN and WEIGHT of [`Learned`].
    Root { even: f64, weight: f64 },
}

/// The registry of priors.
static PRIORS: Registry<AnyPrior> = Registry::with_form(
    "prior",
    &[
        BuiltIn { name: "none", parameters: "", make: |_| Made::only(Box::new(AnyPrior::NONE)) },
        BuiltIn {
            name: "heuristic",
            parameters: ":VISITS",
            make: |given| {
                let [visits] = numbers(given, VISITS)?;
                let counting = Counting::Percent { visits };
                let prior = AnyPrior { values: Values::Heuristic, counting };
                Ok(Made::new(Box::new(prior), visits.to_string()))
            },
        },
        BuiltIn { name: "learned", parameters: ":FILE:EVEN:WEIGHT", make: learned::made },
    ],
    ":VISITS",
    || format!(", numbers from {}", Domain::from(VISITS)),
);

/// Registers a prior under `name` in `version`: from now on `NAME:VISITS`, or `NAME:PARAMETERS:VISITS`,
/// is a value of the setting `prior`. `make` makes the prior from the parameters, empty if there are
/// none; its error is shown to the user.
pub fn register<P: MovePrior + 'static>(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<P, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    let name = name.into();
    let registered = name.clone();
    PRIORS.register_made(name, version, move |given| {
        let (parameters, visits) = given.rsplit_once(':').unwrap_or(("", given));
        let [visits] = numbers(visits, VISITS)
            .map_err(|expected| format!("{registered}:VISITS, {expected}"))?;
        let values = Values::Plain(Box::new(make(parameters)?));
        let prior = AnyPrior { values, counting: Counting::Percent { visits } };
        let separator = if parameters.is_empty() { "" } else { ":" };
        Ok(Made::new(Box::new(prior), format!("{parameters}{separator}{visits}")))
    })
}

impl AnyPrior {
    const NONE: Self = Self { values: Values::None, counting: Counting::Nothing };
}

impl Default for Prior {
    fn default() -> Self {
        Self::built_in("none")
    }
}

impl PartialEq for Prior {
    /// Whether both give equal priors: weights files are compared by hash, not by path.
    fn eq(&self, other: &Self) -> bool {
        match (&self.0.values, &other.0.values) {
            (Values::Learned(one), Values::Learned(two)) => {
                (one.digest(), self.0.counting) == (two.digest(), other.0.counting)
            }
            _ => self.0 == other.0,
        }
    }
}

/// The initial AMAF visits of a pass with learned priors, and twice its AMAF rewards: the numbers
/// of the heuristic prior at its usual 20 visits.
pub(super) const PASS: [u8; 2] = [20, 4];

/// The numbers of visits that a prior value may count as.
pub const VISITS: std::ops::RangeInclusive<f64> = 0.0..=1e6;

/// The virtual visits that a prior counts as, and their rewards.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct VirtualVisits {
    /// The number of visits.
    pub visits: f64,
    /// The sum of the rewards of the visits.
    pub rewards: f64,
}

/// What a byte of [`MovePriors`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// The value in percent.
    Percent,
    /// 255 times the root of the value.
    Root,
}

/// Prior values of all moves of a position, for the player to move.
#[derive(Clone, Debug)]
pub struct MovePriors<const W: usize> {
    /// The byte of each move by its [`cell`], 1 to 255 on `scale`.
    bytes: [[i16; 64]; W],
    scale: Scale,
}

impl<const W: usize> MovePriors<W> {
    /// The prior value, 0 to 1, of the legal move `mv`; for a learned prior the move's probability.
    #[must_use]
    pub fn value(&self, mv: Move) -> f64 {
        let byte = f64::from(self.byte_at(cell::<W>(mv)));
        match self.scale {
            Scale::Percent => byte / 100.0,
            Scale::Root => (byte * ROOT_PER_BYTE).powi(2),
        }
    }

    #[inline]
    fn byte_at(&self, cell: usize) -> u8 {
        byte(self.bytes[cell / 64][cell % 64])
    }

    /// The prior bytes of the legal `moves`, a set of [`cell`]s, as AMAF stores them; 0 in other
    /// cells.
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

/// Sorts `moves` and `values` by falling value; moves of equal value keep their order. Not generic,
/// since each copy of a sort is large.
pub(super) fn sort_by_falling(moves: &mut [Move], values: &mut [f64]) {
    let mut pairs: Vec<_> = values.iter().copied().zip(moves.iter().copied()).collect();
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    for ((value, mv), sorted) in values.iter_mut().zip(moves).zip(pairs) {
        (*value, *mv) = sorted;
    }
}

impl Counting {
    fn virtual_visits(self, value: f64) -> VirtualVisits {
        match self {
            Self::Nothing => VirtualVisits::default(),
            Self::Percent { visits } => VirtualVisits { visits, rewards: visits * value },
            Self::Root { even, weight } => {
                let won = weight * value.sqrt();
                VirtualVisits { visits: even + won, rewards: even / 2.0 + won }
            }
        }
    }
}

impl Prior {
    /// Whether there are no priors.
    #[must_use]
    pub fn is_none(self) -> bool {
        matches!(self.0.values, Values::None)
    }

    /// The weights file of a learned prior.
    #[must_use]
    pub fn learned(self) -> Option<Learned> {
        if let Values::Learned(learned) = self.0.values { Some(learned) } else { None }
    }

    /// The virtual visits that the prior `value` of a move counts as; 0 visits without priors.
    #[must_use]
    pub fn virtual_visits(self, value: f64) -> VirtualVisits {
        self.0.counting.virtual_visits(value)
    }

    /// The virtual AMAF visits that the prior `value` of the move `mv` counts as.
    ///
    /// Playouts count no passes, so that a pass keeps its initial AMAF statistics. A learned prior
    /// would win at least half of its visits; a pass gets 20 visits instead, of which 2 are won.
    #[must_use]
    pub fn virtual_visits_of(self, mv: Move, value: f64) -> VirtualVisits {
        match (&self.0.values, mv) {
            (Values::Learned(_), Move::Pass) => {
                VirtualVisits { visits: PASS[0].into(), rewards: f64::from(PASS[1]) / 2.0 }
            }
            _ => self.virtual_visits(value),
        }
    }

    /// The formula from the byte of a prior to its virtual visits.
    pub(super) fn sums(self) -> PriorSums {
        match self.0.counting {
            Counting::Nothing => PriorSums::default(),
            Counting::Percent { visits } => PriorSums::new([visits, 0.0], [0.0, visits / 100.0]),
            Counting::Root { even, weight } => {
                let won = weight * ROOT_PER_BYTE;
                PriorSums::new([even, won], [even / 2.0, won])
            }
        }
    }

    /// The prior values of the moves on `board` after the moves `recent`. Learned probabilities
    /// compare the plays at `candidates`, a set of empty points, and the pass. None without priors.
    #[must_use]
    pub fn of<const W: usize>(
        self,
        board: &Board<W>,
        recent: Recent,
        candidates: Bits<W>,
    ) -> Option<MovePriors<W>> {
        if self.is_none() {
            return None;
        }
        let priors = |prior: &AnyPrior| match &prior.values {
            Values::None => None,
            Values::Heuristic => Some(heuristic::priors(board, recent.last)),
            Values::Learned(learned) => Some(learned::priors(*learned, board, recent, candidates)),
            Values::Plain(prior) => Some(plain::priors(&**prior, board, recent.last)),
        };
        let _within = spent::enter(Part::Prior);
        self.0.call(priors)
    }

    /// Fills `means` with the mean rewards of the children, virtual visits by priors included. A
    /// child without visits of either kind gets `first_play`.
    pub(super) fn blend(self, columns: &Columns<'_>, first_play: f64, means: &mut Vec<f64>) {
        let counting = self.0.counting;
        let children = columns.visits.iter().zip(columns.rewards).zip(columns.priors);
        means.clear();
        means.extend(children.map(|((&n, &reward), &prior)| {
            let prior = counting.virtual_visits(prior.into());
            let n = f64::from(n) + prior.visits;
            if n > 0.0 { (reward + prior.rewards) / n } else { first_play }
        }));
    }
}
