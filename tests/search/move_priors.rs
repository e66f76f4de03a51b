//! The heuristic priors against looking at one point after another.

use super::reference::{Point, Position, Stones, point};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeSet;
use tengen::go::{Bits, Board, Komi, Move, Preset, Rules, Size, with_words};
use tengen::playout::scalar;
use tengen::search::prior::{Prior, Recent};

/// Lines between two points, corners included.
fn apart(one: Point, other: Point) -> i32 {
    (one.0 - other.0).abs().max((one.1 - other.1).abs())
}

fn by_looking(position: &Position, at: Point, last: Option<Point>) -> f64 {
    let (me, stones) = (position.to_play, &position.stones);
    let outcome = position.outcome(at);
    let liberties = |stones: &Stones, stone| {
        let chain = position.chain(stones, stone).into_iter();
        let beside = chain.flat_map(|stone| position.neighbors(stone));
        beside.filter(|near| !stones.contains_key(near)).collect::<BTreeSet<_>>().len()
    };
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
    for (width, height) in [(2, 3), (5, 5), (7, 7), (9, 9), (10, 8), (13, 13), (19, 19)] {
        let size = Size::new(width, height).unwrap();
        let rules = Rules::new(Preset::Tengen, size, Komi::default());
        with_words!(size, W => for seed in 0..6 {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let (mut board, mut last) = (Board::<W>::new(size), None);
            for ply in 0..size.points() {
                if ply % 7 == 3 {
                    let recent = Recent { last: last.map(Move::Play), before: None };
                    let move_priors =
                        Prior::built_in("heuristic:10").of(&board, recent, board.empty()).unwrap();
                    let position = Position::of(&board);
                    assert_eq!(move_priors.value(Move::Pass), 0.1);
                    for vertex in board.legal_points(rules).iter().map(Bits::<W>::vertex) {
                        let expected = by_looking(&position, point(vertex), last.map(point));
                        let found = move_priors.value(Move::Play(vertex));
                        assert!((found - expected).abs() < 1e-9, "{vertex}\n{board}");
                    }
                }
                let played = scalar::play_one(&mut board, &mut random);
                if played.is_empty() {
                    break;
                }
                last = Some(Bits::<W>::vertex(played.nth(0)));
            }
        });
    }
}
