//! SIMD dispatch: code is compiled once per instruction set, and the copy for the
//! set chosen at run time is called. This module holds all unsafe code of playouts and searches.

mod dispatch;
mod isa;
pub(crate) mod point_set;
#[cfg(target_arch = "x86_64")]
pub(crate) mod registers;

pub(crate) use dispatch::run_baseline;
pub use dispatch::{Avx2, Avx512, FastBmi2, Target, Task};
pub use isa::{Isa, IsaError};
