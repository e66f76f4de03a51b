//! A lock on the folder of a run: one process at a time writes it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longest time for which [`RunLock::wait`] waits.
const PATIENCE: Duration = Duration::from_secs(10);

/// A lock on the folder of a run. The kernel releases it when the process ends,
/// however it ends.
#[derive(Debug)]
pub struct RunLock {
    folder: PathBuf,
    _file: File,
}

/// The run cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds the lock.
    #[error("{} is being written by another process: wait for it or stop it", path.display())]
    Taken {
        /// The folder of the run, or in it what a lock `<name>.lock` protects.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("cannot lock {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl RunLock {
    /// Takes the lock `name` of the run in `folder`, or `<part>.lock` of a part of it.
    ///
    /// # Errors
    /// If another process has it, or the file cannot be made.
    pub fn take(folder: &Path, name: &str) -> Result<Self, LockError> {
        let path = folder.join(name);
        let refused = |source| LockError::Io { path: path.clone(), source };
        let file = File::create(&path).map_err(refused)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { folder: folder.to_path_buf(), _file: file }),
            Err(TryLockError::WouldBlock) => {
                let part = path.extension().map(|_| path.with_extension(""));
                Err(LockError::Taken { path: part.unwrap_or_else(|| folder.to_path_buf()) })
            }
            Err(TryLockError::Error(source)) => Err(refused(source)),
        }
    }

    /// Takes the lock `name` of the run in `folder`, waiting up to 10 seconds for
    /// another process to release it: for locks that are held briefly.
    ///
    /// # Errors
    /// If another process holds it all that time, or the file cannot be made.
    pub fn wait(folder: &Path, name: &str) -> Result<Self, LockError> {
        let patience = Instant::now() + PATIENCE;
        loop {
            match Self::take(folder, name) {
                Err(LockError::Taken { .. }) if Instant::now() < patience => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                taken => return taken,
            }
        }
    }

    /// The folder of the run.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_refused_until_the_first_is_gone() {
        let scratch = tempfile::tempdir().unwrap();
        let first = RunLock::take(scratch.path(), "lock").unwrap();
        let error = RunLock::take(scratch.path(), "lock").unwrap_err();
        let said = |path: &Path| {
            format!(
                "{} is being written by another process: wait for it or stop it",
                path.display()
            )
        };
        assert_eq!(error.to_string(), said(scratch.path()));
        drop(first);
        RunLock::take(scratch.path(), "lock").unwrap();
        let _part = RunLock::take(scratch.path(), "solved.csv.lock").unwrap();
        let error = RunLock::take(scratch.path(), "solved.csv.lock").unwrap_err();
        assert_eq!(error.to_string(), said(&scratch.path().join("solved.csv")));
    }
}
