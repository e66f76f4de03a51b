//! Running the programs and reading what they leave.

use std::fs;
use std::io::Write;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tengen::tournament::GameRow;

pub const TENGEN: &str = env!("CARGO_BIN_EXE_tengen");
pub const TOURNAMENT: &str = env!("CARGO_BIN_EXE_tournament");
pub const PLAYOUTS: &str = env!("CARGO_BIN_EXE_playouts");
pub const SCALING: &str = env!("CARGO_BIN_EXE_scaling");
pub const TUNE: &str = env!("CARGO_BIN_EXE_tune");
pub const CONVERGENCE: &str = env!("CARGO_BIN_EXE_convergence");
pub const LEARN: &str = env!("CARGO_BIN_EXE_learn");

/// The programs by name.
pub const PROGRAMS: [(&str, &str); 7] = [
    ("tengen", TENGEN),
    ("tournament", TOURNAMENT),
    ("playouts", PLAYOUTS),
    ("scaling", SCALING),
    ("tune", TUNE),
    ("convergence", CONVERGENCE),
    ("learn", LEARN),
];

pub fn program(name: &str) -> &'static str {
    let found = PROGRAMS.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("{name} is no program")).1
}

/// `program` with the words of `line`, which may be quoted as for a shell, in `folder`.
pub fn command(program: &str, folder: &Path, line: &str) -> Command {
    let mut command = Command::new(program);
    command.args(shell_words::split(line).unwrap()).current_dir(folder);
    command.env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What the command line leaves, with nothing on standard input.
pub fn run(program: &str, folder: &Path, line: &str) -> Output {
    command(program, folder, line).output().unwrap()
}

/// What a script of the shell leaves, in which the limits of the system can be set.
pub fn run_shell(folder: &Path, script: &str) -> Output {
    Command::new("bash").args(["-c", script]).current_dir(folder).output().unwrap()
}

/// A folder that is removed when the test ends.
pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

impl Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What `program` prints, which must succeed and stay silent on standard
/// error.
#[track_caller]
pub fn printed(program: &str, folder: &Path, line: &str) -> String {
    let output = run(program, folder, line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{line}: no terminal, no progress");
    text(&output.stdout)
}

/// The one line on standard error with which a program ends. It must hold all of `named`.
#[track_caller]
pub fn fault(output: &Output, code: i32, named: &[&str]) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("error: ") && said.ends_with('\n'), "{said}");
    for name in named {
        assert!(said.contains(name), "`{name}` is not in: {said}");
    }
    said
}

/// The line that refuses `line`, which leaves nothing new in `folder`.
#[track_caller]
pub fn refused(program: &str, folder: &Path, line: &str, named: &[&str]) -> String {
    let before = names(folder);
    let output = run(program, folder, line);
    let said = fault(&output, 2, named);
    assert_eq!(text(&output.stdout), "", "{line}");
    assert_eq!(names(folder), before, "{line} left something");
    said
}

/// What `tengen gtp` with the words of `line` says to all of `input`, with exit code 0.
pub fn gtp(line: &str, input: &str) -> Output {
    let output = fed(command(TENGEN, Path::new("."), &format!("gtp {line}")), input);
    assert!(output.status.success(), "{output:?}");
    output
}

/// What `command` leaves that is given `input`.
pub fn fed(mut command: Command, input: &str) -> Output {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Waits until `is_so`, for a minute at most.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "not within a minute: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Sends the signal `name`, such as `-INT`, to a process that runs.
pub fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Sends the signal `name` as soon as `is_due`, unless the child has ended.
pub fn signal_when(child: &mut Child, name: &str, is_due: impl Fn() -> bool) {
    wait_until("a signal is due", || is_due() || child.try_wait().unwrap().is_some());
    if child.try_wait().unwrap().is_none() {
        signal(child, name);
    }
}

/// Kills `child` as soon as `is_due`; false if it has ended of itself.
pub fn kill_when(mut child: Child, is_due: impl Fn() -> bool) -> bool {
    signal_when(&mut child, "-KILL", is_due);
    child.wait().unwrap().code().is_none()
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// Writes a file anew.
pub fn change(path: &Path, change: impl Fn(&str) -> String) {
    let before = read(path);
    let after = change(&before);
    assert_ne!(before, after, "{}", path.display());
    fs::write(path, after).unwrap();
}

/// Number of lines of a file; 0 if there is none.
pub fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// A file of the repository.
pub fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The files in `folder` and the folders in it.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
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

/// The rows `text` without their last column: without the checks, as earlier versions wrote them, they can be
/// changed.
pub fn without_last_column(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(|line| line.rsplit_once(',').unwrap().0).collect();
    lines.join("\n") + "\n"
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

    pub fn column(&self, name: &str) -> Vec<&str> {
        (0..self.len()).map(|row| self.get(row, name)).collect()
    }

    pub fn number(&self, row: usize, column: &str) -> f64 {
        let text = self.get(row, column);
        text.parse().unwrap_or_else(|_| panic!("{column} is `{text}` in row {row}"))
    }

    /// The file without the columns whose names end in `end`, and without the checks of its lines.
    pub fn without(&self, end: &str) -> Vec<String> {
        let keep = |row: &csv::StringRecord| -> String {
            let cells = row.iter().zip(&self.columns);
            let is_kept = |name: &str| !name.ends_with(end) && name != "check";
            let kept = cells.filter(|(_, name)| is_kept(name)).map(|(cell, _)| cell);
            kept.collect::<Vec<_>>().join("\t")
        };
        std::iter::once(&self.columns).chain(&self.rows).map(keep).collect()
    }
}
