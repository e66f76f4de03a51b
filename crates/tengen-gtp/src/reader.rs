//! Bodies of the threads that read and write the pipes of an engine: reading and
//! writing may block, and the client must not.

use super::log::{Log, Source};
use super::protocol::{Answer, printable};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};

/// An event on an engine's standard output.
pub enum Event {
    /// A complete answer.
    Answer(Answer),
    /// A line that neither begins nor continues an answer.
    Garbage(String),
    /// More bytes than the limit without the end of an answer.
    Flood,
    /// The output is closed.
    Closed,
    /// The system reports an error in reading the output.
    Unreadable(io::Error),
}

/// Longest text of [`Event::Garbage`], in characters; the rest is cut off.
const MAX_GARBAGE: usize = 200;

/// Reads answers of at most `limit` bytes each and sends them as `events`, until
/// `output` is closed, cannot be read, or holds an invalid answer.
pub fn read_answers(output: impl Read, limit: usize, events: &SyncSender<Event>, log: &Log) {
    let mut output = BufReader::new(output);
    loop {
        let event = next_event(&mut output, limit, log);
        let is_last = !matches!(event, Event::Answer(_));
        // Nobody listens any more if this fails.
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

fn next_event(output: &mut impl BufRead, limit: usize, log: &Log) -> Event {
    let (mut answer, mut line) = (String::new(), Vec::new());
    let mut taken = 0;
    loop {
        line.clear();
        let room = (limit - taken) as u64 + 1;
        match output.by_ref().take(room).read_until(b'\n', &mut line) {
            Ok(0) => return Event::Closed,
            Ok(_) if taken + line.len() > limit => return Event::Flood,
            Ok(_) => taken += line.len(),
            Err(fault) => return Event::Unreadable(fault),
        }
        let text = printable(&String::from_utf8_lossy(&line));
        if text.trim().is_empty() {
            if let Some(complete) = Answer::read(&answer) {
                return Event::Answer(complete);
            }
            continue;
        }
        log.line(Source::Output, &text);
        if answer.is_empty() && !Answer::begins(&text) {
            return Event::Garbage(text.chars().take(MAX_GARBAGE).collect());
        }
        if !answer.is_empty() {
            answer.push('\n');
        }
        answer.push_str(text.trim_end());
    }
}

/// Longest line of standard error that is kept in one piece, in bytes.
const MAX_LINE: u64 = 4096;

/// Reads standard error to its end and keeps its last line that has words: `mpirun` ends its
/// messages with a rule of dashes.
pub fn read_errors(errors: impl Read, last: &Mutex<String>, log: &Log) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    while let Ok(1..) = errors.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
        let text = printable(&String::from_utf8_lossy(&line)).trim().to_owned();
        line.clear();
        if text.is_empty() {
            continue;
        }
        log.line(Source::Errors, &text);
        if text.contains(char::is_alphanumeric) {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}

/// Writes `lines` as they come: a program that does not read blocks this
/// thread only.
pub fn write_commands(mut input: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}
