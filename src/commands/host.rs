//! What a command needs from its caller: the program in a terminal, or a process that runs the
//! command inside itself, as the Python package does.

use super::progress::{Units, bar};
use super::{Failure, on_ctrl_c};
use crate::blocks::Blocks;
use crate::settings::printable;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The surroundings of a command.
pub struct Host<'a> {
    /// Receives the command's output.
    pub output: &'a mut dyn Write,
    /// Who calls it.
    pub caller: &'a dyn Caller,
}

impl Host<'_> {
    /// An error once the caller asks the command to stop, for work that is lost by stopping.
    pub(super) fn go_on(&self) -> Result<(), Failure> {
        if self.caller.is_stopped() {
            return Err(anyhow::anyhow!("stopped before the end").into());
        }
        Ok(())
    }
}

/// A callback that gets the progress of a command whenever it changes.
pub type Shown = Box<dyn FnMut(&Units) + Send>;

/// How long a command may work once it is asked to stop.
pub const LAST_WORK: Duration = Duration::from_millis(900);

/// Who calls a command.
pub trait Caller {
    /// A flag that asks the command to stop when it is true. The command may then work for at most
    /// [`LAST_WORK`]; results that it has not written are lost.
    fn stop(&self) -> anyhow::Result<Arc<AtomicBool>>;

    /// Whether a command that loses unwritten results is asked to stop. Always false if the caller
    /// then ends the process itself, as a terminal does at Ctrl-C.
    fn is_stopped(&self) -> bool;

    /// Shows a line that is no output, such as a warning.
    fn say(&self, line: &str);

    /// Shows progress, beginning with `units`, until the returned callback is dropped.
    fn shows(&self, units: &Units) -> Shown;

    /// Whether somebody reads the lines of [`Caller::say`] while the command works.
    fn is_watching(&self) -> bool;

    /// Called with the folder of the run that a command reads or writes, once it is known.
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
