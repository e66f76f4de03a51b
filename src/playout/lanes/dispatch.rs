//! The kernel compiled for each instruction set: the only unsafe code.
#![allow(unsafe_code)]

use super::kernel::Kernel;
use super::stop::Judge;
use super::word::Word;
use crate::playout::Isa;

/// Runs [`Kernel::advance`] with the instructions of `isa`.
///
/// # Panics
/// If this machine does not have them.
#[inline]
pub fn advance<
    T: Word,
    const N: usize,
    const S: usize,
    const L: usize,
    const LOOKS: bool,
    const STOPS: bool,
>(
    isa: Isa,
    kernel: &mut Kernel<T, N, S, L>,
    judge: &mut Judge<T, L>,
) -> u64 {
    match isa {
        Isa::Baseline => kernel.advance::<LOOKS, STOPS>(judge),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            assert!(isa.is_supported());
            // SAFETY: the machine has the instructions, as just checked.
            unsafe { advance_avx2::<T, N, S, L, LOOKS, STOPS>(kernel, judge) }
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => {
            assert!(isa.is_supported());
            // SAFETY: the machine has the instructions, as just checked.
            unsafe { advance_avx512::<T, N, S, L, LOOKS, STOPS>(kernel, judge) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        _ => panic!("{isa} is for x86-64"),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn advance_avx2<
    T: Word,
    const N: usize,
    const S: usize,
    const L: usize,
    const LOOKS: bool,
    const STOPS: bool,
>(
    kernel: &mut Kernel<T, N, S, L>,
    judge: &mut Judge<T, L>,
) -> u64 {
    kernel.advance::<LOOKS, STOPS>(judge)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn advance_avx512<
    T: Word,
    const N: usize,
    const S: usize,
    const L: usize,
    const LOOKS: bool,
    const STOPS: bool,
>(
    kernel: &mut Kernel<T, N, S, L>,
    judge: &mut Judge<T, L>,
) -> u64 {
    kernel.advance::<LOOKS, STOPS>(judge)
}
