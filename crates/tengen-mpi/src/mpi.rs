//! Parcels carried by MPI.

use crate::post::{BEAT, Parcel, Post};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::point_to_point::{Destination, MatchedReceiveVec, Source};
use mpi::traits::Communicator;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Bytes for messages that are sent and have not arrived: those to a rank that has died stay
/// there.
const BUFFER: usize = 64 << 20;

/// The interval at which MPI is asked for messages while there are none. Waiting by MPI itself
/// would take a processor.
const INTERVAL: Duration = Duration::from_micros(100);

/// This process among the ranks of an MPI run.
#[derive(Debug)]
pub struct Membership {
    /// The number of this rank.
    pub rank: usize,
    /// Number of ranks.
    pub ranks: usize,
    carrier: JoinHandle<()>,
    is_orderly: Arc<AtomicBool>,
}

/// MPI does not work.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("MPI cannot be started: is it `mpirun` of the MPI with which this program was built?")]
pub struct MpiFault;

/// Takes part in the MPI run of this process, or in one of this process alone. The parcels are
/// carried by a thread of its own, which makes all calls of MPI.
///
/// # Errors
/// If MPI cannot be started.
pub fn join() -> Result<(Membership, Post), MpiFault> {
    let (outgoing, to_send) = channel();
    let (arrived, incoming) = channel();
    let (started, place) = channel();
    let is_orderly = Arc::new(AtomicBool::new(false));
    let finalizes = Arc::clone(&is_orderly);
    let carry = move || {
        let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
            return;
        };
        carry(universe, &started, &to_send, &arrived, &finalizes);
    };
    let carrier = thread::Builder::new().name("mpi".into()).spawn(carry).map_err(|_| MpiFault)?;
    let (rank, ranks) = place.recv().map_err(|_| MpiFault)?;
    Ok((Membership { rank, ranks, carrier, is_orderly }, Post::new(outgoing, incoming)))
}

impl Membership {
    /// Leaves the run, after the post was dropped and all that it sent is on its way. MPI ends
    /// only when all ranks end: `is_orderly` is whether they will.
    pub fn leave(self, is_orderly: bool) {
        self.is_orderly.store(is_orderly, Ordering::Release);
        // A panic there was reported there.
        let _ = self.carrier.join();
    }
}

fn carry(
    mut universe: Universe,
    started: &Sender<(usize, usize)>,
    to_send: &Receiver<Parcel>,
    arrived: &Sender<Parcel>,
    finalizes: &AtomicBool,
) {
    // A message to a rank that has died must not be waited for.
    universe.set_buffer_size(BUFFER);
    let world = universe.world();
    let (own, ranks) = (world.rank(), world.size());
    let number = |rank: i32| usize::try_from(rank).unwrap_or_default();
    if started.send((number(own), number(ranks))).is_err() {
        return;
    }
    let peers = if own == 0 { 1..ranks } else { 0..1 };
    let mut beat = Instant::now();
    let mut has_ended = false;
    while !has_ended {
        let mut is_idle = true;
        loop {
            match to_send.try_recv() {
                Ok(Parcel { rank, content, .. }) => {
                    let rank = i32::try_from(rank).unwrap_or_default();
                    world.process_at_rank(rank).buffered_send(&content[..]);
                    is_idle = false;
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    has_ended = true;
                    break;
                }
            }
        }
        while let Some(message) = world.any_process().immediate_matched_probe() {
            let (content, status) = message.matched_receive_vec::<u8>();
            let rank = number(status.source_rank());
            // Where nobody listens any more, the run is about to end.
            let _ = arrived.send(Parcel { rank, at: Instant::now(), content });
            is_idle = false;
        }
        if beat.elapsed() >= BEAT {
            beat = Instant::now();
            for rank in peers.clone() {
                world.process_at_rank(rank).buffered_send(&[0_u8; 0][..]);
            }
        }
        if is_idle {
            thread::sleep(INTERVAL);
        }
    }
    if !finalizes.load(Ordering::Acquire) {
        // It would wait for ranks that have died.
        std::mem::forget(universe);
    }
}
