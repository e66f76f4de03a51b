//! The points that captures and escapes prefer, on positions drawn by hand. How often they are drawn,
//! `own.rs` says by a twin.

use tengen_go::{Bits, Board, Color};
use tengen_playout::BuiltInPolicy;

#[test]
fn finds_the_last_liberties_beside_the_last_stone() {
    for (diagram, last, expected) in [
        // The stone itself is in atari, or an own stone beside it.
        ("...../.X.../XOX../...../.....", "B3", "B2"),
        ("...../.O.../OX.../.O.../....O", "B2", "C3"),
        // Not beside the last stone; two liberties.
        ("...../.O.../OX.../.O.../....O", "E1", ""),
        ("...../.OO../OXX../.O.../.....", "B2", ""),
        // The last liberty of two chains, and two last liberties.
        (".O.O./OXOXO/OX.XO/.OXO./.....", "C4", "C3"),
        ("...../.O.O./OXOXO/...../.....", "C3", "B2 D2"),
        ("...../...../...../OOO../X.O..", "A2", "B1"),
        // Only White's chain: Black's, around the board, has another liberty far away.
        ("XXXXXXX/XOOOOO./XO...../XO...../XOOOOO./XXXXXX./OOOOOO.", "F1", "G1"),
    ] {
        let board = Board::<1>::from_diagram(diagram, Color::Black).unwrap();
        let last = Bits::point(Bits::<1>::index(last.parse().unwrap()));
        assert!((last - board.stones(Color::White)).is_empty(), "{diagram}");
        let policy = BuiltInPolicy::CaptureEscape { probability: 1.0 };
        let [points, shapes] = policy.preferred(&board, last);
        let points: Vec<_> = points.iter().map(|at| Bits::<1>::vertex(at).to_string()).collect();
        assert_eq!((points.join(" ").as_str(), shapes), (expected, Bits::EMPTY), "{diagram}");
    }
}
