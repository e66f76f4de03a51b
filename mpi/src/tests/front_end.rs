//! A front end: with ranks that search, and with programs in their place that end or fall
//! silent.

use super::{Ranks, position, ranks, uct, untimed};
use crate::{FrontEnd, Notes, StartFault, serve};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tengen_go::Game;
use tengen_gtp::Launch;
use tengen_search::{SearchReport, UctConfig, shared};

fn launch(script: &str) -> Launch {
    Launch {
        words: ["sh", "-c", script].map(str::to_owned).to_vec(),
        environment: Vec::new(),
        working_directory: None,
        answer_bytes: 1 << 24,
        log: None,
    }
}

/// What is said to the user, as it is collected.
type Said = Arc<Mutex<Vec<String>>>;

fn front_end(script: &str, patience: Duration) -> (FrontEnd, usize, Said) {
    let said = Said::default();
    let taken = Arc::clone(&said);
    let note = Box::new(move |note| taken.lock().unwrap().push(note));
    let (front_end, ranks) = FrontEnd::start(&launch(script), patience, note).unwrap();
    (front_end, ranks, said)
}

fn alone(game: &Game, config: &UctConfig, workers: u32, seed: u64) -> SearchReport {
    let config = UctConfig { workers, ..config.clone() };
    untimed(&shared::search(game, &config, seed, Vec::new(), None).unwrap().0)
}

#[test]
fn a_front_end_finds_what_workers_find() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name| folder.path().join(name);
    let pipes = [path("commands"), path("answers")];
    assert!(Command::new("mkfifo").args(&pipes).status().unwrap().success());
    let [commands, answers] = pipes.clone();
    let service = thread::spawn(move || {
        let Ranks { mut coordinator, .. } = ranks(3);
        let input = BufReader::new(File::open(commands).unwrap());
        let mut output = File::create(answers).unwrap();
        let served = serve(&mut coordinator, 3, &Notes::default(), input, &mut output);
        // The front end need not wait for the answer to its last command.
        let fault = served.err().map(|fault| fault.kind());
        assert!(fault.is_none_or(|kind| kind == ErrorKind::BrokenPipe), "{fault:?}");
        coordinator.quit()
    });
    let [commands, answers] = pipes.map(|path| path.display().to_string());
    let script = format!("cat '{answers}' & exec cat >'{commands}'");
    let (mut front_end, ranks, said) = front_end(&script, Duration::from_secs(60));
    assert_eq!(ranks, 3);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for seed in 0..12 {
        let game = position(&mut random);
        let settings = ["simulations=203", "simulations=301,sharing=upper-tree:10:0.05:3"];
        let config = uct(settings[usize::from(seed % 2 == 1)]);
        let together =
            front_end.search(&game, &UctConfig { workers: 3, ..config.clone() }, seed).unwrap();
        assert_eq!(untimed(&together), alone(&game, &config, 3, seed), "{}", game.board());
    }
    drop(front_end);
    assert!(service.join().unwrap());
    assert_eq!(*said.lock().unwrap(), [""; 0]);
}

#[test]
fn the_ranks_answer_with_the_number_of_the_command_until_quit() {
    let said = |input: &str| {
        let Ranks { mut coordinator, .. } = ranks(2);
        let mut output = Vec::new();
        serve(&mut coordinator, 2, &Notes::default(), input.as_bytes(), &mut output).unwrap();
        coordinator.quit();
        String::from_utf8(output).unwrap()
    };
    assert_eq!(
        said("7 ranks\n8 dance\n9 quit\n10 ranks\n"),
        "=7 2\n\n?8 unknown command\n\n=9\n\n"
    );
    assert_eq!(said("quit\n10 ranks\n"), "=\n\n");
}

/// Answers the next command with what follows.
const ANSWER: &str = "answer() { read -r id rest; printf '=%s %s\\n\\n' \"$id\" \"$1\"; };";

#[test]
fn a_front_end_goes_on_alone_when_the_ranks_end() {
    let script = format!(
        "{ANSWER} answer 4; answer ''; answer '{{\"notes\":[\"rank 2 is slow\"],\"found\":null}}'; \
         echo 'a process has died' >&2; echo ---- >&2; exit 3"
    );
    let (mut front_end, ranks, said) = front_end(&script, Duration::from_secs(60));
    assert_eq!(ranks, 4);
    let game = position(&mut Xoshiro256PlusPlus::seed_from_u64(7));
    let config = UctConfig { workers: 4, ..uct("simulations=200") };
    for seed in 1..3 {
        let report = front_end.search(&game, &config, seed).unwrap();
        assert_eq!(untimed(&report), alone(&game, &config, 1, seed));
    }
    assert_eq!(
        *said.lock().unwrap(),
        [
            "rank 2 is slow",
            "the ranks are lost: it ended by itself (exit status: 3); its last words: a process \
             has died",
            "this process searches alone from now on"
        ]
    );
}

#[test]
fn a_front_end_goes_on_alone_when_the_ranks_fall_silent() {
    let patience = Duration::from_millis(500);
    let (mut front_end, _, said) =
        front_end(&format!("{ANSWER} answer 2; answer ''; exec sleep 600"), patience);
    let game = position(&mut Xoshiro256PlusPlus::seed_from_u64(7));
    let config = UctConfig { workers: 2, ..uct("simulations=50") };
    let report = front_end.search(&game, &config, 1).unwrap();
    assert_eq!(untimed(&report), alone(&game, &config, 1, 1));
    assert_eq!(said.lock().unwrap()[0], "the ranks are lost: no answer within 1.5 s");
}

#[test]
fn a_search_that_ranks_cannot_make_leaves_them_for_the_next() {
    let script = format!(
        "{ANSWER} answer 2; answer ''; answer '{{\"notes\":[],\"failure\":\"out of memory\"}}'; \
         answer ''; answer '{{\"notes\":[\"the second\"],\"failure\":\"out of memory\"}}'; read -r quit"
    );
    let (mut front_end, _, said) = front_end(&script, Duration::from_secs(60));
    let game = position(&mut Xoshiro256PlusPlus::seed_from_u64(7));
    let config = UctConfig { workers: 2, ..uct("simulations=50") };
    for seed in 1..3 {
        let report = front_end.search(&game, &config, seed).unwrap();
        assert_eq!(untimed(&report), alone(&game, &config, 1, seed));
    }
    let alone = "this process searches alone for this move: out of memory";
    assert_eq!(*said.lock().unwrap(), [alone, "the second", alone]);
}

#[test]
fn a_front_end_without_ranks_says_why() {
    let start = |script: &str| {
        let started = FrontEnd::start(&launch(script), Duration::from_secs(1), Box::new(drop));
        started.map(|(_, ranks)| ranks).unwrap_err()
    };
    let ended = start("echo 'no such host' >&2; exit 1");
    assert!(matches!(ended, StartFault::Ranks(_)), "{ended}");
    assert!(ended.to_string().ends_with("its last words: no such host"), "{ended}");
    let other = start(&format!("{ANSWER} answer many; read -r quit"));
    assert_eq!(other.to_string(), "the ranks do not start: invalid number of ranks `many`");
}
