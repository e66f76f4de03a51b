//! How a game ends, is taken back, and answers what is not allowed.

use std::collections::HashSet;
use tengen::go::{
    Board, Color, End, Game, Handicap, IllegalMove, Ko, Komi, Move, Preset, Rules, Size, Vertex,
    default_max_plies,
};

use Color::{Black, White};

fn vertex(text: &str) -> Vertex {
    text.parse().unwrap()
}

fn play(text: &str) -> Move {
    text.parse().unwrap()
}

fn nine_by_nine() -> (Size, Rules) {
    let size = Size::square(9).unwrap();
    (size, Rules::new(Preset::Tengen, size, "7.5".parse().unwrap()))
}

/// All that a game holds, its memory of positions included.
fn image(game: &Game) -> String {
    format!("{game:?} {:?}", game.moves().collect::<Vec<_>>())
}

#[test]
fn two_passes_end_the_game() {
    let (size, rules) = nine_by_nine();
    let mut game = Game::new(size, rules);
    game.play(Black, play("E5")).unwrap();
    game.play(White, Move::Pass).unwrap();
    assert_eq!(game.end(), None);
    game.play(Black, play("D5")).unwrap();
    game.play(White, Move::Pass).unwrap();
    assert_eq!(game.end(), None, "a play lies between the passes");
    game.play(Black, Move::Pass).unwrap();
    assert_eq!(game.end(), Some(End::Passes));
    assert_eq!(game.ply(), 5);
    for mv in [Move::Pass, play("A1"), play("E5")] {
        for color in Color::BOTH {
            assert_eq!(game.play(color, mv), Err(IllegalMove::GameOver));
        }
    }
    assert!(game.legal_points().is_empty() && game.sensible_points().is_empty());
    assert_eq!(game.score().to_string(), "73.5");
    assert_eq!(game.score().winner(), Some(Black));
    game.undo();
    assert_eq!(game.end(), None);
    assert_eq!(game.legal_points().count(), 79);
}

#[test]
fn a_player_who_passes_twice_ends_nothing() {
    let (size, rules) = nine_by_nine();
    let mut game = Game::new(size, rules);
    game.play(Black, Move::Pass).unwrap();
    game.play(Black, Move::Pass).unwrap();
    assert_eq!(game.end(), None);
    game.play(White, Move::Pass).unwrap();
    assert_eq!(game.end(), Some(End::Passes));
}

#[test]
fn the_limit_of_plies_ends_the_game() {
    let (size, rules) = nine_by_nine();
    assert_eq!(rules.max_plies, 4 * 81 + 100);
    assert_eq!(default_max_plies(Size::new(2, 3).unwrap()), 124);
    let mut game = Game::new(size, Rules { max_plies: 3, ..rules });
    for mv in ["A1", "B1", "C1"] {
        assert_eq!(game.end(), None);
        game.play(game.to_play(), play(mv)).unwrap();
    }
    assert_eq!(game.end(), Some(End::Limit));
    assert_eq!(game.check(White, play("D1")), Err(IllegalMove::GameOver));
    assert_eq!(game.check(White, Move::Pass), Err(IllegalMove::GameOver));
    assert!(game.legal_points().is_empty());
    // Passes at the limit are passes.
    let mut game = Game::new(size, Rules { max_plies: 2, ..rules });
    game.play(Black, Move::Pass).unwrap();
    game.play(White, Move::Pass).unwrap();
    assert_eq!(game.end(), Some(End::Passes));
}

#[test]
fn either_player_may_play() {
    let (size, rules) = nine_by_nine();
    let mut game = Game::new(size, rules);
    for (color, mv) in [(White, "A1"), (White, "B1"), (Black, "B2"), (Black, "C1")] {
        assert_eq!(game.play(color, play(mv)), Ok(()));
        assert_eq!(game.to_play(), !color);
    }
    // Black plays a third time and takes two stones.
    assert_eq!(game.play(Black, play("A2")), Ok(()));
    assert_eq!(game.board().to_rows().rsplit('/').next(), Some("..X......"));
    let moves: Vec<_> = game.moves().map(|(color, mv)| format!("{color} {mv}")).collect();
    assert_eq!(moves, ["white A1", "white B1", "black B2", "black C1", "black A2"]);
    assert_eq!(game.undo(), Some((Black, play("A2"))));
    assert_eq!(game.to_play(), White);
    assert_eq!(game.board().at(vertex("B1")), Some(White));
}

#[test]
fn a_turn_of_the_other_player_lifts_the_simple_ko() {
    let start = Board::<6>::from_diagram(".XO./X.XO/.XO.", White).unwrap();
    let rules =
        Rules { ko: Ko::Simple, ..Rules::new(Preset::Simple, start.size(), Komi::default()) };
    let mut game = Game::from_position(start, rules);
    game.play(White, play("B2")).unwrap();
    assert_eq!(game.board().to_rows(), ".XO./XO.O/.XO.");
    assert_eq!(game.board().ko(), Some(vertex("C2")));
    assert_eq!(game.check(Black, play("C2")), Err(IllegalMove::Ko));
    // White may connect at once, though it was White's move already.
    assert_eq!(game.check(White, play("C2")), Ok(()));
    game.play(White, play("D1")).unwrap();
    assert_eq!(game.check(Black, play("C2")), Ok(()));
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

#[test]
fn each_refusal_has_its_own_name_and_changes_nothing() {
    let start = Board::<6>::from_diagram(".XO./X.XO/.XO.", White).unwrap();
    let rules = |preset| Rules::new(preset, start.size(), Komi::default());
    let mut texts = HashSet::new();
    let mut refuse = |game: &mut Game, color: Color, mv: Move, reason: IllegalMove| {
        let before = image(game);
        assert_eq!(game.check(color, mv), Err(reason));
        assert_eq!(game.play(color, mv), Err(reason));
        assert_eq!(image(game), before, "a refused move changed the game");
        texts.insert(reason.to_string());
    };
    let mut game = Game::from_position(start, rules(Preset::Simple));
    refuse(&mut game, White, Move::Play(Vertex::new(4, 0)), IllegalMove::OffBoard);
    refuse(&mut game, White, Move::Play(Vertex::new(0, 3)), IllegalMove::OffBoard);
    refuse(&mut game, White, play("B1"), IllegalMove::Occupied);
    refuse(&mut game, White, play("A1"), IllegalMove::Suicide);
    game.play(White, play("B2")).unwrap();
    refuse(&mut game, Black, play("C2"), IllegalMove::Ko);
    let mut game = Game::from_position(start, rules(Preset::Chinese));
    game.play(White, play("B2")).unwrap();
    refuse(&mut game, Black, play("C2"), IllegalMove::Superko);
    game.play(Black, Move::Pass).unwrap();
    game.play(White, Move::Pass).unwrap();
    refuse(&mut game, Black, play("D1"), IllegalMove::GameOver);
    assert_eq!(texts.len(), 6, "two reasons share a text: {texts:?}");
}

#[test]
fn undo_restores_everything() {
    let start = Board::<6>::from_diagram(".XO./X.XO/.XO.", White).unwrap();
    for preset in [Preset::Simple, Preset::Chinese, Preset::Aga, Preset::TrompTaylor] {
        let rules = Rules::new(preset, start.size(), Komi::default());
        let mut game = Game::from_position(start, rules);
        assert_eq!(game.undo(), None);
        let mut images = vec![image(&game)];
        // A ko, a pass, a play out of turn, a pass, and the ko taken back.
        let line = [(White, "B2"), (Black, "pass"), (White, "D1"), (White, "pass"), (Black, "C2")];
        for (color, mv) in line {
            game.play(color, play(mv)).unwrap_or_else(|e| panic!("{preset} {mv}: {e}"));
            images.push(image(&game));
        }
        for (color, mv) in line.into_iter().rev() {
            assert_eq!(image(&game), images.pop().unwrap(), "{preset}");
            assert_eq!(game.undo(), Some((color, play(mv))), "{preset}");
        }
        assert_eq!(image(&game), images.pop().unwrap());
        assert_eq!(game.undo(), None);
        assert_eq!(*game.board(), start);
        // What was taken back may be played again.
        assert_eq!(game.play(White, play("B2")), Ok(()));
    }
}
