//! One step of all lanes: the heart of the program.

use super::kernel::{Kernel, lane, store};
use super::lane_word::{
    LaneWord, Links, and, and_not, any, count_local, down, neighbors, or, spread, up,
};
use super::nth::nth;
use crate::ROUNDS;

/// Steps by which chains in doubt are followed at a time.
const CHAIN_ROUNDS: usize = 2;
/// From so many words on, chains are found in one loop and judged in another.
const MANY_WORDS: usize = 4;

/// What is in doubt about a stone on the point of a lane.
#[derive(Clone, Copy)]
struct Doubt<T, const N: usize> {
    /// Stones in chains known to have a liberty besides the point.
    free: [T; N],
    /// The chains in doubt, as far as known.
    chains: [T; N],
    /// Number of the opponent's stones beside it that were in doubt at first.
    contested_neighbours: T,
    /// Whether some are.
    others: bool,
    /// Whether the stone has a liberty even if it takes nothing.
    alive: bool,
    /// Whether the opponent or the edge is on all sides of it.
    is_alone: bool,
}

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> Kernel<T, N, S, L> {
    /// Makes an attempt in the lanes, or in the first half of them if `SHARE` is 2;
    /// tells whether a game is over.
    ///
    /// In five or six loops over the lanes, not one: what a loop needs fits in
    /// the registers, and where every operation waits for the one before, as in
    /// choosing a point, a short loop lets several vectors overlap. What a loop
    /// hands to the next stays in the first cache. Conditions are joined by `&`
    /// and `|`, since a branch would keep a loop from becoming vectors; so would
    /// functions of a lane that are handed over as closures.
    #[inline(always)]
    pub(super) fn step<const CAPTURE_ESCAPE: bool, const SHARE: usize>(&mut self) -> bool {
        self.classify_points::<SHARE>();
        self.filter_suicides::<SHARE>();
        self.sample::<CAPTURE_ESCAPE, SHARE>();
        for l in 0..L / SHARE {
            let doubt = self.find_contested_chains(l);
            if N < MANY_WORDS {
                self.resolve_captures(l, doubt);
            } else {
                self.keep(l, doubt);
            }
        }
        if N >= MANY_WORDS {
            for l in 0..L / SHARE {
                self.resolve_captures(l, self.kept(l));
            }
        }
        self.play::<SHARE>()
    }

    /// Sorts the points of every lane, and tells how its stones are joined.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    fn classify_points<const SHARE: usize>(&mut self) {
        for l in 0..L / SHARE {
            let own = lane(&self.own, l);
            let other = lane(&self.other, l);
            let stones = or(own, other);
            let empty = and_not(self.board, stones);

            // Points beside one and beside two empty ones.
            let (a, b, c, d) = (up(empty, 1), down(empty, 1), up(empty, S), down(empty, S));
            let beside_empty = or(or(a, b), or(c, d));
            let beside_two = or(or(and(a, b), and(c, d)), and(or(a, b), or(c, d)));

            // Eyes, as in `Board::eyes`.
            let (a, b, c, d) = (up(other, 1), down(other, 1), up(other, S), down(other, S));
            let beside_other = or(or(a, b), or(c, d));
            let higher = or(and(own, down(own, 1)), and(other, b));
            let above = or(and(own, down(own, S)), and(other, d));
            let links = Links { lower: up(higher, 1), higher, below: up(above, S), above };
            // Rows first: interleaved, the shifts along a row are the cheap ones.
            let (single, both) = (or(c, d), and(c, d));
            let (west, east) = (up(single, 1), down(single, 1));
            let two = or(or(up(both, 1), down(both, 1)), and(west, east));
            let spoilt = or(two, and(or(west, east), self.edge));
            let not_eyes = or(beside_other, spoilt);

            // What is pending counts as safe, to be followed further.
            let allowed = and_not(empty, lane(&self.banned, l));
            store(&mut self.candidates, l, and(allowed, beside_empty));
            store(&mut self.closed, l, and_not(and(allowed, not_eyes), beside_empty));
            store(&mut self.safe, l, or(and(beside_two, stones), lane(&self.free, l)));
            store(&mut self.touching, l, and(stones, beside_empty));
            store(&mut self.links.lower, l, links.lower);
            store(&mut self.links.higher, l, links.higher);
            store(&mut self.links.below, l, links.below);
            store(&mut self.links.above, l, links.above);
        }
    }

    /// Adds the candidates without an empty neighbour that are no evident
    /// suicide.
    #[inline(always)]
    fn filter_suicides<const SHARE: usize>(&mut self) {
        for l in 0..L / SHARE {
            // Chains with two liberties, as far as `ROUNDS` steps tell; where
            // a point is pending, chains with one besides it.
            let links = self.links(l);
            let mut safe = lane(&self.safe, l);
            for _ in 0..ROUNDS {
                safe = spread::<T, N, S>(safe, &links);
            }
            store(&mut self.safe, l, safe);
            let hope =
                neighbors::<T, N, S>(or(lane(&self.own, l), and_not(lane(&self.other, l), safe)));
            let candidates = or(lane(&self.candidates, l), and(lane(&self.closed, l), hope));
            store(&mut self.candidates, l, candidates);
        }
    }

    /// How the stones of lane `l` are joined.
    #[inline(always)]
    fn links(&self, l: usize) -> Links<T, N> {
        Links {
            lower: lane(&self.links.lower, l),
            higher: lane(&self.links.higher, l),
            below: lane(&self.links.below, l),
            above: lane(&self.links.above, l),
        }
    }

    /// Draws a candidate in every lane where none is pending.
    #[inline(always)]
    fn sample<const CAPTURE_ESCAPE: bool, const SHARE: usize>(&mut self) {
        let zero = T::default();
        for l in 0..L / SHARE {
            let mut set = lane(&self.candidates, l);
            // A lane that is looking draws nothing and so changes nothing.
            let looking = if CAPTURE_ESCAPE { self.capture_escape.looking[l] } else { zero };
            if CAPTURE_ESCAPE {
                let urgent = and(set, lane(&self.capture_escape.urgent, l));
                let is_urgent = any(urgent) != zero;
                for w in 0..N {
                    set[w] = (if is_urgent { urgent[w] } else { set[w] }).and_not(looking);
                }
            }
            let mut counts = [zero; N];
            let mut candidates = zero;
            for w in 0..N {
                counts[w] = set[w].count();
                candidates = candidates.plus(counts[w]);
            }
            let waits = self.pending[l];
            let drawn = nth(set, counts, T::below(self.draw[l], candidates));
            for w in 0..N {
                self.point[w][l] = self.point[w][l].and(waits).or(drawn[w].and_not(waits));
            }
            self.passed[l] = T::ALL.when(candidates == zero).and_not(waits).and_not(looking);
        }
    }

    /// Finds the chains in doubt beside the point of lane `l`.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    fn find_contested_chains(&self, l: usize) -> Doubt<T, N> {
        let zero = T::default();
        let own = lane(&self.own, l);
        let other = lane(&self.other, l);
        let point = lane(&self.point, l);
        let links = self.links(l);
        let was_pending = self.pending[l] != zero;

        // The stones beside it, and those among them whose freedom is in
        // doubt. Stones beside two empty points are safe already, so that
        // the point is the last liberty of any other beside it.
        let beside = and(neighbors::<T, N, S>(point), self.board);
        let free = or(lane(&self.safe, l), and_not(lane(&self.touching, l), beside));
        let free = spread::<T, N, S>(free, &links);
        let alive = any(and_not(beside, or(other, and_not(own, free)))) != zero;
        let mut doubt = and_not(and(beside, other), free);
        let known = self.contested_neighbours[l];
        let contested_neighbours = if was_pending { known } else { count_local(doubt) };
        let others = any(doubt) != zero;
        for w in 0..N {
            doubt[w] = doubt[w].or(beside[w].and(own[w]).when(!alive));
        }
        let chains = or(doubt, lane(&self.chains, l));
        let is_alone = any(and_not(beside, other)) == zero;
        Doubt { free, chains, contested_neighbours, others, alive, is_alone }
    }

    /// Keeps what was found for another loop.
    #[inline(always)]
    fn keep(&mut self, l: usize, doubt: Doubt<T, N>) {
        store(&mut self.freed, l, doubt.free);
        store(&mut self.chains, l, doubt.chains);
        self.contested_neighbours[l] = doubt.contested_neighbours;
        self.others_in_doubt[l] = T::ALL.when(doubt.others);
        self.alive[l] = T::ALL.when(doubt.alive);
        self.is_ko[l] = T::ALL.when(doubt.is_alone);
    }

    /// What was kept by [`Self::keep`].
    #[inline(always)]
    fn kept(&self, l: usize) -> Doubt<T, N> {
        let zero = T::default();
        Doubt {
            free: lane(&self.freed, l),
            chains: lane(&self.chains, l),
            contested_neighbours: self.contested_neighbours[l],
            others: self.others_in_doubt[l] != zero,
            alive: self.alive[l] != zero,
            is_alone: self.is_ko[l] != zero,
        }
    }

    /// Finds what a stone on the point of lane `l` takes, and whether it may be
    /// put there.
    ///
    /// Whether chains beside the new stone have a liberty is followed for
    /// `CHAIN_ROUNDS` steps only. A lane that needs more is *pending*: its
    /// point, and what is known of the chains, wait for the next step, so that
    /// no lane waits for another.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    fn resolve_captures(&mut self, l: usize, doubt: Doubt<T, N>) {
        let zero = T::default();
        let one = T::from_u64(1);
        let own = lane(&self.own, l);
        let other = lane(&self.other, l);
        let links = self.links(l);
        let passed = self.passed[l] != zero;
        let Doubt { free, mut chains, contested_neighbours, others, alive, is_alone } = doubt;
        let mut before = chains;
        for _ in 0..CHAIN_ROUNDS {
            before = chains;
            chains = spread::<T, N, S>(chains, &links);
        }
        // One free stone frees all own chains beside the point, and a
        // chain of the opponent if it is the only one in doubt. Without,
        // chains are settled once they are whole and nothing in them has
        // just become free.
        let (mut own_change, mut other_change) = (zero, zero);
        let (mut own_hit, mut other_hit) = (zero, zero);
        for w in 0..N {
            let change = chains[w].xor(before[w]);
            let change = change.or(free[w].xor(self.free[w][l]).and(chains[w]));
            own_change = own_change.or(change.and(own[w]));
            other_change = other_change.or(change.and(other[w]));
            own_hit = own_hit.or(chains[w].and(free[w]).and(own[w]));
            other_hit = other_hit.or(chains[w].and(free[w]).and(other[w]));
        }
        let alive = alive | (own_hit != zero);
        let others_in_doubt = others & ((contested_neighbours != one) | (other_hit == zero));
        let settled = others_in_doubt & (other_change == zero);
        let mut taken = and_not(and(chains, other), free);
        for w in 0..N {
            taken[w] = taken[w].when(settled);
        }
        let captures = any(taken) != zero;
        let legal = passed | alive | captures;
        let pending = (others_in_doubt & (other_change != zero)) | (!legal & (own_change != zero));
        let mv = legal & !pending;

        // A lone stone that took one stone and has no other liberty. Of two
        // stones taken, two are joined or beside the point.
        let is_ko = (count_local(taken) == one) & is_alone;

        for w in 0..N {
            self.free[w][l] = free[w].when(pending);
            self.chains[w][l] = chains[w].when(pending);
            self.taken[w][l] = taken[w];
        }
        self.contested_neighbours[l] = contested_neighbours;
        self.pending[l] = T::ALL.when(pending);
        self.no_ply[l] = T::ALL.when(!mv);
        self.is_ko[l] = T::ALL.when(is_ko);
    }

    /// Makes the plies that were found legal; tells whether a game is over.
    #[inline(always)]
    #[allow(clippy::similar_names)]
    fn play<const SHARE: usize>(&mut self) -> bool {
        let zero = T::default();
        let one = T::from_u64(1);
        let mut over = zero;
        for l in 0..L / SHARE {
            let black = self.black[l];
            let no_ply = self.no_ply[l];
            let turn = no_ply.not();
            let is_ko = self.is_ko[l];
            for w in 0..N {
                let (point, taken) = (self.point[w][l], self.taken[w][l]);
                let put = point.and(turn);
                // A pending point is drawn no more this turn in any case.
                let banned = self.banned[w][l].or(point);
                self.banned[w][l] = banned.and(no_ply).or(taken.and(is_ko));
                let used = self.used[w][l];
                self.used[w][l] = used.or(put);
                self.black_first[w][l] = self.black_first[w][l].or(put.and_not(used).and(black));
                let (own, other) = (self.own[w][l].or(put), self.other[w][l].and_not(taken));
                // Bitwise: a conditional swap becomes scattered stores.
                self.own[w][l] = other.and(turn).or(own.and(no_ply));
                self.other[w][l] = own.and(turn).or(other.and(no_ply));
            }
            self.black[l] = black.xor(turn);
            let passes = self.passes[l];
            let passed = self.passed[l] != zero;
            let passes = if passed { passes.plus(one) } else { passes.and(no_ply) };
            self.passes[l] = passes;
            let plies = self.plies[l].minus(turn);
            self.plies[l] = plies;
            let ended = passes.at_least(T::from_u64(2)) | plies.at_least(self.limit);
            over = over.or(T::ALL.when(ended).and_not(self.idle[l]));
        }
        self.steps = self.steps.wrapping_add((L / SHARE) as u64);
        over != zero
    }
}
