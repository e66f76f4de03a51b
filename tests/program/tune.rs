//! The program `tune` as a user meets it: a tuning that is killed or played by other
//! threads is the tuning in one piece.

use crate::common::{Csv, TUNE, names, printed, run, text, words};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Two dozen pairs that take a second.
const SMALL: &str = "--size 5 --bot uct:playouts=40,rave=none,prior=none,exploration=0.5 \
                     --param exploration=0.05..2:log --games 48 --validation 4 --seed 3";

/// What `tune` prints for `line`, which writes to `out`.
fn tuned(folder: &Path, line: &str, out: &str) -> String {
    printed(TUNE, folder, &words(&format!("{line} --out {out}")))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// The files of `folder` that do not depend on time.
fn results(folder: &Path) -> Vec<String> {
    ["samples.csv", "estimate.csv", "validation.csv"].map(|name| read(&folder.join(name))).into()
}

#[track_caller]
fn refused(line: &str, named: &[&str]) {
    let folder = tempdir().unwrap();
    let output = run(TUNE, folder.path(), &words(line));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{line}: {said}");
    assert_eq!(text(&output.stdout), "", "{line}");
    assert_eq!(said.lines().count(), 1, "{line}: {said}");
    for name in named {
        assert!(said.contains(name), "{line}: `{name}` is not in: {said}");
    }
    assert_eq!(names(folder.path()), [""; 0], "{line} left something");
}

#[test]
fn what_cannot_be_tuned_is_refused_in_one_line() {
    let all = [
        ("--param explore=0..1", &["explore", "exploration"][..]),
        ("--param exploration=2..1", &["exploration", "2..1", "empty"]),
        ("--param exploration=-1..2", &["exploration", "-1"]),
        ("--param exploration=0..2:log", &["exploration", "above 0"]),
        ("--param exploration=0..1:cubic", &["cubic", "linear, log or integer"]),
        ("--param exploration", &["NAME=LOW..HIGH"]),
        ("--param exploration=0..1 --param exploration=0..2", &["given twice"]),
        ("--param expansion=1..9", &["expansion", ":integer"]),
        ("--param reuse=0..1", &["reuse"]),
        ("--param rave=1..9 --bot uct:rave=none", &["rave=none", "equivalence"]),
        ("--param exploration=0..1 --bot random", &["random", "uct"]),
        ("--param exploration=0..1 --opponent magic", &["magic"]),
        ("--param exploration=0..1 --games 7", &["`games` is 7", "even"]),
        ("--param exploration=0..1 --games 10,20", &["--games", "--synthetic"]),
        (
            "--param exploration=0..1 --method sweep --steps 99 --games 10",
            &["`games` is 10: sweep over 99 points needs 198 or more"],
        ),
        ("--param exploration=0..1 --method magic", &["magic"]),
        ("--param exploration=0..1 --validation 0", &["`validation` is 0"]),
        ("--param exploration=0..1 --repeats 3", &["--repeats", "--synthetic"]),
        ("--param exploration=0..1 --opponent gtp:/nowhere/at-all", &["/nowhere/at-all"]),
        ("--synthetic HILL", &["HILL"]),
        ("--synthetic LOG --games 0", &["`games` is 0: it must be 1 to 100000000"]),
        ("--synthetic LOG --repeats 0", &["`repeats` is 0"]),
        ("--synthetic LOG --bot uct", &["--bot", "--synthetic"]),
        ("--config nowhere.toml", &["nowhere.toml"]),
        ("--resume nowhere", &["nowhere"]),
        ("--resume nowhere --games 30", &["--resume", "--threads"]),
    ];
    for (line, named) in all {
        refused(line, named);
    }
}

#[test]
fn a_tuning_ends_with_a_validated_answer() {
    let folder = tempdir().unwrap();
    let said = tuned(folder.path(), SMALL, "run");
    let at = |name: &str| folder.path().join("run").join(name);
    assert!(said.contains("After 48 games on 5x5 with thompson, "), "{said}");
    assert!(said.contains("Validated on fresh openings, the tuned bot wins "), "{said}");
    assert!(said.contains("while tuning (biased): "), "{said}");
    let samples = Csv::read(&at("samples.csv"));
    assert_eq!(samples.header, "trial,opening,exploration,exploration_opponent,wins,losses");
    assert_eq!(samples.len(), 24);
    let games = Csv::read(&at("games.csv"));
    assert_eq!(games.len(), 48);
    for trial in 0..24 {
        assert_eq!(samples.number(trial, "wins") + samples.number(trial, "losses"), 2.0);
        let value = samples.number(trial, "exploration");
        assert!((0.05..=2.0).contains(&value), "{value}");
        // Both games of a pair are on one opening, and the bots swap colours.
        let (one, other) = (2 * trial, 2 * trial + 1);
        let opening = |game| {
            let plies = games.get(game, "opening_plies").parse().unwrap();
            games.get(game, "moves").split(' ').take(plies).collect::<Vec<_>>()
        };
        assert_eq!(opening(one), opening(other));
        assert_eq!(games.get(one, "black"), games.get(other, "white"));
        assert!(games.get(one, "black").contains(&format!("exploration={value}")) || value == 0.1);
    }
    let estimates = Csv::read(&at("estimate.csv"));
    let header = "games,exploration,exploration_low,exploration_high,exploration_flat";
    assert_eq!(estimates.header, header);
    assert_eq!(estimates.get(estimates.len() - 1, "games"), "48");
    let validation = Csv::read(&at("validation.csv"));
    assert_eq!((validation.len(), validation.get(0, "opponent")), (1, "default"));
    assert_eq!(validation.get(0, "games"), "8");
    // The validation has openings of its own.
    let fresh = Csv::read(&at("validation/games.csv"));
    let seeds: Vec<&str> = (0..games.len()).map(|row| games.get(row, "seed")).collect();
    assert!((0..fresh.len()).all(|row| !seeds.contains(&fresh.get(row, "seed"))));
    let page = read(&at("report.html"));
    assert!(page.contains("<h2>Validation</h2>") && page.contains("It is biased"));
    let wanted = ["estimate-exploration.svg", "samples-exploration.svg"];
    assert!(wanted.iter().all(|name| names(&at("plots")).contains(&(*name).to_owned())));
    // The settings in the folder repeat the run.
    tuned(folder.path(), "--config run/config.toml", "again");
    assert_eq!(results(&folder.path().join("again")), results(&at("")));
}

#[test]
fn samples_do_not_depend_on_threads() {
    let folder = tempdir().unwrap();
    for method in ["thompson", "halving", "spsa"] {
        let line = format!("{SMALL} --method {method} --look-ahead 5");
        let [one, three] = ["1", "3"].map(|threads| {
            let out = format!("{method}-{threads}");
            tuned(folder.path(), &format!("{line} --threads {threads}"), &out);
            results(&folder.path().join(out))
        });
        assert_eq!(one, three, "{method}");
    }
}

#[test]
fn killed_again_and_again_it_is_the_tuning_in_one_piece() {
    let folder = tempdir().unwrap();
    let line = format!("{SMALL} --method clop");
    tuned(folder.path(), &line, "whole");
    let out = folder.path().join("killed");
    let begin = |arguments: &str| {
        let mut command = Command::new(TUNE);
        command.args(words(arguments)).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let lines = || fs::read_to_string(out.join("games.csv")).map_or(0, |t| t.lines().count());
    let mut child = begin(&format!("{line} --out killed"));
    for wanted in [2, 14, 31, 45] {
        let patience = Instant::now() + Duration::from_secs(60);
        while lines() < wanted {
            assert!(Instant::now() < patience, "no progress");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        child = begin("--resume killed");
    }
    assert!(child.wait().unwrap().success());
    assert_eq!(results(&out), results(&folder.path().join("whole")));
    assert_eq!(lines(), 49, "no game twice, none missing");
    // What was played under other settings is no part of the run.
    let config = read(&out.join("config.toml"));
    fs::write(out.join("config.toml"), config.replace("komi = 2.5", "komi = 3.5")).unwrap();
    let output = run(TUNE, folder.path(), &["--resume", "killed"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("config.toml"), "{}", text(&output.stderr));
}

#[test]
fn two_parameters_against_another_bot() {
    let folder = tempdir().unwrap();
    let line = "--size 5 --bot uct:playouts=20 --opponent two-ply --method sweep --steps 2 \
                --param exploration=0.05..2:log --param rave=100..1000:log --games 16 \
                --validation 2";
    let said = tuned(folder.path(), line, "run");
    assert!(said.contains("games against default") && said.contains("games against two-ply"));
    let samples = Csv::read(&folder.path().join("run/samples.csv"));
    let header = "trial,opening,exploration,rave,exploration_opponent,rave_opponent,wins,losses";
    assert_eq!(samples.header, header);
    // Every cell is played on the same openings.
    let openings: Vec<&str> = (0..8).map(|row| samples.get(row, "opening")).collect();
    assert_eq!(openings, ["0", "0", "0", "0", "1", "1", "1", "1"]);
    assert!(names(&folder.path().join("run/plots")).contains(&"map.svg".to_owned()));
    assert_eq!(Csv::read(&folder.path().join("run/validation.csv")).len(), 2);
}

#[test]
fn synthetic_surfaces_have_a_table_of_regret() {
    let folder = tempdir().unwrap();
    let line = "--synthetic log,rosenbrock --method clop,sweep --games 60,130 --repeats 20";
    let said = tuned(folder.path(), line, "run");
    assert!(said.contains("mean simple regret"), "{said}");
    let rows = Csv::read(&folder.path().join("run/regret.csv"));
    assert_eq!(rows.header, "surface,method,games,repeats,mean_regret,low,high");
    // 64 cells of a grid have less than two games each at 60.
    assert_eq!(rows.len(), 7);
    for row in 0..rows.len() {
        let [low, mean, high] = ["low", "mean_regret", "high"].map(|name| rows.number(row, name));
        assert!(0.0 <= low && low <= mean && mean <= high && high < 0.5, "row {row}");
    }
    assert_eq!(rows.get(6, "surface"), "ROSENBROCK");
    tuned(folder.path(), &format!("{line} --threads 1"), "again");
    assert_eq!(
        read(&folder.path().join("again/regret.csv")),
        read(&folder.path().join("run/regret.csv"))
    );
}
