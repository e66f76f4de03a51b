//! The loops over the cells of a block.
//!
//! A block has columns with one cell per point of the board, and the set of the moves
//! that are *untried*: not in the tree yet. This is the block of a node on a 3×3 board
//! with Black to move, its cells drawn as the board, after two simulations: Black won
//! the first, which went to A1, and was first to play A1, A3, B2 and C3; Black lost the
//! second, which went to C3, and was first to play C3, A1 and B2. C1 is not legal:
//!
//! ```text
//!     visits        rewards       untried
//!   3 1 . 2         1 . 1         x  x  .
//!   2 . 2 .         . 1 .         x  x  x
//!   1 2 . .         1 . .         .  x  .
//!     A B C         A B C         A  B  C
//! ```
//!
//! Two loops read or write all cells of a block, the first of them in `count`:
//!
//! ```text
//! count    for each cell in `taken`: visits += 1, rewards += reward
//! blend    for each cell: value = (1 − β) · mean + β · rewards / visits
//!          for each cell of an untried move: value += per_prior · prior
//!          most = the highest value; best = the set of the cells that have it
//! ```
//!
//! A block is *compact* or *wide*. A compact one has three bytes per cell: the prior, the visits
//! without those of the prior, and the rewards without those of the prior in halves. A wide one has
//! in single precision both sums, those of the prior included, and the prior.
//!
//! The loops are written so that the compiler vectorizes them: counted loops over groups of 16
//! cells, without branches. Each loop writes local arrays, since the compiler must assume that the
//! columns of a block overlap. Tasks ([`Task`]) inline the loops and are compiled once per
//! instruction set.

#![allow(clippy::inline_always, clippy::needless_range_loop)]

use super::prior_sums::{PriorSums, ROOT_PER_BYTE, Sums};
use super::weight::{Blend, OfMove, OfNode, Schedule, Weight};
use tengen_playout::simd::{Target, Task};

/// Number of cells that are counted and compared at once; the cells of a block are a multiple of
/// it.
pub const GROUP: usize = 16;

/// Number of groups in a word of a set of points.
const GROUPS: usize = 64 / GROUP;

/// The maximum visits of a cell of a compact block, those of the prior not included: the
/// rewards in halves still fit in a byte.
pub const MAX_COMPACT_VISITS: u8 = 127;

/// The maximum visits of a cell (2²³), at which it stops counting. Up to 2²³ single precision holds
/// sums of 1 and ½, the rewards of wins and jigos, exactly.
pub const MAX_VISITS: f32 = 8_388_608.0;

/// The mean of a cell without a move, or whose move has no visits.
pub const NO_MEAN: f32 = -1.0;

/// The statistics of the moves of a node without AMAF, by cell.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    /// The means of the moves with visits; [`NO_MEAN`] in the other cells.
    pub means: &'a [f32],
    /// The visits of these moves, 0 in the other cells; not read if all moves have the same [`Weight`].
    pub visits: &'a [f32],
}

/// The moves of a node, by cell.
#[derive(Clone, Copy, Debug)]
pub struct Moves<'a> {
    /// The statistics of the moves without AMAF.
    pub own: Own<'a>,
    /// The set of the untried moves.
    pub untried: &'a [u64],
}

/// The moves among which the highest blended mean is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranked {
    /// All moves.
    All,
    /// The moves that are not in the tree.
    Untried,
}

/// The columns of a compact block.
#[derive(Clone, Copy, Debug)]
pub struct Compact<'tree> {
    /// The priors, 0 for none.
    pub priors: &'tree [u8],
    /// The visits, those of the priors not included.
    pub visits: &'tree [u8],
    /// Twice the sums of the rewards, those of the priors not included.
    pub halves: &'tree [u8],
    /// The visits and rewards as which a prior counts.
    pub prior_sums: PriorSums,
}

/// The columns of a wide block, the sums of the priors included.
#[derive(Clone, Copy, Debug)]
pub struct Wide<'tree> {
    /// The visits.
    pub visits: &'tree [f32],
    /// The sums of the rewards.
    pub rewards: &'tree [f32],
    /// The priors.
    pub priors: &'tree [f32],
}

/// The columns of a block.
pub trait Columns {
    /// The sums of a cell.
    fn sums(&self, cell: usize) -> Sums;

    /// The sums of 16 cells, from cell 16 · `group` on: their visits, and their rewards.
    fn group(&self, group: usize) -> [[f32; GROUP]; 2];

    /// The prior of the move of a cell, for priors that are probabilities; 0 without a prior.
    fn prior(&self, cell: usize) -> f32;

    /// The priors of 16 cells, from cell 16 · `group` on.
    fn priors(&self, group: usize) -> [f32; GROUP];
}

/// The probability for which the byte of a prior stands.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)] // in single precision
fn probability(byte: u8) -> f32 {
    let root = f32::from(byte) * ROOT_PER_BYTE as f32;
    root * root
}

impl Columns for Compact<'_> {
    #[inline(always)]
    fn sums(&self, cell: usize) -> Sums {
        self.prior_sums.and(self.priors[cell], self.visits[cell], self.halves[cell])
    }

    #[inline(always)]
    fn group(&self, group: usize) -> [[f32; GROUP]; 2] {
        let of = |column: &[u8]| column.as_chunks::<GROUP>().0[group];
        let (priors, visits, halves) = (of(self.priors), of(self.visits), of(self.halves));
        let mut sums = [[0.0; GROUP]; 2];
        for lane in 0..GROUP {
            let cell = self.prior_sums.and(priors[lane], visits[lane], halves[lane]);
            [sums[0][lane], sums[1][lane]] = [cell.visits, cell.rewards];
        }
        sums
    }

    #[inline(always)]
    fn prior(&self, cell: usize) -> f32 {
        probability(self.priors[cell])
    }

    #[inline(always)]
    fn priors(&self, group: usize) -> [f32; GROUP] {
        self.priors.as_chunks::<GROUP>().0[group].map(probability)
    }
}

impl Columns for Wide<'_> {
    #[inline(always)]
    fn sums(&self, cell: usize) -> Sums {
        Sums { visits: self.visits[cell], rewards: self.rewards[cell] }
    }

    #[inline(always)]
    fn group(&self, group: usize) -> [[f32; GROUP]; 2] {
        [self.visits, self.rewards].map(|column| column.as_chunks::<GROUP>().0[group])
    }

    #[inline(always)]
    fn prior(&self, cell: usize) -> f32 {
        self.priors[cell]
    }

    #[inline(always)]
    fn priors(&self, group: usize) -> [f32; GROUP] {
        self.priors.as_chunks::<GROUP>().0[group]
    }
}

/// The bits of a set of cells for the cells from 16 · `group` on.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)] // the low quarter is wanted
pub fn bits(set: &[u64], group: usize) -> u16 {
    (set[group / GROUPS] >> (group % GROUPS * GROUP)) as u16
}

/// Fills `values` with the blended mean of each move, to which an untried move adds `per_prior` · its
/// prior; −∞ in cells without a move. Returns the highest value of the `ranked` moves, −∞ without
/// such moves, and fills `best` with the set of the cells that have this value.
pub struct BlendMeans<'a, C> {
    /// The target that it runs on.
    pub target: Target,
    pub columns: C,
    pub moves: Moves<'a>,
    pub blend: Blend,
    pub ranked: Ranked,
    pub values: &'a mut [f32],
    pub best: &'a mut [u64],
}

impl<C: Columns> Task for BlendMeans<'_, C> {
    type Output = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        let Self { target, columns, moves, blend, ranked, values, best } = self;
        let highest = match blend.weight {
            Weight::OfNode(weight) => fill(&columns, moves, OfNode(weight), blend, ranked, values),
            Weight::OfMove { slope } => {
                fill(&columns, moves, OfMove { slope }, blend, ranked, values)
            }
        };
        let most = highest_lane(highest);
        best.fill(0);
        if most > f32::NEG_INFINITY {
            let (groups, _) = values.as_chunks::<GROUP>();
            for (group, values) in groups.iter().enumerate() {
                let among = match ranked {
                    Ranked::All => u16::MAX,
                    Ranked::Untried => bits(moves.untried, group),
                };
                let equal = equal_bits(target, most, values) & among;
                best[group / GROUPS] |= u64::from(equal) << (group % GROUPS * GROUP);
            }
        }
        most
    }
}

/// Fills `values` with the blended means of the cells with a move. Returns for each lane
/// (cell number modulo 16) the highest value of the ranked cells.
#[inline(always)]
fn fill<S: Schedule>(
    columns: &impl Columns,
    moves: Moves<'_>,
    schedule: S,
    Blend { first_play, per_prior, .. }: Blend,
    ranked: Ranked,
    values: &mut [f32],
) -> [f32; GROUP] {
    let (groups, _) = values.as_chunks_mut::<GROUP>();
    let (means, _) = moves.own.means.as_chunks::<GROUP>();
    let (own_visits, _) = moves.own.visits.as_chunks::<GROUP>();
    let of_children = if ranked == Ranked::All { 0.0 } else { f32::INFINITY };
    let mut most = [f32::NEG_INFINITY; GROUP];
    for (group, (values, means)) in groups.iter_mut().zip(means).enumerate() {
        let untried = u32::from(bits(moves.untried, group));
        let [visits, rewards] = columns.group(group);
        let own = if S::READS_VISITS { own_visits[group] } else { [0.0; GROUP] };
        // One loop per array: from a single loop the compiler makes, in some builds, masked stores
        // into memory that it reads again at once, which takes three times as long.
        let (mut blended, mut is_move, mut is_ranked) =
            ([0.0; GROUP], [false; GROUP], [false; GROUP]);
        for lane in 0..GROUP {
            let mean = means[lane];
            // Without AMAF visits `known` may be 0/0; then it is not used.
            let known = schedule.blended(mean, own[lane], rewards[lane], visits[lane]);
            let unknown = if mean >= 0.0 { mean } else { first_play };
            blended[lane] = if visits[lane] > 0.0 { known } else { unknown };
        }
        for lane in 0..GROUP {
            let is_untried = untried & (1 << lane) != 0;
            is_move[lane] = is_untried || means[lane] >= 0.0;
            is_ranked[lane] = is_untried || means[lane] >= of_children;
        }
        if per_prior > 0.0 {
            let priors = columns.priors(group);
            for lane in 0..GROUP {
                let is_in_tree = means[lane] >= 0.0;
                blended[lane] += if is_in_tree { 0.0 } else { per_prior * priors[lane] };
            }
        }
        for lane in 0..GROUP {
            values[lane] = if is_move[lane] { blended[lane] } else { f32::NEG_INFINITY };
        }
        for lane in 0..GROUP {
            let is_higher = is_ranked[lane] && blended[lane] > most[lane];
            most[lane] = if is_higher { blended[lane] } else { most[lane] };
        }
    }
    most
}

/// The indices at which `values` equal `value`, as a set of bits.
#[inline(always)]
fn equal_bits(target: Target, value: f32, values: &[f32; GROUP]) -> u16 {
    target.equal_mask(value, values).unwrap_or_else(|| {
        let mut bits = 0;
        for lane in 0..GROUP {
            bits |= u16::from(values[lane] == value) << lane;
        }
        bits
    })
}

/// The highest of all lanes. Compares halves: in a sequence, each comparison would have to wait for
/// the one before.
#[inline(always)]
fn highest_lane(lanes: [f32; GROUP]) -> f32 {
    let join = |one: f32, other: f32| if other > one { other } else { one };
    let (mut eight, mut four, mut two) = ([0.0; 8], [0.0; 4], [0.0; 2]);
    for lane in 0..8 {
        eight[lane] = join(lanes[lane], lanes[lane + 8]);
    }
    for lane in 0..4 {
        four[lane] = join(eight[lane], eight[lane + 4]);
    }
    for lane in 0..2 {
        two[lane] = join(four[lane], four[lane + 2]);
    }
    join(two[0], two[1])
}

#[cfg(test)]
mod tests {
    use super::super::count::{CountCompact, CountWide};
    use super::*;
    use tengen_playout::Isa;
    use tengen_stats::seed::split_mix;

    /// Blocks of every length up to a large board's, with cells of all kinds:
    /// every instruction set writes the same bits.
    #[test]
    fn every_instruction_set_computes_the_same() {
        let mut state = 1;
        let mut draw = |below: u64| {
            state = split_mix(state);
            state % below
        };
        for round in 0_usize..600 {
            let length = (1 + round % 24) * GROUP;
            let taken: Vec<u64> = (0..6).map(|_| draw(u64::MAX)).collect();
            let untried: Vec<u64> = (0..6).map(|_| draw(u64::MAX) & draw(u64::MAX)).collect();
            let most = [3, 20, 127][round % 3];
            let mut column =
                |most: u64| -> Vec<u8> { (0..length).map(|_| draw(most) as u8).collect() };
            let (priors, visits, halves) = (column(most), column(most), column(2 * most));
            let floats = |column: &[u8], factor| -> Vec<f32> {
                column.iter().map(|&number| f32::from(number) * factor).collect()
            };
            let mut wide_visits = floats(&visits, 9.0);
            let wide_rewards = floats(&halves, 4.5);
            let wide_priors = floats(&priors, 0.01);
            wide_visits[round % length] = MAX_VISITS;
            let first_play = [f32::INFINITY, 0.5, 1.1][round % 3];
            let half_reward = (round % 3) as u8;
            let means: Vec<f32> = (0..length)
                .map(|_| if draw(2) == 0 { NO_MEAN } else { draw(9) as f32 / 9.0 })
                .collect();
            let mut own = |&mean: &f32| if mean < 0.0 { 0.0 } else { (1 + draw(900)) as f32 };
            let own_visits: Vec<f32> = means.iter().map(&mut own).collect();
            let number = draw(1_000) as f32 / 1_000.0;
            let weight = match round / 4 % 2 {
                0 => Weight::OfNode(number),
                _ => Weight::OfMove { slope: number / 10.0 },
            };
            let per_prior = [0.0, 3.0][round / 8 % 2];
            let blend = Blend { weight, first_play, per_prior };
            let ranked = [Ranked::All, Ranked::Untried][round / 2 % 2];
            let run = |isa| {
                let target = Target::new(isa);
                let (mut visits, mut halves) = (visits.clone(), halves.clone());
                let is_full = target.run(CountCompact {
                    visits: &mut visits,
                    halves: &mut halves,
                    taken: &taken,
                    half_reward,
                });
                assert_eq!(is_full, visits.iter().max() == Some(&MAX_COMPACT_VISITS));
                let (mut wide_visits, mut wide_rewards) =
                    (wide_visits.clone(), wide_rewards.clone());
                target.run(CountWide {
                    visits: &mut wide_visits,
                    rewards: &mut wide_rewards,
                    taken: &taken,
                    reward: f32::from(half_reward) / 2.0,
                });
                let bits = |column: &[f32]| column.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                let counts =
                    (bits(&wide_visits), bits(&wide_rewards), visits.clone(), halves.clone());
                let moves =
                    Moves { own: Own { means: &means, visits: &own_visits }, untried: &untried };
                let (mut values, mut best) = (vec![0.0; length], [0; 6]);
                let prior_sums = PriorSums::new([20.0, 0.3], [10.0, 0.2]);
                let (visits, halves, priors) = (&visits[..], &halves[..], &priors[..]);
                let columns = Compact { priors, visits, halves, prior_sums };
                let (values, best) = (&mut values, &mut best);
                let task = BlendMeans { target, columns, moves, blend, ranked, values, best };
                let compact = (target.run(task).to_bits(), *best, bits(values));
                let columns =
                    Wide { visits: &wide_visits, rewards: &wide_rewards, priors: &wide_priors };
                let task = BlendMeans { target, columns, moves, blend, ranked, values, best };
                let wide = (target.run(task).to_bits(), *best, bits(values));
                (counts, compact, wide)
            };
            let expected = run(Isa::Baseline);
            for isa in Isa::supported() {
                assert_eq!(run(isa), expected, "{isa}, round {round}");
            }
        }
    }
}
