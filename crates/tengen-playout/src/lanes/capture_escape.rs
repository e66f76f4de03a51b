//! Urgent points in all lanes: the last liberties of chains in atari beside the
//! opponent's last stone, which the capture-escape policy prefers.
//!
//! What it computes, as [`urgent`](crate::scalar::urgent) does for one game:
//!
//! ```text
//! unsettled = the last stone and its neighbours of the player to move,
//!             less those in chains seen to have two liberties
//! for each chain through unsettled:
//!     urgent = urgent + its liberty, if it has just one
//! ```

use super::kernel::Kernel;
use super::lane_word::{
    LaneWord, Links, and, and_not, any, count, down, lowest, neighbors, or, spread, up,
};
use super::rows::lane;

/// Number of `spread`s by which a chain is followed in one step of the lanes.
const FOLLOW_ROUNDS: usize = 3;

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> Kernel<T, N, S, L> {
    /// Searches for urgent points, as `scalar::urgent`, in every lane where a
    /// turn begins whose coin is below the threshold, or where the search was
    /// not finished.
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
            // Points beside two empty points, and links, as in `classify_points`.
            let (a, b, c, d) = (up(empty, 1), down(empty, 1), up(empty, S), down(empty, S));
            let beside_two = or(or(and(a, b), and(c, d)), and(or(a, b), or(c, d)));
            let (right, lower) = (down(own, 1), down(own, S));
            let (right_other, lower_other) = (down(other, 1), down(other, S));
            let higher = or(and(own, right), and(other, right_other));
            let above = or(and(own, lower), and(other, lower_other));
            let links = Links { lower: up(higher, 1), higher, below: up(above, S), above };

            // The chains of the last stone and of own stones beside it mostly have a stone
            // beside two empty points at most one step away: they are not in atari.
            let safe = spread::<T, N, S>(and(beside_two, stones), &links);
            let last = lane(&self.point, l);
            let beside_last = and_not(or(last, and(neighbors::<T, N, S>(last), own)), safe);
            let is_first = self.no_ply[l] == zero;
            let prefers_urgent = (self.capture_escape.coin[l] >> 1) < self.capture_escape.threshold;
            let resumes = self.capture_escape.searching[l];
            let begins = T::ALL.when(is_first && prefers_urgent).and_not(resumes);
            let (mut unsettled, mut chains, mut urgent) = ([zero; N], [zero; N], [zero; N]);
            for w in 0..N {
                let carried = self.capture_escape.unsettled[w][l].and(resumes);
                unsettled[w] = beside_last[w].and(begins).or(carried);
                chains[w] = self.capture_escape.followed[w][l].and(resumes);
                urgent[w] = self.capture_escape.urgent[w][l].and(resumes);
            }

            // Of the opponent's chains only the last stone's matters; own chains
            // are followed one after another, the next once the one before is
            // settled.
            let next = lowest(and(unsettled, own));
            let is_settled = any(and(chains, own)) == zero;
            for w in 0..N {
                let added = next[w].when(is_settled).or(unsettled[w].and(other[w]));
                chains[w] = chains[w].or(added);
            }
            let mut before = chains;
            for _ in 0..FOLLOW_ROUNDS {
                before = chains;
                chains = spread::<T, N, S>(chains, &links);
            }

            // A chain is settled when it has two liberties, or is followed to
            // its ends.
            let mut searching = zero;
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
                    unsettled[w] = unsettled[w].and_not(done);
                    chains[w] = chains[w].and_not(done);
                }
            }
            for w in 0..N {
                searching = searching.or(unsettled[w]);
                self.capture_escape.unsettled[w][l] = unsettled[w];
                self.capture_escape.followed[w][l] = chains[w];
                self.capture_escape.urgent[w][l] = urgent[w];
            }
            self.capture_escape.searching[l] = T::ALL.when(searching != zero);
        }
    }
}
