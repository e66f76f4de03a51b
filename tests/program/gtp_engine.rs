//! What we answer.

use proptest::prelude::*;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tengen::engine::Engine;
use tengen::go::Preset;
use tengen::gtp::Log;

fn engine(spec: &str) -> Engine<'static> {
    Engine::new(spec.parse().unwrap(), 1, Preset::Tengen, None)
}

/// The answers to `lines`, one after the other.
fn dialogue(spec: &str, lines: &str) -> String {
    let mut output = Vec::new();
    engine(spec).serve(Cursor::new(lines.to_owned()), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn answers_as_the_standard_says() {
    let lines = "1 protocol_version\n\n# a comment\nname\n2 known_command play # yes\n\
                 3 known_command fly\n4 fly\nboardsize 3\nkomi 0.5\nplay b B2\n5 final_score\n\
                 play w c4\nplay w b2\nplay\nplay x a1\nkomi much\nboardsize 20\nboardsize x\n\
                 6 undo\n7 undo\nfinal_score\n8 quit\nname\n";
    let expected = "=1 2\n\n= Tengen\n\n=2 true\n\n=3 false\n\n?4 unknown command\n\n=\n\n=\n\n=\n\n\
                    =5 B+8.5\n\n? illegal move\n\n\
                    ? illegal move\n\n? syntax error\n\n? syntax error\n\n\
                    ? syntax error\n\n? unacceptable size\n\n? syntax error\n\n=6\n\n?7 cannot undo\n\n\
                    = W+0.5\n\n=8\n\n";
    assert_eq!(dialogue("random", lines), expected);
}

#[test]
fn lists_what_it_knows() {
    let mut engine = engine("random");
    let listed = engine.answer("list_commands").unwrap().result.unwrap();
    for command in listed.lines().filter(|&command| command != "quit") {
        let answer = engine.answer(command).unwrap().result;
        assert_ne!(answer, Err("unknown command".to_owned()), "{command}");
        let known = engine.answer(&format!("known_command {command}")).unwrap().result;
        assert_eq!(known, Ok("true".to_owned()));
    }
    for needed in ["play", "genmove", "undo", "final_score", "rectangular_boardsize"] {
        assert!(listed.lines().any(|command| command == needed), "{needed}");
    }
}

#[test]
fn boards_need_not_be_square() {
    let shown = dialogue("random", "rectangular_boardsize 4 2\nplay w D1\nshowboard\n");
    assert!(shown.contains("= \n 2 . . . .\n 1 . . . O\n   A B C D\nblack to move"), "{shown}");
    assert_eq!(dialogue("random", "boardsize 4 2\nplay b D2\nplay b D3\n").matches('?').count(), 1);
}

#[test]
fn superko_is_kept() {
    // Send two, return one on 1x4.
    let lines = "boardsize 4 1\nplay b A1\nplay w B1\nplay b C1\nplay w D1\nplay b pass\n\
                 play w B1\nplay b C1\n";
    let (mut output, mut notes) = (Vec::new(), Vec::new());
    let input = Cursor::new(lines.to_owned());
    engine("random").serve_logged(input, &mut output, &Log::default(), &mut notes).unwrap();
    assert!(String::from_utf8(output).unwrap().contains("? illegal move\n\n"));
    let notes = String::from_utf8(notes).unwrap();
    assert!(notes.ends_with("play: C1: the move repeats an earlier position\n"), "{notes}");
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
    for spec in ["random", "two-ply", "uct:playouts=50,reuse=true"] {
        let answers = dialogue(spec, lines);
        assert!(!answers.contains('?'), "{spec}: {answers}");
    }
}

#[test]
fn dead_stones_count_as_the_rules_say() {
    let score = |rules| {
        let mut engine = Engine::new("random".parse().unwrap(), 1, rules, None);
        for line in ["boardsize 3", "komi 0.5", "gogui-setup b A2 b B1 b B2 b B3 w C2"] {
            assert!(engine.answer(line).unwrap().result.is_ok(), "{line}");
        }
        engine.answer("final_score").unwrap().result.unwrap()
    };
    for rules in [Preset::Chinese, Preset::Aga, Preset::NewZealand] {
        assert_eq!(score(rules), "B+8.5", "{rules}");
    }
    for rules in [Preset::Tengen, Preset::TrompTaylor, Preset::Simple] {
        assert_eq!(score(rules), "B+4.5", "{rules}");
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

#[test]
fn a_line_is_one_line_however_long() {
    let spaces = " ".repeat(70_000);
    let long = "x ".repeat(70_000);
    let error = "line too long: more than 65536 bytes";
    for (lines, answers) in [
        (format!("# {spaces}quit\n1 name"), "=1 Tengen\n\n".to_owned()),
        (format!("1 name # {spaces}quit\n2 name"), "=1 Tengen\n\n=2 Tengen\n\n".into()),
        (format!("1{spaces}name{spaces}\n"), "=1 Tengen\n\n".into()),
        (format!("{long} quit\n1 name"), format!("? {error}\n\n=1 Tengen\n\n")),
        (format!("7 {long}# quit\n1 name"), format!("?7 {error}\n\n=1 Tengen\n\n")),
        (long.clone(), format!("? {error}\n\n")),
    ] {
        assert_eq!(dialogue("random", &lines), answers, "{}", &lines[..9]);
    }
}

/// Workers come with a clock and go with it, until the client sets them.
#[test]
fn searches_by_the_clock_have_workers() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let config = "uct:playouts=50".parse().unwrap();
    let engine = Engine::new(config, 1, Preset::Tengen, Some(&pool)).with_workers_by_clock(3);
    let lines = "boardsize 5\ntengen-bot\ngenmove b\ntime_settings 0 1 10\ntengen-bot\ngenmove w\n\
                 lz-genmove_analyze b\ntime_settings 0 1 0\ntengen-bot\ngenmove w\n\
                 kgs-time_settings absolute 9\ntengen-set workers 1\ntengen-bot\ngenmove b\n";
    let mut output = Vec::new();
    { engine }.serve(Cursor::new(lines.to_owned()), &mut output).unwrap();
    let said = String::from_utf8(output).unwrap();
    assert!(!said.contains('?'), "{said}");
    let bots: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("= uct:")).collect();
    let alone = "playouts=50";
    assert_eq!(bots, [alone, "max_nodes=5592405,playouts=50,workers=3", alone, alone], "{said}");
}

/// The threads of the program are the workers, unless the bot says how many.
#[test]
fn threads_are_workers_where_the_clock_ends_searches() {
    let several = match std::thread::available_parallelism() {
        Ok(cores) if cores.get() > 1 => "uct:in_flight=16,max_nodes=8388608,seconds=0.1,workers=2",
        _ => "uct:in_flight=16,seconds=0.1",
    };
    for (bot, said) in [
        ("uct:seconds=0.1", several),
        ("uct:seconds=0.1,workers=1", "uct:in_flight=16,seconds=0.1"),
        ("uct:playouts=9,seconds=0.1", "uct:in_flight=16,playouts=9,seconds=0.1"),
    ] {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["gtp", "--threads", "2", "--bot", bot])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = engine.stdin.take().unwrap();
        input.write_all(b"boardsize 5\ngenmove b\ntengen-bot\n").unwrap();
        drop(input);
        let answers = String::from_utf8(engine.wait_with_output().unwrap().stdout).unwrap();
        assert!(answers.ends_with(&format!("= {said}\n\n")), "{answers}");
    }
}

fn tengen(bot: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["gtp", "--bot", bot])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn commands_before_the_end_of_the_input_are_answered() {
    let mut engine = tengen("uct:seconds=1");
    let mut input = engine.stdin.take().unwrap();
    input.write_all(b"boardsize 5\ngenmove b\n1 name").unwrap();
    drop(input);
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.matches("\n\n").count(), 3, "{answers}");
    assert!(answers.ends_with("=1 Tengen\n\n"), "{answers}");
}

#[cfg(unix)]
#[test]
fn a_search_that_nobody_waits_for_ends() {
    for closes_input in [true, false] {
        let mut engine = tengen("uct:seconds=60");
        let mut input = engine.stdin.take().unwrap();
        let mut output = BufReader::new(engine.stdout.take().unwrap());
        input.write_all(b"boardsize 5\ngenmove b\n").unwrap();
        output.read_line(&mut String::new()).unwrap();
        drop(output);
        let input = Some(input).filter(|_| !closes_input);
        let began = Instant::now();
        let status = engine.wait().unwrap();
        assert!(began.elapsed() < Duration::from_secs(20), "input closed: {closes_input}");
        assert_eq!(status.code(), Some(0));
        drop(input);
    }
}

fn any_line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => proptest::sample::select(vec![
            "play", "genmove", "reg_genmove", "undo", "boardsize", "rectangular_boardsize", "komi",
            "clear_board", "showboard", "final_score", "time_left", "time_settings",
            "known_command", "set_random_seed",
        ]).prop_map(str::to_owned),
        6 => proptest::sample::select(vec![
            "b", "w", "black", "White", "pass", "A1", "b2", "C3", "a4", "T19", "I5", "0", "1", "3",
            "4", "-1", "7.5", "99999999999999999999", "resign", "#", "nan", "=", "?",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
        1 => any::<String>(),
    ];
    proptest::collection::vec(word, 0..5).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn nonsense_is_answered(lines in proptest::collection::vec(any_line(), 0..60)) {
        let mut engine = engine("random");
        engine.answer("boardsize 3");
        for line in lines {
            if let Some(answer) = engine.answer(&line) {
                let text = answer.to_string();
                prop_assert!(text.starts_with(['=', '?']) && text.ends_with("\n\n"), "{}", text);
            }
        }
        prop_assert!(engine.answer("showboard").unwrap().result.is_ok());
    }

    #[test]
    fn games_are_played(colors in proptest::collection::vec(any::<bool>(), 0..40)) {
        let mut engine = engine("uct:playouts=5,reuse=true");
        engine.answer("boardsize 3");
        for black in colors {
            let line = if black { "genmove b" } else { "genmove w" };
            prop_assert!(engine.answer(line).unwrap().result.is_ok());
        }
    }
}
