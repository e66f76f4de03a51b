//! The program `tournament`, run whole, in parts, and stopped and resumed.

use crate::alone;
use crate::case::Case;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tengen::playout::Isa;
use tengen::run::rows;
use tengen::settings::one_line;
use tengen::tournament::GameRow;

/// Times that a run is stopped before it is let go to its end.
const MAX_STOPS: usize = 4;

/// How the program is run: on which machine, so to speak.
#[derive(Clone, Copy)]
struct Machine<'a> {
    program: &'a Path,
    isa: Isa,
    threads: usize,
}

impl Machine<'_> {
    fn command(&self, words: &[String]) -> Command {
        let mut command = Command::new(self.program);
        command.args(self.words(words));
        command.env(Isa::VARIABLE, self.isa.to_string()).env("RUST_BACKTRACE", "0");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// The words with the number of threads, where it plays.
    fn words(&self, words: &[String]) -> Vec<String> {
        let threads = ["--threads".to_owned(), self.threads.to_string()];
        let plays = words.iter().all(|word| word != "--merge");
        [words, if plays { &threads } else { &[] }].concat()
    }

    /// The same as text, for people.
    fn told(&self, words: &[String]) -> String {
        format!("{}={} tournament {}", Isa::VARIABLE, self.isa, self.words(words).join(" "))
    }

    /// Runs it to its end, which must be a good one.
    fn run(&self, words: &[String]) -> Result<(), String> {
        let output = self.command(words).output().map_err(|fault| fault.to_string())?;
        let faults = String::from_utf8_lossy(&output.stderr);
        if output.status.success() && !is_broken(&faults) {
            return Ok(());
        }
        Err(format!("{}: {}: {}", self.told(words), output.status, faults.trim()))
    }
}

/// Whether Tengen panicked; that registered code did is no fault of the program.
fn is_broken(faults: &str) -> bool {
    faults.contains("panicked at") || faults.contains("RUST_BACKTRACE")
}

/// Whether the program plays what `case` is, however it is run.
pub fn check(program: &Path, case: &Case) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|fault| fault.to_string())?;
    let folder = scratch.path().display().to_string();
    check_in(scratch.path(), program, case).map_err(|fault| fault.replace(&folder, "/tmp/fuzz"))
}

fn check_in(scratch: &Path, program: &Path, case: &Case) -> Result<(), String> {
    let tournament = case.tournament()?;
    let expected = alone::games(&tournament)?;
    let words = case.words();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(tournament.seed);
    let isas = Isa::supported();
    let mut longest = Duration::ZERO;
    for (number, isa) in isas.iter().copied().enumerate() {
        // One set of them at one thread and at two.
        let both = random.random_range(0..isas.len()) == number || number + 1 == isas.len();
        let threads = if both { vec![1, 2] } else { vec![random.random_range(1..3)] };
        for threads in threads {
            let machine = Machine { program, isa, threads };
            let folder = scratch.join(format!("{isa}-{threads}"));
            let begun = Instant::now();
            machine.run(&with(&words, "--out", &folder))?;
            longest = longest.max(begun.elapsed());
            compare(&expected, &folder).map_err(|f| format!("{}: {f}", machine.told(&words)))?;
        }
    }
    let machines = [0, 1].map(|_| Machine {
        program,
        isa: isas.choose(&mut random).copied().unwrap_or(Isa::Baseline),
        threads: random.random_range(1..3),
    });
    let folder = scratch.join("parts");
    let (how, result) = match random.random_range(0..8) {
        0 | 1 => {
            let result = stopped(machines, &words, &folder, longest, &mut random);
            ("stopped and resumed", result)
        }
        2 => ("in chunks", chunks(machines, &words, &folder)),
        3 => ("extended", extended(machines, case, &folder)),
        _ => return Ok(()),
    };
    result
        .and_then(|()| compare(&expected, &folder))
        .map_err(|fault| format!("{}, {how}: {fault}", machines[0].told(&words)))
}

fn with(words: &[String], key: &str, value: &Path) -> Vec<String> {
    [words, &[key.to_owned(), value.display().to_string()]].concat()
}

/// Compares the run in `folder` with the games `expected`, but for seconds.
fn compare(expected: &[GameRow], folder: &Path) -> Result<(), String> {
    let found = rows::read::<GameRow>(folder, "games.csv").map_err(|fault| fault.to_string())?;
    let named = |row: GameRow| GameRow { run: expected[0].run.clone(), ..row };
    let found: Vec<GameRow> =
        found.into_iter().map(|signed| named(signed.row.without_times())).collect();
    let written: Vec<GameRow> = expected
        .iter()
        .map(|row| GameRow { reason: one_line(&row.reason).into_owned(), ..row.clone() })
        .collect();
    alone::compare(&written, &found)
}

/// A run that is stopped at random moments and resumed on another machine.
fn stopped(
    [begin, resume]: [Machine; 2],
    words: &[String],
    folder: &Path,
    longest: Duration,
    random: &mut Xoshiro256PlusPlus,
) -> Result<(), String> {
    let resuming = with(&[], "--resume", folder);
    let has_begun = || folder.join("config.toml").exists();
    let mut story = Vec::new();
    for _ in 0..random.random_range(1..=MAX_STOPS) {
        let mut command = if has_begun() {
            resume.command(&resuming)
        } else {
            // What is there was left before there was a run.
            let _ = fs::remove_dir_all(folder);
            begin.command(&with(words, "--out", folder))
        };
        let child = command.spawn().map_err(|fault| fault.to_string())?;
        let after = longest.mul_f64(random.random_range(0.0..1.1));
        std::thread::sleep(after);
        let signal = if random.random() { "-KILL" } else { "-TERM" };
        // It may have ended before.
        let id = child.id().to_string();
        let _ = Command::new("kill").args([signal, &id]).stderr(Stdio::null()).status();
        story.push(format!("kill {signal} after {after:?}"));
        let output = child.wait_with_output().map_err(|fault| fault.to_string())?;
        let (status, faults) = (output.status, String::from_utf8_lossy(&output.stderr));
        // Over before it was stopped, dead at once, or stopped after the games
        // at hand.
        let is_stopped = status.code() == Some(1) && faults.contains("--resume");
        let is_well = status.success() || status.code().is_none() || is_stopped;
        if !is_well || is_broken(&faults) {
            return Err(format!("{}: {status}: {}", story.join(", "), faults.trim()));
        }
    }
    if has_begun() {
        resume.run(&resuming)
    } else {
        let _ = fs::remove_dir_all(folder);
        begin.run(&with(words, "--out", folder))
    }
    .map_err(|fault| format!("{}: {fault}", story.join(", ")))
}

/// A run in two chunks, from two machines.
fn chunks(machines: [Machine; 2], words: &[String], folder: &Path) -> Result<(), String> {
    for (machine, chunk) in machines.iter().zip(["2/2", "1/2"]) {
        let words = [&with(words, "--out", folder)[..], &["--chunk".into(), chunk.into()]].concat();
        machine.run(&words)?;
    }
    machines[0].run(&with(&[], "--merge", folder))
}

/// A run of half the pairs that is extended on another machine.
fn extended([begin, resume]: [Machine; 2], case: &Case, folder: &Path) -> Result<(), String> {
    let pairs = case.get("pairs").unwrap_or("50").to_owned();
    let half = pairs.parse::<usize>().map_or(1, |pairs| (pairs / 2).max(1));
    let mut short = case.clone();
    short.options.retain(|(key, _)| key != "pairs");
    short.set("pairs", Some(half));
    begin.run(&with(&short.words(), "--out", folder))?;
    let resuming = with(&[], "--resume", folder);
    resume.run(&[&resuming[..], &["--extend".to_owned(), pairs]].concat())
}
