//! Handicaps, and records with a past, over GTP.

use crate::common::text;
use std::fs;
use std::io::Cursor;
use tengen::engine::Engine;
use tengen::go::Preset;
use tengen::gtp::Log;

fn engine(preset: Preset) -> Engine<'static> {
    Engine::new("random".parse().unwrap(), 1, preset, None)
}

/// The answers to `lines`, which are no errors.
fn answers<const N: usize>(engine: &mut Engine<'_>, lines: [&str; N]) -> [String; N] {
    lines.map(|line| engine.answer(line).unwrap().result.unwrap_or_else(|e| panic!("{line}: {e}")))
}

/// GNU Go 3.8 with `--chinese-rules` answers B+76.5 to the first.
#[test]
fn handicap_stones_are_compensated() {
    let points = |preset, handicap: &str| {
        let mut engine = engine(preset);
        let [.., score] =
            answers(&mut engine, ["boardsize 9", "komi 0.5", handicap, "final_score"]);
        score
    };
    for (preset, four, two) in [
        (Preset::Chinese, "B+76.5", "B+78.5"),
        (Preset::Aga, "B+77.5", "B+79.5"),
        (Preset::NewZealand, "B+80.5", "B+80.5"),
        (Preset::Tengen, "B+80.5", "B+80.5"),
        (Preset::TrompTaylor, "B+80.5", "B+80.5"),
    ] {
        assert_eq!(points(preset, "fixed_handicap 4"), four, "{preset}");
        assert_eq!(points(preset, "place_free_handicap 4"), four, "{preset}");
        assert_eq!(points(preset, "set_free_handicap C3 G7"), two, "{preset}");
    }
}

#[test]
fn komi_and_compensation_are_two_things() {
    let mut engine = engine(Preset::Chinese);
    let [.., shown, score] = answers(
        &mut engine,
        ["boardsize 9", "fixed_handicap 3", "komi 6.5", "showboard", "final_score"],
    );
    let conditions =
        "white to move, ply 0, komi 6.5, handicap 3 (3 points to White), chinese rules";
    assert!(shown.ends_with(conditions), "{shown}");
    assert_eq!(score, "B+71.5");
    // The next game is an even one.
    let [.., shown, score] =
        answers(&mut engine, ["clear_board", "play b E5", "showboard", "final_score"]);
    assert!(shown.ends_with("ply 1, komi 6.5, chinese rules"), "{shown}");
    assert_eq!(score, "B+74.5");
}

/// White took back a ko at once; superko forbids Black to take it again.
#[test]
fn what_is_past_is_loaded_and_what_comes_is_held_to_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a b.sgf");
    let record = "(;SZ[4]KM[7.25]HA[0]AB[ba][ab][bc]AW[ca][cc][db][bb];B[cb];W[bb])";
    fs::write(&file, record).unwrap();
    let lines = format!(
        "loadsgf {}\nis_legal b C3\nis_legal b D1\nundo\nshowboard\nkomi 5.25\nkomi nan\nquit\n",
        file.display()
    );
    let (mut output, mut notes) = (Vec::new(), Vec::new());
    let mut engine = engine(Preset::Tengen);
    engine.serve_logged(Cursor::new(lines), &mut output, &Log::default(), &mut notes).unwrap();
    let (output, notes) = (text(&output), text(&notes));
    let answers: Vec<&str> = output.split("\n\n").map(str::trim_end).collect();
    assert_eq!(answers[..4], ["=", "= 0", "= 1", "="], "{output}");
    assert!(answers[4].ends_with("white to move, ply 1, komi 7.5, tengen rules"), "{output}");
    assert_eq!(answers[5..7], ["=", "? syntax error"], "{output}");
    let expected = [
        "KM[7.25] is read as 7.5, by which the same player wins",
        "move 2: white B3: the move repeats an earlier position; a record's moves are played",
        "komi: 5.25 is taken as 5.5, by which the same player wins",
        "invalid komi `nan`: expected a number from -1000 to 1000",
    ];
    assert_eq!(notes.lines().count(), expected.len(), "{notes}");
    for (line, part) in notes.lines().zip(expected) {
        assert!(line.contains(part), "{line}");
    }
}

#[test]
fn a_handicap_game_is_loaded_with_its_compensation() {
    let folder = tempfile::tempdir().unwrap();
    let load = |preset, record: &str| {
        let file = folder.path().join("a.sgf");
        fs::write(&file, record).unwrap();
        let mut engine = engine(preset);
        let load = format!("loadsgf {}", file.display());
        let [_, shown] = answers(&mut engine, [load.as_str(), "showboard"]);
        shown.lines().last().unwrap().to_owned()
    };
    // The rules are those of the engine, and so is the compensation.
    let record = "(;SZ[9]KM[0.5]RU[AGA]HA[2]AB[cg][gc])";
    assert_eq!(
        load(Preset::Chinese, record),
        "white to move, ply 0, komi 0.5, handicap 2 (2 points to White), chinese rules"
    );
    assert!(load(Preset::Aga, record).contains("(1 point to White)"));
    // A position of GNU Go's suites: HA[0] is no handicap.
    let even = "(;GM[1]FF[4]SZ[9]HA[0]KM[0.5]AB[cg][gc]AW[cc][gg])";
    assert_eq!(load(Preset::Chinese, even), "black to move, ply 0, komi 0.5, chinese rules");
}
