#![deny(missing_docs)]
//! SIMD dispatch: code is compiled once per instruction set, and the copy for the
//! set chosen at run time is called. This crate holds all unsafe code of the project.

mod dispatch;
mod isa;

pub use dispatch::{Target, Task};
pub use isa::{Isa, IsaError};
