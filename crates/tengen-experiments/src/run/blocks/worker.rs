//! What a worker process does with a block.

use super::block::RunSettings;
use super::travelling_files::keep;
use super::{Answer, Block, Part, Process, clock};
use crate::run::{BotSignature, Digest, FileFault, Provenance, RunError};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tengen_system::thread_cpu_seconds;

/// The most settings that a process keeps: a learning run has some for each round.
const MOST_SETTINGS: usize = 8;

/// A kind of units that worker processes can make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitKind {
    /// The name by which blocks call it.
    pub name: &'static str,
    /// What makes the units of a run with settings that [`Units::settings`](super::Units::settings) gave.
    pub maker: fn(&Value) -> Result<Box<dyn Maker>, RunError>,
}

/// Makes the units of a run in a worker process.
pub(crate) trait Maker: Send + Sync {
    /// The provenance of the rows, if this program makes them.
    fn provenance(&self) -> Result<Provenance, RunError>;

    /// Multiplies the seconds of the bots by `factor`, if they have a clock.
    fn set_clock(&mut self, factor: f64);

    /// Makes `units`, which [`Units::work`](super::Units::work) wrote; an error of the input is a refusal.
    fn make(&self, units: Value) -> Result<Made, RunError>;
}

/// The units of a block, made.
pub(crate) struct Made {
    /// The rows, as CSV text with a header.
    pub rows: String,
    /// What the experiment keeps of the units besides rows.
    pub extra: Value,
}

/// Makes a block, which [`Block::to_bytes`] wrote, on this thread, if its units are of one of the `kinds`;
/// returns an [`Answer`].
///
/// Before the first block of a run it checks that the bots play here as they do in the program of the
/// coordinator.
#[must_use]
pub(crate) fn make(block: &[u8], kinds: &[UnitKind]) -> Vec<u8> {
    let process = Process::this();
    let answer = match made(block, kinds) {
        Ok(answer) => answer,
        Err(Fault::Missing(parts)) => Answer::Missing(parts),
        Err(Fault::Refused(why)) => Answer::Refused { process, why },
        Err(Fault::Failed(why)) => Answer::Failed { process, why },
    };
    answer.to_bytes()
}

/// Why a block is not made.
enum Fault {
    Missing(Vec<String>),
    Refused(String),
    Failed(String),
}

impl From<RunError> for Fault {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Input(why) => Self::Refused(why),
            RunError::File(FileFault { said, is_input: true, .. }) => Self::Refused(said),
            RunError::Resource(_) | RunError::File(_) | RunError::Work(_) => {
                Self::Failed(error.to_string())
            }
        }
    }
}

/// A run whose blocks are made here.
struct Prepared {
    maker: Box<dyn Maker>,
    /// Factor by which the seconds of bots with a clock are multiplied.
    clock: Option<f64>,
}

/// The runs that this process knows, by the digest of their settings, the newest last.
static PREPARED: Mutex<Vec<(String, Arc<Prepared>)>> = Mutex::new(Vec::new());

/// Parts that arrived while other parts of their run were missing, by digest.
static WAITING: Mutex<BTreeMap<String, Part>> = Mutex::new(BTreeMap::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn made(bytes: &[u8], kinds: &[UnitKind]) -> Result<Answer, Fault> {
    let (Block { settings, units, .. }, parts) = Block::read(bytes).map_err(Fault::Failed)?;
    let before = thread_cpu_seconds();
    let known = locked(&PREPARED).iter().find(|(digest, _)| *digest == settings).cloned();
    let prepared = match known {
        Some((_, prepared)) => prepared,
        None => prepare(&settings, parts, kinds)?,
    };
    let Made { rows, extra } = prepared.maker.make(units)?;
    let (clock, process) = (prepared.clock, Process::this());
    let cpu_seconds = before.zip(thread_cpu_seconds()).map(|(before, now)| now - before);
    Ok(Answer::Made { process, cpu_seconds, clock, rows, extra })
}

/// Prepares the run with the settings of this digest, which are among `parts` or came in an earlier
/// block.
fn prepare(digest: &str, parts: Vec<Part>, kinds: &[UnitKind]) -> Result<Arc<Prepared>, Fault> {
    let mut waiting = locked(&WAITING);
    waiting.extend(parts.into_iter().map(|part| (part.digest.clone(), part)));
    let Some(settings) = waiting.get(digest) else {
        return Err(Fault::Missing(vec![digest.to_owned()]));
    };
    let settings: RunSettings = serde_json::from_slice(&settings.bytes)
        .map_err(|why| Fault::Refused(format!("invalid settings of a block: {why}")))?;
    let mut missing = Vec::new();
    for (digest, name) in &settings.files {
        if !keep(digest, name, || waiting.remove(digest))? {
            missing.push(digest.clone());
        }
    }
    if !missing.is_empty() {
        return Err(Fault::Missing(missing));
    }
    waiting.remove(digest);
    drop(waiting);
    let prepared = Arc::new(checked(&settings, kinds)?);
    let mut known = locked(&PREPARED);
    if known.len() == MOST_SETTINGS {
        known.remove(0);
    }
    known.push((digest.to_owned(), Arc::clone(&prepared)));
    Ok(prepared)
}

/// The run of `settings`, if this program plays it as the coordinator's program does.
fn checked(settings: &RunSettings, kinds: &[UnitKind]) -> Result<Prepared, Fault> {
    let RunSettings { kind, settings, bots, openings, search_seconds, .. } = settings;
    let clock = match search_seconds {
        None => None,
        Some(seconds) => Some(clock::search_seconds()? / seconds),
    };
    // The coordinator could read the settings: this process lacks what they name.
    let refused = |why: &dyn ToString| {
        let why = why.to_string();
        Fault::Refused(format!(
            "{why} (register it in the worker processes too: docs/how-to/run-on-a-cluster.md)"
        ))
    };
    let Some(known) = kinds.iter().find(|known| known.name == kind) else {
        return Err(refused(&format!("unknown kind of units `{kind}`")));
    };
    let mut maker = (known.maker)(settings).map_err(|why| refused(&why))?;
    if let Some(why) = difference(bots, *openings, &maker.provenance()?) {
        return Err(Fault::Refused(why));
    }
    // The clock is set after the signatures were computed, which cover the bots' settings.
    if let Some(factor) = clock {
        maker.set_clock(factor);
    }
    Ok(Prepared { maker, clock })
}

/// How this program plays differently from a program whose bots have the signatures `bots`.
fn difference(bots: &[BotSignature], openings: Digest, own: &Provenance) -> Option<String> {
    if openings != own.openings {
        return Some("this program draws other openings than that of the coordinator".to_owned());
    }
    let (then, now) = bots.iter().zip(&own.bots).find(|(then, now)| then != now)?;
    Some(format!(
        "bot {} plays otherwise in this program than in that of the coordinator ({} and not {}): \
         install the same version of Tengen, and of what the bot needs",
        then.name, now.signature, then.signature
    ))
}
