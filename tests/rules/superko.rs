//! Known repetitions under every ko rule.

use crate::reference::Position;
use crate::twin::Twin;
use tengen::go::{Board, Color, Game, IllegalMove, Ko, Komi, Move, Preset, Rules, Size, Suicide};

const SUPERKOS: [Ko; 3] = [Ko::Psk, Ko::Ssk, Ko::Nssk];

fn rules(size: Size, ko: Ko, suicide: Suicide) -> Rules {
    Rules { ko, suicide, ..Rules::new(Preset::Tengen, size, Komi::default()) }
}

fn game(diagram: &str, to_play: Color, ko: Ko, suicide: Suicide) -> Game {
    let start = Board::<6>::from_diagram(diagram, to_play).unwrap();
    Game::from_position(start, rules(start.size(), ko, suicide))
}

/// Plays the moves in turn; all but the last must be legal. The verdict on the
/// last, which the twin must share.
fn last_of(mut game: Game, moves: &str) -> Result<(), IllegalMove> {
    let mut twin = Twin::new(Position::of(game.board()), game.rules());
    let moves: Vec<Move> = moves.split_whitespace().map(|text| text.parse().unwrap()).collect();
    let (&last, before) = moves.split_last().unwrap();
    for &mv in before {
        let color = game.to_play();
        assert_eq!(game.play(color, mv), Ok(()), "{color} {mv}\n{}", game.board());
        twin.play(color, mv);
    }
    let verdict = game.check(game.to_play(), last);
    assert_eq!(verdict, twin.check(game.to_play(), last), "the twin disagrees on {last}");
    let listed = match last {
        Move::Play(vertex) => game.legal_points().contains(tengen::go::Bits::<6>::index(vertex)),
        Move::Pass => true,
    };
    assert_eq!(listed, verdict.is_ok(), "`legal_points` disagrees on {last}");
    assert_eq!(game.play(game.to_play(), last), verdict);
    verdict
}

/// Black takes at C2, White would take back at B2.
const KO: &str = "
    . X O . .
    X O . O .
    . X O . .";

#[test]
fn the_basic_ko() {
    let verdict = |ko, moves| last_of(game(KO, Color::Black, ko, Suicide::No), moves);
    assert_eq!(verdict(Ko::None, "C2 B2"), Ok(()));
    assert_eq!(verdict(Ko::Simple, "C2 B2"), Err(IllegalMove::Ko));
    // A threat and its answer lift it; so does a pass.
    assert_eq!(verdict(Ko::Simple, "C2 E1 E2 B2"), Ok(()));
    assert_eq!(verdict(Ko::Simple, "C2 pass E2 B2"), Ok(()));
    for ko in SUPERKOS {
        assert_eq!(verdict(ko, "C2 B2"), Err(IllegalMove::Superko), "{ko}");
        assert_eq!(verdict(ko, "C2 E1 E2 B2"), Ok(()), "{ko}");
    }
}

/// White sends two stones with A1, Black takes both at C1, White returns one
/// at B1: the first position, but now it is Black's turn.
const SEND_TWO: &str = "
    X . O O
    X X O .
    X X O O
    . O . O";

#[test]
fn send_two_return_one() {
    let verdict = |ko, moves| last_of(game(SEND_TWO, Color::White, ko, Suicide::No), moves);
    let cycle = "A1 C1 B1";
    assert_eq!(verdict(Ko::None, cycle), Ok(()));
    assert_eq!(verdict(Ko::Simple, cycle), Ok(()));
    assert_eq!(verdict(Ko::Psk, cycle), Err(IllegalMove::Superko));
    assert_eq!(verdict(Ko::Ssk, cycle), Ok(()));
    assert_eq!(verdict(Ko::Nssk, cycle), Ok(()));
    // If Black passes, the first situation is there again: a pass is always
    // legal, but White may not begin anew.
    for ko in [Ko::Ssk, Ko::Nssk] {
        assert_eq!(verdict(ko, "A1 C1 B1 pass"), Ok(()), "{ko}");
        assert_eq!(verdict(ko, "A1 C1 B1 pass A1"), Err(IllegalMove::Superko), "{ko}");
    }
    assert_eq!(verdict(Ko::Simple, "A1 C1 B1 pass A1"), Ok(()));
}

/// Three kos: White holds the upper and the lower, Black the middle one.
const TRIPLE_KO: &str = "
    . X O .
    X O . O
    . X O .
    X . X O
    . X O .
    X O . O
    . X O .";

#[test]
fn triple_ko() {
    let verdict = |ko, moves| last_of(game(TRIPLE_KO, Color::Black, ko, Suicide::No), moves);
    // Each takes the ko that the other did not just take.
    let around = "C6 B4 C2 B6 C4 B2";
    assert_eq!(verdict(Ko::Simple, around), Ok(()));
    for ko in SUPERKOS {
        assert_eq!(verdict(ko, around), Err(IllegalMove::Superko), "{ko}");
        assert_eq!(verdict(ko, "C6 B4 C2 B6 C4"), Ok(()), "{ko}");
    }
}

/// After C1, B1 and a pass, White has created `.OX.` by a play and Black only
/// by the pass. Then White's D1 takes C1, and Black's C1 takes D1 back.
#[test]
fn situational_and_natural_superko_differ_after_a_pass() {
    let verdict = |ko| last_of(game("....", Color::Black, ko, Suicide::No), "C1 B1 pass D1 C1");
    assert_eq!(verdict(Ko::None), Ok(()));
    assert_eq!(verdict(Ko::Simple), Err(IllegalMove::Ko));
    assert_eq!(verdict(Ko::Psk), Err(IllegalMove::Superko));
    assert_eq!(verdict(Ko::Ssk), Err(IllegalMove::Superko));
    assert_eq!(verdict(Ko::Nssk), Ok(()));
}

#[test]
fn suicide_of_one_stone_repeats_the_position() {
    let start = "
        O O . .
        . O . .
        O O . .";
    let verdict = |ko, suicide, moves| last_of(game(start, Color::Black, ko, suicide), moves);
    for ko in [Ko::None, Ko::Simple, Ko::Psk, Ko::Ssk, Ko::Nssk] {
        for suicide in [Suicide::No, Suicide::Multi] {
            assert_eq!(verdict(ko, suicide, "A2"), Err(IllegalMove::Suicide), "{ko} {suicide}");
        }
    }
    assert_eq!(verdict(Ko::None, Suicide::All, "A2"), Ok(()));
    // As good as a pass: the same stones, but the other player's turn.
    assert_eq!(verdict(Ko::Simple, Suicide::All, "A2"), Ok(()));
    assert_eq!(verdict(Ko::Ssk, Suicide::All, "A2"), Ok(()));
    assert_eq!(verdict(Ko::Ssk, Suicide::All, "A2 pass A2"), Err(IllegalMove::Superko));
    assert_eq!(verdict(Ko::Nssk, Suicide::All, "A2"), Ok(()));
    assert_eq!(verdict(Ko::Psk, Suicide::All, "A2"), Err(IllegalMove::Superko));
    let tromp_taylor = Preset::TrompTaylor.ko_and_suicide();
    assert_eq!(tromp_taylor, (Ko::Psk, Suicide::All));
}

#[test]
fn two_suicides_of_one_stone_in_turn_are_a_ko() {
    // Each player has an eye that the other can throw a stone into.
    let start = "
        O O . X X
        . O . X .
        O O . X X";
    let verdict = |moves| last_of(game(start, Color::Black, Ko::Simple, Suicide::All), moves);
    assert_eq!(verdict("A2"), Ok(()));
    assert_eq!(verdict("A2 E2"), Err(IllegalMove::Ko));
    assert_eq!(verdict("A2 C1 pass E2"), Ok(()));
}

#[test]
fn suicide_of_two_stones_empties_both_points() {
    let start = "
        O O O .
        X . O .
        O O O .";
    for (suicide, verdict) in
        [(Suicide::No, Err(IllegalMove::Suicide)), (Suicide::Multi, Ok(())), (Suicide::All, Ok(()))]
    {
        let mut game = game(start, Color::Black, Ko::Psk, suicide);
        assert_eq!(game.play(Color::Black, "B2".parse().unwrap()), verdict, "{suicide}");
        let expected = if verdict.is_ok() { "OOO./..O./OOO." } else { "OOO./X.O./OOO." };
        assert_eq!(game.board().to_rows(), expected);
        game.board().assert_valid();
    }
}

#[test]
fn a_pass_is_never_forbidden() {
    // Every pass here repeats a position, under each rule.
    for ko in SUPERKOS {
        let mut game = game(SEND_TWO, Color::White, ko, Suicide::All);
        for mv in ["A1", "pass", "C1", "pass", "D3", "pass", "pass"] {
            let color = game.to_play();
            assert_eq!(game.check(color, Move::Pass), Ok(()), "{ko}");
            game.play(color, mv.parse().unwrap())
                .unwrap_or_else(|reason| panic!("{ko} {mv}: {reason}\n{}", game.board()));
        }
        assert_eq!(game.check(game.to_play(), Move::Pass), Err(IllegalMove::GameOver));
    }
}
