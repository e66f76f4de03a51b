//! The loops over cells compiled for each instruction set: unsafe code, as in
//! the lanes.
#![allow(unsafe_code)]

use super::cells::{self, Blend, Cells};
use crate::playout::Isa;

/// [`cells::count`] with the instructions of `isa`.
///
/// # Panics
/// If this machine does not have them.
#[inline]
pub fn count(isa: Isa, visits: &mut [f32], rewards: &mut [f32], taken: &[u64], reward: f32) {
    match isa {
        Isa::Baseline => cells::count(visits, rewards, taken, reward),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            assert!(isa.is_supported());
            // SAFETY: the machine has the instructions, as just checked.
            unsafe { count_avx2(visits, rewards, taken, reward) }
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => {
            assert!(isa.is_supported());
            // SAFETY: the machine has the instructions, as just checked.
            unsafe { count_avx512(visits, rewards, taken, reward) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        _ => panic!("{isa} is for x86-64"),
    }
}

/// [`cells::most_urgent`] with the instructions of `isa`.
///
/// # Panics
/// If this machine does not have them.
#[inline]
pub fn most_urgent(
    isa: Isa,
    cells: Cells<'_>,
    blend: Blend,
    values: &mut [f32],
    best: &mut [u64],
) -> f32 {
    match isa {
        Isa::Baseline => cells::most_urgent(cells, blend, values, best),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            assert!(isa.is_supported());
            // SAFETY: the machine has the instructions, as just checked.
            unsafe { most_urgent_avx2(cells, blend, values, best) }
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => {
            assert!(isa.is_supported());
            // SAFETY: the machine has the instructions, as just checked.
            unsafe { most_urgent_avx512(cells, blend, values, best) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        _ => panic!("{isa} is for x86-64"),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count_avx2(visits: &mut [f32], rewards: &mut [f32], taken: &[u64], reward: f32) {
    cells::count(visits, rewards, taken, reward);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count_avx512(visits: &mut [f32], rewards: &mut [f32], taken: &[u64], reward: f32) {
    cells::count(visits, rewards, taken, reward);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn most_urgent_avx2(cells: Cells<'_>, blend: Blend, values: &mut [f32], best: &mut [u64]) -> f32 {
    cells::most_urgent(cells, blend, values, best)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn most_urgent_avx512(cells: Cells<'_>, blend: Blend, values: &mut [f32], best: &mut [u64]) -> f32 {
    cells::most_urgent(cells, blend, values, best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::amaf::cells::{GROUP, MOST_VISITS, NO_MOVE, UNTRIED};
    use crate::seed::split_mix;

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
                let (mut visits, mut rewards) = (visits.clone(), rewards.clone());
                count(isa, &mut visits, &mut rewards, &taken, [0.0, 0.5, 1.0][round % 3]);
                let (mut values, mut best) = (vec![0.0; length], [0; 6]);
                let cells = Cells { visits: &visits, rewards: &rewards, means: &means };
                let most = most_urgent(isa, cells, blend, &mut values, &mut best);
                let bits = |column: &[f32]| column.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                (bits(&visits), bits(&rewards), bits(&values), best, most.to_bits())
            };
            let expected = run(Isa::Baseline);
            for isa in Isa::supported() {
                assert_eq!(run(isa), expected, "{isa}, round {round}");
            }
        }
    }
}
