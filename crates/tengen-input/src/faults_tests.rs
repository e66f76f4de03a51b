use super::*;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)] // they are only read
struct Settings {
    name: String,
    #[serde(default)]
    pairs: usize,
    #[serde(default)]
    share: f64,
}

/// What is said of `toml`.
fn refused(toml: &str) -> String {
    let error = toml::from_str::<Settings>(toml).unwrap_err();
    let table = toml.parse::<Table>().unwrap();
    let reading = Reading { table: &table, owner: "a test", required: &[], line: None };
    reading.explain::<Settings>(&error)
}

#[test]
fn a_missing_key_is_no_fault_of_those_that_are_there() {
    assert_eq!(refused("pairs = 3\nshare = 0.5"), "`name` is missing");
    assert_eq!(refused(""), "`name` is missing");
}
