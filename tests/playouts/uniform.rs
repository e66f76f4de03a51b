//! Every candidate of a playout is equally likely, by χ² tests.

use crate::reference::{Lcg, Point, Position, chi_square_deviate, point};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::{BTreeMap, BTreeSet};
use tengen::go::{Bits, Board, Color, Size};
use tengen::playout::scalar;

fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The point that one ply of a playout put a stone on, if it was no pass.
fn ply(board: &mut Board<2>, random: &mut Xoshiro256PlusPlus) -> Option<Point> {
    let before = *board;
    scalar::play_one(board, random);
    let new = board.stones(before.to_play()) - before.stones(before.to_play());
    assert!(new.count() <= 1, "one stone is put down and none of one's own taken off");
    (board.passes() == 0).then(|| point(Bits::<2>::vertex(new.nth(0))))
}

/// By how much the counts differ from equal ones; below -4 they are too even.
fn deviate(counts: impl Iterator<Item = u32>) -> f64 {
    let counts: Vec<f64> = counts.map(f64::from).collect();
    let expected = counts.iter().sum::<f64>() / counts.len() as f64;
    assert!(expected >= 10.0, "too few draws for χ²");
    let chi_square = counts.iter().map(|count| (count - expected).powi(2) / expected).sum();
    chi_square_deviate(chi_square, (counts.len() - 1) as f64)
}

fn counted(draws: u64, mut draw: impl FnMut(u64) -> Point) -> BTreeMap<Point, u32> {
    let mut counts = BTreeMap::new();
    (0..draws).for_each(|number| *counts.entry(draw(number)).or_default() += 1);
    counts
}

/// Most published programs draw a random empty point and scan forward to the first playable
/// one. Where there are enough draws this must be told from a uniform choice.
fn assert_bias_is_noticed(board: &Board<2>, moves: &[Point]) {
    let empty: Vec<Point> = board.empty().iter().map(|i| point(Bits::<2>::vertex(i))).collect();
    let mut random = Lcg::new(1);
    let biased = counted(10_000, |_| {
        let start = random.below(empty.len());
        let mut forward = empty[start..].iter().chain(&empty[..start]);
        *forward.find(|point| moves.contains(point)).unwrap()
    });
    assert!(deviate(biased.into_values()) > 10.0, "scanning forward goes unnoticed");
}

/// Late positions of playouts in which the player has an eye, a forbidden ko and a suicide at
/// once: the reference says what may be played. And the empty board.
#[test]
fn the_choice_is_uniform() {
    let size = Size::square(9).unwrap();
    let start = Board::<2>::new(size);
    let all = Position::empty(size, Color::Black).points();
    let mut positions = vec![(start, all)];
    for seed in 0..2_000 {
        let (mut board, mut random) = (start, random(seed));
        let mut reference = Position::empty(size, Color::Black);
        for _ in 0..95 {
            match ply(&mut board, &mut random) {
                Some(at) => reference.play(at),
                None => reference.pass(),
            }
            let empty = board.empty().count() as usize;
            let (Some(_), false, true) = (board.ko(), board.eyes().is_empty(), empty < 30) else {
                continue;
            };
            let moves = reference.playout_moves();
            let suicides = empty - 1 - reference.eyes().len() - moves.len();
            if suicides >= 2 && moves.len() >= 3 {
                positions.push((board, moves));
                break;
            }
        }
        if positions.len() > 30 {
            break;
        }
    }
    assert_eq!(positions.len(), 31, "too few positions with eye, ko and suicide");
    for ((board, moves), seed) in positions.iter().zip(0..) {
        let counts = counted(10_000, |draw| {
            ply(&mut board.clone(), &mut random(1_000_000 * seed + draw)).expect("there is a move")
        });
        let what = format!("{board}\n{} to play: {counts:?}", board.to_play());
        assert!(counts.keys().eq(moves.iter().collect::<BTreeSet<_>>()), "{what}");
        assert!(deviate(counts.into_values()).abs() < 4.0, "{what}");
        if seed > 0 {
            assert_bias_is_noticed(board, moves);
        }
    }
}
