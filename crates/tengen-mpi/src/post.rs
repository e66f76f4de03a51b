//! Parcels between ranks.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// The interval at which every rank says that it is alive, by a parcel without content: the
/// helpers to rank 0, and rank 0 to all of them.
pub const BEAT: Duration = Duration::from_secs(1);

/// Bytes from a rank, or to one.
#[derive(Clone, Debug)]
pub struct Parcel {
    /// The rank that sends it, or that it goes to.
    pub rank: usize,
    /// When it arrived, or was sent.
    pub at: Instant,
    /// A message; nothing in the sign of life of a rank.
    pub content: Vec<u8>,
}

/// The parcels of one rank: what it sends goes to whoever carries them, which also sends its
/// signs of life.
#[derive(Debug)]
pub struct Post {
    outgoing: Sender<Parcel>,
    incoming: Receiver<Parcel>,
}

impl Post {
    /// The post of a rank whose parcels go to `outgoing` and arrive at `incoming`.
    #[must_use]
    pub const fn new(outgoing: Sender<Parcel>, incoming: Receiver<Parcel>) -> Self {
        Self { outgoing, incoming }
    }

    /// Sends `content` to `rank`; without effect where nobody carries parcels any more.
    pub fn send(&self, rank: usize, content: Vec<u8>) {
        // Whoever carries them has ended: the silence that follows is noticed.
        let _ = self.outgoing.send(Parcel { rank, at: Instant::now(), content });
    }

    /// The next parcel, if one arrives within `patience`; an error if none can arrive any
    /// more.
    ///
    /// # Errors
    /// If the other end is closed.
    pub fn receive(&self, patience: Duration) -> Result<Option<Parcel>, Closed> {
        match self.incoming.recv_timeout(patience) {
            Ok(parcel) => Ok(Some(parcel)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Closed),
        }
    }
}

/// Nobody carries parcels any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;
