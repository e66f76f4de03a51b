//! What the programs refuse, in one line that names it: `tests/data/refusals.txt`.

use crate::common::{
    Scratch, TENGEN, TOURNAMENT, command, fault, in_repository, names, printed, program, read,
    run_shell, text,
};
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

/// Words of serde and of Rust that say nothing to a user.
const RIDDLES: [&str; 8] =
    ["untagged", "u64", "i128", "u16", "f64", "usize", "struct", "there are no fields"];

/// Settings of `convergence`.
const TINY: &str = "name = 'tiny'\npositions = 'solved.csv'\nplayouts = 8\ndoublings = 5\n\
                    searches = 2\nseed = 4\nbot = ['plain=uct:rave=none,prior=none', 'uct']\n";

/// The folder that the lines speak of.
fn folder() -> Scratch {
    let folder = Scratch::new();
    let path = &folder;
    for line in [
        "--bot random --bot two-ply --out run",
        "--name scaling-doubling --format neighbors --bot random --bot p4=uct:simulations=4 \
         --out neighbors",
        "--name scaling-parallel --format gauntlet --bot random \
         --bot tree-2-time=uct:simulations=4 --out gauntlet",
    ] {
        printed(TOURNAMENT, path, &format!("--size 3 --pairs 1 {line}"));
    }
    fs::create_dir(path.join("here")).unwrap();
    fs::create_dir(path.join("pipes")).unwrap();
    let pipes = "mkfifo pipe pipes/one.sgf pipes/config.toml";
    assert!(run_shell(path, pipes).status.success());
    let solved = read(&in_repository("experiments/positions/solved.csv"));
    let moves = "(;SZ[5];B[cc];W[bb];B[cb];W[bc];B[cd];W[bd];B[ba];W[ab];B[be];W[ae];B[];W[])";
    for (name, content) in [
        ("file", "kept"),
        ("runs", ""),
        ("my.toml", ""),
        ("a.sgf", &format!("{moves}(;SZ[4];B[bb])")),
        ("bad.sgf", "(;SZ[5]\n;B;W[cc])"),
        ("here/b.sgf", "(;GM[1]SZ[19];B[dp];W[dq])"),
        ("tiny.toml", TINY),
        ("wrong.toml", &TINY.replace("doublings", "doubling")),
        ("bot.toml", &TINY.replace("'uct'", "'random'")),
        ("damaged.csv", &solved.replacen("pass:", "pass", 1)),
        ("empty.csv", ""),
        ("cut.txt", "tengen weights 1\nsize 5x5\n\nline 1 0.5 3 1\nend 0123456789"),
        ("changed.txt", "tengen weights 1\nsize 5x5\n\nline 1 0.5 3 1\nend 0123456789abcdef\n"),
        ("later.txt", "tengen weights 2\n\nend 0123456789abcdef\n"),
    ] {
        fs::write(path.join(name), content).unwrap();
    }
    fs::write(path.join("bytes.toml"), b"name = '\xff'\n").unwrap();
    folder
}

/// The output of a program that must not wait for anything.
fn at_once(mut command: Command) -> Output {
    let mut child = command.spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("{command:?} hangs");
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.wait_with_output().unwrap()
}

/// The command line of a line of a section, once its file is written.
fn command_of(section: &str, line: &str, folder: &Path) -> Command {
    let (section, file) = section.split_once(" < ").unwrap_or((section, ""));
    let (name, first) = section.split_once(' ').unwrap_or((section, ""));
    let program = program(name);
    if file.is_empty() {
        return command(program, folder, &format!("{first} {line}"));
    }
    fs::write(folder.join(file), line.replace("\\n", "\n")).unwrap();
    command(program, folder, &format!("{first} --config {file}"))
}

#[test]
fn every_line_is_refused() {
    let folder = folder();
    let before = names(&folder);
    let table = read(&in_repository("tests/data/refusals.txt"));
    let (mut section, mut faults, mut tried) = ("", Vec::new(), 0);
    for row in table.lines().filter(|row| !row.is_empty() && !row.starts_with('#')) {
        if let Some(title) = row.strip_prefix('[').and_then(|row| row.strip_suffix(']')) {
            section = title;
            continue;
        }
        let (line, said) = row.split_once(" => ").unwrap_or_else(|| panic!("`{row}`"));
        let named: Vec<&str> = said.split(" | ").collect();
        let output = at_once(command_of(section, line, &folder));
        let checked = std::panic::catch_unwind(|| {
            let said = fault(&output, 2, &named);
            assert!(!RIDDLES.iter().any(|riddle| said.contains(riddle)), "{said}");
            assert_eq!(text(&output.stdout), "", "nothing is printed");
            assert_eq!(names(&folder), before, "something was left");
        });
        tried += 1;
        if checked.is_err() {
            faults.push(format!("[{section}] {row}\n    {}", text(&output.stderr)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(tried > 200, "{tried} lines");
    assert_eq!(read(&folder.join("file")), "kept");
}

#[test]
fn an_instruction_set_that_is_none_is_refused_by_every_program() {
    let folder = Scratch::new();
    for (section, line) in [
        ("tengen", "analyze --size 3 --bot uct:simulations=9"),
        ("tengen", "gtp"),
        ("tengen", "perft --size 2 --depth 1"),
        ("tengen", "signature"),
        ("tengen", "sprt --wins 3 --losses 3"),
        ("tournament", "--bot random --bot two-ply --size 3 --pairs 1"),
        ("tournament", "--report run"),
        ("playouts", "--size 5 --playouts 9"),
        ("scaling", "--part speed --size 3"),
    ] {
        let mut command = command_of(section, line, &folder);
        let output = command.env("TENGEN_ISA", "avx1024").output().unwrap();
        fault(&output, 2, &["TENGEN_ISA", "`avx1024`", "baseline"]);
        assert!(names(&folder).is_empty(), "{line}");
    }
}

/// A value is quoted, but neither at full length nor with characters that the terminal obeys.
#[test]
fn what_is_quoted_is_short_and_does_no_harm() {
    let folder = Scratch::new();
    let long = "x".repeat(100_000);
    let odd = "ra\u{202e}n\u{1b}[31mdom";
    let refused = |program: &str, words: &[&str], named: &[&str]| {
        let output = command(program, &folder, "").args(words).output().unwrap();
        let said = fault(&output, 2, named);
        assert!(said.len() < 1_000, "{} bytes: {said}", said.len());
        assert!(!said.contains(['\u{202e}', '\u{1b}']), "{said:?}");
    };
    for (program, words) in [
        (TOURNAMENT, &["--bot"][..]),
        (TOURNAMENT, &["--size"]),
        (TOURNAMENT, &["--name"]),
        (TOURNAMENT, &["--seed"]),
        (TENGEN, &["analyze", "--bot"]),
        (TENGEN, &["analyze", "--size", "5", "--moves"]),
        (TENGEN, &[]),
    ] {
        refused(program, &[words, &[long.as_str()]].concat(), &["xxx"]);
        refused(program, &[words, &[odd]].concat(), &["ra\\u{202e}n"]);
    }
    for value in [&long, odd] {
        for key in ["size", "komi", "seed", "name", "bot", "format"] {
            let value = value.replace('\u{1b}', "\\u001b");
            fs::write(folder.join("c.toml"), format!("{key} = \"{value}\"\n")).unwrap();
            refused(TOURNAMENT, &["--config", "c.toml"], &["c.toml: "]);
        }
    }
}

#[test]
fn words_that_are_no_utf8_do_no_harm() {
    let odd = std::ffi::OsString::from_vec(b"x\xff".to_vec());
    let folder = Scratch::new();
    for (program, line, named) in [
        (TOURNAMENT, "", "unexpected argument"),
        (TENGEN, "perft", "unexpected argument"),
        (TOURNAMENT, "--name", "UTF-8"),
        (TOURNAMENT, "--bot random --bot two-ply --out", "UTF-8"),
    ] {
        fault(&command(program, &folder, line).arg(&odd).output().unwrap(), 2, &[named]);
    }
}

/// What the shell has opened is read, and so is the standard input.
#[test]
fn settings_may_come_through_a_pipe() {
    let folder = Scratch::new();
    let settings = "bot = ['random', 'two-ply']\nsize = 3\npairs = 1\n";
    fs::write(folder.join("my.toml"), settings).unwrap();
    for (out, script) in [
        ("a", format!("'{TOURNAMENT}' --out a --config - < my.toml")),
        ("b", format!("cat my.toml | '{TOURNAMENT}' --out b --config /dev/stdin")),
    ] {
        let output = run_shell(&folder, &script);
        assert_eq!(text(&output.stderr), "");
        assert!(folder.join(out).join("games.csv").exists());
    }
}
