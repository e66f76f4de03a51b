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
    #[serde(default)]
    worker: Option<Worker>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Worker {
    lanes: u64,
}

/// What is said of `toml`.
fn refused(toml: &str) -> String {
    read::<Settings>(toml, "a test").unwrap_err()
}

#[test]
fn a_missing_key_is_no_fault_of_those_that_are_there() {
    assert_eq!(refused("pairs = 3\nshare = 0.5"), "line 1: `name` is missing");
    assert_eq!(refused(""), "line 1: `name` is missing");
}

#[test]
fn quotes_around_a_number_are_named() {
    let whole = "write a whole number from 0 to 9223372036854775807";
    let said = |value| refused(&format!("name = 'x'\npairs = {value}"));
    assert_eq!(said("'1'"), format!("line 2: `pairs` is the text \"1\": {whole}, without quotes"));
    assert_eq!(said("'many'"), format!("line 2: `pairs` is many: {whole}"));
    assert_eq!(said("1.5"), format!("line 2: `pairs` is 1.5: {whole}"));
}

#[test]
fn a_number_that_no_integer_holds_is_refused_like_any_other() {
    for number in ["99999999999999999999", "-99_999_999_999_999_999_999", &"9".repeat(50)] {
        let fault = format!("line 2: `pairs` is {number}: write a whole number from 0 to");
        let said = refused(&format!("name = 'x'\npairs = {number}\nshare = 1.0"));
        assert!(said.starts_with(&fault), "{said}");
    }
    let fault = "line 1: expected a text in quotes, or a number up to 9223372036854775807";
    assert_eq!(refused("name = 99999999999999999999"), fault);
}

#[test]
fn a_setting_in_a_table_is_named_with_both_keys() {
    let said = |worker: &str| refused(&format!("name = 'x'\n[worker]\n{worker}"));
    let whole = "write a whole number from 0 to 9223372036854775807";
    assert!(said("lanes = 'x'").ends_with(&format!("`worker.lanes` is x: {whole}")));
    assert!(said("lanes = '3'").contains("`worker.lanes` is the text"));
    assert!(said("lanse = 3").ends_with("unknown setting `lanse`: did you mean `lanes`?"));
}
