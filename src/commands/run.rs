//! What all programs do around a run: begin or resume it, make what is missing, cut it into chunks,
//! and merge these.

use super::build::build;
use super::{Caller, Failure, Host};
use crate::run::{
    CONFIG, Chunk, Concurrency, Experiment, MANIFEST, Manifest, Provenance, Run, RunDirectory,
    Session, SessionRecord, play_chunk,
};
use crate::search::ResourceFault;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A new run of `experiment`, called `name`, in the folder `out` or the default one.
pub fn begin<E: Experiment>(
    experiment: &E,
    name: &str,
    out: Option<&Path>,
    caller: &dyn Caller,
) -> Result<Run, Failure> {
    let wanted = out.map_or_else(|| RunDirectory::default_path(name), Path::to_path_buf);
    let run = Run::begin(experiment, &wanted)?;
    caller.works_in(run.directory.path());
    Ok(run)
}

/// The run in `folder`.
pub fn open(folder: &Path, caller: &dyn Caller) -> Result<Run, Failure> {
    let run = Run::open(folder)?;
    caller.works_in(folder);
    Ok(run)
}

/// Refuses to resume `run` if its settings name another number of units than it was begun with, `units`,
/// where the setting `key` decides that: an edit of it would extend the run unnoticed. `name` is what a
/// user calls the units, and `remedy` is what a user can do.
pub fn refuse_other_units(
    run: &Run,
    units: Option<usize>,
    (key, name): (&str, &str),
    remedy: &str,
) -> Result<(), Failure> {
    let (Some(before), Some(now)) = (run.manifest.units, units) else { return Ok(()) };
    if before == now {
        return Ok(());
    }
    let path = run.directory.path().join(CONFIG);
    Err(Failure::Usage(format!(
        "{}: `{key}` was changed after the run began (the run had {before} {name}, and would now have \
         {now}): {remedy}",
        path.display()
    )))
}

/// The folder of a measurement that is no run, whose manifest has its one session.
pub struct Measurement {
    pub directory: RunDirectory,
    session: SessionRecord,
    started: Instant,
}

impl Measurement {
    /// The new folder `out`, for a measurement on so many threads that begins now; none if nothing is to be
    /// written.
    pub fn begin(
        out: Option<&Path>,
        threads: usize,
        caller: &dyn Caller,
    ) -> Result<Option<Self>, Failure> {
        let Some(out) = out else { return Ok(None) };
        let directory = RunDirectory::create(out)?;
        caller.works_in(directory.path());
        let session = SessionRecord::begin(threads, build());
        let measurement = Self { directory, session, started: Instant::now() };
        measurement.write_manifest()?;
        Ok(Some(measurement))
    }

    /// Writes the manifest of the session, which ends now.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.session.end(self.started.elapsed().as_secs_f64(), None);
        self.write_manifest()
    }

    fn write_manifest(&self) -> Result<(), Failure> {
        let manifest = Manifest { sessions: vec![self.session.clone()], ..Manifest::default() };
        Ok(self.directory.write(MANIFEST, &manifest.to_toml()?)?)
    }

    /// The processor, in words.
    pub fn cpu(&self) -> &str {
        self.session.machine.cpu.as_deref().unwrap_or("unknown processor")
    }
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
    let mut session = Session::open(experiment, run, provenance, &build())?;
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
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let Some(folder) = folder else {
        return Err(Failure::usage("--chunk needs --out DIR, the folder that all chunks share"));
    };
    let stop = stop(host.caller)?;
    host.caller.works_in(folder);
    let played = play_chunk(experiment, folder, chunk, provenance, build(), on, &stop, &mut || ())?;
    let Some(played) = played else {
        let folder = folder.display();
        writeln!(host.output, "all {}s are made: write the report with --merge {folder}", E::UNIT)?;
        return Ok(());
    };
    let (made, unit, path) = (played.made, E::UNIT, played.path.display());
    if played.had_lost_rows {
        let said = format!("warning: {path} has lost rows: what was missing has been made again");
        host.caller.say(&said);
    }
    if played.is_complete {
        writeln!(host.output, "{made} {unit}s made, the chunk is complete: {path}")?;
        return Ok(());
    }
    let why = played.lacking.map_or(String::new(), |fault| format!("{fault}: "));
    Err(anyhow::anyhow!("{why}stopped after {made} {unit}s: run the same command again").into())
}

/// A flag that asks a run to stop: units that have begun are then made to their end.
pub fn stop(caller: &dyn Caller) -> anyhow::Result<Arc<AtomicBool>> {
    caller.stop(Some("what has begun is ended first"))
}
