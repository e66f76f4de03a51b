//! Runs: the commands of the program `tengen`, called in the process of Python.

use crate::blocks::{Errand, PythonExecutor};
use crate::ending::{self, Inside, detach};
use crate::errors::{RunError, invalid};
use crate::raised;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::ffi::OsString;
use std::fs;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};
use tengen::blocks::Blocks;
use tengen::commands::{self, Caller, Failure, Host, LAST_WORK, Shown, Units};
use tengen::kind::Folder;
use tengen::run::CONFIG;
use tengen::suite::Split;
use tengen::tournament::Outline;
use tengen::tournament::report;
use tengen::tuning::Tuning;
use toml::{Table, Value};

/// How often signals are looked for.
const EVERY: Duration = Duration::from_millis(50);

/// The least time between two calls of `progress`.
const SHOWN_EVERY: Duration = Duration::from_millis(100);

/// What the thread of a command and the calling thread share.
#[derive(Default)]
struct Shared {
    stop: Arc<AtomicBool>,
    news: Mutex<News>,
}

/// The messages of the command since the calling thread last looked.
#[derive(Default)]
struct News {
    units: Option<Units>,
    lines: Vec<String>,
    folder: Option<PathBuf>,
}

impl Shared {
    fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Python as the caller of a command.
struct Process {
    shared: Arc<Shared>,
    is_watching: bool,
    blocks: Option<Blocks>,
}

impl Caller for Process {
    fn stop(&self) -> anyhow::Result<Arc<AtomicBool>> {
        Ok(Arc::clone(&self.shared.stop))
    }

    fn say(&self, line: &str) {
        self.shared.news().lines.push(line.to_owned());
    }

    fn shows(&self, units: &Units) -> Shown {
        let shared = Arc::clone(&self.shared);
        shared.news().units = Some(units.clone());
        Box::new(move |units| shared.news().units = Some(units.clone()))
    }

    fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    fn is_watching(&self) -> bool {
        self.is_watching
    }

    fn blocks(&self) -> Option<&Blocks> {
        self.blocks.as_ref()
    }

    fn works_in(&self, folder: &Path) {
        self.shared.news().folder = Some(folder.to_path_buf());
    }
}

/// The callbacks of Python while a command works.
struct Told<'py> {
    /// Called with the number of units done and of all, their name and a message.
    progress: Option<Bound<'py, PyAny>>,
    /// Called with a line.
    note: Option<Bound<'py, PyAny>>,
    last: Option<Instant>,
}

impl Told<'_> {
    /// Passes on new messages; of progress only the latest, and not too often unless it `is_last`.
    fn tell(&mut self, shared: &Shared, is_last: bool) -> PyResult<()> {
        let py = self.progress.as_ref().or(self.note.as_ref()).map(Bound::py);
        let _inside = py.map(Inside::attached);
        let lines = take(&mut shared.news().lines);
        if let Some(note) = &self.note {
            lines.into_iter().try_for_each(|line| note.call1((line,)).map(drop))?;
        }
        if !is_last && self.last.is_some_and(|last| last.elapsed() < SHOWN_EVERY) {
            return Ok(());
        }
        let units = shared.news().units.take();
        if let (Some(progress), Some(units)) = (&self.progress, units) {
            self.last = Some(Instant::now());
            progress.call1((units.done, units.all, units.name, units.message))?;
        }
        Ok(())
    }
}

/// The result of a command and its output, or the exception of a Python callable that unwound it.
type Done = PyResult<(Result<(), Failure>, Vec<u8>)>;

/// Run the command whose name and arguments are `words`, and return what it prints and the folder of its run, if it has one.
/// `progress` is called with (done, all, units, message), `note` with each line that the program would write to standard error.
/// The units of a run are made by the processes of `executor`, if there is one.
#[pyfunction]
#[pyo3(signature = (words, progress = None, note = None, executor = None))]
pub fn call(
    py: Python<'_>,
    words: Vec<String>,
    progress: Option<Bound<'_, PyAny>>,
    note: Option<Bound<'_, PyAny>>,
    executor: Option<Bound<'_, PyAny>>,
) -> PyResult<(String, Option<PathBuf>)> {
    ending::check()?;
    let shared = Arc::<Shared>::default();
    let (done, mut told) = channel::<Event>();
    let begun = executor.map(|executor| {
        let errands = done.clone();
        // Nobody does errands after the run.
        PythonExecutor::begin(executor, move |errand| drop(errands.send(Event::Errand(errand))))
    });
    let (executor, blocks) = match begun.transpose()? {
        None => (None, None),
        Some((executor, carrier, settings)) => {
            let shared = Arc::clone(&shared);
            let say = move |line: &str| shared.news().lines.push(line.to_owned());
            (Some(executor), Some(Blocks::new(Arc::new(carrier), settings, say)))
        }
    };
    let is_watching = progress.is_some();
    let process = Process { shared: Arc::clone(&shared), is_watching, blocks };
    // Not scoped: what does not stop is left to end by itself.
    let thread = Builder::new().name("tengen".to_owned()).spawn(move || {
        let mut output = Vec::new();
        let host = &mut Host { output: &mut output, caller: &process };
        let result = raised::caught(|| commands::call(words, host));
        // Nobody waits for what did not stop.
        let _ = done.send(Event::Ended(result.map(|result| (result, output))));
    });
    thread.map_err(|error| RunError::new_err(format!("cannot start a thread: {error}")))?;
    let told_of = Told { progress, note, last: None };
    let (ended, interrupted) = wait(py, &mut told, &shared, told_of, executor.as_ref())?;
    let (result, output) = ended?;
    let failed = result.err();
    if let Some(signal) = interrupted {
        return Err(match failed {
            Some(failure) if signal.is_instance_of::<PyKeyboardInterrupt>(py) => {
                PyKeyboardInterrupt::new_err(failure.to_string())
            }
            // Of the executor.
            Some(failure) if signal.is_instance_of::<RunError>(py) => {
                RunError::new_err(format!("{}: {failure}", signal.value(py)))
            }
            _ => signal,
        });
    }
    match failed {
        Some(failure) if failure.os_code().is_some() => {
            Err(PyOSError::new_err((failure.os_code(), failure.to_string())))
        }
        Some(failure @ (Failure::Usage(_) | Failure::File(_))) => Err(invalid(failure)),
        Some(failure @ Failure::Work(_)) => Err(raised::with_cause(py, &failure.to_string())),
        None => {
            let folder = shared.news().folder.take();
            Ok((String::from_utf8_lossy(&output).into_owned(), folder))
        }
    }
}

/// What the thread of a command sends to the calling thread.
enum Event {
    /// The command is done.
    Ended(Done),
    /// The executor of the call has something to do.
    Errand(Errand),
}

/// Waits until the command is done while `executor` does its errands. Returns the result, and the
/// first exception of a signal or a callback, after which the command was asked to stop. If it does
/// not stop in time, this exception is the error: the command then ends by itself.
fn wait(
    py: Python<'_>,
    events: &mut Receiver<Event>,
    shared: &Shared,
    mut told: Told<'_>,
    executor: Option<&PythonExecutor<'_>>,
) -> PyResult<(Done, Option<PyErr>)> {
    let mut interrupted: Option<(PyErr, Instant)> = None;
    loop {
        let channel = &mut *events;
        let event = detach(py, move || channel.recv_timeout(EVERY));
        let (news, ended) = match event {
            Ok(Event::Errand(errand)) => {
                (executor.map_or(Ok(()), |executor| executor.run(errand)), None)
            }
            Ok(Event::Ended(done)) => (Ok(()), Some(done)),
            Err(RecvTimeoutError::Timeout) => {
                (executor.map_or(Ok(()), PythonExecutor::count), None)
            }
            Err(RecvTimeoutError::Disconnected) => {
                let fault = RunError::new_err("Tengen panicked: this is a fault of Tengen");
                (Ok(()), Some(Err(fault)))
            }
        };
        let is_over = ended.is_some();
        let news = news.and_then(|()| told.tell(shared, is_over)).and_then(|()| py.check_signals());
        match (news, &interrupted) {
            (Ok(()), _) => {}
            (Err(again), Some(_)) => return Err(again),
            (Err(first), None) => {
                shared.stop.store(true, Ordering::Relaxed);
                interrupted = Some((first, Instant::now()));
            }
        }
        if let Some(done) = ended {
            return Ok((done, interrupted.map(|(first, _)| first)));
        }
        if let Some((first, _)) = interrupted.take_if(|(_, at)| at.elapsed() > LAST_WORK) {
            return Err(left(py, first, shared));
        }
    }
}

/// The exception `signal` with the message that its command continues for a while.
fn left(py: Python<'_>, signal: PyErr, shared: &Shared) -> PyErr {
    if !signal.is_instance_of::<PyKeyboardInterrupt>(py) {
        return signal;
    }
    let folder = shared.news().folder.take();
    let resume = folder.map_or(String::new(), |folder| {
        format!(": go on with --resume {} once it has ended", folder.display())
    });
    PyKeyboardInterrupt::new_err(format!(
        "stopped; what is being made ends in the background{resume}"
    ))
}

/// Run the program `tengen` with the arguments `words`, its name first, in place of this process, and return its exit code.
#[pyfunction]
pub fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| commands::main_of(words))
}

/// The options of the command `name`, each a dict of a `ProgramOption` without missing values. None if there is no such
/// command.
#[pyfunction]
pub fn options<'py>(py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let options = commands::options(name).map(Value::try_from).transpose().map_err(invalid)?;
    options.map(|options| python(py, options)).transpose()
}

/// The names of the experiments: their commands, and their values of the key `kind`.
#[pyfunction]
pub fn experiments() -> Vec<&'static str> {
    commands::experiment_names()
}

/// The content of a TOML text as a dict.
#[pyfunction]
pub fn parse_toml<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let table = tengen::settings::parse(text).map_err(invalid)?;
    python(py, Value::Table(table))
}

fn python(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::Float(number) => number.into_pyobject(py)?.into_any(),
        Value::Boolean(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Value::Datetime(time) => time.to_string().into_pyobject(py)?.into_any(),
        Value::Array(values) => {
            let list = PyList::empty(py);
            values.into_iter().try_for_each(|value| list.append(python(py, value)?))?;
            list.into_any()
        }
        Value::Table(table) => {
            let dict = PyDict::new(py);
            table
                .into_iter()
                .try_for_each(|(key, value)| dict.set_item(key, python(py, value)?))?;
            dict.into_any()
        }
    })
}

/// The kind of the run in `folder` (the value of the key `kind` of such runs, or else the kind's name on
/// the page) and the name of the most telling table.
#[pyfunction]
pub fn kind(folder: PathBuf) -> (String, &'static str) {
    let (kind, config) = Folder(folder).kind();
    let key = config.as_ref().and_then(|table| table.get("kind")).and_then(Value::as_str);
    let name = match (key, kind.keys()) {
        (Some(key), keys) if keys.contains(&key) => key,
        (None, [key]) => key,
        _ => kind.name(),
    };
    (name.to_owned(), kind.table().trim_end_matches(".csv"))
}

/// The question and the answer of the run in `folder`, in sentences, as the page shows them.
#[pyfunction]
pub fn card(folder: PathBuf) -> (Option<String>, Vec<String>) {
    let card = Folder(folder).card();
    (card.question, card.answer)
}

/// The conditions of a run with the settings `text` (its config.toml) in one line; None if it is neither a tournament nor a tuning.
#[pyfunction]
pub fn conditions(text: &str) -> Option<String> {
    let table: Table = text.parse().ok()?;
    let outline = Outline::of(&table).ok().map(|outline| outline.conditions());
    outline.or_else(|| Some(Tuning::from_table(table).ok()?.conditions()))
}

/// The result of the tournament in `folder`, as the program prints it and as JSON; None if `folder`
/// has no tournament.
#[pyfunction]
pub fn answer(folder: PathBuf) -> PyResult<Option<(String, String)>> {
    let Ok(config) = fs::read_to_string(folder.join(CONFIG)) else { return Ok(None) };
    let outline = config.parse::<Table>().ok().and_then(|table| Outline::of(&table).ok());
    let Some(outline) = outline else { return Ok(None) };
    let rows = outline.read(&folder).map_err(invalid)?;
    let (rows, test) = outline.counted(rows);
    let found = report::answer(&folder, &outline, &rows, test.as_ref()).map_err(invalid)?;
    Ok(Some((found.0, found.1.to_string())))
}

/// The file of solved positions of the suite: "test" or "train".
#[pyfunction]
pub fn suite_text(split: &str) -> PyResult<&'static str> {
    match split {
        "test" => Ok(Split::Test.text()),
        "train" => Ok(Split::Train.text()),
        _ => {
            Err(invalid(format!("the suite has no part {split:?}: expected \"test\" or \"train\"")))
        }
    }
}
