//! The program `convergence` as a user meets it.

use crate::common::{CONVERGENCE, Csv, Scratch, TENGEN, fault, names, printed, read, refused, run};
use crate::gtp_match::engine;
use std::fs;
use std::path::Path;
use tengen::convergence::SolvedPosition;
use tengen::kind::Kind;
use tengen::run::RunLock;
use tengen::suite::Split;

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
    let path = &Scratch::new();
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
    let folder = Scratch::new();
    prepare(&folder);
    let file = folder.join("solved.csv");
    let before = read(&file);
    let line = "positions solved.csv --add 3 --size 3x3 --seed 2";
    let said = printed(TENGEN, &folder, line);
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
    let _lock = RunLock::take(&folder, "solved.csv.lock").unwrap();
    refused(TENGEN, &folder, line, &["solved.csv is being written by another process"]);
    assert_eq!(read(&file), after);
}

#[test]
fn positions_of_another_file_are_left_out() {
    let path = &Scratch::new();
    let draw = |line: &str| printed(TENGEN, path, &format!("positions {line} --size 2x3 --seed 5"));
    draw("first.csv --add 4");
    draw("second.csv --add 4 --apart first.csv");
    let patterns = |name: &str| -> Vec<String> {
        let positions = tengen::convergence::read(&read(&path.join(name))).unwrap();
        positions.iter().map(SolvedPosition::pattern).collect()
    };
    let [first, second] = ["first.csv", "second.csv"].map(patterns);
    assert!(second.iter().all(|pattern| !first.contains(pattern)), "{first:?} {second:?}");
    let line = "positions third.csv --add 1 --size 2x3 --apart gone.csv";
    refused(TENGEN, path, line, &["--apart", "gone.csv"]);
}

#[test]
fn the_suite_measures_one_move_of_every_bot() {
    let path = &Scratch::new();
    let program = format!("gtp:{TENGEN} gtp --bot plain:simulations=200");
    let bots =
        format!("--bot random --bot solver --bot 'own=plain:simulations=200' --bot '{program}'");
    let line = format!("suite --size 3x3 {bots}");
    let said = printed(TENGEN, path, &format!("{line} --threads 2 --out one"));
    let summary = Csv::read(&path.join("one/summary.csv"));
    let searches = Csv::read(&path.join("one/searches.csv"));
    let positions = Split::Test.positions().unwrap();
    let small = positions.iter().filter(|position| position.size().points() == 9).count();
    assert_eq!((summary.len(), searches.len()), (4, 4 * small));
    let table: Vec<Vec<&str>> =
        said.lines().take(5).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(&table[0][..4], ["size", "bot", "positions", "optimal"], "{said}");
    assert_eq!(&table[2][..5], ["3x3", "solver", &small.to_string(), "100.0", "%"], "{said}");
    assert_eq!(summary.number(1, "regret"), 0.0);
    assert!(summary.number(0, "optimal") < 0.9 && summary.number(0, "regret") > 1.0);
    assert!(summary.number(2, "optimal") > summary.number(0, "optimal"));
    // Only searches have an error at the root; no bot has a number of simulations in common.
    assert_eq!(summary.get(0, "value_error"), "");
    assert!(summary.number(2, "value_error") < 0.5);
    assert_eq!(summary.get(2, "playouts"), "");
    assert!(names(&path.join("one/plots")).contains(&"regret.svg".to_owned()));
    assert!(read(&path.join("one/report.html")).contains("a random legal move keeps it in"));
    // The page tells the answer of such a run in a few words.
    let brief = tengen::kind::brief(Kind::CONVERGENCE, &read(&path.join("one/summary.csv")));
    assert!(brief.is_some_and(|brief| brief.ends_with(" finds 100.0 %")));
    // Chunks make the same rows.
    for chunk in ["1/2", "2/2"] {
        printed(TENGEN, path, &format!("{line} --out two --chunk {chunk}"));
    }
    printed(TENGEN, path, "suite --merge two");
    assert_eq!(read(&path.join("two/summary.csv")), read(&path.join("one/summary.csv")));
}

#[test]
fn who_cannot_be_measured_is_named() {
    let path = &Scratch::new();
    let bots =
        |bot: &str| format!("suite --size 3x4 --bot random --bot \"gone=gtp:'{bot}'\" --out one");
    for (bot, named) in [
        ("/no/such/program", &["bot gone cannot play on 3x4", "/no/such/program", "size"][..]),
        ("true", &["bot gone cannot play on 3x4"]),
    ] {
        refused(TENGEN, path, &bots(bot), named);
    }
    // An engine that crashes stops the run, which another session goes on with.
    let engine = engine();
    let bot = format!("bad=gtp:sh -c 'exec sh {} $(cat how)'", engine.display());
    let line = format!("suite --size 3x3 --threads 1 --bot random --bot \"{bot}\" --out run");
    fs::write(path.join("how"), "crash").unwrap();
    let output = run(TENGEN, path, &line);
    fault(&output, 1, &["bot bad made no move in position 1, on 3x3", "out of luck"]);
    fs::write(path.join("how"), "pass").unwrap();
    printed(TENGEN, path, "suite --resume run");
    let summary = Csv::read(&path.join("run/summary.csv"));
    assert_eq!((summary.get(1, "bot"), summary.get(1, "positions")), ("bad", "60"));
}

#[test]
fn a_board_without_positions_to_find_leaves_no_file() {
    let folder = Scratch::new();
    let line = "positions new.csv --add 1 --size 1x1";
    fault(&run(TENGEN, &folder, line), 1, &["0 of 1 positions found", "--size"]);
    assert_eq!(names(&folder), ["new.csv.lock"]);
}
