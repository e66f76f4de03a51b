//! Child processes that, with their descendants, do not outlive this process.
//!
//! Each child runs in a process group of its own, which is killed as a whole. The leader of the
//! group is a guard, a small shell that waits until its input ends and then kills the group. Its
//! input ends when this process ends, for whatever reason. Descendants that have left the group
//! become children of this process when their parent dies (see [`adopt_orphans`]).

use crate::cpu_time::cpu_seconds;
use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use unix as system;

/// A child process with its descendants. Dropping it kills them.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// The leader of the group; none on systems without groups.
    guard: Option<Child>,
    /// How the program ended; none before [`Process::end`].
    ended: Option<Ended>,
    /// CPU time at the last look, in seconds.
    cpu_seconds: Option<f64>,
    /// Whether the system has forgotten the program: another process may have its id.
    is_forgotten: bool,
}

/// How a program ended.
#[derive(Clone, Copy, Debug)]
pub enum Ended {
    /// The program ended by itself.
    ByItself(ExitStatus),
    /// The program was killed, since it had not ended in time.
    Killed,
}

impl Process {
    /// Starts `command` in a process group of its own.
    pub fn spawn(mut command: Command) -> io::Result<Self> {
        let mut started = started();
        let mut guard = system::guard(&mut command)?;
        let child = command.spawn().inspect_err(|_| system::kill(guard.as_mut()))?;
        started.programs.extend(guard.iter().chain([&child]).map(Child::id));
        Ok(Self { child, guard, ended: None, cpu_seconds: None, is_forgotten: false })
    }

    /// The child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// The id of the process group.
    pub fn group(&self) -> u32 {
        self.guard.as_ref().unwrap_or(&self.child).id()
    }

    /// Whether the program itself has ended; its children may still run.
    pub fn has_ended(&mut self) -> bool {
        // The last chance to look, if it has ended.
        self.cpu_seconds();
        self.is_forgotten = !matches!(self.child.try_wait(), Ok(None));
        self.is_forgotten
    }

    /// CPU time of the program and its descendants so far, in seconds; of a program that has ended,
    /// that at its end. None where the system does not tell.
    pub fn cpu_seconds(&mut self) -> Option<f64> {
        if !self.is_forgotten {
            self.cpu_seconds = cpu_seconds(self.child.id()).or(self.cpu_seconds);
        }
        self.cpu_seconds
    }

    /// Waits at most `patience` for the program to end, then kills it; kills its remaining
    /// descendants in any case.
    pub fn end(&mut self, patience: Duration) -> Ended {
        if let Some(ended) = self.ended {
            return ended;
        }
        let deadline = Instant::now() + patience;
        let mut nap = Duration::from_micros(100);
        let mut by_itself = self.has_ended();
        while !by_itself && Instant::now() < deadline {
            thread::sleep(nap.min(deadline.saturating_duration_since(Instant::now())));
            nap = (2 * nap).min(Duration::from_millis(10));
            by_itself = self.has_ended();
        }
        system::kill(self.guard.as_mut());
        // Fails if it has ended already.
        let _ = self.child.kill();
        let ended = match self.child.wait() {
            Ok(status) if by_itself => Ended::ByItself(status),
            _ => Ended::Killed,
        };
        self.is_forgotten = true;
        let mut started = started();
        started.programs.retain(|id| *id != self.child.id() && *id != self.group());
        end_orphans(&started);
        *self.ended.insert(ended)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// The children that this process has started, by their ids.
#[derive(Debug)]
pub struct Started {
    /// The programs and their guards.
    programs: BTreeSet<u32>,
    /// Children that are no engines.
    pub companions: BTreeSet<u32>,
}

/// The children that this process has started, locked for the caller.
pub fn started() -> MutexGuard<'static, Started> {
    static STARTED: Mutex<Started> =
        Mutex::new(Started { programs: BTreeSet::new(), companions: BTreeSet::new() });
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    /// Waits for the end of the input and kills its own group. Signals that ask a group to end do
    /// not end the guard.
    const GUARD: &str = "trap '' HUP INT TERM; read -r _; kill -s KILL 0";

    /// Starts a guard, and lets `command` join its group.
    pub fn guard(command: &mut Command) -> io::Result<Option<Child>> {
        let mut shell = Command::new("sh");
        shell.args(["-c", GUARD]).current_dir("/").process_group(0);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let guard = shell.spawn()?;
        command.process_group(guard.id().cast_signed());
        Ok(Some(guard))
    }

    /// Kills the group of `guard`, which keeps its id until `guard` is waited for.
    pub fn kill(guard: Option<&mut Child>) {
        let Some(guard) = guard else { return };
        if let Some(group) = Pid::from_raw(guard.id().cast_signed()) {
            // Fails if no process of the group is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = guard.wait();
    }
}

#[cfg(not(unix))]
mod system {
    use std::io;
    use std::process::{Child, Command};

    #[allow(clippy::unnecessary_wraps)] // as on Unix
    pub fn guard(_: &mut Command) -> io::Result<Option<Child>> {
        Ok(None)
    }

    pub fn kill(_: Option<&mut Child>) {}
}

#[cfg(target_os = "linux")]
pub use orphans::adopt_orphans;
#[cfg(target_os = "linux")]
use orphans::end_orphans;

#[cfg(target_os = "linux")]
mod orphans {
    use super::Started;
    use crate::cpu_time::children;
    use rustix::process::{
        Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, set_child_subreaper, waitid,
    };
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Time that orphans have to die: a kill takes effect after a moment.
    const PATIENCE: Duration = Duration::from_millis(500);

    /// Whether children that this process did not start are orphans of programs.
    static ADOPTS: AtomicBool = AtomicBool::new(false);

    /// Makes this process the parent of all its orphaned descendants (a child
    /// subreaper of Linux), also of those that have left the process group of their
    /// program. They are killed when the last program ends. For programs whose only
    /// children are engines and [companions](crate::Companion).
    pub fn adopt_orphans() {
        ADOPTS.store(set_child_subreaper(Some(getpid())).is_ok(), Ordering::Relaxed);
    }

    /// Waits for ended orphans. Kills all other orphans only if no program is running, since a
    /// running program may own them.
    pub fn end_orphans(Started { programs, companions }: &Started) {
        let deadline = Instant::now() + PATIENCE;
        while ADOPTS.load(Ordering::Relaxed) {
            let mut orphans = children(std::process::id());
            orphans.retain(|id| !programs.contains(id) && !companions.contains(id));
            for &orphan in &orphans {
                let Some(orphan) = Pid::from_raw(orphan.cast_signed()) else { continue };
                if programs.is_empty() {
                    let _ = kill_process(orphan, Signal::KILL);
                }
                let _ = waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
            }
            if orphans.is_empty() || !programs.is_empty() || Instant::now() >= deadline {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Does nothing: only Linux has child subreapers.
#[cfg(not(target_os = "linux"))]
pub fn adopt_orphans() {}

#[cfg(not(target_os = "linux"))]
fn end_orphans(_: &Started) {}
