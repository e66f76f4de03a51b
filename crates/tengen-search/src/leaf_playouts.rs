//! Playouts from the leaves of a batch.

use super::evaluator::Leaf;
use tengen_go::{RegisteredPanic, Size, catch_registered_panic};
use tengen_playout::lanes::{Lanes, Ticket, worth_lanes};
use tengen_playout::{Isa, Job, Playout, PlayoutConfig, scalar};

/// Plays a playout by itself.
pub(super) fn played<const W: usize>(
    playout_config: PlayoutConfig,
    job: &Job<W>,
) -> Result<Playout<W>, RegisteredPanic> {
    if playout_config.policy.in_lanes().is_none() {
        return catch_registered_panic(|| scalar::play_by(playout_config, job));
    }
    Ok(scalar::play_by(playout_config, job))
}

/// Plays a playout from each leaf of a batch: in lanes, or one after the other where leaves are too
/// few.
pub(super) struct LeafPlayouts<const W: usize> {
    size: Size,
    playout_config: PlayoutConfig,
    /// Made when they are first needed.
    lanes: Option<Lanes<W>>,
}

impl<const W: usize> LeafPlayouts<W> {
    /// Playouts by `playout_config` on boards of `size`.
    pub(super) const fn new(size: Size, playout_config: PlayoutConfig) -> Self {
        Self { size, playout_config, lanes: None }
    }

    /// Plays the playouts of `leaves`, and calls `done` with the number of each leaf and the result.
    pub(super) fn play(
        &mut self,
        leaves: &[Leaf],
        mut done: impl FnMut(usize, Result<Playout<W>, RegisteredPanic>),
    ) {
        let Self { size, playout_config, lanes } = self;
        if leaves.len() < worth_lanes(*playout_config) {
            for (number, leaf) in leaves.iter().enumerate() {
                done(number, played(*playout_config, &leaf.playout()));
            }
            return;
        }
        let lanes = lanes
            .get_or_insert_with(|| Lanes::with_config(*size, Isa::of_program(), *playout_config));
        let mut jobs = (0..).zip(leaves).map(|(number, leaf)| (Ticket(number), leaf.playout()));
        lanes.run(
            || jobs.next(),
            |Ticket(number), playout| {
                done(usize::try_from(number).unwrap_or(usize::MAX), Ok(playout));
            },
        );
    }
}
