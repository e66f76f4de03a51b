//! The cards of runs, recomputed when a file has changed.

use super::contents;
use super::folder::{RunFolder, Stamp};
use super::summary::{Progress, Summary};
use crate::server::start::Control;
use serde::{Serialize, Serializer};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tengen_experiments::kind::{Card, Kind, card};
use tengen_experiments::run::{CONFIG, MANIFEST};

/// Cards that are kept in memory.
const MAX_KEPT: usize = 4;

/// A run in detail.
#[derive(Serialize)]
pub struct Detail {
    #[serde(flatten)]
    summary: Summary,
    /// Its settings.
    config: String,
    /// Its card: question, answer, plots and bots.
    #[serde(serialize_with = "inner")]
    card: Arc<Card>,
    /// How long it took, and will take.
    clock: Clock,
    /// How it is repeated, if it has settings for that.
    repeat: Option<Repeat>,
    /// Its short tables as CSV, with their names.
    tables: Vec<(String, String)>,
    /// How the page can control it, where runs may be started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Control>,
}

fn inner<S: Serializer>(card: &Arc<Card>, serializer: S) -> Result<S::Ok, S::Error> {
    card.as_ref().serialize(serializer)
}

/// Wall-clock times of a run, in seconds; none if its files do not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Clock {
    /// The time of its sessions; the present session counts until its last unit.
    pub elapsed: Option<f64>,
    /// The time left, if units take as long as in the present session.
    pub left: Option<f64>,
}

impl Clock {
    /// The clock of `run`, which has `finished` of its `expected` units; `rows` is its
    /// file of rows.
    pub fn of(run: &RunFolder, rows: &str, finished: usize, expected: usize) -> Self {
        let sessions = run.manifest().map(|manifest| manifest.sessions).unwrap_or_default();
        let Some((last, before)) = sessions.split_last() else { return Self::default() };
        // A killed session has not written its end.
        let time: Option<f64> = before.iter().map(|session| session.seconds).sum();
        let units: Option<usize> = before.iter().map(|session| session.units).sum();
        let now = last.seconds.or_else(|| {
            // The manifest is written when a session begins.
            let [begun, played] = [MANIFEST, rows].map(|name| run.stamp(name));
            Some(played?.changed.saturating_sub(begun?.changed) as f64 / 1e3)
        });
        let (Some(time), Some(units), Some(now)) = (time, units, now) else {
            return Self::default();
        };
        let made = finished.saturating_sub(units);
        let goes_on = last.finished.is_none() && made > 0;
        let left = expected.saturating_sub(finished) as f64 * now / made as f64;
        Self { elapsed: Some(time + now), left: goes_on.then_some(left) }
    }
}

/// How a run is repeated.
#[derive(Serialize)]
struct Repeat {
    /// The command line.
    command: String,
    /// The commit of the program that made the run.
    commit: Option<String>,
}

/// A card, with its run and the stamps of the files that it was computed from.
#[derive(Debug)]
struct Kept {
    run: String,
    /// Number of games or rounds.
    games: u64,
    stamps: Vec<(String, Option<Stamp>)>,
    card: Arc<Card>,
}

/// Computes the cards of runs; keeps the last ones.
#[derive(Debug, Default)]
pub struct Cards {
    kept: Mutex<VecDeque<Kept>>,
}

impl Cards {
    /// The run with this `summary` in detail; `root` is the name of the runs folder.
    pub fn detail(&self, run: &RunFolder, summary: Summary, root: &str) -> Detail {
        let config = run.read(CONFIG).unwrap_or_default();
        let card = self.card(run, &summary, &config);
        let repeat = repeat(run, summary.kind, root);
        let done = usize::try_from(summary.games).unwrap_or(usize::MAX);
        let rows = summary.kind.rows().map_or("", |rows| rows.name);
        let clock = Clock::of(run, rows, done, summary.known.scheduled.unwrap_or(done));
        let tables = contents::tables(run);
        Detail { summary, config, card, clock, repeat, tables, control: None }
    }

    fn card(&self, run: &RunFolder, summary: &Summary, config: &str) -> Arc<Card> {
        let Summary { kind, games, .. } = *summary;
        let stamps = stamps(run);
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = lock();
        let before = all.iter().position(|kept| kept.run == run.name).and_then(|at| all.remove(at));
        // The estimate of a tuning in progress takes long: it is recomputed after about 5 % more
        // games.
        let is_slow = kind == Kind::TUNING && summary.progress == Progress::Playing;
        let is_new = |kept: &Kept| !is_slow || games >= kept.games + kept.games / 20 + 2;
        let is_same = |kept: &Kept| kept.stamps == stamps || kept.games <= games && !is_new(kept);
        let (stamps, games, card) = match before {
            Some(kept) if is_same(&kept) => (kept.stamps, kept.games, kept.card),
            _ => {
                // Other requests need not wait for this card.
                drop(all);
                let config = config.parse().ok();
                let card = Arc::new(card(kind, config.as_ref(), run));
                all = lock();
                (stamps, games, card)
            }
        };
        all.push_front(Kept { run: run.name.clone(), games, stamps, card: card.clone() });
        all.truncate(MAX_KEPT);
        card
    }
}

/// The files on which a card depends.
fn stamps(run: &RunFolder) -> Vec<(String, Option<Stamp>)> {
    let ends = [".csv", ".csv.xz", ".toml", ".md"];
    let mut names: Vec<String> = ends.into_iter().flat_map(|end| run.names(end)).collect();
    names.dedup();
    let mut stamps: Vec<(String, Option<Stamp>)> =
        names.into_iter().map(|name| (name.clone(), run.stamp(&name))).collect();
    if let Some(part) = run.part("validation") {
        let files = ["games.csv", "games.csv.xz"];
        stamps.extend(files.map(|name| (format!("validation/{name}"), part.stamp(name))));
    }
    stamps
}

/// How the `run` of `kind` is repeated.
fn repeat(run: &RunFolder, kind: Kind, root: &str) -> Option<Repeat> {
    let program = kind.command()?;
    run.stamp(CONFIG)?;
    let manifest = run.manifest();
    let session = manifest.as_ref().and_then(|manifest| manifest.sessions.last());
    let commit = session.map(|session| session.build.commit.clone());
    // A name with a space or another special character of the shell is quoted.
    let path = format!("{root}/{}/{CONFIG}", run.name);
    let is_plain = |c: char| c.is_alphanumeric() || "/._-=+".contains(c);
    let path = if path.chars().all(is_plain) {
        path
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    };
    let name = tengen_bots::program().map_or_else(|| "tengen".to_owned(), |program| program.name);
    Some(Repeat {
        command: format!("{name} {program} --config {path}"),
        commit: commit.filter(|commit| commit != "unknown"),
    })
}
