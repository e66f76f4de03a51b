//! The program `scaling` as a user meets it.

use crate::common::{Csv, SCALING, Scratch, TOURNAMENT, names, printed, read};
use crate::gtp_match::engine;
use std::path::Path;

/// The shares of a row make a whole, and the parts of shares none larger than these.
#[track_caller]
fn assert_whole(csv: &Csv, row: usize) {
    let share = |name: &str| csv.number(row, &format!("{name}_share"));
    let whole = ["selection", "playout", "update", "keep"].map(share).iter().sum::<f64>();
    assert!((whole - 1.0).abs() < 3e-4, "{whole}");
    // Each is rounded to four digits.
    let (within, parts) = (share("selection"), share("expansion") + share("prior"));
    assert!(parts > 0.0 && parts < within + 2e-4, "{parts} of {within}");
    assert!((0.0..=share("playout")).contains(&share("waiting")), "{}", share("waiting"));
}

#[test]
fn speed_leaves_a_row_a_measurement() {
    let folder = Scratch::new();
    let line = "--part speed --size 3,5 --threads 1,2 --simulations 50 --repeats 2 --out run \
                --bot a=uct:expansion=1,prior=learned --bot uct:in_flight=lanes";
    let said = printed(SCALING, &folder, line);
    assert!(said.contains("uct:in_flight=lanes"), "{said}");
    let run = folder.join("run");
    assert_eq!(names(&run), ["config.toml", "manifest.toml", "plots", "speed.csv"]);
    assert_eq!(names(&run.join("plots")), ["speed_by_size.svg", "speed_by_threads.svg"]);
    let csv = Csv::read(&run.join("speed.csv"));
    assert_eq!(
        csv.header,
        "size,config,threads,repeat,simulations_per_second,simulations_per_cpu_second,searches,\
         simulations,mean_depth,nodes,bytes_per_node,isa,seed,selection_share,playout_share,\
         update_share,prior_share,expansion_share,waiting_share,keep_share,moves"
    );
    assert_eq!(csv.len(), 16);
    let mut learned = 0.0;
    for row in 0..16 {
        let (searches, threads) = (csv.number(row, "searches"), csv.number(row, "threads"));
        let alone = csv.get(row, "config") == "uct:in_flight=lanes";
        assert_eq!(searches == threads, alone);
        assert_eq!(csv.number(row, "simulations"), 50.0 * searches);
        assert!(csv.number(row, "simulations_per_second") > 0.0);
        assert_whole(&csv, row);
        learned += if alone { 0.0 } else { csv.number(row, "prior_share") };
        assert_eq!(csv.number(row, "moves"), 1.0);
        // The order alternates: every kind once before any comes again.
        assert_eq!(csv.get(row, "repeat"), if row < 8 { "0" } else { "1" });
    }
    assert!(learned > 0.0, "learned priors take time");
    let config: toml::Table = read(&run.join("config.toml")).parse().unwrap();
    let bots: Vec<&str> =
        config["bot"].as_array().unwrap().iter().filter_map(toml::Value::as_str).collect();
    assert!(bots[0].starts_with("a=uct:") && bots[0].contains("rave=equivalence"), "{bots:?}");
    assert!(bots[1].starts_with("uct:") && bots[1].contains("in_flight=lanes"), "{bots:?}");
}

#[test]
fn speed_of_a_search_alone() {
    let folder = Scratch::new();
    let line = "--part speed --size 5 --threads 1,2 --simulations 50 --repeats 1 --searches 1 \
                --bot uct:in_flight=16 --bot uct --out run";
    printed(SCALING, &folder, line);
    let run = folder.join("run");
    let csv = Csv::read(&run.join("speed.csv"));
    for row in 0..csv.len() {
        assert_eq!(csv.number(row, "searches"), csv.number(row, "threads"));
    }
    assert!(read(&run.join("config.toml")).contains("\nsearches = 1\n"));
    assert!(read(&run.join("plots/speed_by_size.svg")).contains("each thread 1 at once"));
}

/// Two bots with 16 leaves in flight, of which one keeps its tree.
#[test]
fn speed_of_moves_in_turn() {
    let folder = Scratch::new();
    let line = "--part speed --size 7 --threads 1 --simulations 300 --moves 4 --repeats 1 --searches 1 \
                --bot new=strong:reuse=false --bot kept=strong --bot one=strong:in_flight=1 --out run";
    let said = printed(SCALING, &folder, line);
    for heading in ["µs/sim", "select", "expand", "prior", "busy", "waiting", "update", "keep"] {
        assert!(said.contains(heading), "{heading}: {said}");
    }
    let run = folder.join("run");
    let csv = Csv::read(&run.join("speed.csv"));
    for row in 0..3 {
        assert_whole(&csv, row);
        assert_eq!(csv.number(row, "simulations"), 4.0 * 300.0, "the same, tree kept or not");
        assert_eq!((csv.number(row, "searches"), csv.number(row, "moves")), (1.0, 4.0));
        assert!(csv.number(row, "keep_share") > 0.0);
        // 16 leaves wait for each other in the lanes; playouts of one leaf are scalar.
        assert_eq!(csv.number(row, "waiting_share") > 0.01, row < 2, "row {row}");
    }
    assert!(csv.number(1, "nodes") > csv.number(0, "nodes"), "a kept tree is larger");
    let plot = read(&run.join("plots/speed_by_size.svg"));
    assert!(plot.contains("4 moves of self-play"), "{plot}");
    assert!(read(&run.join("config.toml")).contains("\nmoves = 4\n"));
}

/// A game that is over begins again: on 2x2 after few moves.
#[test]
fn speed_of_more_moves_than_a_game_has() {
    let folder = Scratch::new();
    let line = "--part speed --size 2 --simulations 20 --moves 200 --repeats 1 --searches 2 \
                --bot strong:reuse=true --out run";
    printed(SCALING, &folder, line);
    let csv = Csv::read(&folder.join("run/speed.csv"));
    assert_eq!(csv.number(0, "simulations"), 2.0 * 200.0 * 20.0);
}

/// The rows of a table of matches, beside which is all that a tournament leaves.
#[track_caller]
fn table(run: &Path, name: &str, columns: &[&str]) -> Vec<String> {
    for name in ["config.toml", "games.csv", "manifest.toml", "report.html"] {
        assert!(run.join(name).exists(), "{name}");
    }
    let csv = Csv::read(&run.join(name));
    let row = |row| columns.iter().map(|column| csv.get(row, column)).collect::<Vec<_>>().join(" ");
    (0..csv.len()).map(row).collect()
}

#[test]
fn doublings_are_rows_and_a_plot() {
    let folder = Scratch::new();
    let line = "--part doubling --size 5 --simulations 10 --doublings 2 --pairs 2 --out run";
    printed(SCALING, &folder, line);
    let run = folder.join("run");
    assert!(run.join("plots/doubling.svg").exists());
    let rows = table(&run, "doubling.csv", &["playouts", "opponent_playouts", "games", "pairs"]);
    assert_eq!(rows, ["20 10 4 2", "40 20 4 2"]);
    let header = "playouts,opponent_playouts,games,pairs,elo,elo_low,elo_high";
    assert_eq!(Csv::read(&run.join("doubling.csv")).header, header);
}

#[test]
fn parallel_schemes_are_held_against_the_curve() {
    let folder = Scratch::new();
    let line = "--part parallel --size 5 --simulations 12 --parallel 2 --factors 0.5,2,4 --pairs 2 \
                --bot-settings rave=none,prior=none,policy=uniform,expansion=2,exploration=0.2";
    let said = printed(SCALING, &folder, &format!("{line} --out run"));
    assert!(said.contains("root-2-time") && said.contains("doubling curve"), "{said}");
    let run = folder.join("run");
    for plot in ["speedup_fixed_time", "speedup_fixed_work", "doubling_curve"] {
        assert!(run.join(format!("plots/{plot}.svg")).exists(), "{plot}");
    }
    let mut expected =
        ["6", "24", "48"].map(|playouts| format!("sequential 1  {playouts}")).to_vec();
    for scheme in ["root", "tree", "leaf", "shared"] {
        expected.push(format!("{scheme} 2 fixed_time 24"));
        expected.push(format!("{scheme} 2 fixed_work 12"));
    }
    assert_eq!(table(&run, "parallel.csv", &["scheme", "n", "work", "playouts"]), expected);
    let config = read(&run.join("config.toml"));
    assert_eq!(config.matches("exploration = 0.2").count(), 12, "{config}");
    let plot = read(&run.join("plots/speedup_fixed_time.svg"));
    for label in ["Chaslot et al.", "virtual loss", "one after the"] {
        assert!(plot.contains(label), "{label}");
    }
    assert!(!plot.contains('…'), "the conditions are cut: {plot}");
}

#[test]
fn another_bot_can_be_the_opponent_of_chosen_schemes() {
    let folder = Scratch::new();
    let line = "--part parallel --size 5 --simulations 12 --parallel 2 --factors 1,4 --pairs 3 \
                --seed 4 --schemes tree,root,tree --work fixed_time --threads 1 --out run \
                --games-per-thread 3";
    let line = format!("{line} --opponent \"passes=gtp:sh '{}' good\"", engine().display());
    printed(SCALING, &folder, &line);
    let run = folder.join("run");
    let rows = table(&run, "parallel.csv", &["scheme", "playouts", "games"]);
    assert_eq!(rows, ["sequential 12 6", "sequential 48 6", "root 24 6", "tree 24 6"]);
    let plots = names(&run.join("plots"));
    assert!(plots.iter().any(|name| name == "speedup_fixed_time.svg"), "{plots:?}");
    assert!(!plots.iter().any(|name| name.starts_with("speedup_fixed_work")), "{plots:?}");
    let plot = read(&run.join("plots/doubling_curve.svg"));
    assert!(plot.contains("Elo over passes"), "{plot}");
    let manifest = read(&run.join("manifest.toml"));
    assert!(manifest.contains("\ngames_per_thread = 3\n"), "{manifest}");
    printed(SCALING, &folder, "--resume run --threads 1 --games-per-thread 2");
    let before = read(&run.join("parallel.csv"));
    std::fs::remove_file(run.join("parallel.csv")).unwrap();
    printed(TOURNAMENT, &folder, "--report run");
    assert_eq!(read(&run.join("parallel.csv")), before);
}

#[test]
fn a_run_of_matches_is_extended_and_reported() {
    let folder = Scratch::new();
    let line = "--part doubling --size 3 --simulations 4 --doublings 1 --seed 4";
    printed(SCALING, &folder, &format!("{line} --pairs 3 --out whole"));
    printed(SCALING, &folder, &format!("{line} --pairs 2 --out grown"));
    let said = printed(SCALING, &folder, "--resume grown --extend 3 --threads 1");
    let path = |file: &str| folder.join(file);
    let doublings = read(&path("whole/doubling.csv"));
    assert_eq!(read(&path("grown/doubling.csv")), doublings);
    std::fs::remove_file(path("grown/doubling.csv")).unwrap();
    assert_eq!(printed(TOURNAMENT, &folder, "--report grown"), said);
    assert_eq!(read(&path("grown/doubling.csv")), doublings);
}
