//! What all methods of tuning have in common.

use super::space::Point;
use super::trial::{Estimate, Score, Trial};

/// A method of tuning: it requests trials (ask), receives their scores in the order of the requests
/// (tell), and estimates the optimum.
///
/// Its state is a function of its settings, its seed and the calls made so far. To play several
/// trials at once, drive it through a [`Tuner`](super::tuner::Tuner), which makes the order of the
/// calls a function of the number of results.
pub trait Method: Send {
    /// The next trial. `None` while the method needs more scores first; once it has all scores,
    /// `None` for good.
    fn ask(&mut self) -> Option<Trial>;

    /// Takes the score of the earliest trial that has none yet.
    fn tell(&mut self, trial: &Trial, score: Score);

    /// The estimate of the optimum. Without scores it is the centre, or the first point of a grid.
    fn best(&self) -> Point;

    /// The estimate with the interval of the optimum. It may take a second.
    fn estimate(&self) -> Estimate;
}
