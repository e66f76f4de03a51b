//! Drivers: they collect leaves from searches, play the playouts and hand the
//! results back.

use super::uct::{Request, Search};
use crate::playout::scalar;
use std::time::Instant;

/// Simulations between two looks at the clock, where none needs a playout.
const SLICE: u64 = 1_000;

/// Runs one search, playout after playout, until it has made `budget`
/// simulations or the clock passes `deadline`. At least one is made.
pub fn run_scalar<const W: usize>(search: &mut Search<W>, budget: u64, deadline: Option<Instant>) {
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    // Simulations that end inside the tree never leave `select`: where all do,
    // a budget without end would keep it there.
    let slice = if deadline.is_some() { SLICE } else { budget };
    while search.simulations() < budget {
        let target = budget.min(search.simulations().saturating_add(slice));
        search.set_budget(target);
        while let Request::Playout { simulation, job } = search.select() {
            let playout = scalar::play_by(search.manner(), &job);
            search.update(simulation, &playout);
            if is_late() {
                return;
            }
        }
        // A tree that can take no more visits is done before its budget.
        if is_late() || search.simulations() < target {
            return;
        }
    }
}
