//! A tournament as an experiment: its units are games.

use super::counted::Counted;
use super::row::GameRow;
use super::searches::PlayedGame;
use super::threads::{self, Due, End};
use super::{Tournament, preflight, provenance};
use crate::run::{
    Chunk, Concurrency, Done, Experiment, Provenance, Rows, RunDirectory, RunError, SEARCHES,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tengen_bots::SideBySide;
use toml::Table;

impl Tournament {
    /// Plays the games that are missing besides `there`, as [`Experiment::make`] does, and passes each
    /// to `done`, with the searches of its moves if `keeps_searches`.
    pub fn play_missing(
        &self,
        there: &Rows<GameRow>,
        chunk: Option<Chunk>,
        on: Concurrency<'_>,
        stop: &AtomicBool,
        keeps_searches: bool,
        done: &mut (dyn FnMut(PlayedGame) -> Result<(), RunError> + Send),
    ) -> Result<(), RunError> {
        let schedule = self.schedule();
        let (games, pairings) = (schedule.games(), schedule.pairings().len());
        let is_dropped: Vec<AtomicBool> = (0..pairings).map(|_| AtomicBool::new(false)).collect();
        let note_dropped = |counted: &Counted| {
            let Some(elimination) = counted.elimination() else { return };
            for (arm, is_dropped) in is_dropped.iter().enumerate() {
                is_dropped.store(elimination.dropped_after(arm).is_some(), Ordering::Relaxed);
            }
        };
        let is_due = |game: &usize| {
            !there.contains_key(game)
                && chunk.is_none_or(|chunk| chunk.holds(self.share(*game)))
                && !is_dropped[game / 2 % pairings].load(Ordering::Relaxed)
        };
        let left = match chunk {
            None => games - there.len(),
            Some(_) => (0..games).filter(is_due).count(),
        };
        let mut counted = self.ends_early().then(|| self.counted_of(there));
        counted.as_ref().inspect(|counted| note_dropped(counted));
        // Separate from `stop`, which ends all work of the caller: a learning run continues after a
        // match.
        let is_decided = AtomicBool::new(false);
        let certain_games = |counted: &Counted| counted.certain_games().min(games);
        let certain = AtomicUsize::new(counted.as_ref().map_or(games, certain_games));
        let end = End { is_decided: &is_decided, certain: &certain };
        let end = counted.is_some().then_some(end);
        let due = Due { keeps_searches, end, ..Due::new(left, (0..games).filter(is_due)) };
        threads::play_games(self, on, due, stop, |played| {
            if is_decided.load(Ordering::Relaxed) {
                return Ok(());
            }
            let row = counted.is_some().then(|| played.row.clone());
            done(played)?;
            if let (Some(counted), Some(row)) = (&mut counted, row) {
                counted.insert(row);
                certain.store(certain_games(counted), Ordering::Relaxed);
                note_dropped(counted);
                if counted.is_decided() {
                    is_decided.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        })
    }

    fn counted_of(&self, there: &Rows<GameRow>) -> Counted {
        self.no_games().with(there.values().flatten().cloned())
    }
}

impl Experiment for Tournament {
    type Row = GameRow;

    type Settings = Self;

    const ROWS: &'static str = "games.csv";

    const UNIT: &'static str = "game";

    const TAKES_EXECUTOR: bool = true;

    fn config(&self) -> Result<Table, RunError> {
        Ok(Table::try_from(self)?)
    }

    fn provenance(&self) -> Result<Provenance, RunError> {
        provenance::provenance(self, &preflight::preflight(self)?)
    }

    fn is_reproducible(&self) -> bool {
        self.side_by_side() == SideBySide::Any
    }

    fn units(&self) -> Option<usize> {
        Some(self.schedule().games())
    }

    fn chunks(&self) -> Result<(), String> {
        let said = "a sequential test or an elimination cannot be cut into chunks: leave --chunk out, or --sprt \
                    and --eliminate, or play it by an executor (docs/how-to/run-on-a-cluster.md)";
        if self.ends_early() { Err(said.to_owned()) } else { Ok(()) }
    }

    /// Both games of a pair are one share.
    fn share(&self, unit: usize) -> usize {
        unit / 2
    }

    fn differs(&self, row: &GameRow) -> Option<String> {
        row.differs(&self.schedule(), (self.size, self.komi), |bot| &self.bots[bot].name)
    }

    fn check(&self, directory: &RunDirectory) -> Result<(), RunError> {
        let folder = directory.path();
        if !folder.join(SEARCHES).exists() {
            return Ok(());
        }
        let folder = folder.display();
        Err(RunError::Input(format!(
            "{folder} keeps the searches of its games for training data: add --training FILE"
        )))
    }

    fn is_over(&self, there: &Rows<GameRow>) -> bool {
        there.len() == self.schedule().games()
            || self.ends_early() && self.counted_of(there).is_over(self.pairs)
    }

    fn counted(&self, there: Rows<GameRow>) -> Vec<GameRow> {
        self.counted_of(&there).into_parts().0
    }

    fn make(
        &self,
        there: &Rows<GameRow>,
        chunk: Option<Chunk>,
        on: Concurrency<'_>,
        stop: &AtomicBool,
        done: Done<'_, GameRow>,
    ) -> Result<(), RunError> {
        let mut done = |played: PlayedGame| done(&[played.row]);
        self.play_missing(there, chunk, on, stop, false, &mut done)
    }
}
