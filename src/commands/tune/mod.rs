//! The program `tune`: which settings of a bot win most, and how certain that is.

mod output;
mod synthetic;

use super::memory::MemoryArgument;
use super::progress::Progress;
use super::run::{self, Made, stop, stopped};
use super::settings::{self, SettingsFile};
use super::{Caller, Failure, Host, build, cores};
use crate::analysis::Summary;
use crate::analysis::tournament::summarize;
use crate::bots::NamedBot;
use crate::commands::setting_options::Options;
use crate::run::{
    CONFIG, Chunk, Concurrency, Execution, Experiment, Provenance, Rows, Run, RunDirectory,
    check_provenance, chunk_files, rows_of, stage_folder,
};
use crate::settings::{SettingError, Settings as _, parse};
use crate::tournament::{GameRow, Outline, Tournament};
use crate::tune::trial::Sample;
use crate::tuning::{Comparison, EstimateAt, Findings, Settings, Tuning};
use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use toml::Table;

/// The kind of its runs.
const KINDS: &[&str] = &["tune"];

/// What is tuned where nothing is asked for.
const DEFAULT: &str = include_str!("../../../experiments/configs/tune.toml");

/// Find the settings of a bot that win most, and how certain that is
///
/// Plays colour-swapped pairs of games between bots that differ in the parameters to
/// tune, as a method requests them, estimates the optimum with its interval, and ends
/// with a validation match on fresh seeds and openings. Writes a folder: samples.csv (one
/// row per pair), estimate.csv (the estimate against games), validation.csv, games.csv,
/// plots and report.html, and config.toml and manifest.toml, with which the run can be
/// repeated.
#[derive(Debug, clap::Parser)]
#[command(
    name = "tune",
    version,
    after_help = "\
Without --param, --synthetic and --config the program tunes the exploration constant of \
plain UCT (the preset plain) on 5x5.

A run that was stopped, by Ctrl-C, a kill or a full disk, is resumed by \
--resume DIR; its games and samples are those of an uninterrupted run.

Examples: which exploration constant is best for UCT with RAVE on 9x9 at 1,000 simulations per move?
  tune --size 9 --bot uct:simulations=1000 --param exploration=0.01..1:log
the same together with the equivalence parameter of RAVE, against GNU Go:
  tune --size 9 --bot uct --param exploration=0.01..1:log --param rave=100..10000:log \
--opponent gtp:\"gnugo --mode gtp --level 5\"
eight values with 200 games each:
  tune --size 9 --method sweep --steps 8 --games 1600 --param exploration=0.05..2:log
how much does CLOP lose on a surface with a known optimum?
  tune --synthetic LOG --method clop --games 1000 --repeats 400 --out DIR"
)]
pub struct Arguments {
    /// Read the settings from a TOML file; options on the command line take precedence.
    /// The config.toml of an earlier run repeats that run
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Resume the stopped run in DIR; of the settings only --threads is allowed with it
    #[arg(long, value_name = "DIR", conflicts_with = "config")]
    resume: Option<PathBuf>,
    /// Play only chunk K of N of the current round, the first that is not merged; all chunks
    /// write into the same folder --out, from any machine that can access it. For the methods
    /// sweep, which has one round, and halving
    #[arg(long, value_name = "K/N", conflicts_with_all = ["resume", "merge", "rounds"])]
    chunk: Option<Chunk>,
    /// Merge the chunks of the current round in DIR; after the last round, play the validation
    /// and write the report. Of the settings only --threads is allowed with it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "resume", "rounds"])]
    merge: Option<PathBuf>,
    /// Write samples, estimates, plots and report of the run in DIR again, and play nothing; no setting is
    /// allowed with it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "resume", "rounds", "chunk", "merge"])]
    report: Option<PathBuf>,
    /// Print how many rounds the method has, each of which can be cut into chunks, and play
    /// nothing
    #[arg(long, conflicts_with = "resume")]
    rounds: bool,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    options: Options<Settings>,
}

/// Tunes, or resumes a tuning.
///
/// # Errors
/// If a setting is wrong, or a file cannot be written.
pub fn run(arguments: Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let Arguments { config, resume, chunk, merge, report, rounds, memory, options } = arguments;
    memory.limit();
    if let Some(folder) = report {
        settings::refuse_given("--report", &options.given)?;
        let run = run::open(&folder, host.caller)?;
        let tuning = settings::saved(&run, &folder, KINDS, Tuning::from_table)?;
        return report_again(&run, &tuning, host.output);
    }
    let file = config.as_deref().map(|path| SettingsFile::read(path, KINDS)).transpose()?;
    let refused = |error: SettingError| settings::refused(&error, &options.given, file.as_ref());
    let mut given = options.given.clone();
    if let Some(path) = resume.as_ref().or(merge.as_ref()) {
        let threads = Execution::take(&mut given).map_err(refused)?.concurrency(cores()).threads;
        if options.given.keys().any(|key| key != "threads") {
            let option = if merge.is_some() { "--merge" } else { "--resume" };
            return Err(Failure::Usage(format!(
                "{option} goes on under the settings of the run: leave all but --threads out"
            )));
        }
        let mut run = run::open(path, host.caller)?;
        let tuning = settings::saved(&run, path, KINDS, Tuning::from_table)?;
        if merge.is_some() {
            return merge_chunks(&mut run, &tuning, threads.into(), host);
        }
        refuse_chunks(&run, &tuning)?;
        return play(&mut run, &tuning, &tuning.provenance()?, threads.into(), host);
    }
    let is_asked = given.contains_key("param") || given.contains_key("synthetic");
    let table = match &file {
        Some(file) => file.table.clone(),
        None if is_asked => Table::new(),
        None => parse(DEFAULT).context("the default tuning")?,
    };
    let table = Tournament::over(given, table);
    let execution = Execution::take(&mut table.clone()).map_err(refused)?;
    let (out, threads) = (execution.out.clone(), execution.concurrency(cores()).threads);
    if let Some(comparison) = Comparison::from_table(table.clone()).map_err(refused)? {
        if chunk.is_some() || rounds {
            return Err(Failure::usage("--synthetic cannot be cut into chunks: it takes seconds"));
        }
        return synthetic::run(&comparison, out.as_deref(), threads, host);
    }
    let tuning = Tuning::from_table(table).map_err(refused)?;
    if rounds {
        return print_rounds(&tuning, host.output);
    }
    if chunk.is_some() && tuning.rounds().is_none() {
        return Err(not_cut(&tuning));
    }
    // Bots that cannot play are refused before anything is written.
    let provenance = tuning.provenance()?;
    if let Some(chunk) = chunk {
        return run::chunk(&tuning, out.as_deref(), chunk, &provenance, threads.into(), host);
    }
    let mut run = run::begin(&tuning, &tuning.tournament().name, out.as_deref(), host.caller)?;
    play(&mut run, &tuning, &provenance, threads.into(), host)
}

/// Prints the number of rounds of `tuning`.
fn print_rounds(tuning: &Tuning, output: &mut dyn Write) -> Result<(), Failure> {
    let Some(rounds) = tuning.rounds() else { return Err(not_cut(tuning)) };
    Ok(writeln!(output, "{rounds}")?)
}

/// The failure where a tuning cannot be cut into chunks.
fn not_cut(tuning: &Tuning) -> Failure {
    Failure::Usage(format!(
        "each game of {} depends on those before it, so that it cannot be cut into chunks: use \
         --method sweep or halving",
        tuning.method().kind
    ))
}

/// The games of `run` that are there.
fn games(run: &Run, tuning: &Tuning) -> Result<Rows<GameRow>, Failure> {
    let found = rows_of(tuning, run.directory.path())?;
    Ok(found.into_iter().map(|row| (row.game, vec![row])).collect())
}

/// Refuses to go on without chunks where chunks of the current round are played: their games
/// would be played again.
fn refuse_chunks(run: &Run, tuning: &Tuning) -> Result<(), Failure> {
    if tuning.rounds().is_none() {
        return Ok(());
    }
    let there = games(run, tuning)?;
    let stage = tuning.stage(&there)?;
    let folder = run.directory.path();
    if chunk_files(&stage_folder(folder, stage.number, stage.of), "csv")?.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{} has chunks of round {}: go on with --chunk and --merge",
        folder.display(),
        stage.number
    )))
}

/// Merges the chunks of the current round of `run`. After the last round, plays the validation and
/// writes the report.
fn merge_chunks(
    run: &mut Run,
    tuning: &Tuning,
    on: Concurrency,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let Some(rounds) = tuning.rounds() else {
        return Err(Failure::Usage(format!(
            "{} is a run of {}, which has no chunks: use --resume",
            run.directory.path().display(),
            tuning.method().kind
        )));
    };
    let provenance = tuning.provenance()?;
    check_provenance(run.directory.path(), &run.manifest, &provenance, &build())?;
    let before = games(run, tuning)?;
    let has_chunks = {
        let stage = tuning.stage(&before)?;
        let folder = stage_folder(run.directory.path(), stage.number, stage.of);
        !chunk_files(&folder, "csv")?.is_empty()
    };
    if has_chunks {
        run.merge(tuning, &provenance)?;
    }
    let there = games(run, tuning)?;
    if !tuning.is_over(&there) {
        let number = tuning.stage(&there)?.number;
        writeln!(
            host.output,
            "round {number} of {rounds} comes next: play its chunks, then merge them"
        )?;
        return Ok(());
    }
    play(run, tuning, &provenance, on, host)
}

/// Plays what is missing of `run`, then the validation, and writes what follows from both.
fn play(
    run: &mut Run,
    tuning: &Tuning,
    provenance: &Provenance,
    on: Concurrency,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let caller = host.caller;
    let stop = stop(caller)?;
    let made = run::make(tuning, run, provenance, on, &stop, |session| {
        let mut progress = Progress::new(caller, tuning.games(), session.rows().len(), "games");
        let mut games = 0;
        move |_: &[GameRow]| {
            if let Some(at) = tuning.latest().filter(|at| at.games != games) {
                games = at.games;
                progress.say(format!(", {}", at.in_words(tuning)));
            }
            progress.advance();
        }
    })?;
    let Made { session, lacking } = made;
    let there = session.rows().clone();
    let is_over = session.is_over();
    if is_over {
        session.finish()?;
    }
    let directory = &run.directory;
    let (samples, estimates) = known(directory, tuning, &there)?;
    if !is_over {
        let units = (there.len(), tuning.games(), "game");
        return Err(stopped(directory.path(), "", lacking, units));
    }
    let findings = Findings::new(tuning, &samples, &estimates);
    let summary = validate(directory, &findings, on, &stop, caller)?;
    output::write(directory, &findings, &summary, host.output)
}

/// What is known of the optimum after the games `there`, which `directory` then has as tables.
fn known(
    directory: &RunDirectory,
    tuning: &Tuning,
    there: &Rows<GameRow>,
) -> Result<(Vec<Sample>, Vec<EstimateAt>), Failure> {
    let (samples, estimates) = tuning.known(there);
    directory.write("samples.csv", crate::analysis::tuning::samples(tuning, &samples)?)?;
    directory.write("estimate.csv", crate::analysis::tuning::estimates(tuning, &estimates)?)?;
    Ok((samples, estimates))
}

/// Writes what follows from the games of `run` and of its validation again.
fn report_again(run: &Run, tuning: &Tuning, output: &mut dyn Write) -> Result<(), Failure> {
    let (directory, there) = (&run.directory, games(run, tuning)?);
    let not_over = |count: usize, all: usize, unit: &str| {
        let folder = directory.path().display();
        let said = format!("{count} of {all} {unit}s are there: --resume {folder} plays the rest");
        Err(Failure::Usage(said))
    };
    if !tuning.is_over(&there) {
        if there.len() < tuning.games() {
            return not_over(there.len(), tuning.games(), "game");
        }
        // The settings of each game follow from those before it, by the method of the program.
        return Err(Failure::Usage(format!(
            "{}: its method asks for other games in this program ({})",
            directory.path().display(),
            run.manifest.origin(&build())
        )));
    }
    let (samples, estimates) = known(directory, tuning, &there)?;
    let folder = directory.path().join("validation");
    let validation = Run::open(&folder)?;
    let outline = Outline::of(&validation.config()?)?;
    let (rows, _) = outline.counted(outline.read(&folder)?);
    let games = outline.schedule().games();
    if rows.len() < games {
        return not_over(rows.len(), games, "validation game");
    }
    let findings = Findings::new(tuning, &samples, &estimates);
    output::write(directory, &findings, &summarize(&outline, &rows), output)
}

/// Plays the match of the tuned bot on fresh seeds and openings in a folder of `directory`, and
/// returns its summary.
fn validate(
    directory: &RunDirectory,
    findings: &Findings<'_>,
    on: Concurrency,
    stop: &AtomicBool,
    caller: &dyn Caller,
) -> Result<Summary, Failure> {
    let tuned = NamedBot::clone(&findings.tuned);
    let validation = findings.tuning.validation(tuned)?;
    let folder = directory.subfolder("validation")?;
    let mut run = if folder.join(CONFIG).exists() {
        Run::open(&folder)?
    } else {
        Run::begin(&validation, &folder)?
    };
    let provenance = validation.provenance()?;
    let Made { session, lacking } =
        run::make(&validation, &mut run, &provenance, on, stop, |session| {
            let games = validation.schedule().games();
            let mut progress =
                Progress::new(caller, games, session.rows().len(), "validation games");
            move |_: &[GameRow]| progress.advance()
        })?;
    let there = session.rows().clone();
    if !session.is_over() {
        let units = (there.len(), validation.schedule().games(), "validation game");
        return Err(stopped(directory.path(), "", lacking, units));
    }
    session.finish()?;
    let rows = validation.counted(there);
    Ok(summarize(&Outline::of(&run.config()?)?, &rows))
}
