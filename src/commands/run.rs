//! Opening of runs, the failure of a stopped run, and the folder of a measurement that is no run.

use super::build::build;
use super::{Caller, Failure};
use crate::run::{MANIFEST, Manifest, Run, RunDirectory, SessionRecord};
use crate::search::ResourceFault;
use std::path::Path;
use std::time::Instant;

/// The run in `folder`.
pub fn open(folder: &Path, caller: &dyn Caller) -> Result<Run, Failure> {
    let run = Run::open(folder)?;
    caller.works_in(folder);
    Ok(run)
}

/// The folder of a measurement that is no run. Its manifest has a single session.
pub struct Measurement {
    pub directory: RunDirectory,
    session: SessionRecord,
    started: Instant,
}

impl Measurement {
    /// The new folder `out`, for a measurement on `threads` threads that begins now; none without
    /// `out`.
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
        Ok(self.directory.write(MANIFEST, &toml::to_string(&manifest)?)?)
    }

    /// The processor, in words.
    pub fn cpu(&self) -> &str {
        self.session.machine.cpu.as_deref().unwrap_or("unknown processor")
    }
}

/// The failure of a run in `folder` that stopped `at` this point, by request or for the `lacking`
/// resource. It names the options `more`, each after a space, with which the run is resumed.
pub fn stopped(folder: &Path, lacking: Option<ResourceFault>, at: &str, more: &str) -> Failure {
    let why = lacking.map_or(String::new(), |fault| format!("{fault}: "));
    let folder = folder.display();
    anyhow::anyhow!("{why}stopped {at}: go on with --resume {folder}{more}").into()
}
