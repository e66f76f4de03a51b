//! Child processes that do not outlive this one.
//!
//! Each is the leader of a process group of its own, and it and its children are
//! ended in three ways. [`Process::end`] kills the group, and on Linux also the
//! descendants that have left the group (see [`super::descendants`]). On Linux the
//! kernel kills the leader when this process dies, however it dies. And a guard,
//! one small shell per run of this program, waits until this process is gone, then
//! kills what is left of the groups and, on Linux, every process that carries a
//! mark of this one.

use super::descendants::{self, Children, Mark};
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// A child process with its descendants. Dropping it kills them.
#[derive(Debug)]
pub struct Process {
    child: Child,
    mark: Mark,
    /// How the program ended; none before [`Process::end`].
    ended: Option<Ended>,
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
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn spawn(mut command: Command) -> io::Result<Self> {
        let mark = Mark::new();
        command.env(descendants::VARIABLE, mark.value());
        system::isolate(&mut command);
        let mut children = children();
        system::start_guard(&mut children)?;
        let child = spawn_on_lasting_thread(command)?;
        children.engines.insert(child.id());
        system::guard(&child);
        Ok(Self { child, mark, ended: None })
    }

    /// The child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Whether the program itself has ended; its children may still run.
    pub fn has_ended(&mut self) -> bool {
        self.ended.is_some() || system::has_ended(&mut self.child)
    }

    /// Waits at most `patience` for the program to end, then kills it; kills
    /// what is left of its descendants in any case.
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
        // Before the leader is waited for: until then no other process can get its
        // id.
        system::stop_group(&mut self.child);
        {
            let mut children = children();
            children.ending.insert(self.child.id());
            descendants::kill(self.child.id(), &self.mark, &children);
        }
        system::kill_group(&mut self.child);
        system::unguard(&self.child);
        let ended = match self.child.wait() {
            Ok(status) if by_itself => Ended::ByItself(status),
            _ => Ended::Killed,
        };
        let mut children = children();
        children.engines.remove(&self.child.id());
        children.ending.remove(&self.child.id());
        self.ended = Some(ended);
        ended
    }
}

/// The list of this process's children, locked for the caller.
fn children() -> MutexGuard<'static, Children> {
    static CHILDREN: Mutex<Children> = Mutex::new(Children::none());
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Starts `command` from a thread that lasts as long as this process: Linux
/// sends the parent-death signal when the *thread* that started a child ends.
fn spawn_on_lasting_thread(command: Command) -> io::Result<Child> {
    type Order = (Command, mpsc::Sender<io::Result<Child>>);
    static SPAWNER: LazyLock<io::Result<mpsc::Sender<Order>>> = LazyLock::new(|| {
        let (sender, orders) = mpsc::channel::<Order>();
        thread::Builder::new().name("spawner".into()).spawn(move || {
            for (mut command, answer) in orders {
                // Whoever ordered it waits for the answer.
                let _ = answer.send(command.spawn());
            }
        })?;
        Ok(sender)
    });
    let gone = || io::Error::other("the thread that starts programs is gone");
    let spawner = SPAWNER.as_ref().map_err(|fault| io::Error::new(fault.kind(), fault.to_string()));
    let (sender, answer) = mpsc::channel();
    spawner?.send((command, sender)).map_err(|_| gone())?;
    answer.recv().map_err(|_| gone())?
}

#[cfg(unix)]
mod system {
    #![allow(unsafe_code)] // one call, with its argument

    use super::descendants::{Children, OWN_MARKS};
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::io::{self, Write};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, ChildStdin, Command, Stdio};
    use std::sync::{Mutex, OnceLock, PoisonError};

    /// Script of the guard. It reads lines `+ group` and `- group` until its input
    /// ends, then kills the groups that are left, and every process whose
    /// environment holds a mark that begins with `$0`, which only systems with
    /// `/proc` show. It looks twice, to catch processes just being started.
    const GUARD: &str = "\
        trap '' HUP INT TERM; groups=; \
        while read -r sign group; do \
          if [ \"$sign\" = + ]; then groups=\"$groups $group\"; else \
            left=; \
            for other in $groups; do [ \"$other\" = \"$group\" ] || left=\"$left $other\"; done; \
            groups=$left; \
          fi; \
        done; \
        for group in $groups; do kill -s KILL -- \"-$group\"; done; \
        for round in 1 2; do \
          for file in $(grep -lsF -e \"$0\" /proc/[0-9]*/environ); do \
            file=${file#/proc/}; kill -s KILL \"${file%/environ}\"; \
          done; \
        done";

    /// The input of the guard. It ends when this process does, since no child
    /// inherits it. The error is the system's error code.
    static GUARD_INPUT: OnceLock<Result<Option<Mutex<ChildStdin>>, i32>> = OnceLock::new();

    /// Starts the guard, if it does not run, and adds it to `children`.
    pub fn start_guard(children: &mut Children) -> io::Result<()> {
        let started = GUARD_INPUT.get_or_init(|| {
            let guard = Command::new("sh")
                .args(["-c", GUARD, &OWN_MARKS])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .current_dir("/")
                .process_group(0)
                .spawn();
            match guard {
                Ok(mut guard) => {
                    children.guard = Some(guard.id());
                    Ok(guard.stdin.take().map(Mutex::new))
                }
                // Without a shell there is no guard: the two other ways of ending
                // children remain.
                Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(fault) => fault.raw_os_error().map_or(Ok(None), Err),
            }
        });
        started.as_ref().map(|_| ()).map_err(|code| io::Error::from_raw_os_error(*code))
    }

    fn tell_guard(sign: char, child: &Child) {
        if let Some(Ok(Some(input))) = GUARD_INPUT.get() {
            let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
            // Fails if the guard was killed: the two other ways remain.
            let _ = writeln!(input, "{sign} {}", child.id());
        }
    }

    pub fn guard(child: &Child) {
        tell_guard('+', child);
    }

    pub fn unguard(child: &Child) {
        tell_guard('-', child);
    }

    pub fn isolate(command: &mut Command) {
        command.process_group(0);
        #[cfg(target_os = "linux")]
        die_with_parent(command);
    }

    #[cfg(target_os = "linux")]
    fn die_with_parent(command: &mut Command) {
        use rustix::process::{getpid, getppid, set_parent_process_death_signal};
        let parent = getpid();
        // SAFETY: the closure runs in the child between fork and exec, where
        // only async-signal-safe calls are sound. It makes two system calls
        // (prctl and getppid) directly, allocates nothing, takes no lock and
        // touches no memory but the copied number; an error is made from its
        // code without allocation.
        unsafe {
            command.pre_exec(move || {
                set_parent_process_death_signal(Some(Signal::KILL))?;
                // The parent may have died before the signal was asked for.
                if getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
            });
        }
    }

    fn pid(child: &Child) -> Option<Pid> {
        Pid::from_raw(i32::try_from(child.id()).ok()?)
    }

    pub fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = pid(child).map(|pid| waitid(WaitId::Pid(pid), options));
        !matches!(status, Some(Ok(None)))
    }

    /// Stops the group, so that it starts nothing while it is ended.
    pub fn stop_group(child: &mut Child) {
        signal_group(child, Signal::STOP);
    }

    pub fn kill_group(child: &mut Child) {
        signal_group(child, Signal::KILL);
    }

    fn signal_group(child: &Child, signal: Signal) {
        if let Some(pid) = pid(child) {
            // Fails if no process of the group is left.
            let _ = kill_process_group(pid, signal);
        }
    }
}

#[cfg(not(unix))]
mod system {
    use super::descendants::Children;
    use std::io;
    use std::process::{Child, Command};

    pub fn start_guard(_: &mut Children) -> io::Result<()> {
        Ok(())
    }

    pub fn guard(_: &Child) {}

    pub fn unguard(_: &Child) {}

    pub fn isolate(_: &mut Command) {}

    pub fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    pub fn stop_group(_: &mut Child) {}

    pub fn kill_group(child: &mut Child) {
        // Fails where it has ended already.
        let _ = child.kill();
    }
}
