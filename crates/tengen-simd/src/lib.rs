#![deny(missing_docs)]
//! Instruction sets, and code that is compiled for each of them and chosen when
//! it runs: all unsafe code of the project.

mod dispatch;
mod isa;

pub use dispatch::{Target, Task};
pub use isa::{Isa, IsaError};
