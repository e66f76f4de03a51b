//! Every command in right and in wrong use, and its answer word for word.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;
use tengen::engine::Engine;
use tengen::go::Preset;

const BOT: &str = "uct:simulations=60";

/// The commands of the file, each with the lines that are expected.
fn dialogue() -> Vec<(String, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gtp_dialogue.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut dialogue: Vec<(String, Vec<String>)> = Vec::new();
    let is_blank = |line: &&str| line.is_empty() || line.starts_with('#');
    for line in text.lines().filter(|line| !is_blank(line)) {
        match (line.strip_prefix("> "), dialogue.last_mut()) {
            (Some(command), _) => dialogue.push((command.to_owned(), Vec::new())),
            (None, Some((_, expected))) => expected.push(line.to_owned()),
            (None, None) => panic!("`{line}` is no command"),
        }
    }
    assert!(dialogue.len() > 200, "{} commands", dialogue.len());
    dialogue
}

/// Whether `text` is `pattern`, in which `*` is any text.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = text.strip_prefix(parts.next().unwrap()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    let mut rest = rest;
    for part in middle {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}

#[test]
fn every_answer_is_word_for_word() {
    let mut engine = Engine::new(BOT.parse().unwrap(), 1, Preset::Tengen, None);
    for (command, expected) in dialogue() {
        let answer = engine.answer(&command).unwrap().to_string();
        assert!(answer.ends_with("\n\n") && !answer.trim_end().contains("\n\n"), "{answer:?}");
        // A result that begins with a line end leaves a space behind `=`.
        let lines: Vec<&str> = answer.trim_end().lines().map(str::trim_end).collect();
        let has_more = expected.last().is_some_and(|line| line == "**");
        let expected = &expected[..expected.len() - usize::from(has_more)];
        let fits = (lines.len() == expected.len() || has_more && lines.len() > expected.len())
            && expected.iter().zip(&lines).all(|(pattern, line)| matches(pattern, line));
        assert!(fits, "{command}:\n{answer}\nand not\n{}", expected.join("\n"));
    }
    assert!(engine.has_ended());
}

/// No command is left out, and each is used rightly and wrongly.
#[test]
fn every_command_is_in_the_dialogue() {
    let mut engine = Engine::new(BOT.parse().unwrap(), 1, Preset::Tengen, None);
    let listed = engine.answer("list_commands").unwrap().result.unwrap();
    let dialogue = dialogue();
    let used = |mark: char| -> BTreeSet<&str> {
        let of_mark = dialogue.iter().filter(|(_, expected)| expected[0].starts_with(mark));
        of_mark
            .flat_map(|(command, _)| command.split_whitespace().take(2))
            .filter(|word| word.parse::<u32>().is_err())
            .collect()
    };
    let (right, wrong) = (used('='), used('?'));
    for command in listed.lines() {
        assert!(right.contains(command), "{command} is not used");
        // What takes no arguments and changes nothing has little to be wrong.
        let takes_nothing = ["name", "protocol_version", "stop", "gogui-interrupt", "gogui-title"];
        let is_rule = command.starts_with("gogui-rules_");
        let is_plain = takes_nothing.contains(&command) || is_rule;
        let is_view = ["tengen-stats", "tengen-ownership"].contains(&command);
        assert!(wrong.contains(command) || is_plain || is_view, "{command} is not misused");
    }
}

/// The same through input and output: a line that is too long, bytes that are no text, line ends of any
/// kind, and nothing after the end.
#[test]
fn lines_of_any_kind() {
    let long = "x".repeat(1 << 20);
    for (lines, expected) in [
        ("1 name\r\n2 name".into(), "=1 Tengen\n\n=2 Tengen\n\n"),
        ("\n\n  \n\t\n# nothing\nknown_command\tname\n".into(), "= true\n\n"),
        (
            format!("play b {long}\n5 name # {long}\n").into_bytes(),
            "? line too long: more than 65536 bytes\n\n=5 Tengen\n\n",
        ),
        (b"\xff\xfe\n3 name\n".to_vec(), "? unknown command\n\n=3 Tengen\n\n"),
        ("quit\nname\n".into(), "=\n\n"),
    ] {
        let mut output = Vec::new();
        let mut engine = Engine::new("random".parse().unwrap(), 1, Preset::Tengen, None);
        let begin = lines[..lines.len().min(40)].to_vec();
        engine.serve(Cursor::new(lines), &mut output).unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), expected, "{}", begin.escape_ascii());
    }
}
