//! Blocks of any experiment, and the worker processes that make them.

pub use crate::run::blocks::{
    Answer, BLOCKS, Block, BlockSettings, Blocks, Executor, HostRecord, Part, Process, Ticket,
};

use crate::run::blocks::UnitKind;
use crate::{convergence, run, tournament};

/// The kinds of units that a worker process can make.
const KINDS: &[UnitKind] = &[tournament::GAMES, convergence::POSITION_UNITS];

/// Makes a block, which [`Block::to_bytes`] wrote, on this thread; returns an [`Answer`].
///
/// Before the first block of a run it checks that the bots play here as they do in the program of the
/// coordinator.
#[must_use]
pub fn make(block: &[u8]) -> Vec<u8> {
    run::blocks::make(block, KINDS)
}

#[cfg(test)]
mod tests;
