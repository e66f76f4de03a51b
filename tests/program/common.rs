//! Running the programs and reading what they leave.

#![allow(dead_code)] // each test program uses a part

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tengen::tournament::GameRow;

pub const TENGEN: &str = env!("CARGO_BIN_EXE_tengen");
pub const TOURNAMENT: &str = env!("CARGO_BIN_EXE_tournament");
pub const PLAYOUTS: &str = env!("CARGO_BIN_EXE_playouts");
pub const SCALING: &str = env!("CARGO_BIN_EXE_scaling");
pub const TUNE: &str = env!("CARGO_BIN_EXE_tune");
pub const CONVERGENCE: &str = env!("CARGO_BIN_EXE_convergence");

/// Runs `program` in `folder` with nothing on standard input.
pub fn run<S: AsRef<OsStr>>(program: &str, folder: &Path, arguments: &[S]) -> Output {
    Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What `program` prints, which must succeed and stay silent on standard
/// error.
pub fn printed<S: AsRef<OsStr>>(program: &str, folder: &Path, arguments: &[S]) -> String {
    let output = run(program, folder, arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "no terminal, no progress");
    text(&output.stdout)
}

/// What `tengen gtp` with `arguments` says to all of `input`, with exit code 0.
pub fn gtp<S: AsRef<OsStr>>(arguments: &[S], input: &str) -> Output {
    let mut command = Command::new(TENGEN);
    command.arg("gtp").args(arguments).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

/// The words of a command line without quotes.
pub fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// The names in `folder`, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The games of the run in `folder`.
pub fn rows(folder: &Path) -> Vec<GameRow> {
    let rows = tengen::run::rows::read(folder, "games.csv").unwrap();
    rows.into_iter().map(|signed| signed.row).collect()
}

/// A CSV file: its header line and its rows by column.
pub struct Csv {
    pub header: String,
    rows: Vec<csv::StringRecord>,
    columns: csv::StringRecord,
}

impl Csv {
    pub fn read(path: &Path) -> Self {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let columns = reader.headers().unwrap().clone();
        let rows = reader.records().map(Result::unwrap).collect();
        let text = fs::read_to_string(path).unwrap();
        assert!(text.ends_with('\n') && !text.contains('\r'), "{}", path.display());
        Self { header: text.lines().next().unwrap().to_owned(), rows, columns }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn get(&self, row: usize, column: &str) -> &str {
        let place = self.columns.iter().position(|name| name == column).unwrap();
        &self.rows[row][place]
    }

    pub fn number(&self, row: usize, column: &str) -> f64 {
        let text = self.get(row, column);
        text.parse().unwrap_or_else(|_| panic!("{column} is `{text}` in row {row}"))
    }

    /// The file without the columns whose names end in `end`.
    pub fn without(&self, end: &str) -> Vec<String> {
        let keep = |row: &csv::StringRecord| -> String {
            let cells = row.iter().zip(&self.columns);
            let kept = cells.filter(|(_, name)| !name.ends_with(end)).map(|(cell, _)| cell);
            kept.collect::<Vec<_>>().join("\t")
        };
        std::iter::once(&self.columns).chain(&self.rows).map(keep).collect()
    }
}
