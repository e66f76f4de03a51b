//! What a worker process does with a block.

use super::block::{RunSettings, UnitSettings};
use super::tournament::bots_of;
use super::{Answer, Block, Part, Process, Work, clock};
use crate::convergence::{self, Convergence, PositionRow};
use crate::run::{
    BotSignature, Concurrency, Digest, Experiment, FileFault, Provenance, RunError, files, rows,
};
use crate::tournament::{PlannedGame, PlayedGame, Tournament, play_planned};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tengen_bots::NamedBot;
use tengen_settings::Settings as _;
use tengen_system::thread_cpu_seconds;
use toml::Table;

/// The most settings that a process keeps: a learning run has some for each round.
const MOST_SETTINGS: usize = 8;

/// Makes a block, which [`Block::to_bytes`] wrote, on this thread; returns an [`Answer`].
///
/// Before the first block of a run it checks that the bots play here as they do in the program of the
/// coordinator.
#[must_use]
pub fn make(block: &[u8]) -> Vec<u8> {
    let process = Process::this();
    let answer = match made(block) {
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
enum Prepared {
    Games { tournament: Tournament, keeps_searches: bool, clock: Option<f64> },
    Positions(Convergence),
}

/// Multiplies the seconds of `bot` by `clock`.
fn set_clock(bot: &mut NamedBot, clock: Option<f64>) {
    if let Some(factor) = clock {
        bot.config = bot.config.with_seconds_times(factor);
    }
}

/// The runs that this process knows, by the digest of their settings, the newest last.
static PREPARED: Mutex<Vec<(String, Arc<Prepared>)>> = Mutex::new(Vec::new());

/// Parts that arrived while other parts of their run were missing, by digest.
static WAITING: Mutex<BTreeMap<String, Part>> = Mutex::new(BTreeMap::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn made(bytes: &[u8]) -> Result<Answer, Fault> {
    let (Block { settings, work, .. }, parts) = Block::read(bytes).map_err(Fault::Failed)?;
    let before = thread_cpu_seconds();
    let known = locked(&PREPARED).iter().find(|(digest, _)| *digest == settings).cloned();
    let prepared = match known {
        Some((_, prepared)) => prepared,
        None => prepare(&settings, parts)?,
    };
    let (rows, searches, clock) = match (&*prepared, work) {
        (Prepared::Games { tournament, keeps_searches, clock }, Work::Games(games)) => {
            let planned = games.into_iter().map(|game| {
                let mut plan = PlannedGame::of(tournament, game.plan);
                plan.keeps_searches = *keeps_searches;
                if let Some(bots) = game.bots {
                    let [black, white] = bots;
                    let bots = [located(&black)?, located(&white)?];
                    plan.bots = bots_of(bots).map_err(Fault::Refused)?;
                    plan.bots.iter_mut().for_each(|bot| set_clock(bot, *clock));
                }
                Ok(plan)
            });
            let planned: Vec<PlannedGame> = planned.collect::<Result<_, Fault>>()?;
            let mut played = Vec::new();
            let stop = AtomicBool::new(false);
            play_planned(tournament, Concurrency::from(1), planned, &stop, |game| {
                played.push(game);
                Ok::<(), RunError>(())
            })?;
            played.sort_by_key(|game: &PlayedGame| game.row.game);
            let text = rows::to_csv(played.iter().map(|game| (&game.row, None)), true)?;
            let searches = played.into_iter().map(|game| game.searches);
            let searches = if *keeps_searches { searches.collect() } else { Vec::new() };
            (text, searches, *clock)
        }
        (Prepared::Positions(convergence), Work::Positions(numbers)) => {
            let mut rows: Vec<PositionRow> = Vec::new();
            for number in numbers {
                let Some(position) = convergence.positions.get(number) else {
                    return Err(Fault::Refused(format!("there is no position {number}")));
                };
                let stop = AtomicBool::new(false);
                let found = convergence::measure(&convergence.settings, number, position, &stop);
                rows.extend(found?.unwrap_or_default());
            }
            let text = rows::to_csv(rows.iter().map(|row| (row, None)), true)?;
            (text, Vec::new(), None)
        }
        _ => return Err(Fault::Refused("the block is not one of its run".to_owned())),
    };
    let spent = before.zip(thread_cpu_seconds()).map(|(before, now)| now - before);
    Ok(Answer::Made { process: Process::this(), cpu_seconds: spent, clock, rows, searches })
}

/// Prepares the run with the settings of this digest, which are among `parts` or came in an earlier
/// block.
fn prepare(digest: &str, parts: Vec<Part>) -> Result<Arc<Prepared>, Fault> {
    let mut waiting = locked(&WAITING);
    waiting.extend(parts.into_iter().map(|part| (part.digest.clone(), part)));
    let Some(settings) = waiting.get(digest) else {
        return Err(Fault::Missing(vec![digest.to_owned()]));
    };
    let settings: RunSettings = serde_json::from_slice(&settings.bytes)
        .map_err(|why| Fault::Refused(format!("invalid settings of a block: {why}")))?;
    let mut missing = Vec::new();
    for (digest, name) in &settings.files {
        let path = path_of(digest, name);
        if is_there(&path, digest) {
            continue;
        }
        match waiting.remove(digest) {
            Some(part) => keep(&path, &part.bytes)?,
            None => missing.push(digest.clone()),
        }
    }
    if !missing.is_empty() {
        return Err(Fault::Missing(missing));
    }
    waiting.remove(digest);
    drop(waiting);
    let prepared = Arc::new(checked(settings)?);
    let mut known = locked(&PREPARED);
    if known.len() == MOST_SETTINGS {
        known.remove(0);
    }
    known.push((digest.to_owned(), Arc::clone(&prepared)));
    Ok(prepared)
}

/// The run of `settings`, if this program plays it as the coordinator's program does.
fn checked(settings: RunSettings) -> Result<Prepared, Fault> {
    let RunSettings { kind, bots, openings, search_seconds, .. } = settings;
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
    let (mut prepared, own) = match kind {
        UnitSettings::Games { tournament, keeps_searches } => {
            let tournament = Tournament::from_table(located(&tournament)?);
            let tournament = tournament.map_err(|why| refused(&why))?;
            let own = tournament.provenance()?;
            (Prepared::Games { tournament, keeps_searches, clock }, own)
        }
        UnitSettings::Positions { settings, positions } => {
            let settings = convergence::Settings::from_table(located(&settings)?);
            let settings = settings.map_err(|why| refused(&why))?;
            let positions = convergence::read(&positions).map_err(|why| refused(&why))?;
            let own = convergence::provenance(&settings, &positions)?;
            (Prepared::Positions(Convergence { settings, positions }), own)
        }
    };
    // The clock is set after the signatures were computed, which cover the bots' settings.
    if let Prepared::Games { tournament, .. } = &mut prepared {
        tournament.bots.iter_mut().for_each(|bot| set_clock(bot, clock));
    }
    match difference(&bots, openings, &own) {
        None => Ok(prepared),
        Some(why) => Err(Fault::Refused(why)),
    }
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

/// The folder in which the worker processes of a user on this host keep files by digest.
fn folder() -> PathBuf {
    let user = ["USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let user: String = user.unwrap_or_default().chars().filter(|c| c.is_alphanumeric()).collect();
    std::env::temp_dir().join(format!("tengen-files-{user}"))
}

fn path_of(digest: &str, name: &str) -> PathBuf {
    // The extension of a name may decide how a file is read.
    let end = Path::new(name).extension().and_then(|end| end.to_str());
    folder().join(end.map_or_else(|| digest.to_owned(), |end| format!("{digest}.{end}")))
}

fn is_there(path: &Path, digest: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| Part::of(bytes).digest == *digest)
}

/// Writes a file that other processes may read or write at the same time.
fn keep(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    fs::create_dir_all(folder()).map_err(|why| RunError::write(&folder(), &why))?;
    let own = path.with_extension(format!("part-{}", std::process::id()));
    let written = fs::write(&own, bytes).and_then(|()| fs::rename(&own, path));
    written.map_err(|why| {
        let _ = fs::remove_file(&own);
        RunError::write(path, &why)
    })
}

/// The text that replaces the path of the file `name` with this `digest` in a block's settings.
pub(super) fn token(digest: &str, name: &str) -> String {
    let path = path_of(digest, name);
    let file = path.file_name().unwrap_or_default();
    format!("{TOKEN}{}", file.to_string_lossy())
}

const TOKEN: &str = "tengen-file-";

/// The settings in the TOML `text`, with the paths of files on this host.
fn located(text: &str) -> Result<Table, Fault> {
    let settings: Result<Table, _> = text.parse();
    let mut settings = settings.map_err(|why: toml::de::Error| Fault::Refused(why.to_string()))?;
    files::each(&mut settings, &mut |_, path| {
        let file = path.strip_prefix(TOKEN)?;
        folder().join(file).to_str().map(str::to_owned)
    });
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::super::dispatch::Units;
    use super::super::tournament::Games;
    use super::*;

    #[test]
    fn a_host_that_searches_more_slowly_gives_searches_more_time() {
        let text = "size = '3x3'\npairs = 1\nbot = ['uct:seconds=0.5', 'uct:simulations=3']";
        let tournament: Tournament = text.parse().unwrap();
        let bots = |factor: Option<f64>| {
            let (mut settings, _) = Games::new(&tournament, false).unwrap().settings().unwrap();
            settings.search_seconds =
                factor.map(|factor| clock::search_seconds().unwrap() / factor);
            let Ok(Prepared::Games { tournament, clock, .. }) = checked(settings) else {
                panic!("refused")
            };
            assert_eq!(clock, factor);
            tournament.bots.iter().map(|bot| bot.config.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(bots(None), ["uct:seconds=0.5", "uct:simulations=3"]);
        assert_eq!(bots(Some(2.0)), ["uct:seconds=1.0", "uct:simulations=3"]);
    }
}
