#![deny(missing_docs)]
//! SIMD dispatch: code that is compiled once per instruction set, of which the
//! fastest that the machine has is called. All unsafe code of the project.

mod dispatch;
mod isa;

pub use dispatch::{Target, Task};
pub use isa::{Isa, IsaError};
