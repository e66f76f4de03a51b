//! One step of all lanes: the heart of the program.

use super::stop::Judge;
use super::urgent::Look;
use super::word::{Joints, Word, and, any, but, count, down, near, nth, or, spread, up};
use crate::playout::{Policy, ROUNDS};
use crate::seed::split_mix;

/// Steps by which chains in doubt are followed at a time.
const CHAIN_ROUNDS: usize = 2;

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
    /// The ko point.
    pub ko: Sets<T, N, L>,
    /// Points found to be suicide this turn.
    pub(super) struck: Sets<T, N, L>,
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
    edge: [T; N],
    /// Plies after which a playout is cut short.
    limit: T,

    /// Random numbers of this step.
    draw: Row<u32, L>,
    /// All bits where the last attempt is still under way.
    pub(super) pending: Row<T, L>,
    /// Number of the opponent's stones beside it that were in doubt at first.
    lone: Row<T, L>,
    /// The point of the last attempt; none if that was a pass.
    pub(super) point: Sets<T, N, L>,
    /// Its stones in chains known to have a liberty besides the point.
    free: Sets<T, N, L>,
    /// Its chains in doubt, as far as known.
    chains: Sets<T, N, L>,
    /// What is known of urgent points; for policies that look for them.
    pub look: Look<T, N, L>,
}

#[inline(always)]
pub fn lane<T: Word, const N: usize, const L: usize>(sets: &Sets<T, N, L>, l: usize) -> [T; N] {
    let mut set = [T::default(); N];
    for w in 0..N {
        set[w] = sets[w][l];
    }
    set
}

#[inline(always)]
fn store<T: Word, const N: usize, const L: usize>(sets: &mut Sets<T, N, L>, l: usize, set: [T; N]) {
    for w in 0..N {
        sets[w][l] = set[w];
    }
}

impl<T: Word, const N: usize, const S: usize, const L: usize> Kernel<T, N, S, L> {
    /// All lanes idle.
    pub fn new(board: [T; N], edge: [T; N], limit: u32, policy: Policy) -> Self {
        let none = [[T::default(); L]; N];
        let zero = [T::default(); L];
        Self {
            own: none,
            other: none,
            ko: none,
            struck: none,
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
            lone: zero,
            point: none,
            free: none,
            chains: none,
            look: Look::new(policy),
        }
    }

    /// Puts a position into lane `l`.
    pub fn load(&mut self, l: usize, own: [T; N], other: [T; N], ko: [T; N]) {
        store(&mut self.own, l, own);
        store(&mut self.other, l, other);
        store(&mut self.ko, l, ko);
        for set in [&mut self.struck, &mut self.used, &mut self.black_first] {
            store(set, l, [T::default(); N]);
        }
        for set in [&mut self.free, &mut self.chains, &mut self.point] {
            store(set, l, [T::default(); N]);
        }
        self.pending[l] = T::default();
        self.look.looking[l] = T::default();
        self.plies[l] = T::default();
        self.idle[l] = T::default();
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
        let mut lanes = 0;
        for l in 0..L {
            lanes |= u64::from(self.is_over(l) && self.idle[l] == T::default()) << l;
        }
        lanes
    }

    /// The area of the player to move and of the other one in lane `l`.
    #[inline(always)]
    pub fn areas(&self, l: usize) -> [[T; N]; 2] {
        let (own, other) = (lane(&self.own, l), lane(&self.other, l));
        let empty = but(self.board, or(own, other));
        let (mut by_own, mut by_other) = (near::<T, N, S>(own), near::<T, N, S>(other));
        if any(and(empty, near::<T, N, S>(empty))) != T::default() {
            // Rare: a playout that was cut short, or that began after a pass.
            by_own = flood::<T, N, S>(by_own, empty);
            by_other = flood::<T, N, S>(by_other, empty);
        }
        [or(own, and(empty, but(by_own, by_other))), or(other, and(empty, but(by_other, by_own)))]
    }

    /// Whether the game in lane `l` is over.
    #[inline(always)]
    pub fn is_over(&self, l: usize) -> bool {
        self.passes[l].at_least(T::from_u64(2)) || self.plies[l].at_least(self.limit)
    }

    /// Makes steps until a game is over and tells the lanes where one is, lane
    /// 0 the lowest bit. `LOOKS` says whether the policy looks for urgent
    /// points, `STOPS` if `judge` stops games; else none of that is compiled in.
    #[inline(always)]
    pub fn advance<const LOOKS: bool, const STOPS: bool>(
        &mut self,
        judge: &mut Judge<T, L>,
    ) -> u64 {
        loop {
            if STOPS && judge.look_at(self) {
                return judge.stopped();
            }
            self.draw_numbers::<LOOKS>();
            if LOOKS {
                self.look();
            }
            if self.step::<LOOKS>() {
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
    fn draw_numbers<const LOOKS: bool>(&mut self) {
        let [s0, s1, s2, s3] = &mut self.random;
        for l in 0..L {
            let mut waits = self.pending[l];
            if LOOKS {
                waits = waits.or(self.look.looking[l]);
            }
            let fresh = waits == T::default();
            let (a, b, c, d) = (s0[l], s1[l], s2[l], s3[l]);
            let sum = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
            if LOOKS {
                // A look that goes on keeps the number that began it.
                self.draw[l] = if fresh { (sum >> 32) as u32 } else { self.draw[l] };
                self.look.coin[l] = if fresh { sum as u32 } else { self.look.coin[l] };
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

    /// Makes an attempt in every lane; tells whether a game is over.
    ///
    /// Whether chains beside the new stone have a liberty is followed for
    /// `CHAIN_ROUNDS` steps only. A lane that needs more is *pending*: its
    /// point, and what is known of the chains, wait for the next step, so that
    /// no lane waits for another.
    #[inline(always)]
    #[allow(clippy::too_many_lines, clippy::similar_names)]
    fn step<const LOOKS: bool>(&mut self) -> bool {
        let zero = T::default();
        let one = T::from_u64(1);
        let mut over = zero;
        for l in 0..L {
            let own = lane(&self.own, l);
            let other = lane(&self.other, l);
            let stones = or(own, other);
            let empty = but(self.board, stones);

            // Points beside one and beside two empty ones.
            let (a, b, c, d) = (up(empty, 1), down(empty, 1), up(empty, S), down(empty, S));
            let beside_empty = or(or(a, b), or(c, d));
            let beside_two = or(or(and(a, b), and(c, d)), and(or(a, b), or(c, d)));

            // Eyes, as in `Board::eyes`.
            let (a, b, c, d) = (up(other, 1), down(other, 1), up(other, S), down(other, S));
            let beside_other = or(or(a, b), or(c, d));
            let higher = or(and(own, down(own, 1)), and(other, b));
            let above = or(and(own, down(own, S)), and(other, d));
            let joints = Joints { lower: up(higher, 1), higher, below: up(above, S), above };
            let (single, both) = (or(a, b), and(a, b));
            let (north, south) = (up(single, S), down(single, S));
            let two = or(or(up(both, S), down(both, S)), and(north, south));
            let spoilt = or(two, and(or(north, south), self.edge));
            let not_eyes = or(beside_other, spoilt);

            // Chains with two liberties, as far as `ROUNDS` steps tell; where
            // a point is pending, chains with one besides it.
            let known_free = lane(&self.free, l);
            let mut safe = or(and(beside_two, stones), known_free);
            for _ in 0..ROUNDS {
                safe = spread::<T, N, S>(safe, &joints);
            }
            let hope = near::<T, N, S>(or(own, but(other, safe)));

            let ko = lane(&self.ko, l);
            let struck = lane(&self.struck, l);
            let open = or(beside_empty, and(not_eyes, hope));
            let mut set = and(but(empty, or(ko, struck)), open);
            // A lane that is looking draws nothing and so changes nothing.
            let looking = if LOOKS { self.look.looking[l] } else { zero };
            if LOOKS {
                let urgent = and(set, lane(&self.look.urgent, l));
                let is_urgent = any(urgent) != zero;
                for w in 0..N {
                    set[w] = (if is_urgent { urgent[w] } else { set[w] }).but(looking);
                }
            }
            let mut counts = [zero; N];
            let mut candidates = zero;
            for w in 0..N {
                counts[w] = set[w].count();
                candidates = candidates.plus(counts[w]);
            }
            let waits = self.pending[l];
            let was_pending = waits != zero;
            let drawn = nth(set, counts, T::below(self.draw[l], candidates));
            let mut point = drawn;
            for w in 0..N {
                point[w] = self.point[w][l].and(waits).or(drawn[w].but(waits));
            }
            let passed = candidates == zero && !was_pending && looking == zero;

            // The stones beside it, and those among them whose freedom is in
            // doubt.
            let beside = near::<T, N, S>(point);
            let free = or(safe, and(stones, but(beside_empty, but(beside, beside_two))));
            let free = spread::<T, N, S>(free, &joints);
            let alive = any(and(beside, or(empty, and(own, free)))) != zero;
            let mut doubt = but(and(beside, other), free);
            let lone = if was_pending { self.lone[l] } else { count(doubt) };
            let others_in_doubt = any(doubt) != zero;
            for w in 0..N {
                doubt[w] = doubt[w].or(beside[w].and(own[w]).when(!alive));
            }
            let mut chains = or(doubt, lane(&self.chains, l));
            let mut before = chains;
            for _ in 0..CHAIN_ROUNDS {
                before = chains;
                chains = spread::<T, N, S>(chains, &joints);
            }
            // One free stone frees all own chains beside the point, and a
            // chain of the opponent if it is the only one in doubt. Without,
            // chains are settled once they are whole and nothing in them has
            // just become free.
            let (mut own_change, mut other_change) = (zero, zero);
            let (mut own_hit, mut other_hit) = (zero, zero);
            for w in 0..N {
                let change = chains[w].xor(before[w]);
                let change = change.or(free[w].xor(known_free[w]).and(chains[w]));
                own_change = own_change.or(change.and(own[w]));
                other_change = other_change.or(change.and(other[w]));
                own_hit = own_hit.or(chains[w].and(free[w]).and(own[w]));
                other_hit = other_hit.or(chains[w].and(free[w]).and(other[w]));
            }
            let alive = alive || own_hit != zero;
            let others_in_doubt = others_in_doubt && !(lone == one && other_hit != zero);
            let settled = others_in_doubt && other_change == zero;
            let mut taken = but(and(chains, other), free);
            for w in 0..N {
                taken[w] = taken[w].when(settled);
            }
            let captures = any(taken) != zero;
            let legal = passed || alive || captures;
            let pending = others_in_doubt && other_change != zero || !legal && own_change != zero;
            let made = legal && !pending;
            let suicide = !legal && !pending;

            // A lone stone that took one stone and has no other liberty.
            let kept = any(but(and(beside, self.board), other));
            let is_ko = count(taken) == one && kept == zero;

            let black = self.black[l];
            let turn = T::ALL.when(made);
            for w in 0..N {
                self.point[w][l] = point[w];
                self.free[w][l] = free[w].when(pending);
                self.chains[w][l] = chains[w].when(pending);
                let put = point[w].when(made);
                self.struck[w][l] = struck[w].or(point[w].when(suicide)).when(!made);
                self.ko[w][l] = taken[w].when(is_ko).or(ko[w].when(!made));
                let used = self.used[w][l];
                self.used[w][l] = used.or(put);
                self.black_first[w][l] = self.black_first[w][l].or(put.but(used).and(black));
                let (own, other) = (own[w].or(put), other[w].but(taken[w]));
                // Bitwise: a conditional swap becomes scattered stores.
                self.own[w][l] = other.and(turn).or(own.but(turn));
                self.other[w][l] = own.and(turn).or(other.but(turn));
            }
            self.lone[l] = lone;
            self.pending[l] = T::ALL.when(pending);
            self.black[l] = black.xor(turn);
            let passes = self.passes[l];
            let played = passes.when(!made);
            let passes = if passed { passes.plus(one) } else { played };
            self.passes[l] = passes;
            let plies = self.plies[l].plus(one.when(made));
            self.plies[l] = plies;
            let ended = passes.at_least(T::from_u64(2)) || plies.at_least(self.limit);
            over = over.or(T::ALL.when(ended).but(self.idle[l]));
        }
        self.steps = self.steps.wrapping_add(L as u64);
        over != zero
    }
}

/// The points of `within` connected through it to a point of `set` in it.
#[inline(always)]
fn flood<T: Word, const N: usize, const S: usize>(set: [T; N], within: [T; N]) -> [T; N] {
    let mut reached = and(set, within);
    loop {
        let next = or(reached, and(near::<T, N, S>(reached), within));
        if next == reached {
            return reached;
        }
        reached = next;
    }
}
