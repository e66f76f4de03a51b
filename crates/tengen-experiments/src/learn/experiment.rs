//! A learning run as an experiment: its units are rounds, each of which needs those before it.

use super::learning::{Learning, NEW};
use super::round::RoundRow;
use super::settings::{OF_TOURNAMENT, Settings};
use crate::run::{Chunk, Concurrency, Digest, Done, Experiment, Provenance, Rows, RunError, rows};
use crate::tournament::{GameRow, Tournament};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tengen_bots::NamedBot;
use toml::Table;

/// Progress of a learning run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The round, from 1.
    pub round: usize,
    /// What is played, such as `games of the teacher`.
    pub what: &'static str,
    /// Number of games that are played.
    pub done: usize,
    /// Number of all games; with a sequential test, the largest number.
    pub all: usize,
}

/// The callback for each step of a learning run: before a part of a round, and after each of its games.
pub type Observer = Box<dyn Fn(Step) + Send + Sync>;

impl Experiment for Learning {
    type Row = RoundRow;

    type Settings = Settings;

    const ROWS: &'static str = "rounds.csv";

    const UNIT: &'static str = "round";

    const TAKES_EXECUTOR: bool = true;

    fn works_in(&mut self, folder: &Path, _: Option<Chunk>) {
        self.folder = folder.to_path_buf();
    }

    fn config(&self) -> Result<Table, RunError> {
        self.tournament.with_settings(&self.settings, &OF_TOURNAMENT)
    }

    /// The provenance has no path. It covers the contents of the files, and the games of the runs,
    /// that the settings name.
    fn provenance(&self) -> Result<Provenance, RunError> {
        let mut bots = self.tournament.bots.clone();
        bots.push(NamedBot { name: NEW.to_owned(), ..self.settings.student.clone() });
        bots.extend(self.settings.watch.clone());
        let of_tournament = Tournament { bots, ..self.tournament.clone() }.provenance()?;
        let mut provenance =
            of_tournament.with_settings(self.config()?, &["kind", "name", "rounds"]);
        for folder in &self.settings.from {
            provenance.settings.text(&games_of(folder)?.to_string());
        }
        Ok(provenance)
    }

    fn units(&self) -> Option<usize> {
        Some(self.settings.rounds)
    }

    fn chunks(&self) -> Result<(), String> {
        Err("each round needs the rounds before it: play its games by chunks of `tournament --training`, and \
             learn from them by --from"
            .to_owned())
    }

    fn number(&self, unit: usize) -> usize {
        unit + 1
    }

    fn differs(&self, row: &RoundRow) -> Option<String> {
        let rounds = self.settings.rounds;
        (!(1..=rounds).contains(&row.round)).then(|| format!("there are {rounds} rounds"))
    }

    fn is_kept(&self, row: &RoundRow) -> Result<bool, RunError> {
        Ok(self.weights(row.round).is_ok_and(|file| file.digest == row.weights))
    }

    fn make(
        &self,
        there: &Rows<RoundRow>,
        _: Option<Chunk>,
        on: Concurrency<'_>,
        stop: &AtomicBool,
        done: Done<'_, RoundRow>,
    ) -> Result<(), RunError> {
        let mut rows: Vec<RoundRow> = Vec::new();
        for round in 1..=self.settings.rounds {
            if let Some(there) = there.get(&(round - 1)).and_then(|rows| rows.first()) {
                rows.push(there.clone());
                continue;
            }
            let row = self.make_round(round, &rows, on, stop)?;
            let Some(row) = row else { return Ok(()) };
            done(std::slice::from_ref(&row))?;
            rows.push(row);
        }
        Ok(())
    }
}

/// The digest of the games of the run in `folder`: of their numbers and fingerprints, or of their moves
/// where an early run has no fingerprints.
fn games_of(folder: &Path) -> Result<Digest, RunError> {
    let mut digest = Digest::default();
    for signed in rows::read::<GameRow>(folder, Tournament::ROWS)? {
        digest.number(signed.row.game as u64);
        match signed.fingerprint {
            Some(fingerprint) => digest.text(&fingerprint.to_string()),
            None => digest.text(&signed.row.moves),
        }
    }
    Ok(digest)
}
