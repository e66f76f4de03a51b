//! The folder of a run: creates it, opens it again, and keeps other processes out.

use super::settings;
use crate::commands::build::build;
use crate::commands::{Failure, refused};
use crate::results::{
    Manifest, ManifestError, Provenance, RunDirectory, RunLock, SessionRecord, journal,
};
use crate::tournament::{LOCK, ReplayError, SettingsError, Tournament, chunk_files};
use std::io::{self, Write};
use std::path::Path;
use toml::Table;

/// The file with the settings of a run.
pub const CONFIG: &str = "config.toml";
/// The file that says who made a run, when, where and with which program.
pub const MANIFEST: &str = "manifest.toml";

/// A run, locked against other processes.
pub struct Run {
    pub directory: RunDirectory,
    pub tournament: Tournament,
    /// The manifest as it was when the run was begun or opened.
    pub manifest: Manifest,
    pub lock: RunLock,
    /// Whether `tournament` has more pairs than `config.toml`.
    is_extended: bool,
}

impl Run {
    /// Begins the run of `tournament` in the folder `wanted`, or, if that holds
    /// something, in `wanted-2` and so on.
    pub fn begin(tournament: Tournament, wanted: &Path) -> Result<Self, Failure> {
        let (directory, lock) = claim(wanted, &tournament.to_toml()?)?;
        Ok(Self { directory, tournament, manifest: Manifest::default(), lock, is_extended: false })
    }

    /// Opens the run in `folder`.
    pub fn existing(folder: &Path) -> Result<Self, Failure> {
        let directory = RunDirectory::existing(folder).map_err(|fault| refused(&fault))?;
        // Locked before the settings are read: no process changes them from here on.
        let lock = RunLock::take(folder, LOCK).map_err(|fault| refused(&fault))?;
        let manifest = manifest(&directory)?;
        let tournament = saved(&directory, &manifest)?;
        Ok(Self { directory, tournament, manifest, lock, is_extended: false })
    }

    /// Prints a warning if `config.toml` is not what the games were played under. Such
    /// a run cannot be continued, but a report of its rows can be made.
    pub fn warn_of_changes(&self) -> Result<(), Failure> {
        let settings = crate::tournament::settings_digest(&self.tournament)?;
        if self.manifest.provenance.as_ref().is_some_and(|then| then.settings != settings) {
            // If standard error is closed, nobody reads this.
            let _ = writeln!(
                io::stderr(),
                "warning: {} is not what the games were played under",
                self.directory.path().join(CONFIG).display()
            );
        }
        Ok(())
    }

    /// Extends the run to `pairs` pairs per pairing, without writing `config.toml`
    /// yet.
    pub fn extend(&mut self, pairs: usize) -> Result<(), SettingsError> {
        self.tournament.pairs = pairs;
        self.is_extended = true;
        self.tournament.validate()
    }

    /// Writes the settings of an extended run.
    pub fn save_if_extended(&self) -> Result<(), Failure> {
        if self.is_extended {
            self.directory.write(CONFIG, &self.tournament.to_toml()?)?;
        }
        Ok(())
    }
}

/// Makes the folder `wanted` with `config` as its `config.toml`, or one beside it if
/// that holds a run, and keeps it from other processes.
pub fn claim(wanted: &Path, config: &str) -> Result<(RunDirectory, RunLock), Failure> {
    loop {
        let directory = RunDirectory::create(wanted).map_err(|fault| refused(&fault))?;
        let lock = RunLock::take(directory.path(), LOCK).map_err(|fault| refused(&fault))?;
        // Another process may have begun, and even ended, before the lock
        // was ours: its run is left alone.
        if !directory.path().join(CONFIG).exists() {
            directory.write(CONFIG, config)?;
            return Ok((directory, lock));
        }
    }
}

/// The settings of the run in `directory`.
pub fn saved(directory: &RunDirectory, manifest: &Manifest) -> Result<Tournament, Failure> {
    let text = directory.read(CONFIG).map_err(|fault| refused(&fault))?;
    settings::saved(directory.path(), &text, &origin(manifest))
}

/// Prepares the folder `folder` that all chunks of a run share: creates it with the settings
/// `config` and a manifest if it is absent. `check` refuses it if it holds another run.
pub fn shared(
    folder: &Path,
    config: &str,
    provenance: &Provenance,
    threads: usize,
    check: impl FnOnce(&RunDirectory, &Manifest) -> Result<(), Failure>,
) -> Result<RunDirectory, Failure> {
    let directory = RunDirectory::shared(folder).map_err(|fault| refused(&fault))?;
    // Chunks that are begun at once wait for each other here, and nowhere else.
    let wait = || RunLock::wait(folder, LOCK).map_err(|fault| refused(&fault));
    let lock = if is_begun(folder) { None } else { Some(wait()?) };
    if lock.is_some() && !folder.join(CONFIG).exists() {
        directory.write(CONFIG, config)?;
    }
    let manifest = manifest(&directory)?;
    check(&directory, &manifest)?;
    if lock.is_some() && manifest.provenance.is_none() {
        let mut session = SessionRecord::begin(threads, build());
        session.end(0.0, Some(0));
        record(&directory, manifest, provenance, session)?;
    }
    Ok(directory)
}

/// Refuses the run in `directory` if it has a `difference` from the one wanted.
pub fn refuse_other(directory: &RunDirectory, difference: Option<String>) -> Result<(), Failure> {
    let holds =
        |difference| format!("{} holds another run ({difference})", directory.path().display());
    difference.map_or(Ok(()), |difference| Err(Failure::Usage(holds(difference))))
}

/// Whether the run in `folder` has its settings and its provenance.
fn is_begun(folder: &Path) -> bool {
    folder.join(CONFIG).exists()
        && Manifest::read(&folder.join(MANIFEST)).is_ok_and(|found| found.provenance.is_some())
}

/// The first setting of `wanted` that `found` lacks or has another value of, in words, but for
/// the keys `ignored`; both are settings of runs in TOML.
pub fn difference(found: &str, wanted: &str, ignored: &[&str]) -> Result<Option<String>, Failure> {
    let (found, wanted): (Table, Table) = (found.parse()?, wanted.parse()?);
    let keys = wanted.keys().filter(|key| !ignored.contains(&key.as_str()));
    let differing = keys.filter(|key| found.get(*key) != wanted.get(*key)).map(|key| {
        match (found.get(key), &wanted[key]) {
            (Some(found), wanted) if !wanted.is_array() && !wanted.is_table() => {
                format!("{key} is {found} and not {wanted}")
            }
            _ => format!("its setting `{key}` is another"),
        }
    });
    Ok(differing.into_iter().next())
}

/// Adds the sessions in the manifests of the chunks in `folder` to `manifest`, in the order of
/// time.
pub fn add_sessions_of_chunks(manifest: &mut Manifest, folder: &Path) -> Result<(), Failure> {
    if !folder.is_dir() {
        return Ok(());
    }
    for path in chunk_files(folder, "toml")? {
        for session in manifest_at(&path)?.sessions {
            // A second merge finds those of the first there.
            if !manifest.sessions.contains(&session) {
                manifest.sessions.push(session);
            }
        }
    }
    manifest.sessions.sort_by(|one, other| one.started.cmp(&other.started));
    Ok(())
}

/// The manifest of the run in `directory`; an empty one if it is absent, or, after a
/// warning, if it is damaged, since the games are in the journal.
pub fn manifest(directory: &RunDirectory) -> Result<Manifest, Failure> {
    manifest_at(&directory.path().join(MANIFEST))
}

/// The manifest in the file `path`, as [`manifest`] reads it.
pub fn manifest_at(path: &Path) -> Result<Manifest, Failure> {
    match Manifest::read(path) {
        Err(ManifestError::Absent) => Ok(Manifest::default()),
        Err(ManifestError::Damaged(fault)) => {
            // If standard error is closed, nobody reads this.
            let _ = writeln!(
                io::stderr(),
                "warning: {} cannot be read ({fault}): the journal counts, and the next session \
                 writes a new one",
                path.display()
            );
            Ok(Manifest::default())
        }
        Err(fault @ ManifestError::Newer(_)) => {
            Err(Failure::Usage(format!("{}: {fault}", path.display())))
        }
        Ok(manifest) => Ok(manifest),
    }
}

/// Checks that the run in `directory` can be continued: the provenance in its
/// `manifest` must be `provenance`, that of this program under the run's settings.
///
/// The run of a version that recorded no provenance is checked by its games: the
/// first game of each bot is replayed. The fingerprints in the journal are checked
/// when it is opened.
pub fn check(
    directory: &RunDirectory,
    tournament: &Tournament,
    manifest: &Manifest,
    provenance: &Provenance,
) -> Result<(), Failure> {
    if manifest.provenance.is_some() {
        return check_provenance(directory, CONFIG, manifest, provenance);
    }
    let path = journal::path(directory.path());
    if !path.exists() {
        return Ok(());
    }
    let mut entries = journal::read(&path).map_err(|fault| refused(&fault))?;
    entries.retain(|entry| entry.fingerprint.is_none());
    crate::tournament::replay(tournament, &entries).map_err(|fault| match fault {
        ReplayError::Resource(fault) => fault.into(),
        fault => Failure::Usage(format!(
            "{} cannot go on with this program: {fault}; {}",
            directory.path().display(),
            origin(manifest)
        )),
    })
}

/// Checks that the provenance in the `manifest` of the run in `directory`, if there is one, is
/// `provenance`, that of this program under what the `files` of the run hold.
pub fn check_provenance(
    directory: &RunDirectory,
    files: &str,
    manifest: &Manifest,
    provenance: &Provenance,
) -> Result<(), Failure> {
    let Some(before) = &manifest.provenance else { return Ok(()) };
    let (folder, origin) = (directory.path().display(), origin(manifest));
    let fault = if before.settings != provenance.settings {
        format!("{files} is not what the run was begun with: undo the change")
    } else if before.openings != provenance.openings {
        format!("this program draws other openings; {origin}")
    } else {
        let bots = before.bots.iter().zip(&provenance.bots);
        let Some((then, now)) = bots.into_iter().find(|(then, now)| then != now) else {
            return Ok(());
        };
        format!(
            "bot {} plays otherwise in this program ({} and not {}); {origin}",
            now.name, now.signature, then.signature
        )
    };
    Err(Failure::Usage(format!("{folder} cannot go on: {fault}")))
}

/// The part of an error that names the program which played the run, as the remedy.
fn origin(manifest: &Manifest) -> String {
    match manifest.sessions.last().map(|session| &session.build) {
        Some(build) if build.commit != "unknown" => {
            let dirty = if build.dirty == Some(true) { " with changes" } else { "" };
            format!("it was played by commit {}{dirty}: check that out", build.commit)
        }
        _ => "go on with the program that began it".to_owned(),
    }
}

/// Writes the manifest `found` with `provenance`, and with `session` added at the end.
pub fn record(
    directory: &RunDirectory,
    found: Manifest,
    provenance: &Provenance,
    session: SessionRecord,
) -> Result<(), Failure> {
    record_as(MANIFEST, directory, found, provenance, session)
}

/// Writes a manifest as [`record`] does, into the file `name`.
pub fn record_as(
    name: &str,
    directory: &RunDirectory,
    found: Manifest,
    provenance: &Provenance,
    session: SessionRecord,
) -> Result<(), Failure> {
    let mut manifest = Manifest { provenance: Some(provenance.clone()), ..found };
    manifest.sessions.push(session);
    Ok(directory.write(name, &manifest.to_toml()?)?)
}
