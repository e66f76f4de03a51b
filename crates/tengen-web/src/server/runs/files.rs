//! The games of runs, read from their files.

use super::contents::own;
use super::folder::{RunFolder, Stamp};
use super::growth::Prefix;
use crate::runs::RunGames;
use crate::server::refused::Refused;
use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tengen_experiments::run::{RunError, rows};
use tengen_experiments::tournament::GameRow;

/// Runs whose games are kept in memory.
const MAX_KEPT: usize = 2;

/// The files that may hold the games of a run.
pub const FILES: [&str; 2] = ["games.csv", "games.csv.xz"];

/// The games of a run as they were read.
#[derive(Debug)]
struct Kept {
    run: String,
    stamp: Stamp,
    /// The header of the file, with its line break.
    header: Vec<u8>,
    /// How far an uncompressed file was read.
    prefix: Prefix,
    games: Arc<RunGames>,
}

/// Reads the games of runs, and keeps those of the last runs. A file that grows is read from its
/// former end on.
#[derive(Debug, Default)]
pub struct GameFiles {
    kept: Mutex<VecDeque<Kept>>,
}

impl GameFiles {
    /// The games of `run` that are finished.
    pub fn games(&self, run: &RunFolder) -> Result<Arc<RunGames>, Refused> {
        let name = name(run);
        let path = run.file(name)?;
        let stamp = run.stamp(name).ok_or_else(|| Refused::absent("the games are gone"))?;
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let before = all.iter().position(|kept| kept.run == run.name).and_then(|at| all.remove(at));
        let kept = match before {
            Some(kept) if kept.stamp == stamp => kept,
            Some(kept) if name == FILES[0] => match further(kept, stamp, run) {
                Some(kept) => kept,
                None => whole(run, name, &path, stamp)?,
            },
            _ => whole(run, name, &path, stamp)?,
        };
        let games = kept.games.clone();
        all.push_front(kept);
        all.truncate(MAX_KEPT);
        Ok(games)
    }
}

/// The name of the file of the games of `run`.
fn name(run: &RunFolder) -> &'static str {
    FILES.into_iter().find(|name| run.stamp(name).is_some()).unwrap_or(FILES[0])
}

/// Whether `run` has a file of games.
pub fn has_games(run: &RunFolder) -> bool {
    run.stamp(name(run)).is_some()
}

/// The rows of the games of `run` as text.
pub fn text(run: &RunFolder) -> Result<Vec<u8>, Refused> {
    let name = name(run);
    rows::read_text(&run.file(name)?).map_err(|fault| refused(run, name, &fault))
}

/// Why the file `name` of `run` cannot be read.
fn refused(run: &RunFolder, name: &str, fault: &RunError) -> Refused {
    let own = own(name, fault);
    Refused::bad(format!("{name} of {}{}", run.name, own.strip_prefix(name).unwrap_or_default()))
}

/// All games of the file `name` of `run`.
fn whole(run: &RunFolder, name: &str, path: &Path, stamp: Stamp) -> Result<Kept, Refused> {
    let mut prefix = Prefix::default();
    let text = if name == FILES[0] {
        let mut text = Vec::new();
        prefix.further(run, name, stamp, |more| text.extend_from_slice(more));
        text
    } else {
        text(run)?
    };
    let rows = rows::parse(&text, path).map_err(|fault| refused(run, name, &fault))?;
    let games = Arc::new(RunGames::new(rows.into_iter().map(|signed| signed.row).collect()));
    let header = text.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default().to_vec();
    Ok(Kept { run: run.name.clone(), stamp, header, prefix, games })
}

/// `kept` with the games appended to the file since; none if the whole file must be read again.
fn further(mut kept: Kept, stamp: Stamp, run: &RunFolder) -> Option<Kept> {
    if kept.header.is_empty() {
        return None;
    }
    let mut more = kept.header.clone();
    if !kept.prefix.further(run, FILES[0], stamp, |lines| more.extend_from_slice(lines)) {
        return None;
    }
    let rows = rows::parse(&more, Path::new(FILES[0])).ok()?;
    let rows: Vec<GameRow> = rows.into_iter().map(|signed| signed.row).collect();
    let new: HashSet<usize> = rows.iter().map(|row| row.game).collect();
    let is_new = |row: &GameRow| !new.contains(&row.game);
    if new.len() < rows.len() || !kept.games.rows().iter().all(is_new) {
        return None;
    }
    Arc::make_mut(&mut kept.games).extend(rows);
    Some(Kept { stamp, ..kept })
}
