//! Own eyes as moves of the tree.

use super::common::*;
use super::judged_by_playouts::{together, uct};
use tengen::go::{Board, Color, Game, Preset};
use tengen::search::UctConfig;
use tengen::search::tree::Tree;

fn settled() -> Game {
    let board = Board::from_diagram(SETTLED, Color::Black).unwrap();
    Game::from_position(board, rules(Preset::Tengen, board.size(), "0.5"))
}

fn root_moves(config: &UctConfig) -> Vec<String> {
    let found = together(&[settled()], config, 100).remove(0);
    let mut moves: Vec<String> =
        found.tree.children(Tree::ROOT).map(|child| found.tree.mv(child).to_string()).collect();
    moves.sort();
    moves
}

#[test]
fn filling_an_own_eye_is_a_move_on_request() {
    for settings in [
        "rave=none,prior=none,expansion=1",
        "rave=none,prior=heuristic:10,first_play=0.5",
        "rave=none,prior=none,selection=thompson,expansion=2",
        "evaluator=playouts,proofs=true",
    ] {
        let without = uct(&format!("uct:exploration=1,{settings}"));
        assert_eq!(root_moves(&without), ["pass"], "{settings}");
        let with = UctConfig { own_eyes: true, ..without };
        assert_eq!(root_moves(&with), ["A1", "A3", "C1", "C3", "pass"], "{settings}");
    }
}

/// All-moves-as-first adds moves one by one, and here the first one wins already.
#[test]
fn filling_an_own_eye_is_a_move_with_rave_too() {
    let with = UctConfig { own_eyes: true, ..UctConfig::default() };
    assert!(root_moves(&with).iter().any(|mv| mv != "pass"));
    assert_eq!(root_moves(&UctConfig::default()), ["pass"]);
}
