//! The command lines as a newcomer meets them: help, faults, and what the
//! commands of `tengen` print.

use crate::common::{Csv, TENGEN, TOURNAMENT, names, printed, run, text, words};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::tempdir;

/// Runs `line` and expects one line on standard error that holds all of
/// `named`, exit code 2, nothing on standard output and no new file.
#[track_caller]
fn refused_words(program: &str, folder: &Path, arguments: &[OsString], named: &[&str]) {
    let before = names(folder);
    let output = run(program, folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
    assert!(said.starts_with("error: ") && said.ends_with('\n'), "{arguments:?}: {said}");
    for name in named {
        assert!(said.contains(name), "{arguments:?}: `{name}` is not in: {said}");
    }
    assert_eq!(names(folder), before, "{arguments:?} left something");
}

#[track_caller]
fn refused(program: &str, line: &str, named: &[&str]) {
    let folder = tempdir().unwrap();
    let arguments: Vec<OsString> = words(line).into_iter().map(OsString::from).collect();
    refused_words(program, folder.path(), &arguments, named);
}

const TWO: &str = "--bot random --bot two-ply --size 3 --pairs 1";

#[test]
fn a_tournament_names_what_it_refuses() {
    let two = |more: &str| format!("{TWO} {more}");
    for (line, named) in [
        ("--bot alphago --bot random".to_owned(), &["alphago", "two-ply"][..]),
        ("--bot uct:depth=3 --bot random".into(), &["depth", "playouts"]),
        ("--bot uct:playouts=lots --bot random".into(), &["lots"]),
        ("--bot uct:playouts=0 --bot random".into(), &["playouts"]),
        ("--bot uct:workers=9,playouts=8 --bot random".into(), &["workers", "9"]),
        ("--bot random:speed=1 --bot random".into(), &["speed"]),
        ("--bot a/b=random --bot random".into(), &["a/b"]),
        ("--bot random".into(), &["two bots"]),
        ("--bot x=random --bot x=two-ply".into(), &["`x`"]),
        ("--bot random --bot random --size 20".into(), &["--size", "20"]),
        ("--bot random --bot random --size 0x5".into(), &["0x5"]),
        ("--bot random --bot random --size big".into(), &["big"]),
        ("--komi 7.25".into(), &["--komi", "7.25", "0.5"]),
        ("--komi nan".into(), &["--komi", "NaN"]),
        ("--komi seven".into(), &["--komi", "seven"]),
        ("--komi 1001".into(), &["1001"]),
        (two("--pairs 0").replace("--pairs 1 ", ""), &["pairs", "0"]),
        (two("--seed 9223372036854775808"), &["seed", "9223372036854775808"]),
        (two("--seed 99999999999999999999"), &["--seed", "99999999999999999999"]),
        (two("--seed -1"), &["-1"]),
        (two("--rules japanese"), &["japanese", "tromp-taylor"]),
        (two("--format knockout"), &["knockout", "gauntlet"]),
        (two("--opening-plies 201"), &["opening_plies", "201"]),
        (two("--max-plies 0"), &["max_plies"]),
        (two("--threads 0"), &["`threads` is 0", "1 to 1024"]),
        (two("--games-per-thread 3"), &["--games-per-thread", "gtp"]),
        (two("--games-per-thread 65"), &["`games_per_thread`", "65", "1 to 64"]),
        (two("--name ../up"), &["../up"]),
        (two("--name a/b"), &["a/b"]),
        (two("--pairz 3"), &["--pairz"]),
        (two("extra"), &["extra"]),
        (two("--config absent.toml"), &["absent.toml"]),
        (two("--config ."), &["cannot read ."]),
    ] {
        refused(TOURNAMENT, &line, named);
    }
}

#[test]
fn a_config_file_is_refused_by_key_and_line() {
    for (content, named) in [
        ("pairs = 1\npears = 3\n", &["pears", "line 2"][..]),
        ("pears = 3", &["pears", "line 1"]),
        ("\n\n# note\n  pears = 3\n", &["pears", "line 4"]),
        ("pairs = 1\n\npairs = 2\n", &["line 3", "duplicate"]),
        ("pairs = 'many'\n", &["line 1", "many"]),
        ("seed = 1\nkomi = 7.25\n", &["line 2", "7.25"]),
        ("seed = 1\nsize = '20'\n", &["line 2", "`20`"]),
        ("seed = -1\n", &["line 1", "-1"]),
        ("threads = 0\n", &["line 1", "`threads` is 0", "1 to 1024"]),
        ("threads = 70000\n", &["`threads` is 70000", "1 to 1024"]),
        ("games_per_thread = 0\n", &["line 1", "`games_per_thread` is 0", "1 to 64"]),
        ("pairs = \n", &["line 1"]),
        ("bot = ['random', 'magic']\n", &["line 1", "magic"]),
        ("[[bot]]\nkind = 'uct'\nplayots = 3\n", &["playots", "line "]),
        ("bot = ['random', 'two-ply']\npairs = 0\n", &["line 2", "`pairs` is 0"]),
        ("pairs = 3\n", &["two bots"]),
        ("bot = ['x=random', 'x=uct']\n", &["`x`"]),
    ] {
        let folder = tempdir().unwrap();
        fs::write(folder.path().join("my.toml"), content).unwrap();
        let arguments: Vec<OsString> = ["--config", "my.toml"].map(OsString::from).to_vec();
        refused_words(TOURNAMENT, folder.path(), &arguments, named);
    }
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("my.toml"), b"name = '\xff'\n").unwrap();
    let arguments: Vec<OsString> = ["--config", "my.toml"].map(OsString::from).to_vec();
    refused_words(TOURNAMENT, folder.path(), &arguments, &["my.toml"]);
}

#[test]
fn a_place_that_cannot_be_written_is_named_and_nothing_is_left() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "kept").unwrap();
    for out in ["file", "file/run", "file/deep/run"] {
        let line = format!("{TWO} --out {out}");
        let arguments: Vec<OsString> = words(&line).into_iter().map(OsString::from).collect();
        refused_words(TOURNAMENT, folder.path(), &arguments, &[out]);
    }
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "kept");
    if Path::new("/proc/self").exists() {
        refused(TOURNAMENT, &format!("{TWO} --out /proc/x"), &["/proc/x"]);
        refused(TOURNAMENT, &format!("{TWO} --out /proc/x/y"), &["/proc/x/y"]);
    }
    // `runs` itself is in the way.
    fs::write(folder.path().join("runs"), "").unwrap();
    let arguments: Vec<OsString> = words(TWO).into_iter().map(OsString::from).collect();
    refused_words(TOURNAMENT, folder.path(), &arguments, &["runs/"]);
}

#[test]
fn komi_may_be_negative() {
    for komi in ["--komi -5.5", "--komi=-5.5", "--komi -0.5", "--komi 0", "--komi 5"] {
        let folder = tempdir().unwrap();
        printed(TOURNAMENT, folder.path(), &words(&format!("{TWO} {komi} --out run")));
        let config = fs::read_to_string(folder.path().join("run/config.toml")).unwrap();
        let config: toml::Table = config.parse().unwrap();
        let given: f64 =
            komi.trim_start_matches("--komi").trim_start_matches(['=', ' ']).parse().unwrap();
        assert_eq!(config["komi"].as_float(), Some(given));
        let line = format!("analyze --size 3 --bot random {komi}");
        let said = printed(TENGEN, folder.path(), &words(&line));
        assert!(said.contains(&format!("komi {given},")), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn words_that_are_no_utf8_do_no_harm() {
    use std::os::unix::ffi::OsStringExt;
    let odd = OsString::from_vec(b"x\xff".to_vec());
    let folder = tempdir().unwrap();
    refused_words(TOURNAMENT, folder.path(), std::slice::from_ref(&odd), &["unexpected argument"]);
    refused_words(TENGEN, folder.path(), &["perft".into(), odd.clone()], &["unexpected argument"]);
    let name = ["--name".into(), odd.clone()];
    refused_words(TOURNAMENT, folder.path(), &name, &["UTF-8"]);
    let mut arguments: Vec<OsString> = words(TWO).into_iter().map(OsString::from).collect();
    arguments.extend(["--out".into(), odd]);
    refused_words(TOURNAMENT, folder.path(), &arguments, &["UTF-8"]);
}

#[test]
fn tengen_names_what_it_refuses() {
    for (line, named) in [
        ("", &["command"][..]),
        ("conquer", &["conquer"]),
        ("solve", &["--size", "--sgf", "--position"]),
        ("perft", &["--depth"]),
        ("perft --depth 2", &["--size"]),
        ("perft --size 5 --depth 0", &["--depth", "0"]),
        ("perft --size 5 --depth two", &["--depth", "two"]),
        ("perft --size 5 --depth 2 --ko japanese", &["--ko", "japanese", "nssk"]),
        ("perft --size 5 --depth 2 --suicide maybe", &["--suicide", "maybe"]),
        ("perft --size 5 --depth 2 --to-play green", &["--to-play", "green"]),
        ("perft --position X?/.. --depth 2", &["?"]),
        ("perft --position O/X --depth 2", &["A1"]),
        ("perft --position X./... --depth 2", &["--position"]),
        ("perft --position X./.. --size 3 --depth 2", &["--size", "3x3", "2x2"]),
        ("analyze --size 20", &["--size", "20"]),
        ("analyze --komi 0.3", &["--komi", "0.3"]),
        ("analyze --bot gnugo", &["gnugo"]),
        ("analyze --bot uct:reuse=maybe", &["maybe"]),
        ("analyze --size 3 --moves C9", &["C9", "--moves"]),
        ("analyze --size 3 --moves I1", &["I1"]),
        ("analyze --threads 0", &["--threads"]),
    ] {
        refused(TENGEN, line, named);
    }
    let folder = tempdir().unwrap();
    for (moves, named) in [("B2 B2", "B2"), ("pass pass", "over"), ("pass pass A1", "A1")] {
        let arguments: Vec<OsString> =
            ["analyze", "--size", "3", "--moves", moves].map(OsString::from).to_vec();
        refused_words(TENGEN, folder.path(), &arguments, &[named, "--moves"]);
    }
}

#[test]
fn help_tells_every_option() {
    let folder = tempdir().unwrap();
    let tournament = [
        "--bot",
        "--size",
        "--komi",
        "--rules",
        "--ko",
        "--suicide",
        "--max-plies",
        "--format",
        "--pairs",
        "--opening-plies",
        "--seed",
        "--name",
        "--config",
        "--out",
        "--threads",
        "--help",
        "--version",
        "random",
        "two-ply",
        "playouts",
        "Example",
    ];
    let perft =
        ["--size", "--depth", "--ko", "--suicide", "--position", "--to-play", "Example", "nssk"];
    let analyze = [
        "--size",
        "--position",
        "--to-play",
        "--moves",
        "--komi",
        "--rules",
        "--bot",
        "--seed",
        "--threads",
        "Example",
        "tromp-taylor",
    ];
    for (program, line, expected) in [
        (TOURNAMENT, "--help", &tournament[..]),
        (TOURNAMENT, "-h", &tournament[..3]),
        (TENGEN, "--help", &["analyze", "perft", "tournament", "--version"]),
        (TENGEN, "perft --help", &perft),
        (TENGEN, "analyze --help", &analyze),
        (TENGEN, "help analyze", &analyze),
    ] {
        let said = printed(program, folder.path(), &words(line));
        for word in expected {
            assert!(said.contains(word), "{word} is not in `{line}`:\n{said}");
        }
    }
    for program in [TOURNAMENT, TENGEN] {
        let said = printed(program, folder.path(), &["--version"]);
        assert!(said.trim_end().ends_with(env!("CARGO_PKG_VERSION")), "{said}");
    }
    assert!(names(folder.path()).is_empty());
}

/// The lines `depth count` of one perft command.
fn perft(line: &str) -> Vec<(u32, u64)> {
    let folder = tempdir().unwrap();
    printed(TENGEN, folder.path(), &words(&format!("perft {line}")))
        .lines()
        .map(|line| {
            let (depth, count) = line.split_once(' ').unwrap();
            (depth.parse().unwrap(), count.parse().unwrap())
        })
        .collect()
}

#[test]
fn perft_prints_the_rows_of_the_oracle() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let table = Csv::read(&data.join("perft.csv"));
    for (board, ko, suicide, depth) in [
        ("2x2", "psk", "no", 7),
        ("3x3", "simple", "all", 4),
        ("1x3", "nssk", "multi", 6),
        ("5x5", "ssk", "no", 3),
    ] {
        let found = perft(&format!("--size {board} --ko {ko} --suicide {suicide} --depth {depth}"));
        let expected: Vec<(u32, u64)> = (0..table.len())
            .filter(|&row| {
                [("board", board), ("rule", ko), ("suicide", suicide)]
                    .iter()
                    .all(|&(column, value)| table.get(row, column) == value)
            })
            .map(|row| (table.get(row, "depth"), table.get(row, "count")))
            .map(|(depth, count)| (depth.parse().unwrap(), count.parse().unwrap()))
            .filter(|&(row_depth, _)| row_depth <= depth)
            .collect();
        assert!(!expected.is_empty(), "{board} {ko} {suicide} is in the table");
        for row in &expected {
            assert!(found.contains(row), "{board} {ko} {suicide}: {row:?} not in {found:?}");
        }
        assert_eq!(found.len(), depth as usize);
    }
    let table = Csv::read(&data.join("perft_positions.csv"));
    let mut checked = 0;
    for row in (0..table.len()).step_by(53) {
        let get = |column| table.get(row, column);
        let (depth, count): (u32, u64) =
            (get("depth").parse().unwrap(), get("count").parse().unwrap());
        if count > 100_000 {
            continue;
        }
        let found = perft(&format!(
            "--position {} --to-play {} --ko {} --suicide {} --depth {depth}",
            get("position_rows_top_down"),
            get("to_move"),
            get("rule"),
            get("suicide"),
        ));
        assert_eq!(found.last(), Some(&(depth, count)), "row {row}");
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn analyze_prints_what_a_search_found() {
    let folder = tempdir().unwrap();
    let say = |line: &str| printed(TENGEN, folder.path(), &words(&format!("analyze {line}")));
    let said = say("--size 5 --bot uct:playouts=2000,workers=2 --seed 3 --threads 2");
    for expected in
        ["visits", "win rate", "principal variation: ", "black to move, komi 2.5", "2000 playouts"]
    {
        assert!(said.contains(expected), "{expected} is not in\n{said}");
    }
    // The first line of the table is the move played and begins the variation.
    let lines: Vec<&str> = said.lines().collect();
    let head = lines.iter().position(|line| line.contains("visits")).unwrap();
    let best: Vec<&str> = lines[head + 1].split_whitespace().collect();
    assert!(said.contains(&format!("plays {}\n", best[0])), "{said}");
    assert!(said.contains(&format!("principal variation: {}", best[0])), "{said}");
    let rate: f64 = best[2].parse().unwrap();
    assert!((0.0..=1.0).contains(&rate));
    // All but the last line, which holds the seconds, is the same again, at
    // any number of threads.
    let again = say("--size 5 --bot uct:playouts=2000,workers=2 --seed 3");
    let body = |said: &str| said.trim_end().rsplit_once('\n').unwrap().0.to_owned();
    assert_eq!(body(&said), body(&again));
    assert!(say("--size 3x2 --bot two-ply").contains("two-ply plays "));
    assert!(say("--size 5 --to-play w --bot random").contains("white to move"));
    assert!(say("--bot uct:playouts=50").contains("komi 7.5"), "9x9 unless told otherwise");
    let moves = ["analyze", "--size", "5", "--moves", "C3 pass d3", "--bot", "random"];
    let said = printed(TENGEN, folder.path(), &moves);
    assert!(said.contains("3 . . X X ."), "{said}");
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let folder = tempdir().unwrap();
    for (program, line) in [
        (TENGEN, "perft --size 3 --depth 5"),
        (TENGEN, "analyze --size 5 --bot uct:playouts=500"),
        (TENGEN, "--help"),
        (TOURNAMENT, "--help"),
        (TOURNAMENT, "--size 2 --pairs 1 --bot random --bot random --out run"),
    ] {
        let mut child = Command::new(program)
            .args(words(line))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "{line}");
        assert_eq!(output.status.code(), Some(0), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_fault() {
    let folder = tempdir().unwrap();
    for line in ["perft --size 3 --depth 2", "analyze --size 3 --bot uct:playouts=50"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(TENGEN)
            .args(words(line))
            .current_dir(folder.path())
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {said}");
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
    }
}
