//! The dialogue with a program, for reading when something went wrong.

use super::protocol::printable;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A program that floods does not fill the disk.
const MOST_BYTES: usize = 16 << 20;

/// Where a line of the log comes from.
#[derive(Clone, Copy)]
pub enum Source {
    /// Sent by us.
    Us,
    /// From the program's standard output.
    Output,
    /// From the program's standard error.
    Errors,
}

/// A log file that several threads write to; or none.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Option<Open>>>);

struct Open {
    file: File,
    began: Instant,
    room: usize,
}

impl Log {
    /// Continues in the file at `path`, which is begun anew; stops logging
    /// where there is none.
    ///
    /// # Errors
    /// If the file or its folder cannot be made.
    pub fn to(&self, path: Option<&Path>) -> io::Result<()> {
        let open = match path {
            Some(path) => {
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                let file = File::create(path)?;
                Some(Open { file, began: Instant::now(), room: MOST_BYTES })
            }
            None => None,
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = open;
        Ok(())
    }

    /// Writes one line. A log that cannot be written or is full ends.
    pub fn line(&self, source: Source, line: &str) {
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = guard.as_mut() else {
            return;
        };
        let mark = match source {
            Source::Us => "->",
            Source::Output => "<-",
            Source::Errors => "!!",
        };
        let seconds = open.began.elapsed().as_secs_f64();
        let text = format!("{seconds:9.3} {mark} {}\n", printable(line));
        let written = if text.len() > open.room {
            let _ = writeln!(open.file, "the log ends here: it is full");
            false
        } else {
            open.room -= text.len();
            open.file.write_all(text.as_bytes()).is_ok()
        };
        if !written {
            *guard = None;
        }
    }
}
