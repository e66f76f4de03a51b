//! Tournaments on boards of several sizes, with their defaults and limits.

use crate::common::{Csv, read};
use crate::tournament::played;

fn resolved(line: &str) -> toml::Table {
    let (folder, _, _) = played(line);
    read(&folder.join("run/config.toml")).parse().unwrap()
}

#[test]
fn defaults_go_by_the_size() {
    let bots = "--pairs 1 --max-plies 12 --bot random --bot random";
    for (size, komi, opening) in [
        ("3x5", 2.5, 2),
        ("5", 2.5, 2),
        ("6", 7.5, 4),
        ("7", 8.5, 4),
        ("9x7", 7.5, 4),
        ("10", 7.5, 8),
    ] {
        let config = resolved(&format!("--size {size} {bots}"));
        assert_eq!(config["komi"].as_float(), Some(komi), "{size}");
        assert_eq!(config["opening_plies"].as_integer(), Some(opening), "{size}");
    }
    let config = resolved("--size 2 --pairs 1 --bot random --bot uct");
    for (key, value) in [("max_plies", 116), ("seed", 1)] {
        assert_eq!(config[key].as_integer(), Some(value), "{key}");
    }
    for (key, value) in [("rules", "tengen"), ("ko", "psk"), ("suicide", "no"), ("size", "2x2")] {
        assert_eq!(config[key].as_str(), Some(value), "{key}");
    }
    let uct = &config["bot"][1];
    assert_eq!(uct["simulations"].as_integer(), Some(1_000));
    let keys = "workers exploration first_play expansion final_move reuse max_nodes policy";
    for key in keys.split(' ') {
        assert!(uct.get(key).is_some(), "{key} influences results and is in the config");
    }
}

#[test]
fn a_limit_of_plies_ends_games_as_they_stand() {
    let (folder, games, table) =
        played("--size 5 --pairs 3 --max-plies 9 --bot random --bot two-ply");
    for row in 0..games.len() {
        assert_eq!((games.get(row, "termination"), games.get(row, "plies")), ("limit", "9"));
        assert!(!games.get(row, "score").is_empty());
    }
    let summary = Csv::read(&folder.join("run/summary.csv"));
    assert_eq!(summary.get(0, "limit"), "6");
    assert!(table.contains("limit"), "{table}");
}
