//! The output of a program: its errors say that the output cannot be written.

use crate::search::Resource;
use std::io::{self, Write};

/// A writer of a program's output, whose errors say that the output cannot be written.
pub struct Output<W>(pub W);

/// `why` as the error of the output, of the same kind.
pub fn named(why: &io::Error) -> io::Error {
    let remedy = Resource::of(why).remedy().map_or(String::new(), |remedy| format!("; {remedy}"));
    io::Error::new(why.kind(), format!("cannot write the output: {why}{remedy}"))
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|why| match why.kind() {
            // The caller tries again.
            io::ErrorKind::Interrupted => why,
            _ => named(&why),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|why| named(&why))
    }
}
