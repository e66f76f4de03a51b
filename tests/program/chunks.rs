//! Chunks of one run, played by several processes.

use crate::common::{TOURNAMENT, names, run, text};
use crate::provenance::{BOTS, change, done, games, played, refused, spawn, without_last_column};
use std::fs;
use std::process::Child;
use tempfile::tempdir;
use tengen::run::Manifest;

#[test]
fn shares_of_other_settings_are_not_joined() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    let share = |playouts: u32, out: &str, chunk: &str| {
        let bots = BOTS.replace("=30", &format!("={playouts}"));
        done(folder, &format!("{bots} --pairs 3 --out {out} --chunk {chunk}"));
    };
    share(30, "run", "1/2");
    share(31, "other", "2/2");
    let chunk = "chunk-2-of-2.csv";
    fs::copy(folder.join("other").join(chunk), folder.join("run").join(chunk)).unwrap();
    let before = names(&folder.join("run"));
    for line in ["--merge run", &format!("{BOTS} --pairs 3 --out run --chunk 2/2")] {
        let fault = refused(folder, line);
        assert!(fault.contains(chunk) && fault.contains("other settings"), "{fault}");
    }
    // A share that says nothing of its settings could be any.
    change(folder, chunk, without_last_column);
    assert!(refused(folder, "--merge run").contains("has no fingerprint"));
    let rest = names(&folder.join("run"));
    assert!(before.iter().all(|name| rest.contains(name)) && !rest.contains(&"games.csv".into()));
    fs::remove_file(folder.join("run").join(chunk)).unwrap();
    share(30, "run", "2/2");
    done(folder, "--merge run");
    assert_eq!(games(folder), games(played(3).path()));
}

#[test]
fn a_chunk_that_lost_rows_is_named_and_completed() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    let chunk = |chunk: &str| {
        let line = format!("{BOTS} --pairs 3 --threads 1 --out run --chunk {chunk}");
        done(folder, &line)
    };
    for part in ["1/2", "2/2"] {
        chunk(part);
    }
    // A whole line, and a piece of one.
    for lost in [1, 20] {
        change(folder, "chunk-2-of-2.csv", |text| {
            let end =
                if lost == 1 { text.trim_end().rfind('\n').unwrap() + 1 } else { text.len() - 20 };
            text[..end].to_owned()
        });
        let fault = refused(folder, "--merge run");
        let remedy = "chunk-2-of-2.csv has lost rows, run --chunk 2/2 again";
        assert!(fault.contains("1 game is in no finished chunk of run: "), "{fault}");
        assert!(fault.contains(remedy), "{fault}");
        let (said, warned) = chunk("2/2");
        assert!(said.starts_with("1 games made, the chunk is complete"), "{said}");
        assert!(warned.contains("run/chunk-2-of-2.csv has lost rows"), "{warned}");
    }
    // As after a kill in the middle: some games in the finished file, some in the other.
    let whole = fs::read_to_string(folder.join("run/chunk-2-of-2.csv")).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let file = |name: &str, kept: &[usize]| {
        let kept: String = kept.iter().map(|&line| lines[line]).collect();
        fs::write(folder.join("run").join(name), kept).unwrap();
    };
    file("chunk-2-of-2.csv", &[0, 1, 2, 5]);
    file("chunk-2-of-2.partial", &[0, 5, 4, 6]);
    let (said, _) = chunk("2/2");
    assert!(said.starts_with("3 games made"), "{said}");
    done(folder, "--merge run");
    assert_eq!(games(folder), games(played(3).path()));
}

#[test]
fn shares_begun_at_once_have_one_folder() {
    for round in 0..3 {
        let scratch = tempdir().unwrap();
        let folder = scratch.path();
        let share = |k: u32| {
            spawn(folder, &format!("{BOTS} --pairs 6 --threads 1 --out run --chunk {k}/6"))
        };
        let children: Vec<Child> = (1..=6).map(share).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "round {round}: {}", text(&output.stderr));
        }
        done(folder, "--merge run");
        assert_eq!(games(folder), games(played(6).path()));
    }
}

#[test]
fn the_merged_manifest_has_the_sessions_of_all_chunks() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    for chunk in ["1/3", "2/3", "3/3", "2/3"] {
        done(folder, &format!("{BOTS} --pairs 2 --threads 1 --out run --chunk {chunk}"));
    }
    // A second merge adds nothing.
    for _ in 0..2 {
        done(folder, "--merge run");
        let manifest = Manifest::read(&folder.join("run/manifest.toml")).unwrap();
        let games: Vec<usize> =
            manifest.sessions.iter().filter_map(|session| session.units).collect();
        assert_eq!((games.len(), games.iter().sum::<usize>()), (4, 12), "{games:?}");
        assert!(manifest.sessions.iter().all(|session| session.machine.host.is_some()));
    }
}

#[test]
fn says_where_time_met_unlike_processors() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    for chunk in ["1/2", "2/2"] {
        let line = "--size 3 --pairs 2 --bot fast=uct:seconds=0.01 --bot random --out run";
        done(folder, &format!("{line} --chunk {chunk}"));
    }
    let merge = || run(TOURNAMENT, folder, &["--merge", "run"]);
    assert_eq!(text(&merge().stderr), "");
    change(folder, "chunk-2-of-2.toml", |text| {
        let other = |line| if str::starts_with(line, "cpu = ") { "cpu = 'other'" } else { line };
        text.lines().map(other).collect::<Vec<_>>().join("\n")
    });
    let said = text(&merge().stderr);
    assert!(said.contains("unlike processors") && said.contains("fast may play"), "{said}");
}
