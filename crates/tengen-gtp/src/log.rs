//! The log of the dialogue with an engine.

use super::protocol::printable;
use super::resource::ResourceFault;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A program that floods does not fill the disk.
const MOST_BYTES: usize = 16 << 20;

/// The source of a line of the log.
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
pub struct Log(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    open: Option<Open>,
    /// Why a log ended before it was full.
    fault: Option<ResourceFault>,
}

struct Open {
    file: File,
    path: PathBuf,
    began: Instant,
    room: usize,
}

impl Log {
    /// Continues in the file at `path`, which is begun anew; stops logging
    /// where there is none.
    ///
    /// # Errors
    /// If the file or its folder cannot be made.
    pub fn to(&self, path: Option<&Path>) -> Result<(), ResourceFault> {
        let open = match path {
            Some(path) => {
                let file = create(path).map_err(|fault| unwritten(path, &fault))?;
                let path = path.to_path_buf();
                Some(Open { file, path, began: Instant::now(), room: MOST_BYTES })
            }
            None => None,
        };
        *self.state() = State { open, fault: None };
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why lines are missing, if a write failed.
    pub fn fault(&self) -> Option<ResourceFault> {
        self.state().fault.clone()
    }

    /// Writes one line. A log that cannot be written or is full ends.
    pub fn line(&self, source: Source, line: &str) {
        let mut state = self.state();
        let Some(open) = state.open.as_mut() else {
            return;
        };
        let mark = match source {
            Source::Us => "->",
            Source::Output => "<-",
            Source::Errors => "!!",
        };
        let seconds = open.began.elapsed().as_secs_f64();
        let text = format!("{seconds:9.3} {mark} {}\n", printable(line));
        if text.len() > open.room {
            let _ = writeln!(open.file, "the log ends here: it is full");
            state.open = None;
            return;
        }
        open.room -= text.len();
        if let Err(fault) = open.file.write_all(text.as_bytes()) {
            let fault = unwritten(&open.path, &fault);
            *state = State { open: None, fault: Some(fault) };
        }
    }
}

fn create(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    File::create(path)
}

fn unwritten(path: &Path, fault: &io::Error) -> ResourceFault {
    ResourceFault::new(format_args!("the log {} cannot be written", path.display()), fault)
}
