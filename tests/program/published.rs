//! The standing experiments in `experiments/configs`: this version can play each.

use std::fs;
use std::path::Path;
use tengen::convergence;
use tengen::tournament::Settings;
use tengen::tuning::{Comparison, Tuning};
use toml::Table;

/// What is wrong with the settings `text`: of a tournament, a tuning, a comparison of
/// methods of tuning, or searches of solved positions.
fn check(text: &str) -> Result<(), String> {
    #[allow(clippy::needless_pass_by_value)] // for `map_err`
    fn said(fault: impl ToString) -> String {
        fault.to_string()
    }
    let table: Table = toml::from_str(text).map_err(said)?;
    if table.contains_key("param") {
        Tuning::new(toml::from_str(text).map_err(said)?).map(drop).map_err(said)
    } else if table.contains_key("synthetic") {
        Comparison::new(toml::from_str(text).map_err(said)?).map(drop).map_err(said)
    } else if table.contains_key("positions") {
        text.parse::<convergence::Settings>().map(drop).map_err(said)
    } else {
        let settings: Settings = toml::from_str(text).map_err(said)?;
        settings.resolve().map(drop).map_err(said)
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
