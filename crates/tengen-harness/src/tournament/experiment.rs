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
        let games = self.schedule().games();
        let is_due = |game: &usize| {
            !there.contains_key(game) && chunk.is_none_or(|chunk| chunk.holds(self.share(*game)))
        };
        let left = match chunk {
            None => games - there.len(),
            Some(_) => (0..games).filter(is_due).count(),
        };
        let mut counted = self.sprt.map(|_| self.counted_of(there.values().flatten()));
        // Separate from `stop`, which ends all work of the caller: a learning run continues after a
        // match.
        let is_decided = AtomicBool::new(false);
        let certain = AtomicUsize::new(counted.as_ref().map_or(games, Counted::certain_games));
        let mut due = Due::new(left, (0..games).filter(is_due)).with_searches(keeps_searches);
        if counted.is_some() {
            due = due.until(End { is_decided: &is_decided, certain: &certain });
        }
        threads::play_games(self, on, due, stop, |played| {
            if is_decided.load(Ordering::Relaxed) {
                return Ok(());
            }
            let row = counted.is_some().then(|| played.row.clone());
            done(played)?;
            if let (Some(counted), Some(row)) = (&mut counted, row) {
                counted.insert(row);
                certain.store(counted.certain_games(), Ordering::Relaxed);
                if counted.is_decided() {
                    is_decided.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        })
    }

    fn counted_of<'a>(&self, rows: impl Iterator<Item = &'a GameRow>) -> Counted {
        let mut counted = Counted::new(self.sprt);
        rows.for_each(|row| counted.insert(row.clone()));
        counted
    }
}

impl Experiment for Tournament {
    type Row = GameRow;

    type Settings = Self;

    const ROWS: &'static str = "games.csv";

    const UNIT: &'static str = "game";

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
        let said = "a sequential test cannot be cut into chunks: leave --chunk or --sprt out, or play it by an \
                    executor (docs/how-to/run-on-a-cluster.md)";
        self.sprt.map_or(Ok(()), |_| Err(said.to_owned()))
    }

    /// Both games of a pair are one share.
    fn share(&self, unit: usize) -> usize {
        unit / 2
    }

    fn differs(&self, row: &GameRow) -> Option<String> {
        self.differs(&self.schedule(), row)
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
            || self.sprt.is_some() && self.counted_of(there.values().flatten()).is_decided()
    }

    fn counted(&self, there: Rows<GameRow>) -> Vec<GameRow> {
        self.counted_of(there.values().flatten()).into_parts().0
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
