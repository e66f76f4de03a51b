//! The program `learn`: weights of features that searches teach.

use super::memory::MemoryArgument;
use super::progress::Progress;
use super::run::{self, Made, stop, stopped};
use super::setting_options::Options;
use super::settings::{self, SettingsFile};
use super::{Failure, Host, build, cores};
use crate::analysis::learning::{answers, plots, report};
use crate::learn::{Learning, LearningRun, RoundRow, Settings, Step, WEIGHTS};
use crate::run::{Concurrency, Execution, Run, rows_of};
use crate::settings::{CliOptions, SettingError, Settings as _, refuse_unknown};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use toml::Table;

/// The kind of its runs.
const KINDS: &[&str] = &["learn"];

/// Learn a prior for uct by self-play: fit weights of features to the visits of searches
///
/// In each round a teacher plays itself, weights are fitted to the visits of its searches in the last
/// rounds, and a sequential match decides whether a student with these weights as prior is stronger than with
/// the last accepted ones. Accepted weights are the prior of the teacher of the next round. A bot uses them by
/// `prior=learned:FILE`. Writes a folder: weights.txt (the last
/// accepted weights), rounds.csv (one row per round), prediction.csv, learning_curve.csv, plots and
/// report.html with the strongest and weakest shapes, config.toml and manifest.toml; and for each round the
/// runs of its games and of its match.
#[allow(clippy::doc_markdown)] // the help text of the program
#[derive(Debug, clap::Parser)]
#[command(
    name = "learn",
    version,
    after_help = "\
A run that was stopped, by Ctrl-C, a kill or a full disk, is resumed by --resume DIR, from any \
working folder and even after DIR was moved. Its weights equal the weights of an uninterrupted run, at any number of \
threads. Games for it can be played on many machines by chunks of `tournament --training`, and learned from by --from.

Examples: a first look on 5x5, in seconds
  learn --size 5 --rounds 1 --games 200 --teacher uct:simulations=300,prior=none,temperature=1:6 \
--student uct:simulations=200 --pairs 100
on 9x9, with the settings as they are:
  learn
weights of the games of a tournament, without the shapes:
  learn --from runs/DATE-NAME --leave-out shape --out runs/without-shapes"
)]
pub struct Arguments {
    /// Read the settings from a TOML file; options on the command line take precedence.
    /// The config.toml of an earlier run repeats that run
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Resume the stopped run in DIR; of the settings only --threads is allowed with it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "report"])]
    resume: Option<PathBuf>,
    /// Rebuild the tables, the plots and the report of the run in DIR
    #[arg(long, value_name = "DIR", conflicts_with = "config")]
    report: Option<PathBuf>,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    options: Options<Settings>,
}

/// Learns, resumes or reports.
///
/// # Errors
/// If a setting is wrong, a file cannot be read or written, or the work was stopped.
pub fn run(arguments: Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let Arguments { config, resume, report, memory, options } = arguments;
    memory.limit();
    let file = config.as_deref().map(|path| SettingsFile::read(path, KINDS)).transpose()?;
    let mut below = file.as_ref().map_or(Table::new(), |file| file.table.clone());
    if options.given.contains_key("from") && !below.contains_key("from") {
        // They follow from whether games are played.
        below.retain(|key, _| !["rounds", "pairs"].contains(&key));
    }
    let refused = |error: SettingError| settings::refused(&error, &options.given, file.as_ref());
    let mut given = crate::tournament::Tournament::over(options.given.clone(), below);
    let known = <Settings as CliOptions>::settings();
    refuse_unknown(&given, Settings::OWNER, known.iter()).map_err(refused)?;
    let execution = Execution::take(&mut given).map_err(refused)?;
    let on = execution.concurrency(cores());
    if let Some(folder) = resume.as_ref().or(report.as_ref()) {
        let option = if resume.is_some() { "--resume" } else { "--report" };
        settings::refuse_given(option, &given)?;
        let mut run = run::open(folder, host.caller)?;
        let read = |table| Learning::from_table(table, build());
        let mut learning = settings::saved(&run, folder, KINDS, read)?;
        learning.works_in(folder);
        if resume.is_some() {
            let rounds = learning.settings().rounds;
            let names = ("rounds", "rounds");
            run::refuse_other_units(&run, Some(rounds), names, "undo the change")?;
            return make(&mut run, &learning, on, host);
        }
        return finish(&run, &learning, host);
    }
    let mut learning = Learning::from_table(given, build()).map_err(refused)?;
    let told = |_: Step| {};
    let name = learning.settings().name.clone();
    // Runs that cannot be read, and bots that cannot play, are refused before anything is written.
    if !learning.settings().from.is_empty() {
        learning.to_fit(1)?;
    }
    learning.provenance()?;
    let experiment = LearningRun { learning: &learning, told: &told };
    let mut run = run::begin(&experiment, &name, execution.out.as_deref(), host.caller)?;
    let folder = run.directory.path().to_path_buf();
    learning.works_in(&folder);
    make(&mut run, &learning, on, host)
}

/// Makes the rounds of `run` that are missing, and writes what came out.
fn make(
    run: &mut Run,
    learning: &Learning,
    on: Concurrency,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let (provenance, stop) = (learning.provenance()?, stop(host.caller)?);
    // One progress for all parts of all rounds: its message says which one.
    let progress = Mutex::new(Progress::new(host.caller, 0, 0, "games"));
    let told = |Step { round, what, done, all }: Step| {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.expect(all);
        progress.say(format!(", round {round}: {what}"));
        progress.reach(done);
    };
    let experiment = LearningRun { learning, told: &told };
    let all = learning.settings().rounds;
    let Made { session, lacking } =
        run::make(&experiment, run, &provenance, on, &stop, |_| |_: &[RoundRow]| {})?;
    let made = session.rows().len();
    if !session.is_over() {
        return Err(stopped(run.directory.path(), "", lacking, (made, all, "round")));
    }
    session.finish()?;
    finish(run, learning, host)
}

/// Writes the files that follow from the rounds of `run`, and prints what came out.
fn finish(run: &Run, learning: &Learning, host: &mut Host<'_>) -> Result<(), Failure> {
    let directory = &run.directory;
    let experiment = LearningRun { learning, told: &|_| {} };
    let rows: Vec<RoundRow> = rows_of(&experiment, directory.path())?;
    let Some(last) = rows.last() else {
        return Err(Failure::usage("no round of the run is over: use --resume"));
    };
    // The weights that stand in the folder of the run, or those of the last round if none are accepted.
    let best = rows.iter().rev().find(|row| row.accepted).unwrap_or(last);
    let (file, study) = learning.study(best.round)?;
    directory.write_csv("prediction.csv", &study.predictions)?;
    directory.write_csv("learning_curve.csv", &study.curve)?;
    let folder = directory.subfolder("plots")?;
    for (name, drawing) in plots(&rows, &study) {
        drawing.save(&folder.join(name))?;
    }
    directory.write("report.html", report(learning, &rows, &file, &study)?)?;
    for sentence in answers(&rows) {
        writeln!(host.output, "{sentence}")?;
    }
    let path = directory.path().join(WEIGHTS);
    if best.accepted {
        let counting = learning.settings().student_prior;
        writeln!(host.output, "\nprior=learned:{}:{counting}", path.display())?;
    } else {
        writeln!(host.output, "\nno weights are accepted: no student is shown to be stronger")?;
    }
    writeln!(host.output, "{}", directory.path().display())?;
    Ok(())
}
