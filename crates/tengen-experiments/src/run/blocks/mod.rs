//! Blocks: units of a run that other processes make, on this machine or on others.
//!
//! ```text
//! coordinator: take the units that can be made, a few at a time     -> block
//!              submit blocks to an Executor until enough are in flight
//!              take answers, in any order; check them; write their rows
//! worker:      look up the settings of the block by their digest, check once that this program plays
//!              alike, make the units, and answer with their rows
//! ```
//!
//! A block is a pure function of its units and settings: it can be made twice or late, and
//! its rows equal the rows that one process makes. A [`Block`] travels, an [`Executor`] carries blocks to
//! worker processes and answers back, and [`Blocks`] is the coordinator. An experiment whose blocks travel
//! has `Units`, of which the coordinator makes blocks, and a `Maker` in the worker processes.

mod block;
mod clock;
mod coordinator;
mod dispatch;
mod executor;
mod journal;
mod process;
mod travelling_files;
mod worker;

pub use block::{Answer, Block, Part};
pub use coordinator::{BlockSettings, Blocks};
pub(crate) use dispatch::{Source, Units, dispatch};
pub use executor::{Executor, Ticket};
pub use journal::{BLOCKS, HostRecord};
pub use process::Process;
pub(crate) use travelling_files::{TravellingFiles, located};
pub(crate) use worker::{Made, Maker, UnitKind, make};
