//! Answers that grow while a command is executed.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What is known of the input while a command is executed.
#[derive(Debug, Default)]
pub struct Incoming {
    lines: AtomicUsize,
    has_ended: AtomicBool,
}

impl Incoming {
    /// Another line is there.
    pub fn add(&self) {
        self.lines.fetch_add(1, Ordering::SeqCst);
    }

    /// A line is taken.
    pub fn take(&self) {
        self.lines.fetch_sub(1, Ordering::SeqCst);
    }

    /// The input has ended.
    pub fn end(&self) {
        self.has_ended.store(true, Ordering::SeqCst);
    }

    /// Whether something waits: a line, if only an empty one, or the end.
    pub fn is_waiting(&self) -> bool {
        self.lines.load(Ordering::SeqCst) > 0 || self.has_ended.load(Ordering::SeqCst)
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

    /// Whether the next input is there, which ends an analysis; so does an output
    /// that takes no more.
    pub fn is_interrupted(&self) -> bool {
        self.fault.is_some() || self.incoming.is_waiting()
    }

    /// What is known of the input.
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
        if line.is_empty() {
            return;
        }
        self.send(&format!("{line}\n"));
    }

    fn send(&mut self, text: &str) {
        if self.fault.is_none() {
            let sent = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush());
            self.fault = sent.err();
        }
    }
}
