//! Summaries of runs, as the list shows them.

use super::contents;
use super::files::FILES;
use super::folder::{RunFolder, Stamp, now};
use super::growth::LineCount;
use crate::server::start::Life;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tengen_experiments::kind::{Kind, brief, brief_of_games};
use tengen_experiments::report::files::Files;
use tengen_experiments::run::{CONFIG, MANIFEST, Manifest};
use tengen_experiments::tournament::Outline;
use toml::{Table, Value};

/// Milliseconds without a game after which a run that has not written its end counts
/// as stopped.
const PATIENCE: u64 = 120_000;

/// Milliseconds within which a new run writes its manifest.
const BEGINNING: u64 = 10_000;

/// Milliseconds by which the time of a file may lie after the end of the process that wrote it.
const MOMENT: u64 = 2_000;

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    /// Its games are being played.
    Playing,
    /// Its last session has ended.
    Finished,
    /// The run is not over, but has written nothing for long, or its process has ended.
    Stopped,
    /// A file of the run is missing or cannot be read.
    Broken,
}

/// A run as the list shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Its folder below the runs folder.
    pub name: String,
    /// What its settings say.
    #[serde(flatten)]
    pub known: Known,
    /// What kind of run it is.
    pub kind: Kind,
    /// Number of its units that are finished, such as games.
    pub games: u64,
    /// What a unit is called, such as `game`.
    unit: &'static str,
    /// Its state.
    pub progress: Progress,
    /// What is wrong with its files, in one line.
    fault: Option<String>,
    /// Its answer in a few words.
    answer: Option<String>,
    /// When it was begun, UTC.
    started: Option<String>,
    /// Milliseconds between 1970 and the last change.
    changed: u64,
    /// Whether there is a report.
    has_report: bool,
}

/// The settings of a run that the list shows, from `config.toml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Known {
    /// Board size.
    size: Option<String>,
    /// Komi, in points.
    komi: Option<f64>,
    /// The names of the bots.
    bots: Vec<String>,
    /// Number of units of the schedule, which a sequential test may end earlier.
    pub scheduled: Option<usize>,
    /// Number of rows of each unit.
    #[serde(skip)]
    rows_per_unit: usize,
    /// Whether the schedule may end earlier.
    has_test: bool,
    /// Whether games can be replayed if their moves are kept.
    replays: bool,
    /// Why the settings cannot be used.
    #[serde(skip)]
    fault: Option<String>,
}

/// Settings or a manifest, and why they cannot be read.
type Read<T> = (Option<T>, Option<String>);

/// What was read of a run, with the stamps of the files at that time.
#[derive(Debug, Default)]
struct Kept {
    config: (Option<Stamp>, Read<Table>),
    manifest: (Option<Stamp>, Read<Manifest>),
    /// The settings that the list shows, and the kind of run by which they were read.
    known: Option<(Kind, Known)>,
    /// The lines of the file of rows.
    lines: LineCount,
    /// Number of its games if their file is compressed.
    rows: (Option<Stamp>, u64),
    answer: (Option<Stamp>, Option<String>),
    /// The last check of all rows and tables.
    checked: Option<Checked>,
}

/// The result of checking the rows and tables of a run.
#[derive(Debug)]
struct Checked {
    /// When the checked files were last changed.
    changed: u64,
    /// What is wrong with the files.
    fault: Option<String>,
    /// The answer computed from the games, if no table has it.
    answer: Option<String>,
}

/// Reads summaries. Unchanged files are not read again, and a file that grows is read
/// from its former end on.
#[derive(Debug, Default)]
pub struct Summaries {
    kept: Mutex<HashMap<String, Kept>>,
}

/// The result of `read` for the file `name` of `run`, kept as long as the file is unchanged, or the
/// default if the file is missing; and whether it was read anew.
fn kept<'a, T: Default>(
    (at, value): &'a mut (Option<Stamp>, T),
    run: &RunFolder,
    name: &str,
    read: impl FnOnce(&RunFolder) -> T,
) -> (&'a T, bool) {
    let stamp = run.stamp(name);
    let is_new = *at != stamp;
    if is_new {
        (*at, *value) = (stamp, stamp.map(|_| read(run)).unwrap_or_default());
    }
    (value, is_new)
}

impl Summaries {
    /// The summary of `run`. `life` is the state of its process if this server has started it. Rows
    /// and tables that have changed since the last check are checked, unless `until` is past.
    pub fn of(&self, run: &RunFolder, until: Option<Instant>, life: Option<Life>) -> Summary {
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let own = all.entry(run.name.clone()).or_default();
        let ((config, config_fault), is_new) = kept(&mut own.config, run, CONFIG, read_config);
        let ((manifest, manifest_fault), _) = kept(&mut own.manifest, run, MANIFEST, read_manifest);
        let kind = Kind::of(config.as_ref(), manifest.as_ref(), |name| run.stamp(name).is_some());
        let known = match &mut own.known {
            // Who copies a run may copy its settings before the other files that tell its extent.
            Some((of, known)) if *of == kind && !is_new && known.scheduled.is_some() => known,
            slot => &mut slot.insert((kind, known(config.as_ref(), kind, run))).1,
        };
        let (plain, unit) = kind.rows().map_or((FILES[0], "game"), |rows| (rows.name, rows.unit));
        // The report is the last file of a run, written after the end of the last session.
        let files = [MANIFEST, CONFIG, "report.html", kind.table(), plain];
        let stamps = files.into_iter().chain(FILES);
        let changed = stamps.filter_map(|name| run.stamp(name)).map(|stamp| stamp.changed).max();
        let changed = changed.unwrap_or(0);
        let idle = now().saturating_sub(changed);
        let sessions = manifest.as_ref().map_or(&[][..], |manifest| &manifest.sessions);
        let goes_on = sessions.last().is_some_and(|session| session.finished.is_none());
        // If files changed after the process ended, another process is writing them.
        let life = life.filter(|life| match life {
            Life::Running => true,
            Life::Ended { at, .. } => changed <= at + MOMENT,
        });
        let is_playing = match &life {
            Some(life) => *life == Life::Running,
            None => goes_on && idle < PATIENCE,
        };
        let was_stopped = matches!(life, Some(Life::Ended { is_over: false, .. }));
        let is_begun = manifest.is_some() || manifest_fault.is_some() || idle < BEGINNING;
        let is_part = run.name.contains('/') || kind == Kind::STUDY && config.is_none();
        let missing = || {
            if !is_begun && !is_part {
                Some(format!(
                    "{MANIFEST} is missing: it would say when and by which program the run was made"
                ))
            } else if manifest.is_some() && config.is_none() && kind.has_config() {
                Some(format!("{CONFIG}, the settings of the run, is missing"))
            } else {
                None
            }
        };
        let fault = manifest_fault.clone().or_else(|| config_fault.clone());
        let fault = fault.or_else(missing).or_else(|| known.fault.clone());
        // Files that are being written cannot be checked as a whole.
        let is_checked = own.checked.as_ref().is_some_and(|checked| checked.changed == changed);
        let table = [kind.table(), "summary.csv"];
        let table = table.into_iter().find(|name| run.stamp(name).is_some());
        if !is_playing && !is_checked && until.is_none_or(|until| Instant::now() < until) {
            let games = config.as_ref().filter(|_| table.is_none() && kind.is_tournament());
            let answer = games.and_then(|config| brief_of_games(config, run));
            own.checked = Some(Checked { changed, fault: contents::fault(run, kind), answer });
        }
        let of_rows = own.checked.as_ref().and_then(|checked| checked.fault.clone());
        let fault = fault.or(of_rows.filter(|_| !is_playing));
        // A killed session has not written its number of games.
        let units: Option<usize> = sessions.iter().map(|session| session.units).sum();
        let packed = format!("{plain}.xz");
        let count = |rows: u64| rows / known.rows_per_unit.max(1) as u64;
        let games = match [plain, &packed].map(|name| run.stamp(name)) {
            [Some(stamp), _] => count(own.lines.of(run, plain, stamp).saturating_sub(1)),
            // Only runs that are over have a compressed file. It lacks games beyond the end of a
            // test, and the validation of a tuning, which has no manifest of its own.
            [None, Some(_)] => match units.filter(|&units| units > 0) {
                Some(units) if !known.has_test && kind != Kind::TUNING => units as u64,
                _ => count(*kept(&mut own.rows, run, &packed, |run| rows(run, plain)).0),
            },
            [None, None] => 0,
        };
        // A run that was asked to end has written the end of its session too. A test may end before
        // all games are played, but then its table exists.
        let has_ended_early = known.has_test && table.is_some();
        let is_due = known.scheduled.is_some_and(|all| games < all as u64);
        let is_short = is_due && !has_ended_early && !sessions.is_empty();
        let progress = match fault {
            Some(_) => Progress::Broken,
            None if is_playing => Progress::Playing,
            None if goes_on || was_stopped || is_short => Progress::Stopped,
            None => Progress::Finished,
        };
        let of_table = table.and_then(|name| {
            let read = |run: &RunFolder| run.read(name).ok().and_then(|text| brief(kind, &text));
            kept(&mut own.answer, run, name, read).0.clone()
        });
        let of_games = || own.checked.as_ref().and_then(|checked| checked.answer.clone());
        let answer = of_table.or_else(of_games);
        Summary {
            name: run.name.clone(),
            known: known.clone(),
            kind,
            games,
            unit,
            progress,
            fault,
            answer,
            started: sessions.first().map(|session| session.started.clone()),
            changed,
            has_report: run.stamp("report.html").is_some(),
        }
    }
}

/// The number of rows of `run`, whose file `name` is compressed.
fn rows(run: &RunFolder, name: &str) -> u64 {
    let text = Files::read(run, name).ok().flatten().unwrap_or_default();
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count();
    lines.saturating_sub(1) as u64
}

fn read_manifest(run: &RunFolder) -> Read<Manifest> {
    let read = run.file(MANIFEST).map_err(super::Refused::into_text).and_then(|path| {
        Manifest::read(&path).map_err(|fault| format!("{MANIFEST} cannot be used: {fault}"))
    });
    read.map_or_else(|fault| (None, Some(fault)), |manifest| (Some(manifest), None))
}

fn read_config(run: &RunFolder) -> Read<Table> {
    let text = match run.read(CONFIG) {
        Ok(text) => text,
        Err(fault) => return (None, Some(fault.into_text())),
    };
    match text.parse::<Table>() {
        Ok(table) => (Some(table), None),
        Err(fault) => {
            let before = fault.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let (line, why) =
                (before.matches('\n').count() + 1, fault.message().replace('\n', " "));
            (None, Some(format!("{CONFIG}, line {line}: {why}")))
        }
    }
}

/// The settings that the list shows, from the settings `config` of the `run` of `kind`.
fn known(config: Option<&Table>, kind: Kind, run: &RunFolder) -> Known {
    let Some(table) = config else { return Known::default() };
    let name = |bot: &Value| bot.get("name")?.as_str().map(str::to_owned);
    let bots = match table.get("bot") {
        Some(Value::Array(bots)) => bots.iter().filter_map(name).collect(),
        Some(bot) => name(bot).into_iter().collect(),
        None => Vec::new(),
    };
    let outline = kind.is_tournament().then(|| Outline::of(table)).transpose();
    let fault = outline.as_ref().err().map(|fault| format!("{CONFIG}: {fault}"));
    let outline = outline.ok().flatten();
    let extent = kind.rows().and_then(|rows| (rows.extent)(table, run));
    Known {
        size: table.get("size").and_then(Value::as_str).map(str::to_owned),
        komi: table.get("komi").and_then(Value::as_float),
        bots,
        scheduled: extent.map(|extent| extent.units),
        rows_per_unit: extent.map_or(1, |extent| extent.rows_per_unit),
        replays: outline.is_some(),
        has_test: outline.is_some_and(|outline| outline.sprt.is_some()),
        fault,
    }
}
