//! The folder of a run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use time::OffsetDateTime;

/// A folder that holds one run and nothing else.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    /// The topmost folder that was made for it, if any was.
    made: Option<PathBuf>,
}

/// A folder or a file that could not be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct DirectoryError {
    path: PathBuf,
    source: io::Error,
}

impl RunDirectory {
    /// `results/<date>-<name>` below the current folder, the date being
    /// today's in UTC.
    #[must_use]
    pub fn default_path(name: &str) -> PathBuf {
        let today = OffsetDateTime::now_utc().date();
        Path::new("results").join(format!("{today}-{name}"))
    }

    /// Makes the folder `wanted`; if that holds something already, `wanted-2`,
    /// `wanted-3` and so on.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn create(wanted: &Path) -> Result<Self, DirectoryError> {
        let mut number = 1;
        loop {
            let path = if number == 1 {
                wanted.to_path_buf()
            } else {
                let mut name = wanted.as_os_str().to_owned();
                name.push(format!("-{number}"));
                PathBuf::from(name)
            };
            let made = path
                .ancestors()
                .filter(|folder| !folder.as_os_str().is_empty())
                .take_while(|folder| !folder.exists())
                .last()
                .map(Path::to_path_buf);
            let error = |source| DirectoryError { path: path.clone(), source };
            fs::create_dir_all(&path).map_err(error)?;
            if fs::read_dir(&path).map_err(error)?.next().is_none() {
                let directory = Self { path, made };
                return directory.check_writable();
            }
            number += 1;
        }
    }

    /// Tries the folder with a file, so that what cannot be written is told
    /// before the first game.
    fn check_writable(self) -> Result<Self, DirectoryError> {
        let probe = self.path.join(".probe");
        match fs::write(&probe, "probe").and_then(|()| fs::remove_file(&probe)) {
            Ok(()) => Ok(self),
            Err(source) => {
                let path = self.path.clone();
                self.discard();
                Err(DirectoryError { path, source })
            }
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file `name`, replacing it as a whole: by another name first.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, contents: &str) -> Result<(), DirectoryError> {
        let path = self.path.join(name);
        let partial = self.path.join(format!("{name}.partial"));
        fs::write(&partial, contents)
            .and_then(|()| fs::rename(&partial, &path))
            .map_err(|source| DirectoryError { path, source })
    }

    /// Makes the folder `name` inside.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn subfolder(&self, name: &str) -> Result<PathBuf, DirectoryError> {
        let path = self.path.join(name);
        match fs::create_dir_all(&path) {
            Ok(()) => Ok(path),
            Err(source) => Err(DirectoryError { path, source }),
        }
    }

    /// Removes the folder again, with the parents that were made for it: for a
    /// run that never began.
    pub fn discard(self) {
        // Nothing is lost if this fails: the reason why the run never began is
        // on its way to the user.
        let _ = match &self.made {
            Some(made) => fs::remove_dir_all(made),
            None => Ok(()),
        };
    }
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
        // An empty folder is nobody's run.
        let third = RunDirectory::create(&scratch.path().join("deep/run-2")).unwrap();
        assert_eq!(third.path(), second.path());
    }

    #[test]
    fn a_discarded_run_leaves_nothing() {
        let scratch = tempfile::tempdir().unwrap();
        RunDirectory::create(&scratch.path().join("deep/run")).unwrap().discard();
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_unwritable_place_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("file");
        fs::write(&file, "").unwrap();
        let error = RunDirectory::create(&file.join("run")).unwrap_err().to_string();
        assert!(error.contains("file/run"), "{error}");
    }
}
