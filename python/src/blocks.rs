//! Blocks of runs: on their way to an executor of Python's, and in a worker process.

use crate::ending::detach;
use crate::errors::invalid;
use crate::raised;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tengen::blocks::{self, BlockSettings, Executor, Process, Ticket};

/// A request of a coordinator to the thread that may call Python's executor.
pub enum Errand {
    /// Submit a block; if possible, to another process than the given one, which made it before.
    Submit(Ticket, Vec<u8>, Option<Process>),
    /// Cancel a submission.
    Cancel(Ticket),
}

/// The answer to a submission, or why there is none.
type Answered = (Ticket, Result<Vec<u8>, String>);

/// An executor of Python's, as the coordinator of a run sees it.
pub struct PythonCarrier {
    errands: Box<dyn Fn(Errand) + Send + Sync>,
    answers: Mutex<Receiver<Answered>>,
    processes: Arc<AtomicUsize>,
}

impl Executor for PythonCarrier {
    fn submit(&self, ticket: Ticket, block: Vec<u8>, first: Option<&Process>) {
        (self.errands)(Errand::Submit(ticket, block, first.cloned()));
    }

    fn cancel(&self, ticket: Ticket) {
        (self.errands)(Errand::Cancel(ticket));
    }

    fn next(&self, timeout: Duration) -> Option<Answered> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.recv_timeout(timeout).ok()
    }

    fn processes(&self) -> usize {
        self.processes.load(Ordering::Relaxed)
    }
}

/// Takes answers, from any thread of Python's.
#[pyclass(frozen, module = "tengen._tengen")]
pub struct Answers {
    sender: Sender<Answered>,
}

#[pymethods]
impl Answers {
    /// Take the `answer` to the submission `ticket`, or None with the `fault` that prevented an
    /// answer.
    #[pyo3(signature = (ticket, answer, fault = ""))]
    fn put(&self, ticket: Ticket, answer: Option<Vec<u8>>, fault: &str) {
        let answer = answer.ok_or_else(|| fault.to_owned());
        // A run that is over needs no answer.
        let _ = self.sender.send((ticket, answer));
    }
}

/// Python's executor in a call: a `tengen.Executor`.
pub struct PythonExecutor<'py> {
    object: Bound<'py, PyAny>,
    processes: Arc<AtomicUsize>,
}

impl<'py> PythonExecutor<'py> {
    /// Has `object` take errands; returns it, the carrier that sends errands by `errands`, and how
    /// the run is cut into blocks.
    pub fn begin(
        object: Bound<'py, PyAny>,
        errands: impl Fn(Errand) + Send + Sync + 'static,
    ) -> PyResult<(Self, PythonCarrier, BlockSettings)> {
        let count = |name: &str| -> PyResult<Option<usize>> {
            let given: Option<i64> = object.getattr(name)?.extract()?;
            let count = |given: i64| {
                let refused = |_| invalid(format!("`{name}` is {given}: it must be 1 or more"));
                usize::try_from(given).map_err(refused)
            };
            given.map(count).transpose()
        };
        let patience: Option<f64> = object.getattr("patience")?.extract()?;
        let seconds = |given: f64| {
            let said = format!("`patience` is {given}: it must be a positive number of seconds");
            Duration::try_from_secs_f64(given).map_err(|_| invalid(said))
        };
        let settings = BlockSettings {
            units: count("block")?,
            in_flight: count("in_flight")?,
            audit: object.getattr("audit")?.extract()?,
            patience: patience.map(seconds).transpose()?,
            mixed_hosts: object.getattr("mixed_hosts")?.extract()?,
            ..BlockSettings::default()
        };
        settings.validate().map_err(invalid)?;
        let (sender, receiver) = channel();
        let processes = Arc::new(AtomicUsize::new(1));
        let executor = Self { object, processes: Arc::clone(&processes) };
        executor.object.call_method1("_begin", (Answers { sender },))?;
        executor.count()?;
        let (errands, answers) = (Box::new(errands), Mutex::new(receiver));
        Ok((executor, PythonCarrier { errands, answers, processes }, settings))
    }

    pub fn run(&self, errand: Errand) -> PyResult<()> {
        let py = self.object.py();
        match errand {
            Errand::Submit(ticket, block, first) => {
                let block = PyBytes::new(py, &block);
                let first = first.map(|first| (first.host, first.process));
                self.object.call_method1("_submit", (ticket, block, first)).map(drop)
            }
            Errand::Cancel(ticket) => self.object.call_method1("_cancel", (ticket,)).map(drop),
        }
    }

    /// Counts the worker processes.
    pub fn count(&self) -> PyResult<()> {
        let processes = self.object.call_method0("_processes")?.extract()?;
        self.processes.store(processes, Ordering::Relaxed);
        Ok(())
    }
}

/// Make a block of a run, which a coordinator submitted, and return the answer. Other threads of Python run meanwhile.
#[pyfunction]
pub fn make_block<'py>(py: Python<'py>, block: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let answer = detach(py, || raised::caught(|| blocks::make(block)))?;
    Ok(PyBytes::new(py, &answer))
}
