//! A tuning run as an experiment: its units are games, which the method requests from the results
//! of earlier games.

use super::settings::{OF_TOURNAMENT, Settings};
use super::trials::{EstimateAt, Trials};
use super::tuning_run::Tuning;
use crate::run::{Chunk, Concurrency, Done, Experiment, Provenance, Rows, RunError};
use crate::tournament::{GameRow, Next, Tournament, play_supplied};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tengen_optimize::trial::Sample;
use toml::{Table, Value};

/// How long a thread without a game sleeps before it checks whether to stop.
const NAP: Duration = Duration::from_millis(100);

impl Tuning {
    /// What the method knows after the games `there`: the trials with their scores, the estimates
    /// after more and more games, and whether no game is missing.
    #[must_use]
    pub fn known(&self, there: &Rows<GameRow>) -> (Vec<Sample>, Vec<EstimateAt>, bool) {
        let mut trials = Trials::new(self, by_game(there));
        while let Next::Game(_) = trials.next_game() {}
        trials.settle();
        (trials.tuner().samples().to_vec(), trials.estimates().to_vec(), trials.is_complete())
    }
}

fn by_game(there: &Rows<GameRow>) -> BTreeMap<usize, GameRow> {
    there.values().flatten().map(|row| (row.game, row.clone())).collect()
}

fn locked<'a, 'run>(trials: &'a Mutex<Trials<'run>>) -> MutexGuard<'a, Trials<'run>> {
    trials.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Experiment for Tuning {
    type Row = GameRow;

    type Settings = Settings;

    const ROWS: &'static str = "games.csv";

    const UNIT: &'static str = "game";

    const TAKES_EXECUTOR: bool = true;

    fn config(&self) -> Result<Table, RunError> {
        let mut table = self.tournament.with_settings(&self.settings, &OF_TOURNAMENT)?;
        table.insert("kind".to_owned(), Value::String("tune".to_owned()));
        Ok(table)
    }

    fn provenance(&self) -> Result<Provenance, RunError> {
        let of_tournament = self.tournament.provenance()?;
        Ok(of_tournament.with_settings(self.config()?, &["kind", "name", "validation"]))
    }

    fn is_reproducible(&self) -> bool {
        self.tournament.is_reproducible()
    }

    fn units(&self) -> Option<usize> {
        None
    }

    fn most_units(&self) -> usize {
        self.games()
    }

    fn chunks(&self) -> Result<(), String> {
        let said = "a tuning cannot be cut into chunks: leave --chunk out, or play it by an executor (docs/how-to/run-on-a-cluster.md)";
        Err(said.to_owned())
    }

    fn depends_on_earlier(&self) -> bool {
        true
    }

    /// Compares board and komi: only the method, when it asks for the trial, can tell the rest.
    fn differs(&self, row: &GameRow) -> Option<String> {
        let Tournament { size, komi, .. } = &self.tournament;
        if row.size != *size {
            Some(format!("its size is {} and not {size}", row.size))
        } else if row.komi != *komi {
            Some(format!("its komi is {} and not {komi}", row.komi))
        } else {
            None
        }
    }

    fn is_over(&self, there: &Rows<GameRow>) -> bool {
        let mut trials = Trials::new(self, by_game(there));
        if matches!(trials.next_game(), Next::Game(_)) {
            return false;
        }
        trials.settle();
        trials.is_complete()
    }

    fn make(
        &self,
        there: &Rows<GameRow>,
        _chunk: Option<Chunk>,
        on: Concurrency<'_>,
        stop: &AtomicBool,
        done: Done<'_, GameRow>,
    ) -> Result<(), RunError> {
        let trials = Mutex::new(Trials::new(self, by_game(there)));
        let is_told = Condvar::new();
        let next_game = |may_wait: bool| {
            let mut guard = locked(&trials);
            loop {
                match guard.next_game() {
                    Next::Later if may_wait && !stop.load(Ordering::Relaxed) => {
                        let waited = is_told.wait_timeout(guard, NAP);
                        guard = waited.unwrap_or_else(PoisonError::into_inner).0;
                    }
                    // A caller that may wait must not ask again at once.
                    Next::Later if may_wait => return Next::Done,
                    next => return next,
                }
            }
        };
        let at_once = 2 * self.settings.look_ahead;
        let played: Result<(), RunError> =
            play_supplied(&self.tournament, on, at_once, &next_game, stop, |played| {
                let row = played.row;
                done(std::slice::from_ref(&row))?;
                let mut guard = locked(&trials);
                guard.take(&row);
                self.set_latest(guard.estimates().last());
                drop(guard);
                is_told.notify_all();
                Ok(())
            });
        played?;
        let stranger = locked(&trials).stranger();
        stranger.map_or(Ok(()), |game| {
            Err(RunError::stranger(Self::UNIT, game, Self::ROWS, "no trial asks for it"))
        })
    }
}
