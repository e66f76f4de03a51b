//! The `tournament` command.

fn main() {}
