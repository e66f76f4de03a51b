//! What is fuzzed: each target takes any bytes, and panics where the program is
//! wrong. `fuzz/fuzz_targets` runs them under libFuzzer, tests/program/parsers.rs
//! with changed files of the corpus.

use std::io::Cursor;
use tengen::bots::{BotConfig, NamedBot, RandomConfig};
use tengen::engine::Engine;
use tengen::go::{Komi, Preset, Score, Size};
use tengen::gtp::protocol::{Answer, Command};
use tengen::sgf::{Overrides, Record, Variation, charset, charset_without_statistics, decode};
use tengen::sgf::{parse, parse_bytes, replay, variations};
use tengen::tournament::Tournament;

/// Records: what was read can be written, and is then the same tree.
pub fn sgf(bytes: &[u8]) {
    let text = decode(bytes);
    let trees = parse_bytes(bytes);
    assert_eq!(trees.as_ref().map(Vec::len), parse(&text).as_ref().map(Vec::len));
    for charset in [charset(bytes), charset_without_statistics(bytes)] {
        assert!(charset.end <= bytes.len(), "{charset:?}");
    }
    for tree in trees.iter().flatten() {
        let _ = replay(tree, Overrides::default(), None);
        let again = parse(&tree.to_string()).expect("what was written is SGF");
        assert_eq!(again.len(), 1, "{tree}");
        assert_eq!(again[0].to_string(), tree.to_string());
        if let Ok(record) = Record::of_tree(tree, Overrides::default()) {
            let start = record.game.position_at(0).unwrap_or(record.game.board());
            let (positions, _) = variations(tree, start, 300);
            let written = record.to_sgf_with(&positions);
            let again = parse(&written).expect("what was written is SGF");
            let moves = |one: &Variation| (one.parent, one.mv, one.marks.len());
            let (same, _) = variations(&again[0], start, 300);
            assert!(same.iter().map(moves).eq(positions.iter().map(moves)), "{written}");
            // What is no position is written too.
            assert_eq!(record.to_sgf_with(&same), written);
        }
    }
    if let Ok(record) = Record::read(&text, Overrides::default()) {
        let again = Record::read(&record.to_sgf(), Overrides::default());
        assert!(again.is_ok_and(|again| again.game.moves().eq(record.game.moves())), "{text}");
    }
}

/// Lines of GTP: each command has one answer, which ends where it ends, and the
/// engine goes on. Settings of the bot, by which a move may take any time, and files
/// are left out.
pub fn gtp(bytes: &[u8]) {
    let mut input = b"boardsize 5\n".to_vec();
    for line in bytes.split(|&byte| byte == b'\n').take(40) {
        let text = String::from_utf8_lossy(line);
        let is_long = ["tengen-set", "loadsgf", "printsgf", "boardsize"]
            .iter()
            .any(|name| text.contains(name));
        if !is_long {
            input.extend_from_slice(line);
            input.push(b'\n');
        }
    }
    let commands = input
        .split(|&byte| byte == b'\n')
        .filter_map(|line| Command::read(&String::from_utf8_lossy(line)))
        .map(|command| command.name)
        .collect::<Vec<_>>();
    let mut output = Vec::new();
    let mut engine = Engine::new(BotConfig::from(RandomConfig::default()), 1, Preset::Tengen, None);
    engine.serve(Cursor::new(input), &mut output).expect("memory does not fail");
    let output = String::from_utf8(output).expect("answers are UTF-8");
    let answers: Vec<&str> = output.split_terminator("\n\n").collect();
    assert!(answers.iter().all(|answer| Answer::begins(answer)), "{output}");
    if engine.has_ended() {
        assert!(answers.len() <= commands.len(), "{output}");
    } else {
        assert_eq!(answers.len(), commands.len(), "{commands:?}: {output}");
        assert!(engine.answer("showboard").is_some_and(|answer| answer.result.is_ok()));
    }
}

/// Settings of tournaments and bots as text: what is read is written and read again
/// as the same, and a fault is one line.
pub fn config(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<NamedBot>() {
        Ok(bot) => assert_eq!(bot.config.to_string().parse().as_ref(), Ok(&bot.config)),
        Err(fault) => assert!(text.contains('\n') || !fault.to_string().contains('\n'), "{fault}"),
    }
    let _ = text.parse::<Size>().map(|size| assert_eq!(size.to_string().parse(), Ok(size)));
    let _ = text.parse::<Komi>().map(|komi| assert_eq!(komi.to_string().parse(), Ok(komi)));
    let _ = Score::from_result(&text);
    let _ = toml::from_str::<NamedBot>(&text);
    match text.parse::<Tournament>() {
        Ok(tournament) => {
            let text = toml::to_string(&tournament).expect("every setting has a form in TOML");
            assert_eq!(text.parse().as_ref(), Ok(&tournament));
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
}
