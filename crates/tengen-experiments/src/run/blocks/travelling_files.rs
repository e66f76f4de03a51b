//! Files that the settings of a run name, on their way to worker processes.
//!
//! In a block, a text with the digest of a file stands for its path. A worker process keeps the files by
//! digest in a folder that it shares with other processes of its user.

use super::Part;
use crate::run::{RunError, files};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use toml::Table;

/// Files that settings name, by path: the text that replaces the path in a block, and the file.
#[derive(Debug, Default)]
pub(crate) struct TravellingFiles(BTreeMap<String, (String, Part)>);

impl TravellingFiles {
    /// Reads the files that `settings` name.
    pub(crate) fn of(mut settings: Table) -> Result<Self, RunError> {
        let mut files = BTreeMap::new();
        let mut fault = None;
        files::each(&mut settings, &mut |_, path| {
            match fs::read(path) {
                Ok(bytes) => {
                    let part = Part::of(bytes);
                    let name = token(&part.digest, path);
                    files.insert(path.to_owned(), (name, part));
                }
                Err(why) => fault = Some(RunError::file("cannot read", Path::new(path), &why)),
            }
            None
        });
        fault.map_or(Ok(Self(files)), Err)
    }

    /// Replaces the paths in `settings` by the texts for a block.
    pub(crate) fn replace(&self, settings: &mut Table) {
        files::each(settings, &mut |_, path| Some(self.0.get(path)?.0.clone()));
    }

    /// The digests and the names of the files.
    pub(super) fn names(&self) -> Vec<(String, String)> {
        let name = |(path, (_, part)): (&String, &(_, Part))| (part.digest.clone(), path.clone());
        self.0.iter().map(name).collect()
    }

    /// The files as parts of blocks.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part> {
        self.0.values().map(|(_, part)| part.clone())
    }
}

/// Keeps the file `name` with this `digest` on this host, if it is there or among the parts that `take`
/// gives; returns whether it is.
pub(super) fn keep(
    digest: &str,
    name: &str,
    take: impl FnOnce() -> Option<Part>,
) -> Result<bool, RunError> {
    let path = path_of(digest, name);
    if is_there(&path, digest) {
        return Ok(true);
    }
    let part = take();
    part.map_or(Ok(false), |part| write(&path, &part.bytes).map(|()| true))
}

/// The settings in the TOML `text` of a block, with the paths of files on this host.
pub(crate) fn located(text: &str) -> Result<Table, RunError> {
    let settings: Result<Table, _> = text.parse();
    let mut settings = settings.map_err(|why: toml::de::Error| RunError::Input(why.to_string()))?;
    files::each(&mut settings, &mut |_, path| {
        let file = path.strip_prefix(TOKEN)?;
        folder().join(file).to_str().map(str::to_owned)
    });
    Ok(settings)
}

/// The folder in which the worker processes of a user on this host keep files by digest.
fn folder() -> PathBuf {
    let user = ["USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let user: String = user.unwrap_or_default().chars().filter(|c| c.is_alphanumeric()).collect();
    std::env::temp_dir().join(format!("tengen-files-{user}"))
}

fn path_of(digest: &str, name: &str) -> PathBuf {
    // The extension of a name may decide how a file is read.
    let end = Path::new(name).extension().and_then(|end| end.to_str());
    folder().join(end.map_or_else(|| digest.to_owned(), |end| format!("{digest}.{end}")))
}

fn is_there(path: &Path, digest: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| Part::of(bytes).digest == *digest)
}

/// Writes a file that other processes may read or write at the same time.
fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    fs::create_dir_all(folder()).map_err(|why| RunError::write(&folder(), &why))?;
    let own = path.with_extension(format!("part-{}", std::process::id()));
    let written = fs::write(&own, bytes).and_then(|()| fs::rename(&own, path));
    written.map_err(|why| {
        let _ = fs::remove_file(&own);
        RunError::write(path, &why)
    })
}

/// The text that replaces the path of the file `name` with this `digest` in a block's settings.
fn token(digest: &str, name: &str) -> String {
    let path = path_of(digest, name);
    let file = path.file_name().unwrap_or_default();
    format!("{TOKEN}{}", file.to_string_lossy())
}

const TOKEN: &str = "tengen-file-";
