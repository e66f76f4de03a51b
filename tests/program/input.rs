//! What users give that cannot be used, or only in part: files that are none,
//! keys of the TOML file, names, places, and options that mean nothing.

use crate::common::{Csv, PLAYOUTS, SCALING, TENGEN, TOURNAMENT, names, printed, run, text, words};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

const TWO: &str = "--bot random --bot two-ply --size 3 --pairs 1";

/// One line on standard error with all of `named`, exit code 2, and nothing
/// printed.
#[track_caller]
fn assert_refused(output: &Output, named: &[&str]) -> String {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!((text(&output.stdout).as_str(), said.lines().count()), ("", 1), "{said}");
    for name in named {
        assert!(said.contains(name), "`{name}` is not in: {said}");
    }
    said
}

#[track_caller]
fn refused(folder: &Path, line: &str, named: &[&str]) -> String {
    let before = names(folder);
    let said = assert_refused(&run(TOURNAMENT, folder, &words(line)), named);
    assert_eq!(names(folder), before, "{line} left something");
    said
}

/// What is said of `toml` as a configuration.
#[track_caller]
fn refused_toml(toml: &str, named: &[&str]) -> String {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("my.toml"), toml).unwrap();
    refused(folder.path(), "--config my.toml", named)
}

#[test]
fn the_keys_of_a_file_are_the_options() {
    let folder = tempdir().unwrap();
    let toml = "bot = ['random', 'two-ply']\nsize = 3\npairs = 3\nthreads = 2\nout = 'deep/run'\n\
                sprt = 'elo0=0 elo1=300 model=normalized'\n";
    fs::write(folder.path().join("my.toml"), toml).unwrap();
    let say = |line: &str| printed(TOURNAMENT, folder.path(), &words(line));
    assert!(say("--config my.toml").contains("deep/run"));
    let saved = |run: &str| {
        let text = fs::read_to_string(folder.path().join(run).join("config.toml")).unwrap();
        text.parse::<toml::Table>().unwrap()
    };
    let config = saved("deep/run");
    assert_eq!(config["sprt"]["elo1"].as_float(), Some(300.0));
    assert_eq!(config["sprt"]["model"].as_str(), Some("normalized"));
    // They are the machine's and decide no game.
    assert!(config.get("threads").is_none() && config.get("out").is_none(), "{config}");
    let manifest = fs::read_to_string(folder.path().join("deep/run/manifest.toml")).unwrap();
    assert!(manifest.contains("\nthreads = 2\n"), "{manifest}");
    // The command line wins, and a run that goes on is asked for games alone.
    say("--config my.toml --out other --threads 1");
    let manifest = fs::read_to_string(folder.path().join("other/manifest.toml")).unwrap();
    assert!(manifest.contains("\nthreads = 1\n"), "{manifest}");
    assert_eq!(saved("other"), config);
    say("--resume other --config my.toml --threads 2");
    assert_eq!(names(folder.path()), ["deep", "my.toml", "other"]);
    assert_eq!(names(&folder.path().join("deep")), ["run"]);
}

#[test]
fn a_wrong_value_is_named_with_its_key_and_what_is_allowed() {
    let folder = tempdir().unwrap();
    let whole = "write a whole number from 0";
    for (bot, named) in [
        ("uct:playouts=18446744073709551615", &["`playouts` is 18446744073709551615", whole][..]),
        ("uct:playouts=many", &["`playouts` is many", whole]),
        ("uct:playouts=-1", &["`playouts` is -1", whole]),
        ("uct:playouts=1.5", &["`playouts` is 1.5", whole]),
        ("uct:playouts=\"1\"", &["`playouts` is 1", whole]),
        ("uct:workers=5000000000", &["`workers` is 5000000000", "0 to 4294967295"]),
        ("uct:exploration=a", &["`exploration` is a", "write a number"]),
        ("uct:reuse=3", &["`reuse` is 3", "write true or false"]),
        ("uct:selection=x", &["`selection` is x", "write one of `ucb1`, "]),
        ("uct:final_move=3", &["`final_move` is 3", "write one of `visits`"]),
        ("uct:policy=3", &["invalid policy `3`", "capture-escape"]),
        ("uct:first_play=true", &["invalid first_play `true`", "expected a number"]),
        ("random:playouts=10", &["unknown setting `playouts`", "random has no settings"]),
        ("two-ply:x=1", &["unknown setting `x`", "two-ply has no settings"]),
    ] {
        refused(folder.path(), &format!("--bot {bot} --bot random"), named);
        // The table of a file says the same.
        let (kind, setting) = bot.split_once(':').unwrap();
        let (key, value) = setting.split_once('=').unwrap();
        let is_number = value.parse::<f64>().is_ok_and(|n| n < 1e18);
        let plain = is_number || value == "true" || value.starts_with('"');
        let value = if plain { value.to_owned() } else { format!("'{value}'") };
        refused_toml(&format!("[[bot]]\nkind = '{kind}'\n{key} = {value}\n"), named);
    }
    for (toml, named) in [
        ("sprt = 3\n", &["line 1", "`sprt`: write", "elo0=0 elo1=30"][..]),
        ("seed = 1\nsprt = 'elo=0'\n", &["line 2", "elo"]),
        ("sprt = { elo0 = 'x' }\n", &["`sprt`: write", "a table of elo0, elo1"]),
        ("sprt = { elo = 1 }\n", &["`sprt`: write", "a table of elo0, elo1"]),
        ("seed = 'x'\n", &["`seed` is x", whole]),
        ("pairs = -1\n", &["`pairs` is -1", whole]),
        (
            "bot = ['uct', 'uct']\npairs = 18446744073709551615\n",
            &["line 2: ", "a number up to 9223"],
        ),
        ("comments = 'x'\n", &["`comments` is x", "true or false"]),
        ("openings = 3\n", &["`openings` is 3", "a text"]),
        ("out = 3\n", &["`out` is 3", "a text"]),
        ("bot = 'random'\n", &["`bot` is random", "a list"]),
        ("komi = 'x'\n", &["`komi` is x", "a number"]),
        ("komi = [1]\n", &["`komi` is [1]", "a number"]),
        ("size = [1]\n", &["size", "9x7"]),
        ("seed = 3\nformat = 'x'\n", &["line 2", "`format` is x", "`gauntlet`"]),
        ("rules = 3\n", &["`rules` is 3", "`tengen`"]),
        ("[[bot]]\nplayouts = 3\n", &["`kind` is missing", "two-ply"]),
        ("[[bot]]\nkind = 'gtp'\ncommand = 3\n", &["`command` is 3", "a text"]),
        ("[[bot]]\nkind = 'gtp'\ncommand = 'x'\nkeep = 3\n", &["`keep` is 3", "true or false"]),
        ("[[opening]]\nmove = 'C3'\n", &["unknown setting `move`", "did you mean `moves`?"]),
        ("threads = 'x'\n", &["line 1", "`threads` is x", "a whole number"]),
        ("seed = 1\npairs = 99999999999999999999\n", &["line 2: ", "a number up to 9223"]),
        (
            "[[bot]]\nkind = 'uct'\nplayouts = 99999999999999999999\n",
            &["line 3: ", "a number up to 9223"],
        ),
        (
            "seed = 1\npear = 3\n",
            &["line 2: unknown setting `pear` of a tournament: did you mean `pairs`?"],
        ),
    ] {
        let said = refused_toml(toml, named);
        for riddle in
            ["untagged", "u64", "i128", "u16", "f64", "usize", "struct", "there are no fields"]
        {
            assert!(!said.contains(riddle), "{toml}: {said}");
        }
    }
}

#[test]
fn options_that_mean_nothing_are_refused_by_name() {
    let folder = tempdir().unwrap();
    printed(TOURNAMENT, folder.path(), &words(&format!("{TWO} --out run")));
    for job in ["--merge run", "--report run"] {
        for option in [
            "--threads 2",
            "--seed 3",
            "--size 9",
            "--bot uct",
            "--pairs 3",
            "--name x",
            "--openings none",
            "--comments",
            "--out other",
            "--config my.toml",
            "--chunk 1/2",
            "--resume run",
        ] {
            let name = option.split(' ').next().unwrap();
            refused(folder.path(), &format!("{job} {option}"), &[name, "cannot be used with"]);
        }
    }
    printed(TOURNAMENT, folder.path(), &["--report", "run"]);
    refused(folder.path(), &format!("{TWO} --chunk 1/2"), &["--chunk", "--out"]);
    let line = "analyze --size 3 --bot uct:playouts=9 --min-visits 2";
    assert_refused(&run(TENGEN, folder.path(), &words(line)), &["--min-visits", "--tree"]);
}

#[test]
fn an_instruction_set_that_is_none_is_refused_by_every_program() {
    let folder = tempdir().unwrap();
    for (program, line) in [
        (TENGEN, "analyze --size 3 --bot uct:playouts=9"),
        (TENGEN, "gtp"),
        (TENGEN, "perft --size 2 --depth 1"),
        (TENGEN, "signature"),
        (TENGEN, "sprt --wins 3 --losses 3"),
        (TOURNAMENT, TWO),
        (TOURNAMENT, "--report run"),
        (PLAYOUTS, "--size 5 --playouts 9"),
        (SCALING, "--part speed --size 3"),
    ] {
        let output = Command::new(program)
            .args(words(line))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .env("TENGEN_ISA", "avx1024")
            .output()
            .unwrap();
        assert_refused(&output, &["TENGEN_ISA", "`avx1024`", "baseline"]);
        assert!(names(folder.path()).is_empty(), "{line}");
    }
}

#[test]
fn no_name_leaves_the_results() {
    let folder = tempdir().unwrap();
    let long = "n".repeat(300);
    for name in [&long, "../up", "a/b", "/tmp/x", "..\\up", "", "a b"] {
        let mut line = words(TWO);
        line.extend(["--name".to_owned(), name.to_owned()]);
        assert_refused(&run(TOURNAMENT, folder.path(), &line), &[name]);
        assert!(names(folder.path()).is_empty(), "{name}");
    }
    // A place that cannot be made leaves none of its parents.
    refused(folder.path(), &format!("{TWO} --out deep/er/{long}"), &["deep/er/nnn"]);
    // Names of one dot or two are parts of a name there.
    printed(TOURNAMENT, folder.path(), &words(&format!("{TWO} --name ..")));
    assert_eq!(names(folder.path()), ["runs"]);
    assert!(names(&folder.path().join("runs"))[0].ends_with("-.."));
}

#[test]
fn a_place_without_a_name_is_taken_only_if_it_is_empty() {
    let folder = tempdir().unwrap();
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).unwrap();
    let line = |out: &str| words(&format!("{TWO} --out {out}"));
    printed(TOURNAMENT, &inside, &line("."));
    assert!(inside.join("games.csv").exists());
    for out in [".", "..", "./", "/", "../inside/."] {
        let before = names(&inside);
        if out == "../inside/." {
            // The last piece that counts is a name.
            printed(TOURNAMENT, &inside, &line(out));
        } else {
            assert_refused(&run(TOURNAMENT, &inside, &line(out)), &["has no name", "DIR/NAME"]);
        }
        assert_eq!(names(&inside), before, "{out}");
    }
    assert_eq!(names(folder.path()), ["inside", "inside-2"]);
    assert!(!Path::new("/-2").exists());
}

/// The output of a program that must not wait for anything.
fn at_once(mut command: Command) -> Output {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("{command:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_no_files() {
    let folder = tempdir().unwrap();
    let pipe = |name: &str| {
        assert!(Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap().success());
    };
    pipe("pipe");
    fs::create_dir(folder.path().join("openings")).unwrap();
    pipe("openings/one.sgf");
    fs::create_dir(folder.path().join("run")).unwrap();
    pipe("run/config.toml");
    for (program, line, named) in [
        (TOURNAMENT, "--config pipe".to_owned(), "pipe"),
        (TOURNAMENT, "--config /dev/zero".to_owned(), "/dev/zero"),
        (TOURNAMENT, format!("{TWO} --openings pipe"), "pipe"),
        (TOURNAMENT, format!("{TWO} --openings openings"), "openings/one.sgf"),
        (TOURNAMENT, format!("{TWO} --openings /dev/zero"), "/dev/zero"),
        (TOURNAMENT, "--resume run".to_owned(), "run/config.toml"),
        (TOURNAMENT, "--report run".to_owned(), "run/config.toml"),
        (PLAYOUTS, "--reference pipe --out other".to_owned(), "pipe"),
    ] {
        let mut command = Command::new(program);
        command.args(words(&line)).current_dir(folder.path());
        let output = at_once(command);
        assert_refused(&output, &[named, "expected a regular file"]);
        assert_eq!(names(folder.path()), ["openings", "pipe", "run"], "{line}");
    }
    // What the shell has opened is read, and so is the standard input.
    let script = format!(
        "echo 'bot = [\"random\", \"two-ply\"]\nsize = 3\npairs = 1' > my.toml
         '{TOURNAMENT}' --out a --config - < my.toml && cat my.toml | '{TOURNAMENT}' --out b --config /dev/stdin"
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.path());
    let output = at_once(command);
    assert_eq!(text(&output.stderr), "");
    assert!(folder.path().join("a/games.csv").exists());
    assert!(folder.path().join("b/games.csv").exists());
}

/// A thread needs some address space, so that 1,024 of them need more than
/// this shell may have.
#[cfg(target_os = "linux")]
#[test]
fn there_are_no_more_threads_than_games() {
    let folder = tempdir().unwrap();
    for line in [
        format!("'{TOURNAMENT}' {TWO} --threads 1024 --out run"),
        format!("'{TENGEN}' analyze --size 3 --bot uct:playouts=50,workers=2 --threads 1024"),
        format!("echo quit | '{TENGEN}' gtp --threads 1024"),
    ] {
        let output = run("sh", folder.path(), &["-c", &format!("ulimit -v 1500000; {line}")]);
        assert_eq!(text(&output.stderr), "", "{line}");
        assert!(output.status.success(), "{line}");
    }
}

#[test]
fn openings_of_another_board_are_refused_by_file() {
    let folder = tempdir().unwrap();
    let record = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
    record("a.sgf", b"(;GM[1]SZ[9];B[ee])");
    record("b.sgf", b"(;GM[1]SZ[19];B[dp];W[dq])");
    let line = |path: &str| format!("--size 9 --bot random --bot random --openings {path}");
    refused(folder.path(), &line("."), &["b.sgf", "19x19", "9x9"]);
    record("b.sgf", b"(;GM[1];B[aa];W[bb])");
    refused(folder.path(), &line("."), &["b.sgf", "no SZ", "19x19", "9x9"]);
    record("b.sgf", b"(;GM[1]SZ[9];B[aa];W[];B[])");
    refused(folder.path(), &line("."), &["b.sgf", "over"]);
    // A record in another charset is an opening like any other.
    record("b.sgf", b"(;GM[1]SZ[9]CA[GBK]PB[\xb9\xc5\x81]];B[aa])");
    printed(TOURNAMENT, folder.path(), &words(&format!("{} --out run", line("."))));
    let games = Csv::read(&folder.path().join("run/games.csv"));
    assert_eq!([0, 2].map(|game| &games.get(game, "moves")[..2]), ["E5", "A9"]);
}
