//! Signatures of the family: numbers that change with behaviour alone.

use std::fmt::Write;
use tengen::commands::signature::{FAMILY, line};

const KNOWN: &str = include_str!("../data/signatures.txt");

/// Every configuration of the family against the table.
///
/// A change that is to change no result keeps all of them; one that changes a
/// result on purpose writes the table anew, and says so in its commit:
/// `cargo run --release --bin tengen -- signature > tests/data/signatures.txt`.
#[test]
fn signatures_are_those_of_the_table() {
    let mut found = String::new();
    for spec in FAMILY {
        writeln!(found, "{}", line(&spec.parse().unwrap()).unwrap()).unwrap();
    }
    let changed: Vec<&str> =
        found.lines().filter(|line| !KNOWN.lines().any(|known| known == *line)).collect();
    assert!(changed.is_empty(), "changed:\n{}\nall:\n{found}", changed.join("\n"));
    assert_eq!(found, KNOWN, "the table has more, or another order");
}
