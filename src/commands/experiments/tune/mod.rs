//! The program `tune`: finds the settings of a bot that win most, and how certain the result is.

mod synthetic;

#[cfg(feature = "serve")]
use crate::bots::NamedBot;
use crate::commands::front::{self, Answer, Front, General, Told, Work, saved, there};
use crate::commands::progress::Progress;
use crate::commands::run::stopped;
use crate::commands::{Caller, Failure, build};
use crate::kind::Kind;
use crate::optimize::trial::Sample;
use crate::run::{
    Concurrency, Execution, Experiment, Rows, Run, RunDirectory, config_of, make_part,
};
use crate::settings::SettingError;
use crate::tournament::report::summarize;
use crate::tournament::{GameRow, Outline};
use crate::tuning::report as tables;
use crate::tuning::{Comparison, EstimateAt, Findings, Tuning, VALIDATION_FOLDER};
use std::sync::atomic::AtomicBool;
use toml::Table;

/// Find the settings of a bot that win most, and how certain that is
///
/// A method chooses values of the parameters, and bots with these values play colour-swapped pairs
/// of games. The command estimates the optimum with its interval. It ends with a validation match
/// on fresh seeds and openings.
///
/// The command writes a folder: samples.csv (one row per pair), estimate.csv (the estimate by
/// number of games), validation.csv, games.csv, plots, report.html, and config.toml and
/// manifest.toml, which repeat the run.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
Without --param, --synthetic and --config the program tunes the exploration constant of \
plain UCT (the preset plain) on 5x5.

A run that was stopped, by Ctrl-C, a kill or a full disk, is resumed by \
--resume DIR; its games and samples equal those of an uninterrupted run. An executor plays a run on many \
machines: python -m tengen.run.

Examples: which exploration constant is best for UCT with RAVE on 9x9 at 1,000 simulations per move?
  tune --size 9 --bot uct:simulations=1000 --param exploration=0.01..1:log
exploration constant and equivalence parameter of RAVE, against GNU Go:
  tune --size 9 --bot uct --param exploration=0.01..1:log --param rave=100..10000:log \
--opponent gtp:\"gnugo --mode gtp --level 5\"
eight values with 200 games each:
  tune --size 9 --method sweep --steps 8 --games 1600 --param exploration=0.05..2:log
how much does CLOP lose on a surface with a known optimum?
  tune --synthetic LOG --method clop --games 1000 --repeats 400 --out DIR")]
pub struct Tune {}

impl Front for Tune {
    type Experiment = Tuning;
    const KINDS: &'static [Kind] = &[Kind::TUNING];
    const DEFAULT: &'static str = include_str!("../../../../experiments/configs/tune.toml");
    const INSTEAD_OF_DEFAULT: &'static [&'static str] = &["param", "synthetic"];
    const SHOWN_FIRST: &'static [&'static str] = &["bot", "param", "size", "games", "method"];
    const HIDDEN: &'static [&'static str] = &["synthetic", "repeats", "fixed_opponent"];
    const EXTENT: Result<&'static str, &'static str> =
        Err("a method plans its games by their number: begin a new run with more --games");

    fn read(&self, table: Table) -> Result<Tuning, SettingError> {
        Tuning::from_table(table)
    }

    /// The validation match has the same number of games whichever settings win.
    #[cfg(feature = "serve")]
    fn extent(&self, tuning: &Tuning) -> Result<(String, Option<f64>), SettingError> {
        let tuned = NamedBot { name: String::new(), config: tuning.candidate.bot().clone() };
        let validation = tuning.validation(tuned)?;
        let (games, then) = (tuning.games(), validation.most_units());
        let seconds = tuning.tournament.estimated_seconds(games);
        let seconds = seconds.zip(validation.estimated_seconds(then)).map(|(one, two)| one + two);
        Ok((format!("{games} games, then {then} games of validation"), seconds))
    }

    /// A comparison of methods on synthetic surfaces.
    fn aside(
        &self,
        table: &Table,
        general: &General,
        execution: &Execution,
    ) -> Result<Option<Work>, SettingError> {
        if let Some(comparison) = Comparison::from_table(table.clone())? {
            if general.chunk.is_some() {
                let said = "--synthetic cannot be cut into chunks: it takes seconds";
                return Err(SettingError::of("synthetic", said));
            }
            let (execution, json) = (execution.clone(), general.json);
            return Ok(Some(Box::new(move |host| {
                synthetic::run(&comparison, &execution, json, host)
            })));
        }
        Ok(None)
    }

    fn watch<'a>(
        &self,
        tuning: &'a Tuning,
        caller: &dyn Caller,
        there: &Rows<GameRow>,
    ) -> Told<'a, GameRow> {
        let mut progress = Progress::new(caller, tuning.games(), there.len(), "games");
        let mut games = 0;
        Box::new(move |_| {
            if let Some(at) = tuning.latest().filter(|at| at.games != games) {
                games = at.games;
                progress.say(format!(", {}", at.in_words(tuning)));
            }
            progress.advance();
        })
    }

    /// Plays the match of the tuned bot on fresh seeds and openings.
    fn made(
        &self,
        run: &Run,
        tuning: &Tuning,
        there: &Rows<GameRow>,
        on: Concurrency<'_>,
        stop: &AtomicBool,
        caller: &dyn Caller,
    ) -> Result<(), Failure> {
        let (samples, estimates, is_over) = tuning.known(there);
        write_known(run, tuning, &samples, &estimates)?;
        if !is_over {
            return Ok(());
        }
        let validation = tuning.validation(Findings::new(tuning, &samples, &estimates).tuned)?;
        let folder = run.directory.subfolder(VALIDATION_FOLDER)?;
        let mut progress = Progress::new(caller, validation.most_units(), 0, "validation games");
        let told = |made| progress.reach(made);
        match make_part(&validation, &folder, &build(), on, stop, told)? {
            Some(_) => Ok(()),
            None => Err(stopped(run.directory.path(), None, "in the validation", "")),
        }
    }

    fn finish(&self, run: &Run, _: &dyn Caller) -> Result<Answer, Failure> {
        let path = run.directory.path();
        let tuning = saved(self, run)?;
        let there = there(run, &tuning)?;
        let not_over = |count: usize, all: usize, unit: &str| {
            Failure::Usage(front::not_over(&format!("{count} of {all} {unit}s"), path))
        };
        let (samples, estimates, is_over) = tuning.known(&there);
        if !is_over {
            if there.len() < tuning.games() {
                return Err(not_over(there.len(), tuning.games(), "game"));
            }
            // The method derives each game's settings from the games before, and another version of
            // it asks for other games.
            refuse!(
                "{}: its method asks for other games in this program ({})",
                path.display(),
                run.manifest.origin(&build())
            );
        }
        write_known(run, &tuning, &samples, &estimates)?;
        let directory = RunDirectory::existing(&path.join(VALIDATION_FOLDER))?;
        let outline = Outline::of(&config_of(&directory)?)?;
        let there = outline.read(directory.path())?;
        let (made, games) = (there.len(), outline.schedule().games());
        let (rows, _) = outline.counted(there);
        if rows.len() < games {
            return Err(not_over(made, games, "validation game"));
        }
        let findings = Findings::new(&tuning, &samples, &estimates);
        let summary = summarize(&outline, &rows);
        let (text, json) = tables::write(&run.directory, &findings, &summary)?;
        Ok(Answer { text, json })
    }
}

/// Writes the samples and estimates so far into the folder of `run`, as tables.
fn write_known(
    run: &Run,
    tuning: &Tuning,
    samples: &[Sample],
    estimates: &[EstimateAt],
) -> Result<(), Failure> {
    run.directory.write("samples.csv", tables::samples(tuning, samples)?)?;
    Ok(run.directory.write("estimate.csv", tables::estimates(tuning, estimates)?)?)
}
