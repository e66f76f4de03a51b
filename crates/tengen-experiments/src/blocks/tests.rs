//! Runs over an executor that delays, reorders, loses, doubles and falsifies answers.

use super::*;
use crate::run::{Build, Concurrency, Experiment, MANIFEST, Manifest, RunError, make_part};
use crate::tournament::{GameRow, Outcome, Tournament};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What goes wrong, each with a probability.
#[derive(Clone, Copy, Default)]
struct Faults {
    lost: f64,
    failed: f64,
    doubled: f64,
    damaged: f64,
    /// Worker processes of which the first lies.
    liars: usize,
}

/// A block that was submitted.
type Submitted = (Ticket, Vec<u8>);

/// Makes blocks in this process, in the place of `processes` others.
struct Unreliable {
    faults: Faults,
    processes: usize,
    queue: Mutex<(Xoshiro256PlusPlus, Vec<Submitted>)>,
    submitted: AtomicUsize,
    /// How a block arrives.
    arrives: fn(Vec<u8>) -> Vec<u8>,
    /// What a process says of itself.
    says: fn(&mut Process),
}

impl Unreliable {
    fn new(seed: u64, processes: usize, faults: Faults) -> Self {
        let queue = Mutex::new((Xoshiro256PlusPlus::seed_from_u64(seed), Vec::new()));
        let (submitted, arrives, says) = (AtomicUsize::new(0), |block| block, |_: &mut _| {});
        Self { faults, processes, queue, submitted, arrives, says }
    }
}

impl Executor for Unreliable {
    fn submit(&self, ticket: Ticket, block: Vec<u8>, _: Option<&Process>) {
        self.submitted.fetch_add(1, Ordering::Relaxed);
        let (rng, queue) = &mut *self.queue.lock().unwrap();
        if !rng.random_bool(self.faults.lost) {
            queue.push((ticket, (self.arrives)(block)));
        }
    }

    fn cancel(&self, ticket: Ticket) {
        self.queue.lock().unwrap().1.retain(|(other, _)| *other != ticket);
    }

    fn next(&self, patience: Duration) -> Option<(Ticket, Result<Vec<u8>, String>)> {
        let (rng, queue) = &mut *self.queue.lock().unwrap();
        if queue.is_empty() {
            std::thread::sleep(patience.min(Duration::from_millis(5)));
            return None;
        }
        let place = rng.random_range(0..queue.len());
        let (ticket, block) = queue.swap_remove(place);
        if rng.random_bool(self.faults.doubled) {
            queue.push((ticket, block.clone()));
        }
        if rng.random_bool(self.faults.failed) {
            return Some((ticket, Err("the worker died".to_owned())));
        }
        let number = rng.random_range(0..self.processes);
        let mut answer = Answer::read(&make(&block)).unwrap();
        if let Answer::Made { process, rows, .. } = &mut answer {
            process.process = format!("worker-{number}");
            (self.says)(process);
            if number < self.faults.liars {
                *rows = falsified(rows);
            }
        }
        let mut bytes = answer.to_bytes();
        if rng.random_bool(self.faults.damaged) {
            bytes.truncate(bytes.len() / 2);
        }
        Some((ticket, Ok(bytes)))
    }

    fn processes(&self) -> usize {
        self.processes
    }
}

/// `rows` with the winners exchanged, as whole lines with right checks.
fn falsified(rows: &str) -> String {
    let parsed = crate::run::rows::parse::<GameRow>(rows.as_bytes(), Path::new("x")).unwrap();
    let other = parsed.into_iter().map(|signed| match signed.row.outcome {
        Outcome::Black => (Outcome::White, signed.row),
        Outcome::White => (Outcome::Black, signed.row),
        outcome => (outcome, signed.row),
    });
    let other: Vec<GameRow> = other
        .map(|(outcome, row)| GameRow { outcome, score: row.score.map(|score| -score), ..row })
        .collect();
    crate::run::rows::to_csv(other.iter().map(|row| (row, None)), true).unwrap()
}

/// The rows of `tournament` without times, and the warnings and manifest of its run.
type Played = (Vec<GameRow>, Vec<String>, Manifest);

fn try_played(
    tournament: &Tournament,
    executor: Option<Arc<Unreliable>>,
    settings: BlockSettings,
) -> Result<Played, RunError> {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("run");
    let said = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&said);
    let blocks = executor.map(|executor| {
        Blocks::new(executor, settings, move |line| heard.lock().unwrap().push(line.to_owned()))
    });
    let on = Concurrency { blocks: blocks.as_ref(), ..Concurrency::from(1) };
    let (build, stop) = (Build::default(), AtomicBool::new(false));
    let rows = make_part(tournament, &folder, &build, on, &stop, |_| {})?.unwrap();
    let manifest = Manifest::read(&folder.join(MANIFEST)).unwrap();
    let said = said.lock().unwrap().clone();
    Ok((rows.into_iter().map(GameRow::without_times).collect(), said, manifest))
}

fn played(
    tournament: &Tournament,
    executor: Option<Unreliable>,
    settings: BlockSettings,
) -> Played {
    try_played(tournament, executor.map(Arc::new), settings).unwrap()
}

fn tournament(text: &str) -> Tournament {
    text.parse().unwrap()
}

const THREE: &str = "size = '5x5'\npairs = 6\nbot = ['uct:simulations=20', 'b=random', 'two-ply']";
const TEST: &str = "size = '5x5'\nbot = ['uct:simulations=20', 'random']\n\
                    [sprt]\nelo0 = 0\nelo1 = 60\n";

#[test]
fn rows_are_those_of_one_process_whatever_happens_to_blocks() {
    let impatient =
        || BlockSettings { patience: Some(Duration::from_millis(30)), ..BlockSettings::default() };
    for text in [THREE, TEST] {
        let tournament = tournament(text);
        let (wanted, ..) = played(&tournament, None, BlockSettings::default());
        for seed in 0..6 {
            let faults = Faults { lost: 0.1, failed: 0.1, doubled: 0.2, damaged: 0.05, liars: 0 };
            let units = [None, Some(1), Some(3)][seed % 3];
            let settings = BlockSettings { units, ..impatient() };
            let executor = Unreliable::new(seed as u64, 1 + seed, faults);
            let (rows, said, manifest) = played(&tournament, Some(executor), settings);
            assert_eq!(rows, wanted, "seed {seed}");
            assert!(said.iter().all(|line| line.contains("a block failed")), "{said:?}");
            let made: usize = manifest.sessions[0].hosts.iter().map(|host| host.units).sum();
            assert!(made >= wanted.len(), "{made} units of {}", wanted.len());
        }
    }
}

#[test]
fn a_liar_is_named_and_what_it_made_is_made_again() {
    for (seed, text) in (0..8).flat_map(|seed| [(seed, THREE), (seed, TEST)]) {
        let tournament = tournament(text);
        let (wanted, ..) = played(&tournament, None, BlockSettings::default());
        let faults = Faults { liars: 1, ..Faults::default() };
        let executor = Unreliable::new(seed, 3, faults);
        let settings = BlockSettings { audit: 1.0, units: Some(2), ..BlockSettings::default() };
        let (rows, said, manifest) = played(&tournament, Some(executor), settings);
        assert_eq!(rows, wanted, "seed {seed}");
        let named: HashSet<&str> = said.iter().filter_map(|line| line.split(' ').nth(2)).collect();
        assert_eq!(named, HashSet::from(["worker-0"]), "{said:?}");
        let differing: usize = manifest.sessions[0].hosts.iter().map(|host| host.differing).sum();
        assert!(differing >= 1);
    }
}

#[test]
fn without_an_audit_a_lie_stays() {
    let tournament = tournament(THREE);
    let (wanted, ..) = played(&tournament, None, BlockSettings::default());
    let faults = Faults { liars: 1, ..Faults::default() };
    let executor = Unreliable::new(1, 3, faults);
    let (rows, ..) = played(&tournament, Some(executor), BlockSettings::default());
    assert_ne!(rows, wanted, "the test above could not fail");
}

#[test]
fn settings_travel_once_for_each_process() {
    // This process knows the settings after the first block.
    let text = THREE.replace("pairs = 6", "pairs = 7\nseed = 99");
    let tournament = tournament(&text);
    let executor = Arc::new(Unreliable::new(1, 2, Faults::default()));
    let settings = BlockSettings { units: Some(2), ..BlockSettings::default() };
    let (rows, ..) = try_played(&tournament, Some(Arc::clone(&executor)), settings).unwrap();
    let blocks = rows.len() / 2;
    let submitted = executor.submitted.load(Ordering::Relaxed);
    assert!((blocks + 1..=blocks + 3).contains(&submitted), "{submitted} for {blocks} blocks");
}

/// A block with a signature of the coordinator that no program has.
fn of_another_program(block: Vec<u8>) -> Vec<u8> {
    let text = String::from_utf8(block).unwrap();
    let (head, parts) = text.split_once('\n').unwrap();
    let Some(place) = parts.find("\"signature\":\"") else { return text.into_bytes() };
    let mut parts = parts.to_owned();
    parts.replace_range(place + 13..place + 29, "0123456789abcdef");
    let part = Part::of(parts.clone().into_bytes());
    let block: Block = serde_json::from_str(head).unwrap();
    format!("{}\n{parts}", head.replace(&block.settings, &part.digest)).into_bytes()
}

#[test]
fn a_program_that_plays_otherwise_refuses() {
    let tournament = tournament(&THREE.replace("pairs = 6", "pairs = 3\nseed = 5"));
    let executor = Unreliable::new(1, 2, Faults::default());
    let executor = Arc::new(Unreliable { arrives: of_another_program, ..executor });
    let made = try_played(&tournament, Some(executor), BlockSettings::default());
    let said = made.unwrap_err().to_string();
    assert!(said.contains("bot uct:simulations=20 plays otherwise in this program"), "{said}");
    assert!(said.contains("and not 0123456789abcdef"), "{said}");
}

#[test]
fn a_block_that_always_fails_stops_the_run_and_a_deaf_executor_too() {
    for (faults, patience, expected) in [
        (
            Faults { failed: 1.0, ..Faults::default() },
            9_000,
            "a block failed 8 times, at last: the worker died",
        ),
        (Faults { lost: 1.0, ..Faults::default() }, 10, "nobody answers"),
    ] {
        let (patience, retry) = (Some(Duration::from_millis(patience)), Duration::from_micros(10));
        let settings = BlockSettings { patience, retry, ..BlockSettings::default() };
        let executor = Some(Arc::new(Unreliable::new(1, 2, faults)));
        let said = try_played(&tournament(THREE), executor, settings).unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn clocks_on_unlike_processors_are_refused() {
    let tournament = tournament("size = '3x3'\npairs = 8\nbot = ['uct:seconds=0.001', 'random']");
    let made = |mixed_hosts: bool| {
        let executor = Unreliable::new(1, 2, Faults::default());
        let says = |process: &mut Process| process.cpu.clone_from(&process.process);
        let executor = Arc::new(Unreliable { says, ..executor });
        let settings = BlockSettings { mixed_hosts, ..BlockSettings::default() };
        try_played(&tournament, Some(executor), settings)
    };
    assert!(made(false).unwrap_err().to_string().contains("the processors differ"));
    assert_eq!(Some(made(true).unwrap().0.len()), tournament.units());
}
