//! The loops that count a playout in the cells of a block.

#![allow(clippy::inline_always, clippy::needless_range_loop)]

use super::cells::{GROUP, MAX_COMPACT_VISITS, MAX_VISITS, bits};
use tengen_playout::simd::Task;

/// Counts a playout with a reward of `half_reward` / 2 in the cells of the set `taken` of
/// a compact block. Returns whether a cell has its maximum of visits.
pub struct CountCompact<'tree> {
    pub visits: &'tree mut [u8],
    pub halves: &'tree mut [u8],
    pub taken: &'tree [u64],
    pub half_reward: u8,
}

impl Task for CountCompact<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { visits, halves, taken, half_reward } = self;
        let (visits, _) = visits.as_chunks_mut::<GROUP>();
        let (halves, _) = halves.as_chunks_mut::<GROUP>();
        let mut most = [0; GROUP];
        for (group, (visits, halves)) in visits.iter_mut().zip(halves).enumerate() {
            let bits = bits(taken, group);
            let (mut more_visits, mut more_halves) = (*visits, *halves);
            for lane in 0..GROUP {
                let counts = bits & (1 << lane) != 0;
                more_visits[lane] += u8::from(counts);
                more_halves[lane] += if counts { half_reward } else { 0 };
                most[lane] = more_visits[lane].max(most[lane]);
            }
            (*visits, *halves) = (more_visits, more_halves);
        }
        most.into_iter().max() == Some(MAX_COMPACT_VISITS)
    }
}

/// Counts a playout with this reward in the cells of the set `taken` of a wide block.
pub struct CountWide<'tree> {
    pub visits: &'tree mut [f32],
    pub rewards: &'tree mut [f32],
    pub taken: &'tree [u64],
    pub reward: f32,
}

impl Task for CountWide<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { visits, rewards, taken, reward } = self;
        let (visits, _) = visits.as_chunks_mut::<GROUP>();
        let (rewards, _) = rewards.as_chunks_mut::<GROUP>();
        for (group, (visits, rewards)) in visits.iter_mut().zip(rewards).enumerate() {
            let bits = u32::from(bits(taken, group));
            let (mut more_visits, mut more_rewards) = (*visits, *rewards);
            for lane in 0..GROUP {
                let counts = bits & (1 << lane) != 0 && more_visits[lane] < MAX_VISITS;
                more_visits[lane] += if counts { 1.0 } else { 0.0 };
                more_rewards[lane] += if counts { reward } else { 0.0 };
            }
            (*visits, *rewards) = (more_visits, more_rewards);
        }
    }
}
