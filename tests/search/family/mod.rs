//! Each setting, at the level of the search: nodes computed by hand, and
//! independent recounts.

mod ends;
mod knowledge;
mod selection;
mod shared;
mod solver;

use super::common::*;
use tengen::go::{Bits, Score};
use tengen::playout::{Ending, Playout};
use tengen::search::UctConfig;

/// Plain UCT but for the settings in `text`, as TOML; every node gets its
/// children at the first visit.
fn config(text: &str) -> UctConfig {
    let mut table = toml::Table::try_from(UctConfig::plain()).unwrap();
    table.insert("expansion".into(), 1.into());
    table.extend(text.parse::<toml::Table>().unwrap());
    table.try_into().unwrap()
}

/// A made-up result in which nobody took a point first.
fn result(points: i32) -> Playout<1> {
    Playout {
        score: Score::from_points(points),
        plies: 1,
        ending: Ending::Passes,
        first_plays: [Bits::EMPTY; 2],
        area: None,
    }
}
