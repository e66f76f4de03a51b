//! The state of the search for urgent points (`capture_escape.rs`) in all lanes.

use super::lane_word::LaneWord;
use super::rows::{Row, Sets};
use crate::Policy;

/// The state of the search for urgent points, one entry per lane.
///
/// In each step a lane follows at most two chains, one of each colour, by some steps
/// through their stones. A lane that needs more is *searching*: it makes no move
/// attempt in this step and continues the search in the next, so that no lane waits
/// for another.
#[repr(align(64))]
pub struct CaptureEscapeLanes<T, const N: usize, const L: usize> {
    /// The coin value below which a turn prefers urgent points:
    /// [`Policy::coin_threshold`].
    pub(super) threshold: u32,
    /// The lower halves of the numbers drawn last; the coin is their upper 31 bits.
    pub coin: Row<u32, L>,
    /// Mask: chains are still to be followed.
    pub searching: Row<T, L>,
    /// Stones whose chains may be in atari, which is not known yet.
    pub(super) unsettled: Sets<T, N, L>,
    /// The part that has been reached of the chains that are being followed.
    pub(super) followed: Sets<T, N, L>,
    /// The urgent points found this turn.
    pub urgent: Sets<T, N, L>,
}

impl<T: LaneWord, const N: usize, const L: usize> CaptureEscapeLanes<T, N, L> {
    /// The state in which no lane is searching.
    pub fn new(policy: Policy) -> Self {
        let none = [[T::default(); L]; N];
        Self {
            threshold: policy.coin_threshold(),
            coin: [0; L],
            searching: [T::default(); L],
            unsettled: none,
            followed: none,
            urgent: none,
        }
    }
}
