//! Code that is compiled for each instruction set, and chosen when it runs: the
//! unsafe code of lanes and searches.
#![allow(unsafe_code)]

use super::Isa;

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
    pub fn new(isa: Isa) -> Self {
        assert!(isa.is_supported(), "this machine has no {isa}");
        Self(isa)
    }

    /// Does `task` with the instructions of the target.
    #[inline]
    pub fn run<K: Task>(self, task: K) -> K::Output {
        match self.0 {
            Isa::Baseline => task.run(),
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
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<K: Task>(task: K) -> K::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn run_avx512<K: Task>(task: K) -> K::Output {
    task.run()
}
