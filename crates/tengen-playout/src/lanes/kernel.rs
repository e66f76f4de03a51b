//! The kernel: the state of the games in all lanes, and what is computed from it.
//!
//! ```text
//! load(lane, position)    writes a position into the lane
//! draw_numbers            one random number per lane
//! step                    one move attempt per lane (step.rs)
//! over                    the lanes whose game has ended
//! areas(lane)             both areas, for the score:
//!     by_own   = empty points that own stones reach through empty points
//!     by_other = empty points that stones of the opponent reach so
//!     [own + (by_own - by_other), other + (by_other - by_own)]
//! ```
//!
//! Every quantity of a game is a row with one entry per lane, and a set of
//! points is `N` rows, one per word:
//!
//! ```text
//!               lane 0       lane 1       lane 2       …
//! own[0]        01100…       00101…       00000…          word 0 of the sets
//! own[1]        10000…       11000…       00010…          word 1
//! plies         37           12           0
//! pending       000…0        111…1        000…0           a mask: no or yes
//! ```
//!
//! So a loop over the lanes reads and writes whole vectors. A *mask* is a word
//! whose bits are all set where a condition holds and all clear where not; it
//! selects by `and` and `or` what a branch would choose.
//!
//! For example, these are the entries of one lane for the 5×5 position drawn in
//! `step.rs`, before and after Black captures three stones by A1. There is one word of
//! 32 bits per set; its bits are written from the lowest up, row after row, and `|`
//! is the bit of the padding column:
//!
//! ```text
//! before           own[0]           01100|00100|01100|11000|01000|
//! 5 . X . O .      other[0]         00010|11011|10010|00110|00010|
//! 4 X X O O .      black_to_move    all bits set
//! 3 O X X O .
//! 2 O O X O O      row              1     2     3     4     5
//! 1 . X X O .
//!   A B C D E
//!
//! after            own[0]           00010|00011|00010|00110|00010|
//! 5 . X . O .      other[0]         11100|00100|01100|11000|01000|
//! 4 X X O O .      black_to_move    0
//! 3 . X X O .
//! 2 . . X O O      row              1     2     3     4     5
//! 1 X X X O .
//!   A B C D E
//! ```
//!
//! `own` are the stones of the player to move: Black's before, White's after.
//!
//! The engine (`engine.rs`) repeats until a game is over: check the early-stop rule,
//! draw random numbers, search for the points that the policy prefers, if any, make a
//! step.

use crate::policy::{LaneGames, LanePolicy, PreferenceLanes};
use crate::sets::lane_word::{LaneWord, and, and_not, any, neighbors, or};
use crate::sets::rows::{Row, Sets, lane, store};
use crate::simd::Target;
use tengen_stats::seed::split_mix;

/// `L` games side by side: entry `l` of every row belongs to the game of lane
/// `l`. Sets of points are in `N` words of type `T` on a grid of `S` columns.
///
/// Aligned so that rows are whole cache lines.
#[repr(align(64))]
pub struct Kernel<T: 'static, const N: usize, const S: usize, const L: usize> {
    /// Stones of the player to move.
    pub own: Sets<T, N, L>,
    /// Stones of the other player.
    pub other: Sets<T, N, L>,
    /// Points that are no candidates this turn: the ko point, and points found to be
    /// suicide.
    pub(super) banned: Sets<T, N, L>,
    /// Points played on by either player in this playout.
    pub played: Sets<T, N, L>,
    /// The points of `played` where Black played first.
    pub black_first: Sets<T, N, L>,
    /// Mask: Black is to move.
    pub black_to_move: Row<T, L>,
    /// Number of passes since the last stone, 0 to 2.
    pub passes: Row<T, L>,
    /// Number of plies made in this playout.
    pub plies: Row<T, L>,
    /// Number of steps made, summed over the lanes.
    pub steps: u64,
    /// Steps made by lanes with a game, and the number of these lanes.
    pub busy_steps: u64,
    pub busy: u32,
    /// States of the random number generators, four words per lane.
    pub random: [[u64; L]; 4],
    /// Mask: the lane holds no game.
    pub idle: Row<T, L>,
    /// The points of the board.
    pub(super) board: [T; N],
    /// The points at the edge of the board.
    pub(super) edge: [T; N],
    /// Number of plies after which a playout is cut short.
    pub(super) limit: T,

    /// Upper halves of this step's random numbers, by which candidates are
    /// drawn.
    pub(super) random_bits: Row<u32, L>,
    /// Mask: the last attempt is not finished, and is resumed in the next step.
    pub(super) pending: Row<T, L>,
    /// Mask: the last step made no ply.
    pub(super) no_ply: Row<T, L>,
    /// Not zero if several stones of the opponent beside the point were contested when the
    /// attempt began.
    pub(super) several_contested: Row<T, L>,
    /// The point of the last attempt; empty after a pass.
    pub(super) point: Sets<T, N, L>,
    /// Of a pending attempt: stones in chains known to have a liberty other than
    /// its point.
    pub(super) pending_with_liberty: Sets<T, N, L>,
    /// Of a pending attempt: the contested chains, as far as they were followed.
    pub(super) contested: Sets<T, N, L>,
    /// Mask: there was no candidate, so that the player passes.
    pub(super) passed: Row<T, L>,
    /// The candidates of this attempt.
    pub(super) candidates: Sets<T, N, L>,
    /// Empty points without an empty neighbour that are no eyes and not banned.
    pub(super) enclosed: Sets<T, N, L>,
    /// The stones that a stone on the point captures.
    pub(super) captured: Sets<T, N, L>,
    /// Mask: the captured stone becomes the ko point.
    pub(super) is_ko: Row<T, L>,
    /// Stones in chains known to have two liberties or, where an attempt is pending, one
    /// liberty other than its point. Of the player's own stones only those that are
    /// themselves beside two empty points.
    pub(super) safe: Sets<T, N, L>,
    /// The safe stones of the opponent, for the second half of a loop that is cut.
    pub(super) safe_opponents: Sets<T, N, L>,
    /// Stones beside at least one empty point.
    pub(super) beside_empty: Sets<T, N, L>,
    /// While a candidate is being drawn: the word that has it, then the candidate alone
    /// in that word; the number of the word; the number of the candidate in the word.
    pub(super) drawn_word: Row<T, L>,
    pub(super) word_number: Row<T, L>,
    pub(super) bit_number: Row<T, L>,
    /// The instruction set.
    pub(super) target: Target,
    /// The policy of all games.
    pub(super) policy: LanePolicy<T, N, S, L>,
    /// The search for the points that the policy prefers.
    pub preference: PreferenceLanes<T, N, L>,
}

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> Kernel<T, N, S, L> {
    /// All lanes idle.
    pub fn new(
        board: [T; N],
        edge: [T; N],
        limit: u32,
        policy: LanePolicy<T, N, S, L>,
        target: Target,
    ) -> Self {
        const {
            // `several_local` looks for neighbouring stones in the union of words.
            assert!(S > 2 && S + 1 < T::BITS && 2 * S != T::BITS);
        }
        let none = [[T::default(); L]; N];
        let zero = [T::default(); L];
        Self {
            own: none,
            other: none,
            banned: none,
            played: none,
            black_first: none,
            black_to_move: zero,
            passes: zero,
            plies: zero,
            steps: 0,
            busy_steps: 0,
            busy: 0,
            random: [[0; L]; 4],
            idle: [T::ALL; L],
            board,
            edge,
            limit: T::from_u64(u64::from(limit)),
            random_bits: [0; L],
            pending: zero,
            no_ply: zero,
            several_contested: zero,
            point: none,
            pending_with_liberty: none,
            contested: none,
            passed: zero,
            candidates: none,
            enclosed: none,
            captured: none,
            is_ko: zero,
            safe: none,
            safe_opponents: none,
            beside_empty: none,
            drawn_word: zero,
            word_number: zero,
            bit_number: zero,
            target,
            policy,
            preference: PreferenceLanes::new(policy.coin_thresholds()),
        }
    }

    /// Begins a game in lane `l`, where no attempt may be pending. After a game that was
    /// stopped early, or under a policy that prefers points, an attempt may be pending:
    /// then call [`Self::cancel_attempt`] first.
    #[inline(always)]
    pub fn load(&mut self, l: usize, own: [T; N], other: [T; N], ko: [T; N]) {
        store(&mut self.own, l, own);
        store(&mut self.other, l, other);
        store(&mut self.banned, l, ko);
        store(&mut self.played, l, [T::default(); N]);
        store(&mut self.black_first, l, [T::default(); N]);
        self.plies[l] = T::default();
        self.idle[l] = T::default();
    }

    /// Cancels the attempt that is pending in lane `l`, if any.
    pub fn cancel_attempt(&mut self, l: usize) {
        for set in [&mut self.pending_with_liberty, &mut self.contested, &mut self.point] {
            store(set, l, [T::default(); N]);
        }
        self.pending[l] = T::default();
        self.no_ply[l] = T::default();
        self.preference.searching[l] = T::default();
        self.preference.checking[l] = T::default();
    }

    /// Seeds the random number generator of lane `l`, as
    /// `Xoshiro256PlusPlus::seed_from_u64` does.
    pub fn seed(&mut self, l: usize, seed: u64) {
        let mut state = seed;
        for word in &mut self.random {
            word[l] = split_mix(state);
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        }
    }

    /// The points played on in lane `l`, and those where Black played first.
    pub fn first_plays(&self, l: usize) -> [[T; N]; 2] {
        [lane(&self.played, l), lane(&self.black_first, l)]
    }

    /// Leaves lane `l` without a game, on a full board, where both players pass: so the
    /// lane never has a pending attempt or a result.
    pub fn park(&mut self, l: usize) {
        self.load(l, self.board, [T::default(); N], [T::default(); N]);
        self.idle[l] = T::ALL;
    }

    /// The lanes whose game is over, as a bit set: lane 0 is the lowest bit.
    #[inline(always)]
    pub(super) fn over(&self) -> u64 {
        // In parts of 32 lanes: a vector holds twice as many numbers of 32 bits as of 64.
        let mut lanes = 0;
        for from in (0..L).step_by(32) {
            let mut part = 0_u32;
            for l in from..L.min(from + 32) {
                let over = self.is_over(l) & (self.idle[l] == T::default());
                part |= u32::from(over) << (l - from);
            }
            lanes |= u64::from(part) << from;
        }
        lanes
    }

    /// The areas of the player to move and of the opponent in lane `l`.
    #[inline(always)]
    pub fn areas(&self, l: usize) -> [[T; N]; 2] {
        let (own, other) = (lane(&self.own, l), lane(&self.other, l));
        let empty = and_not(self.board, or(own, other));
        let (mut by_own, mut by_other) = (neighbors::<T, N, S>(own), neighbors::<T, N, S>(other));
        if any(and(empty, neighbors::<T, N, S>(empty))) != T::default() {
            // Rare: a playout that was cut short, or that began after a pass.
            by_own = flood::<T, N, S>(by_own, empty);
            by_other = flood::<T, N, S>(by_other, empty);
        }
        [
            or(own, and(empty, and_not(by_own, by_other))),
            or(other, and(empty, and_not(by_other, by_own))),
        ]
    }

    /// Whether the game in lane `l` is over.
    #[inline(always)]
    pub fn is_over(&self, l: usize) -> bool {
        self.passes[l].at_least(T::from_u64(2)) | self.plies[l].at_least(self.limit)
    }

    /// Searches for the points that the policy prefers, in every lane where a turn begins
    /// or the search was not finished.
    #[inline(always)]
    pub(super) fn search_preferred<const SHARE: usize>(&mut self) {
        let Self { policy, board, own, other, point, no_ply, preference, .. } = self;
        let games = LaneGames { board: *board, own, other, point, no_ply };
        policy.search::<SHARE>(preference, &games);
    }

    /// Draws one output of every lane's xoshiro256++ (Blackman and Vigna, 2019).
    /// The upper half draws the candidate; the lower half is the coin of
    /// policies that prefer points. Nothing is drawn where an attempt, or the search
    /// for preferred points before it, is pending.
    #[inline(always)]
    // The halves of a number are cut off it on purpose.
    #[allow(clippy::many_single_char_names, clippy::cast_possible_truncation)]
    pub(super) fn draw_numbers<const PREFERS: bool, const SHARE: usize>(&mut self) {
        let [s0, s1, s2, s3] = &mut self.random;
        for l in 0..L / SHARE {
            let mut waiting = self.pending[l];
            if PREFERS {
                waiting |= self.preference.searching[l] | self.preference.checking[l];
            }
            let fresh = waiting == T::default();
            let (a, b, c, d) = (s0[l], s1[l], s2[l], s3[l]);
            let sum = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
            if PREFERS {
                // A search that goes on keeps the number that began it.
                self.random_bits[l] = if fresh { (sum >> 32) as u32 } else { self.random_bits[l] };
                self.preference.coin[l] = if fresh { sum as u32 } else { self.preference.coin[l] };
            } else {
                self.random_bits[l] = (sum >> 32) as u32;
            }
            let (e, f) = (c ^ a, d ^ b);
            s0[l] = if fresh { a ^ f } else { a };
            s1[l] = if fresh { b ^ e } else { b };
            s2[l] = if fresh { e ^ (b << 17) } else { c };
            s3[l] = if fresh { f.rotate_left(45) } else { d };
        }
    }
}

/// Flood fill: the points of `within` connected within it to a point of `set`
/// in it.
#[inline(always)]
fn flood<T: LaneWord, const N: usize, const S: usize>(set: [T; N], within: [T; N]) -> [T; N] {
    let mut reached = and(set, within);
    loop {
        let next = or(reached, and(neighbors::<T, N, S>(reached), within));
        if next == reached {
            return reached;
        }
        reached = next;
    }
}
