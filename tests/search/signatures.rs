//! Signatures of the family: numbers that change with behaviour alone.

use std::collections::BTreeSet;
use tengen::commands::signature::{TABLE, family, line};

/// Every bot of the table against its line.
///
/// A change that is to change no result keeps all of them; one that changes a
/// result on purpose writes the table anew, and says so in its commit:
/// `cargo build --release --bin tengen && target/release/tengen signature > tests/data/signatures.txt`.
#[test]
fn signatures_are_those_of_the_table() {
    let bots: BTreeSet<&str> = family().collect();
    assert!(bots.len() > 20, "the table is incomplete: take that of an earlier commit");
    assert_eq!(bots.len(), family().count(), "a bot stands twice: has a default changed?");
    let found: String = family().map(|bot| line(&bot.parse().unwrap()).unwrap() + "\n").collect();
    assert_eq!(found, TABLE);
}
