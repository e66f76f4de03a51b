//! Superko, in games and inside the tree.

use super::common::*;
use tengen::go::{Bits, Color, Game, IllegalMove, Ko, Move, Rules, Suicide};
use tengen::search::UctConfig;
use tengen::search::tree::Tree;
use tengen::seed::mix;

/// A line from `diagram` whose last move simple ko allows and superko does
/// not; the others every rule allows.
struct Repetition {
    name: &'static str,
    diagram: &'static str,
    to_play: Color,
    line: &'static str,
    /// The rules under which the last move is refused.
    refused: &'static [Ko],
}

const REPETITIONS: &[Repetition] = &[
    Repetition {
        name: "send two, return one",
        diagram: SEND_TWO,
        to_play: Color::White,
        line: "A1 C1 B1",
        refused: &[Ko::Psk],
    },
    Repetition {
        name: "send two, return one, and a pass between",
        diagram: SEND_TWO,
        to_play: Color::Black,
        line: "pass A1 C1 B1",
        refused: &[Ko::Psk, Ko::Ssk, Ko::Nssk],
    },
    Repetition {
        name: "triple ko",
        diagram: TRIPLE_KO,
        to_play: Color::Black,
        line: "C3 B1 C5 B3 C1 B5",
        refused: &[Ko::Psk, Ko::Ssk, Ko::Nssk],
    },
    Repetition {
        name: "eternal life",
        diagram: ETERNAL_LIFE,
        to_play: Color::Black,
        line: "E3 E2 E4 E1",
        refused: &[Ko::Psk, Ko::Ssk, Ko::Nssk],
    },
    Repetition {
        name: "sending back",
        diagram: SENDING_BACK,
        to_play: Color::White,
        line: "C4 D4 B4",
        refused: &[Ko::Psk],
    },
    Repetition {
        name: "send two, return one, on an open board",
        diagram: SEND_TWO_AND_MORE,
        to_play: Color::White,
        line: "A1 C1 B1",
        refused: &[Ko::Psk],
    },
];

#[test]
fn the_ko_positions_repeat_under_simple_ko_only() {
    for Repetition { name, diagram, to_play, line, refused } in REPETITIONS {
        let (before, last) = line.rsplit_once(' ').unwrap();
        for ko in [Ko::Simple, Ko::Psk, Ko::Ssk, Ko::Nssk] {
            let mut game = drawn(diagram, *to_play, ko, "2.5");
            play_all(&mut game, before);
            let expected = if refused.contains(&ko) { Err(IllegalMove::Superko) } else { Ok(()) };
            let found = game.check(game.to_play(), last.parse().unwrap());
            assert_eq!(found, expected, "{name} under {ko}\n{}", game.board());
        }
    }
}

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
        for (place, repetition) in REPETITIONS.iter().enumerate() {
            for (rule, &ko) in kos.iter().enumerate() {
                for to_play in Color::BOTH {
                    let seed = mix(round, games);
                    let mut game = drawn(repetition.diagram, to_play, ko, "0.5");
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
                            "{mv} in {} under {ko}, {suicide} suicide, round {round}\n{}",
                            repetition.name,
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
    for (repetition, bitten) in REPETITIONS.iter().zip(bitten) {
        assert!(
            bitten.iter().all(|&games| games > 0),
            "{}: {bitten:?} games met superko under psk, ssk, nssk",
            repetition.name
        );
    }
}

#[test]
fn a_tree_holds_the_legal_moves_that_fill_no_eye_and_no_other() {
    let (mut bites, mut complete) = (0, 0);
    for repetition in REPETITIONS {
        for ko in [Ko::Simple, Ko::Psk, Ko::Ssk, Ko::Nssk] {
            for suicide in [Suicide::No, Suicide::Multi, Suicide::All] {
                let game = drawn(repetition.diagram, repetition.to_play, ko, "0.5");
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
                    let of = format!("{} under {ko}\n{}", repetition.name, game.board());
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
