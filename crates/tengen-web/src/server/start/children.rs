//! The processes that play runs.

use crate::server::refused::Refused;
use crate::server::runs::now;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tengen_gtp::Companion;

/// How long a process may take to end once it is asked to. A program ends within a second on an
/// idle machine.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// The state of a run's process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Life {
    /// The process is running.
    Running,
    /// The process has ended.
    Ended {
        /// When the end was noticed, in milliseconds since 1970.
        at: u64,
        /// Whether it played to the end.
        is_over: bool,
        /// Why the run did not finish; none if the process was asked to end.
        fault: Option<String>,
    },
}

/// The processes by the names of their runs.
#[derive(Debug)]
pub struct Children {
    at_once: usize,
    own: Mutex<HashMap<String, Child>>,
}

#[derive(Debug)]
struct Child {
    process: Companion,
    /// The last error that the process wrote.
    said: Arc<Mutex<String>>,
    /// The thread that reads what the process writes.
    listener: Option<JoinHandle<()>>,
    ended: Option<(u64, ExitStatus)>,
    /// Whether it was asked to end.
    is_stopped: bool,
}

impl Child {
    fn life(&mut self) -> Life {
        if self.ended.is_none() {
            self.ended = self.process.ended().map(|status| (now(), status));
            if self.ended.is_some() {
                self.hear_out();
            }
        }
        let Some((at, status)) = self.ended else { return Life::Running };
        let said = || {
            let said = self.said.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if said.is_empty() { format!("its process ended by {status}") } else { said }
        };
        let is_over = status.success();
        Life::Ended { at, is_over, fault: (!is_over && !self.is_stopped).then(said) }
    }

    /// Waits until the last error of the ended process is read. Its own children may keep its
    /// standard error open: then not for long.
    fn hear_out(&self) {
        let until = Instant::now() + Duration::from_millis(300);
        let is_reading = || self.listener.as_ref().is_some_and(|listener| !listener.is_finished());
        while is_reading() && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Children {
    /// No processes yet; at most `at_once` may run at the same time.
    pub fn new(at_once: usize) -> Self {
        Self { at_once, own: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Child>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state of the process of the run `name`; none if this server has not started it.
    pub fn life(&self, name: &str) -> Option<Life> {
        Some(self.lock().get_mut(name)?.life())
    }

    /// Calls `prepare`, then starts `command` for the run `name`, with `input` on its standard
    /// input. Refuses, without calling `prepare`, if the most runs are in progress.
    pub fn start(
        &self,
        name: &str,
        mut command: Command,
        prepare: impl FnOnce() -> Result<(), Refused>,
        input: Option<String>,
    ) -> Result<(), Refused> {
        let mut own = self.lock();
        let running =
            own.values_mut().map(Child::life).filter(|life| *life == Life::Running).count();
        if own.get_mut(name).is_some_and(|child| child.life() == Life::Running) {
            return Err(Refused::bad(format!("{name} is being played already")));
        }
        if running >= self.at_once {
            let runs = if running == 1 { "a run is" } else { "as many runs as may be are" };
            let why = format!(
                "{runs} being played: wait for the end, or stop it (--searches allows more)"
            );
            return Err(Refused::busy(why));
        }
        prepare()?;
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        let mut process = Companion::spawn(&mut command)
            .map_err(|why| Refused::failed(format!("the program cannot be started: {why}")))?;
        let said = Arc::default();
        let child = process.child();
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let listener = stderr.and_then(|stderr| {
            let said = Arc::clone(&said);
            // Without this thread errors are lost, but the run is played.
            let thread = thread::Builder::new().name("run".to_owned());
            thread.spawn(move || listen(BufReader::new(stderr), &said)).ok()
        });
        let child = Child { process, said, listener, ended: None, is_stopped: false };
        own.insert(name.to_owned(), child);
        drop(own);
        if let (Some(mut stdin), Some(input)) = (stdin, input) {
            // Fails if the program has ended; its error says why.
            let _ = stdin.write_all(input.as_bytes());
        }
        Ok(())
    }

    /// Asks the process of the run `name` to end.
    pub fn interrupt(&self, name: &str) -> Result<(), Refused> {
        let mut own = self.lock();
        let child = own.get_mut(name);
        let child = child.and_then(|child| (child.life() == Life::Running).then_some(child));
        let absent = || Refused::bad(format!("{name} is not played by this server"));
        let child = child.ok_or_else(absent)?;
        child.is_stopped = true;
        child.process.interrupt();
        Ok(())
    }

    /// Forgets the process of the run `name`, which has ended.
    pub fn forget(&self, name: &str) {
        self.lock().remove(name);
    }

    /// Ends the process of the run `name` at once: the games that it has written stay.
    pub fn kill(&self, name: &str) {
        if let Some(child) = self.lock().get_mut(name) {
            child.process.kill();
        }
    }

    /// Asks all processes to end, and kills those that do not end in time.
    pub fn stop_all(&self) {
        let mut own = self.lock();
        own.values_mut().for_each(|child| child.process.interrupt());
        let until = Instant::now() + PATIENCE;
        while own.values_mut().any(|child| child.life() == Life::Running) && Instant::now() < until
        {
            thread::sleep(Duration::from_millis(10));
        }
        own.values_mut().for_each(|child| child.process.kill());
    }
}

/// Keeps the last error of a program, without the line of the settings: no person wrote them.
fn listen(lines: impl BufRead, said: &Mutex<String>) {
    for line in lines.lines() {
        let Ok(line) = line else { return };
        let Some(fault) = line.strip_prefix("error: ") else { continue };
        let fault = fault.strip_prefix("-: ").unwrap_or(fault);
        let placed = fault.strip_prefix("line ").and_then(|rest| rest.split_once(": "));
        let fault =
            placed.filter(|(line, _)| line.parse::<u64>().is_ok()).map_or(fault, |(_, it)| it);
        fault.clone_into(&mut said.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_last_error_of_a_process_is_heard() {
        let children = Children::new(1);
        for run in 0..40 {
            let name = run.to_string();
            let mut command = Command::new("sh");
            command.args(["-c", "seq 5000 >&2; echo error: no room >&2; exit 2"]);
            children.start(&name, command, || Ok(()), None).unwrap();
            let fault = loop {
                if let Some(Life::Ended { fault, .. }) = children.life(&name) {
                    break fault;
                }
            };
            assert_eq!(fault.as_deref(), Some("no room"));
        }
    }

    #[test]
    fn the_line_that_says_what_is_wrong_has_no_place() {
        let said = Mutex::default();
        let text = "1 of 2 games\nerror: -: line 3: `pairs` is -1: it must be 1 to 9\n";
        listen(text.as_bytes(), &said);
        assert_eq!(*said.lock().unwrap(), "`pairs` is -1: it must be 1 to 9");
        listen("error: bot x: line 3: no\n".as_bytes(), &said);
        assert_eq!(*said.lock().unwrap(), "bot x: line 3: no");
    }
}
