//! The program `tournament`: the main job, from bots to a table.

mod output;
mod progress;
mod settings;

use super::{Failure, cores, refused};
use crate::arena::{self, Chunk, PreflightError, Session, SessionError, Settings, Tournament};
use crate::gtp::ResourceFault;
use crate::run::{Manifest, RunDirectory, RunLock, Session as Entry};
use anyhow::Context;
use progress::Progress;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub(super) use output::{conditions, summarize};

/// Pit bots against each other on the board of Go
///
/// Plays colour-swapped pairs of games on shared random openings and writes
/// one folder: games.csv (a row a game), summary.csv (a row a bot and a row a
/// pairing, with 95 % intervals), plots, and config.toml and manifest.toml, by
/// which the run can be repeated.
#[derive(Debug, clap::Parser)]
#[command(
    name = "tournament",
    version,
    after_help = "\
Without --bot and --config the program plays its default tournament on 5x5: \
random, two-ply and UCT at several exploration constants.

Settings of uct: playouts (1000) or seconds a move, selection (ucb1, ucb1-tuned, \
kl-ucb, thompson, puct, greedy), exploration, first_play, expansion, widening, rave, \
prior, value, dynamic_komi, transpositions, solver, final_move, early_stop, resign, \
reuse, workers, merge, in_flight, leaf_playouts, tree_threads, max_nodes, when_full, \
policy, stop: the README says what each does. `tengen analyze --bot SPEC` shows one search.

A run that was stopped, by Ctrl-C, a kill or a full disk, goes on with \
--resume DIR; the result is that of a run in one piece.

Examples: does c = 0.4 beat c = 1.0 at 1,000 playouts on 9x9?
  tournament --size 9 --pairs 200 --bot c0.4=uct:exploration=0.4 \
--bot c1.0=uct:exploration=1.0
and stopping as soon as that is known:
  tournament --size 9 --sprt \"elo0=0 elo1=50\" --bot c0.4=uct:exploration=0.4 \
--bot c1.0=uct:exploration=1.0"
)]
pub struct Arguments {
    /// Read the settings from a TOML file; the command line wins over it.
    /// The config.toml of an earlier run repeats that run
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Go on with the run in DIR where it was stopped
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "chunk", "merge", "report"])]
    resume: Option<PathBuf>,
    /// With --resume: play until there are so many pairs a pairing
    #[arg(long, value_name = "PAIRS", requires = "resume")]
    extend: Option<usize>,
    /// Play only share K of N, into the folder --out that all shares have in
    /// common, on any machine that has the folder
    #[arg(long, value_name = "K/N", conflicts_with_all = ["merge", "report", "sprt"])]
    chunk: Option<Chunk>,
    /// Join the shares in DIR into one run; beside it nothing is taken
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "extend", "report", "Settings"])]
    merge: Option<PathBuf>,
    /// Make summary, plots and report of the run in DIR again; beside it nothing
    /// is taken
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "extend", "Settings"])]
    report: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

/// Does what `arguments` ask for; `default` is the TOML of the tournament to
/// play where none is described.
///
/// # Errors
/// If the settings make no tournament, or a file cannot be written.
pub fn run(arguments: Arguments, default: &str, output: &mut dyn Write) -> Result<(), Failure> {
    let Arguments { config, resume, extend, chunk, merge, report, mut settings } = arguments;
    if let Some(folder) = report {
        let (directory, tournament) = existing(&folder)?;
        return finish(&tournament, &directory, output);
    }
    if let Some(folder) = merge {
        let (directory, tournament) = existing(&folder)?;
        let missing = arena::merge(&tournament, &folder).map_err(usage_of_lock)?;
        if missing > 0 {
            let fault = format!("{missing} games are in no finished chunk of {}", folder.display());
            return Err(Failure::Usage(fault));
        }
        return finish(&tournament, &directory, output);
    }
    let config = match config {
        Some(path) => Some(settings::file(&path)?),
        None => None,
    };
    // What is the machine's alone: no game depends on it, and no run keeps it.
    let of_file = config.clone().unwrap_or_default();
    let out = settings.out.take().or(of_file.out);
    let threads = settings.threads.take().or(of_file.threads);
    let threads = threads.map_or_else(cores, usize::from);
    if let Some(folder) = resume {
        let wanted = Wanted { given: settings, config, extend };
        let (directory, tournament) = resumed(&folder, wanted)?;
        preflight(&tournament)?;
        return play(&tournament, &directory, threads, output);
    }
    if chunk.is_some() && out.is_none() {
        return Err(Failure::usage("--chunk needs --out DIR, the folder that all shares have"));
    }
    let tournament = settings::resolve(settings, config, default)?;
    // Bots that cannot play are told before anything is written.
    preflight(&tournament)?;
    if let (Some(chunk), Some(folder)) = (chunk, &out) {
        return play_chunk(&tournament, folder, chunk, threads, output);
    }
    let wanted = out.unwrap_or_else(|| RunDirectory::default_path(&tournament.name));
    let directory = begin(&tournament, &wanted)?;
    play(&tournament, &directory, threads, output)
}

/// The folder `wanted`, or one beside it, with the settings of `tournament`.
pub(super) fn begin(tournament: &Tournament, wanted: &Path) -> Result<RunDirectory, Failure> {
    let directory = RunDirectory::create(wanted).map_err(|fault| refused(&fault))?;
    directory.write("config.toml", &toml::to_string(tournament)?)?;
    Ok(directory)
}

/// The run in `folder` and its tournament.
pub(super) fn existing(folder: &Path) -> Result<(RunDirectory, Tournament), Failure> {
    let directory = RunDirectory::existing(folder).map_err(|fault| refused(&fault))?;
    let text = directory.read("config.toml").map_err(|fault| refused(&fault))?;
    Ok((directory, settings::saved(folder, &text)?))
}

/// What the user says of a run that is to go on.
struct Wanted {
    given: Settings,
    config: Option<Settings>,
    extend: Option<usize>,
}

/// The run in `folder`, refused if its settings are not those that are wanted.
fn resumed(folder: &Path, wanted: Wanted) -> Result<(RunDirectory, Tournament), Failure> {
    let (directory, mut tournament) = existing(folder)?;
    let text = directory.read("config.toml").map_err(|fault| refused(&fault))?;
    if wanted.config.is_some() || wanted.given != Settings::default() {
        let said = settings::over(wanted.given, wanted.config, &text)?;
        let differences = settings::differences(&tournament, &said)?;
        if !differences.is_empty() {
            return Err(Failure::Usage(format!(
                "{} cannot go on under other settings ({}): begin a new run, or use --extend for more pairs",
                folder.display(),
                differences.join("; ")
            )));
        }
    }
    if let Some(pairs) = wanted.extend {
        if pairs < tournament.pairs {
            let there = tournament.pairs;
            return Err(Failure::Usage(format!(
                "--extend is {pairs}, but the run has {there} pairs"
            )));
        }
        // Not under the hands of a process that plays the run.
        let _lock = RunLock::take(folder, arena::LOCK).map_err(|fault| refused(&fault))?;
        tournament.pairs = pairs;
        directory.write("config.toml", &toml::to_string(&tournament)?)?;
    }
    Ok((directory, tournament))
}

/// Plays what is missing in `directory` and writes what follows from it.
pub(super) fn play(
    tournament: &Tournament,
    directory: &RunDirectory,
    threads: usize,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let mut session = Session::open(tournament, directory.path()).map_err(usage_of_lock)?;
    let mut entry = Entry::begin(threads);
    let (started, before) = (Instant::now(), session.played());
    save(directory, &entry, Moment::Begin)?;
    let mut progress = Progress::new(tournament, tournament.schedule().games());
    progress.resumed(session.rows(), before);
    let stop = stop_on_ctrl_c()?;
    let played = session.play(threads, &stop, |session, row| progress.finished(session, row));
    drop(progress);
    let lacking = lacking(played)?;
    entry.end(started.elapsed().as_secs_f64(), Some(session.played() - before));
    save(directory, &entry, Moment::End)?;
    if session.is_complete() {
        output::write(tournament, directory, &session, output)
    } else {
        let folder = directory.path().display();
        let (played, games) = (session.played(), tournament.schedule().games());
        let why = lacking.map_or(String::new(), |fault| format!("{fault}: "));
        Err(anyhow::anyhow!(
            "{why}stopped with {played} of {games} games played: go on with --resume {folder}"
        )
        .into())
    }
}

/// Plays one share of a run whose folder it has in common with others.
fn play_chunk(
    tournament: &Tournament,
    folder: &Path,
    chunk: Chunk,
    threads: usize,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    if tournament.sprt.is_some() {
        return Err(Failure::usage(
            "a sequential test cannot be cut into chunks: leave --chunk out",
        ));
    }
    let directory = RunDirectory::shared(folder).map_err(|fault| refused(&fault))?;
    if folder.join("config.toml").exists() {
        let (_, there) = existing(folder)?;
        let differences = settings::differences(&there, tournament)?;
        if !differences.is_empty() {
            let folder = folder.display();
            let fault = format!("{folder} holds another run ({})", differences.join("; "));
            return Err(Failure::Usage(fault));
        }
    } else {
        directory.write("config.toml", &toml::to_string(tournament)?)?;
    }
    let stop = stop_on_ctrl_c()?;
    let mut games = 0;
    let played = chunk.play(tournament, folder, threads, &stop, |_| games += 1);
    let lacking = lacking(played)?;
    let path = chunk.path(folder);
    if path.exists() {
        writeln!(output, "{games} games played, the chunk is complete: {}", path.display())?;
        Ok(())
    } else {
        let why = lacking.map_or(String::new(), |fault| format!("{fault}: "));
        Err(anyhow::anyhow!("{why}stopped after {games} games: run the same command again").into())
    }
}

/// Makes summary, plots and report of a run that is there and prints the
/// table.
fn finish(
    tournament: &Tournament,
    directory: &RunDirectory,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let session = Session::open(tournament, directory.path()).map_err(usage_of_lock)?;
    output::write(tournament, directory, &session, output)
}

/// Bots that cannot play are a matter of the command line, what this program
/// lacks is not.
fn preflight(tournament: &Tournament) -> Result<(), Failure> {
    match arena::preflight(tournament) {
        Ok(_) => Ok(()),
        Err(fault @ (PreflightError::Bots(_) | PreflightError::Openings(_))) => {
            Err(refused(&fault))
        }
        Err(fault) => Err(fault.into()),
    }
}

/// What kept a run from its end, where that is no more than a resource: all
/// games that were played are there, and the run can go on.
fn lacking(played: Result<(), SessionError>) -> Result<Option<ResourceFault>, Failure> {
    match played {
        Ok(()) => Ok(None),
        Err(SessionError::Resource(fault)) => Ok(Some(fault)),
        Err(other) => Err(usage_of_lock(other)),
    }
}

/// A run that another process has is a matter of the command line.
fn usage_of_lock(error: SessionError) -> Failure {
    match error {
        SessionError::Lock(error) => refused(&error),
        other => other.into(),
    }
}

/// When a session is written into the manifest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// At its begin: behind those that were.
    Begin,
    /// At its end: in place of what its begin wrote.
    End,
}

/// Writes the session `entry` into the manifest.
fn save(directory: &RunDirectory, entry: &Entry, moment: Moment) -> Result<(), Failure> {
    let mut manifest = match directory.read("manifest.toml") {
        Ok(text) => toml::from_str(&text).context("manifest.toml")?,
        Err(_) => Manifest::default(),
    };
    if moment == Moment::End {
        manifest.sessions.pop();
    }
    manifest.sessions.push(entry.clone());
    directory.write("manifest.toml", &toml::to_string(&manifest)?)?;
    Ok(())
}

/// True after the first Ctrl-C: the games at hand are then played to their
/// end. The second one ends the process at once.
fn stop_on_ctrl_c() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let pressed = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        seen.store(true, Ordering::Relaxed);
        // If standard error is gone there is nobody to tell.
        let _ = writeln!(
            std::io::stderr(),
            "\nthe games at hand are played to their end; Ctrl-C again stops at once"
        );
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}
