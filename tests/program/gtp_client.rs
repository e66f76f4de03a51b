//! Programs that answer, and programs that do not.

use crate::common::Scratch;
use crate::gtp_match::engine;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tengen::gtp::{Client, Fault, Launch};

const LIMIT: Duration = Duration::from_secs(10);

fn launch(how: &str) -> Launch {
    Launch {
        words: vec!["sh".into(), engine().display().to_string(), how.into()],
        environment: Vec::new(),
        working_directory: None,
        answer_bytes: 1 << 16,
        log: None,
    }
}

#[test]
fn a_dead_program_stays_dead() {
    let limit = Duration::from_millis(300);
    let started = Instant::now();
    for (how, limit, fault) in [
        ("slow", limit, Fault::TimedOut { limit }),
        ("deaf-at-start", limit, Fault::TimedOut { limit }),
        ("blank-at-start", LIMIT, Fault::Flooded { bytes: 1 << 16 }),
        ("garbage-at-start", LIMIT, Fault::Garbage("hello there".into())),
    ] {
        let mut client = Client::start(&launch(how)).unwrap();
        for command in ["genmove b", "name"] {
            assert_eq!(client.ask(command, limit).as_ref(), Err(&fault), "{how}");
        }
        assert!(!client.is_well());
    }
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_failed_start_names_the_program() {
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    for (wrong, fault) in [
        (Launch { words: words(&["no-such-engine"]), ..launch("") }, "no-such-engine"),
        (Launch { words: words(&["/etc/passwd"]), ..launch("") }, "/etc/passwd"),
        (Launch { words: Vec::new(), ..launch("") }, "empty"),
        (
            Launch { working_directory: Some(PathBuf::from("/no/such/folder")), ..launch("") },
            "invalid working directory /no/such/folder",
        ),
        (Launch { log: Some(PathBuf::from("/proc/no/log")), ..launch("") }, "/proc/no/log"),
    ] {
        let text = Client::start(&wrong).err().unwrap().to_string();
        assert!(text.contains(fault), "{text}");
    }
}

#[test]
fn words_environment_and_folder_arrive_as_they_are() {
    let scratch = Scratch::new();
    let script = "read -r line; printf '= %s|%s|%s|%s\\n\\n' \"$line\" \"$0\" \"$COLOUR\" \"$PWD\"";
    let mut launch = launch("");
    launch.words = ["sh", "-c", script, "two  words; $HOME"].map(str::to_owned).to_vec();
    launch.environment.push(("COLOUR".into(), "a b".into()));
    launch.working_directory = Some(scratch.canonicalize().unwrap());
    let mut client = Client::start(&launch).unwrap();
    let folder = launch.working_directory.unwrap();
    let expected = format!("1 genmove b|two  words; $HOME|a b|{}", folder.display());
    assert_eq!(client.ask("genmove b", LIMIT), Ok(expected));
}
