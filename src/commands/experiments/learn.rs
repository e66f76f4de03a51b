//! The program `learn`: learns weights of features from searches.

use crate::commands::front::{Answer, Front, Told, saved, what_is_missing};
use crate::commands::progress::Progress;
use crate::commands::settings::SettingsFile;
use crate::commands::{Caller, Failure, build};
use crate::kind::Kind;
use crate::learn::report::{answers, json, plots, report};
use crate::learn::{Learning, RoundRow, Step, WEIGHTS};
use crate::run::{Concurrency, Experiment, Rows, Run, rows_of};
use crate::settings::SettingError;
use std::sync::{Mutex, PoisonError};
use toml::Table;

/// Learn a prior for uct by self-play: fit weights of features to the visits of searches
///
/// In each round a teacher plays against itself, and the command fits weights to the visits of the
/// teacher's searches in the last rounds. A sequential match then decides whether the weights are
/// accepted: whether a student with these weights as prior is stronger than the student with the
/// last accepted weights. Accepted weights are the prior of the teacher in the next round. A bot
/// uses weights by `prior=learned:FILE`.
///
/// The command writes a folder: weights.txt (the last accepted weights), rounds.csv (one row per
/// round), prediction.csv, learning_curve.csv, plots, report.html with the strongest and weakest
/// shapes, config.toml and manifest.toml. Each round also has the runs of its games and of its
/// match.
#[allow(clippy::doc_markdown)] // the help text of the program
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
A run that was stopped, by Ctrl-C, a kill or a full disk, is resumed by --resume DIR, from any \
working folder and even after DIR was moved. Its weights equal the weights of an uninterrupted run, at any number of \
threads. Many machines can play the games by chunks of `tournament --training`; --from then learns from these games.

Examples: a first look on 5x5, in seconds
  learn --size 5 --rounds 1 --games 200 --teacher uct:simulations=300,prior=none,temperature=1:6 \
--student uct:simulations=200 --pairs 100
on 9x9, with the default settings:
  learn
weights from the games of a tournament, without shapes:
  learn --from runs/DATE-NAME --leave-out shape --out runs/without-shapes")]
pub struct Learn {}

impl Front for Learn {
    type Experiment = Learning;
    const KINDS: &'static [Kind] = &[Kind::LEARNING];
    const SHOWN_FIRST: &'static [&'static str] = &["size", "rounds", "games", "teacher", "student"];
    const HIDDEN: &'static [&'static str] = &["from"];
    const EXTENT: Result<&'static str, &'static str> = Ok("rounds");

    fn read(&self, table: Table) -> Result<Learning, SettingError> {
        Learning::from_table(table, build())
    }

    #[cfg(feature = "serve")]
    fn extent(&self, learning: &Learning) -> Result<(String, Option<f64>), SettingError> {
        let settings = &learning.settings;
        let taught = settings.from.is_empty().then(|| format!(" of {} games", settings.games));
        let pairs = Some(settings.pairs).filter(|pairs| *pairs > 0);
        let fought =
            pairs.map(|pairs| format!(", each with a match of at most {} games", 2 * pairs));
        let watched = settings.watch.as_ref();
        let watched =
            watched.map(|_| format!(", {} games each against `watch`", 2 * settings.watch_pairs));
        let parts = [taught, fought, watched].map(Option::unwrap_or_default);
        Ok((format!("{} rounds{}", settings.rounds, parts.concat()), None))
    }

    fn check(
        &self,
        learning: &Learning,
        _: Concurrency<'_>,
        _: Option<&SettingsFile>,
    ) -> Result<(), Failure> {
        // Refuses runs in `from` that cannot be read.
        if !learning.settings.from.is_empty() {
            learning.to_fit(1)?;
        }
        Ok(())
    }

    /// One progress for all parts of all rounds: its message names the round and the part.
    fn watch<'a>(
        &self,
        learning: &'a Learning,
        caller: &dyn Caller,
        _: &Rows<RoundRow>,
    ) -> Told<'a, RoundRow> {
        let progress = Mutex::new(Progress::new(caller, 0, 0, "games"));
        let told = move |Step { round, what, done, all }| {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.expect(all);
            progress.say(format!(", round {round}: {what}"));
            progress.reach(done);
        };
        learning.observer.get_or_init(|| Box::new(told));
        Box::new(|_| {})
    }

    fn finish(&self, run: &Run, _: &dyn Caller) -> Result<Answer, Failure> {
        let directory = &run.directory;
        let mut learning = saved(self, run)?;
        learning.works_in(directory.path(), None);
        let rows: Vec<RoundRow> = rows_of(&learning, directory.path())?;
        let Some(last) = rows.last() else {
            refuse!("no round of the run is over: use --resume");
        };
        // The accepted weights in the folder of the run, or those of the last round if no round was
        // accepted.
        let best = rows.iter().rev().find(|row| row.accepted).unwrap_or(last);
        let (file, study) = learning.study(best.round)?;
        directory.write_csv("prediction.csv", &study.predictions)?;
        directory.write_csv("learning_curve.csv", &study.curve)?;
        crate::report::plots::save(directory, plots(&rows, &study))?;
        directory.write("report.html", report(&learning, &rows, &file, &study)?)?;
        let weights = directory.path().join(WEIGHTS);
        let counting = learning.settings.student_prior;
        let prior = best.accepted.then(|| format!("learned:{}:{counting}", weights.display()));
        let said = match &prior {
            Some(prior) => format!("prior={prior}"),
            None => "no weights are accepted: no student is shown to be stronger".to_owned(),
        };
        let (sentences, folder) = (answers(&rows).join("\n"), directory.path().display());
        let missing = what_is_missing(run, &learning, rows.len());
        Ok(Answer {
            text: format!("{sentences}\n\n{said}\n{folder}\n{missing}"),
            json: json(directory, &rows, prior.as_deref()),
        })
    }
}
