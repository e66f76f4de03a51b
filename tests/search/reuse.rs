//! Trees that are kept from move to move.

use super::common::*;
use tengen::bots::Bot;
use tengen::go::{Color, Game};
use tengen::search::UctConfig;

/// What a bot that has seen other things finds in `game`.
fn is_as_new(keeper: &mut Box<dyn Bot>, config: &UctConfig, seed: u64, game: &Game) -> bool {
    let fresh = bot(config, seed).genmove(game).unwrap().report.unwrap();
    let found = keeper.genmove(game).unwrap().report.unwrap();
    without_seconds(&found) == without_seconds(&fresh)
}

/// The bot searches `from`, then `game`; the control is that it keeps its tree
/// when the same moves are made in the same game.
fn notices(from: &Game, game: &Game) -> bool {
    let config = UctConfig { reuse: true, ..uct(1_500) };
    let mut keeper = bot(&config, 1);
    let _ = keeper.genmove(from).unwrap();
    is_as_new(&mut keeper, &config, 1, game)
}

#[test]
fn a_different_game_is_noticed() {
    let start = |komi: &str, moves: &str| {
        let mut game = empty(5, komi);
        play_all(&mut game, moves);
        game
    };
    let from = start("2.5", "C3 C2 B2 D3");
    assert!(!notices(&from, &start("2.5", "C3 C2 B2 D3 D2 B3")), "this is the same game");
    assert!(notices(&from, &start("2.5", "C3 C2 B2 D2 D3 B3")), "other stones");
    assert!(notices(&from, &start("2.5", "C3 C2")), "moves were taken back");
    // Superko remembers other positions.
    assert!(notices(&from, &start("2.5", "B2 C2 C3 D3 D2 B3")), "other moves, the same stones");
    assert!(notices(&from, &start("9.5", "C3 C2 B2 D3 D2 B3")), "another komi");
    let mut white_first = empty(5, "2.5");
    for mv in ["C3", "D2"] {
        white_first.play(Color::White, mv.parse().unwrap()).unwrap();
    }
    assert!(notices(&empty(5, "2.5"), &white_first), "White moved in Black's turn");
}

/// GTP and some records let a player move twice in a row; the tree knows
/// nothing of such lines, nor of the moves that are legal there.
#[test]
fn a_tree_is_not_kept_when_a_player_moves_twice() {
    let from = empty(3, "0.5");
    for first in Color::BOTH {
        for second in Color::BOTH {
            let mut game = from.clone();
            game.play(first, "B2".parse().unwrap()).unwrap();
            game.play(second, "A2".parse().unwrap()).unwrap();
            let in_turn = (first, second) == (Color::Black, Color::White);
            assert_eq!(notices(&from, &game), !in_turn, "{first}, then {second}");
        }
    }
}
