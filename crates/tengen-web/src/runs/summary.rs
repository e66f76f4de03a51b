//! What the list shows of a run.

use super::folder::{RunFolder, Stamp};
use super::games::FILES;
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

/// What the list shows of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Its folder below the runs folder.
    pub name: String,
    /// What kind of run it is: `tournament`, `tuning` or `measurement`.
    pub kind: &'static str,
    /// Board size.
    pub size: Option<String>,
    /// Komi, in points.
    pub komi: Option<f64>,
    /// The names of the bots.
    pub bots: Vec<String>,
    /// Number of games.
    pub games: u64,
    /// Number of games of the schedule, which a sequential test may end earlier.
    pub scheduled: Option<usize>,
    /// Whether the schedule may end earlier.
    pub has_test: bool,
    /// What it does.
    pub progress: Progress,
    /// When it was begun, UTC.
    pub started: Option<String>,
    /// Milliseconds between 1970 and the last change.
    pub changed: u64,
    /// Whether there is a report.
    pub has_report: bool,
}

/// The parts of `config.toml` that do not change.
#[derive(Clone, Debug, Default)]
struct Known {
    kind: &'static str,
    size: Option<String>,
    komi: Option<f64>,
    bots: Vec<String>,
    scheduled: Option<usize>,
    has_test: bool,
}

/// When a run began, and whether its last session has ended.
#[derive(Clone, Debug, Default)]
struct Times {
    started: Option<String>,
    has_ended: bool,
    /// Number of units that all sessions made.
    units: u64,
}

/// What was read of a file, by the run's name, and how the file then was.
type Kept<T> = Mutex<HashMap<String, (Option<Stamp>, T)>>;

/// Reads summaries. What has not changed is not read again, and a file that grows is
/// read from where it ended before.
#[derive(Debug, Default)]
pub struct Summaries {
    lines: Mutex<HashMap<String, (u64, u64)>>,
    known: Kept<Known>,
    times: Kept<Times>,
}

/// What `read` reads of the file `name` of `run`, or what it was when the file was the same.
fn kept<T: Clone>(
    all: &Kept<T>,
    run: &RunFolder,
    name: &str,
    read: impl FnOnce(&RunFolder) -> T,
) -> T {
    let stamp = run.stamp(name);
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((at, value)) = all.get(&run.name)
        && *at == stamp
    {
        return value.clone();
    }
    let value = read(run);
    all.insert(run.name.clone(), (stamp, value.clone()));
    value
}

impl Summaries {
    /// The summary of `run`.
    pub fn of(&self, run: &RunFolder) -> Summary {
        let games = FILES.into_iter().find(|name| run.stamp(name).is_some());
        let known = kept(&self.known, run, "config.toml", known);
        let times = kept(&self.times, run, "manifest.toml", times);
        let changed = ["manifest.toml", "config.toml"]
            .into_iter()
            .chain(FILES)
            .filter_map(|name| run.stamp(name))
            .map(|stamp| stamp.changed)
            .max()
            .unwrap_or(0);
        let progress = match now().saturating_sub(changed) {
            _ if times.has_ended => Progress::Finished,
            ..PATIENCE => Progress::Playing,
            PATIENCE.. => Progress::Stopped,
        };
        Summary {
            name: run.name.clone(),
            kind: known.kind,
            size: known.size,
            komi: known.komi,
            bots: known.bots,
            games: match games {
                Some("games.csv") => self.lines(run).saturating_sub(1),
                // A compressed file is that of a run that is over.
                Some(_) => times.units,
                None => 0,
            },
            scheduled: known.scheduled,
            has_test: known.has_test,
            progress,
            started: times.started,
            changed,
            has_report: run.stamp("report.html").is_some(),
        }
    }

    /// The number of lines of `games.csv`, its header included.
    fn lines(&self, run: &RunFolder) -> u64 {
        let mut known = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let (read, lines) = known.get(&run.name).copied().unwrap_or_default();
        let Ok(mut file) = run.open(FILES[0]) else { return 0 };
        let bytes = run.stamp(FILES[0]).map_or(0, |stamp| stamp.bytes);
        // A shorter file is another one.
        let (read, lines) = if bytes < read { (0, 0) } else { (read, lines) };
        let mut counted = (read, lines);
        if bytes > read && file.seek(SeekFrom::Start(read)).is_ok() {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = file.read(&mut buffer) {
                let breaks = buffer[..count].split(|&byte| byte == b'\n').count() - 1;
                counted = (counted.0 + count as u64, counted.1 + breaks as u64);
            }
        }
        known.insert(run.name.clone(), counted);
        counted.1
    }
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn times(run: &RunFolder) -> Times {
    let manifest = run.readable("manifest.toml").ok();
    let manifest = manifest.and_then(|path| Manifest::read(&path).ok()).unwrap_or_default();
    Times {
        started: manifest.sessions.first().map(|session| session.started.clone()),
        has_ended: manifest.sessions.last().is_none_or(|session| session.finished.is_some()),
        units: manifest.sessions.iter().filter_map(|session| session.units).sum::<usize>() as u64,
    }
}

fn known(run: &RunFolder) -> Known {
    let measurement = Known { kind: "measurement", ..Known::default() };
    let Ok(text) = run.read("config.toml") else { return measurement };
    let Ok(table) = text.parse::<toml::Table>() else { return measurement };
    let size = table.get("size").and_then(toml::Value::as_str).map(str::to_owned);
    let komi = table.get("komi").and_then(toml::Value::as_float);
    let name = |bot: &toml::Value| bot.get("name")?.as_str().map(str::to_owned);
    let bots = match table.get("bot") {
        Some(toml::Value::Array(bots)) => bots.iter().filter_map(name).collect(),
        Some(bot) => name(bot).into_iter().collect(),
        None => Vec::new(),
    };
    let own = Known { kind: "tournament", size, komi, bots, scheduled: None, has_test: false };
    if table.contains_key("method") {
        return Known { kind: "tuning", ..own };
    }
    match run.outline() {
        Some(outline) => Known {
            scheduled: Some(outline.schedule().games()),
            has_test: outline.sprt.is_some(),
            ..own
        },
        None => Known { kind: "measurement", ..own },
    }
}
