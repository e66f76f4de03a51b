//! A run that goes on, or is read, under what it was begun with.

use crate::common::{
    Csv, Scratch, TOURNAMENT, change, command, kill_when, lines, names, printed, read, refused,
    run, text, wait_until,
};
use std::fs;
use std::path::Path;
use std::process::Child;
use tengen::commands::build;
use tengen::run::{Experiment, Run, Session};
use tengen::tournament::Tournament;

const BOTS: &str = "--size 3 --seed 4 --bot u=uct:simulations=30 --bot two-ply --bot random";

fn done(folder: &Path, line: &str) -> String {
    printed(TOURNAMENT, folder, line)
}

/// A folder that holds the run `run`.
fn played(line: &str) -> Scratch {
    let scratch = Scratch::new();
    done(&scratch, &format!("{line} --out run"));
    scratch
}

/// What must be the same after a refusal.
fn kept(folder: &Path) -> [String; 3] {
    ["config.toml", "games.csv", "manifest.toml"].map(|name| read(&folder.join("run").join(name)))
}

fn games(folder: &Path) -> Vec<String> {
    Csv::read(&folder.join("run/games.csv")).without("_seconds")
}

/// A tournament that is being played.
fn begun(folder: &Path, line: &str) -> Child {
    let child = command(TOURNAMENT, folder, &format!("{line} --out run")).spawn().unwrap();
    wait_until("games are played", || lines(&folder.join("run/games.csv")) > 3);
    child
}

#[test]
fn an_extension_is_refused_before_anything_is_written() {
    let files = Scratch::new();
    for (name, mv) in [("a.sgf", "cc"), ("b.sgf", "bc")] {
        fs::write(files.join(name), format!("(;SZ[5];B[{mv}])")).unwrap();
    }
    let openings = files.display();
    let given = format!("--size 5 --openings {openings} --bot random --bot two-ply");
    for (line, pairs, fault) in [
        (given.as_str(), "3", "there are 2 openings for 3 pairs"),
        (&given, "99999999999", "it must be 1 to 10000000"),
        (&given, "1", "the run has 2 pairs"),
        (&format!("{BOTS} --pairs 1"), "10000001", "it must be 1 to 10000000"),
        (&format!("{BOTS} --pairs 1"), "18446744073709551615", "it must be 1 to 10000000"),
    ] {
        let scratch = played(line);
        let before = kept(&scratch);
        let line = format!("--resume run --extend {pairs}");
        refused(TOURNAMENT, &scratch, &line, &[fault]);
        assert_eq!(kept(&scratch), before, "--extend {pairs}");
        done(&scratch, "--resume run");
    }
}

/// A program of one's own that gives its experiment other settings is told which, and not that
/// config.toml was changed.
#[test]
fn other_settings_of_an_experiment_are_named() {
    let scratch = played(&format!("{BOTS} --pairs 2"));
    let before = kept(&scratch);
    let text = before[0].replace("seed = 4", "seed = 5");
    let tournament: Tournament = text.parse().unwrap();
    let provenance = tournament.provenance().unwrap();
    let mut own = Run::open(&scratch.join("run")).unwrap();
    let Err(error) = Session::open(&tournament, &mut own, &provenance, &build()) else {
        panic!("it is opened")
    };
    let said = error.to_string();
    assert!(said.contains("in config.toml, seed is 4 and not 5: give this program"), "{said}");
    assert!(!said.contains("undo the change"), "{said}");
    assert_eq!(kept(&scratch), before);
}

/// A run is extended by the option alone, not by an edit of its settings.
#[test]
fn a_run_is_not_extended_by_an_edit() {
    let folder = &played(&format!("{BOTS} --pairs 2"));
    for edited in ["pairs = 3", "pairs = 1"] {
        change(&folder.join("run/config.toml"), |text| text.replace("pairs = 2", edited));
        let before = kept(folder);
        refused(TOURNAMENT, folder, "--resume run", &["run/config.toml", "`pairs`", "--extend"]);
        assert_eq!(kept(folder), before);
        change(&folder.join("run/config.toml"), |text| text.replace(edited, "pairs = 2"));
    }
    done(folder, "--resume run");
    // Said as well, it is extended.
    change(&folder.join("run/config.toml"), |text| text.replace("pairs = 2", "pairs = 3"));
    done(folder, "--resume run --extend 3");
    assert_eq!(games(folder).len(), games(&played(&format!("{BOTS} --pairs 3"))).len());
}

#[test]
fn an_extended_run_is_the_longer_run_and_its_report_can_be_made_again() {
    let longer = played(&format!("{BOTS} --pairs 4"));
    let folder = &played(&format!("{BOTS} --pairs 2"));
    let before = games(folder);
    done(folder, "--resume run --extend 4");
    assert_eq!(games(folder)[..before.len()], before);
    assert_eq!(games(folder), games(&longer));
    assert_eq!(kept(folder)[0], kept(&longer)[0]);
    // The same settings said again are no difference.
    let rows = fs::read(folder.join("run/games.csv")).unwrap();
    done(folder, &format!("--resume run {BOTS} --pairs 4"));
    assert_eq!(fs::read(folder.join("run/games.csv")).unwrap(), rows);
    let report = read(&folder.join("run/report.html"));
    fs::remove_file(folder.join("run/report.html")).unwrap();
    fs::remove_dir_all(folder.join("run/plots")).unwrap();
    done(folder, "--report run");
    assert_eq!(read(&folder.join("run/report.html")), report);
    assert!(folder.join("run/plots/win_rates.svg").exists());
}

/// 200 million games are due here: a list of them would have 1.6 GB.
#[cfg(target_os = "linux")]
#[test]
fn a_long_schedule_takes_no_memory() {
    let scratch = Scratch::new();
    let bots = "--bot random --bot random --bot random --bot random --bot random";
    let line = format!("--size 2 --threads 1 --pairs 10000000 {bots}");
    let child = begun(&scratch, &line);
    let status = read(Path::new(&format!("/proc/{}/status", child.id())));
    kill_when(child, || true);
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 400_000, "{peak} kB");
}

#[test]
fn what_is_being_played_is_neither_merged_nor_reported() {
    let folder = &Scratch::new();
    let child = begun(folder, &format!("{BOTS} --pairs 20000"));
    let config = read(&folder.join("run/config.toml"));
    for line in ["--merge run", "--report run", "--resume run", "--resume run --extend 20001"] {
        refused(TOURNAMENT, folder, line, &["another process"]);
    }
    assert_eq!(read(&folder.join("run/config.toml")), config);
    kill_when(child, || true);
    refused(TOURNAMENT, folder, "--merge run", &["games are in no finished chunk"]);
}

/// A run is read with what its rows need of its settings, and goes on with all of them alone.
#[test]
fn a_run_with_settings_that_this_version_does_not_have_is_read() {
    let folder = &played(&format!("{BOTS} --pairs 1"));
    let before = done(folder, "--report run");
    change(&folder.join("run/config.toml"), |text| {
        text.replace("simulations = 30", "patience = 30")
    });
    let output = run(TOURNAMENT, folder, "--report run");
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), before);
    let told = text(&output.stderr);
    assert!(told.contains("config.toml is not what the games were played under"), "{told}");
    refused(TOURNAMENT, folder, "--resume run", &["unknown setting `patience`"]);
}

#[test]
fn says_where_time_met_unlike_processors() {
    let folder = &Scratch::new();
    for chunk in ["1/2", "2/2"] {
        let line = "--size 3 --pairs 2 --bot fast=uct:seconds=0.01 --bot random --out run";
        done(folder, &format!("{line} --chunk {chunk}"));
    }
    done(folder, "--merge run");
    change(&folder.join("run/chunk-2-of-2.toml"), |text| {
        let other = |line| if str::starts_with(line, "cpu = ") { "cpu = 'other'" } else { line };
        text.lines().map(other).collect::<Vec<_>>().join("\n")
    });
    let said = text(&run(TOURNAMENT, folder, "--merge run").stderr);
    assert!(said.contains("unlike processors") && said.contains("fast may play"), "{said}");
}

#[test]
fn runs_without_a_place_are_named_and_numbered() {
    let folder = Scratch::new();
    let line = "--size 2 --pairs 1 --bot random --bot random";
    // Without --out: runs, the date and the name, which may be one of dots.
    for name in ["my.run", "my.run", ".."] {
        done(&folder, &format!("{line} --name {name}"));
    }
    let runs = names(&folder.join("runs"));
    assert_eq!(runs.len(), 3);
    for (run, end) in runs.iter().zip(["-..", "-my.run", "-my.run-2"]) {
        assert!(run.ends_with(end) && run.starts_with("20"), "{runs:?}");
    }
    assert_eq!(names(&folder), ["runs"]);
}
