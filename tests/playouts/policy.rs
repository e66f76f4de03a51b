//! The policy that captures and escapes from atari, on positions drawn by hand.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeMap;
use tengen::go::{Bits, Board, Color, Ko, Preset, Rules, Size, Vertex};
use tengen::playout::policy::Player;
use tengen::playout::{BuiltInPolicy, scalar};

/// The position, Black to move, after White's stone `last`.
fn drawn(diagram: &str, last: &str) -> (Board<1>, Bits<1>) {
    let board = Board::from_diagram(diagram, Color::Black).unwrap();
    let last = Bits::point(Bits::<1>::index(last.parse().unwrap()));
    assert!((last - board.stones(Color::White)).is_empty());
    (board, last)
}

/// How often each point is drawn in 40 000 turns; the pass is `None`.
fn drawn_points(
    policy: BuiltInPolicy,
    (board, last): (Board<1>, Bits<1>),
) -> BTreeMap<Option<Vertex>, u32> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut counts = BTreeMap::new();
    for _ in 0..40_000 {
        let mut next = board;
        let mut player = Player::new(policy.into(), &next, last);
        let point = scalar::play_one_by(&mut player, &mut next, last, &mut random);
        *counts.entry(point.iter().next().map(Bits::<1>::vertex)).or_default() += 1;
    }
    counts
}

fn assert_share(count: u32, expected: f64, what: &str) {
    let share = f64::from(count) / 40_000.0;
    let error = (expected * (1.0 - expected) / 40_000.0).sqrt();
    assert!((share - expected).abs() <= 4.0 * error, "{what}: {share} instead of {expected}");
}

fn urgent(diagram: &str, last: &str) -> String {
    let (board, last) = drawn(diagram, last);
    let [points, shapes] =
        BuiltInPolicy::CaptureEscape { probability: 1.0 }.preferred(&board, last);
    assert!(shapes.is_empty());
    points.iter().map(|index| Bits::<1>::vertex(index).to_string()).collect::<Vec<_>>().join(" ")
}

const ATARI: &str = "...../.X.../XOX../...../.....";
const TWO: &str = "...../.O.O./OXOXO/...../.....";

#[test]
fn finds_the_last_liberties_beside_the_last_stone() {
    assert_eq!(urgent(ATARI, "B3"), "B2", "the stone itself is in atari");
    assert_eq!(urgent("...../.O.../OX.../.O.../....O", "B2"), "C3", "an own stone is");
    assert_eq!(urgent("...../.O.../OX.../.O.../....O", "E1"), "", "not beside the last stone");
    assert_eq!(urgent("...../.OO../OXX../.O.../.....", "B2"), "", "two liberties");
    assert_eq!(urgent(".O.O./OXOXO/OX.XO/.OXO./.....", "C4"), "C3", "two chains' last");
    assert_eq!(urgent(TWO, "C3"), "B2 D2");
    // Only White's chain: Black's, around the board, has another liberty far
    // away.
    assert_eq!(urgent("XXXXXXX/XOOOOO./XO...../XO...../XOOOOO./XXXXXX./OOOOOO.", "F1"), "G1");
}

#[test]
fn a_capture_has_its_probability() {
    let n = drawn_points(BuiltInPolicy::Uniform {}, drawn(ATARI, "B3")).len();
    assert_eq!(n, 21, "every empty point");
    for probability in [0.0, 0.25, 0.9, 1.0] {
        let counts = drawn_points(BuiltInPolicy::CaptureEscape { probability }, drawn(ATARI, "B3"));
        let share = probability + (1.0 - probability) / n as f64;
        let point = "B2".parse().unwrap();
        assert_share(counts[&Some(point)], share, "the capture");
        for (&vertex, &count) in counts.iter().filter(|(vertex, _)| **vertex != Some(point)) {
            assert_share(count, (1.0 - probability) / n as f64, &format!("{vertex:?}"));
        }
    }
}

#[test]
fn several_urgent_points_share_it() {
    let position = || drawn(TWO, "C3");
    let counts = drawn_points(BuiltInPolicy::CaptureEscape { probability: 0.6 }, position());
    assert_eq!(counts.len(), 18, "every empty point");
    for (&vertex, &count) in &counts {
        let is_urgent = ["B2", "D2"].iter().any(|text| text.parse().ok() == vertex);
        let share = if is_urgent { 0.3 } else { 0.0 } + 0.4 / 18.0;
        assert_share(count, share, &format!("{vertex:?}"));
    }
}

#[test]
fn after_a_suicide_the_turn_goes_on_uniformly() {
    // Black's A1 has its last liberty in B1, where it would be taken off.
    let (board, last) = drawn("...../...../...../OOO../X.O..", "A2");
    assert_eq!(urgent("...../...../...../OOO../X.O..", "A2"), "B1");
    let rules = Rules::new(Preset::Tengen, Size::square(5).unwrap(), "0.5".parse().unwrap());
    let legal = board.legal_points(Rules { ko: Ko::Simple, ..rules });
    let always = BuiltInPolicy::CaptureEscape { probability: 1.0 };
    let counts = drawn_points(always, (board, last));
    assert_eq!(counts.len(), legal.count() as usize);
    for (vertex, count) in counts {
        assert_share(count, 1.0 / f64::from(legal.count()), &format!("{vertex:?}"));
    }
}
