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

    /// The failure for the invalid setting of `error`, which names the line of the file, unless
    /// the setting is `given` by an option.
    fn refused(&self, error: &SettingError, given: &Table) -> Failure {
        let is_option = error.key().is_some_and(|key| given.contains_key(key));
        let is_here = error.key().is_some_and(|key| self.table.contains_key(key));
        if is_option || !is_here {
            return Failure::Usage(error.to_string());
        }
        Failure::Usage(format!("{}: {}", self.path.display(), error.in_text(&self.text)))
    }
}

/// The failure for the invalid setting of `error`, with the line of `file` if that is where it
/// stands; `given` are the options.
pub fn refused(error: &SettingError, given: &Table, file: Option<&SettingsFile>) -> Failure {
    file.map_or_else(|| Failure::Usage(error.to_string()), |file| file.refused(error, given))
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
