//! The loops over cells as tasks ([`Task`]), which are compiled once per instruction
//! set.

// Only what is inlined into a task is compiled for its instruction set.
#![allow(clippy::inline_always)]

use super::blend::Blend;
use super::cells::{self, Cells};
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

/// [`cells::blend`].
pub struct BlendMeans<'tree> {
    pub cells: Cells<'tree>,
    pub blend: Blend<'tree>,
    pub values: &'tree mut [f32],
}

impl Task for BlendMeans<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        cells::blend(self.cells, &self.blend, self.values);
    }
}

/// [`cells::highest`].
pub struct Highest<'tree> {
    /// The target that it runs on.
    pub target: Target,
    pub values: &'tree [f32],
    pub best: &'tree mut [u64],
}

impl Task for Highest<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        cells::highest(self.target, self.values, self.best)
    }
}

/// [`cells::blend`] and [`cells::highest`] in one.
pub struct HighestBlend<'tree> {
    /// The target that it runs on.
    pub target: Target,
    pub means: BlendMeans<'tree>,
    pub best: &'tree mut [u64],
}

impl Task for HighestBlend<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        let BlendMeans { cells, blend, values } = self.means;
        let most = cells::blend(cells, &blend, values);
        cells::equal_to_highest(self.target, most, values, self.best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amaf::blend::Weight;
    use crate::amaf::cells::{GROUP, MAX_VISITS, NO_MOVE, UNTRIED};
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
            visits[round % length] = MAX_VISITS;
            let means: Vec<f32> = (0..length)
                .map(|_| match draw(4) {
                    0 => UNTRIED,
                    1 => NO_MOVE,
                    mean => mean as f32 / 3.0 * (draw(9) as f32 / 9.0),
                })
                .collect();
            let own_visits: Vec<f32> = means
                .iter()
                .map(|&mean| if mean < 0.0 { 0.0 } else { draw(most) as f32 })
                .collect();
            let first_play = [f32::INFINITY, 0.5, 1.1][round % 3];
            let four_square_bias = draw(1_000) as f32 / 1_000.0;
            let weights = [
                Weight::Equal(draw(1_000) as f32 / 1_000.0),
                Weight::LeastError { four_square_bias, own_visits: &own_visits },
            ];
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
                let mut highest = Vec::new();
                for weight in weights {
                    let blend = Blend { weight, first_play };
                    let (mut values, mut best) = (vec![0.0; length], [0; 6]);
                    let means = BlendMeans { cells, blend, values: &mut values };
                    let most = target.run(HighestBlend { target, means, best: &mut best });
                    highest.push((most.to_bits(), best));
                    // The same in two steps.
                    let (mut again, mut same) = (vec![0.0; length], [0; 6]);
                    target.run(BlendMeans { cells, blend, values: &mut again });
                    let most = target.run(Highest { target, values: &again, best: &mut same });
                    assert_eq!((most.to_bits(), same), highest[highest.len() - 1]);
                    assert_eq!(bits(&again), bits(&values));
                    found.push(bits(&values));
                }
                (found, highest)
            };
            let expected = run(Isa::Baseline);
            for isa in Isa::supported() {
                assert_eq!(run(isa), expected, "{isa}, round {round}");
            }
        }
    }
}
