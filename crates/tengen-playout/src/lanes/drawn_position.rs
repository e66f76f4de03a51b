//! Checks the position and the sets drawn at the head of `step.rs`.

use super::super::kernel::Kernel;
use super::super::layout::{pack, unpack};
use crate::Isa;
use crate::policy::{BuiltInPolicy, LanePolicy};
use crate::sets::lane_word::spread;
use crate::sets::rows::lane;
use crate::simd::Target;
use tengen_go::{Bits, Board, Color, Vertex};

/// One lane of a 5×5 board: 6 columns in a word of 32 bits.
type OneLane = Kernel<u32, 1, 6, 1>;

/// The set as rows from the top, `*` for its points, joined by `/`.
fn drawn(words: [u32; 1]) -> String {
    let set = unpack::<u32, 1, 1, 6>(words, Target::new(Isa::Baseline));
    let row = |row| -> String {
        let has = |col| set.contains(Bits::<1>::index(Vertex::new(col, row)));
        (0..5).map(|col| if has(col) { '*' } else { '.' }).collect()
    };
    (0..5).rev().map(row).collect::<Vec<_>>().join("/")
}

#[test]
fn an_attempt_at_a1_captures_three_stones() {
    let board = Board::<1>::from_diagram(".X.O./XXOO./OXXO./OOXOO/.XXO.", Color::Black).unwrap();
    let target = Target::new(Isa::Baseline);
    let pack = |set| pack::<u32, 1, 1, 6>(set, target);
    let (points, edge) = (Bits::board(board.size()), Bits::edge(board.size()));
    let mut kernel = OneLane::new(
        pack(points),
        pack(edge),
        100,
        LanePolicy::BuiltIn(BuiltInPolicy::Uniform {}),
        target,
    );
    let (black, white) = (board.stones(Color::Black), board.stones(Color::White));
    kernel.load(0, pack(black), pack(white), [0]);
    // The candidate number 0.
    kernel.random_bits[0] = 0;

    kernel.classify_points::<1>();
    kernel.filter_suicides::<1>();
    assert_eq!(drawn(lane(&kernel.candidates, 0)), "..*.*/....*/....*/...../*....");
    assert_eq!(drawn(lane(&kernel.safe, 0)), ".*.*./..**./...*./...**/...*.");
    kernel.sample::<false, 1, false>();
    assert_eq!(drawn(lane(&kernel.point, 0)), "...../...../...../...../*....");
    let contest = kernel.find_contested_chains(0);
    assert_eq!(drawn(contest.chains), "...../...../...../*..../.....");
    let spread = |set| spread::<u32, 1, 6>(set, contest.stones);
    let followed = spread(spread(contest.chains));
    assert_eq!(drawn(followed), "...../...../*..../**.../.....");
    kernel.resolve_captures(0, contest);
    assert_eq!(drawn(lane(&kernel.captured, 0)), "...../...../*..../**.../.....");
    assert_eq!((kernel.pending[0], kernel.no_ply[0], kernel.is_ko[0]), (0, 0, 0));
    assert!(!kernel.make_plies::<1>());

    let mut after = board;
    after.play_unchecked("A1".parse().unwrap());
    assert_eq!(after.to_rows(), ".X.O./XXOO./.XXO./..XOO/XXXO.");
    assert_eq!(lane(&kernel.own, 0), pack(after.stones(Color::White)));
    assert_eq!(lane(&kernel.other, 0), pack(after.stones(Color::Black)));
}
