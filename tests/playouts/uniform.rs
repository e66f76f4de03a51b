//! Every candidate of a playout is equally likely, by χ² tests.

use crate::reference::{Lcg, Point, Position, point};
use crate::scalar::{ply, random};
use std::collections::{BTreeMap, BTreeSet};
use tengen::go::{Bits, Board, Color, Ko, Komi, Preset, Rules, Size, Suicide, Vertex};

/// Pearson's χ² of the counts against equal expectations, as a deviate of the
/// normal distribution (Wilson and Hilferty, "The distribution of chi-square",
/// 1931): above 4 the counts are not uniform, below -4 they are too even to be
/// random.
fn chi_square_deviate(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    assert!(expected >= 10.0, "too few draws for χ²");
    let chi_square: f64 =
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    let freedom = (counts.len() - 1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

fn assert_uniform(counts: &[u32], what: &str) {
    let deviate = chi_square_deviate(counts);
    assert!(deviate.abs() < 4.0, "{what}: {deviate:.1} standard deviations, {counts:?}");
}

/// How often each point was the next move of `draws` playouts from `board`.
fn next_moves<const W: usize>(board: &Board<W>, draws: u32, seed: u64) -> BTreeMap<Point, u32> {
    let mut counts = BTreeMap::new();
    for draw in 0..u64::from(draws) {
        let mut next = *board;
        let at = ply(&mut next, &mut random(seed + draw)).expect("there is a move");
        *counts.entry(at).or_default() += 1;
    }
    counts
}

/// Those points and no others were played, and each equally often.
fn assert_uniform_over(counts: &BTreeMap<Point, u32>, expected: &[Point], what: &str) {
    let played: BTreeSet<Point> = counts.keys().copied().collect();
    assert_eq!(played, expected.iter().copied().collect(), "{what}");
    assert_uniform(&counts.values().copied().collect::<Vec<_>>(), what);
}

#[test]
fn the_first_move_is_uniform() {
    for side in [5, 9] {
        let size = Size::square(side).unwrap();
        let all = Position::empty(size, Color::Black).points();
        let counts = next_moves(&Board::<2>::new(size), 200_000, 1_000_000);
        assert_uniform_over(&counts, &all, &size.to_string());
    }
    let size = Size::square(5).unwrap();
    let all = Position::empty(size, Color::Black).points();
    assert_uniform_over(&next_moves(&Board::<1>::new(size), 200_000, 0), &all, "one word");
}

#[test]
fn the_first_two_moves_are_uniform_together() {
    // A generator that is even move by move but not in pairs would pass the
    // test above. 72 pairs: on 3x3 every second move is legal and no eye.
    let start = Board::<1>::new(Size::square(3).unwrap());
    let mut counts: BTreeMap<(Point, Point), u32> = BTreeMap::new();
    for seed in 0..150_000 {
        let (mut board, mut random) = (start, random(seed));
        let first = ply(&mut board, &mut random).unwrap();
        let second = ply(&mut board, &mut random).unwrap();
        *counts.entry((first, second)).or_default() += 1;
    }
    assert_eq!(counts.len(), 72);
    assert_uniform(&counts.into_values().collect::<Vec<_>>(), "pairs");
}

/// White to move after Black took at D3: White may not take back at C3, A7 is
/// suicide, F6 and G7 are eyes, D1 is a false eye.
fn crowded() -> Board<1> {
    let before = "
        . X . . O O .
        X X . . O . O
        . . . . . O .
        . . X O . . .
        . X O . O . .
        . . X O . . .
        . . O . O . .";
    let mut board = Board::<1>::from_diagram(before, Color::Black).unwrap();
    let rules = Rules {
        ko: Ko::Simple,
        suicide: Suicide::No,
        ..Rules::new(Preset::Simple, board.size(), Komi::default())
    };
    board.play("D3".parse().unwrap(), rules).unwrap();
    board
}

fn at(text: &str) -> Point {
    point(text.parse::<Vertex>().unwrap())
}

/// The empty points of `crowded` less those four that White may not play.
fn crowded_moves() -> Vec<Point> {
    let board = crowded();
    let banned = [at("C3"), at("A7"), at("F6"), at("G7")];
    let empty = board.empty().iter().map(|index| point(Bits::<1>::vertex(index)));
    empty.filter(|point| !banned.contains(point)).collect()
}

#[test]
fn the_choice_is_uniform_beside_eyes_suicide_and_ko() {
    let board = crowded();
    assert_eq!(board.ko().map(point), Some(at("C3")));
    let expected = crowded_moves();
    assert_eq!(expected.len(), 28);
    assert!(expected.contains(&at("D1")), "a false eye is filled");
    let counts = next_moves(&board, 200_000, 5_000_000);
    assert_uniform_over(&counts, &expected, "crowded, one word");
    let wide = next_moves(&board.repacked::<6>(), 200_000, 5_000_000);
    assert_eq!(wide, counts, "the layout changes a choice");
}

/// Most published programs draw a random empty point and scan forward to the
/// first playable one. This must be told from a uniform draw, or the tests
/// above prove nothing.
#[test]
fn the_test_of_uniformity_detects_a_biased_choice() {
    let board = crowded();
    let empty: Vec<Point> =
        board.empty().iter().map(|index| point(Bits::<1>::vertex(index))).collect();
    let playable = crowded_moves();
    let deviate = |choose: &dyn Fn(&mut Lcg) -> Point| {
        let mut random = Lcg::new(1);
        let mut counts: BTreeMap<Point, u32> = playable.iter().map(|&point| (point, 0)).collect();
        for _ in 0..200_000 {
            *counts.get_mut(&choose(&mut random)).unwrap() += 1;
        }
        chi_square_deviate(&counts.into_values().collect::<Vec<_>>())
    };
    let uniform = |random: &mut Lcg| playable[random.below(playable.len())];
    assert!(deviate(&uniform).abs() < 4.0);
    let scan_forward = |random: &mut Lcg| {
        let start = random.below(empty.len());
        let mut forward = empty[start..].iter().chain(&empty[..start]);
        *forward.find(|point| playable.contains(point)).unwrap()
    };
    assert!(deviate(&scan_forward) > 20.0, "scanning forward goes unnoticed");
    let a_point_too_often = |random: &mut Lcg| {
        if random.below(200) == 0 { playable[9] } else { uniform(random) }
    };
    assert!(deviate(&a_point_too_often) > 5.0, "an eighth too often goes unnoticed");
    // Counts that no random draw makes.
    assert!(chi_square_deviate(&[8_000; 25]) < -4.0);
}

#[test]
fn the_choice_is_uniform_in_positions_of_games() {
    // Late positions of playouts in which the player has an eye, a forbidden
    // ko and a suicide at once: the reference says what may be played.
    let size = Size::square(9).unwrap();
    let mut found = 0;
    for seed in 0..2_000 {
        let (mut board, mut random) = (Board::<2>::new(size), random(seed));
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
            if suicides < 2 || moves.len() < 3 {
                continue;
            }
            let counts = next_moves(&board, 10_000, 1_000 * seed);
            assert_uniform_over(&counts, &moves, &format!("{board}\n{} to play", board.to_play()));
            found += 1;
            break;
        }
        if found == 30 {
            return;
        }
    }
    panic!("only {found} positions with eye, ko and suicide");
}
