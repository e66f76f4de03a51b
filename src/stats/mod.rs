//! Statistics of matches: pure mathematics that knows no Go.
//!
//! - [`interval`]: confidence levels and intervals of a score.
//! - [`tally`]: counts of games and of colour-swapped pairs, and what follows
//!   from them: mean, variance, effective games, interval.
//! - [`elo`]: scores as rating differences.
//!
//! A *score* is a number from 0 (all lost) to 1 (all won), in which a jigo is
//! ½, seen from the first of two players. What cannot be said, because nothing
//! was played or nothing varied, is `None`: never a zero and never `NaN`.

pub mod elo;
pub mod interval;
pub mod tally;

pub use elo::Elo;
pub use interval::{Interval, Level, clopper_pearson, wilson};
pub use tally::{Games, Moments, Outcome, Pairs};
