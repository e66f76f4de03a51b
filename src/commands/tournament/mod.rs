//! The program `tournament`: plays a tournament, writes its folder and prints a table.

pub(super) mod chunk;
mod chunks;
pub(super) mod folder;
mod output;
mod progress;
mod settings;

use super::memory::MemoryArgument;
use super::{Failure, cores, on_ctrl_c, refused};
use crate::bots::SideBySide;
use crate::commands::build::build;
use crate::results::{Provenance, RunDirectory, SessionRecord};
use crate::search::ResourceFault;
use crate::tournament::{
    Chunk, Concurrency, PreflightError, Session, SessionError, Settings, Tournament,
};
use progress::Progress;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub(super) use folder::Run;
pub(super) use output::{conditions, summarize};

/// Play a tournament between bots, with win rates, Elo and ratings
///
/// Plays colour-swapped pairs of games from random openings, both games of a
/// pair from the same one, and writes a folder: games.csv (one row per game),
/// summary.csv (one row per bot and one per pairing, with 95 % intervals),
/// plots and report.html, and config.toml and manifest.toml, with which the run
/// can be repeated.
#[derive(Debug, clap::Parser)]
#[command(
    name = "tournament",
    version,
    after_help = "\
Without --bot and --config the program plays its default tournament on 5x5: \
random moves, two plies of minimax, and UCT at several exploration constants and with RAVE.

Settings of uct: playouts (simulations per move, default 1000) or seconds (per move), \
selection, exploration, first_play, expansion, rave, prior, transpositions, solver, \
final_move, resign, reuse, workers, sharing, in_flight, leaf_playouts, max_nodes, \
policy, stop; docs/bots.md describes each. `tengen analyze --bot SPEC` shows one search.

A run that was stopped, by Ctrl-C, a kill or a full disk, is resumed by \
--resume DIR; its games are those of an uninterrupted run.

Examples: does c = 0.4 beat c = 1.0 at 1,000 simulations per move on 9x9?
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
    /// Resume the stopped run in DIR
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "chunk", "merge", "report"])]
    resume: Option<PathBuf>,
    /// With --resume: extend the run to this number of pairs per pairing
    #[arg(long, value_name = "PAIRS", requires = "resume")]
    extend: Option<usize>,
    /// Play only chunk K of N of the schedule; all chunks write into the same
    /// folder --out, from any machine that has it
    #[arg(long, value_name = "K/N", conflicts_with_all = ["merge", "report", "sprt"])]
    chunk: Option<Chunk>,
    /// Merge the chunks in DIR into one run; no other option is allowed with it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "extend", "report", "Settings"])]
    merge: Option<PathBuf>,
    /// Rebuild summary, plots and report of the run in DIR; no other option is
    /// allowed with it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "extend", "Settings"])]
    report: Option<PathBuf>,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    settings: Settings,
}

/// Plays, resumes, merges or reports a tournament; `default` is the TOML of the
/// one to play without `--bot` and `--config`.
///
/// # Errors
/// If a setting is wrong, or a file cannot be written.
pub fn run(arguments: Arguments, default: &str, output: &mut dyn Write) -> Result<(), Failure> {
    let Arguments { config, resume, extend, chunk, merge, report, memory, mut settings } =
        arguments;
    memory.limit();
    if let Some(folder) = report {
        let run = Run::existing(&folder)?;
        run.warn_of_changes()?;
        return finish(&run, output);
    }
    if let Some(folder) = merge {
        return chunks::merge(&folder, output);
    }
    let config = match config {
        Some(path) => Some(settings::file(&path)?),
        None => None,
    };
    // Folder and concurrency: no game depends on them, and config.toml has neither.
    let of_file = config.clone().unwrap_or_default();
    let out = settings.out.take().or(of_file.out);
    let threads = settings.threads.take().or(of_file.threads);
    let games_per_thread = settings.games_per_thread.take().or(of_file.games_per_thread);
    let concurrency = Concurrency {
        threads: threads.map_or_else(cores, usize::from),
        games_per_thread: games_per_thread.map_or(1, usize::from),
    };
    if let Some(folder) = resume {
        let wanted = Wanted { given: settings, config, extend };
        let run = resumed(&folder, wanted)?;
        refuse_idle_games_per_thread(&run.tournament, concurrency)?;
        return play(&run, &provenance(&run.tournament)?, concurrency, output);
    }
    if chunk.is_some() && out.is_none() {
        return Err(Failure::usage("--chunk needs --out DIR, the folder that all chunks share"));
    }
    let tournament = settings::resolve(settings, config, default)?;
    refuse_idle_games_per_thread(&tournament, concurrency)?;
    // Bots that cannot play are refused before anything is written.
    let provenance = provenance(&tournament)?;
    if let (Some(chunk), Some(folder)) = (chunk, &out) {
        return chunks::play(&tournament, &provenance, folder, chunk, concurrency, output);
    }
    let wanted = out.unwrap_or_else(|| RunDirectory::default_path(&tournament.name));
    play(&Run::begin(tournament, &wanted)?, &provenance, concurrency, output)
}

/// The provenance of `tournament`'s games, for which each bot is started once. A bot
/// that cannot play is wrong input (exit code 2); a lack of memory, processes or files
/// is unfinished work (1).
pub(super) fn provenance(tournament: &Tournament) -> Result<Provenance, Failure> {
    match crate::tournament::preflight(tournament) {
        Ok(programs) => Ok(crate::tournament::provenance(tournament, &programs)?),
        Err(fault @ (PreflightError::Bots(_) | PreflightError::Openings(_))) => {
            Err(refused(&fault))
        }
        Err(fault @ (PreflightError::Resource { .. } | PreflightError::Memory(_))) => {
            Err(fault.into())
        }
    }
}

/// The options given with `--resume`.
struct Wanted {
    given: Settings,
    config: Option<Settings>,
    extend: Option<usize>,
}

/// Opens the run in `folder` for `--resume`; an error if the options given differ from
/// its settings. An extension is not written into `config.toml` yet.
fn resumed(folder: &Path, wanted: Wanted) -> Result<Run, Failure> {
    let mut run = Run::existing(folder)?;
    if wanted.config.is_some() || wanted.given != Settings::default() {
        let saved = run.tournament.to_toml()?;
        let said = settings::over(wanted.given, wanted.config, &saved)?;
        let differences = run.tournament.differences(&said)?;
        if !differences.is_empty() {
            return Err(Failure::Usage(format!(
                "{} cannot go on under other settings ({}): begin a new run, or use --extend for more pairs",
                folder.display(),
                differences.join("; ")
            )));
        }
    }
    if let Some(pairs) = wanted.extend {
        let there = run.tournament.pairs;
        if pairs < there {
            return Err(Failure::Usage(format!(
                "--extend is {pairs}, but the run has {there} pairs"
            )));
        }
        let refused = |fault| Failure::Usage(format!("--extend {pairs}: {fault}"));
        run.extend(pairs).map_err(refused)?;
    }
    Ok(run)
}

/// The record of a session that begins now.
pub(super) fn session_record(concurrency: Concurrency) -> SessionRecord {
    let Concurrency { threads, games_per_thread } = concurrency;
    let games_per_thread = Some(games_per_thread).filter(|games| *games > 1);
    SessionRecord { games_per_thread, ..SessionRecord::begin(threads, build()) }
}

/// Refuses a number of games per thread for `tournament` if no bot is another program.
pub(super) fn refuse_idle_games_per_thread(
    tournament: &Tournament,
    concurrency: Concurrency,
) -> Result<(), Failure> {
    let has_program =
        tournament.bots.iter().any(|bot| bot.config.side_by_side() == SideBySide::PerProcess);
    if concurrency.games_per_thread > 1 && !has_program {
        let fault = "--games-per-thread has a meaning only with a bot of kind gtp";
        return Err(Failure::usage(fault));
    }
    Ok(())
}

/// Plays the missing games of `run`, then writes summary, plots and report. Nothing is
/// written before all games in the folder are known to belong to the run.
pub(super) fn play(
    run: &Run,
    provenance: &Provenance,
    concurrency: impl Into<Concurrency>,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let Run { directory, tournament, manifest, lock, .. } = run;
    folder::check(directory, tournament, manifest, provenance)?;
    let fingerprint = Some(provenance.fingerprint());
    let mut session = Session::open(tournament, fingerprint, lock).map_err(usage_of_strangers)?;
    run.save_if_extended()?;
    let concurrency = concurrency.into();
    let mut entry = session_record(concurrency);
    let (started, before) = (Instant::now(), session.played());
    folder::record(directory, manifest.clone(), provenance, entry.clone())?;
    let mut progress = Progress::new(tournament, tournament.schedule().games());
    progress.resumed(session.rows(), before);
    let stop = stop_on_ctrl_c()?;
    let played = session.play(concurrency, &stop, |session, row| progress.finished(session, row));
    drop(progress);
    let lacking = lacking(played)?;
    entry.end(started.elapsed().as_secs_f64(), Some(session.played() - before));
    // Replaces the entry that was written when the session began.
    folder::record(directory, manifest.clone(), provenance, entry)?;
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

/// Writes summary, plots and report of the games in a run's folder, and prints the
/// table.
fn finish(run: &Run, output: &mut dyn Write) -> Result<(), Failure> {
    let session = Session::open(&run.tournament, None, &run.lock).map_err(usage_of_strangers)?;
    output::write(&run.tournament, &run.directory, &session, output)
}

/// The lack of a resource, if that is what stopped a run: then all games played so far
/// are in the journal, and the run can be resumed. Other errors stay errors.
pub(super) fn lacking(played: Result<(), SessionError>) -> Result<Option<ResourceFault>, Failure> {
    match played {
        Ok(()) => Ok(None),
        Err(SessionError::Resource(fault)) => Ok(Some(fault)),
        Err(other) => Err(usage_of_strangers(other)),
    }
}

/// The failure for `error`: a locked run, games of another run and missing chunks are wrong
/// input (exit code 2), everything else is unfinished work (1).
pub(super) fn usage_of_strangers(error: SessionError) -> Failure {
    match error {
        SessionError::Lock(error) => refused(&error),
        SessionError::Foreign(error) => refused(&error),
        SessionError::Missing(error) => refused(&error),
        other => other.into(),
    }
}

/// A flag that the first Ctrl-C sets: games that have begun are then played to their
/// end. The second Ctrl-C ends the process at once.
pub(super) fn stop_on_ctrl_c() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let pressed = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    on_ctrl_c(move || {
        if pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        seen.store(true, Ordering::Relaxed);
        // If standard error is closed, nobody reads this.
        let _ = writeln!(
            std::io::stderr(),
            "\nthe games that have begun are played to their end; Ctrl-C again stops at once"
        );
    })?;
    Ok(stop)
}
