//! Commands that another process calls inside itself.

use crate::common::{Csv, Scratch, TOURNAMENT, printed};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tengen::commands::{self, Caller, Failure, Host, Shown, Units};
use tengen::run::FileFault;

/// A process that notes what it is told, and asks to stop after some units.
#[derive(Default)]
struct Notes {
    stop: Arc<AtomicBool>,
    stops_after: Option<usize>,
    said: RefCell<Vec<String>>,
    shown: Arc<Mutex<Vec<Units>>>,
    folder: RefCell<PathBuf>,
}

impl Caller for Notes {
    fn stop(&self) -> anyhow::Result<Arc<AtomicBool>> {
        Ok(Arc::clone(&self.stop))
    }

    fn say(&self, line: &str) {
        self.said.borrow_mut().push(line.to_owned());
    }

    fn shows(&self, units: &Units) -> Shown {
        let (shown, stop, most) =
            (Arc::clone(&self.shown), Arc::clone(&self.stop), self.stops_after);
        shown.lock().unwrap().push(units.clone());
        Box::new(move |units| {
            shown.lock().unwrap().push(units.clone());
            stop.fetch_or(most.is_some_and(|most| units.done >= most), Ordering::Relaxed);
        })
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn is_watching(&self) -> bool {
        true
    }

    fn works_in(&self, folder: &Path) {
        *self.folder.borrow_mut() = folder.to_path_buf();
    }
}

impl Notes {
    fn stopping_after(units: usize) -> Self {
        Self { stops_after: Some(units), ..Self::default() }
    }

    /// What the command of `line` prints.
    fn call(&self, line: &str) -> Result<String, Failure> {
        let mut output = Vec::new();
        let words = shell_words::split(line).unwrap();
        commands::call(words, &mut Host { output: &mut output, caller: self })?;
        Ok(String::from_utf8(output).unwrap())
    }
}

const LINE: &str =
    "--size 4 --pairs 3 --threads 2 --bot random --bot uct:simulations=20 --bot two-ply";

#[test]
fn a_called_tournament_is_that_of_the_program() {
    let folder = Scratch::new();
    let path = |name: &str| folder.join(name);
    let table = printed(TOURNAMENT, &folder, &format!("{LINE} --out run"));
    let notes = Notes::default();
    let wanted = path("called");
    let called = notes.call(&format!("tournament {LINE} --out {}", wanted.display())).unwrap();
    assert_eq!(*notes.folder.borrow(), wanted);
    let rows = |name| Csv::read(&path(name).join("games.csv")).without("seconds");
    assert_eq!(rows("called"), rows("run"));
    assert_eq!(called.lines().next(), table.lines().next());
    assert_eq!(called.lines().count(), table.lines().count());
    let shown = notes.shown.lock().unwrap();
    assert_eq!(shown.len(), 19);
    let last = shown.last().unwrap();
    assert_eq!((last.done, last.all, last.name.as_str()), (18, 18, "games"));
    assert!(last.message.contains("leads with"), "{}", last.message);
    assert!(notes.said.borrow().is_empty());
}

#[test]
fn a_called_tournament_is_stopped_and_resumed() {
    let folder = Scratch::new();
    let out = folder.join("run");
    let out = out.display();
    let failure = Notes::stopping_after(4).call(&format!("tournament {LINE} --out {out}"));
    let failure = failure.unwrap_err();
    assert!(matches!(failure, Failure::Work(_)));
    assert!(failure.to_string().contains(&format!("go on with --resume {out}")), "{failure}");
    let there = std::fs::read_to_string(folder.join("run/games.csv")).unwrap();
    assert!((5..19).contains(&there.lines().count()), "{there}");
    let notes = Notes::default();
    notes.call(&format!("tournament --resume {out}")).unwrap();
    printed(TOURNAMENT, &folder, &format!("{LINE} --out whole"));
    let rows = |name| Csv::read(&folder.join(name).join("games.csv")).without("seconds");
    assert_eq!(rows("run"), rows("whole"));
    assert!(notes.shown.lock().unwrap()[0].done >= 4);
}

#[test]
fn what_a_call_refuses_is_one_line() {
    let notes = Notes::default();
    let refused = |line: &str, named: &str| match notes.call(line).unwrap_err() {
        Failure::Usage(said) | Failure::File(FileFault { said, is_input: true, .. }) => {
            assert!(said.contains(named), "{line}: {said}");
        }
        failure => panic!("{line}: {failure}"),
    };
    refused("tournament --pears 3", "'--pears'");
    refused("tournament --size 99", "99");
    refused("tourney", "tourney");
    refused("", "a command is missing");
    refused("gtp", "needs a process of its own");
    refused("play", "needs a process of its own");
    refused("tournament --resume /nowhere", "/nowhere");
    let help = notes.call("tune --help").unwrap();
    assert!(help.contains("--synthetic") && !help.contains('\u{1b}'), "{help}");
}

#[test]
fn a_called_solver_says_its_progress_and_stops() {
    let notes = Notes::default();
    let solved = notes.call("solve --size 3 --json").unwrap();
    assert!(solved.contains("\"value\":9,"), "{solved}");
    assert!(notes.said.borrow()[0].starts_with("depth "), "{:?}", notes.said);
    notes.stop.store(true, Ordering::Relaxed);
    let mut output = Vec::new();
    let words = ["solve", "--size", "5x4", "--json"].map(str::to_owned);
    let failure =
        commands::call(words, &mut Host { output: &mut output, caller: &notes }).unwrap_err();
    assert!(failure.to_string().contains("stopped before the end"), "{failure}");
    let printed = String::from_utf8(output).unwrap();
    assert!(printed.contains("\"status\":\"interrupted\""), "{printed}");
}

#[test]
fn a_called_measurement_stops() {
    let notes = Notes::stopping_after(1);
    let failure = notes.call("scaling --part speed --size 3 --simulations 10").unwrap_err();
    assert_eq!(failure.to_string(), "stopped before the end");
    assert_eq!(notes.shown.lock().unwrap().len(), 2);
    let failure = notes.call("playouts --size 3 --playouts 64").unwrap_err();
    assert_eq!(failure.to_string(), "stopped before the end");
}

#[test]
fn a_called_tuning_stops_in_its_validation_and_goes_on() {
    let folder = Scratch::new();
    let out = folder.join("run");
    let line = format!(
        "--size 3 --games 20 --validation 10 --bot uct:simulations=5 --param exploration=0.1..1 \
         --out {}",
        out.display()
    );
    // 20 games of the tuning come before, of which the flag is asked too.
    let notes = Notes::stopping_after(20);
    let failure = notes.call(&format!("tune {line}")).unwrap_err().to_string();
    assert!(failure.contains("go on with --resume"), "{failure}");
    let called = Notes::default().call(&format!("tune --resume {}", out.display())).unwrap();
    assert!(called.contains("tuned bot: "), "{called}");
    assert!(out.join("validation/games.csv").exists());
}
