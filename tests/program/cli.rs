//! The command lines as a newcomer meets them, and what the commands of `tengen` print.

use crate::common::{
    Csv, Scratch, TENGEN, TOURNAMENT, command, in_repository, names, printed, read, text,
};
use std::fs;

const TWO: &str = "--bot random --bot two-ply --size 3 --pairs 1";

#[test]
fn komi_may_be_negative() {
    for (komi, given) in [("--komi -5.5", -5.5), ("--komi=-0.5", -0.5), ("--komi 0", 0.0)] {
        let folder = Scratch::new();
        printed(TOURNAMENT, &folder, &format!("{TWO} {komi} --out run"));
        let config: toml::Table = read(&folder.join("run/config.toml")).parse().unwrap();
        assert_eq!(config["komi"].as_float(), Some(given));
        let line = format!("analyze --size 3 --bot random {komi}");
        let said = printed(TENGEN, &folder, &line);
        assert!(said.contains(&format!("komi {given},")), "{said}");
    }
}

#[test]
fn the_keys_of_a_file_are_the_options() {
    let folder = Scratch::new();
    let toml = "bot = ['random', 'two-ply']\nsize = 3\npairs = 3\nthreads = 2\nout = 'deep/run'\n\
                sprt = 'elo0=0 elo1=300 model=normalized'\n";
    fs::write(folder.join("my.toml"), toml).unwrap();
    let say = |line: &str| printed(TOURNAMENT, &folder, line);
    assert!(say("--config my.toml").contains("deep/run"));
    let saved = |file: &str| read(&folder.join(file)).parse::<toml::Table>().unwrap();
    let threads = |run: &str| {
        let manifest = saved(&format!("{run}/manifest.toml"));
        manifest["session"][0]["threads"].as_integer()
    };
    let config = saved("deep/run/config.toml");
    assert_eq!(config["sprt"]["elo1"].as_float(), Some(300.0));
    assert_eq!(config["sprt"]["model"].as_str(), Some("normalized"));
    // They are the machine's and decide no game.
    assert!(config.get("threads").is_none() && config.get("out").is_none(), "{config}");
    assert_eq!(threads("deep/run"), Some(2));
    // The command line wins, and a run that goes on is asked for games alone.
    say("--config my.toml --out other --threads 1");
    assert_eq!(threads("other"), Some(1));
    assert_eq!(saved("other/config.toml"), config);
    say("--resume other --config my.toml --threads 2");
    assert_eq!(names(&folder), ["deep", "my.toml", "other"]);
    assert_eq!(names(&folder.join("deep")), ["run"]);
}

/// Rows of the table that `crates/tengen-go/tests/rules/perft.rs` counts, by the options of the command.
#[test]
fn perft_prints_rows_of_the_oracle() {
    let folder = Scratch::new();
    let table = Csv::read(&in_repository("tests/data/perft_positions.csv"));
    for row in (0..table.len()).step_by(531).filter(|row| table.get(*row, "count").len() < 6) {
        let get = |column| table.get(row, column);
        let (depth, count) = (get("depth"), get("count"));
        let line = format!(
            "perft --position {} --to-play {} --ko {} --suicide {} --depth {depth}",
            get("position_rows_top_down"),
            get("to_move"),
            get("rule"),
            get("suicide"),
        );
        let said = printed(TENGEN, &folder, &line);
        assert_eq!(said.lines().last(), Some(&*format!("{depth} {count}")), "row {row}");
        assert_eq!(said.lines().count().to_string(), depth);
    }
}

/// What is printed, a snapshot holds.
#[test]
fn threads_change_nothing_that_analyze_prints() {
    let folder = Scratch::new();
    let say = |line: &str| printed(TENGEN, &folder, &format!("analyze {line}"));
    // The last line has the seconds.
    let body = |said: String| said.trim_end().rsplit_once('\n').unwrap().0.to_owned();
    let two = "--size 5 --bot uct:simulations=2000,workers=2 --seed 3";
    assert_eq!(body(say(&format!("{two} --threads 2"))), body(say(two)));
    for (line, part) in [
        ("--size 3x2 --bot two-ply", "two-ply plays "),
        ("--size 5 --to-play w --bot random", "white to move"),
        ("--bot uct:simulations=50", "komi 7.5"),
        ("--size 5 --moves 'C3 pass d3' --bot random", "3 . . X X ."),
    ] {
        assert!(say(line).contains(part), "{line}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let folder = Scratch::new();
    for (program, line) in [
        (TENGEN, "perft --size 3 --depth 5"),
        (TENGEN, "analyze --size 5 --bot uct:simulations=500"),
        (TENGEN, "--help"),
        (TOURNAMENT, "--help"),
        (TOURNAMENT, "--size 2 --pairs 1 --bot random --bot random --out run"),
    ] {
        let mut child = command(program, &folder, line).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "{line}");
        assert_eq!(output.status.code(), Some(0), "{line}");
    }
}
