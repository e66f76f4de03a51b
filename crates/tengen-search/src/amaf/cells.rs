//! Operations on all AMAF cells of a block at once.

// The loops become vectors only if they are inlined where the instruction set
// is chosen, are counted loops over arrays, and write to arrays of their own:
// columns might overlap for all that the compiler knows.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

use tengen_simd::Target;

/// Cells that are counted and compared at once; a block is a multiple of them.
pub const GROUP: usize = 16;

/// Groups in a word of a set of points.
const GROUPS: usize = 64 / GROUP;

/// In the place of a mean: the move is not in the tree.
pub const UNTRIED: f32 = -1.0;

/// In the place of a mean: there is no such move.
pub const NO_MOVE: f32 = -2.0;

/// A cell counts no more visits than these. Until here single precision holds
/// wins and jigos exactly, and the mean is known to one in four thousand.
pub const MOST_VISITS: f32 = 8_388_608.0;

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

/// What the blended mean of a move depends on besides its cell.
#[derive(Clone, Copy, Debug)]
pub struct Blend {
    /// The weight β of all-moves-as-first where a move has both means.
    pub weight: f32,
    /// The value of a move that has neither.
    pub first_play: f32,
}

/// Counts a playout of this reward in the cells that are in `taken`.
#[inline(always)]
pub fn count(visits: &mut [f32], rewards: &mut [f32], taken: &[u64], reward: f32) {
    let (visits, _) = visits.as_chunks_mut::<GROUP>();
    let (rewards, _) = rewards.as_chunks_mut::<GROUP>();
    for (group, (visits, rewards)) in visits.iter_mut().zip(rewards).enumerate() {
        #[allow(clippy::cast_possible_truncation)] // the low half is wanted
        let bits = (taken[group / GROUPS] >> (group % GROUPS * GROUP)) as u32;
        let (mut more_visits, mut more_rewards) = (*visits, *rewards);
        for lane in 0..GROUP {
            let counts = bits & (1 << lane) != 0 && more_visits[lane] < MOST_VISITS;
            more_visits[lane] += if counts { 1.0 } else { 0.0 };
            more_rewards[lane] += if counts { reward } else { 0.0 };
        }
        (*visits, *rewards) = (more_visits, more_rewards);
    }
}

/// The highest mean of all-moves-as-first among the untried moves, one without
/// visits there counting as `first_play`, and in `best` the moves that have it;
/// -∞ if no move is untried.
#[inline(always)]
pub fn most_promising(
    target: Target,
    cells: Cells<'_>,
    first_play: f32,
    values: &mut [f32],
    best: &mut [u64],
) -> f32 {
    highest(target, cells, values, best, |visits, reward, mean| {
        let amaf = reward / visits;
        let amaf = if visits > 0.0 { amaf } else { first_play };
        if mean == UNTRIED { amaf } else { f32::NEG_INFINITY }
    })
}

/// The highest blended mean (1 − β) m + β a among all moves, and in `best`
/// those that have it: β is 1 for untried moves and 0 for those without visits
/// of all-moves-as-first. -∞ if there is no move.
#[inline(always)]
pub fn most_urgent(
    target: Target,
    cells: Cells<'_>,
    blend: Blend,
    values: &mut [f32],
    best: &mut [u64],
) -> f32 {
    let Blend { weight, first_play } = blend;
    let own_weight = 1.0 - weight;
    highest(target, cells, values, best, |visits, reward, mean| {
        let amaf = reward / visits;
        let both = own_weight * mean + weight * amaf;
        let known = if mean >= 0.0 { both } else { amaf };
        let unknown = if mean >= 0.0 { mean } else { first_play };
        let value = if visits > 0.0 { known } else { unknown };
        if mean == NO_MOVE { f32::NEG_INFINITY } else { value }
    })
}

/// The highest value that `value` gives a cell, from its visits, rewards and
/// mean, and in `best` the cells that have it.
#[inline(always)]
fn highest(
    target: Target,
    cells: Cells<'_>,
    values: &mut [f32],
    best: &mut [u64],
    value: impl Fn(f32, f32, f32) -> f32,
) -> f32 {
    let (groups, _) = values.as_chunks_mut::<GROUP>();
    let (visits, _) = cells.visits.as_chunks::<GROUP>();
    let (rewards, _) = cells.rewards.as_chunks::<GROUP>();
    let (means, _) = cells.means.as_chunks::<GROUP>();
    let mut most = [f32::NEG_INFINITY; GROUP];
    let columns = visits.iter().zip(rewards).zip(means);
    for (values, ((visits, rewards), means)) in groups.iter_mut().zip(columns) {
        let mut found = [0.0; GROUP];
        for lane in 0..GROUP {
            found[lane] = value(visits[lane], rewards[lane], means[lane]);
            most[lane] = if found[lane] > most[lane] { found[lane] } else { most[lane] };
        }
        *values = found;
    }
    let most = highest_of(most);
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

/// The highest of all lanes, half compared with half: in a row each would wait
/// for the one before.
#[inline(always)]
fn highest_of(lanes: [f32; GROUP]) -> f32 {
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
