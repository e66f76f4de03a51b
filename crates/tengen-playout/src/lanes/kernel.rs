//! The games in the lanes, from the position put in to the result.

use super::capture_escape::CaptureEscapeLanes;
use super::early_stop::EarlyStopLanes;
use super::lane_word::{LaneWord, Links, and, and_not, any, neighbors, or};
use crate::Policy;
use tengen_go::seed::split_mix;

/// A value of type `T` a lane.
pub type Row<T, const L: usize> = [T; L];
/// A set of points a lane.
pub type Sets<T, const N: usize, const L: usize> = [[T; L]; N];

/// `L` games side by side: lane `l` of every row is one game. Sets are in `N`
/// words of type `T` on a grid of `S` columns.
///
/// Aligned so that a row is whole cache lines.
#[repr(align(64))]
pub struct Kernel<T, const N: usize, const S: usize, const L: usize> {
    /// Stones of the player to move.
    pub own: Sets<T, N, L>,
    /// Stones of the other player.
    pub other: Sets<T, N, L>,
    /// Points that are no candidates this turn: the ko, and those tried.
    pub(super) banned: Sets<T, N, L>,
    /// Points on which a stone has been put in this playout.
    pub used: Sets<T, N, L>,
    /// Those where Black was the first.
    pub black_first: Sets<T, N, L>,
    /// All bits where Black is to move, else none.
    pub black: Row<T, L>,
    /// Passes just made.
    pub passes: Row<T, L>,
    /// Plies made.
    pub plies: Row<T, L>,
    /// Steps made, counted by lane.
    pub steps: u64,
    /// The streams: four words each.
    pub random: [[u64; L]; 4],
    /// All bits in a lane that holds no game.
    pub idle: Row<T, L>,
    /// The points of the board.
    pub(super) board: [T; N],
    /// The points at its edge.
    pub(super) edge: [T; N],
    /// Plies after which a playout is cut short.
    pub(super) limit: T,

    /// Random numbers of this step.
    pub(super) draw: Row<u32, L>,
    /// All bits where the last attempt is still under way.
    pub(super) pending: Row<T, L>,
    /// All bits where the last step was no ply.
    pub(super) no_ply: Row<T, L>,
    /// Number of the opponent's stones beside it that were in doubt at first.
    pub(super) contested_neighbours: Row<T, L>,
    /// The point of the last attempt; none if that was a pass.
    pub(super) point: Sets<T, N, L>,
    /// Stones in chains known to have a liberty besides the pending point.
    pub(super) free: Sets<T, N, L>,
    /// Its chains in doubt, as far as known.
    pub(super) chains: Sets<T, N, L>,
    /// All bits where there was no candidate.
    pub(super) passed: Row<T, L>,
    /// Stones in chains known to have a liberty besides the point.
    pub(super) freed: Sets<T, N, L>,
    /// All bits where chains of the opponent beside the point are in doubt.
    pub(super) others_in_doubt: Row<T, L>,
    /// All bits where a stone on the point has a liberty.
    pub(super) alive: Row<T, L>,
    /// The candidates.
    pub(super) candidates: Sets<T, N, L>,
    /// Empty points without empty neighbours that are no eyes.
    pub(super) closed: Sets<T, N, L>,
    /// The stones that the point takes.
    pub(super) taken: Sets<T, N, L>,
    /// All bits where a stone that it takes becomes the ko; before that is known,
    /// where the opponent or the edge is on all sides of it.
    pub(super) is_ko: Row<T, L>,
    /// Stones in chains known to have two liberties, or one besides the point.
    pub(super) safe: Sets<T, N, L>,
    /// Stones beside an empty point.
    pub(super) touching: Sets<T, N, L>,
    /// How stones are joined.
    pub(super) links: Links<[T; L], N>,
    /// What is known of urgent points; for policies that look for them.
    pub capture_escape: CaptureEscapeLanes<T, N, L>,
}

#[inline(always)]
pub fn lane<T: LaneWord, const N: usize, const L: usize>(sets: &Sets<T, N, L>, l: usize) -> [T; N] {
    let mut set = [T::default(); N];
    for w in 0..N {
        set[w] = sets[w][l];
    }
    set
}

#[inline(always)]
pub fn store<T: LaneWord, const N: usize, const L: usize>(
    sets: &mut Sets<T, N, L>,
    l: usize,
    set: [T; N],
) {
    for w in 0..N {
        sets[w][l] = set[w];
    }
}

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> Kernel<T, N, S, L> {
    /// All lanes idle.
    pub fn new(board: [T; N], edge: [T; N], limit: u32, policy: Policy) -> Self {
        const {
            // A few stones beside each other are counted in the union of words.
            assert!(S > 2 && S + 1 < T::BITS && 2 * S != T::BITS);
        }
        let none = [[T::default(); L]; N];
        let zero = [T::default(); L];
        Self {
            own: none,
            other: none,
            banned: none,
            used: none,
            black_first: none,
            black: zero,
            passes: zero,
            plies: zero,
            steps: 0,
            random: [[0; L]; 4],
            idle: [T::ALL; L],
            board,
            edge,
            limit: T::from_u64(u64::from(limit)),
            draw: [0; L],
            pending: zero,
            no_ply: zero,
            contested_neighbours: zero,
            point: none,
            free: none,
            chains: none,
            passed: zero,
            candidates: none,
            closed: none,
            freed: none,
            others_in_doubt: zero,
            alive: zero,
            taken: none,
            is_ko: zero,
            safe: none,
            touching: none,
            links: Links { lower: none, higher: none, below: none, above: none },
            capture_escape: CaptureEscapeLanes::new(policy),
        }
    }

    /// Puts a position into lane `l`, where no attempt is under way: none is
    /// where a game is over, unless it was stopped or the policy looks for urgent
    /// points.
    #[inline(always)]
    pub fn load(&mut self, l: usize, own: [T; N], other: [T; N], ko: [T; N]) {
        store(&mut self.own, l, own);
        store(&mut self.other, l, other);
        store(&mut self.banned, l, ko);
        store(&mut self.used, l, [T::default(); N]);
        store(&mut self.black_first, l, [T::default(); N]);
        self.plies[l] = T::default();
        self.idle[l] = T::default();
    }

    /// Gives up the attempt that is under way in lane `l`.
    pub fn give_up(&mut self, l: usize) {
        for set in [&mut self.free, &mut self.chains, &mut self.point] {
            store(set, l, [T::default(); N]);
        }
        self.pending[l] = T::default();
        self.no_ply[l] = T::default();
        self.capture_escape.looking[l] = T::default();
    }

    /// Begins the stream of lane `l`: `Xoshiro256PlusPlus::seed_from_u64`.
    pub fn seed(&mut self, l: usize, seed: u64) {
        let mut state = seed;
        for word in &mut self.random {
            word[l] = split_mix(state);
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        }
    }

    /// The points used in lane `l`, and those that Black used first.
    pub fn first_plays(&self, l: usize) -> [[T; N]; 2] {
        [lane(&self.used, l), lane(&self.black_first, l)]
    }

    /// Leaves lane `l` without a game: a full board, where all pass, costs the
    /// other lanes nothing.
    pub fn rest(&mut self, l: usize) {
        self.load(l, self.board, [T::default(); N], [T::default(); N]);
        self.idle[l] = T::ALL;
    }

    /// The lanes whose game is over, lane 0 the lowest bit.
    #[inline(always)]
    fn over(&self) -> u64 {
        // In parts of 32 lanes: a vector holds more of the shorter numbers.
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

    /// The area of the player to move and of the other one in lane `l`.
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

    /// Makes steps until a game is over and tells the lanes where one is, lane
    /// 0 the lowest bit: steps in all lanes, or if `SHARE` is 2 in the first
    /// half, where those of the other half are idle. `CAPTURE_ESCAPE` says whether the
    /// policy looks for urgent points, `EARLY_STOP` if `early_stop` stops games; else none
    /// of that is compiled in.
    #[inline(always)]
    pub fn advance<const CAPTURE_ESCAPE: bool, const EARLY_STOP: bool, const SHARE: usize>(
        &mut self,
        early_stop: &mut EarlyStopLanes<T, L>,
    ) -> u64 {
        loop {
            if EARLY_STOP && early_stop.look_at(self) {
                return early_stop.stopped();
            }
            self.draw_numbers::<CAPTURE_ESCAPE, SHARE>();
            if CAPTURE_ESCAPE {
                self.capture_escape();
            }
            if self.step::<CAPTURE_ESCAPE, SHARE>() {
                return self.over();
            }
        }
    }

    /// One output of every lane's xoshiro256++ (Blackman and Vigna, 2019), of
    /// which the upper half is used, and the lower one by policies that look;
    /// none where the last attempt, or the look before it, is still under way.
    #[inline(always)]
    // The halves of a number are cut off it on purpose.
    #[allow(clippy::many_single_char_names, clippy::cast_possible_truncation)]
    fn draw_numbers<const CAPTURE_ESCAPE: bool, const SHARE: usize>(&mut self) {
        let [s0, s1, s2, s3] = &mut self.random;
        for l in 0..L / SHARE {
            let mut waits = self.pending[l];
            if CAPTURE_ESCAPE {
                waits = waits.or(self.capture_escape.looking[l]);
            }
            let fresh = waits == T::default();
            let (a, b, c, d) = (s0[l], s1[l], s2[l], s3[l]);
            let sum = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
            if CAPTURE_ESCAPE {
                // A look that goes on keeps the number that began it.
                self.draw[l] = if fresh { (sum >> 32) as u32 } else { self.draw[l] };
                self.capture_escape.coin[l] =
                    if fresh { sum as u32 } else { self.capture_escape.coin[l] };
            } else {
                self.draw[l] = (sum >> 32) as u32;
            }
            let (e, f) = (c ^ a, d ^ b);
            s0[l] = if fresh { a ^ f } else { a };
            s1[l] = if fresh { b ^ e } else { b };
            s2[l] = if fresh { e ^ (b << 17) } else { c };
            s3[l] = if fresh { f.rotate_left(45) } else { d };
        }
    }
}

/// The points of `within` connected through it to a point of `set` in it.
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
