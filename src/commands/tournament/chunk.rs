//! What all programs do around a chunk of games: who plays it is recorded, and what came of it is
//! said.

use super::{folder, session_record, stop_on_ctrl_c};
use crate::commands::{Failure, refused};
use crate::results::{Provenance, RunDirectory, SessionRecord};
use crate::search::ResourceFault;
use crate::tournament::{Chunk, Concurrency};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Plays `chunk` in `folder` by `play_games`, which stops when the flag is set, calls the function
/// after each game, and returns what it lacked if that is why it stopped.
pub fn play(
    chunk: Chunk,
    folder: &Path,
    provenance: &Provenance,
    concurrency: impl Into<Concurrency>,
    output: &mut dyn Write,
    play_games: impl FnOnce(
        &AtomicBool,
        &mut (dyn FnMut() + Send),
    ) -> Result<Option<ResourceFault>, Failure>,
) -> Result<(), Failure> {
    let directory = RunDirectory::shared(folder).map_err(|fault| refused(&fault))?;
    let path = chunk.path(folder);
    let had_file = path.exists();
    let manifest = folder.join(chunk.manifest());
    let is_recorded = manifest.exists();
    let before = folder::manifest_at(&manifest)?;
    let record = |entry: &SessionRecord| {
        let name = chunk.manifest();
        folder::record_as(&name, &directory, before.clone(), provenance, entry.clone())
    };
    let stop = stop_on_ctrl_c()?;
    let (mut entry, started) = (session_record(concurrency.into()), Instant::now());
    let (mut games, mut begun) = (0, Ok(()));
    let lacking = play_games(&stop, &mut || {
        // From the first game on the chunk is this process's; a kill leaves this entry.
        if games == 0 {
            if had_file {
                warn_of_lost_rows(&path);
            }
            begun = record(&entry);
        }
        games += 1;
    })?;
    begun?;
    if games > 0 || !is_recorded {
        entry.end(started.elapsed().as_secs_f64(), Some(games));
        record(&entry)?;
    }
    if path.exists() {
        writeln!(output, "{games} games played, the chunk is complete: {}", path.display())?;
        Ok(())
    } else {
        let why = lacking.map_or(String::new(), |fault| format!("{fault}: "));
        Err(anyhow::anyhow!("{why}stopped after {games} games: run the same command again").into())
    }
}

/// Says that the file `path` of a finished chunk has lost rows, which are made again.
pub fn warn_of_lost_rows(path: &Path) {
    // If standard error is closed, nobody reads this.
    let _ = writeln!(
        io::stderr(),
        "warning: {} has lost rows: what is missing is made again",
        path.display()
    );
}
