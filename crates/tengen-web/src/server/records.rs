//! Game records below one folder, read only: their list, and each record as the page opens it.

use crate::page::{Limits, RecordText};
use crate::server::App;
use crate::server::ask::json;
use crate::server::refused::Refused;
use crate::server::runs::{below, is_part};
use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::response::IntoResponse;
use axum::routing::get;
use serde::Serialize;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use tengen_sgf::{GameTree, decode, parse_first};

/// The most records that are listed.
const MAX_RECORDS: usize = 20_000;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 2 << 20;

/// How deep the folders of records may be nested.
const MAX_DEPTH: usize = 8;

/// A line of the list of records.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Line {
    /// Its path from the folder, with `/` between the parts.
    name: String,
    black: String,
    white: String,
    result: String,
    event: String,
    date: String,
    /// The board as SZ has it.
    size: String,
    /// Nodes with a move on the main line.
    moves: usize,
}

/// Length and time of a file.
type Stamp = (u64, Option<SystemTime>);

/// The records below one folder.
#[derive(Debug, Default)]
pub struct Records {
    root: Option<PathBuf>,
    /// By name: the file's stamp when it was read, and its line; none if it is no record.
    kept: Mutex<HashMap<String, (Stamp, Option<Line>)>>,
}

impl Records {
    pub fn new(root: Option<PathBuf>) -> Self {
        Self { root, kept: Mutex::default() }
    }

    fn root(&self) -> Result<&Path, Refused> {
        self.root.as_deref().ok_or_else(|| {
            Refused::absent("no folder of records is served: tengen serve --records DIR")
        })
    }

    /// All records, in the order of their names. Files that are no record of Go are left out.
    fn list(&self) -> Result<Vec<Line>, Refused> {
        let root = self.root()?;
        let mut files = Vec::new();
        collect(root, "", MAX_DEPTH, &mut files);
        files.sort_unstable();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut now = HashMap::with_capacity(files.len());
        let mut lines = Vec::with_capacity(files.len());
        for (name, stamp) in files {
            let line = match kept.remove(&name) {
                Some((before, line)) if before == stamp => line,
                _ => read(root, &name).ok().and_then(|text| line(&name, &text)),
            };
            lines.extend(line.clone());
            now.insert(name, (stamp, line));
        }
        *kept = now;
        Ok(lines)
    }

    /// The record `name`. Refuses a path with a link, which might lead out of the folder.
    fn record(&self, name: &str, limits: &Limits) -> Result<RecordText, Refused> {
        let root = self.root()?;
        if !below(root, name).is_some_and(|path| is_record(name) && path.is_file()) {
            return Err(Refused::absent(format!("unknown record `{name}`")));
        }
        Ok(RecordText::read(&read(root, name)?, limits)?)
    }
}

fn is_record(name: &str) -> bool {
    let end = Path::new(name).extension();
    end.is_some_and(|end| end.eq_ignore_ascii_case("sgf")) && !name.contains('\\')
}

/// Adds the records in the folder `at` below `root`, without links and hidden files.
fn collect(root: &Path, at: &str, depth: usize, files: &mut Vec<(String, Stamp)>) {
    for entry in fs::read_dir(root.join(at)).into_iter().flatten().flatten() {
        let Ok(own) = entry.file_name().into_string() else { continue };
        let (true, Ok(about)) = (is_part(&own), entry.metadata()) else { continue };
        let name = if at.is_empty() { own } else { format!("{at}/{own}") };
        if about.is_dir() && depth > 0 {
            collect(root, &name, depth - 1, files);
        } else if about.is_file() && is_record(&name) && files.len() < MAX_RECORDS {
            files.push((name, (about.len(), about.modified().ok())));
        }
    }
}

/// The text of the record `name`, in the charset that it names.
fn read(root: &Path, name: &str) -> Result<String, Refused> {
    let path = root.join(name);
    let refused = |why: &dyn std::fmt::Display| Refused::bad(format!("{name}: {why}"));
    let about = fs::metadata(&path).map_err(|fault| refused(&fault))?;
    if about.len() > MAX_BYTES {
        return Err(refused(&format!("it has more than {} MiB", MAX_BYTES >> 20)));
    }
    let bytes = fs::read(&path).map_err(|fault| refused(&fault))?;
    Ok(decode(&bytes).into_owned())
}

/// The list's line about the first game of `text`; none if it is no game of Go.
fn line(name: &str, text: &str) -> Option<Line> {
    let tree = parse_first(text).ok()?;
    let of = |key: &str| first_text(&tree, key);
    if !matches!(of("GM").as_str(), "" | "1") {
        return None;
    }
    let has_move = |node: &&tengen_sgf::Node| node.get("B").or(node.get("W")).is_some();
    Some(Line {
        name: name.to_owned(),
        black: of("PB"),
        white: of("PW"),
        result: of("RE"),
        event: of("EV"),
        date: of("DT"),
        size: of("SZ"),
        moves: tree.main_line().filter(has_move).count(),
    })
}

/// The property `key` of the root on one line; empty without it.
fn first_text(tree: &GameTree, key: &str) -> String {
    let text = tree.root().text(key).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The questions about records.
pub fn routes() -> Router<App> {
    Router::new().route("/api/records", get(list)).route("/api/record/{*name}", get(record))
}

async fn list(State(app): State<App>) -> Result<impl IntoResponse, Refused> {
    json(move || app.records.list()).await
}

async fn record(
    State(app): State<App>,
    UrlPath(name): UrlPath<String>,
) -> Result<impl IntoResponse, Refused> {
    json(move || app.records.record(&name, &app.options.limits)).await
}
