//! Settings from options of the command line and from TOML files, as one table.

use super::Failure;
use crate::input::{SettingError, files, parse};
use crate::run::{CONFIG, Run};
use std::path::{Path, PathBuf};
use toml::Table;

/// The settings in a TOML file.
#[derive(Debug)]
pub struct SettingsFile {
    path: PathBuf,
    text: String,
    /// What the file says.
    pub table: Table,
}

impl SettingsFile {
    /// Reads the file `path`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = files::read_to_string(path)
            .map_err(|error| Failure::Usage(format!("cannot read {}: {error}", path.display())))?;
        let table =
            parse(&text).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
        Ok(Self { path: path.to_path_buf(), text, table })
    }
}

/// The failure for the invalid setting of `error`: with its option if it is one of the options
/// `given`, with its line in `file` if it stands there.
pub fn refused(error: &SettingError, given: &Table, file: Option<&SettingsFile>) -> Failure {
    let said = error.to_string();
    let Some(key) = error.key() else { return Failure::Usage(said) };
    if given.contains_key(key) {
        let option = format!("--{}", key.replace('_', "-"));
        let is_named = said.contains(&format!("`{key}`")) || said.contains(&option);
        return Failure::Usage(if is_named { said } else { format!("{option}: {said}") });
    }
    match file.filter(|file| file.table.contains_key(key)) {
        Some(SettingsFile { path, text, .. }) => {
            Failure::Usage(format!("{}: {}", path.display(), error.in_text(text)))
        }
        None => Failure::Usage(said),
    }
}

/// The settings of `run` in `folder`, read by `read`, to be continued.
pub fn saved<T>(
    run: &Run,
    folder: &Path,
    read: impl FnOnce(Table) -> Result<T, SettingError>,
) -> Result<T, Failure> {
    let text = run.directory.read(CONFIG)?;
    parse(&text).and_then(read).map_err(|error| {
        let (path, said) = (folder.join(CONFIG), error.in_text(&text));
        Failure::Usage(format!("{}: {said} ({})", path.display(), run.manifest.origin()))
    })
}
