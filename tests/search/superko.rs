//! Superko, in games and inside the tree.

use super::common::*;
use tengen::go::{Bits, Color, Game, IllegalMove, Ko, Move, Rules, Suicide};
use tengen::search::UctConfig;
use tengen::search::tree::Tree;

/// Positions in which play repeats, each with the player to move.
const REPETITIONS: [(&str, &str, Color); 6] = [
    ("send two, return one", SEND_TWO, Color::White),
    ("send two, return one, and a pass between", SEND_TWO, Color::Black),
    ("triple ko", TRIPLE_KO, Color::Black),
    ("eternal life", ETERNAL_LIFE, Color::Black),
    ("sending back", SENDING_BACK, Color::White),
    ("send two, return one, on an open board", SEND_TWO_AND_MORE, Color::White),
];

/// Whether some play is refused in `game` by superko that simple ko allows.
fn superko_bites(game: &Game) -> bool {
    let board = game.board();
    let simple = Rules { ko: Ko::Simple, ..game.rules() };
    let allowed = board.legal_points(simple) - board.eyes();
    allowed.iter().any(|index| {
        let mv = Move::Play(Bits::<6>::vertex(index));
        game.check(game.to_play(), mv) == Err(IllegalMove::Superko)
    })
}

#[test]
fn a_tree_holds_the_legal_moves_that_fill_no_eye_and_no_other() {
    let (mut bites, mut complete) = (0, 0);
    for (name, diagram, to_play) in REPETITIONS {
        for ko in [Ko::Simple, Ko::Psk, Ko::Ssk, Ko::Nssk] {
            for suicide in [Suicide::No, Suicide::Multi, Suicide::All] {
                let game = drawn(diagram, to_play, ko, "0.5");
                let start = Rules { suicide, ..game.rules() };
                let game = Game::from_position(*game.board(), start);
                let config = UctConfig { exploration: 0.3, ..uct(1_500) };
                let tree = tree_of(&game, &config, 7);
                assert_counts(&tree, 1_500, 1);
                walk(&tree, Tree::ROOT, &mut game.clone(), &mut |node, game| {
                    let children = tree.children(node);
                    if children.is_empty() {
                        return;
                    }
                    bites += u32::from(superko_bites(game));
                    let mut found: Vec<Move> = children.map(|child| tree.mv(child)).collect();
                    found.sort();
                    let plays = game.sensible_points();
                    let mut expected: Vec<Move> =
                        plays.iter().map(|i| Move::Play(Bits::<6>::vertex(i))).collect();
                    expected.push(Move::Pass);
                    let of = format!("{name} under {ko}\n{}", game.board());
                    if tree.is_complete(node) {
                        complete += 1;
                        assert_eq!(found, expected, "{of}");
                    } else {
                        // Children come one by one.
                        assert!(found.iter().all(|mv| expected.contains(mv)), "{of}");
                    }
                });
            }
        }
    }
    assert!(complete > 500, "{complete} nodes have all their children");
    assert!(bites > 100, "superko forbade something at {bites} nodes only");
}
