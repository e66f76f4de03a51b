//! Chunks of a run: shares of its units, made by any process on any machine and merged later.

use super::session::{admit, lacking};
use super::{
    Build, CONFIG, Concurrency, Experiment, Fingerprint, LOCK, MANIFEST, Plan, Provenance, RowFile,
    Rows, Run, RunDirectory, RunError, RunLock, SessionRecord, check_provenance, config_of,
    difference, manifest_at, rows, saved_config,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use std::{fmt, fs, io};
use tengen_go::ParseError;
use tengen_search::ResourceFault;
use tengen_settings::CliOptions;

/// One of N equal parts of a run: every N-th of its shares, such as pairs of games.
/// Written `K/N`, K from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chunk {
    /// K of `K/N`, from 1.
    number: usize,
    of: usize,
}

impl FromStr for Chunk {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let parse = || {
            let (number, of) = text.split_once('/')?;
            let (number, of): (usize, usize) = (number.parse().ok()?, of.parse().ok()?);
            let is_valid = of <= 100_000 && (1..=of).contains(&number);
            is_valid.then_some(Self { number, of })
        };
        let forms = "K/N with K from 1 to N, and N at most 100000";
        parse().ok_or_else(|| ParseError::new("chunk", text, forms))
    }
}

impl fmt::Display for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Chunk {
    /// Whether the share with the number `share`, from 0, belongs to the chunk.
    #[must_use]
    pub const fn holds(self, share: usize) -> bool {
        share % self.of == self.number - 1
    }

    /// The chunk that a file of this name belongs to, if it is one.
    fn of_file(path: &Path) -> Option<Self> {
        let (number, of) =
            path.file_stem()?.to_str()?.strip_prefix("chunk-")?.split_once("-of-")?;
        format!("{number}/{of}").parse().ok()
    }

    /// The name of the chunk's files, without extension.
    #[must_use]
    pub fn stem(self) -> String {
        format!("chunk-{}-of-{}", self.number, self.of)
    }

    /// The file in `folder` that holds the chunk's rows once all are made.
    #[must_use]
    pub fn path(self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.csv", self.stem()))
    }

    /// Name of the file with the manifest of the chunk: which programs made it, when and on which
    /// machines.
    #[must_use]
    pub fn manifest(self) -> String {
        format!("{}.toml", self.stem())
    }
}

/// Result of making a chunk.
#[derive(Debug)]
pub struct PlayedChunk {
    /// Number of units that were made now.
    pub made: usize,
    /// The file of the chunk.
    pub path: PathBuf,
    /// Whether all units of the chunk are made.
    pub is_complete: bool,
    /// Whether a finished file had lost rows, which were made again.
    pub had_lost_rows: bool,
    /// The missing resource, if its lack stopped the process.
    pub lacking: Option<ResourceFault>,
}

/// The units of `experiment`, or of a `chunk` of it, without rows in `there`.
pub fn due<'a, E: Experiment>(
    experiment: &'a E,
    there: &'a Rows<E::Row>,
    chunk: Option<Chunk>,
) -> impl Iterator<Item = usize> + Send + 'a {
    let is_own = move |unit: usize| chunk.is_none_or(|chunk| chunk.holds(experiment.share(unit)));
    (0..experiment.most_units()).filter(move |&unit| !there.contains_key(&unit) && is_own(unit))
}

/// Makes `chunk` of `experiment` in `folder`, which all chunks share; none if no unit of the run is
/// left. The first chunk of a run notes its `plan`. Calls `told` before the first unit and after each
/// unit, with the number of units made and the number of all units of the chunk. Refuses the folder
/// of another run, and a chunk that another process is making. After an error, rows already made
/// stay.
#[allow(clippy::too_many_arguments)] // each is another thing
pub fn play_chunk<E: Experiment>(
    experiment: &E,
    folder: &Path,
    chunk: Chunk,
    provenance: &Provenance,
    build: Build,
    plan: Option<Plan>,
    on: Concurrency<'_>,
    stop: &AtomicBool,
    told: &mut (dyn FnMut(usize, usize) + Send),
) -> Result<Option<PlayedChunk>, RunError> {
    share(experiment, folder, provenance, (&build, plan), on)?;
    let fingerprint = provenance.fingerprint();
    let there = admit(experiment, fingerprint, rows::read(folder, E::ROWS)?, E::ROWS.as_ref())?;
    let due: BTreeSet<usize> = due(experiment, &there, Some(chunk)).collect();
    if due.is_empty() && experiment.is_over(&there) {
        return Ok(None);
    }
    let directory = RunDirectory::shared(folder)?;
    let _lock = RunLock::take(folder, &format!("{}.lock", chunk.stem()))?;
    let (path, partial) = (chunk.path(folder), folder.join(format!("{}.partial", chunk.stem())));
    let had_file = path.exists();
    let finished = if had_file { rows::read_file(&path)? } else { Vec::new() };
    let mut made_before = admit(experiment, fingerprint, finished, &path)?;
    made_before.retain(|unit, _| due.contains(unit));
    if had_file && made_before.len() == due.len() {
        let made =
            PlayedChunk { made: 0, path, is_complete: true, had_lost_rows: false, lacking: None };
        return Ok(Some(made));
    }
    let (mut file, begun) = RowFile::open(&partial)?;
    let begun = admit(experiment, fingerprint, begun, &partial)?;
    if had_file {
        // A finished file that lacks rows, such as one whose last lines were lost, counts as
        // unfinished again.
        for (_, rows) in made_before.iter().filter(|(unit, _)| !begun.contains_key(unit)) {
            file.append(rows, Some(fingerprint))?;
        }
        file.sync()?;
        fs::remove_file(&path).map_err(|why| RunError::write(&path, &why))?;
    }
    made_before.extend(begun.into_iter().filter(|(unit, _)| due.contains(unit)));
    let before = manifest_at(&folder.join(chunk.manifest()))?;
    let mut entry = SessionRecord::begin(on, build);
    let record = |entry: &SessionRecord| -> Result<(), RunError> {
        let mut manifest = before.clone();
        manifest.provenance = Some(provenance.clone().seen_from(folder));
        manifest.sessions.push(entry.clone());
        directory.write(&chunk.manifest(), toml::to_string(&manifest)?)
    };
    // This entry remains after a kill.
    record(&entry)?;
    let (started, mut made) = (Instant::now(), 0);
    let mut all: Rows<E::Row> = there;
    all.extend(made_before.clone());
    told(made_before.len(), due.len());
    let result = experiment.make(&all, Some(chunk), on, stop, &mut |rows| {
        file.append(rows, Some(fingerprint))?;
        made += 1;
        told(made_before.len() + made, due.len());
        Ok(())
    });
    // Rows already made are kept, even after a failure.
    file.sync()?;
    let lack = lacking(result)?;
    let is_complete = made_before.len() + made == due.len();
    entry.end(started.elapsed().as_secs_f64(), Some(made));
    record(&entry)?;
    if is_complete {
        fs::rename(&partial, &path).map_err(|why| RunError::write(&path, &why))?;
    }
    Ok(Some(PlayedChunk { made, path, is_complete, had_lost_rows: had_file, lacking: lack }))
}

/// Prepares the folder that all chunks of a run share: creates it with the settings and a manifest
/// if it is absent, and refuses it if it holds another run.
fn share<E: Experiment>(
    experiment: &E,
    folder: &Path,
    provenance: &Provenance,
    (build, plan): (&Build, Option<Plan>),
    on: Concurrency<'_>,
) -> Result<(), RunError> {
    let directory = RunDirectory::shared(folder)?;
    let is_begun = || {
        folder.join(CONFIG).exists()
            && manifest_at(&folder.join(MANIFEST)).is_ok_and(|m| m.provenance.is_some())
    };
    // Chunks that are begun at once wait for each other here, and nowhere else.
    let lock = if is_begun() { None } else { Some(RunLock::wait(folder, LOCK)?) };
    let config = experiment.config()?;
    if lock.is_some() && !folder.join(CONFIG).exists() {
        experiment.begin(&directory)?;
        directory.write(CONFIG, saved_config(experiment, &directory)?)?;
    }
    let mut manifest = manifest_at(&folder.join(MANIFEST))?;
    if let Some(difference) = difference(&E::Settings::settings(), &config_of(&directory)?, &config)
    {
        let folder = folder.display();
        return Err(RunError::Input(format!("{folder} holds another run ({difference})")));
    }
    experiment.check(&directory)?;
    check_provenance(folder, &manifest, provenance, build)?;
    if lock.is_some() && manifest.provenance.is_none() {
        let mut session = SessionRecord::begin(on, build.clone());
        session.end(0.0, Some(0));
        manifest.provenance = Some(provenance.clone().seen_from(folder));
        manifest.units = experiment.units();
        manifest.plan = plan;
        manifest.sessions.push(session);
        directory.write(MANIFEST, toml::to_string(&manifest)?)?;
    }
    Ok(())
}

impl Run {
    /// Merges the finished chunks into the rows of the run. All chunks must have been made under
    /// `provenance`. Nothing changes if a row is missing. After an error, a second merge adds the
    /// missing rows.
    pub fn merge<E: Experiment>(
        &mut self,
        experiment: &E,
        provenance: &Provenance,
    ) -> Result<(), RunError> {
        let folder = self.directory.path().to_path_buf();
        let fingerprint = provenance.fingerprint();
        let found = rows::read(&folder, E::ROWS)?;
        let there = admit(experiment, fingerprint, found, E::ROWS.as_ref())?;
        let due: Vec<usize> = due(experiment, &there, None).collect();
        if !due.is_empty() {
            self.add_rows(experiment, &folder, fingerprint, &there, &due)?;
        }
        self.add_sessions(&folder)?;
        if self.manifest.provenance.is_none() {
            self.manifest.provenance = Some(provenance.clone().seen_from(&folder));
        }
        self.directory.write(MANIFEST, toml::to_string(&self.manifest)?)
    }

    fn add_rows<E: Experiment>(
        &self,
        experiment: &E,
        folder: &Path,
        fingerprint: Fingerprint,
        there: &Rows<E::Row>,
        due: &[usize],
    ) -> Result<(), RunError> {
        let files = chunk_files(folder, "csv")?;
        let mut made: Rows<E::Row> = Rows::new();
        for path in &files {
            for (unit, rows) in admit(experiment, fingerprint, rows::read_file(path)?, path)? {
                made.entry(unit).or_insert(rows);
            }
        }
        let missing = due.iter().filter(|unit| !made.contains_key(unit));
        let shares: Vec<usize> = missing.map(|unit| experiment.share(*unit)).collect();
        check_missing(E::UNIT, folder, &files, &shares)?;
        // The file is written anew: it may have some rows of a unit whose other rows were cut off.
        let mut all = there.clone();
        all.extend(due.iter().filter_map(|unit| made.remove_entry(unit)));
        let all = all.values().flatten().map(|row| (row, Some(fingerprint)));
        self.directory.write(E::ROWS, rows::to_csv(all, true)?)
    }

    /// Adds the sessions in the manifests of the chunks in `folder`, in the order of time.
    fn add_sessions(&mut self, folder: &Path) -> Result<(), RunError> {
        for path in chunk_files(folder, "toml")? {
            for session in manifest_at(&path)?.sessions {
                // A second merge finds the sessions that the first one added.
                if !self.manifest.sessions.contains(&session) {
                    self.manifest.sessions.push(session);
                }
            }
        }
        self.manifest.sessions.sort_by(|one, other| one.started.cmp(&other.started));
        Ok(())
    }
}

/// The files in `folder` with the extension `extension` that belong to chunks, sorted: `csv` for
/// the rows of finished chunks, `toml` for their manifests. None if there is no folder.
pub fn chunk_files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, RunError> {
    let list = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    let mut paths = match list() {
        Err(why) if why.kind() == io::ErrorKind::NotFound => Vec::new(),
        paths => paths.map_err(|why| RunError::file("cannot list", folder, &why))?,
    };
    paths.retain(|path| {
        Chunk::of_file(path).is_some() && path.extension().is_some_and(|end| end == extension)
    });
    paths.sort();
    Ok(paths)
}

/// Refuses to merge the `files` of chunks in `folder` if units are missing; `shares` are the shares
/// of these units, `unit` is their name.
fn check_missing(
    unit: &str,
    folder: &Path,
    files: &[PathBuf],
    shares: &[usize],
) -> Result<(), RunError> {
    let chunks: BTreeSet<Chunk> = files.iter().filter_map(|path| Chunk::of_file(path)).collect();
    let what = match shares.len() {
        0 => return Ok(()),
        1 => format!("1 {unit} is"),
        count => format!("{count} {unit}s are"),
    };
    let short = chunks.iter().find(|chunk| shares.iter().any(|share| chunk.holds(*share)));
    let remedy = short.map_or("run the other chunks with --chunk".to_owned(), |chunk| {
        format!("{}.csv has lost rows, run --chunk {chunk} again", chunk.stem())
    });
    let folder = folder.display();
    Err(RunError::Input(format!("{what} in no finished chunk of {folder}: {remedy}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_chunk() {
        assert_eq!("2/3".parse(), Ok(Chunk { number: 2, of: 3 }));
        for text in ["0/3", "4/3", "1/0", "1", "a/b", "-1/3", "1/100001", ""] {
            assert!(text.parse::<Chunk>().is_err(), "{text}");
        }
    }
}
