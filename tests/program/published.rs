//! The standing experiments in `experiments/configs`: this version can play each.

use std::fs;
use std::path::Path;
use tengen::convergence;
use tengen::input::{SettingError, Settings, parse};
use tengen::tournament::Tournament;
use tengen::tuning::{Comparison, Tuning};

/// What is wrong with the settings `text`: of a tournament, a tuning, a comparison of
/// methods of tuning, or searches of solved positions.
fn check(text: &str) -> Result<(), SettingError> {
    let table = parse(text)?;
    if table.contains_key("param") {
        Tuning::from_table(table).map(drop)
    } else if table.contains_key("synthetic") {
        Comparison::from_table(table).map(drop)
    } else if table.contains_key("positions") {
        convergence::Settings::from_table(table).map(drop)
    } else {
        Tournament::from_table(table).map(drop)
    }
}

#[test]
fn every_standing_experiment_can_be_played() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/configs");
    let mut faults = Vec::new();
    for entry in fs::read_dir(configs).expect("experiments can be listed") {
        let path = entry.expect("a file").path();
        if let Err(fault) = check(&fs::read_to_string(&path).expect("a text")) {
            faults.push(format!("{}: {fault}", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
