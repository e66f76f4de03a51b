//! SIMD dispatch: code is compiled once per instruction set, and the copy for the
//! set chosen at run time is called. This module holds all unsafe code of playouts and searches.

mod dispatch;
mod isa;
#[cfg(target_arch = "x86_64")]
mod registers;

pub use dispatch::{Avx512, Target, Task};
pub use isa::{Isa, IsaError};
#[cfg(target_arch = "x86_64")]
pub use registers::{Bits128, Bits192, Bits384};
