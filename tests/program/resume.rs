//! A run that is killed, stopped, extended or cut into chunks is the run in
//! one piece.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tengen::playout::Isa;

const SETTINGS: [&str; 10] = [
    "--size",
    "5",
    "--bot",
    "uct:playouts=150",
    "--bot",
    "two-ply",
    "--bot",
    "random",
    "--seed",
    "9",
];

fn tournament() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn begin(out: &Path, pairs: &str) -> Command {
    let mut command = tournament();
    command.args(SETTINGS).args(["--pairs", pairs, "--out"]).arg(out);
    command
}

fn resume(folder: &Path) -> Command {
    let mut command = tournament();
    command.arg("--resume").arg(folder);
    command
}

fn done(mut command: Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn refused(mut command: Command) -> String {
    let output = command.output().unwrap();
    let fault = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{fault}");
    assert_eq!(fault.lines().count(), 1, "{fault}");
    fault
}

/// The rows of a `games.csv` without the two columns of seconds.
fn games(folder: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(folder.join("games.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let kept: Vec<usize> =
        (0..header.len()).filter(|&column| !header[column].ends_with("_seconds")).collect();
    assert_eq!(kept.len(), header.len() - 2);
    reader
        .records()
        .map(|row| {
            let row = row.unwrap();
            kept.iter().map(|&column| row[column].to_owned()).collect()
        })
        .collect()
}

fn lines_there(folder: &Path) -> usize {
    fs::read_to_string(folder.join("games.csv")).map_or(0, |text| text.lines().count())
}

/// Waits until the file of games has so many lines.
fn wait_for_lines(folder: &Path, lines: usize) {
    let patience = Instant::now() + Duration::from_secs(60);
    while lines_there(folder) < lines {
        assert!(Instant::now() < patience, "{} shows no progress", folder.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A run of so many pairs in one piece.
fn whole(pairs: &str) -> (TempDir, PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("whole");
    done(begin(&folder, pairs));
    (scratch, folder)
}

#[test]
fn killed_again_and_again_it_is_the_run_in_one_piece() {
    let (scratch, whole) = whole("10");
    let folder = scratch.path().join("killed");
    let mut child = begin(&folder, "10").spawn().unwrap();
    let mut kills = 0;
    // Moments spread over the run, the first before any game.
    for lines in [0, 3, 9, 14, 26, 33, 47] {
        wait_for_lines(&folder, lines);
        std::thread::sleep(Duration::from_millis(7 * lines as u64 % 20));
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        let has_begun = folder.join("config.toml").exists();
        let mut next = if has_begun { resume(&folder) } else { begin(&folder, "10") };
        child = next.spawn().unwrap();
    }
    assert_eq!(kills, 7);
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(games(&folder), games(&whole));
    assert_eq!(
        fs::read_to_string(folder.join("summary.csv")).unwrap(),
        fs::read_to_string(whole.join("summary.csv")).unwrap()
    );
    // No game twice, none missing.
    assert_eq!(lines_there(&folder), lines_there(&whole));
}

#[test]
fn a_half_written_row_is_played_again() {
    let (_scratch, folder) = whole("2");
    let expected = games(&folder);
    let whole = fs::read(folder.join("games.csv")).unwrap();
    fs::write(folder.join("games.csv"), &whole[..whole.len() - 40]).unwrap();
    done(resume(&folder));
    assert_eq!(games(&folder), expected);
    assert_eq!(lines_there(&folder), 13);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_run_that_goes_on() {
    let (scratch, whole) = whole("100");
    let folder = scratch.path().join("interrupted");
    let child = begin(&folder, "100").spawn().unwrap();
    wait_for_lines(&folder, 5);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let fault = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{fault}");
    assert!(fault.contains("--resume"), "{fault}");
    assert!(lines_there(&folder) < lines_there(&whole));
    done(resume(&folder));
    assert_eq!(games(&folder), games(&whole));
}

#[test]
fn a_second_process_is_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("run");
    let mut child = begin(&folder, "500").spawn().unwrap();
    wait_for_lines(&folder, 2);
    let fault = refused(resume(&folder));
    assert!(fault.contains("another process"), "{fault}");
    let config = fs::read_to_string(folder.join("config.toml")).unwrap();
    let mut command = resume(&folder);
    command.args(["--extend", "600"]);
    assert!(refused(command).contains("another process"));
    assert_eq!(fs::read_to_string(folder.join("config.toml")).unwrap(), config);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn other_settings_are_refused_with_the_difference() {
    let (_scratch, folder) = whole("1");
    let before = fs::read_to_string(folder.join("games.csv")).unwrap();
    let mut command = resume(&folder);
    command.args(["--komi", "6.5", "--size", "7"]);
    let fault = refused(command);
    assert!(fault.contains("komi is 2.5 and not 6.5"), "{fault}");
    assert!(fault.contains("size is \"5x5\" and not \"7x7\""), "{fault}");
    let mut command = resume(&folder);
    command.args(["--extend", "0"]);
    refused(command);
    // The same settings said again are no difference.
    let mut command = resume(&folder);
    command.args(SETTINGS);
    done(command);
    assert_eq!(fs::read_to_string(folder.join("games.csv")).unwrap(), before);
    assert!(refused(resume(Path::new("/nowhere"))).contains("/nowhere"));
}

#[test]
fn an_extended_run_is_the_longer_run() {
    let (scratch, longer) = whole("4");
    let folder = scratch.path().join("extended");
    done(begin(&folder, "2"));
    let before = games(&folder);
    let mut command = resume(&folder);
    command.args(["--extend", "4"]);
    done(command);
    assert_eq!(games(&folder)[..before.len()], before);
    assert_eq!(games(&folder), games(&longer));
    assert_eq!(
        fs::read_to_string(folder.join("config.toml")).unwrap(),
        fs::read_to_string(longer.join("config.toml")).unwrap()
    );
}

#[test]
fn chunks_joined_are_the_run_in_one_piece() {
    let (scratch, whole) = whole("4");
    let folder = scratch.path().join("chunks");
    let chunk = |share: &str| {
        let mut command = begin(&folder, "4");
        command.args(["--chunk", share]);
        command
    };
    let merge = || {
        let mut command = tournament();
        command.arg("--merge").arg(&folder);
        command
    };
    done(chunk("3/3"));
    done(chunk("1/3"));
    assert!(refused(merge()).contains("games are in no finished chunk"));
    done(chunk("2/3"));
    // What is there is skipped.
    let output = done(chunk("2/3"));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("0 games"));
    done(merge());
    assert_eq!(games(&folder), games(&whole));
    assert_eq!(
        fs::read_to_string(folder.join("summary.csv")).unwrap(),
        fs::read_to_string(whole.join("summary.csv")).unwrap()
    );
    let mut other = chunk("1/3");
    other.args(["--komi", "0.5"]);
    assert!(refused(other).contains("komi is 2.5 and not 0.5"));
}

/// Hosts of a cluster need not be alike: the rows are the same whatever instructions they
/// have, each chunk with its own.
#[test]
fn chunks_played_with_other_instructions_are_the_run_in_one_piece() {
    let (scratch, whole) = whole("4");
    let known: Vec<String> = Isa::supported().iter().map(ToString::to_string).collect();
    for turn in 0..known.len() {
        let folder = scratch.path().join(format!("hosts-{turn}"));
        for (number, share) in ["1/3", "2/3", "3/3"].into_iter().enumerate() {
            let mut command = begin(&folder, "4");
            command.args(["--chunk", share]);
            command.env("TENGEN_ISA", &known[(number + turn) % known.len()]);
            done(command);
        }
        let mut merging = tournament();
        merging.arg("--merge").arg(&folder);
        done(merging);
        assert_eq!(games(&folder), games(&whole), "{known:?}, turn {turn}");
    }
}

#[test]
fn a_sequential_test_ends_at_the_same_pair_at_any_number_of_threads() {
    let scratch = tempfile::tempdir().unwrap();
    let run = |name: &str, threads: &str| {
        let folder = scratch.path().join(name);
        let mut command = tournament();
        command
            .args(["--size", "5", "--bot", "two-ply", "--bot", "random", "--threads", threads])
            .args(["--sprt", "elo0=0 elo1=200", "--out"])
            .arg(&folder);
        let output = String::from_utf8(done(command).stdout).unwrap();
        assert!(output.contains("two-ply is more than 0 Elo stronger than random"), "{output}");
        games(&folder)
    };
    let rows = run("one", "1");
    assert!(rows.len() < 60 && rows.len() % 2 == 0, "{} games", rows.len());
    assert_eq!(run("four", "4"), rows);
    // A decided run is complete: nothing is played on resume.
    let folder = scratch.path().join("four");
    let lines = lines_there(&folder);
    done(resume(&folder));
    assert_eq!(lines_there(&folder), lines);
    assert_eq!(games(&folder), rows);
}

#[test]
fn a_wrong_instruction_set_is_refused_before_the_first_game() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("run");
    let mut command = begin(&folder, "1");
    command.env("TENGEN_ISA", "banana");
    assert!(refused(command).contains("invalid instruction set `banana`"));
    assert!(!folder.exists());
}

#[test]
fn a_test_of_three_bots_is_refused() {
    let mut command = tournament();
    command.args(SETTINGS).args(["--sprt", "elo0=0 elo1=30", "--out", "/nowhere/run"]);
    assert!(refused(command).contains("compares two bots"));
}

#[test]
fn the_report_can_be_made_again() {
    let (_scratch, folder) = whole("1");
    let before = fs::read_to_string(folder.join("report.html")).unwrap();
    fs::remove_file(folder.join("report.html")).unwrap();
    fs::remove_dir_all(folder.join("plots")).unwrap();
    let mut command = tournament();
    command.arg("--report").arg(&folder);
    done(command);
    assert_eq!(fs::read_to_string(folder.join("report.html")).unwrap(), before);
    assert!(folder.join("plots/win_rates.svg").exists());
}
