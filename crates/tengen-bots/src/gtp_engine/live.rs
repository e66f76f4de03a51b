//! Answers that grow while a command is executed.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The state of the input while a command is executed: the number of waiting lines, to which the
/// end of the input counts.
#[derive(Debug, Default)]
pub struct Incoming(AtomicUsize);

impl Incoming {
    /// Counts a line that has arrived, or the end.
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Counts a line that is taken.
    pub fn take(&self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }

    /// Whether something waits: a line, if only an empty one, or the end.
    pub fn is_waiting(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }
}

/// The answer to a command as far as it is sent before the command is done.
pub struct Live<'a> {
    id: Option<u32>,
    output: &'a mut dyn Write,
    incoming: &'a Incoming,
    has_begun: bool,
    fault: Option<io::Error>,
}

impl<'a> Live<'a> {
    pub fn new(id: Option<u32>, output: &'a mut dyn Write, incoming: &'a Incoming) -> Self {
        Self { id, output, incoming, has_begun: false, fault: None }
    }

    /// Whether to end an analysis: the next input has arrived, or the output has failed.
    pub fn is_interrupted(&self) -> bool {
        self.fault.is_some() || self.incoming.is_waiting()
    }

    /// Whether the answer has begun.
    pub const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// The state of the input.
    pub const fn incoming(&self) -> &'a Incoming {
        self.incoming
    }

    /// Begins the answer: the command is going to succeed.
    pub fn begin(&mut self) {
        if !self.has_begun {
            self.has_begun = true;
            let id = self.id.map_or(String::new(), |id| id.to_string());
            self.send(&format!("={id}\n"));
        }
    }

    /// Sends a line of the answer; nothing for an empty one, which would end it.
    pub fn line(&mut self, line: &str) {
        self.begin();
        if !line.is_empty() {
            self.send(&format!("{line}\n"));
        }
    }

    fn send(&mut self, text: &str) {
        if self.fault.is_none() {
            let sent = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush());
            self.fault = sent.err();
        }
    }
}
