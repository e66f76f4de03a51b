//! The chains in atari beside the last stone, in all lanes.

use super::kernel::{Kernel, Row, Sets, lane};
use super::lane_word::{
    LaneWord, Links, and, and_not, any, count, down, lowest, neighbors, or, spread, up,
};
use crate::Policy;

/// Steps by which a chain is followed at a time.
const LOOK_ROUNDS: usize = 3;

/// What lanes that look for urgent points know so far.
///
/// Chains are followed for `LOOK_ROUNDS` steps at a time, one of each colour.
/// A lane that has not seen enough is *looking*: it makes no attempt in this
/// step and goes on in the next, so that no lane waits for another.
#[repr(align(64))]
pub struct CaptureEscapeLanes<T, const N: usize, const L: usize> {
    /// Coins below this look: [`Policy::threshold`].
    threshold: u32,
    /// The lower half of the numbers drawn last.
    pub coin: Row<u32, L>,
    /// All bits where chains are still to be followed.
    pub looking: Row<T, L>,
    /// Stones whose chains are in doubt.
    left: Sets<T, N, L>,
    /// The chains that are being followed, as far as known.
    chains: Sets<T, N, L>,
    /// Last liberties found this turn.
    pub urgent: Sets<T, N, L>,
}

impl<T: LaneWord, const N: usize, const L: usize> CaptureEscapeLanes<T, N, L> {
    /// No lane is looking.
    pub fn new(policy: Policy) -> Self {
        let none = [[T::default(); L]; N];
        Self {
            threshold: policy.threshold(),
            coin: [0; L],
            looking: [T::default(); L],
            left: none,
            chains: none,
            urgent: none,
        }
    }
}

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> Kernel<T, N, S, L> {
    /// Looks for urgent points, as `scalar::urgent`, in every lane where a
    /// turn begins whose coin says so, or where that is under way.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    pub(super) fn capture_escape(&mut self) {
        let zero = T::default();
        let one = T::from_u64(1);
        for l in 0..L {
            let own = lane(&self.own, l);
            let other = lane(&self.other, l);
            let stones = or(own, other);
            let empty = and_not(self.board, stones);
            let (a, b, c, d) = (up(empty, 1), down(empty, 1), up(empty, S), down(empty, S));
            let beside_two = or(or(and(a, b), and(c, d)), and(or(a, b), or(c, d)));
            let (right, lower) = (down(own, 1), down(own, S));
            let (right_other, lower_other) = (down(other, 1), down(other, S));
            let higher = or(and(own, right), and(other, right_other));
            let above = or(and(own, lower), and(other, lower_other));
            let links = Links { lower: up(higher, 1), higher, below: up(above, S), above };

            // Most chains have a stone beside two empty points, near enough to
            // be seen at once.
            let safe = spread::<T, N, S>(and(beside_two, stones), &links);
            let last = lane(&self.point, l);
            let touched = and_not(or(last, and(neighbors::<T, N, S>(last), own)), safe);
            let is_first = self.no_ply[l] == zero;
            let has_capture_escape =
                (self.capture_escape.coin[l] >> 1) < self.capture_escape.threshold;
            let resumes = self.capture_escape.looking[l];
            let begins = T::ALL.when(is_first && has_capture_escape).and_not(resumes);
            let (mut left, mut chains, mut urgent) = ([zero; N], [zero; N], [zero; N]);
            for w in 0..N {
                let kept = self.capture_escape.left[w][l].and(resumes);
                left[w] = touched[w].and(begins).or(kept);
                chains[w] = self.capture_escape.chains[w][l].and(resumes);
                urgent[w] = self.capture_escape.urgent[w][l].and(resumes);
            }

            // Of the opponent's chains only the last stone's is asked for; of
            // the own ones the next, once the one before is settled.
            let next = lowest(and(left, own));
            let is_free = any(and(chains, own)) == zero;
            for w in 0..N {
                let begun = next[w].when(is_free).or(left[w].and(other[w]));
                chains[w] = chains[w].or(begun);
            }
            let mut before = chains;
            for _ in 0..LOOK_ROUNDS {
                before = chains;
                chains = spread::<T, N, S>(chains, &links);
            }

            // A chain is settled by two liberties, or by being whole.
            let mut looking = zero;
            for stones in [own, other] {
                let chain = and(chains, stones);
                let liberties = and(neighbors::<T, N, S>(chain), empty);
                let number = count(liberties);
                let whole = any(and_not(chain, before)) == zero;
                let settled = whole || number.at_least(T::from_u64(2));
                let found = whole && number == one;
                for w in 0..N {
                    urgent[w] = urgent[w].or(liberties[w].when(found));
                    let done = chain[w].when(settled);
                    left[w] = left[w].and_not(done);
                    chains[w] = chains[w].and_not(done);
                }
            }
            for w in 0..N {
                looking = looking.or(left[w]);
                self.capture_escape.left[w][l] = left[w];
                self.capture_escape.chains[w][l] = chains[w];
                self.capture_escape.urgent[w][l] = urgent[w];
            }
            self.capture_escape.looking[l] = T::ALL.when(looking != zero);
        }
    }
}
