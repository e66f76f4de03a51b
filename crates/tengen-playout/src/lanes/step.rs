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
//!     contested = the chains beside point that may
//!                 have no liberty but point           find_contested_chains
//!     captured  = contested chains of the opponent
//!                 that have none
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
//! 4 X X O O .    4 . . . . .    4 . . . . .    4 . . . . *    4 * * * * .
//! 3 O X X O .    3 . . . . .    3 . . . . .    3 . . . . *    3 . * * * .
//! 2 O O X O O    2 . . . . .    2 . . . . .    2 . . . . .    2 . . * * *
//! 1 . X X O .    1 . . . . .    1 . . . . *    1 * . . . .    1 . . . * .
//!   A B C D E      A B C D E      A B C D E      A B C D E      A B C D E
//!
//! point          contested      followed       captured       afterwards
//! 5 . . . . .    5 . . . . .    5 . . . . .    5 . . . . .    5 . X . O .
//! 4 . . . . .    4 . . . . .    4 . . . . .    4 . . . . .    4 X X O O .
//! 3 . . . . .    3 . . . . .    3 * . * . .    3 * . . . .    3 . X X O .
//! 2 . . . . .    2 * . . . .    2 * * * . .    2 * * . . .    2 . . X O O
//! 1 * . . . .    1 . * . . .    1 . * * . .    1 . . . . .    1 X X X O .
//!   A B C D E      A B C D E      A B C D E      A B C D E      A B C D E
//! ```
//!
//! A5 is an eye. E1 is suicide: D1 and E2 belong to a chain with liberties at
//! E3 and C5. *Safe* are the stones whose chain is found to have two liberties:
//! those beside two empty points (B5, D5 and E2), and those that
//! [`SUICIDE_ROUNDS`] steps through the chain reach from there. Neither
//! neighbour of A1 is safe: A2 belongs to a chain whose last liberty is A1, and
//! B1 is too far from B5. So both are contested, and followed through their
//! chains for `CHAIN_ROUNDS` steps. The white chain is complete after the first
//! and has met no safe stone: it is captured. The black one has met C2, which is
//! safe. (The test `drawn_position` plays this attempt.)
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
//! - The work is cut into loops over the lanes that each fit the registers:
//!   [`Kernel::step`].

use super::kernel::Kernel;
use super::nth::nth;
use crate::SUICIDE_ROUNDS;
use crate::sets::lane_word::{LaneWord, Links, and, and_not, down, neighbors, or, spread, up};
use crate::sets::rows::{lane, store};

/// Number of words per set from which on contested chains are found in one loop
/// over the lanes and resolved in another.
const MANY_WORDS: usize = 4;

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> Kernel<T, N, S, L> {
    /// Makes an attempt, or resumes a pending one, in `1 / SHARE` of the lanes
    /// (all of them, the first half or the first quarter), and returns whether a game is over.
    ///
    /// The work is cut into five or six loops over the lanes. The values of a short
    /// loop fit in the registers; and where each operation waits for the one before,
    /// as in drawing a point, the processor works on several vectors of lanes at once.
    /// What one loop stores for the next stays in the first-level cache. Conditions
    /// are joined by `&` and `|`, since a branch would keep the compiler from making
    /// vector code of a loop; so would a closure.
    #[inline(always)]
    pub(super) fn step<const PREFERS: bool, const SHARE: usize>(&mut self) -> bool {
        self.classify_points::<SHARE>();
        self.filter_suicides::<SHARE>();
        self.sample::<PREFERS, SHARE>();
        for l in 0..L / SHARE {
            let contest = self.find_contested_chains(l);
            if N < MANY_WORDS {
                self.resolve_captures(l, contest);
            } else {
                self.store_contest(l, contest);
            }
        }
        if N >= MANY_WORDS {
            for l in 0..L / SHARE {
                self.resolve_captures(l, self.stored_contest(l));
            }
        }
        self.make_plies::<SHARE>()
    }

    /// Finds in every lane the candidates beside an empty point, the enclosed
    /// points that may be candidates, the stones beside two empty points, and
    /// the links between stones.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    fn classify_points<const SHARE: usize>(&mut self) {
        for l in 0..L / SHARE {
            let own = lane(&self.own, l);
            let other = lane(&self.other, l);
            let stones = or(own, other);
            let empty = and_not(self.board, stones);

            // Points beside at least one and beside at least two empty points:
            // a to d are the points whose west, east, lower and upper neighbour
            // is empty.
            let (a, b, c, d) = (up(empty, 1), down(empty, 1), up(empty, S), down(empty, S));
            let beside_empty = or(or(a, b), or(c, d));
            let beside_two = or(or(and(a, b), and(c, d)), and(or(a, b), or(c, d)));

            // Points that are no eye even where they are enclosed: beside an
            // opponent's stone, or with two diagonal ones (one at the edge).
            // On the way, the links between stones of one colour.
            let (a, b, c, d) = (up(other, 1), down(other, 1), up(other, S), down(other, S));
            let beside_other = or(or(a, b), or(c, d));
            let higher = or(and(own, down(own, 1)), and(other, b));
            let above = or(and(own, down(own, S)), and(other, d));
            let links = Links { lower: up(higher, 1), higher, below: up(above, S), above };
            // Diagonals, columns first: shifts along a row are the cheap ones
            // where words are interleaved.
            let (single, both) = (or(c, d), and(c, d));
            let (west, east) = (up(single, 1), down(single, 1));
            let two = or(or(up(both, 1), down(both, 1)), and(west, east));
            let false_eyes = or(two, and(or(west, east), self.edge));
            let not_eyes = or(beside_other, false_eyes);

            // What a pending attempt found counts as safe, to be spread further.
            let allowed = and_not(empty, lane(&self.banned, l));
            store(&mut self.candidates, l, and(allowed, beside_empty));
            store(&mut self.enclosed, l, and_not(and(allowed, not_eyes), beside_empty));
            store(
                &mut self.safe,
                l,
                or(and(beside_two, stones), lane(&self.pending_with_liberty, l)),
            );
            store(&mut self.beside_empty, l, and(stones, beside_empty));
            store(&mut self.links.lower, l, links.lower);
            store(&mut self.links.higher, l, links.higher);
            store(&mut self.links.below, l, links.below);
            store(&mut self.links.above, l, links.above);
        }
    }

    /// Spreads `safe` through chains, and adds to the candidates the enclosed
    /// points that are no evident suicide.
    #[inline(always)]
    fn filter_suicides<const SHARE: usize>(&mut self) {
        for l in 0..L / SHARE {
            // Chains with two liberties, as far as `SUICIDE_ROUNDS` steps find
            // them; where an attempt is pending, also chains with one liberty
            // other than its point.
            let links = self.links(l);
            let mut safe = lane(&self.safe, l);
            for _ in 0..SUICIDE_ROUNDS {
                safe = spread::<T, N, S>(safe, &links);
            }
            store(&mut self.safe, l, safe);
            let may_be_legal =
                neighbors::<T, N, S>(or(lane(&self.own, l), and_not(lane(&self.other, l), safe)));
            let candidates =
                or(lane(&self.candidates, l), and(lane(&self.enclosed, l), may_be_legal));
            store(&mut self.candidates, l, candidates);
        }
    }

    /// The links between the stones of lane `l`.
    #[inline(always)]
    pub(super) fn links(&self, l: usize) -> Links<T, N> {
        Links {
            lower: lane(&self.links.lower, l),
            higher: lane(&self.links.higher, l),
            below: lane(&self.links.below, l),
            above: lane(&self.links.above, l),
        }
    }

    /// Draws a candidate in every lane where no attempt is pending; without a
    /// candidate the player passes.
    #[inline(always)]
    fn sample<const PREFERS: bool, const SHARE: usize>(&mut self) {
        let zero = T::default();
        for l in 0..L / SHARE {
            let mut set = lane(&self.candidates, l);
            // A lane that is still searching for preferred points draws nothing,
            // and so the rest of the step changes nothing there.
            let searching = if PREFERS { self.preference.searching[l] } else { zero };
            if PREFERS {
                set = self.preference.drawn_from(l, set);
            }
            let mut counts = [zero; N];
            let mut candidates = zero;
            for w in 0..N {
                counts[w] = set[w].count();
                candidates = candidates.plus(counts[w]);
            }
            let waiting = self.pending[l];
            let drawn = nth(set, counts, T::below(self.random_bits[l], candidates));
            for w in 0..N {
                self.point[w][l] = self.point[w][l].and(waiting).or(drawn[w].and_not(waiting));
            }
            self.passed[l] = T::ALL.when(candidates == zero).and_not(waiting).and_not(searching);
        }
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
            let made_ply = no_ply.not();
            let is_ko = self.is_ko[l];
            for w in 0..N {
                let (point, captured) = (self.point[w][l], self.captured[w][l]);
                let stone = point.and(made_ply);
                // The point of a pending attempt is banned too: whether it turns out
                // legal or not, it is not drawn again this turn.
                let banned = self.banned[w][l].or(point);
                self.banned[w][l] = banned.and(no_ply).or(captured.and(is_ko));
                let played = self.played[w][l];
                self.played[w][l] = played.or(stone);
                self.black_first[w][l] =
                    self.black_first[w][l].or(stone.and_not(played).and(black));
                let (own, other) = (self.own[w][l].or(stone), self.other[w][l].and_not(captured));
                // Swapped by masks: of a conditional swap the compiler makes scattered
                // stores.
                self.own[w][l] = other.and(made_ply).or(own.and(no_ply));
                self.other[w][l] = own.and(made_ply).or(other.and(no_ply));
            }
            self.black_to_move[l] = black.xor(made_ply);
            let passes = self.passes[l];
            let passed = self.passed[l] != zero;
            let passes = if passed { passes.plus(one) } else { passes.and(no_ply) };
            self.passes[l] = passes;
            // The mask `made_ply` is 0 or, with all bits set, minus one.
            let plies = self.plies[l].minus(made_ply);
            self.plies[l] = plies;
            let ended = passes.at_least(T::from_u64(2)) | plies.at_least(self.limit);
            over = over.or(T::ALL.when(ended).and_not(self.idle[l]));
        }
        self.steps = self.steps.wrapping_add((L / SHARE) as u64);
        over != zero
    }
}

#[cfg(test)]
#[path = "drawn_position.rs"]
mod drawn_position;
