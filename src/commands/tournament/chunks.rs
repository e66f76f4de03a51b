//! Chunks of a run: played by any processes on any machines, and merged.

use super::chunk::play as play_chunk;
use super::{Run, finish, folder, lacking, provenance, usage_of_strangers};
use crate::bots::SideBySide;
use crate::commands::Failure;
use crate::results::{Manifest, Provenance};
use crate::tournament::{Chunk, Concurrency, Tournament};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// Plays one chunk of a run, in the folder that all its chunks share.
pub fn play(
    tournament: &Tournament,
    provenance: &Provenance,
    folder: &Path,
    chunk: Chunk,
    concurrency: Concurrency,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    if tournament.sprt.is_some() {
        return Err(Failure::usage(
            "a sequential test cannot be cut into chunks: leave --chunk out",
        ));
    }
    let threads = concurrency.threads;
    let config = tournament.to_toml()?;
    folder::shared(folder, &config, provenance, threads, |directory, manifest| {
        let differences = folder::saved(directory, manifest)?.differences(tournament)?;
        let difference = (!differences.is_empty()).then(|| differences.join("; "));
        folder::refuse_other(directory, difference)?;
        folder::check(directory, tournament, manifest, provenance)
    })?;
    play_chunk(chunk, folder, provenance, concurrency, output, |stop, told| {
        let fingerprint = provenance.fingerprint();
        lacking(chunk.play(tournament, fingerprint, folder, concurrency, stop, |_| told()))
    })
}

/// Merges the chunks in `folder` into one run.
pub fn merge(folder: &Path, output: &mut dyn Write) -> Result<(), Failure> {
    let run = Run::existing(folder)?;
    let provenance = match &run.manifest.provenance {
        // GTP engines need not be installed here to merge games that they played
        // elsewhere: the manifest has their names and versions.
        Some(before) => {
            let programs: Vec<_> =
                before.bots.iter().map(|bot| Some(bot.signature.clone())).collect();
            crate::tournament::provenance(&run.tournament, &programs)?
        }
        None => provenance(&run.tournament)?,
    };
    folder::check(&run.directory, &run.tournament, &run.manifest, &provenance)?;
    crate::tournament::merge(&run.tournament, provenance.fingerprint(), &run.lock)
        .map_err(usage_of_strangers)?;
    record_sessions(&run)?;
    finish(&run, output)
}

/// Adds the sessions in which the chunks of `run` were played to its manifest.
fn record_sessions(run: &Run) -> Result<(), Failure> {
    let mut manifest = run.manifest.clone();
    folder::add_sessions_of_chunks(&mut manifest, run.directory.path())?;
    warn_of_unlike_machines(&run.tournament, &manifest);
    Ok(run.directory.write(folder::MANIFEST, &manifest.to_toml()?)?)
}

/// Says so if bots whose play depends on the speed of the machine were played on unlike
/// processors.
fn warn_of_unlike_machines(tournament: &Tournament, manifest: &Manifest) {
    let timed = tournament.bots.iter().filter(|bot| bot.config.side_by_side() != SideBySide::Any);
    let timed: Vec<&str> = timed.map(|bot| bot.name.as_str()).collect();
    let sessions = manifest.sessions.iter().filter(|session| session.games != Some(0));
    let cpus: BTreeSet<&str> =
        sessions.filter_map(|session| session.machine.cpu.as_deref()).collect();
    if !timed.is_empty() && cpus.len() > 1 {
        // If standard error is closed, nobody reads this.
        let _ = writeln!(
            io::stderr(),
            "warning: the chunks were played on unlike processors ({}), and {} may play stronger \
             on a faster one",
            cpus.into_iter().collect::<Vec<_>>().join(", "),
            timed.join(", ")
        );
    }
}
