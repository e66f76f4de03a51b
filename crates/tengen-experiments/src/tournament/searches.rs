//! The searches of a game's moves, as they are kept for training data.

use super::row::GameRow;
use serde::{Deserialize, Serialize};
use tengen_go::{Game, Move};
use tengen_search::SearchReport;

/// A search that a bot made for a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// Number of plies of the game before the search.
    pub ply: u32,
    /// Mean reward of the player to move, 0 to 1; none without visits.
    pub value: Option<f32>,
    /// The visited moves by [number](tengen_go::Size::move_number), ascending, and their visits.
    pub visits: Vec<(u16, u32)>,
}

/// The number of a move as the records have it.
pub(crate) fn short(number: usize) -> u16 {
    u16::try_from(number).unwrap_or_else(|_| unreachable!("a board has 361 points at most"))
}

impl SearchRecord {
    /// The record of the search with this `report`, of the last position of `game`.
    #[must_use]
    pub fn of(game: &Game, report: &SearchReport) -> Self {
        let number = |mv: Move| short(game.size().move_number(mv));
        let visits = |visits: u64| u32::try_from(visits).unwrap_or(u32::MAX);
        let mut moves: Vec<(u16, u32)> =
            report.moves.iter().map(|found| (number(found.mv), visits(found.visits))).collect();
        moves.sort_unstable();
        #[allow(clippy::cast_possible_truncation)] // a mean needs no more digits
        let value = report.value().map(|value| value as f32);
        Self { ply: game.ply(), value, visits: moves }
    }
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The row of the game.
    pub row: GameRow,
    /// The searches of the moves, in order, if they are kept.
    pub searches: Vec<SearchRecord>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::{Komi, Preset, Rules, Size};
    use tengen_search::{UctConfig, shared};

    #[test]
    fn a_record_has_the_visits_by_move_and_the_mean_result() {
        let size: Size = "4x3".parse().unwrap();
        let mut game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
        game.play(game.to_play(), "B2".parse().unwrap()).unwrap();
        let config = UctConfig { simulations: Some(300), workers: 2, ..UctConfig::default() };
        let (report, _) = shared::search(&game, &config, 1, Vec::new(), None).unwrap();
        let record = SearchRecord::of(&game, &report);
        assert_eq!((record.ply, record.visits.len()), (1, report.moves.len()));
        assert!(record.visits.is_sorted_by(|one, other| one.0 < other.0), "each once");
        assert_eq!(record.visits.iter().map(|(_, visits)| visits).sum::<u32>(), 300);
        for found in &report.moves {
            let number = match found.mv {
                Move::Play(vertex) => u16::from(vertex.row) * 4 + u16::from(vertex.col),
                Move::Pass => 12,
            };
            assert!(record.visits.contains(&(number, found.visits as u32)), "{}", found.mv);
        }
        let reward: f64 = report.moves.iter().map(|found| found.reward).sum();
        assert_eq!(record.value, Some((reward / 300.0) as f32));
    }
}
