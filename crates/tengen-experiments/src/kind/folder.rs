//! The folder of a run on disk.

use super::{Card, Kind, card};
use crate::report::files::{Files, text};
use crate::run::{CONFIG, MANIFEST, Manifest, rows};
use std::fs;
use std::path::{Path, PathBuf};
use toml::Table;

/// The folder of a run, finished or not, whose files are only read.
#[derive(Clone, Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// The kind of the run, and its settings, if it has readable ones.
    #[must_use]
    pub fn kind(&self) -> (Kind, Option<Table>) {
        let config: Option<Table> =
            text(self, CONFIG).ok().flatten().and_then(|it| it.parse().ok());
        let manifest = Manifest::read(&self.0.join(MANIFEST)).ok();
        let kind = Kind::of(config.as_ref(), manifest.as_ref(), |name| self.0.join(name).exists());
        (kind, config)
    }

    /// The card of the run.
    #[must_use]
    pub fn card(&self) -> Card {
        let (kind, config) = self.kind();
        card(kind, config.as_ref(), self)
    }
}

impl Files for Folder {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let read = |path: &Path| rows::read_text(path).map_err(|fault| fault.to_string());
        let files = [self.0.join(name), self.0.join(format!("{name}.xz"))];
        files.iter().find(|path| path.is_file()).map(|path| read(path)).transpose()
    }

    fn plots(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.join("plots")).into_iter().flatten().flatten();
        let plots = entries.filter(|it| it.path().extension().is_some_and(|end| end == "svg"));
        let mut names: Vec<String> =
            plots.filter_map(|plot| plot.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}
