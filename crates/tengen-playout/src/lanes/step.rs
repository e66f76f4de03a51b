//! One step of all lanes: a move attempt in every game.
//!
//! # What it computes
//!
//! An attempt in one lane, all of it on sets of points:
//!
//! ```text
//! empty      = board - own - other
//! eyes       = empty points whose neighbours are all own stones, with fewer than
//!              two diagonal stones of the opponent (none at the edge)
//! suicides   = empty points surrounded by stones of the opponent, each in a
//!              chain that is easily seen to have two liberties
//! candidates = empty - eyes - suicides - banned       classify_points
//!                                                     filter_suicides
//! if candidates is empty:
//!     pass
//! else:
//!     point     = candidates[k], k random             sample
//!     contested = the chains of the opponent beside
//!                 point that may have no liberty but
//!                 point                               find_contested_chains
//!     captured  = contested chains that have none
//!     if captured is empty, and no neighbour is empty
//!     and no own chain beside it has another liberty:
//!         banned = banned + point                     resolve_captures
//!         end the attempt: it was suicide, and the
//!         same player tries again in the next step
//!     own   = own + point                             make_plies
//!     other = other - captured
//! banned = the captured stone if this is a ko, else nothing
//! swap own and other
//! ```
//!
//! For example, Black (X, `own`) is to move, and the random number picks the
//! first of the five candidates in row order, A1:
//!
//! ```text
//! position       eyes           suicides       candidates     safe
//! 5 . X . O .    5 * . . . .    5 . . . . .    5 . . * . *    5 . * . * .
//! 4 X X O O .    4 . . . . .    4 . . . . .    4 . . . . *    4 . . * * .
//! 3 O X X O .    3 . . . . .    3 . . . . .    3 . . . . *    3 . . . * .
//! 2 O O X O O    2 . . . . .    2 . . . . .    2 . . . . .    2 . . . * *
//! 1 . X X O .    1 . . . . .    1 . . . . *    1 * . . . .    1 . . . * .
//!   A B C D E      A B C D E      A B C D E      A B C D E      A B C D E
//!
//! point          contested      followed       captured       afterwards
//! 5 . . . . .    5 . . . . .    5 . . . . .    5 . . . . .    5 . X . O .
//! 4 . . . . .    4 . . . . .    4 . . . . .    4 . . . . .    4 X X O O .
//! 3 . . . . .    3 . . . . .    3 * . . . .    3 * . . . .    3 . X X O .
//! 2 . . . . .    2 * . . . .    2 * * . . .    2 * * . . .    2 . . X O O
//! 1 * . . . .    1 . . . . .    1 . . . . .    1 . . . . .    1 X X X O .
//!   A B C D E      A B C D E      A B C D E      A B C D E      A B C D E
//! ```
//!
//! A5 is an eye. E1 is suicide: D1 and E2 belong to a chain with liberties at E3 and C5.
//! *Safe* are the stones whose chain is found to have two liberties: those beside two empty
//! points (B5, D5 and E2), and those of the opponent that [`SUICIDE_ROUNDS`] steps through the
//! chain reach from there. A2, beside A1, is not: it belongs to a chain whose last liberty is
//! A1. So it is contested, and followed through its chain for `CHAIN_ROUNDS` steps. The chain
//! is complete after the first step and has met no stone that is known to have a liberty: it
//! is captured. The black chain of B1 need not be followed then. (The test `drawn_position`
//! plays this attempt.)
//!
//! # How it is made fast
//!
//! - All lanes do the same operations on words side by side, so that one vector
//!   instruction serves many games. Nothing branches: a condition is a mask.
//! - No lane waits for another. Whether a long chain has a liberty may take more
//!   steps than an attempt has: then the attempt is *pending*, and the lane
//!   resumes it in the next step instead of a new one.
//! - Most captures and liberties are seen at once, since safe stones are known
//!   everywhere before a point is drawn; that also rules out most suicides,
//!   which would be attempts in vain.
//! - Chains of one colour are followed in a step, the opponent's first: that mostly
//!   suffices, and needs nothing but the stones of that colour.
//! - The work is cut into loops over the lanes that each fit the registers:
//!   [`Kernel::step`].

use super::kernel::Kernel;
use super::nth::{Chosen, choose_word, draw, in_word};
use crate::policy::{LaneGames, LanePolicy, Thresholds, tactical_lanes};
use crate::sets::lane_word::{LaneWord, and, and_not, down, masked, neighbors, or, spread, up};
use crate::sets::rows::{lane, store};
use crate::simd::FastBmi2;
use crate::{Isa, SUICIDE_ROUNDS};

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> Kernel<T, N, S, L> {
    /// Makes an attempt, or resumes a pending one, in `1 / SHARE` of the lanes
    /// (all of them, the first half or the first quarter), and returns whether a game is over.
    ///
    /// The work is cut into five loops over the lanes, and two of these once more with AVX2
    /// ([`Self::cuts_loops`]). The values of a short loop fit in the
    /// registers; and where each operation waits for the one before, as in drawing a point,
    /// the processor works on several vectors of lanes at once.
    /// What one loop stores for the next stays in the first-level cache. Conditions
    /// are joined by `&` and `|`, since a branch would keep the compiler from making
    /// vector code of a loop; so would a closure.
    #[inline(always)]
    pub(super) fn step<const PREFERS: bool, const SHARE: usize>(&mut self) -> bool {
        self.classify_points::<SHARE>();
        self.filter_suicides::<SHARE>();
        if PREFERS {
            let Self {
                policy,
                target,
                board,
                own,
                other,
                point,
                no_ply,
                preference,
                candidates,
                ..
            } = self;
            let games = LaneGames { board: *board, own, other, point, no_ply };
            policy.choose::<SHARE>(*target, preference, &games, candidates);
        }
        if T::BITS == 64 {
            if let Some(bmi2) = self.target.fast_bmi2() {
                self.sample_by_deposit::<PREFERS, SHARE>(bmi2);
            } else {
                self.sample::<PREFERS, SHARE, false>();
            }
        } else if self.target.avx512().is_some() {
            self.sample::<PREFERS, SHARE, true>();
        } else {
            self.sample::<PREFERS, SHARE, false>();
        }
        if PREFERS && let LanePolicy::Tactical(thresholds) = self.policy {
            self.veto_self_ataris::<SHARE>(thresholds);
        }
        for l in 0..L / SHARE {
            let contest = self.find_contested_chains(l);
            self.resolve_captures(l, contest);
        }
        self.make_plies::<SHARE>()
    }

    /// Whether to cut two of the loops in two, so that their values nearly fit the registers
    /// of AVX2. With AVX-512 the values of whole loops fit, and in the baseline a cut gains
    /// nothing.
    #[inline(always)]
    fn cuts_loops(&self) -> bool {
        self.target.isa() == Isa::Avx2
    }

    /// Finds in every lane the candidates beside an empty point, the enclosed
    /// points that may be candidates, and the stones beside one and two empty points.
    #[inline(always)]
    fn classify_points<const SHARE: usize>(&mut self) {
        if self.cuts_loops() {
            for l in 0..L / SHARE {
                self.find_liberties(l);
            }
            for l in 0..L / SHARE {
                self.find_eyes(l);
            }
        } else {
            for l in 0..L / SHARE {
                self.find_liberties(l);
                self.find_eyes(l);
            }
        }
    }

    /// Finds in every lane the safe stones of the opponent, and adds to the candidates the
    /// enclosed points that are no evident suicide.
    #[inline(always)]
    fn filter_suicides<const SHARE: usize>(&mut self) {
        if self.cuts_loops() {
            for l in 0..L / SHARE {
                let safe = self.spread_safe(l);
                store(&mut self.safe_opponents, l, safe);
            }
            for l in 0..L / SHARE {
                self.add_enclosed_candidates(l, lane(&self.safe_opponents, l));
            }
        } else {
            for l in 0..L / SHARE {
                let safe = self.spread_safe(l);
                self.add_enclosed_candidates(l, safe);
            }
        }
    }

    /// Finds in lane `l` the candidates beside an empty point, the other empty points, and
    /// the stones beside one and two empty points.
    #[inline(always)]
    #[allow(clippy::many_single_char_names)] // four directions
    fn find_liberties(&mut self, l: usize) {
        let stones = or(lane(&self.own, l), lane(&self.other, l));
        let empty = and_not(self.board, stones);
        // Points beside at least one and beside at least two empty points:
        // a to d are the points whose west, east, lower and upper neighbour
        // is empty.
        let (a, b, c, d) = (up(empty, 1), down(empty, 1), up(empty, S), down(empty, S));
        let beside_empty = or(or(a, b), or(c, d));
        let beside_two = or(or(and(a, b), and(c, d)), and(or(a, b), or(c, d)));
        let allowed = and_not(empty, lane(&self.banned, l));
        store(&mut self.candidates, l, and(allowed, beside_empty));
        store(&mut self.enclosed, l, and_not(allowed, beside_empty));
        // What a pending attempt found counts as safe, to be spread further.
        let safe = or(and(beside_two, stones), lane(&self.pending_with_liberty, l));
        store(&mut self.safe, l, safe);
        store(&mut self.beside_empty, l, and(stones, beside_empty));
    }

    /// Removes the eyes from the enclosed points of lane `l`.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    fn find_eyes(&mut self, l: usize) {
        let other = lane(&self.other, l);
        // Points that are no eye even where they are enclosed: beside an
        // opponent's stone, or with two diagonal ones (one at the edge).
        let (c, d) = (up(other, S), down(other, S));
        let beside_other = or(or(up(other, 1), down(other, 1)), or(c, d));
        // Diagonals, columns first: shifts along a row are the cheap ones
        // where words are interleaved.
        let (single, both) = (or(c, d), and(c, d));
        let (west, east) = (up(single, 1), down(single, 1));
        let two = or(or(up(both, 1), down(both, 1)), and(west, east));
        let false_eyes = or(two, and(or(west, east), self.edge));
        let not_eyes = or(beside_other, false_eyes);
        let enclosed = and(lane(&self.enclosed, l), not_eyes);
        store(&mut self.enclosed, l, enclosed);
    }

    /// The safe stones of the opponent in lane `l`: those in chains with two liberties, as far
    /// as `SUICIDE_ROUNDS` steps find them; where an attempt is pending, also in chains with
    /// one liberty other than its point.
    #[inline(always)]
    fn spread_safe(&self, l: usize) -> [T; N] {
        let other = lane(&self.other, l);
        let mut safe = and(lane(&self.safe, l), other);
        for _ in 0..SUICIDE_ROUNDS {
            safe = spread::<T, N, S>(safe, other);
        }
        safe
    }

    /// Adds `safe_opponents` to the safe stones of lane `l`, and to its candidates the enclosed
    /// points beside an own stone or a stone of the opponent that is not safe.
    #[inline(always)]
    fn add_enclosed_candidates(&mut self, l: usize, safe_opponents: [T; N]) {
        let (own, other) = (lane(&self.own, l), lane(&self.other, l));
        let safe = or(lane(&self.safe, l), safe_opponents);
        store(&mut self.safe, l, safe);
        let may_be_legal = neighbors::<T, N, S>(or(own, and_not(other, safe_opponents)));
        let enclosed = and(lane(&self.enclosed, l), may_be_legal);
        let candidates = or(lane(&self.candidates, l), enclosed);
        store(&mut self.candidates, l, candidates);
    }

    /// Draws a candidate in every lane where no attempt is pending; without a
    /// candidate the player passes.
    #[inline(always)]
    fn sample<const PREFERS: bool, const SHARE: usize, const POPCOUNT: bool>(&mut self) {
        for l in 0..L / SHARE {
            let set = self.drawn_from::<PREFERS>(l);
            let drawn = draw::<T, N, POPCOUNT>(set, self.random_bits[l]);
            self.store_passed::<PREFERS>(l, drawn.count);
            self.store_point(l, drawn.point);
        }
    }

    /// Does the same as [`Self::sample`], but finds the bit of a candidate in its word by
    /// one instruction per lane. Vectors take six steps that wait for each other.
    #[inline(always)]
    fn sample_by_deposit<const PREFERS: bool, const SHARE: usize>(&mut self, bmi2: FastBmi2) {
        for l in 0..L / SHARE {
            let set = self.drawn_from::<PREFERS>(l);
            let Chosen { word, number, k, count, .. } = choose_word(set, self.random_bits[l]);
            self.drawn_word[l] = word;
            self.word_number[l] = number;
            self.bit_number[l] = k;
            self.store_passed::<PREFERS>(l, count);
        }
        for l in 0..L / SHARE {
            #[allow(clippy::cast_possible_truncation)] // below 64
            let k = self.bit_number[l].to_u64() as u32;
            self.drawn_word[l] = T::from_u64(bmi2.nth_bit(self.drawn_word[l].to_u64(), k));
        }
        for l in 0..L / SHARE {
            self.store_point(l, in_word(self.drawn_word[l], self.word_number[l]));
        }
    }

    /// The points that lane `l` draws from. A lane that is still searching for preferred
    /// points draws nothing, and so the rest of the step changes nothing there.
    #[inline(always)]
    fn drawn_from<const PREFERS: bool>(&self, l: usize) -> [T; N] {
        let candidates = lane(&self.candidates, l);
        if PREFERS { self.preference.drawn_from(l, candidates) } else { candidates }
    }

    /// Stores whether lane `l` passes, having `count` points to draw from.
    #[inline(always)]
    fn store_passed<const PREFERS: bool>(&mut self, l: usize, count: T) {
        let zero = T::default();
        let searching = if PREFERS { self.preference.searching[l] } else { zero };
        let none = T::ALL.when(count == zero);
        self.passed[l] = none.and_not(self.pending[l]).and_not(searching);
    }

    /// Stores the point drawn in lane `l`, unless an attempt is pending there.
    #[inline(always)]
    fn store_point(&mut self, l: usize, point: [T; N]) {
        let waiting = self.pending[l];
        for w in 0..N {
            self.point[w][l] = (self.point[w][l] & waiting) | point[w].and_not(waiting);
        }
    }

    /// Vetoes bad self-ataris among the points just drawn: their attempts fail as suicides do.
    #[inline(always)]
    fn veto_self_ataris<const SHARE: usize>(&mut self, thresholds: Thresholds) {
        let Self { board, own, other, point, banned, pending, preference, .. } = self;
        tactical_lanes::veto::<T, N, S, L, SHARE>(
            thresholds, preference, *board, own, other, pending, point, banned,
        );
    }

    /// Makes the plies that were found legal, and returns whether a game is over.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    fn make_plies<const SHARE: usize>(&mut self) -> bool {
        let zero = T::default();
        let one = T::from_u64(1);
        let mut over = zero;
        for l in 0..L / SHARE {
            let black = self.black_to_move[l];
            let no_ply = self.no_ply[l];
            let made_ply = !no_ply;
            let is_ko = self.is_ko[l];
            let (point, captured) = (lane(&self.point, l), lane(&self.captured, l));
            let stone = masked(point, made_ply);
            // The point of a pending attempt is banned too: whether it turns out
            // legal or not, it is not drawn again this turn.
            let banned = or(lane(&self.banned, l), point);
            store(&mut self.banned, l, or(masked(banned, no_ply), masked(captured, is_ko)));
            let (played, black_first) = (lane(&self.played, l), lane(&self.black_first, l));
            store(&mut self.played, l, or(played, stone));
            let first = masked(and_not(stone, played), black);
            store(&mut self.black_first, l, or(black_first, first));
            // Swapped by masks: of a conditional swap the compiler makes scattered
            // stores.
            let own = or(lane(&self.own, l), stone);
            let other = and_not(lane(&self.other, l), captured);
            store(&mut self.own, l, or(masked(other, made_ply), masked(own, no_ply)));
            store(&mut self.other, l, or(masked(own, made_ply), masked(other, no_ply)));
            self.black_to_move[l] = black ^ made_ply;
            let passes = self.passes[l];
            let passed = self.passed[l] != zero;
            let passes = if passed { passes.plus(one) } else { passes & no_ply };
            self.passes[l] = passes;
            // The mask `made_ply` is 0 or, with all bits set, minus one.
            let plies = self.plies[l].minus(made_ply);
            self.plies[l] = plies;
            let ended = passes.at_least(T::from_u64(2)) | plies.at_least(self.limit);
            over |= T::ALL.when(ended).and_not(self.idle[l]);
        }
        self.steps = self.steps.wrapping_add((L / SHARE) as u64);
        self.busy_steps = self.busy_steps.wrapping_add(self.busy.into());
        over != zero
    }
}

#[cfg(test)]
#[path = "drawn_position.rs"]
mod drawn_position;
