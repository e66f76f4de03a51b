//! Proofs under superko, where the legal moves depend on the whole game.
//!
//! A proof found in one game is used in another only if it certainly holds there. It holds in any
//! game in which none of the positions that the prover's plays create has occurred before: the
//! other player then has at most the moves considered. So each proof is stored with the [`Marks`]
//! of these positions, and used if the game so far shares no mark with them. A proof is not stored
//! if it left out a move of the other player because of a position *before* the proved one.

use crate::claim::{Claim, Meter, Proved};
use crate::geometry::{Geometry, PASS, each};
use crate::life::settled_points;
use crate::position::Position;
use crate::table::{NO_MOVE, place};

/// A set of positions, each by one of 128 marks: two sets without a common mark
/// have no common position.
type Marks = u128;

/// Longest line of play that is followed, in plies.
const MAX_PLY: usize = 200;
const NOTHING: i8 = i8::MIN;
/// The least index: a failure that leans on it is not stored later in the game.
const BEFORE_ALL: usize = 0;
const NEVER: usize = usize::MAX;

#[derive(Clone, Copy)]
struct Proof {
    value: i8,
    /// Index of the first position of the game on which the result rests, because it forbids a move
    /// that the search would have tried.
    leans_on: usize,
    /// The positions that the prover's plays create.
    creates: Marks,
}

impl Proof {
    const fn of(value: i8) -> Self {
        Self { value, leans_on: NEVER, creates: 0 }
    }

    const fn failed(leans_on: usize) -> Self {
        Self { value: NOTHING, leans_on, creates: 0 }
    }
}

#[derive(Clone, Copy)]
struct Entry {
    /// By player: positions that must not have occurred if `proved` is to hold.
    creates: [Marks; 2],
    key: u64,
    proved: [i8; 2],
    best: u8,
    failed_target: [i8; 2],
    failed_budget: [u8; 2],
}

impl Entry {
    /// An entry without knowledge of the position of `key`.
    const fn unknown(key: u64) -> Self {
        Self {
            creates: [0; 2],
            key,
            proved: [NOTHING; 2],
            best: NO_MOVE,
            failed_target: [i8::MAX; 2],
            failed_budget: [0; 2],
        }
    }
}

/// The table of the search under superko.
pub(crate) struct SuperkoTable {
    entries: Vec<Entry>,
}

impl SuperkoTable {
    /// A table that takes at most `bytes`; `None` if the system lacks memory.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let count = (bytes / size_of::<Entry>()).max(1);
        let mut entries = Vec::new();
        tengen_system::may_fail(|| entries.try_reserve_exact(count)).ok()?;
        entries.resize(count, Entry::unknown(u64::MAX));
        Some(Self { entries })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }
}

/// The search under superko.
pub(crate) struct SuperkoProver<'a> {
    geometry: &'a Geometry,
    table: &'a mut SuperkoTable,
    pub(crate) meter: Meter<'a>,
    /// Whether the player to move is part of a position.
    situational: bool,
    claim: Claim,
    /// The positions of the game: those before the root, then the line.
    game: Vec<u64>,
    marks: Vec<Marks>,
    history: [[u32; 32]; 2],
    /// Whether a stored failure from another game is accepted. A search that always accepted
    /// failures could fail for ever, since other repetitions are forbidden here. Proofs are correct
    /// either way.
    trusts_failures: bool,
    root_best: u8,
}

impl<'a> SuperkoProver<'a> {
    /// A search after `earlier`, the positions of the game before the root.
    pub(crate) fn new(
        geometry: &'a Geometry,
        table: &'a mut SuperkoTable,
        meter: Meter<'a>,
        situational: bool,
        earlier: &[Position],
    ) -> Self {
        let mut prover = Self {
            geometry,
            table,
            meter,
            situational,
            claim: Claim { prover: 0, target: 0, endless: false },
            game: Vec::new(),
            marks: vec![0],
            history: [[0; 32]; 2],
            trusts_failures: true,
            root_best: NO_MOVE,
        };
        for position in earlier {
            prover.push(position);
        }
        prover
    }

    /// Looks for a proof of `claim` within `budget` plies.
    pub(crate) fn search(&mut self, root: &Position, claim: Claim, budget: i32) -> Option<Proved> {
        self.claim = claim;
        self.trusts_failures = budget % 3 != 0;
        self.root_best = NO_MOVE;
        let before = self.game.len();
        let proof = self.prove(root, budget, 0);
        self.game.truncate(before);
        self.marks.truncate(before + 1);
        (proof.value >= claim.target).then_some(Proved { value: proof.value, best: self.root_best })
    }

    /// The part of a position that the rule compares.
    fn situation(&self, position: &Position) -> u64 {
        let [black, white] = position.colors();
        let turn = self.situational && position.black_to_play;
        u64::from(black) | u64::from(white) << 30 | u64::from(turn) << 60
    }

    /// The mark of a position: its number of stones, and two bits of a hash. All symmetric images
    /// of a position have one mark, since one stored proof serves all of them.
    fn mark(&self, position: &Position) -> Marks {
        let free = Position { ko: 0, passed: false, ..*position };
        let [black, white] = free.colors();
        let colors = Position { own: black, other: white, black_to_play: true, ..free };
        let (least, _) = colors.canonical_key(self.geometry);
        let turn = u64::from(self.situational && position.black_to_play);
        let hash = (least ^ turn).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 62;
        let stones = (position.own | position.other).count_ones();
        1 << (stones * 4 + hash as u32)
    }

    fn push(&mut self, position: &Position) {
        let situation = self.situation(position);
        let marks = self.marks[self.marks.len() - 1] | self.mark(position);
        self.game.push(situation);
        self.marks.push(marks);
    }

    fn prove(&mut self, position: &Position, budget: i32, ply: usize) -> Proof {
        if self.meter.count() || ply >= MAX_PLY {
            return Proof::failed(BEFORE_ALL);
        }
        let geometry = self.geometry;
        let Claim { prover, target, .. } = self.claim;
        let to_prove = position.black_to_play == (prover == 0);
        let passed_score = position.passed_score(geometry, to_prove);
        if position.passed && to_prove && passed_score >= target {
            if ply == 0 {
                self.root_best = PASS;
            }
            return Proof::of(passed_score);
        }
        if !to_prove && passed_score < target {
            return Proof::failed(NEVER);
        }
        let (own, other) =
            if to_prove { (position.own, position.other) } else { (position.other, position.own) };
        let points = geometry.points as i8;
        let sure = 2 * settled_points(geometry, own, other).count_ones() as i8 - points;
        if sure >= target {
            return Proof::of(sure);
        }
        let most = points - 2 * settled_points(geometry, other, own).count_ones() as i8;
        if most < target || budget <= 0 {
            return Proof::failed(NEVER);
        }
        let here = self.game.len();
        let before = self.marks[here];
        let (key, symmetry) = position.canonical_key(geometry);
        let place = place(key, self.table.entries.len());
        let mut best = NO_MOVE;
        let known = self.table.entries[place];
        if known.key == key {
            if known.best != NO_MOVE {
                best = geometry.source[symmetry][known.best as usize];
            }
            if ply == 0 {
                self.root_best = best;
            }
            if known.proved[prover] >= target && known.creates[prover] & before == 0 {
                let creates = known.creates[prover];
                return Proof { value: known.proved[prover], leans_on: NEVER, creates };
            }
            if self.trusts_failures
                && known.failed_target[prover] <= target
                && i32::from(known.failed_budget[prover]) >= budget
            {
                return Proof::failed(NEVER);
            }
        }
        self.push(position);
        let (proof, best) = if to_prove {
            self.prove_by_one(position, budget, ply, best)
        } else {
            self.prove_against_all(position, budget, ply, best, passed_score)
        };
        self.game.truncate(here);
        self.marks.truncate(here + 1);
        if self.meter.stopped {
            return Proof::failed(BEFORE_ALL);
        }
        if ply == 0 {
            self.root_best = best;
        }
        if proof.leans_on < here {
            return proof;
        }
        let mut entry = self.table.entries[place];
        if entry.key != key {
            entry = Entry::unknown(key);
        }
        if proof.value >= target {
            entry.proved[prover] = proof.value;
            entry.creates[prover] = proof.creates;
        } else {
            entry.failed_target[prover] = target;
            entry.failed_budget[prover] = budget.clamp(0, 255).unsigned_abs() as u8;
        }
        entry.best = if best == NO_MOVE { best } else { geometry.image[symmetry][best as usize] };
        self.table.entries[place] = entry;
        Proof { leans_on: NEVER, ..proof }
    }

    /// The index in the game of the situation that `after` would repeat.
    fn occurred(&self, after: &Position) -> Option<usize> {
        let situation = self.situation(after);
        if self.marks[self.marks.len() - 1] & self.mark(after) == 0 {
            return None;
        }
        self.game.iter().position(|&earlier| earlier == situation)
    }

    fn prove_by_one(
        &mut self,
        position: &Position,
        budget: i32,
        ply: usize,
        best: u8,
    ) -> (Proof, u8) {
        let mut leans_on = NEVER;
        for (point, after) in self.moves(position, best, true) {
            if point != PASS
                && let Some(index) = self.occurred(&after)
            {
                leans_on = leans_on.min(index);
                continue;
            }
            let mut proof = self.prove(&after, budget - 1, ply + 1);
            if proof.value >= self.claim.target {
                if point != PASS {
                    proof.creates |= self.mark(&after);
                }
                self.history[usize::from(position.black_to_play)][point as usize] +=
                    budget.unsigned_abs();
                return (proof, point);
            }
            if self.meter.stopped {
                break;
            }
            leans_on = leans_on.min(proof.leans_on);
        }
        (Proof::failed(leans_on), NO_MOVE)
    }

    fn prove_against_all(
        &mut self,
        position: &Position,
        budget: i32,
        ply: usize,
        best: u8,
        passed_score: i8,
    ) -> (Proof, u8) {
        let mut worst = Proof::of(passed_score);
        let mut worst_point = if position.passed { PASS } else { NO_MOVE };
        for (point, after) in self.moves(position, best, false) {
            if point != PASS
                && let Some(index) = self.occurred(&after)
            {
                worst.leans_on = worst.leans_on.min(index);
                continue;
            }
            let proof = self.prove(&after, budget - 1, ply + 1);
            if proof.value < self.claim.target {
                self.history[usize::from(position.black_to_play)][point as usize] +=
                    budget.unsigned_abs();
                // A refutation rests on no move that was left out before it.
                return (proof, point);
            }
            if proof.value < worst.value {
                worst.value = proof.value;
                worst_point = point;
            }
            worst.leans_on = worst.leans_on.min(proof.leans_on);
            worst.creates |= proof.creates;
        }
        (worst, worst_point)
    }

    /// The moves that simple ko and the suicide rule allow, the likeliest first.
    fn moves(
        &self,
        position: &Position,
        best: u8,
        to_prove: bool,
    ) -> impl Iterator<Item = (u8, Position)> + use<> {
        let geometry = self.geometry;
        let history = &self.history[usize::from(position.black_to_play)];
        let mut moves = Vec::with_capacity(MAX_PLY / 4);
        for point in each(position.empty(geometry) & !position.ko) {
            let Some((after, captured)) = position.play(geometry, point) else { continue };
            let around = geometry.neighbors(1 << point);
            let mut order = i64::from(history[point as usize]);
            if captured != 0 {
                order += 1 << 34;
            } else if to_prove && around & !position.own == 0 {
                order -= 1 << 36;
            }
            moves.push((if point == best { i64::MAX } else { order }, point, after));
        }
        if !position.passed {
            moves.push((if best == PASS { i64::MAX } else { -(1 << 35) }, PASS, position.pass()));
        }
        moves.sort_by_key(|&(order, ..)| std::cmp::Reverse(order));
        moves.into_iter().map(|(_, point, after)| (point, after))
    }
}
