//! `--merge DIR`: the chunks of a run as one run.

use super::{finish, has_settings_of_its_rows, saved, training};
use crate::bots::SideBySide;
use crate::commands::{Caller, Failure, Host, run};
use crate::harness::training::{LEAVE_OUT, Recorded, check_kept};
use crate::run::{Manifest, SEARCHES};
use crate::tournament::Tournament;
use std::collections::BTreeSet;
use std::path::Path;

/// Merges the chunks in `folder` into one run. GTP engines need not be installed here to merge
/// games that they played elsewhere.
pub fn merge_chunks(
    folder: &Path,
    training: Option<&Path>,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let mut run = run::open(folder, host.caller)?;
    let tournament = saved(&run, folder)?;
    if !has_settings_of_its_rows(&run)? {
        let path = folder.join(crate::run::CONFIG);
        let path = path.display();
        return Err(Failure::Usage(format!(
            "{path} is not what the run was begun with: undo the change"
        )));
    }
    let provenance = match &run.manifest.provenance {
        Some(provenance) => provenance.clone(),
        None => tournament.provenance()?.seen_from(folder),
    };
    if training.is_some() || folder.join(SEARCHES).exists() {
        check_kept(&run.directory, LEAVE_OUT)?;
        run.merge(&Recorded::new(&tournament, folder, None), &provenance)?;
    } else {
        run.merge(&tournament, &provenance)?;
    }
    warn_of_unlike_machines(&tournament, &run.manifest, host.caller);
    let rows = finish(&run, host)?;
    training.map_or(Ok(()), |file| training::write(file, &run, &rows, host.output))
}

/// Says so if bots whose play depends on the speed of the machine were played on unlike
/// processors.
fn warn_of_unlike_machines(tournament: &Tournament, manifest: &Manifest, caller: &dyn Caller) {
    let timed = tournament.bots.iter().filter(|bot| bot.config.side_by_side() != SideBySide::Any);
    let timed: Vec<&str> = timed.map(|bot| bot.name.as_str()).collect();
    let sessions = manifest.sessions.iter().filter(|session| session.units != Some(0));
    let cpus: BTreeSet<&str> =
        sessions.filter_map(|session| session.machine.cpu.as_deref()).collect();
    if !timed.is_empty() && cpus.len() > 1 {
        caller.say(&format!(
            "warning: the chunks were played on unlike processors ({}), and {} may play stronger \
             on a faster one",
            cpus.into_iter().collect::<Vec<_>>().join(", "),
            timed.join(", ")
        ));
    }
}
