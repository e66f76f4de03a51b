//! What all methods of tuning have in common.

use super::space::Point;
use super::trial::{Estimate, Score, Trial};

/// A method of tuning: it asks for trials, is told their scores in the order in which
/// it asked, and says where it sees the optimum.
///
/// Its state is a function of its settings, its seed and the calls made so far. Who
/// plays several trials at once drives it through a [`Tuner`](super::tuner::Tuner),
/// which makes the order of the calls a function of the number of results.
pub trait Method: Send {
    /// The next trial. `None` if it can ask for none before more scores are told, or,
    /// when all have been, never again.
    fn ask(&mut self) -> Option<Trial>;

    /// Takes the score of the earliest trial that has none yet.
    fn tell(&mut self, trial: &Trial, score: Score);

    /// The estimate of the optimum: the centre as long as nothing is known.
    fn best(&self) -> Point;

    /// The estimate with the interval of the optimum. It may take a second.
    fn estimate(&self) -> Estimate;
}
