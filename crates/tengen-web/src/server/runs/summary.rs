//! What the list shows of a run.

use super::files::{self, FILES};
use super::folder::{RunFolder, Stamp};
use serde::Serialize;
use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use tengen_harness::run::Manifest;

/// Milliseconds without a game after which a run whose end is not written counts as
/// stopped.
const PATIENCE: u64 = 120_000;

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    /// Its games are being played.
    Playing,
    /// Its last session has ended.
    Finished,
    /// Its last session has not ended, but nothing was written for long.
    Stopped,
}

/// What kind of run it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Tournament,
    Tuning,
    #[default]
    Measurement,
}

/// What the list shows of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Its folder below the runs folder.
    name: String,
    #[serde(flatten)]
    known: Known,
    /// Number of games.
    games: u64,
    /// What it does.
    progress: Progress,
    /// When it was begun, UTC.
    started: Option<String>,
    /// Milliseconds between 1970 and the last change.
    changed: u64,
    /// Whether there is a report.
    has_report: bool,
}

/// What `config.toml` says of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Known {
    kind: Kind,
    /// Board size.
    size: Option<String>,
    /// Komi, in points.
    komi: Option<f64>,
    /// The names of the bots.
    bots: Vec<String>,
    /// Number of games of the schedule, which a sequential test may end earlier.
    scheduled: Option<usize>,
    /// Whether the schedule may end earlier.
    has_test: bool,
}

/// When a run began, and whether its last session goes on.
#[derive(Clone, Debug, Default)]
struct Times {
    started: Option<String>,
    goes_on: bool,
    /// Number of units that all sessions made.
    units: u64,
}

/// What was read of a run, and how its files then were.
#[derive(Debug, Default)]
struct Kept {
    config: (Option<Stamp>, Known),
    manifest: (Option<Stamp>, Times),
    /// Bytes and lines of its games.
    games: (u64, u64),
    /// Number of its games, where they are compressed.
    rows: (Option<Stamp>, u64),
}

/// Reads summaries. What has not changed is not read again, and a file that grows is
/// read from where it ended before.
#[derive(Debug, Default)]
pub struct Summaries {
    kept: Mutex<HashMap<String, Kept>>,
}

/// What `read` reads of the file `name` of `run`, or what it was when the file was the same.
fn kept<T: Clone>(
    (at, value): &mut (Option<Stamp>, T),
    run: &RunFolder,
    name: &str,
    read: fn(&RunFolder) -> T,
) -> T {
    let stamp = run.stamp(name);
    if *at != stamp {
        (*at, *value) = (stamp, read(run));
    }
    value.clone()
}

impl Summaries {
    /// The summary of `run`.
    pub fn of(&self, run: &RunFolder) -> Summary {
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let own = all.entry(run.name.clone()).or_default();
        let known = kept(&mut own.config, run, "config.toml", known);
        let times = kept(&mut own.manifest, run, "manifest.toml", times);
        // The report is written last of all, after the end of the last session.
        let files = ["manifest.toml", "config.toml", "report.html"].into_iter().chain(FILES);
        let stamps = files.filter_map(|name| run.stamp(name));
        let changed = stamps.map(|stamp| stamp.changed).max().unwrap_or(0);
        let progress = match now().saturating_sub(changed) {
            _ if !times.goes_on => Progress::Finished,
            ..PATIENCE => Progress::Playing,
            PATIENCE.. => Progress::Stopped,
        };
        let games = match FILES.map(|name| run.stamp(name)) {
            [Some(stamp), _] => count_lines(&mut own.games, run, stamp.bytes).saturating_sub(1),
            // A compressed file is that of a run that is over. What was played beyond the end of a
            // test is not in it, and the validation of a tuning has no manifest.
            [None, Some(_)] if own.config.1.has_test || times.units == 0 => {
                kept(&mut own.rows, run, FILES[1], rows)
            }
            [None, Some(_)] => times.units,
            [None, None] => 0,
        };
        let (name, started) = (run.name.clone(), times.started);
        let has_report = run.stamp("report.html").is_some();
        Summary { name, known, games, progress, started, changed, has_report }
    }
}

/// The number of lines of `games.csv`, its header included. So many bytes and lines were
/// `counted` before.
fn count_lines(counted: &mut (u64, u64), run: &RunFolder, bytes: u64) -> u64 {
    // A shorter file is another one.
    if bytes < counted.0 {
        *counted = (0, 0);
    }
    let Ok(mut file) = run.open(FILES[0]) else { return 0 };
    if bytes > counted.0 && file.seek(SeekFrom::Start(counted.0)).is_ok() {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = file.read(&mut buffer) {
            let breaks = buffer[..count].split(|&byte| byte == b'\n').count() - 1;
            *counted = (counted.0 + count as u64, counted.1 + breaks as u64);
        }
    }
    counted.1
}

/// The number of games of `run`, whose file is compressed.
fn rows(run: &RunFolder) -> u64 {
    let text = files::text(run).unwrap_or_default();
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count();
    lines.saturating_sub(1) as u64
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn times(run: &RunFolder) -> Times {
    let manifest = run.file("manifest.toml").ok();
    let manifest = manifest.and_then(|path| Manifest::read(&path).ok()).unwrap_or_default();
    Times {
        started: manifest.sessions.first().map(|session| session.started.clone()),
        goes_on: manifest.sessions.last().is_some_and(|session| session.finished.is_none()),
        units: manifest.sessions.iter().filter_map(|session| session.units).sum::<usize>() as u64,
    }
}

fn known(run: &RunFolder) -> Known {
    let table = run.read("config.toml").ok().and_then(|text| text.parse::<toml::Table>().ok());
    let Some(table) = table else { return Known::default() };
    let name = |bot: &toml::Value| bot.get("name")?.as_str().map(str::to_owned);
    let bots = match table.get("bot") {
        Some(toml::Value::Array(bots)) => bots.iter().filter_map(name).collect(),
        Some(bot) => name(bot).into_iter().collect(),
        None => Vec::new(),
    };
    let is_tuning = table.contains_key("method");
    let outline = run.outline().filter(|_| !is_tuning);
    Known {
        kind: match &outline {
            _ if is_tuning => Kind::Tuning,
            Some(_) => Kind::Tournament,
            None => Kind::Measurement,
        },
        size: table.get("size").and_then(toml::Value::as_str).map(str::to_owned),
        komi: table.get("komi").and_then(toml::Value::as_float),
        bots,
        scheduled: outline.as_ref().map(|outline| outline.schedule().games()),
        has_test: outline.is_some_and(|outline| outline.sprt.is_some()),
    }
}
