//! What a command needs of whoever calls it: a program in a terminal, or a process that runs it
//! inside itself, as the Python package does.

use super::progress::{Units, bar};
use super::{Failure, on_ctrl_c};
use crate::blocks::Blocks;
use crate::settings::printable;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Where a command runs.
pub struct Host<'a> {
    /// Where its output is written.
    pub output: &'a mut dyn Write,
    /// Who calls it.
    pub caller: &'a dyn Caller,
}

impl Host<'_> {
    /// Refuses to go on with a command that is lost when it stops, once its caller asks it to stop.
    pub(super) fn go_on(&self) -> Result<(), Failure> {
        if self.caller.is_stopped() {
            return Err(anyhow::anyhow!("stopped before the end").into());
        }
        Ok(())
    }
}

/// What is called with the progress of a command whenever it changes.
pub type Shown = Box<dyn FnMut(&Units) + Send>;

/// How long a command may work once it is asked to stop.
pub const LAST_WORK: Duration = Duration::from_millis(900);

/// Who calls a command.
pub trait Caller {
    /// A flag that asks the command to stop when it is true. It may then work for [`LAST_WORK`] at most: what it has
    /// not written is lost.
    fn stop(&self) -> anyhow::Result<Arc<AtomicBool>>;

    /// Whether a command is asked to stop that loses what it has not written. False where its caller
    /// then ends the process, as a terminal does at Ctrl-C.
    fn is_stopped(&self) -> bool;

    /// Shows a line that is no output, such as a warning.
    fn say(&self, line: &str);

    /// Shows progress, which is `units` at first, until what is returned is dropped.
    fn shows(&self, units: &Units) -> Shown;

    /// Whether somebody watches the lines that are said while the command works.
    fn is_watching(&self) -> bool;

    /// Called with the folder that a command reads or writes as a run, when it is known.
    fn works_in(&self, folder: &Path);

    /// The coordinator of the processes that make the units of a run in place of this one, if there is
    /// one.
    fn blocks(&self) -> Option<&Blocks> {
        None
    }
}

/// The caller of a program: its terminal. Lines and progress are written to standard error.
pub struct Terminal;

impl Caller for Terminal {
    /// Ctrl-C sets the flag, and ends the process if the command does not end by itself.
    fn stop(&self) -> anyhow::Result<Arc<AtomicBool>> {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        on_ctrl_c(move || {
            seen.store(true, Ordering::Relaxed);
            std::thread::sleep(LAST_WORK);
            let note = tengen_system::noted().map_or(String::new(), |note| format!("; {note}"));
            Self.say(&format!("\nstopped{note}"));
            std::process::exit(130);
        })?;
        Ok(stop)
    }

    fn is_stopped(&self) -> bool {
        false
    }

    fn say(&self, line: &str) {
        // If standard error is closed, nobody reads this.
        let _ = writeln!(io::stderr(), "{}", printable(line));
    }

    fn shows(&self, units: &Units) -> Shown {
        bar(units)
    }

    fn is_watching(&self) -> bool {
        io::stderr().is_terminal()
    }

    fn works_in(&self, folder: &Path) {
        tengen_system::note(format!("what was written to {} stays", folder.display()));
    }
}
