//! Games are joined only with games of the same making: a run does not go on
//! under other settings, by another program or beside another process, and
//! what is refused leaves it as it was.

use crate::common::{Csv, TOURNAMENT, printed, run, text, words};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

pub const BOTS: &str = "--size 3 --seed 4 --bot u=uct:playouts=30 --bot two-ply --bot random";

/// Does `line` in `folder`; what it prints on both streams.
pub fn done(folder: &Path, line: &str) -> (String, String) {
    let output = run(TOURNAMENT, folder, &words(line));
    let (said, told) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{line}: {told}");
    (said, told)
}

/// The one line that refuses `line`.
pub fn refused(folder: &Path, line: &str) -> String {
    let output = run(TOURNAMENT, folder, &words(line));
    let fault = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}: {fault}");
    assert_eq!(fault.lines().count(), 1, "{line}: {fault}");
    fault
}

/// A folder that holds the run `run`, played in one piece.
pub fn played(pairs: u32) -> TempDir {
    let scratch = tempdir().unwrap();
    printed(TOURNAMENT, scratch.path(), &words(&format!("{BOTS} --pairs {pairs} --out run")));
    scratch
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("run").join(name)).unwrap()
}

/// Writes the file `name` of the run anew.
pub fn change(folder: &Path, name: &str, change: impl Fn(&str) -> String) {
    let before = read(folder, name);
    let after = change(&before);
    assert_ne!(before, after, "{name}");
    fs::write(folder.join("run").join(name), after).unwrap();
}

/// What must be the same after a refusal.
fn kept(folder: &Path) -> [String; 3] {
    ["config.toml", "games.csv", "manifest.toml"].map(|name| read(folder, name))
}

pub fn games(folder: &Path) -> Vec<String> {
    Csv::read(&folder.join("run/games.csv")).without("_seconds")
}

/// Takes the last game away, so that there is something to play.
fn unfinished(folder: &Path) {
    change(folder, "games.csv", |text| {
        let lines: Vec<&str> = text.lines().collect();
        lines[..lines.len() - 1].join("\n") + "\n"
    });
}

pub fn without_last_column(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(|line| line.rsplit_once(',').unwrap().0).collect();
    lines.join("\n") + "\n"
}

pub fn spawn(folder: &Path, line: &str) -> Child {
    let mut command = Command::new(TOURNAMENT);
    command.args(words(line)).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn wait_for_games(folder: &Path) {
    let patience = Instant::now() + Duration::from_secs(60);
    let lines =
        || fs::read_to_string(folder.join("run/games.csv")).map_or(0, |t| t.lines().count());
    while lines() < 3 {
        assert!(Instant::now() < patience, "no progress");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_extension_is_refused_before_anything_is_written() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    fs::write(folder.join("a.sgf"), "(;SZ[5];B[cc])").unwrap();
    fs::write(folder.join("b.sgf"), "(;SZ[5];B[bc])").unwrap();
    done(folder, "--size 5 --openings . --bot random --bot two-ply --out run");
    let before = kept(folder);
    for (pairs, fault) in [
        ("3", "there are 2 openings for 3 pairs"),
        ("10000001", "there are 2 openings for 10000001 pairs"),
        ("99999999999", "there are 2 openings"),
        ("1", "the run has 2 pairs"),
    ] {
        let said = refused(folder, &format!("--resume run --extend {pairs}"));
        assert!(said.contains(fault), "{said}");
        assert_eq!(kept(folder), before, "--extend {pairs}");
    }
    done(folder, "--resume run");
    done(folder, "--report run");
    let drawn = played(1);
    let before = kept(drawn.path());
    for pairs in ["10000001", "99999999999", "18446744073709551615"] {
        let said = refused(drawn.path(), &format!("--resume run --extend {pairs}"));
        assert!(said.contains("it must be 1 to 10000000"), "{said}");
        assert_eq!(kept(drawn.path()), before, "--extend {pairs}");
    }
    done(drawn.path(), "--resume run");
    done(drawn.path(), "--report run");
}

/// 200 million games are due here: a list of them would have 1.6 GB.
#[cfg(target_os = "linux")]
#[test]
fn a_long_schedule_takes_no_memory() {
    let scratch = tempdir().unwrap();
    let bots = "--bot random --bot random --bot random --bot random --bot random";
    let line = format!("--size 2 --threads 1 --pairs 10000000 {bots} --out run");
    let mut child = spawn(scratch.path(), &line);
    wait_for_games(scratch.path());
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 400_000, "{peak} kB");
}

#[test]
fn what_is_being_played_is_neither_merged_nor_reported() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    let mut child = spawn(folder, &format!("{BOTS} --pairs 20000 --out run"));
    wait_for_games(folder);
    for line in ["--merge run", "--report run", "--resume run", "--resume run --extend 20001"] {
        assert!(refused(folder, line).contains("another process"), "{line}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let fault = refused(folder, "--merge run");
    assert!(fault.contains("games are in no finished chunk"), "{fault}");
}

#[test]
fn an_edited_config_is_refused() {
    for manifest in ["there", "gone"] {
        let scratch = played(2);
        let folder = scratch.path();
        unfinished(folder);
        if manifest == "gone" {
            fs::write(folder.join("run/manifest.toml"), "schema = 1\n").unwrap();
        }
        let whole = kept(folder);
        change(folder, "config.toml", |text| text.replace("playouts = 30", "playouts = 31"));
        let before = kept(folder);
        for line in ["--resume run", "--resume run --extend 3", "--merge run"] {
            let fault = refused(folder, line);
            assert!(fault.contains("config.toml") && fault.contains("undo the change"), "{fault}");
            assert_eq!(kept(folder), before, "{line}");
        }
        fs::write(folder.join("run/config.toml"), &whole[0]).unwrap();
        done(folder, "--resume run");
        assert_eq!(games(folder), games(played(2).path()));
    }
}

/// A run is read with what its rows need of its settings, and goes on with all of them alone.
#[test]
fn a_run_with_settings_that_this_version_does_not_have_is_read() {
    let scratch = played(1);
    let folder = scratch.path();
    let before = done(folder, "--report run");
    change(folder, "config.toml", |text| text.replace("playouts = 30", "patience = 30"));
    let after = done(folder, "--report run");
    assert_eq!(after.0, before.0);
    assert!(after.1.contains("config.toml is not what the games were played under"), "{}", after.1);
    assert!(refused(folder, "--resume run").contains("unknown setting `patience`"));
}

/// The signature stands for another program here: it is what that would write.
#[test]
fn a_program_that_plays_otherwise_is_refused_by_name() {
    let scratch = played(2);
    let folder = scratch.path();
    unfinished(folder);
    let manifest: toml::Table = read(folder, "manifest.toml").parse().unwrap();
    let commit = manifest["session"][0]["build"]["commit"].as_str().unwrap();
    let signature = manifest["provenance"]["bot"][0]["signature"].as_str().unwrap();
    let whole = kept(folder);
    change(folder, "manifest.toml", |text| text.replace(signature, "0123456789abcdef"));
    let before = kept(folder);
    let chunk = format!("{BOTS} --pairs 2 --out run --chunk 1/2");
    for line in ["--resume run", "--resume run --extend 3", "--merge run", &chunk] {
        let fault = refused(folder, line);
        // Rows are merged by their fingerprints, without any program.
        let said =
            if line == "--merge run" { "bots play otherwise" } else { "bot u plays otherwise" };
        assert!(fault.contains(said), "{line}: {fault}");
        let is_named = commit == "unknown" || line == "--merge run" || fault.contains(commit);
        assert!(is_named, "{line}: {fault}");
        assert_eq!(kept(folder), before, "{line}");
    }
    // The rows say it too, where the manifest is lost.
    fs::write(folder.join("run/manifest.toml"), "").unwrap();
    change(folder, "games.csv", |text| {
        let (rest, last) = text.trim_end().rsplit_once('-').unwrap();
        assert_eq!(last.len(), 16);
        format!("{rest}-0123456789abcdef\n")
    });
    let output = run(TOURNAMENT, folder, &words("--resume run"));
    let fault = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{fault}");
    assert!(
        fault.contains("has the fingerprint of a program whose bots play otherwise"),
        "{fault}"
    );
    assert_eq!(read(folder, "games.csv").lines().count(), whole[1].lines().count());
}

#[test]
fn signatures_depend_on_neither_threads_nor_instructions() {
    let scratch = tempdir().unwrap();
    let bots = format!("{BOTS} --bot uct:workers=3,playouts=90 --bot uct:in_flight=4,stop=mercy:5");
    let mut seen = Vec::new();
    for (isa, threads) in [("baseline", 1), ("avx2", 2), ("avx512", 3), ("", 2)] {
        let mut command = Command::new(TOURNAMENT);
        let out = format!("{isa}-{threads}");
        command.args(words(&format!("{bots} --pairs 1 --threads {threads} --out {out}")));
        command.current_dir(scratch.path()).env("RAYON_NUM_THREADS", threads.to_string());
        if !isa.is_empty() {
            command.env("TENGEN_ISA", isa);
        }
        // A machine without the instructions refuses.
        if !command.output().unwrap().status.success() {
            continue;
        }
        let manifest = fs::read_to_string(scratch.path().join(out).join("manifest.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        seen.push(manifest["provenance"].clone());
    }
    assert!(seen.len() >= 2, "{}", seen.len());
    assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");
}

#[test]
fn a_damaged_manifest_stops_nothing() {
    let scratch = played(2);
    let folder = scratch.path();
    let whole = read(folder, "manifest.toml");
    let expected = games(folder);
    for damaged in ["", "\n", &whole[..whole.len() / 2], "schema = 1\nsession = 3\n", "\0"] {
        unfinished(folder);
        fs::write(folder.join("run/manifest.toml"), damaged).unwrap();
        let (_, told) = done(folder, "--resume run");
        assert!(told.contains("manifest.toml cannot be read"), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert_eq!(games(folder), expected);
        let manifest: toml::Table = read(folder, "manifest.toml").parse().unwrap();
        assert_eq!(manifest["session"][0]["units"].as_integer(), Some(1));
        assert_eq!(manifest["provenance"], whole.parse::<toml::Table>().unwrap()["provenance"]);
    }
    // One of a later version is no damage.
    fs::write(folder.join("run/manifest.toml"), "schema = 99\n").unwrap();
    assert!(refused(folder, "--resume run").contains("schema 99"));
}
