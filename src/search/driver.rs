//! Drivers: they collect leaves from searches, play the playouts and hand the
//! results back.

use super::uct::{Request, Search};
use crate::playout::scalar;
use std::time::Instant;

/// Runs one search, playout after playout, until its budget is spent or the
/// clock passes `deadline`. At least one simulation is made.
pub fn run_scalar<const W: usize>(search: &mut Search<W>, deadline: Option<Instant>) {
    while let Request::Playout { simulation, job } = search.select() {
        search.update(simulation, &scalar::play(&job));
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
    }
}
