//! Rounds of a tuning cut into chunks: played by any processes on any machines, and merged.

use super::{Run, provenance, usage_of_strangers};
use crate::commands::build::build;
use crate::commands::tournament::{folder, stop_on_ctrl_c};
use crate::commands::{Failure, refused};
use crate::results::{Provenance, RunDirectory, RunLock, SessionRecord};
use crate::tournament::{Chunk, LOCK};
use crate::tuning::{Round, Tuning, TuningError};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Plays one chunk of the current round, in the folder that all chunks share.
pub fn play(
    tuning: &Tuning,
    folder: &Path,
    chunk: Chunk,
    threads: usize,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    if tuning.rounds().is_none() {
        return Err(not_cut(tuning));
    }
    let provenance = provenance(tuning)?;
    let fingerprint = provenance.fingerprint();
    share(tuning, &provenance, folder, threads)?;
    let current = Round::current(tuning, fingerprint, folder).map_err(usage_of_strangers)?;
    let Some(round) = current else {
        writeln!(
            output,
            "all games are played: write the report with --merge {}",
            folder.display()
        )?;
        return Ok(());
    };
    let directory = RunDirectory::shared(round.folder()).map_err(|fault| refused(&fault))?;
    let manifest = round.folder().join(chunk.manifest());
    let is_recorded = manifest.exists();
    let before = folder::manifest_at(&manifest)?;
    let record = |entry: &SessionRecord| {
        folder::record_as(&chunk.manifest(), &directory, before.clone(), &provenance, entry.clone())
    };
    let stop = stop_on_ctrl_c()?;
    let (mut entry, started) = (SessionRecord::begin(threads, build()), Instant::now());
    let (mut games, mut begun) = (0, Ok(()));
    let played = round.play(chunk, threads, &stop, |_| {
        // From the first game on the chunk is this process's; a kill leaves this entry.
        if games == 0 {
            begun = record(&entry);
        }
        games += 1;
    });
    let lacking = match played {
        Err(TuningError::Resource(fault)) => Some(fault),
        other => {
            other.map_err(usage_of_strangers)?;
            None
        }
    };
    begun?;
    if games > 0 || !is_recorded {
        entry.end(started.elapsed().as_secs_f64(), Some(games));
        record(&entry)?;
    }
    let path = chunk.path(round.folder());
    if path.exists() {
        let path = path.display();
        writeln!(output, "{games} games played, the chunk is complete: {path}")?;
        return Ok(());
    }
    let why = lacking.map_or(String::new(), |fault| format!("{fault}: "));
    Err(anyhow::anyhow!("{why}stopped after {games} games: run the same command again").into())
}

/// The failure where a tuning cannot be cut into chunks.
pub fn not_cut(tuning: &Tuning) -> Failure {
    Failure::Usage(format!(
        "each game of {} depends on those before it, so that it cannot be cut into chunks: use \
         --method sweep or halving",
        tuning.method().kind
    ))
}

/// Creates the folder that all chunks of `tuning` share, with settings and manifest, or refuses
/// if it holds another run.
fn share(
    tuning: &Tuning,
    provenance: &Provenance,
    folder: &Path,
    threads: usize,
) -> Result<(), Failure> {
    let directory = RunDirectory::shared(folder).map_err(|fault| refused(&fault))?;
    // Chunks that are begun at once wait for each other here, and nowhere else.
    let wait = || RunLock::wait(folder, LOCK).map_err(|fault| refused(&fault));
    let lock = if folder::is_begun(folder) { None } else { Some(wait()?) };
    let config = tuning.settings().to_toml()?;
    if lock.is_some() && !folder.join(folder::CONFIG).exists() {
        directory.write(folder::CONFIG, &config)?;
    }
    let found = directory.read(folder::CONFIG).map_err(|fault| refused(&fault))?;
    if let Some(difference) = folder::difference(&found, &config, &["name"])? {
        let fault = format!("{} holds another run ({difference})", folder.display());
        return Err(Failure::Usage(fault));
    }
    let manifest = folder::manifest(&directory)?;
    folder::check(&directory, tuning.tournament(), &manifest, provenance)?;
    if lock.is_some() && manifest.provenance.is_none() {
        let mut session = SessionRecord::begin(threads, build());
        session.end(0.0, Some(0));
        folder::record(&directory, manifest, provenance, session)?;
    }
    Ok(())
}

/// Merges the chunks of the current round in `folder`. After the last round, plays the
/// validation on `threads` threads and writes the report.
pub fn merge(folder: &Path, threads: usize, output: &mut dyn Write) -> Result<(), Failure> {
    let run = Run::existing(folder)?;
    let Some(rounds) = run.tuning.rounds() else {
        return Err(Failure::Usage(format!(
            "{} is a run of {}, which has no chunks: use --resume",
            folder.display(),
            run.tuning.method().kind
        )));
    };
    let mut manifest = folder::manifest(&run.directory)?;
    folder::check(&run.directory, run.tuning.tournament(), &manifest, &run.provenance)?;
    let fingerprint = run.provenance.fingerprint();
    let current = || Round::current(&run.tuning, fingerprint, folder).map_err(usage_of_strangers);
    if let Some(round) = current()?
        && has_chunks(&round)?
    {
        round.merge(&run.lock).map_err(usage_of_strangers)?;
    }
    let next = current()?;
    // Those of the rounds before, too: a merge may have been interrupted before it had added them.
    for merged in 1..next.as_ref().map_or(rounds + 1, Round::number) {
        folder::add_sessions_of_chunks(&mut manifest, &Round::folder_of(folder, merged))?;
    }
    run.directory.write(folder::MANIFEST, &manifest.to_toml()?)?;
    match next {
        Some(round) => {
            let number = round.number();
            writeln!(
                output,
                "round {number} of {rounds} comes next: play its chunks, then merge them"
            )?;
            Ok(())
        }
        None => run.play(threads, output),
    }
}

/// Refuses to go on without chunks where chunks of the current round are played: their games
/// would be played again.
pub fn check_uncut(run: &Run) -> Result<(), Failure> {
    let folder = run.directory.path();
    let fingerprint = run.provenance.fingerprint();
    if run.tuning.rounds().is_some()
        && let Some(round) =
            Round::current(&run.tuning, fingerprint, folder).map_err(usage_of_strangers)?
        && has_chunks(&round)?
    {
        return Err(Failure::Usage(format!(
            "{} has chunks of round {}: go on with --chunk and --merge",
            folder.display(),
            round.number()
        )));
    }
    Ok(())
}

/// Whether a chunk of the round is finished.
fn has_chunks(round: &Round<'_>) -> Result<bool, Failure> {
    Ok(!round.chunks().map_err(usage_of_strangers)?.is_empty())
}
