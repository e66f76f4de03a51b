//! `manifest.toml`: program, machine and sessions of a run.

use super::blocks::HostRecord;
use super::{Concurrency, Plan, Provenance, RunError};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Version of the format of a run's files. It grows when a column or a key changes
/// its meaning.
pub const SCHEMA: u32 = 2;

/// `manifest.toml`: with which program, when and on which machine a run was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the format of the run's files: the [`SCHEMA`] of the program that
    /// began the run.
    pub schema: u32,
    /// Number of units of the run, such as games; none where the rows decide the number.
    pub units: Option<usize>,
    /// Hashes of all that decides the rows; early runs have none.
    pub provenance: Option<Provenance>,
    /// The commit of the settings and the rule, if the run was begun from a committed file.
    pub plan: Option<Plan>,
    /// One entry for each time that the run was begun or resumed.
    #[serde(default, rename = "session")]
    pub sessions: Vec<SessionRecord>,
}

/// One process that worked on a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// Command line: program and arguments, as the shell passed them on.
    pub command: Vec<String>,
    /// When it began, UTC.
    pub started: String,
    /// When it ended, UTC; absent while it runs or if it was killed.
    pub finished: Option<String>,
    /// Wall-clock duration in seconds.
    pub seconds: Option<f64>,
    /// Number of units that it made, such as games.
    #[serde(alias = "games")]
    pub units: Option<usize>,
    /// Number of units that the run was to have, if known beforehand: it grows when the run is
    /// extended.
    pub scheduled: Option<usize>,
    /// Number of threads; no result depends on it.
    pub threads: usize,
    /// Most games that a thread had open at once with processes of another program; no
    /// result depends on it. Absent if it was one.
    pub games_per_thread: Option<usize>,
    /// The program.
    pub build: Build,
    /// The computer; that of the coordinator where other processes made the units.
    pub machine: Machine,
    /// The hosts whose processes made the units; none where this process did.
    #[serde(default, rename = "host", skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<HostRecord>,
}

/// The program that made a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Build {
    /// Version of the package.
    pub version: String,
    /// Commit of the sources, or `unknown` outside a checkout.
    pub commit: String,
    /// Whether the sources differed from that commit.
    pub dirty: Option<bool>,
    /// The compiler.
    pub compiler: String,
    /// Build profile: `release` or `debug`.
    pub profile: String,
    /// Name and version, by its own word, of the program that added its code to Tengen's; absent if
    /// Tengen itself made the run.
    pub program: Option<String>,
}

/// The computer that made a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the host, where it can be read.
    pub host: Option<String>,
    /// Operating system and architecture.
    pub platform: String,
    /// Name of the processor, where it can be read.
    pub cpu: Option<String>,
    /// Features of the processor that playouts may use.
    pub cpu_features: Vec<String>,
    /// Number of threads that the machine runs at once.
    pub parallelism: usize,
}

impl Default for Manifest {
    fn default() -> Self {
        Self { schema: SCHEMA, units: None, provenance: None, plan: None, sessions: Vec::new() }
    }
}

/// A manifest that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The manifest is missing.
    #[error("the manifest is missing")]
    Absent,
    /// The file cannot be read, or is not a manifest.
    #[error("{0}")]
    Damaged(String),
    /// A later version wrote it, whose files may mean something else.
    #[error("it is of schema {0}, which this program does not know: use the one that wrote it")]
    Newer(u32),
}

impl Manifest {
    /// The manifest at `path`.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let text = fs::read_to_string(path).map_err(|fault| match fault.kind() {
            ErrorKind::NotFound => ManifestError::Absent,
            _ => ManifestError::Damaged(fault.to_string()),
        })?;
        if text.trim().is_empty() {
            return Err(ManifestError::Damaged("it is empty".to_owned()));
        }
        let manifest: Self = toml::from_str(&text)
            .map_err(|fault| ManifestError::Damaged(fault.message().replace('\n', " ")))?;
        if manifest.schema > SCHEMA {
            return Err(ManifestError::Newer(manifest.schema));
        }
        Ok(manifest)
    }

    /// Whether the program `build` made the last session, as far as commits tell.
    #[must_use]
    pub fn is_by(&self, build: &Build) -> bool {
        let is_clean = |build: &Build| build.dirty == Some(false);
        self.sessions.last().is_some_and(|SessionRecord { build: last, .. }| {
            last.commit == build.commit && is_clean(last) && is_clean(build)
        })
    }

    /// The part of an error of the program `build` that gives the remedy: the program which made
    /// the run.
    #[must_use]
    pub fn origin(&self, build: &Build) -> String {
        match self.sessions.last().map(|session| &session.build) {
            // Its own code is in no commit of Tengen.
            Some(Build { program: Some(program), .. }) => {
                format!("the run was made by the program {program}: continue with that program")
            }
            Some(Build { commit, .. }) if self.is_by(build) => {
                format!(
                    "this program, commit {commit}, made the run: undo later changes to the settings, or \
                     to the files and programs that they name"
                )
            }
            Some(Build { commit, dirty, .. }) if commit != "unknown" => {
                let dirty = if *dirty == Some(true) { " with changes" } else { "" };
                format!("the run was made by commit {commit}{dirty}: {}", checkout(commit))
            }
            _ => "continue with the program that began the run".to_owned(),
        }
    }
}

/// The commands that check `commit` out, in a clone that may not have it yet, as one of `--depth 1`.
#[must_use]
pub fn checkout(commit: &str) -> String {
    format!("git fetch origin {commit} && git checkout {commit}")
}

/// The manifest in the file `path`; an empty one if it is absent, or, after a warning, if it is
/// damaged, since the rows are in a file of their own. Refuses a manifest of a later version.
pub fn manifest_at(path: &Path) -> Result<Manifest, RunError> {
    match Manifest::read(path) {
        Err(ManifestError::Absent) => Ok(Manifest::default()),
        Err(ManifestError::Damaged(fault)) => {
            // If standard error is closed, nobody reads this.
            let _ = writeln!(
                std::io::stderr(),
                "warning: {} cannot be read ({fault}): the rows count, and the next session \
                 writes a new one",
                path.display()
            );
            Ok(Manifest::default())
        }
        Err(fault @ ManifestError::Newer(_)) => {
            Err(RunError::Input(format!("{}: {fault}", path.display())))
        }
        Ok(manifest) => Ok(manifest),
    }
}

impl SessionRecord {
    /// A session that begins now.
    #[must_use]
    pub fn begin<'a>(on: impl Into<Concurrency<'a>>, build: Build) -> Self {
        let Concurrency { threads, games_per_thread, .. } = on.into();
        Self {
            command: std::env::args_os().map(|word| word.to_string_lossy().into()).collect(),
            started: now(),
            finished: None,
            seconds: None,
            units: None,
            scheduled: None,
            threads,
            games_per_thread: Some(games_per_thread).filter(|games| *games > 1),
            build,
            machine: Machine::this(),
            hosts: Vec::new(),
        }
    }

    /// Records that the session ended now, after `seconds` and so many `units`.
    pub fn end(&mut self, seconds: f64, units: Option<usize>) {
        self.finished = Some(now());
        self.seconds = Some((seconds * 1e3).round() / 1e3);
        self.units = units;
    }
}

impl Machine {
    /// The computer that this program runs on.
    #[must_use]
    pub fn this() -> Self {
        Self {
            host: host_name(),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            cpu: cpu_name(),
            cpu_features: cpu_features(),
            parallelism: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

fn now() -> String {
    let now = OffsetDateTime::now_utc();
    let seconds = now.replace_nanosecond(0).unwrap_or(now);
    seconds.format(&Rfc3339).unwrap_or_default()
}

/// Name of the host as the kernel has it: Linux only.
fn host_name() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Name of the processor from `/proc/cpuinfo`: Linux only.
fn cpu_name() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(target_arch = "x86_64")]
fn cpu_features() -> Vec<String> {
    macro_rules! detected {
        ($($name:tt),*) => {
            [$(($name, std::arch::is_x86_feature_detected!($name))),*]
        };
    }
    detected!(
        "popcnt",
        "bmi1",
        "bmi2",
        "avx2",
        "avx512f",
        "avx512bw",
        "avx512dq",
        "avx512vl",
        "avx512vbmi2",
        "avx512vpopcntdq"
    )
    .into_iter()
    .filter(|&(_, there)| there)
    .map(|(name, _)| name.to_owned())
    .collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn cpu_features() -> Vec<String> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(commit: &str, dirty: Option<bool>) -> Build {
        Build { commit: commit.to_owned(), dirty, ..Build::default() }
    }

    #[test]
    fn the_remedy_is_a_command_or_to_undo_a_change() {
        let this = build("c0ffee", Some(false));
        let origin = |made: Build| {
            let sessions = vec![SessionRecord::begin(1, made)];
            Manifest { sessions, ..Manifest::default() }.origin(&this)
        };
        let fetch = |commit: &str| format!("git fetch origin {commit} && git checkout {commit}");
        let made = origin(build("abad1dea", Some(false)));
        assert_eq!(made, format!("the run was made by commit abad1dea: {}", fetch("abad1dea")));
        // Whoever has checked the commit out is not told to check it out.
        let made = origin(this.clone());
        let expected = "this program, commit c0ffee, made the run: undo later changes";
        assert!(made.starts_with(expected), "{made}");
        let made = origin(build("c0ffee", Some(true)));
        let expected =
            format!("the run was made by commit c0ffee with changes: {}", fetch("c0ffee"));
        assert_eq!(made, expected);
        let began = "continue with the program that began the run";
        assert_eq!(Manifest::default().origin(&this), began);
        let unknown = origin(build("unknown", None));
        assert_eq!(unknown, began);
    }
}
