//! The program `tune`: which settings of a bot win most, and how sure that is.

mod chunks;
mod output;
mod progress;
mod settings;
mod synthetic;

use super::memory::MemoryArgument;
use super::tournament::{folder, lacking, stop_on_ctrl_c, usage_of_strangers};
use super::{Failure, cores, refused};
use crate::analysis::Summary;
use crate::bots::NamedBot;
use crate::commands::build::build;
use crate::results::{Provenance, RunDirectory, RunLock, SessionRecord};
use crate::search::ResourceFault;
use crate::tournament::{self, Chunk, LOCK};
use crate::tuning::{Comparison, Findings, Session, Settings, Tuning};
use progress::Progress;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Find the settings of a bot that win most, and how sure that is
///
/// Plays colour-swapped pairs of games between bots that differ in the parameters to
/// tune, as a method asks for them, estimates the optimum with its interval, and ends
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
plain UCT (uct:rave=none,prior=none,policy=uniform,expansion=2,exploration=0.5) on 5x5.

A run that was stopped, by Ctrl-C, a kill or a full disk, is resumed by \
--resume DIR; its games and samples are those of an uninterrupted run.

Examples: which exploration constant is best for UCT with RAVE on 9x9 at 1,000 simulations per move?
  tune --size 9 --bot uct:playouts=1000 --param exploration=0.01..1:log
the same together with the equivalence parameter of RAVE, against GNU Go:
  tune --size 9 --bot uct --param exploration=0.01..1:log --param rave=100..10000:log \
--opponent gtp:\"gnugo --mode gtp --level 5\"
eight values with 200 games each:
  tune --size 9 --method sweep --steps 8 --games 1600 --param exploration=0.05..2:log
how much does CLOP lose on a surface with a known optimum?
  tune --synthetic LOG --method clop --games 1000 --repeats 400 --out DIR"
)]
pub struct Arguments {
    /// Read the settings from a TOML file; the command line wins over it.
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
    /// Print how many rounds the method has, each of which can be cut into chunks, and play
    /// nothing
    #[arg(long, conflicts_with = "resume")]
    rounds: bool,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    settings: Settings,
}

/// Tunes, or resumes a tuning; `default` is the TOML of what is tuned where nothing is
/// asked for.
///
/// # Errors
/// If a setting is wrong, or a file cannot be written.
pub fn run(arguments: Arguments, default: &str, output: &mut dyn Write) -> Result<(), Failure> {
    let Arguments { config, resume, chunk, merge, rounds, memory, mut settings } = arguments;
    memory.limit();
    if let Some(path) = resume.as_ref().or(merge.as_ref()) {
        let threads = settings.threads.take().map_or_else(cores, usize::from);
        if settings != Settings::default() {
            let option = if merge.is_some() { "--merge" } else { "--resume" };
            return Err(Failure::Usage(format!(
                "{option} goes on under the settings of the run: leave all but --threads out"
            )));
        }
        if merge.is_some() {
            return chunks::merge(path, threads, output);
        }
        let run = Run::existing(path)?;
        chunks::check_uncut(&run)?;
        return run.play(threads, output);
    }
    if chunk.is_some() && settings.out.is_none() {
        return Err(Failure::usage("--chunk needs --out DIR, the folder that all chunks share"));
    }
    let mut settings = settings::resolve(settings, config.as_deref(), default)?;
    let out = settings.out.take();
    let threads = settings.threads.take().map_or_else(cores, usize::from);
    if let Some(comparison) = Comparison::new(settings.clone()).map_err(|f| refused(&f))? {
        if chunk.is_some() || rounds {
            return Err(Failure::usage("--synthetic cannot be cut into chunks: it takes seconds"));
        }
        return synthetic::run(&comparison, out.as_deref(), threads, output);
    }
    let tuning = Tuning::new(settings).map_err(|fault| refused(&fault))?;
    if rounds {
        return print_rounds(&tuning, output);
    }
    if let (Some(chunk), Some(folder)) = (chunk, &out) {
        return chunks::play(&tuning, folder, chunk, threads, output);
    }
    // Bots that cannot play are refused before anything is written.
    let provenance = provenance(&tuning)?;
    let name = &tuning.tournament().name;
    let wanted = out.unwrap_or_else(|| RunDirectory::default_path(name));
    Run::begin(tuning, provenance, &wanted)?.play(threads, output)
}

/// Prints the number of rounds of `tuning`.
fn print_rounds(tuning: &Tuning, output: &mut dyn Write) -> Result<(), Failure> {
    let Some(rounds) = tuning.rounds() else { return Err(chunks::not_cut(tuning)) };
    Ok(writeln!(output, "{rounds}")?)
}

/// A run that no other process can write to.
struct Run {
    directory: RunDirectory,
    lock: RunLock,
    tuning: Tuning,
    provenance: Provenance,
}

impl Run {
    /// Begins the run of `tuning` in the folder `wanted`, or in one beside it if that
    /// holds a run.
    fn begin(tuning: Tuning, provenance: Provenance, wanted: &Path) -> Result<Self, Failure> {
        let config = tuning.settings().to_toml()?;
        let (directory, lock) = folder::claim(wanted, &config)?;
        Ok(Self { directory, lock, tuning, provenance })
    }

    /// The run in the folder `path`.
    fn existing(path: &Path) -> Result<Self, Failure> {
        let directory = RunDirectory::existing(path).map_err(|fault| refused(&fault))?;
        let lock = RunLock::take(path, LOCK).map_err(|fault| refused(&fault))?;
        let config = directory.read(folder::CONFIG).map_err(|fault| refused(&fault))?;
        let fault = |fault: String| {
            Failure::Usage(format!("{}: {fault}", path.join(folder::CONFIG).display()))
        };
        let settings = config.parse::<Settings>().map_err(|said| fault(said.to_string()))?;
        let tuning = Tuning::new(settings).map_err(|said| fault(said.to_string()))?;
        let provenance = provenance(&tuning)?;
        Ok(Self { directory, lock, tuning, provenance })
    }

    /// Plays what is missing, then the validation, and writes what follows from both.
    fn play(&self, threads: usize, output: &mut dyn Write) -> Result<(), Failure> {
        let Self { directory, lock, tuning, provenance } = self;
        let manifest = folder::manifest(directory)?;
        folder::check(directory, tuning.tournament(), &manifest, provenance)?;
        let fingerprint = provenance.fingerprint();
        let mut session = Session::open(tuning, fingerprint, lock).map_err(usage_of_strangers)?;
        let mut entry = SessionRecord::begin(threads, build());
        let (started, before) = (Instant::now(), session.played());
        folder::record(directory, manifest.clone(), provenance, entry.clone())?;
        let stop = stop_on_ctrl_c()?;
        let mut progress = Progress::new(tuning, before);
        let played = session.play(threads, &stop, |_, latest| progress.finished(latest));
        drop(progress);
        let mut lacking = lacking(played)?;
        session.write_games().map_err(usage_of_strangers)?;
        let (samples, estimates) = (session.samples(), session.estimates());
        directory.write("samples.csv", &crate::analysis::tuning::samples(tuning, &samples)?)?;
        directory
            .write("estimate.csv", &crate::analysis::tuning::estimates(tuning, &estimates)?)?;
        let findings = Findings::new(tuning, &samples, &estimates);
        let mut games = session.played() - before;
        let mut summary = None;
        if session.is_complete() {
            let (fresh, found) = self.validate(&findings, threads, &stop)?;
            games += fresh;
            match found {
                Ok(found) => summary = Some(found),
                Err(fault) => lacking = fault,
            }
        }
        entry.end(started.elapsed().as_secs_f64(), Some(games));
        folder::record(directory, manifest, provenance, entry)?;
        if let Some(summary) = summary {
            return output::write(directory, &findings, &summary, output);
        }
        let folder = directory.path().display();
        let why = lacking.map_or(String::new(), |fault| format!("{fault}: "));
        let (played, games) = (session.played(), tuning.games());
        Err(anyhow::anyhow!(
            "{why}stopped with {played} of {games} games played: go on with --resume {folder}"
        )
        .into())
    }

    /// Plays the match on fresh seeds and openings. Returns the number of games that it
    /// played and, if all are there, their summary, else what it lacked, if that stopped it.
    fn validate(
        &self,
        findings: &Findings<'_>,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<(usize, Result<Summary, Option<ResourceFault>>), Failure> {
        let tuned = NamedBot::clone(&findings.tuned);
        let validation = self.tuning.validation(tuned).map_err(|fault| refused(&fault))?;
        let folder = self.directory.subfolder("validation")?;
        let directory = RunDirectory::shared(&folder).map_err(|fault| refused(&fault))?;
        let lock = RunLock::take(&folder, LOCK).map_err(|fault| refused(&fault))?;
        directory.write(folder::CONFIG, &validation.to_toml()?)?;
        let fingerprint = super::tournament::provenance(&validation)?.fingerprint();
        let opened = tournament::Session::open(&validation, Some(fingerprint), &lock);
        let mut session = opened.map_err(usage_of_strangers)?;
        let before = session.played();
        let mut bar = progress::bar(validation.schedule().games(), before, "validation games");
        let played = session.play(threads, stop, |_, _| bar.advance());
        drop(bar);
        let lacking = lacking(played)?;
        let fresh = session.played() - before;
        let summary = super::tournament::summarize(&validation, session.rows());
        Ok((fresh, if session.is_complete() { Ok(summary) } else { Err(lacking) }))
    }
}

/// The provenance of the games of `tuning`, for which each bot is started once.
fn provenance(tuning: &Tuning) -> Result<Provenance, Failure> {
    let of_tournament = super::tournament::provenance(tuning.tournament())?;
    Ok(tuning.provenance(of_tournament)?)
}
