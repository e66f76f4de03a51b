//! Rounds of a tuning cut into chunks: played by any processes on any machines, and merged.

use super::{Run, provenance, usage_of_strangers};
use crate::commands::tournament::chunk::play as play_chunk;
use crate::commands::tournament::{folder, lacking};
use crate::commands::{Failure, refused};
use crate::tournament::Chunk;
use crate::tuning::{Round, Tuning};
use std::io::Write;
use std::path::Path;

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
    let config = tuning.settings().to_toml()?;
    folder::shared(folder, &config, &provenance, threads, |directory, manifest| {
        let found = directory.read(folder::CONFIG).map_err(|fault| refused(&fault))?;
        folder::refuse_other(directory, folder::difference(&found, &config, &["name"])?)?;
        folder::check(directory, tuning.tournament(), manifest, &provenance)
    })?;
    let current = Round::current(tuning, fingerprint, folder).map_err(usage_of_strangers)?;
    let Some(round) = current else {
        let folder = folder.display();
        writeln!(output, "all games are played: write the report with --merge {folder}")?;
        return Ok(());
    };
    play_chunk(chunk, round.folder(), &provenance, threads, output, |stop, told| {
        lacking(round.play(chunk, threads, stop, |_| told()))
    })
}

/// The failure where a tuning cannot be cut into chunks.
pub fn not_cut(tuning: &Tuning) -> Failure {
    Failure::Usage(format!(
        "each game of {} depends on those before it, so that it cannot be cut into chunks: use \
         --method sweep or halving",
        tuning.method().kind
    ))
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
