//! Folders of runs: the server reads no other files, and none outside the runs folder.

use crate::server::refused::Refused;
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};
use tengen_experiments::run::{MANIFEST, Manifest};
use tengen_experiments::tournament::Outline;

/// The largest file that is read, in bytes: 10⁶ games are 300 MB.
const MAX_BYTES: u64 = 512 << 20;

/// The most folders that are listed.
const MAX_RUNS: usize = 2_000;

/// A folder with one of these files is a run, or a study that sums runs up.
const MARKS: [&str; 6] =
    ["manifest.toml", "config.toml", "study.toml", "README.md", "games.csv", "rounds.csv"];

/// The folder of a run, which is known to lie inside the runs folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// Its path from the runs folder, with `/` between the parts.
    pub name: String,
    path: PathBuf,
}

/// State of a file of a run, by which a change is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Length in bytes.
    pub bytes: u64,
    /// Milliseconds between 1970 and the last change.
    pub changed: u64,
    /// The inode, which tells the file from another one that takes its name; 0 if not on Unix.
    pub identity: u64,
}

/// Milliseconds between 1970 and `time`; none if it is earlier.
fn since_1970(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    Some(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Milliseconds since 1970.
pub fn now() -> u64 {
    since_1970(SystemTime::now()).unwrap_or_default()
}

#[cfg(unix)]
fn identity(about: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(about)
}

#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> u64 {
    0
}

/// Whether `part` may be a part of a run's name: one folder that is neither `..` nor hidden.
pub fn is_part(part: &str) -> bool {
    let mut components = Path::new(part).components();
    let is_one = matches!(components.next(), Some(Component::Normal(name)) if name == part);
    is_one && components.next().is_none() && !part.starts_with('.')
}

/// The path `name` below `root`; none if a part of it is hidden or might lead elsewhere, as `..` and
/// links do.
pub fn below(root: &Path, name: &str) -> Option<PathBuf> {
    let path = root.canonicalize().ok()?.join(name);
    // A path without links stays the same.
    (name.split('/').all(is_part) && path.canonicalize().ok()? == path).then_some(path)
}

/// The names in `folder` that may be parts of a run's name, in order.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_part(name)).collect();
    names.sort_unstable();
    names
}

impl RunFolder {
    /// The run `name` below `root`: a folder, or a folder in a folder, such as the validation
    /// of a tuning. Refuses a path with a link, which might lead out of `root`.
    pub fn find(root: &Path, name: &str) -> Result<Self, Refused> {
        let absent = || Refused::absent(format!("unknown run `{name}`"));
        let is_near = name.matches('/').count() < 2;
        let path = below(root, name).filter(|path| is_near && path.is_dir());
        let path = path.ok_or_else(absent)?;
        let folder = Self { name: name.to_owned(), path };
        if !MARKS.iter().any(|name| folder.stamp(name).is_some()) {
            return Err(absent());
        }
        Ok(folder)
    }

    /// The folder `name` inside the run's folder; none if it does not exist or is a link.
    pub fn part(&self, name: &str) -> Option<Self> {
        let path = self.path.join(name);
        let is_folder = is_part(name) && fs::symlink_metadata(&path).ok()?.is_dir();
        is_folder.then(|| Self { name: format!("{}/{name}", self.name), path })
    }

    /// The names of its files that end in `end`, in order.
    pub fn names(&self, end: &str) -> Vec<String> {
        let mut names = names_in(&self.path);
        names.retain(|name| name.ends_with(end) && self.stamp(name).is_some());
        names
    }

    /// The runs below `root`, the last by name first. Hidden folders, links, and names that are
    /// not UTF-8 are left out.
    pub fn all(root: &Path) -> Vec<Self> {
        let mut runs = Vec::new();
        for name in names_in(root).into_iter().rev() {
            let Ok(run) = Self::find(root, &name) else { continue };
            let inner = names_in(&run.path);
            runs.push(run);
            let inner = inner.iter().rev().map(|part| format!("{name}/{part}"));
            runs.extend(inner.filter_map(|name| Self::find(root, &name).ok()));
            if runs.len() >= MAX_RUNS {
                break;
            }
        }
        runs
    }

    /// Length and time of the file `name`; none if there is none.
    pub fn stamp(&self, name: &str) -> Option<Stamp> {
        let about = fs::symlink_metadata(self.path.join(name)).ok()?;
        let changed = since_1970(about.modified().ok()?)?;
        let identity = identity(&about);
        about.is_file().then_some(Stamp { bytes: about.len(), changed, identity })
    }

    /// The path of the file `name`, which is no link and not too large.
    pub fn file(&self, name: &str) -> Result<PathBuf, Refused> {
        match self.stamp(name) {
            None => Err(Refused::absent(format!("{} has no {name}", self.name))),
            Some(Stamp { bytes, .. }) if bytes > MAX_BYTES => {
                Err(Refused::bad(format!("{name} of {} is too large to be shown", self.name)))
            }
            Some(_) => Ok(self.path.join(name)),
        }
    }

    /// The text of the file `name`.
    pub fn read(&self, name: &str) -> Result<String, Refused> {
        let read = io::read_to_string(self.open(name)?);
        read.map_err(|fault| Refused::bad(format!("{name} of {}: {fault}", self.name)))
    }

    /// The manifest; none if it is missing or cannot be read.
    pub fn manifest(&self) -> Option<Manifest> {
        Manifest::read(&self.file(MANIFEST).ok()?).ok()
    }

    /// The settings of a tournament, as far as its rows need them; none of another run.
    pub fn outline(&self) -> Option<Outline> {
        Outline::of(&self.read("config.toml").ok()?.parse().ok()?).ok()
    }

    /// The file `name`, for reading.
    pub fn open(&self, name: &str) -> Result<fs::File, Refused> {
        let path = self.file(name)?;
        fs::File::open(path)
            .map_err(|fault| Refused::absent(format!("{name} of {}: {fault}", self.name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(root: &Path, name: &str) {
        fs::create_dir_all(root.join(name)).unwrap();
        fs::write(root.join(name).join("config.toml"), "name = \"x\"").unwrap();
    }

    #[test]
    fn no_name_leaves_the_folder() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().join("results");
        run(scratch.path(), "outside");
        run(&root, "inside");
        run(&root, "inside/validation");
        fs::create_dir(root.join("empty")).unwrap();
        assert!(RunFolder::find(&root, "inside").is_ok());
        assert!(RunFolder::find(&root, "inside/validation").is_ok());
        let names = "|.|..|../outside|inside/../../outside|/etc|inside/|//|empty|inside\0|absent|\
                     inside/validation/..|inside\\..\\..|config.toml|inside/validation/x|\
                     %2e%2e/outside";
        for name in names.split('|') {
            assert!(RunFolder::find(&root, name).is_err(), "{name}");
        }
        let names: Vec<String> = RunFolder::all(&root).into_iter().map(|run| run.name).collect();
        assert_eq!(names, ["inside", "inside/validation"]);
    }

    #[test]
    fn a_run_may_have_any_name() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path();
        let mut names = vec!["2026-01-01 größe (5×5), komi=0.5", "a&b#c%2f@~", "'x'/$y;", "碁"];
        for name in &names {
            run(root, name);
        }
        names.push("'x'");
        fs::write(root.join("'x'/config.toml"), "").unwrap();
        names.sort_unstable();
        let mut found: Vec<_> = RunFolder::all(root).into_iter().map(|run| run.name).collect();
        found.sort_unstable();
        assert_eq!(found, names);
        run(root, ".hidden");
        assert!(RunFolder::find(root, ".hidden").is_err());
        assert_eq!(RunFolder::all(root).len(), names.len());
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leaves_the_folder() {
        use std::os::unix::fs::symlink;
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().join("results");
        run(scratch.path(), "outside");
        run(&root, "inside");
        symlink(scratch.path().join("outside"), root.join("link")).unwrap();
        fs::write(scratch.path().join("secret"), "secret").unwrap();
        symlink(scratch.path().join("secret"), root.join("inside/report.html")).unwrap();
        assert!(RunFolder::find(&root, "link").is_err());
        assert_eq!(RunFolder::all(&root).len(), 1);
        let inside = RunFolder::find(&root, "inside").unwrap();
        assert!(inside.read("config.toml").is_ok());
        assert!(inside.read("report.html").is_err());
        assert_eq!(inside.stamp("report.html"), None);
    }
}
