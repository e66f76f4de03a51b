//! Superko, in games and inside the tree.

use super::common::*;
use tengen::go::{Bits, Color, Game, IllegalMove, Ko, Move, Rules, Suicide};
use tengen::search::UctConfig;
use tengen::search::tree::Tree;
use tengen::seed::mix;

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
fn five_hundred_games_out_of_kos_are_legal() {
    let kos = [Ko::Psk, Ko::Ssk, Ko::Nssk];
    let mut bitten = [[0_u32; 3]; REPETITIONS.len()];
    let mut games = 0;
    for round in 0..17 {
        for (place, (name, diagram, _)) in REPETITIONS.into_iter().enumerate() {
            for (rule, &ko) in kos.iter().enumerate() {
                for to_play in Color::BOTH {
                    let seed = mix(round, games);
                    let mut game = drawn(diagram, to_play, ko, "0.5");
                    let suicide = if round % 3 == 2 { Suicide::All } else { Suicide::No };
                    game = Game::from_position(*game.board(), Rules { suicide, ..game.rules() });
                    // Two bots that differ in all that grows a tree.
                    let plain = UctConfig { exploration: 1.0, ..uct(20 + round) };
                    let keeper = UctConfig { reuse: true, workers: 2, ..uct(40) };
                    let mut bots = [bot(&plain, seed), bot(&keeper, !seed)];
                    let mut bites = 0;
                    while game.end().is_none() {
                        bites += u32::from(superko_bites(&game));
                        let mv = bots[game.to_play().index()].genmove(&game).unwrap().mv().unwrap();
                        let played = game.play(game.to_play(), mv);
                        assert_eq!(
                            played,
                            Ok(()),
                            "{mv} in {name} under {ko}, {suicide} suicide, round {round}\n{}",
                            game.board()
                        );
                    }
                    bitten[place][rule] += u32::from(bites > 0);
                    games += 1;
                }
            }
        }
    }
    assert!(games >= 500, "{games} games");
    // The control: under every rule some game from every position came to a
    // move that simple ko would have let through.
    for ((name, ..), bitten) in REPETITIONS.iter().zip(bitten) {
        assert!(bitten.iter().all(|&games| games > 0), "{name}: {bitten:?} games met superko");
    }
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
