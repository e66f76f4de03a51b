//! Playouts from the leaves of a batch.

use super::evaluator::Leaf;
use tengen_go::{RegisteredPanic, Size, catch_registered_panic};
use tengen_playout::lanes::{Lanes, Ticket, worth_lanes};
use tengen_playout::{Isa, Job, Playout, PlayoutConfig, scalar};

/// Plays one playout, without lanes.
pub(super) fn played<const W: usize>(
    playout_config: PlayoutConfig,
    job: &Job<W>,
) -> Result<Playout<W>, RegisteredPanic> {
    if playout_config.policy.as_built_in().is_none() {
        return catch_registered_panic(|| scalar::play_by(playout_config, job));
    }
    Ok(scalar::play_by(playout_config, job))
}

/// Plays playouts in `lanes`, which are made when they are first needed, as [`Lanes::run`] does. If
/// a registered policy panics, drops the lanes and plays their unfinished playouts one by one, to
/// find the playout that panics.
pub(super) fn play_in_lanes<const W: usize>(
    lanes: &mut Option<Lanes<W>>,
    (size, playout_config): (Size, PlayoutConfig),
    mut next: impl FnMut() -> Option<(Ticket, Job<W>)>,
    mut done: impl FnMut(Ticket, Result<Playout<W>, RegisteredPanic>),
) {
    let make = || Lanes::with_config(size, Isa::of_program(), playout_config);
    let is_built_in = playout_config.policy.as_built_in().is_some();
    loop {
        let running = lanes.get_or_insert_with(make);
        let mut run = || running.run(&mut next, |ticket, playout| done(ticket, Ok(playout)));
        if is_built_in {
            return run();
        }
        if catch_registered_panic(run).is_ok() {
            return;
        }
        for (ticket, job) in lanes.take().into_iter().flat_map(Lanes::unfinished) {
            done(ticket, played(playout_config, &job));
        }
    }
}

/// Plays a playout from each leaf of a batch: in lanes, or one after the other if leaves are too
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
        let mut jobs = (0..).zip(leaves).map(|(number, leaf)| (Ticket(number), leaf.playout()));
        play_in_lanes(
            lanes,
            (*size, *playout_config),
            || jobs.next(),
            |Ticket(number), playout| done(usize::try_from(number).unwrap_or(usize::MAX), playout),
        );
    }
}
