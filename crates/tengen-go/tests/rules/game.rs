//! How a game ends, is taken back, and answers what is not allowed.

use tengen_go::{
    Board, Color, End, Game, Handicap, IllegalMove, Komi, Move, Preset, Rules, Size, Vertex,
    default_max_plies,
};

use Color::{Black, White};

fn vertex(text: &str) -> Vertex {
    text.parse().unwrap()
}

fn play(text: &str) -> Move {
    text.parse().unwrap()
}

/// A game ends by a pass that follows a pass of the other player, or at the limit.
#[test]
fn games_end() {
    let size = Size::square(9).unwrap();
    let rules = Rules::new(Preset::Tengen, size, "7.5".parse().unwrap());
    assert_eq!((rules.max_plies, default_max_plies("2x3".parse().unwrap())), (424, 124));
    let ended = |max_plies, moves: &[(Color, &str)]| {
        let mut game = Game::new(size, Rules { max_plies, ..rules });
        for &(color, mv) in moves {
            assert_eq!(game.end(), None);
            game.play(color, play(mv)).unwrap();
        }
        game
    };
    let passed = [(Black, "E5"), (White, "pass"), (Black, "D5"), (White, "pass"), (Black, "pass")];
    let twice = [(Black, "pass"), (Black, "pass"), (White, "pass")];
    let limit = [(Black, "A1"), (White, "B1"), (Black, "C1")];
    for (most, moves, end) in [
        (424, &passed[..], End::Passes),
        (424, &twice, End::Passes),
        (3, &limit, End::Limit),
        // Passes at the limit are passes.
        (2, &twice[1..], End::Passes),
    ] {
        let mut game = ended(most, moves);
        assert_eq!(game.end(), Some(end), "{moves:?}");
        for (color, mv) in [(Black, "pass"), (White, "pass"), (Black, "A9"), (White, "E5")] {
            assert_eq!(game.play(color, play(mv)), Err(IllegalMove::GameOver));
        }
        assert!(game.legal_points().is_empty() && game.sensible_points().is_empty());
        game.undo();
        assert_eq!(game.end(), None);
    }
    let score = ended(424, &passed).score();
    assert_eq!((score.to_string().as_str(), score.winner()), ("73.5", Some(Black)));
}

#[test]
fn what_is_past_may_break_ko_and_suicide() {
    let start = Board::<6>::from_diagram(".XO./X.XO/.XO.", White).unwrap();
    for (preset, broken) in
        [(Preset::Tengen, IllegalMove::Superko), (Preset::Simple, IllegalMove::Ko)]
    {
        let rules = Rules::new(preset, start.size(), Komi::default());
        let mut game = Game::from_position(start, rules);
        assert_eq!(game.play_past(White, play("B2")), Ok(None));
        assert_eq!(game.play_past(Black, play("C2")), Ok(Some(broken)));
        assert_eq!(game.board().to_rows(), start.to_rows());
        // What comes is held to the rules, and `undo` takes the move back.
        assert_eq!(game.check(White, play("B2")), Err(broken));
        let mut undone = game.clone();
        assert_eq!(undone.undo(), Some((Black, play("C2"))));
        assert_eq!(undone.check(Black, play("C2")), Err(broken));
        // Passes do not end what went on; a stone, and what is no point, still hinder it.
        for color in [White, Black] {
            assert_eq!(game.play_past(color, Move::Pass), Ok(None));
        }
        assert_eq!(game.play_past(White, play("A1")), Ok(Some(IllegalMove::Suicide)));
        assert_eq!(game.board().at(vertex("A1")), None);
        assert_eq!(game.play_past(Black, play("A1")), Ok(None));
        assert_eq!(game.play_past(White, play("A1")), Err(IllegalMove::Occupied));
        assert_eq!(game.play_past(White, play("T1")), Err(IllegalMove::OffBoard));
        game.board().assert_valid();
    }
}

#[test]
fn compensation_for_handicap_stones_is_no_komi() {
    let start = Board::<6>::from_diagram("X../.../..X", White).unwrap();
    let rules = Rules::new(Preset::Chinese, start.size(), "0.5".parse().unwrap());
    let game = Game::from_position(start, rules).with_handicap(Preset::Chinese.handicap(2));
    assert_eq!(game.komi().to_string(), "0.5");
    assert_eq!(game.conditions(), "komi 0.5, handicap 2 (2 points to White)");
    assert_eq!(
        (game.score().to_result().as_str(), game.preset()),
        ("B+6.5", Some(Preset::Chinese))
    );
    // Another komi is another komi alone, and another compensation is instead of this one.
    let game = game.with_komi("7.5".parse().unwrap());
    assert_eq!((game.komi().to_string(), game.score().to_result()), ("7.5".into(), "W+0.5".into()));
    let game = game.with_handicap(Preset::Aga.handicap(2));
    assert_eq!((game.komi().to_string(), game.score().to_result()), ("7.5".into(), "B+0.5".into()));
    assert_eq!(game.preset(), None);
    let game = game.with_handicap(Handicap::default());
    assert_eq!((game.conditions(), game.score().to_result()), ("komi 7.5".into(), "B+1.5".into()));
}
