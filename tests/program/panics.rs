//! Commands of a program that has registered code which panics: the game is forfeited, with what panicked and its
//! message, and the run goes on.

use crate::common::{Scratch, fault, kill_when, lines, names, rows, text};
use crate::fragile;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tengen::bots::BotConfig;
use tengen::commands::{self, Failure, Host, Terminal};
use tengen::engine::Engine;
use tengen::go::Preset;
use tengen::register;
use tengen::tournament::{GameRow, Outcome, Termination};

/// The variable that has the words of the command of [`as_a_program`], one a line.
const WORDS: &str = "TENGEN_TEST_WORDS";

/// Not a test, but the program of the tests: a command of `tengen` with registered code.
#[test]
#[ignore = "the program of the tests here"]
fn as_a_program() {
    fragile::register().unwrap();
    register::program("brittle", "0.3.0 of today").unwrap();
    let words = std::env::var(WORDS).unwrap();
    assert_ne!(words, "panic", "a panic of Tengen");
    if let Some(lines) = words.strip_prefix("gtp\n") {
        let config = "fragile:every=0".parse().unwrap();
        let mut engine = Engine::new(config, 1, Preset::default(), None);
        lines.lines().for_each(|line| println!("{:?}", engine.answer(line).unwrap().result));
        return;
    }
    let host = &mut Host { output: &mut std::io::stdout(), caller: &Terminal };
    let code = match commands::call(words.lines().map(str::to_owned), host) {
        Ok(()) => 0,
        Err(failure) => {
            eprintln!("error: {failure}");
            if let Failure::Usage(_) = failure { 2 } else { 1 }
        }
    };
    std::process::exit(code);
}

fn program(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "--ignored", "--nocapture", "panics::as_a_program"]);
    let words: Vec<&str> = line.split_whitespace().collect();
    command.env(WORDS, words.join("\n")).env_remove("RUST_BACKTRACE").current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn run(folder: &Path, line: &str) -> Output {
    program(folder, line).output().unwrap()
}

/// The rows of the run in `folder` without what depends on the clock.
fn games(folder: &Path) -> Vec<GameRow> {
    let timeless = |row: GameRow| GameRow { run: String::new(), ..row.without_times() };
    let mut rows: Vec<GameRow> = rows(folder).into_iter().map(timeless).collect();
    rows.sort_by_key(|row| row.game);
    rows
}

/// What else may panic, tests/search/panics.rs and the games of tests/fuzz say.
#[test]
fn a_run_with_panics_is_resumed() {
    let scratch = Scratch::new();
    let line = "tournament --size 7 --pairs 40 --bot a=fragile:every=60 \
                --bot b=uct:simulations=60,policy=fragile:200000";
    let whole = run(&scratch, &format!("{line} --out whole --threads 2"));
    let said = text(&whole.stderr);
    assert!(whole.status.success(), "{said}");
    assert!(!said.contains("panicked at") && !said.contains("RUST_BACKTRACE"), "{said}");
    let expected = games(&scratch.join("whole"));
    let mut crashed = 0;
    for row in &expected {
        let GameRow { reason, .. } = row;
        if row.termination != Termination::Crash {
            assert_eq!(reason, "");
            continue;
        }
        crashed += 1;
        let loser = if row.outcome == Outcome::White { &row.black } else { &row.white };
        let what = if loser == "a" { "bot `fragile`" } else { "playout policy `fragile:200000`" };
        assert!(reason.starts_with(&format!("{loser}: {what} panicked: ")), "{reason}");
        assert!(reason.contains(" is too much (") && !reason.contains('\n'), "{reason}");
    }
    assert!((3..70).contains(&crashed), "{crashed}");
    let killed = format!("{line} --out parts --threads 1");
    let killed = program(&scratch, &killed).spawn().unwrap();
    let file = scratch.join("parts/games.csv");
    kill_when(killed, || lines(&file) > 5);
    let kept = lines(&file);
    let resumed = run(&scratch, "tournament --resume parts --threads 2");
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    assert!(kept < 81, "it had ended: {kept}");
    assert_eq!(games(&scratch.join("parts")), expected);
}

#[test]
fn a_bot_that_panics_at_once_begins_no_run() {
    let scratch = Scratch::new();
    for (bot, named) in [
        ("fragile:every=1", "bot a cannot play: bot `fragile` panicked: "),
        ("fragile:every=1,place=build", "bot a cannot play: bot `fragile` panicked: "),
        ("fragile:every=1,place=begin", "bot a cannot play: bot `fragile` panicked: "),
        ("fragile:place=first", "bot a cannot play: bot `fragile` panicked: not at 0 plies"),
        ("uct:policy=fragile:1", "bot a cannot play: playout policy `fragile:1` panicked: "),
    ] {
        let line = format!("tournament --size 9 --bot a={bot} --bot random --out run");
        fault(&run(&scratch, &line), 2, &[named]);
        assert_eq!(names(&scratch), Vec::<String>::new());
    }
}

#[test]
fn a_panic_of_tengen_is_seen() {
    let output = run(Path::new("."), "panic");
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(said.contains("panicked at") && said.contains("a panic of Tengen"), "{said}");
}

#[test]
fn other_commands_name_what_panicked() {
    let scratch = Scratch::new();
    let policy = "playout policy `fragile:1` panicked: ";
    for (line, named) in [
        ("analyze --size 5 --bot uct:policy=fragile:1", policy),
        ("analyze --size 5 --json --bot uct:policy=fragile:1", policy),
        ("analyze --size 5 --bot fragile:every=1", "bot `fragile` panicked: "),
        ("playouts --size 5 --policy fragile:1 --seconds 1", policy),
        ("signature --bot uct:prior=fragile:1:9", "prior `fragile:1:9` panicked: "),
        (
            "scaling --part speed --size 5 --simulations 100 --repeats 1 --threads 2 \
             --bot uct:policy=fragile:1 --out speed",
            policy,
        ),
    ] {
        fault(&run(&scratch, line), 1, &[named]);
    }
}

/// A GTP engine answers with an error, and goes on.
#[test]
fn an_engine_outlives_a_panic() {
    fragile::register().unwrap();
    for (bot, named) in [
        ("fragile:place=first", "bot `fragile` panicked: not at 0 plies"),
        ("uct:policy=fragile:1", "playout policy `fragile:1` panicked: "),
    ] {
        let config: BotConfig = bot.parse().unwrap();
        let mut engine = Engine::new(config, 1, Preset::default(), None);
        let mut answer = |line: &str| engine.answer(line).unwrap().result;
        answer("boardsize 5").unwrap();
        for command in ["genmove b", "reg_genmove b", "kata-genmove_analyze b"] {
            let said = answer(command).unwrap_err();
            assert!(said.starts_with(named) && !said.contains('\n'), "{command}: {said}");
        }
        let _ = answer("kata-analyze b 1");
        answer("play b C3").unwrap();
        answer("play w B2").unwrap();
        assert_eq!(answer("genmove b").is_ok(), bot.contains("first"));
        assert_eq!(answer("protocol_version"), Ok("2".to_owned()));
    }
}
