//! The program `convergence` as a user meets it.

use crate::common::{CONVERGENCE, Csv, TENGEN, fault, names, printed, read, refused, run};
use std::fs;
use std::path::Path;
use tempfile::tempdir;
use tengen::run::RunLock;

const SETTINGS: &str = "name = 'tiny'\npositions = 'solved.csv'\nsimulations = 8\ndoublings = 5\n\
                        searches = 2\nseed = 4\nbot = ['plain=uct:rave=none,prior=none', 'uct']\n";

/// Writes settings, and a file of positions that the program draws.
fn prepare(folder: &Path) {
    fs::write(folder.join("tiny.toml"), SETTINGS).unwrap();
    let line = "positions solved.csv --add 8 --size 3x3 --seed 2 --nodes 100000";
    let said = printed(TENGEN, folder, line);
    assert!(said.contains("8 positions added to solved.csv: it has 8"), "{said}");
}

#[test]
fn a_run_says_how_fast_the_truth_is_found() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    prepare(path);
    let said = printed(CONVERGENCE, path, "--config tiny.toml --out one");
    assert!(said.starts_with("3x3: ") && said.contains("8 positions"), "{said}");
    let summary = Csv::read(&path.join("one/summary.csv"));
    assert_eq!(summary.len(), 2 * 6);
    let searches = Csv::read(&path.join("one/searches.csv"));
    assert_eq!(searches.len(), 8 * 2 * 6);
    // The mean over positions, by another way.
    for row in 0..summary.len() {
        let same = |other: &usize| {
            ["bot", "playouts"].iter().all(|c| searches.get(*other, c) == summary.get(row, c))
        };
        let own: Vec<usize> = (0..searches.len()).filter(same).collect();
        assert_eq!(own.len(), 8);
        for column in ["optimal", "regret", "value_error"] {
            let mean = own.iter().map(|&row| searches.number(row, column)).sum::<f64>() / 8.0;
            let share = summary.number(row, column);
            assert!((share - mean).abs() < 1e-9, "{column} of row {row}: {share}, {mean}");
            let ends = ["low", "high"].map(|end| summary.number(row, &format!("{column}_{end}")));
            assert!(ends[0] <= share && share <= ends[1], "{column} of row {row}: {ends:?}");
        }
    }
    assert!(names(&path.join("one/plots")).contains(&"regret-3x3.svg".to_owned()));
    let report = read(&path.join("one/report.html"));
    assert!(report.contains("a random legal move keeps it in"), "{report}");
    let json: serde_json::Value =
        serde_json::from_str(&printed(CONVERGENCE, path, "--report one --json")).unwrap();
    assert_eq!(json["summary"].as_array().unwrap().len(), summary.len());
    assert!(
        (json["summary"][3]["regret"].as_f64().unwrap() - summary.number(3, "regret")).abs() < 1e-9
    );
    // Options are settings, over those of the file; a run cannot grow.
    printed(CONVERGENCE, path, "--config tiny.toml --searches 1 --doublings 1 --out small");
    assert_eq!(Csv::read(&path.join("small/searches.csv")).len(), 8 * 2 * 2);
    printed(CONVERGENCE, path, "--resume small --searches 1");
    refused(CONVERGENCE, path, "--resume small --config tiny.toml", &["doublings is 1 and not 5"]);
    let named = ["--extend 9", "begin a new run with a larger file of --positions"];
    refused(CONVERGENCE, path, "--resume small --extend 9", &named);
    // What follows from the searches is written again.
    fs::remove_file(path.join("one/report.html")).unwrap();
    fs::remove_dir_all(path.join("one/plots")).unwrap();
    assert_eq!(printed(CONVERGENCE, path, "--report one"), said);
    assert_eq!(read(&path.join("one/report.html")), report);
    // A run of an earlier version names the file from which its positions were taken.
    let config = read(&path.join("one/config.toml"));
    let earlier =
        config.replace("positions = \"positions.csv\"", "positions = \"gone/solved.csv\"");
    assert_ne!(earlier, config);
    fs::write(path.join("one/config.toml"), earlier).unwrap();
    assert_eq!(printed(CONVERGENCE, path, "--report one"), said);
    fs::write(path.join("one/config.toml"), config).unwrap();
    assert!(names(&path.join("one/plots")).contains(&"regret-3x3.svg".to_owned()));
}

#[test]
fn more_positions_are_added_and_none_twice() {
    let folder = tempdir().unwrap();
    prepare(folder.path());
    let file = folder.path().join("solved.csv");
    let before = read(&file);
    let line = "positions solved.csv --add 3 --size 3x3 --seed 2";
    let said = printed(TENGEN, folder.path(), line);
    assert!(said.contains("it has 11"), "{said}");
    let after = read(&file);
    assert!(after.starts_with(&before), "{after}");
    let mut positions: Vec<&str> =
        after.lines().map(|line| line.split(',').nth(4).unwrap()).collect();
    positions.sort_unstable();
    let count = positions.len();
    positions.dedup();
    // The same stones may stand twice, with another player to move.
    assert!(positions.len() >= count - 2, "{after}");
    // One that another process extends is left alone.
    let _lock = RunLock::take(folder.path(), "solved.csv.lock").unwrap();
    refused(TENGEN, folder.path(), line, &["solved.csv is being written by another process"]);
    assert_eq!(read(&file), after);
}

#[test]
fn a_board_without_positions_to_find_leaves_no_file() {
    let folder = tempdir().unwrap();
    let line = "positions new.csv --add 1 --size 1x1";
    fault(&run(TENGEN, folder.path(), line), 1, &["0 of 1 positions found", "--size"]);
    assert_eq!(names(folder.path()), ["new.csv.lock"]);
}
