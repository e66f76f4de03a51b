//! The loops over cells as tasks, which are compiled for each instruction set.

// What is compiled must be inlined.
#![allow(clippy::inline_always)]

use super::cells::{self, Blend, Cells};
use tengen_simd::{Target, Task};

/// [`cells::count`].
pub struct Count<'tree> {
    pub visits: &'tree mut [f32],
    pub rewards: &'tree mut [f32],
    pub taken: &'tree [u64],
    pub reward: f32,
}

impl Task for Count<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        cells::count(self.visits, self.rewards, self.taken, self.reward);
    }
}

/// [`cells::most_promising`].
pub struct MostPromising<'tree> {
    /// The target that it runs on.
    pub target: Target,
    pub cells: Cells<'tree>,
    pub first_play: f32,
    pub values: &'tree mut [f32],
    pub best: &'tree mut [u64],
}

impl Task for MostPromising<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        cells::most_promising(self.target, self.cells, self.first_play, self.values, self.best)
    }
}

/// [`cells::most_urgent`].
pub struct MostUrgent<'tree> {
    /// The target that it runs on.
    pub target: Target,
    pub cells: Cells<'tree>,
    pub blend: Blend,
    pub values: &'tree mut [f32],
    pub best: &'tree mut [u64],
}

impl Task for MostUrgent<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        cells::most_urgent(self.target, self.cells, self.blend, self.values, self.best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amaf::cells::{GROUP, MOST_VISITS, NO_MOVE, UNTRIED};
    use tengen_go::seed::split_mix;
    use tengen_playout::Isa;

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
            let most = [3, 20, 100_000][round % 3];
            let mut column = |none: u64| -> Vec<f32> {
                (0..length).map(|_| draw(most).saturating_sub(none) as f32 / 2.0).collect()
            };
            let rewards = column(0);
            let mut visits: Vec<f32> = column(1).into_iter().map(f32::ceil).collect();
            visits[round % length] = MOST_VISITS;
            let means: Vec<f32> = (0..length)
                .map(|_| match draw(4) {
                    0 => UNTRIED,
                    1 => NO_MOVE,
                    mean => mean as f32 / 3.0 * (draw(9) as f32 / 9.0),
                })
                .collect();
            let first_play = [f32::INFINITY, 0.5, 1.1][round % 3];
            let blend = Blend { weight: draw(1_000) as f32 / 1_000.0, first_play };
            let run = |isa| {
                let target = Target::new(isa);
                let (mut visits, mut rewards) = (visits.clone(), rewards.clone());
                target.run(Count {
                    visits: &mut visits,
                    rewards: &mut rewards,
                    taken: &taken,
                    reward: [0.0, 0.5, 1.0][round % 3],
                });
                let bits = |column: &[f32]| column.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                let mut found = vec![bits(&visits), bits(&rewards)];
                let cells = Cells { visits: &visits, rewards: &rewards, means: &means };
                let (mut values, mut best) = (vec![0.0; length], [0; 6]);
                let task =
                    MostUrgent { target, cells, blend, values: &mut values, best: &mut best };
                let urgent = (target.run(task).to_bits(), best);
                found.push(bits(&values));
                let task = MostPromising {
                    target,
                    cells,
                    first_play,
                    values: &mut values,
                    best: &mut best,
                };
                let promising = (target.run(task).to_bits(), best);
                found.push(bits(&values));
                (found, urgent, promising)
            };
            let expected = run(Isa::Baseline);
            for isa in Isa::supported() {
                assert_eq!(run(isa), expected, "{isa}, round {round}");
            }
        }
    }
}
