//! From what a search found to the move that is made.

use super::config::FinalMove;
use super::report::{Report, RootMove};
use crate::go::{Game, Move};

/// Whether to pass without a search: the opponent has just passed and the
/// board as it stands is won, so that a pass wins the game.
#[must_use]
pub fn wins_by_passing(game: &Game) -> bool {
    game.board().passes() == 1 && game.score().for_player(game.to_play()) > 0
}

/// The move to make after a search of `game`.
///
/// Passing is left out while the board as it stands is lost and another move
/// is there: the opponent's pass would end the game.
#[must_use]
pub fn choose(game: &Game, report: &Report, rule: FinalMove) -> Move {
    let behind = game.score().for_player(game.to_play()) < 0;
    let allowed = |candidate: &&RootMove| candidate.made != Move::Pass || !behind;
    let candidates = report.moves.iter().filter(allowed);
    // The moves are sorted by visits, then by wins; the last maximum of the
    // reversed order is the first in the sorted one.
    let best = match rule {
        FinalMove::Visits => candidates.rev().max_by_key(|m| (m.visits, m.half_wins)),
        FinalMove::Value => candidates
            .rev()
            .max_by(|a, b| a.value().unwrap_or(-1.0).total_cmp(&b.value().unwrap_or(-1.0))),
    };
    best.map_or(Move::Pass, |best| best.made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Board, Color, Komi, Preset, Rules, Size};

    fn game(rows: &str, to_play: Color) -> Game {
        let board = Board::from_diagram(rows, to_play).unwrap();
        let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
        Game::from_position(board, rules)
    }

    fn report(to_play: Color, moves: &[(&str, u64, u64)]) -> Report {
        let root_move = |&(made, visits, half_wins): &(&str, u64, u64)| RootMove {
            made: made.parse().unwrap(),
            visits,
            half_wins,
        };
        Report {
            to_play,
            moves: moves.iter().map(root_move).collect(),
            variation: Vec::new(),
            playouts: 0,
            mean_depth: 0.0,
            most_depth: 0,
            nodes: 0,
            bytes: 0,
            seconds: 0.0,
        }
    }

    #[test]
    fn most_visits_or_highest_value() {
        let empty = Game::new(
            Size::square(5).unwrap(),
            Rules::new(Preset::Tengen, Size::square(5).unwrap(), Komi::default()),
        );
        let found = report(Color::Black, &[("C3", 60, 60), ("B2", 40, 60), ("A1", 0, 0)]);
        assert_eq!(choose(&empty, &found, FinalMove::Visits).to_string(), "C3");
        assert_eq!(choose(&empty, &found, FinalMove::Value).to_string(), "B2");
        let tied = report(Color::Black, &[("C3", 40, 60), ("B2", 40, 60)]);
        assert_eq!(choose(&empty, &tied, FinalMove::Visits).to_string(), "C3");
        assert_eq!(choose(&empty, &tied, FinalMove::Value).to_string(), "C3");
    }

    #[test]
    fn never_passes_into_a_loss_while_there_is_another_move() {
        let found = report(Color::White, &[("pass", 90, 170), ("A1", 10, 1)]);
        let behind = game("XX./XX./...", Color::White);
        assert_eq!(choose(&behind, &found, FinalMove::Visits).to_string(), "A1");
        let ahead = game("OO./OO./...", Color::White);
        assert_eq!(choose(&ahead, &found, FinalMove::Visits), Move::Pass);
        let only = report(Color::White, &[("pass", 90, 0)]);
        assert_eq!(choose(&behind, &only, FinalMove::Visits), Move::Pass);
    }

    #[test]
    fn passes_to_win_after_a_pass_only() {
        let mut won = game("OO./OO./...", Color::Black);
        assert!(!wins_by_passing(&won));
        won.play(Color::Black, Move::Pass).unwrap();
        assert!(wins_by_passing(&won));
        let mut lost = game("OO./OO./...", Color::White);
        lost.play(Color::White, Move::Pass).unwrap();
        assert!(!wins_by_passing(&lost));
    }
}
