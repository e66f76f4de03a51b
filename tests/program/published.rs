//! The standing experiments in `experiments/configs`: this version can play each.

use std::fs;
use std::path::{Path, PathBuf};
use tengen::commands::build;
use tengen::convergence;
use tengen::input::{SettingError, Settings, parse};
use tengen::learn::Learning;
use tengen::tournament::Tournament;
use tengen::tuning::{Comparison, Tuning};

/// What is wrong with the settings `text`: of a tournament, a tuning, a comparison of
/// methods of tuning, or searches of solved positions.
fn check(text: &str) -> Result<(), SettingError> {
    let table = parse(text)?;
    if table.get("kind").and_then(|kind| kind.as_str()) == Some("learn") {
        Learning::from_table(table, build()).map(drop)
    } else if table.contains_key("param") {
        Tuning::from_table(table).map(drop)
    } else if table.contains_key("synthetic") {
        Comparison::from_table(table).map(drop)
    } else if table.contains_key("positions") {
        convergence::Settings::from_table(table).map(drop)
    } else {
        Tournament::from_table(table).map(drop)
    }
}

/// The TOML files in `folder` and the folders in it.
fn configs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("experiments can be listed");
    let below = entries
        .map(|entry| entry.expect("a file").path())
        .flat_map(|path| if path.is_dir() { configs(&path) } else { vec![path] });
    below.filter(|path| path.extension().is_some_and(|kind| kind == "toml")).collect()
}

/// `text` with the built-in weights wherever it names a weights file in `runs`: a script beside the experiment makes such
/// a file, and a clean clone has none.
fn without_made_weights(text: &str) -> String {
    let mut pieces = text.split("learned:runs/");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        let (_, rest) = piece.split_once("weights.txt").expect("a weights file in runs");
        text + "learned" + rest
    })
}

#[test]
fn every_standing_experiment_can_be_played() {
    let standing = configs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/configs"));
    assert!(standing.iter().any(|path| path.ends_with("regret-elo-5x5/16.toml")), "{standing:?}");
    let mut faults = Vec::new();
    for path in standing {
        let text = fs::read_to_string(&path).expect("a text");
        if let Err(fault) = check(&without_made_weights(&text)) {
            faults.push(format!("{}: {fault}", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
