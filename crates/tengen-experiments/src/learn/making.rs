//! A round of a learning run is made: games, fit and matches.

use super::experiment::Step;
use super::learning::{Learning, NEW};
use super::round::{RoundRow, WEIGHTS};
use super::settings::Settings;
use crate::run::{Concurrency, Experiment, RunDirectory, RunError, make_part};
use crate::tournament::{GameRow, Tournament};
use crate::training::Recorded;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_bots::NamedBot;
use tengen_learn::{Prediction, WeightsFile};
use tengen_stats::sprt::State;
use tengen_stats::{Pairs, SequentialTest};

impl Learning {
    /// Plays the games of `experiment`, the part `what` of `round`, in `folder`; none if it was stopped.
    fn play<E: Experiment<Row = GameRow>>(
        &self,
        experiment: &E,
        (round, what): (usize, &'static str),
        folder: &Path,
        on: Concurrency<'_>,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<GameRow>>, RunError> {
        let all = experiment.most_units();
        let told = |done| {
            if let Some(observer) = self.observer.get() {
                observer(Step { round, what, done, all });
            }
        };
        make_part(experiment, folder, &self.build, on, stop, told)
    }

    /// Makes `round`; none if it was stopped.
    pub(super) fn make_round(
        &self,
        round: usize,
        before: &[RoundRow],
        on: Concurrency<'_>,
        stop: &AtomicBool,
    ) -> Result<Option<RoundRow>, RunError> {
        let begun = Instant::now();
        let folder = self.folder_of(round);
        let accepted = before.iter().rev().find(|row| row.accepted).map(|row| row.round);
        if self.settings.from.is_empty() {
            let games = self.games_of(round, accepted)?;
            let games_folder = folder.join("games");
            let mut recorded = Recorded::new(games, true);
            recorded.works_in(&games_folder, None);
            let part = (round, "games of the teacher");
            if self.play(&recorded, part, &games_folder, on, stop)?.is_none() {
                return Ok(None);
            }
        }
        let (positions, fitted) = self.to_fit(round)?;
        let rows = self.fit().run(&positions.samples, &fitted, |of| self.is_left_out(of));
        let found = Prediction::by_weights(&rows, &positions.samples, &positions.held_out());
        let made = WeightsFile::new(rows, self.provenance_of(round, &positions, fitted.len()));
        // The head of the file names the program. A match that another build resumes knows its bots
        // by the whole file: an existing file with equal weights stays.
        let file = match self.weights(round) {
            Ok(there) if there.weights.rows() == made.weights.rows() => there,
            _ => {
                RunDirectory::shared(&folder)?.write(WEIGHTS, made.to_text())?;
                made
            }
        };
        let mut row = RoundRow {
            round,
            games: positions.games,
            positions: fitted.len(),
            features: file.weights.rows().len(),
            weights: file.digest.clone(),
            log_loss: found.log_loss(),
            top_1: found.top_1(),
            top_5: found.top_5(),
            seconds: begun.elapsed().as_secs_f64(),
            ..RoundRow::default()
        };
        let Settings { student, student_prior, .. } = &self.settings;
        let config = self.with_weights(student, round, *student_prior)?;
        let new = NamedBot { name: NEW.to_owned(), config };
        if self.settings.pairs > 0 {
            let before = accepted
                .map(|accepted| self.with_weights(student, accepted, *student_prior))
                .transpose()?;
            let tournament = self.match_of(round, new.clone(), before);
            let part = (round, "games of the match, at most");
            let rows = self.play(&tournament, part, &folder.join("match"), on, stop)?;
            let Some(rows) = rows else { return Ok(None) };
            let [lost, split, won] = pairs_of(&rows).by_result();
            (row.won, row.split, row.lost) = (Some(won), Some(split), Some(lost));
            row.opponent = Some(accepted.map_or("given".to_owned(), |round| round.to_string()));
            row.accepted = is_won(&tournament, rows);
        } else {
            row.accepted = true;
        }
        if let Some(watch) = &self.settings.watch {
            let tournament = self.watch_of(round, new, watch.clone());
            let part = (round, "games against the other opponent");
            let rows = self.play(&tournament, part, &folder.join("watch"), on, stop)?;
            let Some(rows) = rows else { return Ok(None) };
            let [lost, split, won] = pairs_of(&rows).by_result();
            (row.watch_won, row.watch_split) = (Some(won), Some(split));
            row.watch_lost = Some(lost);
        }
        if row.accepted {
            RunDirectory::shared(&self.folder)?.write(WEIGHTS, file.to_text())?;
        }
        Ok(Some(row))
    }
}

/// Counts the pairs of a match by the results of the first bot.
fn pairs_of(rows: &[GameRow]) -> Pairs {
    let mut pairs = Pairs::default();
    let mut first = None;
    for row in rows {
        let Some(result) = row.of_first() else { continue };
        if row.game.is_multiple_of(2) {
            first = Some((row.pair, result));
        } else if let Some((_, one)) = first.take().filter(|(pair, _)| *pair == row.pair) {
            pairs.record(one, result);
        }
    }
    pairs
}

/// Whether the sequential test of `tournament` accepts that its first bot is stronger.
fn is_won(tournament: &Tournament, rows: Vec<GameRow>) -> bool {
    let counted = tournament.no_games().with(rows);
    let decision = counted.test().and_then(SequentialTest::decision);
    decision.is_some_and(|decision| decision.state == State::AcceptH1)
}
