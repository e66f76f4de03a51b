//! A GTP client: starts an engine as a child process, sends commands and reads the
//! engine's answers.

use super::log::{Log, Source};
use super::process::{Ended, Process};
use super::protocol::{Answer, printable};
use super::reader::{Event, read_answers, read_errors, write_commands};
use super::system::SystemFault;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How to start an engine process.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program and its arguments; no shell expands them.
    pub words: Vec<String>,
    /// Environment variables, added to those of this process.
    pub environment: Vec<(String, String)>,
    /// The working directory; by default that of this process.
    pub working_directory: Option<PathBuf>,
    /// Longest answer, in bytes.
    pub answer_bytes: usize,
    /// Log file, for the whole dialogue and standard error.
    pub log: Option<PathBuf>,
}

/// A failure of an engine. Every failure but [`Fault::Refused`] is final: the
/// engine is killed if it still runs.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Fault {
    /// A system error for which the engine is not to blame: this program or its machine lacks
    /// something. The engine cannot be used further.
    #[error(transparent)]
    System(#[from] SystemFault),
    /// The engine ended, or closed its output.
    #[error("it ended by itself ({how}){}", last_words(.said))]
    Crashed {
        /// Exit status or signal.
        how: String,
        /// The last line of its standard error; may be empty.
        said: String,
    },
    /// The engine did not answer in time.
    #[error("no answer within {} s", .limit.as_secs_f64())]
    TimedOut {
        /// Time limit of the command.
        limit: Duration,
    },
    /// An answer was too long.
    #[error("more than {bytes} bytes without the end of an answer")]
    Flooded {
        /// Longest answer allowed, in bytes.
        bytes: usize,
    },
    /// The caller stopped waiting for the answer, and the engine was killed.
    #[error("it was stopped, since nobody waits for its answer any more")]
    Stopped,
    /// The engine wrote an invalid answer, or an answer to no command.
    #[error("invalid answer `{0}`: expected one per command, after = or ?")]
    Garbage(String),
    /// The engine answered with an error; it can be used further.
    #[error("it refused: `{0}`")]
    Refused(String),
}

fn last_words(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!("; its last words: {said}") }
}

/// Time that an engine has to exit after `quit`.
const PATIENCE: Duration = Duration::from_secs(2);

/// Interval at which the client checks whether a silent engine has exited and whether its caller
/// still waits.
const LOOK: Duration = Duration::from_millis(50);

/// Time allowed at an engine's end: for reading the rest of an exited engine's pipes, and for an
/// engine that has closed its output to exit.
const REST: Duration = Duration::from_millis(200);

/// A running GTP engine. Dropping it sends `quit`, kills the engine if it does not
/// exit within two seconds, and kills its child processes in any case.
///
/// # Examples
/// ```
/// # if cfg!(not(unix)) {
/// #     return Ok(());
/// # }
/// use std::time::Duration;
/// use tengen_gtp::{Client, Launch};
///
/// let engine = r#"while read -r id command; do printf '=%s C3\n\n' "$id"; done"#;
/// let mut client = Client::start(&Launch {
///     words: ["sh", "-c", engine].map(str::to_owned).to_vec(),
///     environment: Vec::new(),
///     working_directory: None,
///     answer_bytes: 1 << 20,
///     log: None,
/// })?;
/// assert_eq!(client.ask("genmove black", Duration::from_secs(10))?, "C3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Client {
    /// First word of the engine's command line.
    program: String,
    process: Process,
    /// None once the input of the engine is closed.
    commands: Option<Sender<String>>,
    events: Receiver<Event>,
    errors: Option<JoinHandle<()>>,
    /// The last line of standard error, shared with its reader.
    last_line: Arc<Mutex<String>>,
    log: Log,
    answer_bytes: usize,
    /// GTP id of the last command sent; an answer with another id is an error.
    asked: u32,
    /// Whether the engine's last answer repeated the id of its command, as the GTP
    /// standard requires.
    repeats_ids: bool,
    /// The failure that ended the engine.
    fault: Option<Fault>,
}

impl Client {
    /// Starts the engine, without checking that it answers commands. Every error is a system error
    /// (a missing program or folder, a log that cannot be written, too few resources): a bot does
    /// not forfeit a game because of it.
    pub fn start(launch: &Launch) -> Result<Self, SystemFault> {
        let program = launch.words.first().map_or("", String::as_str).to_owned();
        let what = format!("`{program}` cannot be started");
        let failed = |error: io::Error| SystemFault::new(what.as_str(), error);
        let log = Log::default();
        log.to(launch.log.as_deref())?;
        if let Some(folder) = launch.working_directory.as_ref().filter(|folder| !folder.is_dir()) {
            let why = format!("invalid working directory {}: expected a folder", folder.display());
            return Err(failed(io::Error::new(io::ErrorKind::NotADirectory, why)));
        }
        let mut process = spawn(launch).map_err(failed)?;
        log.line(Source::Us, &format!("# {}", shell_words::join(&launch.words)));
        let child = process.child();
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed(io::Error::other("it has no pipes")));
        };
        // A short queue, so that an engine that floods it with answers blocks.
        let (sender, events) = mpsc::sync_channel(4);
        let (commands, lines) = mpsc::channel();
        let last_line = Arc::<Mutex<String>>::default();
        let (answer_bytes, answer_log) = (launch.answer_bytes, log.clone());
        let (error_line, error_log) = (last_line.clone(), log.clone());
        let spawned = (|| {
            thread::Builder::new()
                .spawn(move || read_answers(output, answer_bytes, &sender, &answer_log))?;
            thread::Builder::new().spawn(move || write_commands(input, &lines))?;
            thread::Builder::new().spawn(move || read_errors(errors, &error_line, &error_log))
        })();
        let errors = Some(spawned.map_err(failed)?);
        Ok(Self {
            program,
            process,
            commands: Some(commands),
            events,
            errors,
            last_line,
            log,
            answer_bytes: launch.answer_bytes,
            asked: 0,
            repeats_ids: false,
            fault: None,
        })
    }

    /// Sends `command`, one line without its GTP id (added here), and waits at most `limit` for the
    /// answer. An answer with `?` is [`Fault::Refused`]. Any other fault is final: the engine is
    /// killed, and every later command fails with the same fault.
    pub fn ask(&mut self, command: &str, limit: Duration) -> Result<String, Fault> {
        self.ask_until(command, limit, &|| false)
    }

    /// Like [`Client::ask`], but stops waiting once `should_stop` returns true. It is called about
    /// every 50 milliseconds. [`Fault::Stopped`] is final, too.
    pub fn ask_until(
        &mut self,
        command: &str,
        limit: Duration,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<String, Fault> {
        let answer = self.exchange(command, limit, should_stop);
        // If the requested log cannot be written, the engine is killed.
        match self.log.fault() {
            Some(fault) => Err(self.die(fault.into())),
            None => answer,
        }
    }

    fn exchange(
        &mut self,
        command: &str,
        limit: Duration,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<String, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let deadline = Instant::now() + limit;
        match self.events.try_recv() {
            Ok(Event::Answer(unasked)) => return Err(self.unasked(unasked)),
            Ok(event) => return self.take(event),
            Err(_) => {}
        }
        self.asked += 1;
        let command = format!("{} {}", self.asked, printable(command));
        self.log.line(Source::Us, &command);
        if let Some(commands) = &self.commands {
            // If the pipe is closed, the program ended: an event reports that.
            let _ = commands.send(command);
        }
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left.min(LOOK)) {
                Ok(event) => return self.take(event),
                Err(RecvTimeoutError::Disconnected) => return self.take(Event::Closed),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(self.die(Fault::TimedOut { limit }));
                }
                Err(RecvTimeoutError::Timeout) if should_stop() => {
                    return Err(self.die(Fault::Stopped));
                }
                // A child of the program may hold its output open.
                Err(RecvTimeoutError::Timeout) if self.process.has_ended() => {
                    let event = self.events.recv_timeout(REST).unwrap_or(Event::Closed);
                    return self.take(event);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Continues the log in another file, or stops logging.
    pub fn log_to(&self, path: Option<&Path>) -> Result<(), SystemFault> {
        self.log.to(path)
    }

    /// Whether the engine has had no final failure, so that it can be used further.
    #[must_use]
    pub const fn is_well(&self) -> bool {
        self.fault.is_none()
    }

    /// The id of the engine's process group.
    #[must_use]
    pub fn process_group(&self) -> u32 {
        self.process.group()
    }

    /// CPU time of the engine and its descendants since it started, in seconds; after a final failure
    /// that until the engine ended. It counts in ticks of the system, mostly 10 ms. None where the
    /// system does not tell: only Linux does.
    pub fn cpu_seconds(&mut self) -> Option<f64> {
        self.process.cpu_seconds()
    }

    fn take(&mut self, event: Event) -> Result<String, Fault> {
        match event {
            Event::Answer(answer) => {
                let is_due = match answer.id {
                    Some(id) => id == self.asked,
                    // Some engines never repeat ids; one that has repeated an id
                    // must go on doing so.
                    None => !self.repeats_ids,
                };
                if !is_due {
                    return Err(self.unasked(answer));
                }
                self.repeats_ids = answer.id.is_some();
                answer.result.map_err(Fault::Refused)
            }
            Event::Garbage(line) => Err(self.die(Fault::Garbage(line))),
            Event::Flood => Err(self.die(Fault::Flooded { bytes: self.answer_bytes })),
            Event::Unreadable(fault) => {
                let what = format!("the output of `{}` cannot be read", self.program);
                Err(self.die(SystemFault::new(what, fault).into()))
            }
            Event::Closed => {
                let how = match self.process.end(REST) {
                    Ended::ByItself(status) if is_killed(status) => {
                        return Err(self.die(self.killed(status).into()));
                    }
                    Ended::ByItself(status) => status.to_string(),
                    Ended::Killed => "it closed its output, but kept running".to_owned(),
                };
                self.finish_errors();
                let said = self.last_line.lock().unwrap_or_else(PoisonError::into_inner).clone();
                Err(self.die(Fault::Crashed { how, said }))
            }
        }
    }

    fn killed(&self, status: ExitStatus) -> SystemFault {
        let what = format!("`{}` was killed from outside ({status})", self.program);
        let why = "as a system does that is out of memory";
        SystemFault::new(what, io::Error::new(io::ErrorKind::OutOfMemory, why))
    }

    fn unasked(&mut self, answer: Answer) -> Fault {
        let (Ok(text) | Err(text)) = answer.result;
        self.die(Fault::Garbage(format!("{text}, which was not requested")))
    }

    /// Waits until standard error is read to its end, but not for long.
    fn finish_errors(&mut self) {
        let deadline = Instant::now() + REST;
        let reading = |errors: &JoinHandle<()>| !errors.is_finished();
        while self.errors.as_ref().is_some_and(reading) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        self.errors = None;
    }

    fn die(&mut self, fault: Fault) -> Fault {
        self.process.end(Duration::ZERO);
        self.log.line(Source::Us, &format!("# {fault}"));
        self.fault = Some(fault.clone());
        fault
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if self.fault.is_some() {
            return;
        }
        if let Some(commands) = self.commands.take() {
            self.log.line(Source::Us, "quit");
            let _ = commands.send("quit".to_owned());
        }
        self.process.end(PATIENCE);
    }
}

/// Whether a process other than this one killed the engine (`SIGKILL`). A shell reports a killed
/// child with an exit status of 128 plus the signal.
#[cfg(unix)]
fn is_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const KILL: i32 = 9;
    status.signal() == Some(KILL) || status.code() == Some(128 + KILL)
}

#[cfg(not(unix))]
const fn is_killed(_: ExitStatus) -> bool {
    false
}

/// Debian's folders for games such as GNU Go; the search path of a service lacks them.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Starts the program from the search path, or else from the games folders.
fn spawn(launch: &Launch) -> io::Result<Process> {
    let Some((program, arguments)) = launch.words.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
    };
    let spawn = |program: &Path| {
        let mut command = Command::new(program);
        command.args(arguments).envs(launch.environment.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &launch.working_directory {
            command.current_dir(folder);
        }
        Process::spawn(command)
    };
    let fault = match spawn(Path::new(program)) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound && !program.contains('/') => fault,
        result => return result,
    };
    match GAMES.iter().map(|games| Path::new(games).join(program)).find(|path| path.is_file()) {
        Some(path) => spawn(&path),
        None => Err(fault),
    }
}
