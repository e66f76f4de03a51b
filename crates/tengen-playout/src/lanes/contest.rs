//! Captures and suicide: the chains beside the point of an attempt.
//!
//! The drawing at the head of `step.rs` shows the sets of this module:
//!
//! ```text
//! contested = neighbours of point in chains of the opponent that may have no other liberty
//! if there are none, and point has no empty neighbour and no own one with a liberty:
//!     contested = own neighbours of point
//! repeat CHAIN_ROUNDS times: spread contested through its chains
//! a contested chain of the opponent
//!     has another liberty   if it has met a stone that is known to have one
//!     is captured           if not, and the last round has added nothing
//!     is undecided          otherwise: the attempt is pending
//! ```
//!
//! Own chains are followed in the same way: with the new stone they become one chain. So an
//! attempt follows chains of one colour in a step; it follows both colours only where chains
//! of the opponent prove to have liberties and the new stone has none.

use super::kernel::Kernel;
use crate::sets::lane_word::{
    LaneWord, and, and_not, any, masked, neighbors, or, several_local, spread,
};
use crate::sets::rows::{lane, store};

/// Number of `spread`s by which contested chains are followed in one step of the
/// lanes; an attempt that needs more is pending.
const CHAIN_ROUNDS: usize = 2;

/// The contested chains of an attempt, those beside its point that may have no other
/// liberty, and what is known of liberties there.
#[derive(Clone, Copy)]
pub struct Contest<T, const N: usize> {
    /// Stones in chains known to have a liberty other than the point.
    with_liberty: [T; N],
    /// The contested chains, all of one colour, as far as they were followed.
    pub(super) chains: [T; N],
    /// The stones of that colour; none if no chain is contested.
    pub(super) stones: [T; N],
    /// Not zero if several stones of the opponent beside the point were contested when the
    /// attempt began.
    several_contested: T,
    /// Whether a chain of the opponent beside the point is contested.
    opponents_contested: bool,
    /// Whether a stone on the point has a liberty even if it captures nothing, as far as is
    /// known without following its chains.
    has_liberty: bool,
    /// Whether all neighbours of the point are stones of the opponent.
    is_surrounded: bool,
}

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> Kernel<T, N, S, L> {
    /// Finds the contested chains beside the point of lane `l`: those not known
    /// to have a liberty other than the point.
    #[inline(always)]
    pub(super) fn find_contested_chains(&self, l: usize) -> Contest<T, N> {
        let zero = T::default();
        let own = lane(&self.own, l);
        let other = lane(&self.other, l);

        // Stones beside the point, and which chains have another liberty. Of
        // the stones that touch the point those beside a second empty point
        // are safe already; the point is the only empty neighbour of the rest.
        let beside = and(neighbors::<T, N, S>(lane(&self.point, l)), self.board);
        let with_liberty = or(lane(&self.safe, l), and_not(lane(&self.beside_empty, l), beside));
        let with_liberty = or(with_liberty, spread::<T, N, S>(and(with_liberty, other), other));
        let has_liberty = any(and_not(beside, or(other, and_not(own, with_liberty)))) != zero;
        let is_surrounded = any(and_not(beside, other)) == zero;

        let contested = and_not(and(beside, other), with_liberty);
        let opponents_contested = any(contested) != zero;
        let known = self.several_contested[l];
        let was_pending = self.pending[l] != zero;
        let several_contested = if was_pending { known } else { several_local(contested) };
        let of_opponent = T::ALL.when(opponents_contested);
        let of_own = T::ALL.when(!opponents_contested & !has_liberty);
        let stones = or(masked(other, of_opponent), masked(own, of_own));
        let begins = and_not(beside, masked(with_liberty, of_opponent));
        let chains = and(or(begins, lane(&self.contested, l)), stones);
        Contest {
            with_liberty,
            chains,
            stones,
            several_contested,
            opponents_contested,
            has_liberty,
            is_surrounded,
        }
    }

    /// Finds what a stone on the point of lane `l` captures, and whether the stone is
    /// legal.
    ///
    /// Contested chains are followed for `CHAIN_ROUNDS` steps only. A lane that
    /// needs more is *pending*: its point, and what is known of the chains, wait
    /// for the next step, so that no lane waits for another.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    pub(super) fn resolve_captures(&mut self, l: usize, contest: Contest<T, N>) {
        let zero = T::default();
        let passed = self.passed[l] != zero;
        let Contest {
            with_liberty,
            mut chains,
            stones,
            several_contested,
            opponents_contested,
            has_liberty,
            is_surrounded,
        } = contest;
        let mut before = chains;
        for _ in 0..CHAIN_ROUNDS {
            before = chains;
            chains = spread::<T, N, S>(chains, stones);
        }
        // One stone with a liberty is enough for the own chain that the new stone makes, and
        // for the opponent's if only one stone of theirs is contested. Otherwise chains are
        // settled once they are followed to their ends and no stone in them has just been
        // found to have a liberty.
        let (mut change, mut met) = (zero, zero);
        for w in 0..N {
            let found = (with_liberty[w] ^ self.pending_with_liberty[w][l]) & chains[w];
            change |= (chains[w] ^ before[w]) | found;
            met |= chains[w] & with_liberty[w];
        }
        let (changed, meets_liberty) = (change != zero, met != zero);
        let one_has_liberty = opponents_contested & (several_contested == zero) & meets_liberty;
        let may_capture = opponents_contested & !one_has_liberty;
        let captured = masked(and_not(chains, with_liberty), T::ALL.when(may_capture & !changed));
        let captures = any(captured) != zero;
        let own_has_liberty = has_liberty | (!opponents_contested & meets_liberty);
        let legal = passed | own_has_liberty | captures;
        // Where the opponent's chains have liberties, the own ones are followed next.
        let pending = (may_capture & changed) | (!legal & (opponents_contested | changed));
        let makes_ply = legal & !pending;

        // A ko: one stone captured by a stone without own neighbours, whose only liberty
        // is there. (Of two captured stones or more, two are neighbours of each other or
        // of the point: `several_local` detects that.)
        let is_ko = captures & (several_local(captured) == zero) & is_surrounded;

        let waits = T::ALL.when(pending);
        let known = or(with_liberty, masked(chains, T::ALL.when(one_has_liberty)));
        store(&mut self.pending_with_liberty, l, masked(known, waits));
        store(&mut self.contested, l, masked(chains, waits));
        store(&mut self.captured, l, captured);
        self.several_contested[l] = several_contested;
        self.pending[l] = waits;
        self.no_ply[l] = T::ALL.when(!makes_ply);
        self.is_ko[l] = T::ALL.when(is_ko);
    }
}
