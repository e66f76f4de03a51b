//! A run of an experiment: its folder, with settings, manifest and rows; how it is made, stopped,
//! resumed, cut into chunks and merged.
//!
//! An [`Experiment`] says which units there are and makes them; a [`Run`] is its folder, a
//! [`Session`] makes what is missing there, [`play_chunk`] a share of it.

mod append;
pub(crate) mod blocks;
mod chunk;
mod directory;
mod error;
mod execution;
pub mod files;
mod fingerprint;
mod lock;
mod manifest;
mod plan;
pub mod rows;
mod session;
mod threads;

pub use append::AppendFile;
pub use chunk::{Chunk, PlayedChunk, chunk_files, due, play_chunk};
pub(crate) use directory::csv_lines;
pub use directory::{RunDirectory, check_name, check_name_of_parts, replace, to_csv};
pub use error::{FileFault, RunError};
pub use execution::{Execution, MAX_GAMES_PER_THREAD};
pub use fingerprint::{
    BotSignature, Digest, Fingerprint, ParseFingerprintError, Provenance, WeightsOf,
};
pub use lock::{LOCK, RunLock};
pub use manifest::{
    Build, Machine, Manifest, ManifestError, SCHEMA, SessionRecord, checkout, manifest_at,
};
pub use plan::Plan;
pub use rows::{Row, RowFile, Rows, Signed};
pub use session::{Session, make_part, rows_of};
pub use threads::each_unit;

use blocks::Blocks;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tengen_settings::{CliOptions, Effect, Setting};
use toml::{Table, Value};

/// The file with the settings of a run.
pub const CONFIG: &str = "config.toml";

/// The file that says who made a run, when, where and with which program.
pub const MANIFEST: &str = "manifest.toml";

/// The file with the searches of a run's games, where they are kept for training data.
pub const SEARCHES: &str = "searches.journal";

/// How many units are made at once, and by whom; no result depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Concurrency<'a> {
    /// Number of threads.
    pub threads: usize,
    /// Most games that a thread has open at once if a bot is another program, of which each game
    /// starts a process. Without such a bot, and with one that has a clock, it has no effect.
    pub games_per_thread: usize,
    /// The coordinator of the processes that make the units in place of the threads; none if these do.
    pub blocks: Option<&'a Blocks>,
}

impl From<usize> for Concurrency<'_> {
    /// `threads` threads, each with one process of another program at a time.
    fn from(threads: usize) -> Self {
        Self { threads, games_per_thread: 1, blocks: None }
    }
}

/// Callback that takes the rows of a finished unit.
pub type Done<'a, R> = &'a mut (dyn FnMut(&[R]) -> Result<(), RunError> + Send);

/// What a run plays or measures, unit by unit; each unit gives rows.
pub trait Experiment: Sync {
    /// A row of the run.
    type Row: Row;

    /// The settings as they are declared.
    type Settings: CliOptions;

    /// Name of the file with the rows.
    const ROWS: &'static str;

    /// What a unit is called, such as `game`.
    const UNIT: &'static str;

    /// Whether `make` has units made by [`Concurrency::blocks`], if there are any. If it has not, a
    /// run with an executor is refused.
    const TAKES_EXECUTOR: bool = false;

    /// Tells the experiment the folder of its run, and the chunk that is made.
    fn works_in(&mut self, _folder: &Path, _chunk: Option<Chunk>) {}

    /// All settings that decide a row, and the keys `kind` and `name`.
    fn config(&self) -> Result<Table, RunError>;

    /// The provenance of the rows, for which each bot is tried once.
    fn provenance(&self) -> Result<Provenance, RunError>;

    /// Number of units; none where the rows decide the number.
    fn units(&self) -> Option<usize>;

    /// Number of units at most.
    fn most_units(&self) -> usize {
        self.units().unwrap_or_default()
    }

    /// Whether the units can be made in chunks. An error says why not, and what can be done instead.
    fn chunks(&self) -> Result<(), String> {
        Ok(())
    }

    /// Whether making a unit twice gives the same rows.
    fn is_reproducible(&self) -> bool {
        true
    }

    /// Whether a unit can depend on the rows of units with smaller numbers.
    fn depends_on_earlier(&self) -> bool {
        false
    }

    /// Number of rows of each unit.
    fn rows_per_unit(&self) -> usize {
        1
    }

    /// The number of `unit` as files and messages have it.
    fn number(&self, unit: usize) -> usize {
        unit
    }

    /// The number of the unit's share: units of one share are in one chunk.
    fn share(&self, unit: usize) -> usize {
        unit
    }

    /// How `row` differs from this experiment, such as `its komi is 5.5 and not 7.5`; none if it is
    /// a row of this experiment. Asked of each row of a run that is resumed, merged or reported.
    fn differs(&self, row: &Self::Row) -> Option<String>;

    /// Whether the data that other files keep for `row` exist; if they do not, the unit is made
    /// again.
    fn is_kept(&self, _row: &Self::Row) -> Result<bool, RunError> {
        Ok(true)
    }

    /// Whether nothing is left to be made.
    fn is_over(&self, there: &Rows<Self::Row>) -> bool {
        self.units() == Some(there.len())
    }

    /// The rows that count, in order, of a run that is over.
    fn counted(&self, there: Rows<Self::Row>) -> Vec<Self::Row> {
        there.into_values().flatten().collect()
    }

    /// Writes the files that the settings name into the folder of a new run, so that the folder
    /// holds all that decides its rows.
    fn begin(&self, _directory: &RunDirectory) -> Result<(), RunError> {
        Ok(())
    }

    /// Checks the files that `begin` wrote, in the folder of an existing run.
    fn check(&self, _directory: &RunDirectory) -> Result<(), RunError> {
        Ok(())
    }

    /// Makes the units that `there` lacks, all of them or those of `chunk`, until `stop` is true;
    /// passes the rows of each unit to `done`, on one thread at a time. [`due`] has the missing
    /// units, and [`each_unit`] makes them one by one.
    fn make(
        &self,
        there: &Rows<Self::Row>,
        chunk: Option<Chunk>,
        on: Concurrency<'_>,
        stop: &AtomicBool,
        done: Done<'_, Self::Row>,
    ) -> Result<(), RunError>;
}

/// A run in its folder, locked against other processes.
#[derive(Debug)]
pub struct Run {
    /// The folder.
    pub directory: RunDirectory,
    /// The manifest.
    pub manifest: Manifest,
    _lock: RunLock,
}

impl Run {
    /// Begins the run of `experiment` in the folder `wanted`, or, if that holds something, in
    /// `wanted-2` and so on.
    pub fn begin<E: Experiment>(experiment: &E, wanted: &Path) -> Result<Self, RunError> {
        loop {
            let directory = RunDirectory::create(wanted)?;
            let lock = RunLock::take(directory.path(), LOCK)?;
            // Another process may have begun, and even ended, before the lock
            // was ours: its run is left alone.
            if !directory.path().join(CONFIG).exists() {
                experiment.begin(&directory)?;
                directory.write(CONFIG, saved_config(experiment, &directory)?)?;
                let manifest = Manifest { units: experiment.units(), ..Manifest::default() };
                return Ok(Self { directory, manifest, _lock: lock });
            }
        }
    }

    /// Opens the run in `folder`. Refuses a run that another process writes.
    pub fn open(folder: &Path) -> Result<Self, RunError> {
        let directory = RunDirectory::existing(folder)?;
        // Locked before the settings are read: no process changes them from here on.
        let lock = RunLock::take(folder, LOCK)?;
        let manifest = manifest_at(&folder.join(MANIFEST))?;
        Ok(Self { directory, manifest, _lock: lock })
    }

    /// The settings of the run, whichever version wrote them.
    pub fn config(&self) -> Result<Table, RunError> {
        config_of(&self.directory)
    }
}

/// The contents of the `config.toml` of a run of `experiment` in `directory`.
pub(super) fn saved_config<E: Experiment>(
    experiment: &E,
    directory: &RunDirectory,
) -> Result<String, RunError> {
    let mut config = experiment.config()?;
    files::relative_to(&mut config, directory.path());
    Ok(toml::to_string(&config)?)
}

/// The settings of the run in `directory`, with paths as `config.toml` has them.
pub fn config_of(directory: &RunDirectory) -> Result<Table, RunError> {
    let text = directory.read(CONFIG)?;
    let path = directory.path().join(CONFIG);
    text.parse().map_err(|fault: toml::de::Error| {
        RunError::Input(format!("{}: {}", path.display(), fault.message().replace('\n', " ")))
    })
}

/// The settings in `wanted` that `found` lacks or gives another value, in words.
#[must_use]
pub fn differences(found: &Table, wanted: &Table) -> Vec<String> {
    let text = |value: Option<&Value>| {
        value.map_or("nothing".to_owned(), |value| value.to_string().replace('\n', " "))
    };
    let differing = wanted.iter().filter(|(key, value)| found.get(*key) != Some(value));
    differing
        .map(|(key, value)| {
            format!("{key} is {} and not {}", text(found.get(key)), text(Some(value)))
        })
        .collect()
}

/// The first of the `settings` of a run in which `wanted` differs from `found`, in words. Paths of files are
/// no difference: their contents are compared with the provenance.
#[must_use]
pub fn difference(settings: &[Setting], found: &Table, wanted: &Table) -> Option<String> {
    let [found, mut wanted] = [found, wanted].map(|settings| {
        let mut settings = settings.clone();
        files::without_paths(&mut settings);
        settings
    });
    for setting in settings.iter().filter(|setting| setting.effect == Effect::Nothing) {
        wanted.remove(setting.key);
    }
    differences(&found, &wanted).into_iter().next()
}

/// Checks that the `manifest` of the run in `folder` has no other provenance than `provenance`,
/// which this program, `build`, finds for the settings of the run.
pub fn check_provenance(
    folder: &Path,
    manifest: &Manifest,
    provenance: &Provenance,
    build: &Build,
) -> Result<(), RunError> {
    let Some(before) = &manifest.provenance else { return Ok(()) };
    let origin = manifest.origin(build);
    let said = if before.settings != provenance.settings {
        let other = if manifest.is_by(build) {
            String::new()
        } else {
            format!("; if nobody changed these, this version reads them differently ({origin})")
        };
        format!(
            "{CONFIG}, or a file or run that it names, has changed since the run began: undo the \
             change{other}"
        )
    } else if before.openings != provenance.openings {
        format!("this program draws other openings; {origin}")
    } else {
        let bots = before.bots.iter().zip(&provenance.bots);
        let Some((then, now)) = bots.into_iter().find(|(then, now)| then != now) else {
            return Ok(());
        };
        if let Some(weights) = now.weights.as_ref().filter(|now| then.weights.as_ref() != Some(now))
        {
            let (bot, file) = (&now.name, &weights.file);
            format!("bot {bot}: its weights file {file} was changed: undo the change")
        } else {
            format!(
                "bot {} plays otherwise in this program ({} and not {}); {origin}",
                now.name, now.signature, then.signature
            )
        }
    };
    Err(RunError::Input(format!("{} cannot be continued: {said}", folder.display())))
}
