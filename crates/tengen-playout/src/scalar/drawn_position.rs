//! Checks the position and the sets drawn at the head of `position.rs`.

use super::Position;
use crate::sets::chains::spread;
use tengen_go::{Bits, Board, Color};

type Set = Bits<1>;

/// The set as rows from the top, `*` for its points, joined by `/`.
fn drawn(set: Set, board: &Board<1>) -> String {
    let stones = Board::<1>::set_up(
        board.size(),
        &(set & Bits::board(board.size())).iter().map(Set::vertex).collect::<Vec<_>>(),
        &[],
        Color::Black,
    );
    stones.unwrap().to_rows().replace('X', "*")
}

fn position(board: &Board<1>) -> Position<Set> {
    let stones = [Color::Black, Color::White].map(|color| board.stones(color));
    Position::new(stones, board.ko_set(), Bits::board(board.size()))
}

#[test]
fn an_attempt_at_a1_captures_three_stones() {
    let board = Board::<1>::from_diagram(".X.O./XXOO./OXXO./OOXOO/.XXO.", Color::Black).unwrap();
    let mut position = position(&board);
    let edge = Bits::edge(board.size());
    let enclosed = position.empty - position.beside_empty;
    assert_eq!(drawn(enclosed, &board), "*.*../...../...../...../*...*");
    let candidates = position.candidates(edge);
    assert_eq!(drawn(candidates.points, &board), "..*.*/....*/....*/...../*....");
    assert_eq!(drawn(candidates.safe, &board), "...*./..**./...*./...**/...*.");
    let point = Set::point(Set::index("A1".parse().unwrap()));
    let left = (position.empty - point).neighbors();
    assert_eq!(drawn(left, &board), ".*.**/*.***/...**/....*/...*.");
    // The chain of A2 is whole after one step, and has no liberty.
    let chain = spread(Set::point(Set::index("A2".parse().unwrap())), position.other);
    assert_eq!(drawn(chain, &board), "...../...../*..../**.../.....");
    assert!(spread(chain, position.other) == chain && !chain.intersects(left));

    assert!(position.play_unless_suicide(point, candidates.safe));
    position.end_turn();
    let mut after = board;
    after.play_unchecked("A1".parse().unwrap());
    assert_eq!(after.to_rows(), ".X.O./XXOO./.XXO./..XOO/XXXO.");
    assert_eq!(position.own, after.stones(Color::White));
    assert_eq!(position.other, after.stones(Color::Black));
}

/// A stone on E1 would be suicide: it is none of the candidates, and is not played.
#[test]
fn suicide_is_not_played() {
    let board = Board::<1>::from_diagram(".X.O./XXOO./OXXO./OOXOO/.XXO.", Color::Black).unwrap();
    let mut position = position(&board);
    let before = position;
    let point = Set::point(Set::index("E1".parse().unwrap()));
    assert!(!position.play_unless_suicide(point, Set::EMPTY));
    assert_eq!((position.own, position.other), (before.own, before.other));
}
