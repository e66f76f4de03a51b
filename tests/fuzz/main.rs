//! Random valid bots under random rules on random boards: the games of a run
//! are those that each would be by itself.
//!
//! `TENGEN_FUZZ_CASES` and `TENGEN_FUZZ_SEED` say how many cases are drawn and
//! from where; `TENGEN_FUZZ_LINE`, a command line of `tournament`, is tried in
//! their place. A case that fails is made simpler as long as it fails.
//! `tests/fuzz.sh` is the long form, which runs the program.

mod alone;
mod case;
#[path = "../shared/driven.rs"]
mod driven;
#[path = "../shared/fragile.rs"]
mod fragile;
mod program;

use case::{Case, SETTINGS, draw};
use proptest::strategy::{Just, ValueTree};
use proptest::test_runner::{TestCaseError, TestCaseResult, TestError, TestRunner};
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tengen::bots::{BotConfig, NamedBot};
use tengen::playout::Isa;
use tengen::search::ResourceFault;
use tengen::tournament::GameRow;
use tengen::tournament::{Tournament, play_games};

/// Cases of the property that `cargo test` tries, all instruction sets
/// together.
const CASES: u64 = 120;

/// A case takes a second or so: after so long it hangs.
const PATIENCE: Duration = Duration::from_secs(180);

/// Cases that may fail before no more are tried.
const MAX_FAILURES: usize = 5;

fn variable(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is `{text}`: write a number")),
        Err(_) => default,
    }
}

/// What is wrong with a case; silence if nothing is.
type Check = Arc<dyn Fn(&Case) -> Result<(), String> + Send + Sync>;

/// Tries the cases from `first` on, `count` of them, and panics with those that fail.
fn try_all(first: u64, count: u64, what: &str, check: &Check) {
    fragile::register().unwrap();
    let seed = variable("TENGEN_FUZZ_SEED", 1);
    if let Ok(line) = std::env::var("TENGEN_FUZZ_LINE") {
        let fault = fault(&mut draw(seed, 0).0, Just(Case::read(&line)), what, check);
        assert_eq!(fault, None);
        return;
    }
    let fails = |number: u64| -> Option<u64> {
        if number > first && number.is_multiple_of(100) {
            println!("case {number} of {}", first + count);
        }
        let (mut runner, drawn) = draw(seed, number);
        let case = drawn.current();
        let fault = fault(&mut runner, drawn, what, check)?;
        println!(
            "case {number} of TENGEN_FUZZ_SEED={seed}:\n{fault}\nas it was drawn:\n  {case}\n"
        );
        Some(number)
    };
    let numbers = (first..first + count).into_par_iter();
    let failures: Vec<u64> = numbers.filter_map(fails).take_any(MAX_FAILURES).collect();
    assert!(failures.is_empty(), "cases of seed {seed} that fail: {failures:?}");
    // Without the variable the program is tried on each instruction set.
    let isa = std::env::var(Isa::VARIABLE).unwrap_or_else(|_| "each instruction set".to_owned());
    println!("{count} cases from {first} on hold (seed {seed}, {isa})");
}

/// What is wrong with `case` or a simpler one, if it fails, and how that is tried again.
fn fault(
    runner: &mut TestRunner,
    case: impl ValueTree<Value = Case>,
    what: &str,
    check: &Check,
) -> Option<String> {
    let (fault, case) = match runner.run_one(case, |case| attempt(case, check)) {
        Ok(_) => return None,
        Err(TestError::Fail(fault, case)) => (fault, case),
        Err(TestError::Abort(why)) => return Some(why.to_string()),
    };
    let variable = std::env::var(Isa::VARIABLE);
    let isa = variable.map_or(String::new(), |isa| format!("{}={isa} ", Isa::VARIABLE));
    let fault = fault.message().replace('\n', "\n  ");
    Some(format!("  {isa}tournament {case}\n  {isa}TENGEN_FUZZ_LINE='{case}' {what}\n  {fault}"))
}

/// Checks `case` in a thread of its own: a panic or a hang is a fault too.
fn attempt(case: Case, check: &Check) -> TestCaseResult {
    if !case.is_valid() {
        return Err(TestCaseError::reject("invalid"));
    }
    let (sender, receiver) = channel();
    let check = Arc::clone(check);
    let thread = std::thread::spawn(move || {
        // If nobody waits any more the case has been given up.
        let _ = sender.send(check(&case));
    });
    match receiver.recv_timeout(PATIENCE) {
        Ok(result) => result.map_err(TestCaseError::fail),
        Err(RecvTimeoutError::Timeout) => {
            Err(TestCaseError::fail(format!("no end after {PATIENCE:?}")))
        }
        Err(RecvTimeoutError::Disconnected) => {
            resume_unwind(thread.join().expect_err("it sends nothing where it panics"))
        }
    }
}

/// The games `due` of `tournament`, played together.
fn together(
    tournament: &Tournament,
    threads: usize,
    due: &[usize],
) -> Result<Vec<GameRow>, String> {
    let mut found = Vec::new();
    play_games(tournament, threads, due, &AtomicBool::new(false), |played| {
        found.push(played.row.without_times());
        Ok::<(), ResourceFault>(())
    })
    .map_err(|fault| fault.to_string())?;
    found.sort_by_key(|played| played.game);
    Ok(found)
}

/// The property: alone, at one thread, at two, and what a resumed run plays.
fn games_together_are_the_games_alone(case: &Case) -> Result<(), String> {
    let tournament = case.tournament()?;
    let alone = alone::games(&tournament)?;
    let mut due: Vec<usize> = (0..alone.len()).collect();
    for threads in [1, 2] {
        let found = together(&tournament, threads, &due)?;
        alone::compare(&alone, &found)
            .map_err(|fault| format!("with --threads {threads} {fault}"))?;
    }
    due.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(tournament.seed));
    due.truncate(alone.len().div_ceil(2));
    let found = together(&tournament, 1, &due)?;
    let kept: Vec<GameRow> =
        alone.into_iter().filter(|played| due.contains(&played.game)).collect();
    alone::compare(&kept, &found).map_err(|fault| format!("of the games {due:?} {fault}"))
}

/// Tries the property on each instruction set of the machine, each in a
/// process of its own, since the environment chooses it.
#[test]
fn random_games_together_are_the_games_alone() {
    let isas = Isa::supported();
    let isas = match std::env::var(Isa::VARIABLE) {
        Ok(text) => vec![Isa::parse(&text).unwrap()],
        Err(_) => isas,
    };
    let cases = variable("TENGEN_FUZZ_CASES", CASES).div_ceil(isas.len() as u64);
    for (number, isa) in (0..).zip(isas) {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--ignored", "--nocapture", "random_games_of_this_process"])
            .env(Isa::VARIABLE, isa.to_string())
            .env("TENGEN_FUZZ_CASES", cases.to_string())
            .env("TENGEN_FUZZ_FIRST", (number * cases).to_string())
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        let [printed, faults] = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(output.status.success(), "{printed}{faults}");
        let hold = printed.contains("hold (seed") || std::env::var("TENGEN_FUZZ_LINE").is_ok();
        assert!(hold, "no case was tried: {printed}{faults}");
        print!("{printed}");
    }
}

#[test]
#[ignore = "a part of random_games_together_are_the_games_alone"]
fn random_games_of_this_process() {
    let first = variable("TENGEN_FUZZ_FIRST", 0);
    let count = variable("TENGEN_FUZZ_CASES", CASES);
    let check: Check = Arc::new(games_together_are_the_games_alone);
    try_all(first, count, "cargo test --test fuzz", &check);
}

/// The long form: `tests/fuzz.sh`.
#[test]
#[ignore = "takes a quarter of an hour; run tests/fuzz.sh"]
fn random_runs_of_the_program() {
    let program =
        std::env::var("TENGEN_FUZZ_PROGRAM").map(PathBuf::from).expect("tests/fuzz.sh builds it");
    assert!(program.exists(), "there is no {}", program.display());
    let count = variable("TENGEN_FUZZ_CASES", 2_000);
    let check: Check = Arc::new(move |case: &Case| program::check(&program, case));
    try_all(variable("TENGEN_FUZZ_FIRST", 0), count, "tests/fuzz.sh", &check);
}

#[test]
fn every_setting_is_drawn() {
    fragile::register().unwrap();
    let complete = "uct".parse::<BotConfig>().unwrap().complete();
    let (_, settings) = complete.split_once(':').unwrap();
    // These are written only where they are set.
    let known: BTreeSet<&str> = settings
        .split(',')
        .filter_map(|setting| Some(setting.split_once('=')?.0))
        .chain(["sharing", "evaluator"])
        .collect();
    let expected: BTreeSet<&str> =
        SETTINGS.iter().map(|(key, _)| *key).chain(["simulations"]).collect();
    assert_eq!(expected, known, "a new setting needs a line in tests/fuzz/case.rs");
    assert!(SETTINGS.iter().all(|(_, values)| values.len() > 1));
    // Each value comes up in a valid bot.
    let cases = 2_000;
    let mut found = BTreeSet::new();
    for case in (0..cases).map(|number| draw(9, number).1.current()) {
        assert_eq!(Case::read(&format!("tournament {case} --threads 2")), case);
        for (_, bot) in case.options.iter().filter(|(key, _)| key == "bot") {
            let named: NamedBot = bot.parse().unwrap();
            assert_eq!(named.config.to_string().parse().as_ref(), Ok(&named.config));
            assert_eq!(toml::from_str(&toml::to_string(&named).unwrap()).as_ref(), Ok(&named));
        }
        let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
        found.extend(case.settings().map(owned));
    }
    for (key, values) in SETTINGS {
        for value in values {
            let pair = (key.to_owned(), value.split(',').next().unwrap().to_owned());
            assert!(found.contains(&pair), "{key}={value} is in none of {cases} cases");
        }
    }
}
