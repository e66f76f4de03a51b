//! `tengen plan`: how many games a question takes.

use crate::common::{Scratch, TENGEN, in_repository, printed};
use serde_json::Value;
use std::path::Path;

fn json(folder: &Path, line: &str) -> Value {
    serde_json::from_str(&printed(TENGEN, folder, &format!("plan {line} --json"))).unwrap()
}

#[test]
fn hours_are_pairs_and_pairs_are_hours() {
    let folder = &Scratch::new();
    // 8 hours of two threads at 2.5 seconds a game: 8 · 3600 · 2 / 2.5 games.
    let found = json(folder, "--hours 8 --seconds 2.5 --threads 2");
    assert_eq!(found["sizes"][0]["pairs"], 11_520);
    assert_eq!(found["sizes"][0]["hours"], 8.0);
    let smallest = found["sizes"][0]["smallest_elo"].as_f64().unwrap();
    let again = json(folder, &format!("--elo {smallest} --seconds 2.5 --threads 2"));
    let pairs = again["differences"][0]["pairs"].as_u64().unwrap();
    assert!((11_519..=11_521).contains(&pairs), "{again}");
    // A win rate is the difference that predicts it.
    let rate = json(folder, "--win-rate 0.76");
    assert!((rate["differences"][0]["elo"].as_f64().unwrap() - 200.2).abs() < 0.1, "{rate}");
    assert_eq!(json(folder, "--elo -20")["differences"][0]["pairs"], Value::Null);
}

#[test]
fn a_pilot_gives_the_split_pairs_and_the_time() {
    let folder = Scratch::new();
    let run = in_repository("results/2026-11-22-new-default-5x5");
    // 10 lost, 161 split and 29 won pairs, with the four pseudo-pairs of the intervals.
    let found = json(&folder, &format!("--elo 30 --run {} --threads 1", run.display()));
    let cells = [11.0, 163.0, 30.0];
    let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
        cells.iter().zip([0.0, 0.5, 1.0]).map(|(cell, score)| cell * f(score)).sum::<f64>() / 204.0
    };
    let mean = sum(&|score| score);
    let variance = sum(&|score| (score - mean).powi(2));
    let expected = 2.0 * variance / (mean * (1.0 - mean)) - 1.0;
    let correlation = found["correlation"].as_f64().unwrap();
    assert!((correlation - expected).abs() < 1e-9, "{correlation} {expected}");
    // 21.629 seconds of two threads for 400 games.
    let pairs = found["differences"][0]["pairs"].as_f64().unwrap();
    let hours = found["differences"][0]["hours"].as_f64().unwrap();
    assert!((hours - 2.0 * pairs * 21.629 * 2.0 / 400.0 / 3600.0).abs() < 1e-9, "{found}");
    // The file of the games alone says the same.
    let file = run.join("games.csv.xz");
    let of_file = json(&folder, &format!("--elo 30 --run {} --threads 1", file.display()));
    assert_eq!(of_file, found);
}

#[test]
fn a_simulated_test_follows_its_seed() {
    let folder = Scratch::new();
    let line = "--sprt 'elo0=0 elo1=200' --tests 100 --truths";
    let both = json(&folder, &format!("{line} 0,200"));
    let one = json(&folder, &format!("{line} 200"));
    assert_eq!(both["test"]["truths"][1], one["test"]["truths"][0]);
    let other = json(&folder, &format!("{line} 200 --seed 2"));
    assert_ne!(other["test"]["truths"], one["test"]["truths"]);
    let row = &one["test"]["truths"][0];
    let sum: f64 = ["accepts_h0", "accepts_h1", "undecided"]
        .map(|key| row[key].as_f64().unwrap())
        .iter()
        .sum();
    assert!((sum - 1.0).abs() < 1e-9 && row["simulated"] == 100, "{row}");
}
