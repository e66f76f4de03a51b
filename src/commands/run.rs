//! What all programs do around a run: begin or resume it, make what is missing, cut it into chunks,
//! and merge these.

use super::build::build;
use super::{Failure, on_ctrl_c};
use crate::run::{
    Chunk, Concurrency, Experiment, Provenance, Run, RunDirectory, Session, play_chunk,
};
use crate::search::ResourceFault;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A new run of `experiment`, called `name`, in the folder `out` or the default one.
pub fn begin<E: Experiment>(
    experiment: &E,
    name: &str,
    out: Option<&Path>,
) -> Result<Run, Failure> {
    let wanted = out.map_or_else(|| RunDirectory::default_path(name), Path::to_path_buf);
    Ok(Run::begin(experiment, &wanted)?)
}

/// What came of making what is missing of a run.
pub struct Made<'run, E: Experiment> {
    /// The session.
    pub session: Session<'run, E>,
    /// What was lacking, if that is why it stopped.
    pub lacking: Option<ResourceFault>,
}

/// Makes what is missing of `run`. `begun` is called with the session before that, and returns what
/// is called with the rows of each unit.
pub fn make<'run, E: Experiment, F: FnMut(&[E::Row]) + Send>(
    experiment: &'run E,
    run: &'run mut Run,
    provenance: &'run Provenance,
    on: Concurrency,
    stop: &AtomicBool,
    begun: impl FnOnce(&Session<'run, E>) -> F,
) -> Result<Made<'run, E>, Failure> {
    let mut session = Session::open(experiment, run, provenance)?;
    let told = begun(&session);
    let lacking = session.play(build(), on, stop, told)?;
    Ok(Made { session, lacking })
}

/// The failure of a run in `folder` that stopped with `made` of `all` units, each called `unit`, and
/// is resumed with the options `more`, each after a space.
pub fn stopped(
    folder: &Path,
    more: &str,
    lacking: Option<ResourceFault>,
    (made, all, unit): (usize, usize, &str),
) -> Failure {
    let why = lacking.map_or(String::new(), |fault| format!("{fault}: "));
    let folder = folder.display();
    anyhow::anyhow!(
        "{why}stopped with {made} of {all} {unit}s made: go on with --resume {folder}{more}"
    )
    .into()
}

/// Makes one chunk of a run, in the folder that all its chunks share.
pub fn chunk<E: Experiment>(
    experiment: &E,
    folder: Option<&Path>,
    chunk: Chunk,
    provenance: &Provenance,
    on: Concurrency,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let Some(folder) = folder else {
        return Err(Failure::usage("--chunk needs --out DIR, the folder that all chunks share"));
    };
    let stop = stop_on_ctrl_c()?;
    let played = play_chunk(experiment, folder, chunk, provenance, build(), on, &stop, &mut || ())?;
    let Some(played) = played else {
        let folder = folder.display();
        writeln!(output, "all {}s are made: write the report with --merge {folder}", E::UNIT)?;
        return Ok(());
    };
    let (made, unit, path) = (played.made, E::UNIT, played.path.display());
    if played.had_lost_rows {
        // If standard error is closed, nobody reads this.
        let _ = writeln!(
            io::stderr(),
            "warning: {path} has lost rows: what was missing has been made again"
        );
    }
    if played.is_complete {
        writeln!(output, "{made} {unit}s made, the chunk is complete: {path}")?;
        return Ok(());
    }
    let why = played.lacking.map_or(String::new(), |fault| format!("{fault}: "));
    Err(anyhow::anyhow!("{why}stopped after {made} {unit}s: run the same command again").into())
}

/// A flag that the first Ctrl-C sets: units that have begun are then made to their end. The second
/// Ctrl-C ends the process at once.
pub fn stop_on_ctrl_c() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let pressed = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    on_ctrl_c(move || {
        if pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        seen.store(true, Ordering::Relaxed);
        // If standard error is closed, nobody reads this.
        let _ =
            writeln!(io::stderr(), "\nwhat has begun is ended first; Ctrl-C again stops at once");
    })?;
    Ok(stop)
}
