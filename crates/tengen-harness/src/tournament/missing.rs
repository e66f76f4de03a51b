//! What keeps the chunks of a run from being merged: games that none of them holds.

use super::chunk::Chunk;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Games or positions of a run that are in no finished chunk.
#[derive(Debug, thiserror::Error)]
#[error("{what} in no finished chunk of {}: {}", folder.display(), remedy(*short))]
pub struct Missing {
    /// How many of what, and the verb.
    what: String,
    folder: PathBuf,
    /// A finished chunk that should hold one of them.
    short: Option<Chunk>,
}

fn remedy(short: Option<Chunk>) -> String {
    match short {
        None => "run the other chunks with --chunk".to_owned(),
        Some(chunk) => {
            format!("{}.csv has lost rows, run --chunk {chunk} again", chunk.stem())
        }
    }
}

impl Missing {
    /// Checks that nothing is missing in `folder`, whose finished chunks have these `files`.
    /// `shares` are the numbers by which [`Chunk::share`] deals out what is missing, and `unit`
    /// names one of it, as in `game`.
    ///
    /// # Errors
    /// If something is missing.
    pub fn check(
        unit: &'static str,
        folder: &Path,
        files: &[PathBuf],
        shares: impl IntoIterator<Item = usize>,
    ) -> Result<(), Self> {
        let chunks: BTreeSet<Chunk> =
            files.iter().filter_map(|path| Chunk::of_file(path)).collect();
        let sizes: BTreeSet<usize> = chunks.iter().map(|chunk| chunk.of()).collect();
        let (mut count, mut short) = (0, None);
        for share in shares {
            count += 1;
            short = short.or_else(|| {
                let mut holders = sizes.iter().map(|&of| Chunk::with(share, of));
                holders.find(|chunk| chunks.contains(chunk))
            });
        }
        let what = match count {
            0 => return Ok(()),
            1 => format!("1 {unit} is"),
            _ => format!("{count} {unit}s are"),
        };
        Err(Self { what, folder: folder.to_path_buf(), short })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_has_lost_rows_is_named() {
        let files =
            ["chunk-1-of-2.csv", "chunk-3-of-3.csv"].map(|name| Path::new("run").join(name));
        let said = |missing: &[usize]| {
            let checked = Missing::check("game", Path::new("run"), &files, missing.iter().copied());
            checked.map_err(|missing| missing.to_string())
        };
        assert_eq!(said(&[]), Ok(()));
        let rest = "in no finished chunk of run:";
        assert_eq!(
            said(&[1, 3]),
            Err(format!("2 games are {rest} run the other chunks with --chunk"))
        );
        for (share, chunk) in [
            (2, "1-of-2.csv has lost rows, run --chunk 1/2"),
            (5, "3-of-3.csv has lost rows, run --chunk 3/3"),
        ] {
            assert_eq!(said(&[share]), Err(format!("1 game is {rest} chunk-{chunk} again")));
        }
    }
}
