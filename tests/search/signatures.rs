//! Signatures of the family: numbers that change with behaviour alone.

use tengen::commands::signature::{TABLE, family, line};

/// Every bot of the table against its line.
///
/// A change that is to change no result keeps all of them; one that changes a
/// result on purpose writes the table anew, and says so in its commit:
/// `cargo build --release --bin tengen && target/release/tengen signature > tests/data/signatures.txt`.
#[test]
fn signatures_are_those_of_the_table() {
    assert!(family().count() > 20, "the table is incomplete: take that of an earlier commit");
    let found: Vec<String> = family().map(|bot| line(&bot.parse().unwrap()).unwrap()).collect();
    let changed: Vec<&str> = found
        .iter()
        .map(String::as_str)
        .filter(|line| !TABLE.lines().any(|known| known == *line))
        .collect();
    assert!(changed.is_empty(), "changed:\n{}\nall:\n{}", changed.join("\n"), found.join("\n"));
}
