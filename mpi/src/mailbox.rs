//! Messages between ranks.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Heartbeat interval: the helpers send rank 0 a message without content so often, and rank 0
/// all of them.
pub const HEARTBEAT: Duration = Duration::from_secs(1);

/// A message between two ranks.
#[derive(Clone, Debug)]
pub struct Message {
    /// The rank that sends it, or that it goes to.
    pub rank: usize,
    /// When it arrived, or was sent.
    pub at: Instant,
    /// An order or an answer as JSON; nothing in a heartbeat.
    pub content: Vec<u8>,
}

/// What one rank sends and receives: whoever carries its messages also sends its heartbeats.
#[derive(Debug)]
pub struct Mailbox {
    outgoing: Sender<Message>,
    incoming: Receiver<Message>,
}

impl Mailbox {
    /// The mailbox of a rank whose messages go to `outgoing` and arrive at `incoming`.
    #[must_use]
    pub const fn new(outgoing: Sender<Message>, incoming: Receiver<Message>) -> Self {
        Self { outgoing, incoming }
    }

    /// Sends `content` to `rank`; without effect where nobody carries messages any more.
    pub fn send(&self, rank: usize, content: Vec<u8>) {
        // Whoever carries them has ended: the silence that follows is noticed.
        let _ = self.outgoing.send(Message { rank, at: Instant::now(), content });
    }

    /// The next message, if one arrives within `patience`; an error if none can arrive any
    /// more.
    pub fn receive(&self, patience: Duration) -> Result<Option<Message>, Closed> {
        match self.incoming.recv_timeout(patience) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Closed),
        }
    }
}

/// Nobody carries messages any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;
