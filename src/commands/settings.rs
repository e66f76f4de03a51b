//! Settings from options of the command line and from TOML files, as one table.

use super::{Failure, build};
use crate::kind::{Folder, Kind};
use crate::run::{CONFIG, Run, files};
use crate::settings::{SettingError, files::read_to_string, parse};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The settings in a TOML file.
#[derive(Debug)]
pub struct SettingsFile {
    path: PathBuf,
    text: String,
    /// The settings in the file, with paths relative to the working folder.
    pub table: Table,
}

impl SettingsFile {
    /// Reads the file `path`, the settings of a run of one of `kinds`.
    pub fn read(path: &Path, kinds: &[Kind]) -> Result<Self, Failure> {
        let text = read_to_string(path)
            .map_err(|error| Failure::Usage(format!("cannot read {}: {error}", path.display())))?;
        let mut table =
            parse(&text).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
        check_kind(&table, kinds)
            .map_err(|kind| Failure::Usage(format!("{}: {kind}", path.display())))?;
        files::located_in(&mut table, path.parent().unwrap_or(Path::new("")));
        Ok(Self { path: path.to_path_buf(), text, table })
    }
}

/// Refuses settings `given` with `option`, which reads the run's own settings.
pub fn refuse_given(option: &str, given: &Table) -> Result<(), Failure> {
    let Some(key) = given.keys().next() else { return Ok(()) };
    let given = key.replace('_', "-");
    Err(Failure::Usage(format!("{option} reads the settings of the run: leave --{given} out")))
}

/// Checks that `table` has the settings of a run of one of `kinds`; the error names its kind.
fn check_kind(table: &Table, kinds: &[Kind]) -> Result<(), String> {
    let Some(kind) = table.get("kind").and_then(Value::as_str) else { return Ok(()) };
    let keys = |kinds: &[Kind]| -> Vec<&str> {
        kinds.iter().flat_map(|kind| kind.keys()).copied().collect()
    };
    if keys(kinds).contains(&kind) {
        return Ok(());
    }
    if Kind::of_key(kind).is_none_or(|kind| !kind.has_config()) {
        return Err(format!("invalid `kind` {kind}: expected {}", keys(kinds).join(" or ")));
    }
    let program = if kind.starts_with("scaling-") { "scaling" } else { kind };
    Err(format!("the settings are those of a run of the program {program}: use that"))
}

/// Refuses the run in `folder` if it is a measurement, which no command continues or plays again.
pub fn refuse_measurement(folder: &Path) -> Result<(), Failure> {
    let (kind, config) = Folder(folder.to_path_buf()).kind();
    if kind.keys().is_empty() && kind != Kind::STUDY && config.is_some() {
        let folder = folder.display();
        refuse!("{folder} is a measurement ({kind}), which takes no later command: measure again");
    }
    Ok(())
}

/// The failure for the invalid setting of `error`. It names the option if the setting is one of the
/// options `given`, else the line in `file`.
pub fn refused(error: &SettingError, given: &Table, file: Option<&SettingsFile>) -> Failure {
    let said = error.to_string();
    let Some(key) = error.key() else { return Failure::Usage(said) };
    if given.contains_key(key) {
        let option = format!("--{}", key.replace('_', "-"));
        let said = said.replace(&format!("`{key}`"), &option);
        return Failure::Usage(if said.contains(&option) {
            said
        } else {
            format!("{option}: {said}")
        });
    }
    match file {
        Some(SettingsFile { path, text, .. }) => {
            Failure::Usage(format!("{}: {}", path.display(), error.in_text(text)))
        }
        None => Failure::Usage(said),
    }
}

/// The settings of `run`, one of `kinds`, read by `read`.
pub fn saved<T>(
    run: &Run,
    kinds: &[Kind],
    read: impl FnOnce(Table) -> Result<T, SettingError>,
) -> Result<T, Failure> {
    let folder = run.directory.path();
    let text = run.directory.read(CONFIG)?;
    let place = |said: String| Failure::Usage(format!("{}: {said}", folder.join(CONFIG).display()));
    let mut table = parse(&text).map_err(|error| place(error.to_string()))?;
    check_kind(&table, kinds).map_err(place)?;
    refuse_measurement(folder)?;
    files::located_in(&mut table, folder);
    read(table).map_err(|error| {
        let (path, said) = (folder.join(CONFIG), error.in_text(&text));
        Failure::Usage(format!("{}: {said} ({})", path.display(), run.manifest.origin(&build())))
    })
}
