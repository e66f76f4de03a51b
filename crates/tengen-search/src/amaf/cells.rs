//! The loops over the cells of a block.
//!
//! A block has three columns, each with one cell per point of the board. This is the
//! block of a node on a 3×3 board with Black to move, its cells drawn as the board,
//! after two simulations: Black won the first, which went to A1, and was first to play
//! A1, A3, B2 and C3; Black lost the second, which went to C3, and was first to play C3,
//! A1 and B2. C1 is not legal:
//!
//! ```text
//!     visits        rewards       mean of the move
//!   3 1 . 2         1 . 1         ·  ·  0           ·  not in the tree: UNTRIED
//!   2 . 2 .         . 1 .         ·  ·  ·           x  no move: NO_MOVE
//!   1 2 . .         1 . .         1  ·  x
//!     A B C         A B C         A  B  C
//! ```
//!
//! Three loops read and write all cells of a block:
//!
//! ```text
//! count    for each cell in `taken`: visits += 1, rewards += reward
//! blend    for each cell: value = (1 − β) · mean + β · rewards / visits
//! highest  most = the highest value; best = the set of the cells that have it
//! ```
//!
//! They are written so that the compiler makes vector code of them: counted loops
//! over groups of 16 cells, without branches, each of which writes arrays of its
//! own (the columns of a block might overlap for all that it knows), inlined where
//! the instruction set is chosen ([`super::tasks`]).

#![allow(clippy::inline_always, clippy::needless_range_loop)]

use super::blend::{Blend, Weight};
use tengen_simd::Target;

/// Cells that are counted and compared at once; a block is a multiple of them.
pub const GROUP: usize = 16;

/// Number of groups in a word of a set of points.
const GROUPS: usize = 64 / GROUP;

/// In place of a mean: the move has no visits; where children come one by one, it is
/// not in the tree yet.
pub const UNTRIED: f32 = -1.0;

/// In place of a mean: there is no such move, or it is not legal.
pub const NO_MOVE: f32 = -2.0;

/// The most visits of a cell (2²³), at which it counts no more. Up to here single
/// precision holds sums of 1 and ½, the rewards of wins and jigos, exactly.
pub const MAX_VISITS: f32 = 8_388_608.0;

/// The columns of a block.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'tree> {
    /// Visits of all-moves-as-first.
    pub visits: &'tree [f32],
    /// Rewards of all-moves-as-first.
    pub rewards: &'tree [f32],
    /// The mean of a move in the tree, [`UNTRIED`] or [`NO_MOVE`].
    pub means: &'tree [f32],
}

/// Counts a playout with this reward in the cells of the set `taken`.
#[inline(always)]
pub fn count(visits: &mut [f32], rewards: &mut [f32], taken: &[u64], reward: f32) {
    let (visits, _) = visits.as_chunks_mut::<GROUP>();
    let (rewards, _) = rewards.as_chunks_mut::<GROUP>();
    for (group, (visits, rewards)) in visits.iter_mut().zip(rewards).enumerate() {
        #[allow(clippy::cast_possible_truncation)] // the low half is wanted
        let bits = (taken[group / GROUPS] >> (group % GROUPS * GROUP)) as u32;
        let (mut more_visits, mut more_rewards) = (*visits, *rewards);
        for lane in 0..GROUP {
            let counts = bits & (1 << lane) != 0 && more_visits[lane] < MAX_VISITS;
            more_visits[lane] += if counts { 1.0 } else { 0.0 };
            more_rewards[lane] += if counts { reward } else { 0.0 };
        }
        (*visits, *rewards) = (more_visits, more_rewards);
    }
}

/// Fills `values` with the blended mean of each move, −∞ where there is no move.
/// Returns the highest value of each lane.
#[inline(always)]
pub fn blend(cells: Cells<'_>, blend: &Blend<'_>, values: &mut [f32]) -> [f32; GROUP] {
    let first_play = blend.first_play;
    match blend.weight {
        Weight::Equal(beta) => {
            let own = 1.0 - beta;
            fill(cells, cells.visits, values, |visits, rewards, mean, _| {
                value(visits, mean, rewards / visits, [own, beta], first_play)
            })
        }
        Weight::LeastError { four_square_bias, own_visits } => {
            fill(cells, own_visits, values, |visits, rewards, mean, own| {
                let beta = visits / (own + visits + own * visits * four_square_bias);
                value(visits, mean, rewards / visits, [1.0 - beta, beta], first_play)
            })
        }
    }
}

/// The blended mean of a cell with these `visits` of all-moves-as-first: both means by
/// their weights, or the one that has visits, or else `first_play`.
#[inline(always)]
fn value(visits: f32, mean: f32, amaf: f32, [own, beta]: [f32; 2], first_play: f32) -> f32 {
    // Without visits `amaf` and perhaps the weights are 0/0, and not taken.
    let both = own * mean + beta * amaf;
    let known = if mean >= 0.0 { both } else { amaf };
    let unknown = if mean >= 0.0 { mean } else { first_play };
    let value = if visits > 0.0 { known } else { unknown };
    if mean == NO_MOVE { f32::NEG_INFINITY } else { value }
}

/// Fills `values` with the results of `value` for the visits, rewards, mean and `own`
/// entry of each cell. Returns for each lane (cell number modulo 16) the highest value.
#[inline(always)]
fn fill(
    cells: Cells<'_>,
    own: &[f32],
    values: &mut [f32],
    value: impl Fn(f32, f32, f32, f32) -> f32,
) -> [f32; GROUP] {
    let (groups, _) = values.as_chunks_mut::<GROUP>();
    let (visits, _) = cells.visits.as_chunks::<GROUP>();
    let (rewards, _) = cells.rewards.as_chunks::<GROUP>();
    let (means, _) = cells.means.as_chunks::<GROUP>();
    let (own, _) = own.as_chunks::<GROUP>();
    let mut most = [f32::NEG_INFINITY; GROUP];
    let columns = visits.iter().zip(rewards).zip(means).zip(own);
    for (values, (((visits, rewards), means), own)) in groups.iter_mut().zip(columns) {
        let mut found = [0.0; GROUP];
        for lane in 0..GROUP {
            found[lane] = value(visits[lane], rewards[lane], means[lane], own[lane]);
            most[lane] = if found[lane] > most[lane] { found[lane] } else { most[lane] };
        }
        *values = found;
    }
    most
}

/// The highest of `values`, and in `best` the cells that have it; −∞ if there is
/// no move.
#[inline(always)]
pub fn highest(target: Target, values: &[f32], best: &mut [u64]) -> f32 {
    let (groups, _) = values.as_chunks::<GROUP>();
    let mut most = [f32::NEG_INFINITY; GROUP];
    for values in groups {
        for lane in 0..GROUP {
            most[lane] = if values[lane] > most[lane] { values[lane] } else { most[lane] };
        }
    }
    equal_to_highest(target, most, values, best)
}

/// The highest of `most`, the highest values by lane; fills `best` with the set of the
/// cells that have it.
#[inline(always)]
pub fn equal_to_highest(
    target: Target,
    most: [f32; GROUP],
    values: &[f32],
    best: &mut [u64],
) -> f32 {
    let most = highest_lane(most);
    let (groups, _) = values.as_chunks::<GROUP>();
    best.fill(0);
    for (group, values) in groups.iter().enumerate() {
        let bits = target.equal_mask(most, values).unwrap_or_else(|| {
            let mut bits = 0;
            for lane in 0..GROUP {
                bits |= u16::from(values[lane] == most) << lane;
            }
            bits
        });
        best[group / GROUPS] |= u64::from(bits) << (group % GROUPS * GROUP);
    }
    most
}

/// The highest of all lanes. Half is compared with half: one after the other, each
/// comparison would have to wait for the one before.
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
