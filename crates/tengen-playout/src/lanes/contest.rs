//! Captures and suicide: the chains beside the point of an attempt.
//!
//! The drawing at the head of `step.rs` shows the sets of this module:
//!
//! ```text
//! contested = neighbours of point whose chain may have no other liberty
//! repeat CHAIN_ROUNDS times: spread contested through its chains
//! a contested chain of the opponent
//!     has another liberty   if it has met a stone that is known to have one
//!     is captured           if not, and the last round has added nothing
//!     is undecided          otherwise: the attempt is pending
//! ```
//!
//! The own chains beside the point are followed in the same way, unless a
//! neighbour of the point is empty: they become one chain with the new stone.

use super::kernel::Kernel;
use crate::sets::lane_word::{LaneWord, and, and_not, any, count_local, neighbors, or, spread};
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
    /// The contested chains, of both colours, as far as they were followed.
    pub(super) chains: [T; N],
    /// Number of the opponent's stones beside the point that were contested when
    /// the attempt began.
    contested_neighbours: T,
    /// Whether a chain of the opponent beside the point is contested.
    opponents_contested: bool,
    /// Whether a stone on the point has a liberty even if it captures nothing.
    has_liberty: bool,
    /// Whether all neighbours of the point are stones of the opponent.
    is_surrounded: bool,
}

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> Kernel<T, N, S, L> {
    /// Finds the contested chains beside the point of lane `l`: those not known
    /// to have a liberty other than the point.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    pub(super) fn find_contested_chains(&self, l: usize) -> Contest<T, N> {
        let zero = T::default();
        let own = lane(&self.own, l);
        let other = lane(&self.other, l);
        let point = lane(&self.point, l);
        let links = self.links(l);
        let was_pending = self.pending[l] != zero;

        // Stones beside the point, and which chains have another liberty. Of
        // the stones that touch the point those beside a second empty point
        // are safe already; the point is the only empty neighbour of the rest.
        let beside = and(neighbors::<T, N, S>(point), self.board);
        let with_liberty = or(lane(&self.safe, l), and_not(lane(&self.beside_empty, l), beside));
        let with_liberty = spread::<T, N, S>(with_liberty, &links);
        let has_liberty = any(and_not(beside, or(other, and_not(own, with_liberty)))) != zero;
        let mut contested = and_not(and(beside, other), with_liberty);
        let known = self.contested_neighbours[l];
        let contested_neighbours = if was_pending { known } else { count_local(contested) };
        let opponents_contested = any(contested) != zero;
        for w in 0..N {
            contested[w] = contested[w].or(beside[w].and(own[w]).when(!has_liberty));
        }
        let chains = or(contested, lane(&self.contested, l));
        let is_surrounded = any(and_not(beside, other)) == zero;
        Contest {
            with_liberty,
            chains,
            contested_neighbours,
            opponents_contested,
            has_liberty,
            is_surrounded,
        }
    }

    /// Stores what [`Self::find_contested_chains`] found for the next loop.
    #[inline(always)]
    pub(super) fn store_contest(&mut self, l: usize, contest: Contest<T, N>) {
        store(&mut self.with_liberty, l, contest.with_liberty);
        store(&mut self.contested, l, contest.chains);
        self.contested_neighbours[l] = contest.contested_neighbours;
        self.opponents_contested[l] = T::ALL.when(contest.opponents_contested);
        self.has_liberty[l] = T::ALL.when(contest.has_liberty);
        self.is_ko[l] = T::ALL.when(contest.is_surrounded);
    }

    /// Loads what [`Self::store_contest`] stored.
    #[inline(always)]
    pub(super) fn stored_contest(&self, l: usize) -> Contest<T, N> {
        let zero = T::default();
        Contest {
            with_liberty: lane(&self.with_liberty, l),
            chains: lane(&self.contested, l),
            contested_neighbours: self.contested_neighbours[l],
            opponents_contested: self.opponents_contested[l] != zero,
            has_liberty: self.has_liberty[l] != zero,
            is_surrounded: self.is_ko[l] != zero,
        }
    }

    /// Finds what a stone on the point of lane `l` captures, and whether it is
    /// legal.
    ///
    /// Contested chains are followed for `CHAIN_ROUNDS` steps only. A lane that
    /// needs more is *pending*: its point, and what is known of the chains, wait
    /// for the next step, so that no lane waits for another.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    pub(super) fn resolve_captures(&mut self, l: usize, contest: Contest<T, N>) {
        let zero = T::default();
        let one = T::from_u64(1);
        let own = lane(&self.own, l);
        let other = lane(&self.other, l);
        let links = self.links(l);
        let passed = self.passed[l] != zero;
        let Contest {
            with_liberty,
            mut chains,
            contested_neighbours,
            opponents_contested,
            has_liberty,
            is_surrounded,
        } = contest;
        let mut before = chains;
        for _ in 0..CHAIN_ROUNDS {
            before = chains;
            chains = spread::<T, N, S>(chains, &links);
        }
        // One stone with another liberty is enough for the own chain that the
        // new stone makes, and for the opponent's if only one stone of theirs
        // is contested. Without one, chains are settled once they are followed
        // to their ends and no stone in them has just been found to have a
        // liberty.
        let (mut own_changed, mut opponent_changed) = (zero, zero);
        let (mut own_has_liberty, mut opponent_has_liberty) = (zero, zero);
        for w in 0..N {
            let change = chains[w].xor(before[w]);
            let change =
                change.or(with_liberty[w].xor(self.pending_with_liberty[w][l]).and(chains[w]));
            own_changed = own_changed.or(change.and(own[w]));
            opponent_changed = opponent_changed.or(change.and(other[w]));
            own_has_liberty = own_has_liberty.or(chains[w].and(with_liberty[w]).and(own[w]));
            opponent_has_liberty =
                opponent_has_liberty.or(chains[w].and(with_liberty[w]).and(other[w]));
        }
        let has_liberty = has_liberty | (own_has_liberty != zero);
        let may_capture =
            opponents_contested & ((contested_neighbours != one) | (opponent_has_liberty == zero));
        let settled = may_capture & (opponent_changed == zero);
        let mut captured = and_not(and(chains, other), with_liberty);
        for w in 0..N {
            captured[w] = captured[w].when(settled);
        }
        let captures = any(captured) != zero;
        let legal = passed | has_liberty | captures;
        let pending = (may_capture & (opponent_changed != zero)) | (!legal & (own_changed != zero));
        let makes_ply = legal & !pending;

        // A ko: one stone captured by a stone without own neighbours, whose only
        // liberty is there. (Of two captured stones or more, two are neighbours
        // of each other or of the point: what `count_local` can count.)
        let is_ko = (count_local(captured) == one) & is_surrounded;

        for w in 0..N {
            self.pending_with_liberty[w][l] = with_liberty[w].when(pending);
            self.contested[w][l] = chains[w].when(pending);
            self.captured[w][l] = captured[w];
        }
        self.contested_neighbours[l] = contested_neighbours;
        self.pending[l] = T::ALL.when(pending);
        self.no_ply[l] = T::ALL.when(!makes_ply);
        self.is_ko[l] = T::ALL.when(is_ko);
    }
}
