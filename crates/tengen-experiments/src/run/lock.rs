//! A lock on the folder of a run: one process at a time writes it.

use super::RunError;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// Name of the lock file of a run.
pub const LOCK: &str = "lock";

/// Longest time for which [`RunLock::wait`] waits.
const PATIENCE: Duration = Duration::from_secs(10);

/// Time for which [`RunLock::take`] waits: while this process starts another one, such as a GTP
/// program, the new process holds a copy of the lock's file until it begins, even of a released
/// lock.
const MOMENT: Duration = Duration::from_millis(500);

/// A lock on the folder of a run. The kernel releases it when the process ends,
/// however it ends.
#[derive(Debug)]
pub struct RunLock(#[allow(dead_code)] File); // held

impl RunLock {
    /// Takes the lock `name` of the run in `folder`, or `<part>.lock` of a part of it.
    pub fn take(folder: &Path, name: &str) -> Result<Self, RunError> {
        Self::take_after(folder, name, MOMENT)
    }

    /// Takes the lock `name` of the run in `folder`, waiting up to 10 seconds for
    /// another process to release it: for locks that are held briefly.
    pub fn wait(folder: &Path, name: &str) -> Result<Self, RunError> {
        Self::take_after(folder, name, PATIENCE)
    }

    fn take_after(folder: &Path, name: &str, patience: Duration) -> Result<Self, RunError> {
        let path = folder.join(name);
        let refused = |why| RunError::file("cannot lock", &path, &why);
        let file = File::create(&path).map_err(refused)?;
        let until = Instant::now() + patience;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                Err(TryLockError::WouldBlock) if Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => {
                    let part = path.extension().map(|_| path.with_extension(""));
                    let what = part.unwrap_or_else(|| folder.to_path_buf());
                    return Err(RunError::Input(format!(
                        "{} is being written by another process: wait for it or stop it",
                        what.display()
                    )));
                }
                Err(TryLockError::Error(why)) => return Err(refused(why)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_lock_that_is_released_in_a_moment_is_taken_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let held = RunLock::take(folder.path(), LOCK).unwrap();
        let said = RunLock::take(folder.path(), LOCK).unwrap_err().to_string();
        assert!(said.contains("is being written by another process"), "{said}");
        thread::spawn(move || {
            thread::sleep(MOMENT / 5);
            drop(held);
        });
        RunLock::take(folder.path(), LOCK).unwrap();
    }
}
