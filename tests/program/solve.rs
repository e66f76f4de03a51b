//! `tengen solve` through the command line.

use crate::common::{Scratch, TENGEN, command, fault, names, printed, signal, text, wait_until};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn solve(folder: &Path, line: &str) -> String {
    printed(TENGEN, folder, &format!("solve --memory 16 {line}"))
}

fn solve_json(folder: &Path, line: &str) -> Value {
    serde_json::from_str(&solve(folder, &format!("{line} --json"))).unwrap()
}

#[test]
fn the_value_of_an_empty_board_is_printed() {
    let folder = Scratch::new();
    for (line, parts) in [
        ("--size 3", ["value: 9 (exact)", "move: B2"]),
        ("--size 2", ["value: -4..4 (exact", ""]),
        ("--size 2 --ko psk", ["value: 1 (exact)", ""]),
    ] {
        let said = solve(&folder, line);
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    }
}

/// It prints what it has proved, and ends as every command that was stopped before the end.
#[test]
fn a_signal_ends_it_as_unfinished_work() {
    let folder = Scratch::new();
    for (name, more) in [("-INT", ""), ("-TERM", "--json"), ("-INT", "--at-least 9")] {
        let out = folder.join(format!("run{name}{}", more.len()));
        // The folder is there from when a signal is caught.
        let line = format!("solve --memory 16 --size 5x5 {more} --out '{}'", out.display());
        let child = command(TENGEN, &folder, &line).spawn().unwrap();
        wait_until("it has begun", || out.join("manifest.toml").exists());
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        fault(&output, 1, &["stopped before the end"]);
        let said = text(&output.stdout);
        assert!(said.contains("interrupted") || said.contains("stopped"), "{said}");
        assert!(names(&out).contains(&"solution.txt".to_owned()));
    }
}

#[test]
fn what_is_found_is_told_as_json() {
    let folder = Scratch::new();
    fs::write(folder.join("late.txt"), ".X.\nXXX\n.X.\n").unwrap();
    fs::write(folder.join("game.sgf"), "(;GM[1]SZ[3];B[bb];W[ba])").unwrap();
    for (line, expected) in [
        ("--position late.txt --to-play w", json!({"value": 9, "to_play": "white"})),
        ("--position .X./XXX/.X. --to-play w", json!({"value": 9})),
        ("--sgf game.sgf", json!({"position": ".O./.X./...", "value": 9, "status": "solved"})),
        ("--size 4 --nodes 1000", json!({"status": "nodes", "value": null})),
        (
            "--size 3 --at-least 9",
            json!({"claim": "at least 9", "proved": true, "best_move": "B2", "status": "solved"}),
        ),
        // 4x4 is worth 1 where an endless game is the worst for Black, else 16.
        ("--size 4 --at-least 1", json!({"proved": true, "worst": [1, 16]})),
        // False, and true only with an endless game: neither is proved, nor denied.
        (
            "--size 3 --at-most 8 --nodes 20000",
            json!({"proved": false, "best_move": null, "value": null}),
        ),
        (
            "--size 2 --at-least 1 --to-play w --nodes 20000",
            json!({"proved": false, "best_move": null, "value": null}),
        ),
        ("--size 3 --to-play w --at-most=-3 --ko psk --nodes 99", json!({"claim": "at most -3"})),
    ] {
        let found = solve_json(&folder, line);
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&found[key], value, "{key} of {line}");
        }
    }
    let said = solve(&folder, "--size 3 --at-least 9");
    assert!(said.contains("Black scores at least 9: proved"), "{said}");
    let found = solve_json(&folder, "--size 4 --nodes 1000");
    let worst = found["worst"].as_array().unwrap();
    assert!(worst[0].as_i64().unwrap() <= 1 && worst[1].as_i64().unwrap() >= 1, "{worst:?}");
    let found = solve_json(&folder, "--size 3 --all-moves");
    let moves = found["moves"].as_array().unwrap();
    // A2 is worth 3 to 9: White can make the game endless.
    for (name, value, draw) in [("B2", json!(9), 9), ("A2", json!(null), 3), ("A1", json!(-9), -9)]
    {
        let found = moves.iter().find(|mv| mv["move"] == name).unwrap();
        assert_eq!((&found["value"], &found["draw"]), (&value, &json!(draw)), "{name}");
    }
}

#[test]
fn a_folder_keeps_what_was_found_and_how() {
    let folder = Scratch::new();
    let line = "--size 3 --nodes 100000000";
    let found = solve_json(&folder, line);
    let said = solve(&folder, &format!("{line} --out deep/run"));
    let read = |name: &str| fs::read_to_string(folder.join("deep/run").join(name)).unwrap();
    assert_eq!(names(&folder.join("deep/run")), ["manifest.toml", "solution.json", "solution.txt"]);
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
    solve(&folder, &format!("{line} --out deep/run"));
    assert_eq!(names(&folder.join("deep")), ["run", "run-2"]);
}
