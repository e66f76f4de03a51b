//! The transposition table: what is known of positions met before.

use crate::geometry::PASS;
use tengen_system::may_fail;

/// The number that stands for no move.
pub(crate) const NO_MOVE: u8 = PASS + 1;
/// Entries that share a cache line; a position may take any of them.
const BUCKET: usize = 4;
/// Words of a bucket: a key and its data for each entry.
const BUCKET_WORDS: usize = 2 * BUCKET;

/// What is known of one position. Values are Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Proved: the value is at least this.
    pub(crate) lower: i8,
    /// Proved: the value is at most this.
    pub(crate) upper: i8,
    /// The best move known, in the orientation of the key; [`NO_MOVE`] if none.
    pub(crate) best: u8,
    /// By prover: the target of the last failed search, from that player's view.
    pub(crate) failed_target: [i8; 2],
    /// By prover: the budget of the last failed search.
    pub(crate) failed_budget: [u8; 2],
    /// The binary logarithm of the nodes spent on the position.
    pub(crate) effort: u8,
}

/// Added to scores, so that the table holds no negative numbers.
const OFFSET: i8 = 32;

impl Entry {
    /// An entry that holds only the bounds of the board.
    pub(crate) fn unknown(points: u32) -> Self {
        let points = points as i8;
        Self {
            lower: -points,
            upper: points,
            best: NO_MOVE,
            failed_target: [OFFSET - 1; 2],
            failed_budget: [0; 2],
            effort: 0,
        }
    }

    /// The entry with bounds from the view of `player`, 0 Black, 1 White; a second call turns it
    /// back.
    #[inline(always)]
    pub(crate) fn seen_by(self, player: usize) -> Self {
        let (lower, upper) =
            if player == 0 { (self.lower, self.upper) } else { (-self.upper, -self.lower) };
        Self { lower, upper, ..self }
    }

    /// Whether the last failed search for `prover` had at most this `target` and at least this
    /// `budget`.
    #[inline(always)]
    pub(crate) fn has_failed(self, prover: usize, target: i8, budget: i32) -> bool {
        self.failed_target[prover] <= target && i32::from(self.failed_budget[prover]) >= budget
    }

    /// Notes that a search with `budget` did not prove `target` for `prover`.
    #[inline(always)]
    pub(crate) fn set_failed(&mut self, prover: usize, target: i8, budget: i32) {
        self.failed_target[prover] = target;
        self.failed_budget[prover] = budget.clamp(0, 255).unsigned_abs() as u8;
    }

    fn pack(self) -> u64 {
        let signed = |value: i8| u64::from((value + OFFSET).unsigned_abs());
        signed(self.lower)
            | signed(self.upper) << 6
            | signed(self.failed_target[0]) << 12
            | signed(self.failed_target[1]) << 18
            | u64::from(self.failed_budget[0]) << 24
            | u64::from(self.failed_budget[1]) << 32
            | u64::from(self.best) << 40
            | u64::from(self.effort) << 48
            | OCCUPIED
    }

    fn unpack(data: u64) -> Self {
        let signed = |shift: u32| (data >> shift & 63) as i8 - OFFSET;
        Self {
            lower: signed(0),
            upper: signed(6),
            failed_target: [signed(12), signed(18)],
            failed_budget: [(data >> 24) as u8, (data >> 32) as u8],
            best: (data >> 40) as u8,
            effort: (data >> 48) as u8 & 63,
        }
    }
}

/// Set in the data of an entry, never in an empty place.
const OCCUPIED: u64 = 1 << 63;
const EFFORT_SHIFT: u32 = 48;

/// The place of `key` among `count` places, by a hash.
#[inline(always)]
pub(crate) fn place(key: u64, count: usize) -> usize {
    let mixed = (key ^ key >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    ((u128::from(mixed) * count as u128) >> 64) as usize
}

/// A table of fixed size. Keys are stored whole, so that no two positions are
/// ever taken for each other.
pub(crate) struct Table {
    words: Vec<u64>,
    /// The first word that begins a cache line.
    start: usize,
    buckets: usize,
}

impl Table {
    /// A table that takes at most `bytes`; `None` if the system lacks memory.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let buckets = (bytes.saturating_sub(64) / (8 * BUCKET_WORDS)).max(1);
        // Zeroed pages that are not touched take no memory.
        let words = may_fail(|| bytemuck::try_zeroed_vec(buckets * BUCKET_WORDS + 7)).ok()?;
        let start = (64 - words.as_ptr() as usize % 64) % 64 / 8;
        Some(Self { words, start, buckets })
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        self.start + place(key, self.buckets) * BUCKET_WORDS
    }

    /// What is known of the position of `key`.
    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let at = self.bucket(key);
        let bucket = &self.words[at..at + BUCKET_WORDS];
        for slot in bucket.chunks_exact(2) {
            if slot[0] == key && slot[1] & OCCUPIED != 0 {
                return Some(Entry::unpack(slot[1]));
            }
        }
        None
    }

    /// Stores `entry` under `key`: in its own place, else in the place of the entry of least effort
    /// among three if that is less than its own, else in the fourth.
    #[inline(always)]
    pub(crate) fn put(&mut self, key: u64, entry: Entry) {
        let at = self.bucket(key);
        let bucket = &mut self.words[at..at + BUCKET_WORDS];
        let mut victim = BUCKET - 1;
        let mut least = u64::from(entry.effort) + 1;
        for slot in 0..BUCKET {
            let (there, data) = (bucket[2 * slot], bucket[2 * slot + 1]);
            if there == key && data & OCCUPIED != 0 {
                victim = slot;
                break;
            }
            let effort = if data & OCCUPIED == 0 { 0 } else { 1 + (data >> EFFORT_SHIFT & 63) };
            if slot < BUCKET - 1 && effort < least {
                least = effort;
                victim = slot;
            }
        }
        bucket[2 * victim] = key;
        bucket[2 * victim + 1] = entry.pack();
    }

    /// The memory that the table takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * 8
    }
}
