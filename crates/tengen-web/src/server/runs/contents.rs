//! The files of a run as its card reads them, and what is wrong with them.

use super::files::FILES;
use super::folder::RunFolder;
use crate::server::refused::Refused;
use tengen_experiments::kind::Kind;
use tengen_experiments::report::cells::refuse_table;
use tengen_experiments::report::files::{Files, RowsFile};
use tengen_experiments::run::{RunError, rows};

/// The longest table that is shown, in bytes.
const MAX_TABLE: u64 = 1 << 16;

/// The most tables that are shown of a run.
const MAX_TABLES: usize = 24;

/// The longest plot that is shown, in bytes.
const MAX_PLOT: u64 = 1 << 19;

/// Tables that come first.
const FIRST: [&str; 9] = [
    "ratings.csv",
    "summary.csv",
    "verdicts.csv",
    "parallel.csv",
    "validation.csv",
    "estimate.csv",
    "rounds.csv",
    "speed.csv",
    "playouts.csv",
];

impl Files for RunFolder {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        if let Some((part, name)) = name.split_once('/') {
            return self.part(part).map_or(Ok(None), |part| Files::read(&part, name));
        }
        let packed = format!("{name}.xz");
        let there = [name, packed.as_str()].into_iter().find(|name| self.stamp(name).is_some());
        let Some(name) = there else { return Ok(None) };
        let path = self.file(name).map_err(Refused::into_text)?;
        if name == packed {
            return rows::read_text(&path).map(Some).map_err(|fault| own(name, &fault));
        }
        std::fs::read(path).map(Some).map_err(|fault| format!("{name}: {fault}"))
    }

    fn plots(&self) -> Vec<String> {
        let Some(folder) = self.part("plots") else { return Vec::new() };
        let mut names = folder.names(".svg");
        names.retain(|name| folder.stamp(name).is_some_and(|file| file.bytes < MAX_PLOT));
        names
    }
}

/// The text of `fault` about the file `name`, without the path, which a client must not see.
pub fn own(name: &str, fault: &RunError) -> String {
    let text = fault.to_string();
    match text.rsplit_once(name) {
        Some((_, rest)) => format!("{name}{rest}"),
        None => format!("{name}: {text}"),
    }
}

/// The names and texts of the tables of `run` that are short enough to be shown, the most telling
/// first.
pub fn tables(run: &RunFolder) -> Vec<(String, String)> {
    let mut names = names_of_tables(run);
    let place = |name: &String| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len());
    names.sort_by_key(|name| (place(name), name.clone()));
    let read = |name: String| Some((name.clone(), run.read(&name).ok()?));
    names.into_iter().filter_map(read).take(MAX_TABLES).collect()
}

fn names_of_tables(run: &RunFolder) -> Vec<String> {
    let mut names = run.names(".csv");
    let is_short = |name: &str| run.stamp(name).is_some_and(|file| file.bytes < MAX_TABLE);
    names.retain(|name| !FILES.contains(&name.as_str()) && is_short(name));
    names
}

/// What is wrong with the rows or tables of `run`, a run of `kind`, in one line that names the
/// file; none if all rows and tables can be read.
pub fn fault(run: &RunFolder, kind: Kind) -> Option<String> {
    let of_rows = kind.rows().and_then(|file| check(run, file));
    let of_table = |name: String| match run.read(&name) {
        Ok(text) => refuse_table(&name, &text),
        Err(fault) => Some(fault.into_text()),
    };
    of_rows.or_else(|| names_of_tables(run).into_iter().find_map(of_table))
}

/// What is wrong with the `file` of rows, or with the compressed one.
fn check(run: &RunFolder, file: RowsFile) -> Option<String> {
    match Files::read(run, file.name) {
        Ok(text) => (file.check)(&text?).err().map(|fault| own(file.name, &fault)),
        Err(fault) => Some(fault),
    }
}
