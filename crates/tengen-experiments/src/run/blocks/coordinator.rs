//! The coordinator of blocks: what it may do, and what it remembers from one part of a run to the next.

use super::journal::{HostRecord, Journal, Spent, Tally};
use super::{Executor, Process, Ticket};
use crate::run::RunError;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How a run is cut into blocks. No row depends on it.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSettings {
    /// Most units of a block; none for as many as a worker process makes in about a minute.
    pub units: Option<usize>,
    /// Number of blocks that are submitted at once; none for a quarter more than there are worker processes.
    pub in_flight: Option<usize>,
    /// Share of the blocks that another process makes again, to compare the rows.
    pub audit: f64,
    /// How long a block may take before it is submitted once more; none for ten times the longest
    /// time of a block so far, but at least ten minutes.
    pub patience: Option<Duration>,
    /// How long a block that failed waits before it is submitted again, doubled with each failure.
    pub retry: Duration,
    /// Whether bots with a clock may play on hosts with unlike processors. On each host the bots'
    /// seconds are multiplied by the host's time for a fixed search, divided by the coordinator's
    /// time for this search.
    pub mixed_hosts: bool,
}

impl Default for BlockSettings {
    fn default() -> Self {
        Self {
            units: None,
            in_flight: None,
            audit: 0.0,
            patience: None,
            retry: Duration::from_millis(250),
            mixed_hosts: false,
        }
    }
}

impl BlockSettings {
    /// Checks the numbers.
    pub fn validate(&self) -> Result<(), String> {
        let refused = |name: &str, found: &dyn fmt::Display, range: &str| {
            Err(format!("`{name}` is {found}: it must be {range}"))
        };
        match self {
            Self { units: Some(0), .. } => refused("block", &0, "1 or more"),
            Self { in_flight: Some(0), .. } => refused("in_flight", &0, "1 or more"),
            Self { audit, .. } if !(0.0..=1.0).contains(audit) => {
                refused("audit", audit, "a share from 0 to 1")
            }
            Self { patience: Some(patience), .. } if patience.is_zero() => {
                refused("patience", &0, "a positive number of seconds")
            }
            _ => Ok(()),
        }
    }
}

/// The coordinator of a run whose units other processes make.
pub struct Blocks {
    pub(super) executor: Arc<dyn Executor>,
    pub(super) settings: BlockSettings,
    say: Box<dyn Fn(&str) + Send + Sync>,
    state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    folder: Option<PathBuf>,
    journal: Option<Journal>,
    pub(super) tally: Tally,
    ticket: Ticket,
    /// Hosts and processes whose rows were found wrong.
    distrusted: HashSet<(String, Option<String>)>,
    /// Units that are to be made again.
    pub(super) again: BTreeSet<usize>,
    /// The processor on which the first game by the clock was played.
    pub(super) cpu: Option<String>,
}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Blocks").field(&self.settings).finish()
    }
}

impl Blocks {
    /// A coordinator that submits blocks to `executor` and calls `say` with warnings.
    #[must_use]
    pub fn new(
        executor: Arc<dyn Executor>,
        settings: BlockSettings,
        say: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        Self { executor, settings, say: Box::new(say), state: Mutex::default() }
    }

    /// Refuses to audit games that cannot be repeated.
    pub fn refuse_audit(&self) -> Result<(), String> {
        if self.settings.audit == 0.0 {
            return Ok(());
        }
        let said = "an audit needs games that can be repeated: leave out `audit`, or bots with `seconds` and \
                    external programs";
        Err(said.to_owned())
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the `folder` of the run to which the next units belong.
    pub(crate) fn works_in(&self, folder: &Path) {
        let mut state = self.state();
        if state.folder.as_deref() != Some(folder) {
            state.folder = Some(folder.to_path_buf());
            state.journal = None;
        }
    }

    /// Takes the records of what the hosts have made since the last call.
    pub(crate) fn take_hosts(&self) -> Vec<HostRecord> {
        take(&mut self.state().tally).by_host()
    }

    /// Takes the units to make again, since a process that made them was found to answer wrongly.
    pub(crate) fn take_again(&self) -> BTreeSet<usize> {
        take(&mut self.state().again)
    }

    pub(super) fn warn(&self, line: &str) {
        (self.say)(&format!("warning: {line}"));
    }

    pub(super) fn ticket(&self) -> Ticket {
        let mut state = self.state();
        state.ticket += 1;
        state.ticket
    }

    /// Notes that `process` made `units`.
    pub(super) fn note(
        &self,
        units: &[usize],
        process: &Process,
        spent: Spent,
    ) -> Result<(), RunError> {
        let mut state = self.state();
        let State { folder, journal, tally, .. } = &mut *state;
        if let Some(folder) = folder {
            if journal.is_none() {
                *journal = Some(Journal::open(folder)?);
            }
            if let Some(journal) = journal {
                journal.append(units, process, spent)?;
            }
        }
        let record = tally.of(process);
        record.units += units.len();
        record.cpu_seconds += spent.cpu_seconds.unwrap_or_default();
        Ok(())
    }

    /// Whether rows of `process` are rejected.
    pub(super) fn is_distrusted(&self, process: &Process) -> bool {
        let distrusted = &self.state().distrusted;
        distrusted.contains(&(process.host.clone(), None))
            || distrusted.contains(&(process.host.clone(), Some(process.process.clone())))
    }

    /// Distrusts `process`, whose rows of the block with `unit` are wrong, or its whole host if
    /// several hosts work and the coordinator runs on another one. The units already made there are
    /// to be made again.
    pub(super) fn distrust(&self, process: &Process, unit: usize) -> Result<(), RunError> {
        let mut state = self.state();
        let is_host = state.tally.hosts() > 1 && process.host != Process::this().host;
        let accused = (process.host.clone(), (!is_host).then(|| process.process.clone()));
        let units = match &state.journal {
            None => BTreeSet::new(),
            Some(journal) => journal.units_of(|host, process| {
                host == accused.0 && accused.1.as_deref().is_none_or(|own| own == process)
            })?,
        };
        let name = if is_host {
            format!("host {}", process.host)
        } else {
            format!("process {} of host {}", process.process, process.host)
        };
        let count = units.len();
        state.again.extend(units);
        state.distrusted.insert(accused);
        drop(state);
        self.warn(&format!(
            "{name} answered wrongly (unit {unit} differs from what this program makes): its {count} \
             units are made again, and it makes no more: check its memory and its processor"
        ));
        Ok(())
    }
}
