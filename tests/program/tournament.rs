//! The program `tournament`, from the command line to its files.

use crate::common::{Csv, Scratch, TENGEN, TOURNAMENT, names, printed, read};
use std::cmp::Ordering;
use std::path::Path;

const HEADER: &str = "run,game,pairing,pair,size,komi,black,white,seed,opening_plies,outcome,score,\
                      termination,plies,black_simulations,white_simulations,black_seconds,\
                      white_seconds,black_cpu_seconds,white_cpu_seconds,reason,\
                      black_engine_score,white_engine_score,moves,comments,fingerprint,check";

/// Plays `line --out run` in a folder of its own.
pub fn played(line: &str) -> (Scratch, Csv, String) {
    let folder = Scratch::new();
    let table = printed(TOURNAMENT, &folder, &format!("{line} --out run"));
    let games = Csv::read(&folder.join("run/games.csv"));
    (folder, games, table)
}

const MIXED: &str = "--size 4 --komi 2 --pairs 4 --seed 5 --bot random --bot two-ply \
                     --bot plain=uct:simulations=30,workers=3,rave=none,prior=none,policy=uniform \
                     --bot keeper=uct:simulations=20,reuse=true,rave=none,prior=none,policy=uniform";

#[test]
fn rows_are_what_the_header_says() {
    let (folder, games, _) = played(&format!("{MIXED} --threads 2"));
    assert_eq!((games.header.as_str(), games.len()), (HEADER, 6 * 4 * 2));
    for row in 0..games.len() {
        let get = |column: &str| games.get(row, column);
        assert_eq!(get("game"), row.to_string());
        let score = games.number(row, "score");
        let winner = match score.total_cmp(&0.0) {
            Ordering::Greater => "black",
            Ordering::Equal => "jigo",
            Ordering::Less => "white",
        };
        assert_eq!(get("outcome"), winner, "row {row}");
        assert!(score.abs() <= 18.0 && get("score").ends_with(".0"), "komi 2: {score}");
        assert_eq!(get("termination"), "passes");
        assert_eq!(get("opening_plies"), "2", "two plies to 5x5");
        assert_eq!(get("moves").split(' ').count().to_string(), get("plies"));
        assert!(games.number(row, "plies") >= 4.0);
        for color in ["black", "white"] {
            let makes_simulations = ["plain", "keeper"].contains(&get(color));
            let playouts = get(&format!("{color}_simulations"));
            assert_eq!(playouts.is_empty(), !makes_simulations, "row {row}, {color}");
            let seconds = get(&format!("{color}_seconds"));
            let (_, decimals) = seconds.split_once('.').unwrap();
            assert_eq!(decimals.len(), 3, "{seconds}");
            let cpu_seconds = get(&format!("{color}_cpu_seconds"));
            let decimals = cpu_seconds.split_once('.').map(|(_, decimals)| decimals.len());
            assert_eq!(decimals, cfg!(target_os = "linux").then_some(6), "{cpu_seconds}");
        }
    }
    let run = folder.join("run");
    assert!(names(&run).contains(&"plots".to_owned()), "{:?}", names(&run));
    assert!(names(&run).iter().all(|name| !name.ends_with(".partial") && !name.starts_with('.')));
    let manifest: toml::Table = read(&run.join("manifest.toml")).parse().unwrap();
    let session = &manifest["session"][0];
    assert_eq!(session["threads"].as_integer(), Some(2));
    assert!(session["finished"].is_str() && session["seconds"].is_float());
    assert_eq!(session["units"].as_integer(), Some(48));
    assert_eq!(session["command"][1].as_str(), Some("--size"));
}

const ELIMINATION: &str = "--size 3 --komi 5 --format gauntlet --eliminate 0.05 --pairs 64 --seed 7 \
                           --bot first=two-ply --bot weak=random --bot good=plain:simulations=100 \
                           --bot also=plain:simulations=100,exploration=0.6";

#[test]
fn an_elimination_ends_the_matches_of_opponents_that_are_not_the_best() {
    let (folder, games, said) = played(&format!("{ELIMINATION} --threads 1"));
    let run = folder.join("run");
    // All opponents play 16 pairs, then the weak one is dropped.
    let of = |bot: &str| {
        let plays =
            |row: &usize| [games.get(*row, "black"), games.get(*row, "white")].contains(&bot);
        (0..games.len()).filter(plays).count()
    };
    assert_eq!(of("weak"), 32, "{said}");
    assert!([64, 128].contains(&of("good")) && of("good") == of("also"), "{said}");
    assert!(said.contains("the best opponent of first is one of good, also"), "{said}");
    assert!(said.contains("dropped: weak after 16 pairs"), "{said}");
    assert!(!said.contains("--resume"), "{said}");
    assert!(read(&run.join("report.html")).contains("dropped: weak after 16 pairs"));
    let json = printed(TOURNAMENT, &folder, "--report run --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["elimination"]["dropped"]["weak"], 16);
    // The number of threads, and a stop in the middle, change no row.
    let rows = |folder: &Path| {
        let games = Csv::read(&folder.join("games.csv"));
        let cells = |row| {
            ["game", "black", "outcome", "score", "moves"].map(|c| games.get(row, c).to_owned())
        };
        (0..games.len()).map(cells).collect::<Vec<_>>()
    };
    let (other, _, _) = played(&format!("{ELIMINATION} --threads 2"));
    assert_eq!(rows(&run), rows(&other.join("run")));
    let text = read(&run.join("games.csv"));
    let half: Vec<&str> = text.lines().take(games.len() / 2).collect();
    std::fs::write(run.join("games.csv"), half.join("\n") + "\n").unwrap();
    printed(TOURNAMENT, &folder, "--resume run");
    assert_eq!(rows(&run), rows(&other.join("run")));
}

#[test]
fn the_config_of_a_run_repeats_it_and_the_command_line_wins() {
    let line = "--size 4x3 --komi -1.5 --pairs 3 --seed 77 --rules aga --opening-plies 1 \
                --bot random --bot random --bot u=uct:simulations=15,exploration=0.31,first_play=1.2";
    let (folder, games, _) = played(line);
    let again = |more: &str| -> Vec<String> {
        let out = Scratch::new();
        let config = folder.join("run/config.toml");
        let line = format!("--config {} --out again {more}", config.display());
        printed(TOURNAMENT, &out, &line);
        if more.is_empty() {
            let config = |folder: &Path| read(&folder.join("config.toml"));
            let copy = config(&out.join("again"));
            assert_eq!(copy, config(&folder.join("run")));
        }
        Csv::read(&out.join("again/games.csv")).without("_seconds")
    };
    let first = games.without("_seconds");
    assert_eq!(again(""), first);
    assert_eq!(again("--pairs 1"), first[..7]);
    let other = again("--seed 78 --bot two-ply --bot u=random");
    assert_eq!(other.len(), 1 + 3 * 2);
    assert!(other.iter().skip(1).all(|row| row.contains("two-ply") && row.contains("\tu\t")));
    // Another set of rules is all of that set.
    let out = Scratch::new();
    let config = folder.join("run/config.toml");
    let line = format!("--config {} --out o --rules tromp-taylor", config.display());
    printed(TOURNAMENT, &out, &line);
    let resolved: toml::Table = read(&out.join("o/config.toml")).parse().unwrap();
    assert_eq!(resolved["ko"].as_str(), Some("psk"));
    assert_eq!(resolved["suicide"].as_str(), Some("all"));
}

#[test]
fn a_program_reads_the_result_as_json() {
    let folder = Scratch::new();
    let line = "--bot random --bot two-ply --size 3 --pairs 2 --json --out run";
    let of = |line: &str| -> serde_json::Value {
        serde_json::from_str(&printed(TOURNAMENT, &folder, line)).unwrap()
    };
    let result = of(line);
    assert_eq!((&result["games"], &result["test"]), (&4.into(), &serde_json::Value::Null));
    let bots: Vec<&str> = result["summary"].as_array().unwrap()[..2]
        .iter()
        .map(|row| row["bot"].as_str().unwrap())
        .collect();
    assert_eq!(bots, ["random", "two-ply"]);
    assert!(result["summary"][0]["win_rate"].is_number(), "{result}");
    assert_eq!(of("--report run --json"), result);
}

/// A program is also a command of `tengen`, and the report of a run that is not over says so.
#[test]
fn a_command_of_tengen_plays_the_same_games() {
    let folder = Scratch::new();
    let line = "--bot random --bot two-ply --size 3 --pairs 2";
    printed(TOURNAMENT, &folder, &format!("{line} --out one"));
    printed(TENGEN, &folder, &format!("tournament {line} --out other"));
    let [one, other] = ["one", "other"].map(|run| Csv::read(&folder.join(run).join("games.csv")));
    assert_eq!(one.column("moves"), other.column("moves"));
    let path = folder.join("one/games.csv");
    let text = read(&path);
    let cut: Vec<&str> = text.split_inclusive('\n').take(3).collect();
    std::fs::write(&path, cut.concat()).unwrap();
    let said = printed(TENGEN, &folder, "tournament --report one");
    assert!(said.contains("not over, with 2 of 4 games made: go on with --resume one"), "{said}");
    for shell in ["bash", "man"] {
        let said = printed(TENGEN, &folder, &format!("completions {shell}"));
        assert!(said.contains("tournament") && said.contains("pairs"), "{shell}");
    }
}
