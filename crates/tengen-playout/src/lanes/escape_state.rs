//! What lanes know of urgent points while they search for them.

use super::lane_word::LaneWord;
use super::rows::{Row, Sets};
use crate::Policy;

/// The search for urgent points in all lanes.
///
/// Chains are followed for some steps at a time, one of each colour.
/// A lane that needs more is *searching*: it makes no attempt in this step and
/// goes on in the next, so that no lane waits for another.
#[repr(align(64))]
pub struct CaptureEscapeLanes<T, const N: usize, const L: usize> {
    /// A turn whose coin is below prefers urgent points:
    /// [`Policy::coin_threshold`].
    pub(super) threshold: u32,
    /// Lower halves of the numbers drawn last, one of whose bits is unused.
    pub coin: Row<u32, L>,
    /// Mask: chains are still to be followed.
    pub searching: Row<T, L>,
    /// Stones whose chains may be in atari, not yet settled.
    pub(super) unsettled: Sets<T, N, L>,
    /// The chains that are being followed, as far as they were.
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
