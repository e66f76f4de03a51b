//! The handicaps that a board offers.

use crate::page::Refusal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tengen_bots::gtp_engine::fixed_handicap;
use tengen_go::{Board, Color, Size};

/// A question for the handicaps of a board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandicapRequest {
    /// Board size, `9x9`.
    pub size: Size,
}

/// The handicaps of a board at the usual points.
#[derive(Serialize)]
pub struct Handicaps {
    /// The set-up stones of each handicap by its number of stones, as in
    /// [`GameText`](crate::page::GameText); none on boards without usual points.
    pub setups: BTreeMap<usize, String>,
}

impl HandicapRequest {
    /// The handicaps, from 2 stones.
    pub fn answer(self) -> Result<Handicaps, Refusal> {
        let mut setups = BTreeMap::new();
        for count in 2..=9 {
            let Some(stones) = fixed_handicap(self.size, count) else { break };
            let board = Board::<6>::set_up(self.size, &stones, &[], Color::White);
            setups.insert(count, board.map_err(Refusal::new)?.to_rows());
        }
        Ok(Handicaps { setups })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicaps_are_at_the_usual_points() {
        let of = |size: &str| HandicapRequest { size: size.parse().unwrap() }.answer().unwrap();
        let nine = of("9x9").setups;
        assert_eq!(nine.keys().copied().collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8, 9]);
        let rows: Vec<&str> = nine[&2].split('/').collect();
        assert_eq!((rows[2], rows[6]), ("......X..", "..X......"));
        assert_eq!(of("8x8").setups.len(), 3);
        assert!(of("5x5").setups.is_empty());
    }
}
