//! Each setting, at the level of the search: nodes computed by hand, and
//! independent recounts.

mod ends;
mod knowledge;
mod selection;
mod shared;
mod solver;

use super::common::*;
use tengen::go::{Bits, Score};
use tengen::playout::Playout;
use tengen::search::UctConfig;

/// Settings from TOML; every node gets its children at the first visit.
fn config(text: &str) -> UctConfig {
    toml::from_str(&format!("expansion = 1\n{text}")).unwrap()
}

/// A made-up result in which nobody took a point first.
fn result(points: i32) -> Playout<1> {
    Playout {
        score: Score::from_points(points),
        plies: 1,
        cut_short: false,
        first_plays: [Bits::EMPTY; 2],
        area: [Bits::EMPTY; 2],
    }
}
