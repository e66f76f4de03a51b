//! Dispatch at run time: work is compiled once per instruction set, and the copy for
//! the chosen set is called.
//!
//! ```text
//! Target::new(Isa::Avx512)   checks that the machine has AVX-512
//!     .run(task)             calls the copy of Task::run compiled for AVX-512
//! ```
//!
//! A function marked `#[target_feature]` is compiled with the instructions
//! named there, and so is all that is inlined into it: thus one generic
//! `Task::run` in plain Rust becomes three vectorised copies. Calling such a
//! function is unsafe, because the machine may lack the instructions. A
//! [`Target`] can be made only where the machine has them, so that
//! [`Target::run`] is safe.
#![allow(unsafe_code)]

use crate::simd::Isa;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm512_cmpeq_ps_mask, _mm512_loadu_ps, _mm512_set1_ps, _pdep_u64, _pext_u64,
};
use std::sync::OnceLock;

/// Work that is compiled once per instruction set ([`Target::run`]). It becomes
/// faster only where [`Task::run`] and all functions that it calls are inlined.
pub trait Task {
    /// The result of the work.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// An instruction set that this machine is known to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    isa: Isa,
    /// Whether the machine and `isa` have `pext` and `pdep`, and execute them fast.
    has_fast_bmi2: bool,
}

/// Proof that this machine has [`Isa::Avx512`], and that it is the one chosen:
/// [`Target::avx512`].
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// Runs `task`, which is compiled for this instruction set alone.
    #[inline]
    pub fn run<K: Task>(self, task: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the machine has the instructions, as `Target::new` has checked.
        return unsafe { run_avx512(task) };
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("AVX-512 is for x86-64: {:?}", std::any::type_name_of_val(&task))
    }
}

/// Proof that this machine has [`Isa::Avx2`], and that it is the one chosen: [`Target::avx2`].
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Runs `task`, which is compiled for this instruction set alone.
    #[inline]
    pub fn run<K: Task>(self, task: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the machine has the instructions, as `Target::new` has checked.
        return unsafe { run_avx2(task) };
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("AVX2 is for x86-64: {:?}", std::any::type_name_of_val(&task))
    }
}

/// Proof that this machine executes `pext` and `pdep` fast, and that the instruction set
/// chosen has them: [`Target::fast_bmi2`].
#[derive(Clone, Copy, Debug)]
pub struct FastBmi2(());

impl FastBmi2 {
    /// The `k`-th bit of `word`, `k` from 0, alone; zero if the word has no more than `k` bits.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    #[must_use]
    pub fn nth_bit(self, word: u64, k: u32) -> u64 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the machine has BMI2, which `Target::new` has checked.
        return unsafe { _pdep_u64(1 << (k & 63), word) };
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("BMI2 is for x86-64: bit {k} of {word}")
    }
}

impl Target {
    /// The target of `isa`.
    ///
    /// # Panics
    /// If this machine does not have it.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        assert!(isa.is_supported(), "this machine has no {isa}");
        Self { isa, has_fast_bmi2: isa.has_fast_bmi2() }
    }

    /// The target of [`Isa::of_program`]. Looked up once: asking the processor takes longer than
    /// many tasks.
    #[inline]
    #[must_use]
    pub fn of_program() -> Self {
        static TARGET: OnceLock<Target> = OnceLock::new();
        *TARGET.get_or_init(|| Self::new(Isa::of_program()))
    }

    /// The instruction set.
    #[inline]
    #[must_use]
    pub const fn isa(self) -> Isa {
        self.isa
    }

    /// The proof that the target is [`Isa::Avx512`]; `None` if it is another.
    #[inline]
    #[must_use]
    pub fn avx512(self) -> Option<Avx512> {
        (self.isa == Isa::Avx512).then_some(Avx512(()))
    }

    /// The proof that the target is [`Isa::Avx2`]; `None` if it is another.
    #[inline]
    #[must_use]
    pub fn avx2(self) -> Option<Avx2> {
        (self.isa == Isa::Avx2).then_some(Avx2(()))
    }

    /// The proof that `pext` and `pdep` are fast; `None` if they are not.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    #[must_use]
    pub fn fast_bmi2(self) -> Option<FastBmi2> {
        self.has_fast_bmi2.then_some(FastBmi2(()))
    }

    /// Runs the copy of `task` that is compiled for this instruction set.
    #[inline]
    pub fn run<K: Task>(self, task: K) -> K::Output {
        match self.isa {
            Isa::Baseline => run_baseline(task),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the machine has the instructions, as `new` has checked.
            Isa::Avx2 => unsafe { run_avx2(task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the machine has the instructions, as `new` has checked.
            Isa::Avx512 => unsafe { run_avx512(task) },
            #[cfg(not(target_arch = "x86_64"))]
            isa => unreachable!("{isa} is for x86-64"),
        }
    }

    /// Parallel bit extract (`pext`) of 128 bits: the bits of `set` where `mask` has
    /// ones, packed in order into the lowest bits. `None` if the target has no fast
    /// instruction for it.
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::cast_possible_truncation)] // in halves
    #[must_use]
    pub fn extract_bits(self, set: u128, mask: u128) -> Option<u128> {
        #[cfg(target_arch = "x86_64")]
        if self.has_fast_bmi2 {
            // SAFETY: the machine has BMI2, which `new` has checked.
            let pext = |set, mask| unsafe { _pext_u64(set, mask) };
            let low = pext(set as u64, mask as u64);
            let high = pext((set >> 64) as u64, (mask >> 64) as u64);
            return Some(u128::from(low) | u128::from(high) << (mask as u64).count_ones());
        }
        let _ = (set, mask);
        None
    }

    /// Parallel bit deposit (`pdep`) of 128 bits, the inverse of
    /// [`Self::extract_bits`]: the lowest bits of `set`, spread in order over the
    /// ones of `mask`. `None` if the target has no fast instruction for it.
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::cast_possible_truncation)] // in halves
    #[must_use]
    pub fn deposit_bits(self, set: u128, mask: u128) -> Option<u128> {
        #[cfg(target_arch = "x86_64")]
        if self.has_fast_bmi2 {
            // SAFETY: the machine has BMI2, which `new` has checked.
            let pdep = |set, mask| unsafe { _pdep_u64(set, mask) };
            let low = pdep(set as u64, mask as u64);
            let high = pdep((set >> (mask as u64).count_ones()) as u64, (mask >> 64) as u64);
            return Some(u128::from(low) | u128::from(high) << 64);
        }
        let _ = (set, mask);
        None
    }

    /// The `k`-th bit of `word`, `k` from 0, alone. The word must have more than `k` bits.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    #[must_use]
    pub fn nth_bit(self, word: u64, k: u32) -> u64 {
        if let Some(bmi2) = self.fast_bmi2() {
            return bmi2.nth_bit(word, k);
        }
        let (mut rest, mut left, mut position) = (word, k, 0);
        for half in [32, 16, 8, 4, 2, 1] {
            let count = (rest & ((1 << half) - 1)).count_ones();
            let is_beyond = left >= count;
            left -= if is_beyond { count } else { 0 };
            rest >>= if is_beyond { half } else { 0 };
            position += if is_beyond { half } else { 0 };
        }
        1 << (position & 63)
    }

    /// The indices at which `values` equal `value`, as a bit mask with bit 0 for the
    /// first. `None` if the target has no instruction for it. (Compilers do not make
    /// that instruction from a loop.)
    #[inline(always)]
    #[allow(clippy::inline_always)]
    #[must_use]
    pub fn equal_mask(self, value: f32, values: &[f32; 16]) -> Option<u16> {
        #[cfg(target_arch = "x86_64")]
        if self.isa == Isa::Avx512 {
            // SAFETY: `new` has checked for AVX-512 F, and the load reads exactly the 16
            // values of the array, at any alignment.
            return Some(unsafe {
                _mm512_cmpeq_ps_mask(_mm512_loadu_ps(values.as_ptr()), _mm512_set1_ps(value))
            });
        }
        let _ = (value, values);
        None
    }
}

// Never inlined: a task may run another task, and each is optimised as a function
// of its own.

/// Runs the copy of `task` for the baseline: for work that has other forms with AVX2
/// ([`Avx2::run`]) and AVX-512, alone.
#[inline(never)]
pub(crate) fn run_baseline<K: Task>(task: K) -> K::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<K: Task>(task: K) -> K::Output {
    std::hint::black_box(&mut FrameAlignment(0));
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn run_avx512<K: Task>(task: K) -> K::Output {
    std::hint::black_box(&mut FrameAlignment(0));
    task.run()
}

/// A variable that makes the compiler align the frame of the function that has it.
///
/// Registers of 32 and 64 bytes that are kept on the stack would otherwise lie across two
/// cache lines, or not, as the stack happens to begin: that took up to an eighth of the speed
/// of AVX2. Registers of the baseline have 16 bytes, to which the stack is always aligned.
#[cfg(target_arch = "x86_64")]
#[repr(align(64))]
struct FrameAlignment(#[allow(dead_code)] u8);
