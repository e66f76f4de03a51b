//! The program `scaling` as a user meets it.

use crate::common::{Csv, SCALING, names, printed, run, text, words};
use crate::gtp_match::engine;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

const DOUBLING: &str = "--part doubling --size 5 --playouts 10 --doublings 2 --pairs 2 --seed 4";
const PARALLEL: &str =
    "--part parallel --size 5 --playouts 12 --parallel 2 --factors 0.5,2,4 --pairs 2 --seed 4";

#[track_caller]
fn refused(line: &str, named: &[&str]) {
    let folder = tempdir().unwrap();
    let output = run(SCALING, folder.path(), &words(line));
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
fn what_makes_no_measurement_is_refused_in_one_line() {
    for (line, named) in [
        ("", &["--part"][..]),
        ("--part magic", &["magic", "doubling"]),
        ("--part speed --pairs 3", &["--pairs", "speed"]),
        ("--part speed --bot random", &["random", "simulations"]),
        ("--part speed --bot uct:workers=2", &["workers"]),
        ("--part speed --bot uct --bot uct", &["`uct`"]),
        ("--part speed --simulations 0", &["--simulations", "0"]),
        ("--part speed --threads 0", &["--threads", "0"]),
        ("--part doubling --size 5,9", &["--size", "one value"]),
        ("--part doubling --bot uct", &["--bot", "doubling"]),
        ("--part doubling --parallel 2", &["--parallel", "doubling"]),
        ("--part doubling --playouts 0", &["--playouts", "0"]),
        ("--part doubling --playouts 90000000 --doublings 20", &["--doublings"]),
        ("--part doubling --pairs 0", &["pairs", "0"]),
        ("--part doubling --bot-settings depth=3", &["depth", "exploration"]),
        ("--part doubling --bot-settings playouts=3", &["`playouts` is set twice"]),
        ("--part doubling --bot-settings seconds=3", &["seconds"]),
        ("--part parallel --parallel 1", &["--parallel", "1"]),
        ("--part parallel --playouts 3 --parallel 4", &["workers", "4"]),
        ("--part parallel --factors 0", &["--factors", "0"]),
        ("--part parallel --factors 1", &["--factors", "--reference"]),
        ("--part parallel --reference nan", &["--reference", "NaN"]),
        ("--part parallel --reference 2 --opponent random", &["--reference", "--opponent"]),
        ("--part parallel --opponent p9=uct:playouts=9", &["--opponent", "`p9`", "NAME=SPEC"]),
        ("--part parallel --opponent random --factors 1", &["--factors has one"]),
        ("--part parallel --opponent random --games-per-thread 2", &["--games-per-thread", "gtp"]),
        ("--part parallel --games-per-thread 65", &["--games-per-thread", "65"]),
        ("--part parallel --schemes trunk", &["trunk", "root"]),
        ("--part parallel --games-per-thread 0", &["--games-per-thread", "0"]),
        ("--part doubling --opponent random", &["--opponent", "doubling"]),
        ("--part speed --work fixed_time", &["--work", "speed"]),
        ("--resume nowhere", &["nowhere"]),
        ("--resume nowhere --pairs 3", &["--resume", "--pairs"]),
    ] {
        refused(line, named);
    }
}

#[test]
fn speed_leaves_a_row_a_measurement() {
    let folder = tempdir().unwrap();
    let line = "--part speed --size 3,5 --threads 1,2 --simulations 50 --repeats 2 --out run \
                --bot a=uct:expansion=1 --bot uct:in_flight=lanes";
    let said = printed(SCALING, folder.path(), &words(line));
    assert!(said.contains("uct:in_flight=lanes"), "{said}");
    let run = folder.path().join("run");
    assert_eq!(names(&run), ["config.toml", "manifest.toml", "plots", "speed.csv"]);
    assert_eq!(names(&run.join("plots")), ["speed_by_size.svg", "speed_by_threads.svg"]);
    let csv = Csv::read(&run.join("speed.csv"));
    assert_eq!(
        csv.header,
        "size,config,threads,repeat,simulations_per_second,simulations_per_cpu_second,searches,\
         simulations,mean_depth,nodes,bytes_per_node,isa,seed,selection_share,playout_share,\
         update_share"
    );
    assert_eq!(csv.len(), 16);
    for row in 0..16 {
        let (searches, threads) = (csv.number(row, "searches"), csv.number(row, "threads"));
        let alone = csv.get(row, "config") == "uct:in_flight=lanes";
        assert_eq!(searches == threads, alone);
        assert_eq!(csv.number(row, "simulations"), 50.0 * searches);
        assert!(csv.number(row, "simulations_per_second") > 0.0);
        let shares = ["selection_share", "playout_share", "update_share"];
        let whole: f64 = shares.iter().map(|share| csv.number(row, share)).sum();
        assert!((whole - 1.0).abs() < 2e-4, "{whole}");
        // The order alternates: every kind once before any comes again.
        assert_eq!(csv.get(row, "repeat"), if row < 8 { "0" } else { "1" });
    }
    let config: toml::Table = fs::read_to_string(run.join("config.toml")).unwrap().parse().unwrap();
    let bots: Vec<&str> =
        config["bot"].as_array().unwrap().iter().filter_map(toml::Value::as_str).collect();
    assert!(bots[0].starts_with("a=uct:") && bots[0].contains("rave=equivalence"), "{bots:?}");
    assert!(bots[1].starts_with("uct:") && bots[1].contains("in_flight=lanes"), "{bots:?}");
}

/// What a finished run of matches leaves beside what every tournament does.
#[track_caller]
fn tournament_is_there(run: &Path) {
    for name in ["config.toml", "games.csv", "games.csv", "manifest.toml", "report.html"] {
        assert!(run.join(name).exists(), "{name}");
    }
}

#[test]
fn doublings_are_rows_and_a_plot() {
    let folder = tempdir().unwrap();
    printed(SCALING, folder.path(), &words(&format!("{DOUBLING} --out run")));
    let run = folder.path().join("run");
    tournament_is_there(&run);
    assert!(run.join("plots/doubling.svg").exists());
    let csv = Csv::read(&run.join("doubling.csv"));
    assert_eq!(csv.header, "playouts,opponent_playouts,games,pairs,elo,elo_low,elo_high");
    assert_eq!(csv.len(), 2);
    for (row, playouts) in [(0, "20"), (1, "40")] {
        assert_eq!(csv.get(row, "playouts"), playouts);
        assert_eq!((csv.get(row, "games"), csv.get(row, "pairs")), ("4", "2"));
    }
    assert_eq!(csv.get(1, "opponent_playouts"), "20");
    // The games do not depend on threads.
    let again = format!("{DOUBLING} --threads 2 --out again");
    printed(SCALING, folder.path(), &words(&again));
    let again = fs::read_to_string(folder.path().join("again/doubling.csv")).unwrap();
    assert_eq!(again, fs::read_to_string(run.join("doubling.csv")).unwrap());
}

#[test]
fn parallel_schemes_are_held_against_the_curve() {
    let folder = tempdir().unwrap();
    let settings = "rave=none,prior=none,policy=uniform,expansion=2,exploration=0.2";
    let line = format!("{PARALLEL} --bot-settings {settings} --out run");
    let said = printed(SCALING, folder.path(), &words(&line));
    assert!(said.contains("root-2-time") && said.contains("doubling curve"), "{said}");
    let run = folder.path().join("run");
    tournament_is_there(&run);
    for plot in ["speedup_fixed_time", "speedup_fixed_work", "doubling_curve"] {
        assert!(run.join(format!("plots/{plot}.svg")).exists(), "{plot}");
    }
    let csv = Csv::read(&run.join("parallel.csv"));
    let kinds: Vec<String> = (0..csv.len())
        .map(|row| ["scheme", "n", "work", "playouts"].map(|name| csv.get(row, name)).join(" "))
        .collect();
    assert_eq!(
        kinds,
        [
            "sequential 1  6",
            "sequential 1  24",
            "sequential 1  48",
            "root 2 fixed_time 24",
            "root 2 fixed_work 12",
            "tree 2 fixed_time 24",
            "tree 2 fixed_work 12",
            "leaf 2 fixed_time 24",
            "leaf 2 fixed_work 12",
            "shared 2 fixed_time 24",
            "shared 2 fixed_work 12",
        ]
    );
    let config = fs::read_to_string(run.join("config.toml")).unwrap();
    assert_eq!(config.matches("exploration = 0.2").count(), 12, "{config}");
    let plot = fs::read_to_string(run.join("plots/speedup_fixed_time.svg")).unwrap();
    for label in ["Chaslot et al.", "virtual loss", "one after the"] {
        assert!(plot.contains(label), "{label}");
    }
    assert!(!plot.contains('…'), "the conditions are cut: {plot}");
}

#[test]
fn another_bot_can_be_the_opponent_of_chosen_schemes() {
    let folder = tempdir().unwrap();
    let line = "--part parallel --size 5 --playouts 12 --parallel 2 --factors 1,4 --pairs 3 \
                --seed 4 --schemes tree,root,tree --work fixed_time --threads 1 --out run";
    let engine = format!("passes=gtp:sh '{}' good", engine().display());
    let opponent = ["--opponent", &engine, "--games-per-thread", "3"].map(str::to_owned);
    printed(SCALING, folder.path(), &[words(line), opponent.to_vec()].concat());
    let run = folder.path().join("run");
    tournament_is_there(&run);
    let table = fs::read_to_string(run.join("parallel.csv")).unwrap();
    let csv = Csv::read(&run.join("parallel.csv"));
    let kinds: Vec<String> = (0..csv.len())
        .map(|row| ["scheme", "playouts", "games"].map(|name| csv.get(row, name)).join(" "))
        .collect();
    assert_eq!(kinds, ["sequential 12 6", "sequential 48 6", "root 24 6", "tree 24 6"]);
    let plots = names(&run.join("plots"));
    assert!(plots.iter().any(|name| name == "speedup_fixed_time.svg"), "{plots:?}");
    assert!(!plots.iter().any(|name| name.starts_with("speedup_fixed_work")), "{plots:?}");
    let plot = fs::read_to_string(run.join("plots/doubling_curve.svg")).unwrap();
    assert!(plot.contains("Elo over passes"), "{plot}");
    let manifest = fs::read_to_string(run.join("manifest.toml")).unwrap();
    assert!(manifest.contains("\ngames_per_thread = 3\n"), "{manifest}");
    fs::remove_file(run.join("parallel.csv")).unwrap();
    cut(&run.join("games.csv"), 9);
    printed(SCALING, folder.path(), &words("--resume run --threads 1 --games-per-thread 2"));
    assert_eq!(fs::read_to_string(run.join("parallel.csv")).unwrap(), table);
}

/// Takes away what comes after the first `lines` lines of a journal.
fn cut(journal: &Path, lines: usize) {
    let text = fs::read_to_string(journal).unwrap();
    let kept: String = text.split_inclusive('\n').take(lines).collect();
    assert!(kept.len() < text.len());
    fs::write(journal, kept).unwrap();
}

#[test]
fn a_resumed_run_is_the_run_in_one_piece() {
    for (line, table) in [(DOUBLING, "doubling.csv"), (PARALLEL, "parallel.csv")] {
        let folder = tempdir().unwrap();
        printed(SCALING, folder.path(), &words(&format!("{line} --out run")));
        let run = folder.path().join("run");
        let whole = fs::read_to_string(run.join(table)).unwrap();
        fs::remove_file(run.join(table)).unwrap();
        cut(&run.join("games.csv"), 4);
        printed(SCALING, folder.path(), &words("--resume run --threads 1"));
        assert_eq!(fs::read_to_string(run.join(table)).unwrap(), whole);
    }
}

#[test]
fn another_tournament_is_not_resumed() {
    for other in [
        "--bot random --bot two-ply",
        "--name scaling-doubling --format neighbors --bot random --bot p4=uct:playouts=4",
        "--name scaling-parallel --format gauntlet --bot random --bot tree-2-time=uct:playouts=4",
    ] {
        let folder = tempdir().unwrap();
        let line = words(&format!("--size 3 --pairs 1 {other} --out run"));
        printed(crate::common::TOURNAMENT, folder.path(), &line);
        let output = run(SCALING, folder.path(), &words("--resume run"));
        assert_eq!(output.status.code(), Some(2), "{other}");
        assert!(text(&output.stderr).contains("holds no matches of scaling"), "{other}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_run_that_goes_on() {
    let folder = tempdir().unwrap();
    let line =
        "--part doubling --size 5 --playouts 50 --doublings 3 --pairs 100 --threads 1 --out run";
    let child = Command::new(SCALING)
        .args(words(line))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let journal = folder.path().join("run/games.csv");
    let patience = Instant::now() + Duration::from_secs(60);
    while fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 3 {
        assert!(Instant::now() < patience, "no game ends");
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("--resume run"), "{said}");
    assert!(!folder.path().join("run/doubling.csv").exists());
    let before = fs::read_to_string(&journal).unwrap().lines().count();
    printed(SCALING, folder.path(), &words("--resume run"));
    assert!(fs::read_to_string(&journal).unwrap().lines().count() > before);
    assert_eq!(Csv::read(&folder.path().join("run/doubling.csv")).len(), 3);
}
