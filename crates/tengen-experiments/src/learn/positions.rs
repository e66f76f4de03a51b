//! The positions that are learned from.

use super::samples::samples;
use crate::run::{Digest, RunDirectory, RunError};
use crate::tournament::{GameRow, Outline};
use crate::training;
use std::path::{Path, PathBuf};
use tengen_go::Size;
use tengen_learn::{Sample, Samples};
use toml::Table;

/// One game of this many is held out: the weights are not fitted to it, but judged by it.
const HELD_OUT: u64 = 10;

/// The positions of runs whose games were kept with their searches.
#[derive(Debug, Default)]
pub struct Positions {
    /// The positions, with the features of their moves.
    pub samples: Samples,
    /// The prior of each move by the heuristic of `uct`, as a share of the sum over its position.
    pub heuristic: Vec<f32>,
    /// Number of games.
    pub games: u64,
    /// The folders of the runs, with a hash of the games of each.
    runs: Vec<(PathBuf, u64)>,
}

impl Positions {
    /// Adds the positions of the run in `folder`, whose board must have this `size`. Refuses a run without
    /// games or without their searches.
    pub fn add(&mut self, folder: &Path, size: Size) -> Result<(), RunError> {
        let directory = RunDirectory::existing(folder)?;
        let remedy = "learn from a run of `tournament --training`";
        training::check_kept(&directory, remedy)?;
        let config: Table = crate::run::config_of(&directory)?;
        let outline = Outline::of(&config)?;
        if outline.size != size {
            return Err(RunError::Input(format!(
                "{} is a run on {} and not on {size}: weights are those of one --size",
                folder.display(),
                outline.size
            )));
        }
        let (found, _) = outline.counted(outline.read(folder)?);
        if found.is_empty() {
            let folder = folder.display();
            let said = format!("{folder} has no games: merge its chunks by `tournament --merge`");
            return Err(RunError::Input(said));
        }
        self.refuse_twice(folder, &found)?;
        samples(self, &outline, &found, folder)?;
        self.games += found.len() as u64;
        Ok(())
    }

    /// Refuses the run in `folder`, whose games are `rows`, if a run that was added before has the
    /// same games: they would count twice.
    fn refuse_twice(&mut self, folder: &Path, rows: &[GameRow]) -> Result<(), RunError> {
        let mut games = Digest::default();
        for row in rows {
            games.number(row.seed);
            for text in [&row.black, &row.white, &row.moves] {
                games.text(text);
            }
        }
        let games = games.get();
        if let Some((before, _)) = self.runs.iter().find(|(_, those)| *those == games) {
            let (folder, before) = (folder.display(), before.display());
            return Err(RunError::Input(format!(
                "{folder} and {before} hold the same games, which would count twice: name each run once"
            )));
        }
        self.runs.push((folder.to_path_buf(), games));
        Ok(())
    }

    /// The numbers of the positions that weights are fitted to, at most `most` of them, evenly spread.
    #[must_use]
    pub fn fitted(&self, most: Option<usize>) -> Vec<usize> {
        let all: Vec<usize> = self.numbers(|sample| !is_held_out(sample));
        let wanted = most.unwrap_or(all.len()).min(all.len());
        (0..wanted).map(|place| all[place * all.len() / wanted.max(1)]).collect()
    }

    /// The numbers of the positions that are held out.
    #[must_use]
    pub fn held_out(&self) -> Vec<usize> {
        self.numbers(is_held_out)
    }

    fn numbers(&self, is_wanted: impl Fn(&Sample<'_>) -> bool) -> Vec<usize> {
        (0..self.samples.len()).filter(|&number| is_wanted(&self.samples.get(number))).collect()
    }
}

const fn is_held_out(sample: &Sample<'_>) -> bool {
    sample.game % HELD_OUT == HELD_OUT - 1
}
