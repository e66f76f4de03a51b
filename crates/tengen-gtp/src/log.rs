//! The log of the dialogue with an engine.

use super::protocol::printable;
use super::system::SystemFault;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Longest log, in bytes, so that an engine that floods does not fill the disk.
const MAX_BYTES: usize = 16 << 20;

/// The source of a line of the log.
#[derive(Clone, Copy)]
pub enum Source {
    /// A command, sent by this program.
    Us,
    /// The engine's standard output.
    Output,
    /// The engine's standard error.
    Errors,
}

/// A log file that several threads write to. Without a file it logs nothing.
///
/// # Examples
/// ```
/// use tengen_gtp::{Log, Source};
///
/// let path = std::env::temp_dir().join(format!("gtp-{}.log", std::process::id()));
/// let log = Log::default();
/// log.to(Some(&path))?;
/// log.line(Source::Us, "1 genmove black");
/// log.line(Source::Output, "=1 C3");
/// let text = std::fs::read_to_string(&path)?;
/// assert!(text.contains("-> 1 genmove black") && text.contains("<- =1 C3"));
/// # log.to(None)?;
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    open: Option<Open>,
    /// The error that ended a log before it was full.
    fault: Option<SystemFault>,
}

struct Open {
    file: File,
    path: PathBuf,
    began: Instant,
    room: usize,
}

impl Log {
    /// Logs to a new file at `path` from now on, replacing an existing file; without `path` logging
    /// stops.
    pub fn to(&self, path: Option<&Path>) -> Result<(), SystemFault> {
        let open = match path {
            Some(path) => {
                let file = create(path).map_err(|fault| unwritten(path, fault))?;
                let path = path.to_path_buf();
                Some(Open { file, path, began: Instant::now(), room: MAX_BYTES })
            }
            None => None,
        };
        *self.state() = State { open, fault: None };
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error of a failed write, after which lines are missing; none if all
    /// writes succeeded.
    #[must_use]
    pub fn fault(&self) -> Option<SystemFault> {
        self.state().fault.clone()
    }

    /// Writes one line, with the seconds since the log began and the line's source.
    /// Logging stops when the file is full or a write fails.
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
            let fault = unwritten(&open.path, fault);
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

fn unwritten(path: &Path, fault: io::Error) -> SystemFault {
    SystemFault::new(format!("the log {} cannot be written", path.display()), fault)
}
