//! The loops over cells as tasks ([`Task`]), which are compiled once per instruction
//! set.

// Only what is inlined into a task is compiled for its instruction set.
#![allow(clippy::inline_always)]

use super::cells::{self, Blend, Columns, Moves, Ranked};
use tengen_playout::simd::{Target, Task};

/// [`cells::count_compact`].
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
        cells::count_compact(self.visits, self.halves, self.taken, self.half_reward)
    }
}

/// [`cells::count_wide`].
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
        cells::count_wide(self.visits, self.rewards, self.taken, self.reward);
    }
}

/// [`cells::blend`].
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
        cells::blend(target, &columns, moves, blend, ranked, values, best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amaf::cells::{Compact, GROUP, MAX_COMPACT_VISITS, MAX_VISITS, NO_MEAN, Wide};
    use crate::amaf::prior_sums::PriorSums;
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
            wide_visits[round % length] = MAX_VISITS;
            let first_play = [f32::INFINITY, 0.5, 1.1][round % 3];
            let half_reward = (round % 3) as u8;
            let means: Vec<f32> = (0..length)
                .map(|_| if draw(2) == 0 { NO_MEAN } else { draw(9) as f32 / 9.0 })
                .collect();
            let blend = Blend { weight: draw(1_000) as f32 / 1_000.0, first_play };
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
                let moves = Moves { means: &means, untried: &untried };
                let (mut values, mut best) = (vec![0.0; length], [0; 6]);
                let prior_sums = PriorSums::new(20.0);
                let (visits, halves, priors) = (&visits[..], &halves[..], &priors[..]);
                let columns = Compact { priors, visits, halves, prior_sums };
                let (values, best) = (&mut values, &mut best);
                let task = BlendMeans { target, columns, moves, blend, ranked, values, best };
                let compact = (target.run(task).to_bits(), *best, bits(values));
                let columns = Wide { visits: &wide_visits, rewards: &wide_rewards };
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
