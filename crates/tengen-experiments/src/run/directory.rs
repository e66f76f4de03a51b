//! The folder of a run.

use super::{RunError, SEARCHES};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tengen_settings::{SettingError, files};
use time::OffsetDateTime;

/// A folder that holds one run and nothing else.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    /// Topmost folder created for this run; none if all folders existed.
    created: Option<PathBuf>,
}

/// Files that a run creates before it writes its settings.
const BEGINNINGS: [&str; 4] = [".probe", "lock", "config.toml.partial", SEARCHES];

/// Whether the folder is empty, or holds only leftovers of a run that was killed before it wrote
/// its settings.
fn is_free(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        if !BEGINNINGS.iter().any(|name| entry.as_ref().is_ok_and(|e| e.file_name() == *name)) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn cannot_write(path: &Path, why: &io::Error) -> RunError {
    RunError::file("cannot write", path, why)
}

/// CSV text of `rows`, with the names of their fields as the header; empty without rows.
pub fn to_csv<T: Serialize>(rows: impl IntoIterator<Item = T>) -> Result<String, RunError> {
    csv_lines(rows, true)
}

/// The lines of CSV text of `rows`, after the names of their fields if `has_header`.
pub(crate) fn csv_lines<T: Serialize>(
    rows: impl IntoIterator<Item = T>,
    has_header: bool,
) -> Result<String, RunError> {
    let mut writer = csv::WriterBuilder::new().has_headers(has_header).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    let text = writer.into_inner().map_err(|fault| RunError::Work(fault.to_string()))?;
    String::from_utf8(text).map_err(|fault| RunError::Work(fault.to_string()))
}

/// Writes the file `path` by `write`, replacing it as a whole: writes and syncs `path.partial`, then
/// renames it, so that a failure of the machine leaves either the old contents or the new. If the file cannot
/// be written, the contents before stay.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), RunError> {
    let partial = partial(path);
    let replace = || {
        let mut file = File::create(&partial)?;
        write(&mut file)?;
        file.sync_all()?;
        fs::rename(&partial, path)
    };
    replace().map_err(|why| {
        // A part of a file is of no use, and takes room where a disk is full.
        let _ = fs::remove_file(&partial);
        RunError::write(path, &why)
    })
}

/// The file that is renamed to `path` once it is written.
fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

impl RunDirectory {
    /// Default folder of a run: `runs/<date>-<name>` below the current folder, with today's date
    /// in UTC.
    #[must_use]
    pub fn default_path(name: &str) -> PathBuf {
        let today = OffsetDateTime::now_utc().date();
        Path::new("runs").join(format!("{today}-{name}"))
    }

    /// Creates the folder `wanted` for a new run; if that holds something already,
    /// `wanted-2`, `wanted-3` and so on.
    pub fn create(wanted: &Path) -> Result<Self, RunError> {
        // Without a slash at the end: `-2` after a slash would name a folder inside.
        let mut wanted: PathBuf = wanted.components().collect();
        if wanted.as_os_str().is_empty() {
            wanted.push(".");
        }
        for number in 1_u64.. {
            let mut name = wanted.as_os_str().to_owned();
            if number > 1 {
                name.push(format!("-{number}"));
            }
            let directory = Self::make(name.into())?;
            if is_free(&directory.path).map_err(|why| cannot_write(&directory.path, &why))? {
                return directory.check_writable();
            }
            // `/`, `.` and `..` have no name to which a number could be added.
            if wanted.file_name().is_none() {
                break;
            }
        }
        Err(RunError::Input(format!(
            "invalid folder {} of a run: it holds something already and has no name; expected a \
             name, as in DIR/NAME",
            wanted.display()
        )))
    }

    /// Creates the folder `path` and its parents; if that fails, removes the parents
    /// that it created.
    fn make(path: PathBuf) -> Result<Self, RunError> {
        let created = path
            .ancestors()
            .filter(|folder| !folder.as_os_str().is_empty())
            .take_while(|folder| !folder.exists())
            .last()
            .map(Path::to_path_buf);
        let directory = Self { path, created };
        let Err(why) = fs::create_dir_all(&directory.path) else { return Ok(directory) };
        // Only empty folders are removed.
        let parents = directory.path.ancestors().skip(1);
        let is_ours =
            |path: &&Path| directory.created.as_ref().is_some_and(|top| path.starts_with(top));
        for parent in parents.take_while(is_ours) {
            let _ = fs::remove_dir(parent);
        }
        Err(cannot_write(&directory.path, &why))
    }

    /// Opens the folder `path` of an existing run, which holds its `config.toml`.
    pub fn existing(path: &Path) -> Result<Self, RunError> {
        match fs::metadata(path.join("config.toml")) {
            Ok(_) => Ok(Self { path: path.to_path_buf(), created: None }),
            Err(why) => Err(RunError::Input(format!(
                "{} holds no run, since its config.toml cannot be read: {why}",
                path.display()
            ))),
        }
    }

    /// Opens the folder `path` for a run that several processes share: creates it if
    /// it is absent, and accepts whatever it holds.
    pub fn shared(path: &Path) -> Result<Self, RunError> {
        // Another process may have written rows by now: `discard` must not remove the folder.
        Self { created: None, ..Self::make(path.to_path_buf())? }.check_writable()
    }

    /// Reads the file `name`.
    pub fn read(&self, name: &str) -> Result<String, RunError> {
        let path = self.path.join(name);
        files::read_to_string(&path).map_err(|why| RunError::file("cannot read", &path, &why))
    }

    /// Writes a file into the folder as a test, so that a folder that cannot be
    /// written is refused before the first unit.
    fn check_writable(self) -> Result<Self, RunError> {
        let probe = self.path.join(".probe");
        // Another process that tries the folder too may remove it first.
        let remove = || match fs::remove_file(&probe) {
            Err(gone) if gone.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        };
        match fs::write(&probe, "probe").and_then(|()| remove()) {
            Ok(()) => Ok(self),
            Err(why) => {
                let path = self.path.clone();
                self.discard();
                Err(cannot_write(&path, &why))
            }
        }
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file `name`, replacing it as a whole ([`replace`]).
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<(), RunError> {
        replace(&self.path.join(name), |file| file.write_all(contents.as_ref()))
    }

    /// Writes the CSV file `name` with these `rows`, whose fields are the columns, as
    /// [`Self::write`] does; it is empty without rows.
    pub fn write_csv<T: Serialize>(
        &self,
        name: &str,
        rows: impl IntoIterator<Item = T>,
    ) -> Result<(), RunError> {
        self.write(name, to_csv(rows)?)
    }

    /// Creates the folder `name` inside the run's folder.
    pub fn subfolder(&self, name: &str) -> Result<PathBuf, RunError> {
        let path = self.path.join(name);
        fs::create_dir_all(&path).map_err(|why| RunError::write(&path, &why))?;
        Ok(path)
    }

    /// Removes the folder and the parents that were created for it, for a run that
    /// never began; does nothing if the folder existed before.
    pub fn discard(self) {
        // Nothing is lost if this fails: the reason why the run never began is
        // on its way to the user.
        let _ = self.created.map_or(Ok(()), fs::remove_dir_all);
    }
}

/// The longest name of a run. With a date before it and a number after it, it names a folder, and
/// systems limit such names to 255 bytes.
const MAX_NAME: usize = 100;

/// Checks that `name` can be the name of a run, which is part of the name of its folder.
pub fn check_name(name: &str) -> Result<(), SettingError> {
    check_name_to(MAX_NAME, name)
}

/// Checks that `name` can be the name of a run whose parts are runs too, and add to the name.
pub fn check_name_of_parts(name: &str) -> Result<(), SettingError> {
    check_name_to(MAX_NAME - "-validation".len(), name)
}

fn check_name_to(most: usize, name: &str) -> Result<(), SettingError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if (1..=most).contains(&name.len()) && name.chars().all(allowed) {
        return Ok(());
    }
    let said = format!(
        "invalid name of a run `{name}`: expected 1 to {most} letters, digits, `_`, `.` and `-`"
    );
    Err(SettingError::of("name", said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_existing_run_is_left_alone() {
        let scratch = tempfile::tempdir().unwrap();
        let wanted = scratch.path().join("deep/run");
        let first = RunDirectory::create(&wanted).unwrap();
        assert_eq!(first.path(), wanted);
        first.write("games.csv", "game\n").unwrap();
        let second = RunDirectory::create(&wanted).unwrap();
        assert_eq!(second.path(), scratch.path().join("deep/run-2"));
        assert_eq!(fs::read_to_string(wanted.join("games.csv")).unwrap(), "game\n");
        let slash = RunDirectory::create(&scratch.path().join("deep/run/")).unwrap();
        assert_eq!(slash.path(), second.path());
        // An empty folder is nobody's run.
        let third = RunDirectory::create(&scratch.path().join("deep/run-2")).unwrap();
        assert_eq!(third.path(), second.path());
        // Nor is one whose first process was killed before it wrote anything.
        for name in BEGINNINGS {
            fs::write(second.path().join(name), "").unwrap();
        }
        let fourth = RunDirectory::create(&wanted).unwrap();
        assert_eq!(fourth.path(), second.path());
        fourth.write("config.toml", "").unwrap();
        assert_ne!(RunDirectory::create(&wanted).unwrap().path(), second.path());
    }

    #[test]
    fn a_discarded_run_leaves_nothing() {
        let scratch = tempfile::tempdir().unwrap();
        RunDirectory::create(&scratch.path().join("deep/run")).unwrap().discard();
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_cannot_be_made_leaves_no_parents() {
        let scratch = tempfile::tempdir().unwrap();
        let wanted = scratch.path().join("results/deep").join("n".repeat(300));
        let error = RunDirectory::create(&wanted).unwrap_err().to_string();
        assert!(error.contains("nnn"), "{error}");
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    }
}
