//! `tengen solve` through the command line.

use crate::common::{TENGEN, names, printed};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn solve(folder: &Path, line: &str) -> String {
    printed(TENGEN, folder, &format!("solve --memory 16 {line}"))
}

fn solve_json(folder: &Path, line: &str) -> Value {
    serde_json::from_str(&solve(folder, &format!("{line} --json"))).unwrap()
}

#[test]
fn the_value_of_an_empty_board_is_printed() {
    let folder = tempdir().unwrap();
    let said = solve(folder.path(), "--size 3");
    assert!(said.contains("value: 9 (exact)"), "{said}");
    assert!(said.contains("move: B2"), "{said}");
    let said = solve(folder.path(), "--size 2");
    assert!(said.contains("value: -4..4 (exact"), "{said}");
    let said = solve(folder.path(), "--size 2 --ko psk");
    assert!(said.contains("value: 1 (exact)"), "{said}");
}

#[test]
fn a_position_comes_from_a_file_or_a_record() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("late.txt"), ".X.\nXXX\n.X.\n").unwrap();
    let found = solve_json(folder.path(), "--position late.txt --to-play w");
    assert_eq!(found["value"], 9);
    assert_eq!(found["to_play"], "white");
    let rows = solve_json(folder.path(), "--position .X./XXX/.X. --to-play w");
    assert_eq!(rows["value"], 9);
    fs::write(folder.path().join("game.sgf"), "(;GM[1]SZ[3];B[bb];W[ba])").unwrap();
    let found = solve_json(folder.path(), "--sgf game.sgf");
    assert_eq!(found["position"], ".O./.X./...");
    assert_eq!(found["value"], 9);
    assert_eq!(found["status"], "solved");
}

#[test]
fn every_move_has_its_value() {
    let folder = tempdir().unwrap();
    let found = solve_json(folder.path(), "--size 3 --all-moves");
    let value = |name: &str| {
        let moves = found["moves"].as_array().unwrap();
        let found = moves.iter().find(|mv| mv["move"] == name).unwrap();
        (found["value"].clone(), found["draw"].clone())
    };
    assert_eq!(value("B2"), (json!(9), json!(9)));
    // From 3 to 9: White can make the game endless.
    assert_eq!(value("A2"), (json!(null), json!(3)));
    assert_eq!(value("A1"), (json!(-9), json!(-9)));
}

#[test]
fn a_limit_leaves_bounds() {
    let folder = tempdir().unwrap();
    let found = solve_json(folder.path(), "--size 4 --nodes 1000");
    assert_eq!(found["status"], "nodes");
    assert_eq!(found["value"], json!(null));
    let worst = found["worst"].as_array().unwrap();
    assert!(worst[0].as_i64().unwrap() <= 1 && worst[1].as_i64().unwrap() >= 1, "{worst:?}");
}

#[test]
fn one_claim_is_proved_or_not() {
    let folder = tempdir().unwrap();
    let said = solve(folder.path(), "--size 3 --at-least 9");
    assert!(said.contains("Black scores at least 9: proved"), "{said}");
    let found = solve_json(folder.path(), "--size 3 --at-least 9");
    assert_eq!((&found["claim"], &found["proved"]), (&json!("at least 9"), &json!(true)));
    assert_eq!((&found["best_move"], &found["status"]), (&json!("B2"), &json!("solved")));
    // 4x4 is worth 1 where an endless game is the worst for Black, else 16.
    let found = solve_json(folder.path(), "--size 4 --at-least 1");
    assert_eq!((&found["proved"], &found["worst"]), (&json!(true), &json!([1, 16])));
    // False, and true only with an endless game: neither is proved, nor denied.
    for claim in ["--at-most 8", "--size 2 --at-least 1 --to-play w"] {
        let size = if claim.contains("--size") { "" } else { "--size 3" };
        let found = solve_json(folder.path(), &format!("{size} {claim} --nodes 20000"));
        assert_eq!((&found["proved"], &found["best_move"]), (&json!(false), &json!(null)));
        assert_eq!(found["value"], json!(null), "{claim}");
    }
    let found = solve_json(folder.path(), "--size 3 --to-play w --at-most=-3 --ko psk --nodes 99");
    assert_eq!(found["claim"], json!("at most -3"));
}

#[test]
fn a_folder_keeps_what_was_found_and_how() {
    let folder = tempdir().unwrap();
    let line = "--size 3 --nodes 100000000";
    let found = solve_json(folder.path(), line);
    let said = solve(folder.path(), &format!("{line} --out deep/run"));
    let read = |name: &str| fs::read_to_string(folder.path().join("deep/run").join(name)).unwrap();
    assert_eq!(
        names(&folder.path().join("deep/run")),
        ["manifest.toml", "solution.json", "solution.txt"]
    );
    assert_eq!(read("solution.txt"), said);
    let kept: Value = serde_json::from_str(&read("solution.json")).unwrap();
    for key in ["value", "nodes", "best_move", "position", "ko"] {
        assert_eq!(kept[key], found[key], "{key}");
    }
    let manifest: toml::Table = read("manifest.toml").parse().unwrap();
    let session = &manifest["session"][0];
    assert!(session["finished"].is_str() && session["build"]["commit"].is_str(), "{manifest}");
    assert!(
        session["command"].as_array().unwrap().iter().any(|word| word.as_str() == Some("--out"))
    );
    // The next run has a folder of its own.
    solve(folder.path(), &format!("{line} --out deep/run"));
    assert_eq!(names(&folder.path().join("deep")), ["run", "run-2"]);
}
