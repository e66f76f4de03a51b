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

#[test]
fn quotes_around_a_number_are_named() {
    let whole = "write a whole number from 0 to 9223372036854775807";
    let said = |value| refused(&format!("name = 'x'\npairs = {value}"));
    assert_eq!(said("'1'"), format!("`pairs` is the text \"1\": {whole}, without quotes"));
    assert_eq!(said("'many'"), format!("`pairs` is many: {whole}"));
    assert_eq!(said("1.5"), format!("`pairs` is 1.5: {whole}"));
}
