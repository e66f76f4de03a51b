//! The heuristic priors against looking at one point after another.

use super::features::{SIZES, liberties, of_random_games, tengen_rules};
use super::reference::{Point, Position, point};
use std::collections::BTreeSet;
use tengen::go::{Bits, Move, Size, with_words};
use tengen::search::prior::Prior;

/// Lines between two points, corners included.
fn apart(one: Point, other: Point) -> i32 {
    (one.0 - other.0).abs().max((one.1 - other.1).abs())
}

fn by_looking(position: &Position, at: Point, last: Option<Point>) -> f64 {
    let (me, stones) = (position.to_play, &position.stones);
    let outcome = position.outcome(at);
    let liberties = |stones, stone| liberties(position, stones, stone).len();
    let is = |near: Point, color| stones.get(&near) == Some(&color);
    let next_to = |color, count| {
        position.neighbors(at).any(|near| is(near, color) && liberties(stones, near) == count)
    };
    let mut value = 0.5;
    if outcome.captured > 0 {
        value += 0.2 + 0.05 * (outcome.captured.min(4) - 1) as f64;
    }
    if outcome.captured == 0 && liberties(&outcome.stones, at) <= 1 {
        value -= if position.neighbors(at).any(|near| is(near, me)) { 0.25 } else { 0.15 };
    } else if next_to(me, 1) {
        value += 0.2;
    }
    if next_to(!me, 2) {
        value += 0.08;
    }
    value += match last.map(|last| apart(at, last)) {
        Some(1) => 0.08,
        Some(2) => 0.05,
        Some(3) => 0.02,
        _ => 0.0,
    };
    let near = |lines| stones.iter().filter(move |&(&stone, _)| apart(at, stone) <= lines);
    if near(1).map(|(_, color)| color).collect::<BTreeSet<_>>().len() == 2 {
        value += 0.06;
    }
    if near(2).next().is_none() {
        let line = at.0.min(at.1).min(position.width - 1 - at.0).min(position.height - 1 - at.1);
        value += [-0.2, -0.05].get(usize::try_from(line).unwrap()).unwrap_or(&0.0);
    }
    if position.is_surrounded(at) {
        value -= 0.25;
    }
    value.clamp(0.05, 0.95)
}

#[test]
fn priors_agree_with_looking_point_by_point() {
    for (width, height) in SIZES {
        let size = Size::new(width, height).unwrap();
        let rules = tengen_rules(size);
        with_words!(size, W => of_random_games::<W>(size, 6, |board, position, recent| {
            let move_priors =
                Prior::built_in("heuristic:10").of(board, recent, board.empty()).unwrap();
            let last = match recent.last {
                Some(Move::Play(vertex)) => Some(point(vertex)),
                _ => None,
            };
            assert_eq!(move_priors.value(Move::Pass), 0.1);
            for vertex in board.legal_points(rules).iter().map(Bits::<W>::vertex) {
                let expected = by_looking(position, point(vertex), last);
                let found = move_priors.value(Move::Play(vertex));
                assert!((found - expected).abs() < 1e-9, "{vertex}\n{board}");
            }
        }));
    }
}
