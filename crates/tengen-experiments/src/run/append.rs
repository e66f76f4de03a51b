//! A file that grows by what is finished, each piece by one write.

use super::RunError;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Shortest interval between two syncs of a file to the disk. Between them a kill of the process
/// loses nothing; only a failure of the machine does.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A file to which pieces are appended. A kill may cut off the last piece, which a reader of the
/// file has to recognise.
#[derive(Debug)]
pub struct AppendFile {
    file: File,
    path: PathBuf,
    synced: Instant,
}

impl AppendFile {
    /// Opens the file at `path`, creating it if it is absent.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        let mut options = OpenOptions::new();
        let opened = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(|why| RunError::file("cannot open", path, &why))?;
        Ok(Self { file, path: path.to_path_buf(), synced: Instant::now() })
    }

    /// The file to be continued after its first `bytes`; what follows them is cut off.
    pub fn continued_at(mut self, bytes: u64) -> Result<Self, RunError> {
        let mut cut = || {
            if self.file.metadata()?.len() > bytes {
                self.file.set_len(bytes)?;
            }
            self.file.seek(SeekFrom::Start(bytes))
        };
        cut().map_err(|why: io::Error| RunError::file("cannot open", &self.path, &why))?;
        Ok(self)
    }

    /// Appends `piece`, and syncs the file if the last sync was a second ago. If `piece` cannot be
    /// written, the earlier contents stay.
    pub fn append(&mut self, piece: &[u8]) -> Result<(), RunError> {
        let io = |why: io::Error| RunError::write(&self.path, &why);
        let before = self.file.stream_position().map_err(io)?;
        if let Err(why) = self.file.write_all(piece) {
            // If this fails too, the next opening removes the partial piece.
            let _ = self.file.set_len(before);
            return Err(io(why));
        }
        if self.synced.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    /// Syncs all that was written so far to the disk.
    pub fn sync(&mut self) -> Result<(), RunError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|why| RunError::write(&self.path, &why))
    }
}
