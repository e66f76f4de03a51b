#![deny(missing_docs)]
#![forbid(unsafe_code)]
//! Statistics of matches between two players, and ratings of many: pure mathematics,
//! without Go.
//!
//! - [`interval`]: confidence levels and intervals of a score.
//! - [`tally`]: counts of games and of side-swapped pairs of games, and what
//!   follows from them: mean, variance, likelihood of superiority.
//! - [`pairs`]: effective games of pairs, and the interval of their score.
//! - [`pair_kind`]: how the games of a pair depend on each other.
//! - [`coverage`]: how often that interval covers the true score.
//! - [`median`]: the interval of a median.
//! - [`ratio`]: the ratio of two sums.
//! - [`rare`]: the interval of the mean of a cost that is mostly zero.
//! - [`claim`]: claims about a difference, and lists of claims.
//! - [`power`]: what a match of fixed length can show.
//! - [`elo`]: scores as rating differences.
//! - [`sprt`], [`sequential`]: sequential probability ratio tests, which say
//!   when a match may stop.
//! - [`course`]: how long a sequential test takes.
//! - [`elimination`]: which of several arms is the best.
//! - [`stopped`]: the rating difference after a sequential test.
//! - [`ratings`]: Bradley–Terry ratings of many players, with their errors.
//! - [`transitivity`]: whether one rating per player describes all pairings.
//! - [`monotone`]: monotone regression, and the inverse of a monotone curve.
//! - [`resample`]: the bootstrap of pair scores.
//! - [`linear`]: symmetric positive definite matrices.
//! - [`seed`]: seeds derived from a seed.
//!
//! A *score* is a number from 0 (all lost) to 1 (all won), in which a draw is ½. It belongs to the
//! first player of a pairing: the one named first, whichever side it plays. A statistic that is not
//! defined, because no game was played or no score differs from another, is `None`: never a zero
//! and never `NaN`.

pub mod claim;
pub mod course;
pub mod coverage;
pub mod elimination;
pub mod elo;
mod gsprt;
pub mod interval;
pub mod linear;
pub mod median;
pub mod monotone;
pub mod pair_kind;
pub mod pairs;
pub mod power;
pub mod rare;
pub mod ratings;
pub mod ratio;
pub mod resample;
pub mod seed;
pub mod sequential;
pub mod sprt;
pub mod stopped;
pub mod tally;
pub mod transitivity;

pub use claim::{Claim, Correction, Finding, Significance};
pub use course::{Course, Simulation};
pub use elimination::Elimination;
pub use elo::{Elo, NormalizedElo, OutOfRange};
pub use interval::{Interval, Level, percent, percent_range, wilson};
pub use median::median_interval;
pub use monotone::{Crossing, RisingCurve};
pub use pair_kind::PairKind;
pub use power::FixedMatch;
pub use rare::rare_cost_interval;
pub use ratings::{Ratings, rate, rate_in_pairs};
pub use ratio::{mean, ratio_of_sums};
pub use resample::percentile_interval;
pub use sequential::{Decision, SequentialTest};
pub use sprt::{Sprt, State};
pub use stopped::StoppedElo;
pub use tally::{Games, Moments, Outcome, Pairs};
pub use transitivity::Transitivity;

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
