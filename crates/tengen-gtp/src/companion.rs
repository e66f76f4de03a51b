//! Child processes that are no engines.

use crate::process::started;
use std::io;
use std::process::{Child, Command, ExitStatus};

/// A child process that is no engine, and is not killed as an orphan of an engine.
///
/// It runs in a process group of its own, so that Ctrl-C in a terminal reaches only its parent, and
/// at low priority. Dropping it lets it run on.
#[derive(Debug)]
pub struct Companion {
    child: Child,
}

impl Companion {
    /// Starts `command`.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        system::leave_group(command);
        // Locked, so that no search for orphans runs before the id is known.
        let mut started = started();
        let child = command.spawn()?;
        started.companions.insert(child.id());
        system::yield_processor(&child);
        Ok(Self { child })
    }

    /// The child, for its pipes.
    pub const fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// The exit status; `None` while it runs.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        let mut started = started();
        let ended = self.child.try_wait().ok().flatten()?;
        started.companions.remove(&self.child.id());
        Some(ended)
    }

    /// Asks it to end, as Ctrl-C does; kills it where the system has no such request.
    pub fn interrupt(&mut self) {
        // Another process may have the id of a process that has ended.
        if self.ended().is_none() {
            system::interrupt(&mut self.child);
        }
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        // Fails if it has ended already.
        let _ = self.child.kill();
    }
}

#[cfg(unix)]
mod system {
    use rustix::process::{Pid, Signal, kill_process, setpriority_process};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    /// The niceness of a companion.
    const NICE: i32 = 10;

    pub fn leave_group(command: &mut Command) {
        command.process_group(0);
    }

    /// Threads that the child starts later inherit the niceness.
    pub fn yield_processor(child: &Child) {
        let _ = setpriority_process(Pid::from_raw(child.id().cast_signed()), NICE);
    }

    pub fn interrupt(child: &mut Child) {
        if let Some(id) = Pid::from_raw(child.id().cast_signed()) {
            let _ = kill_process(id, Signal::INT);
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::process::{Child, Command};

    pub fn leave_group(_: &mut Command) {}

    pub fn yield_processor(_: &Child) {}

    pub fn interrupt(child: &mut Child) {
        let _ = child.kill();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::process::Process;
    use std::time::{Duration, Instant};

    #[test]
    fn it_outlives_engines_and_ends_when_it_is_asked_to() {
        // A shell makes its background jobs ignore the interrupt, and their children with them.
        let mut sleep = Command::new("env");
        sleep.args(["--default-signal=INT", "sleep", "60"]);
        let mut companion = Companion::spawn(&mut sleep).unwrap();
        crate::adopt_orphans();
        Process::spawn(Command::new("true")).unwrap().end(Duration::from_secs(5));
        assert_eq!(companion.ended(), None);
        companion.interrupt();
        let until = Instant::now() + Duration::from_secs(10);
        while companion.ended().is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(companion.ended().is_some_and(|status| !status.success()));
    }
}
