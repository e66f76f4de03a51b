//! What we answer: games, handicaps, records with a past, and the bot's workers.

use crate::common::{Scratch, gtp, text};
use std::fs;
use std::io::Cursor;
use tengen::engine::Engine;
use tengen::go::Preset;
use tengen::gtp::Log;

fn engine(spec: &str, preset: Preset) -> Engine<'static> {
    Engine::new(spec.parse().unwrap(), 1, preset, None)
}

/// The answers to `lines`, which are no errors.
fn answers<const N: usize>(engine: &mut Engine<'_>, lines: [&str; N]) -> [String; N] {
    lines.map(|line| engine.answer(line).unwrap().result.unwrap_or_else(|e| panic!("{line}: {e}")))
}

/// The answers to `lines`, and what is noted beside them.
fn noted(lines: &str) -> (String, String) {
    let (mut output, mut notes) = (Vec::new(), Vec::new());
    let mut engine = engine("random", Preset::Tengen);
    let input = Cursor::new(lines.to_owned());
    engine.serve_logged(input, &mut output, &Log::default(), &mut notes).unwrap();
    (text(&output), text(&notes))
}

/// The answers to `lines`, one after the other.
fn dialogue(spec: &str, lines: &str) -> String {
    let mut output = Vec::new();
    engine(spec, Preset::Tengen).serve(Cursor::new(lines.to_owned()), &mut output).unwrap();
    text(&output)
}

#[test]
fn the_game_goes_on_after_two_passes() {
    let lines = "boardsize 5\nplay b C3\nplay w pass\nplay b pass\nplay w D3\nfinal_score\n\
                 play b pass\nplay w pass\ngenmove w\ngenmove w\nundo\nundo\nundo\nshowboard\n";
    let answers = dialogue("two-ply", lines);
    assert!(!answers.contains('?'), "{answers}");
    assert!(answers.contains("white to move, ply 5"), "{answers}");
}

#[test]
fn either_colour_may_be_asked_at_any_time() {
    let lines = "boardsize 5\ngenmove w\nreg_genmove w\ngenmove w\ngenmove b\nreg_genmove w\n\
                 play b pass\ngenmove b\nundo\ngenmove w\n";
    for spec in ["random", "two-ply", "uct:simulations=50,reuse=true"] {
        let answers = dialogue(spec, lines);
        assert!(!answers.contains('?'), "{spec}: {answers}");
    }
}

/// Dead stones, and points for handicap stones: GNU Go 3.8 with `--chinese-rules` answers
/// B+76.5 to the second.
#[test]
fn a_score_is_that_of_the_rules() {
    let [dead, four] = ["gogui-setup b A2 b B1 b B2 b B3 w C2", "fixed_handicap 4"];
    let (given, two) = ("place_free_handicap 4", "set_free_handicap C3 G7");
    for (size, setup, scores) in [
        (3, dead, ["B+8.5", "B+8.5", "B+8.5", "B+4.5", "B+4.5", "B+4.5"]),
        (9, four, ["B+76.5", "B+77.5", "B+80.5", "B+80.5", "B+80.5", "B+80.5"]),
        (9, given, ["B+76.5", "B+77.5", "B+80.5", "B+80.5", "B+80.5", "B+80.5"]),
        (9, two, ["B+78.5", "B+79.5", "B+80.5", "B+80.5", "B+80.5", "B+80.5"]),
    ] {
        use Preset::{Aga, Chinese, NewZealand, Simple, Tengen, TrompTaylor};
        let presets = [Chinese, Aga, NewZealand, Tengen, TrompTaylor, Simple];
        for (preset, expected) in presets.into_iter().zip(scores) {
            let boardsize = format!("boardsize {size}");
            let lines = [&*boardsize, "komi 0.5", setup, "final_score"];
            let [.., score] = answers(&mut engine("random", preset), lines);
            assert_eq!(score, expected, "{setup}, {preset}");
        }
    }
}

#[test]
fn the_seed_decides() {
    let lines = "boardsize 9\ngenmove b\ngenmove w\ngenmove b\nclear_board\ngenmove b\ngenmove w\n\
                 genmove b\nset_random_seed 1\nclear_board\ngenmove b\ngenmove w\ngenmove b\n";
    let answers: Vec<String> = dialogue("random", lines).split("\n\n").map(str::to_owned).collect();
    assert_eq!(answers[1..4], answers[10..13]);
    assert_ne!(answers[1..4], answers[5..8]);
}

/// Workers come with a clock and go with it, unless the bot has several of its own.
#[test]
fn searches_by_the_clock_have_workers() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let config = "uct:simulations=50".parse().unwrap();
    let engine = Engine::new(config, 1, Preset::Tengen, Some(&pool)).with_threads(3);
    let lines = "boardsize 5\ntengen-bot\ngenmove b\ntime_settings 0 1 10\ntengen-bot\ngenmove w\n\
                 lz-genmove_analyze b\ntime_settings 0 1 0\ntengen-bot\ngenmove w\n\
                 kgs-time_settings absolute 9\ntengen-set workers 2\ntengen-bot\ngenmove b\n";
    let mut output = Vec::new();
    { engine }.serve(Cursor::new(lines.to_owned()), &mut output).unwrap();
    let said = text(&output);
    assert!(!said.contains('?'), "{said}");
    let bots: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("= uct:")).collect();
    let alone = "simulations=50";
    let [by_clock, own] =
        ["max_nodes=5592405,simulations=50,workers=3", "simulations=50,workers=2"];
    assert_eq!(bots, [alone, by_clock, alone, own], "{said}");
}

/// The threads of the program are the workers, unless the bot has several of its own.
#[test]
fn threads_are_workers_where_the_clock_ends_searches() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(2);
    let nodes = if cores == 2 { "max_nodes=8388608," } else { "" };
    let workers = if cores == 2 { ",workers=2" } else { "" };
    let several = format!("uct:{nodes}seconds=0.1{workers}");
    for (options, said) in [
        ("--threads 2 --bot uct:seconds=0.1", several.as_str()),
        ("--threads 2 --bot uct:seconds=0.1,workers=3", "uct:seconds=0.1,workers=3"),
        ("--threads 2 --bot uct:simulations=9,seconds=0.1", "uct:seconds=0.1,simulations=9"),
    ] {
        let lines = "boardsize 5\ngenmove b\ntengen-bot\n";
        let answers = text(&gtp(options, lines).stdout);
        assert!(answers.ends_with(&format!("= {said}\n\n")), "{answers}");
    }
}

#[test]
fn commands_before_the_end_of_the_input_are_answered() {
    let answers = gtp("--bot uct:seconds=1", "boardsize 5\ngenmove b\n1 name");
    let answers = text(&answers.stdout);
    assert_eq!(answers.matches("\n\n").count(), 3, "{answers}");
    assert!(answers.ends_with("=1 Tengen\n\n"), "{answers}");
}

#[test]
fn komi_and_compensation_are_two_things() {
    let mut engine = engine("random", Preset::Chinese);
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

/// Komi that the file does not have is that of the engine, on the board of the file.
#[test]
fn a_record_without_komi_leaves_that_of_the_engine() {
    let folder = Scratch::new();
    let load = |name: &str, record: &str| {
        let file = folder.join(name);
        fs::write(&file, record).unwrap();
        format!("loadsgf {}", file.display())
    };
    let none = load("none.sgf", "(;SZ[5];B[cc])");
    let empty = load("empty.sgf", "(;SZ[5]KM[];B[cc])");
    let handicap = load("handicap.sgf", "(;SZ[9]HA[2]AB[cc][gg])");
    let odd = load("odd.sgf", "(;SZ[5]KM[six];B[cc])");
    let own = load("own.sgf", "(;SZ[5]KM[0];B[cc])");
    let lines = [
        // The default of a board of 5x5, not that of the board before it.
        (&*none, "ply 1, komi 2.5, tengen rules"),
        (&empty, "ply 1, komi 2.5, tengen rules"),
        (&odd, "ply 1, komi 2.5, tengen rules"),
        ("komi 6.5", "ply 1, komi 6.5, tengen rules"),
        (&none, "ply 1, komi 6.5, tengen rules"),
        (&handicap, "ply 0, komi 6.5, handicap 2 (0 points to White), tengen rules"),
        ("kata-set-rules chinese", "komi 6.5, handicap 2 (2 points to White), chinese rules"),
        (&handicap, "ply 0, komi 6.5, handicap 2 (2 points to White), chinese rules"),
        (&own, "ply 1, komi 0, chinese rules"),
        (&none, "ply 1, komi 0, chinese rules"),
        ("clear_board", "ply 0, komi 0, chinese rules"),
    ];
    let all: Vec<&str> = lines.iter().flat_map(|(line, _)| [line, "showboard"]).collect();
    let (output, notes) = noted(&(all.join("\n") + "\nquit\n"));
    let answers: Vec<&str> = output.split("\n\n").map(str::trim_end).collect();
    for ((line, expected), answer) in lines.iter().zip(answers.iter().skip(1).step_by(2)) {
        assert!(answer.ends_with(expected), "{line}: {answer}");
    }
    assert_eq!(notes.lines().count(), 1, "{notes}");
    assert!(notes.contains("invalid komi KM[six]") && notes.contains("komi is that of the engine"));
}

/// White took back a ko at once; superko forbids Black to take it again.
#[test]
fn what_is_past_is_loaded_and_what_comes_is_held_to_the_rules() {
    let folder = Scratch::new();
    let file = folder.join("a b.sgf");
    let record = "(;SZ[4]KM[7.25]HA[0]AB[ba][ab][bc]AW[ca][cc][db][bb];B[cb];W[bb])";
    fs::write(&file, record).unwrap();
    let lines = format!(
        "loadsgf {}\nis_legal b C3\nis_legal b D1\nundo\nshowboard\nkomi 5.25\nkomi nan\nquit\n",
        file.display()
    );
    let (output, notes) = noted(&lines);
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
