//! Pauses of a long search, in which signals are looked for.

use crate::interrupt::EVERY;
use std::time::Instant;

/// A host that stops a search for a while, so that its caller can look for signals.
pub trait Pausing {
    /// The next pause is that long after this call.
    fn go_on(&mut self);

    /// An exception has unwound the search, which is lost.
    fn give_up(&mut self) {}
}

/// When the next pause is due.
#[derive(Debug)]
pub struct Pause(Instant);

impl Pause {
    pub fn new() -> Self {
        Self(Instant::now() + EVERY)
    }

    pub fn is_due(&self) -> bool {
        Instant::now() >= self.0
    }
}
