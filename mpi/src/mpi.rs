//! Messages carried by MPI.

use crate::mailbox::{HEARTBEAT, Mailbox, Message};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::point_to_point::{Destination, MatchedReceiveVec, Source};
use mpi::traits::Communicator;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes for messages that are sent and have not arrived: those to a rank that has died stay
/// there.
const BUFFER: usize = 64 << 20;

/// The interval at which MPI is asked for messages while there are none. Waiting by MPI itself
/// would take a processor.
const INTERVAL: Duration = Duration::from_micros(100);

/// How long the end of MPI is waited for: it waits for ranks that have just died.
const LAST_WAIT: Duration = Duration::from_secs(10);

/// This process among the ranks of an MPI run.
#[derive(Debug)]
pub struct Membership {
    /// The number of this rank.
    pub rank: usize,
    /// Number of ranks.
    pub ranks: usize,
    /// Closed when the thread that carries messages has ended.
    carrier: Receiver<()>,
    /// Tells it whether all ranks end.
    all_ranks_end: Sender<bool>,
}

/// MPI does not work.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("MPI cannot be started: is `mpirun` that of the MPI with which this program was built?")]
pub struct MpiFault;

/// Takes part in the MPI run of this process, or in one of this process alone. The messages are
/// carried by a thread of its own, which makes all calls of MPI.
pub fn join() -> Result<(Membership, Mailbox), MpiFault> {
    let (outgoing, to_send) = channel();
    let (arrived, incoming) = channel();
    let (started, place) = channel();
    let (all_ranks_end, finalizes) = channel();
    let (is_carrying, carrier) = channel();
    let carry = move || {
        let _is_carrying = is_carrying;
        let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
            return;
        };
        carry(universe, &started, &to_send, &arrived, &finalizes);
    };
    thread::Builder::new().name("mpi".into()).spawn(carry).map_err(|_| MpiFault)?;
    let (rank, ranks) = place.recv().map_err(|_| MpiFault)?;
    Ok((Membership { rank, ranks, carrier, all_ranks_end }, Mailbox::new(outgoing, incoming)))
}

impl Membership {
    /// Leaves the run, after the mailbox was dropped and all that it sent is on its way. Where not
    /// `all_ranks_end`, `MPI_Finalize` is left out: it would wait for ranks that have died. This
    /// process can end after ten seconds at the latest.
    pub fn leave(self, all_ranks_end: bool) {
        // Where that thread has panicked, nothing is left to end.
        let _ = self.all_ranks_end.send(all_ranks_end);
        // An error says that the carrier has ended, or that it is not waited for any longer.
        let _ = self.carrier.recv_timeout(LAST_WAIT);
    }
}

fn carry(
    mut universe: Universe,
    started: &Sender<(usize, usize)>,
    to_send: &Receiver<Message>,
    arrived: &Sender<Message>,
    finalizes: &Receiver<bool>,
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
    let mut heartbeat = Instant::now();
    let mut has_ended = false;
    while !has_ended {
        let mut is_idle = true;
        loop {
            match to_send.try_recv() {
                Ok(Message { rank, content, .. }) => {
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
            let _ = arrived.send(Message { rank, at: Instant::now(), content });
            is_idle = false;
        }
        if heartbeat.elapsed() >= HEARTBEAT {
            heartbeat = Instant::now();
            for rank in peers.clone() {
                world.process_at_rank(rank).buffered_send(&[0_u8; 0][..]);
            }
        }
        if is_idle {
            thread::sleep(INTERVAL);
        }
    }
    if finalizes.recv() != Ok(true) {
        // It would wait for ranks that have died.
        std::mem::forget(universe);
    }
}
