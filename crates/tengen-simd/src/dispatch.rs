//! Code that is compiled for each instruction set, and chosen when it runs: the
//! unsafe code of lanes and searches.
#![allow(unsafe_code)]

use crate::Isa;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm512_cmpeq_ps_mask, _mm512_loadu_ps, _mm512_set1_ps, _pdep_u64, _pext_u64,
};

/// Work that is compiled for every instruction set. It only pays where
/// [`Task::run`] and all that it calls is inlined.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does the work: `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// An instruction set that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(Isa);

impl Target {
    /// The target of `isa`.
    ///
    /// # Panics
    /// If this machine does not have it.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        assert!(isa.is_supported(), "this machine has no {isa}");
        Self(isa)
    }

    /// Does `task` with the instructions of the target.
    #[inline]
    pub fn run<K: Task>(self, task: K) -> K::Output {
        match self.0 {
            Isa::Baseline => run_baseline(task),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the machine has the instructions, as `new` has checked.
            Isa::Avx2 => unsafe { run_avx2(task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            Isa::Avx512 => unsafe { run_avx512(task) },
            #[cfg(not(target_arch = "x86_64"))]
            isa => unreachable!("{isa} is for x86-64"),
        }
    }

    /// The bits of `set` in `mask`, closed up to the lowest places in their
    /// order; none if the target has no fast instruction for that.
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::cast_possible_truncation)] // in halves
    #[must_use]
    pub fn close_up(self, set: u128, mask: u128) -> Option<u128> {
        #[cfg(target_arch = "x86_64")]
        if self.0 == Isa::Avx512 {
            // SAFETY: whatever has AVX-512 VBMI2 has BMI2, which `new` has checked.
            let close_up = |set, mask| unsafe { _pext_u64(set, mask) };
            let low = close_up(set as u64, mask as u64);
            let high = close_up((set >> 64) as u64, (mask >> 64) as u64);
            return Some(u128::from(low) | u128::from(high) << (mask as u64).count_ones());
        }
        None
    }

    /// The inverse of [`Self::close_up`]: the lowest bits of `set`, put into the
    /// places of `mask`.
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::cast_possible_truncation)] // in halves
    #[must_use]
    pub fn open_up(self, set: u128, mask: u128) -> Option<u128> {
        #[cfg(target_arch = "x86_64")]
        if self.0 == Isa::Avx512 {
            // SAFETY: as above.
            let open_up = |set, mask| unsafe { _pdep_u64(set, mask) };
            let low = open_up(set as u64, mask as u64);
            let high = open_up((set >> (mask as u64).count_ones()) as u64, (mask >> 64) as u64);
            return Some(u128::from(low) | u128::from(high) << 64);
        }
        None
    }

    /// The places where `values` are equal to `value`, the first the lowest bit;
    /// none if the target has no instruction for that, which no compiler finds
    /// in a loop.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    #[must_use]
    pub fn places_of(self, value: f32, values: &[f32; 16]) -> Option<u16> {
        #[cfg(target_arch = "x86_64")]
        if self.0 == Isa::Avx512 {
            // SAFETY: `new` has checked for AVX-512 F, and the load is of an array
            // of just so many values.
            return Some(unsafe {
                _mm512_cmpeq_ps_mask(_mm512_loadu_ps(values.as_ptr()), _mm512_set1_ps(value))
            });
        }
        None
    }
}

// Never inlined, since a task may run another: each is optimised by itself.

#[inline(never)]
fn run_baseline<K: Task>(task: K) -> K::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<K: Task>(task: K) -> K::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn run_avx512<K: Task>(task: K) -> K::Output {
    task.run()
}
