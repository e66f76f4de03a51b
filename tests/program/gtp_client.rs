//! Programs that answer, and programs that do not.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tengen::gtp::{Client, Fault, Launch};

const LIMIT: Duration = Duration::from_secs(10);

fn launch(how: &str) -> Launch {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/engine.sh");
    Launch {
        words: vec!["sh".into(), engine.display().to_string(), how.into()],
        environment: Vec::new(),
        working_directory: None,
        answer_bytes: 1 << 16,
        log: None,
    }
}

fn shell(script: &str) -> Launch {
    Launch { words: vec!["sh".into(), "-c".into(), script.into()], ..launch("") }
}

/// Whether a process of the group still runs; zombies do not.
#[cfg(target_os = "linux")]
fn group_lives(group: u32) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    processes.flatten().any(|process| {
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // After the name in parentheses: state, parent, group.
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let state = fields.next().unwrap_or_default();
        state != "Z" && fields.nth(1) == Some(&group.to_string())
    })
}

#[cfg(not(target_os = "linux"))]
fn group_lives(_: u32) -> bool {
    false
}

/// Whether nothing is left of the group; a kill takes a moment to arrive.
fn group_is_gone(group: u32) -> bool {
    let deadline = Instant::now() + LIMIT;
    while group_lives(group) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    !group_lives(group)
}

/// What becomes of `genmove b`; and that nothing is left of the program.
fn outcome(launch: &Launch, limit: Duration) -> Result<String, Fault> {
    let mut client = Client::start(launch).unwrap();
    let group = client.process_group();
    let answer = client.ask("genmove b", limit);
    if let Err(fault) = &answer
        && !matches!(fault, Fault::Refused(_))
    {
        assert!(!client.is_well());
        assert!(group_is_gone(group), "{fault}");
        assert_eq!(client.ask("name", limit).as_ref(), Err(fault), "a dead program stays dead");
    }
    drop(client);
    assert!(group_is_gone(group));
    answer
}

#[test]
fn a_program_answers_and_quits() {
    let mut client = Client::start(&launch("good")).unwrap();
    let group = client.process_group();
    assert_eq!(client.ask("genmove b", LIMIT), Ok("pass".into()));
    assert_eq!(client.ask("play b D4\n", LIMIT), Ok("b D4".into()));
    assert!(client.ask("list_commands", LIMIT).unwrap().contains("\ngenmove\n"));
    let started = Instant::now();
    drop(client);
    assert!(started.elapsed() < Duration::from_secs(2), "it quits when told");
    assert!(group_is_gone(group));
}

#[test]
fn faults_are_told_apart() {
    let of = |how| outcome(&launch(how), LIMIT).unwrap_err();
    for how in ["crash", "crash-at-start"] {
        let Fault::Crashed { how, said } = of(how) else { panic!("{how}") };
        assert!(how.contains('7'), "{how}");
        assert_eq!(said, "out of luck");
    }
    let Fault::Crashed { how, .. } = of("killed") else { panic!() };
    assert!(how.contains("11"), "{how}");
    assert!(matches!(of("unfinished"), Fault::Crashed { .. }));
    for how in ["garbage", "garbage-at-start"] {
        assert_eq!(of(how), Fault::Garbage("hello there".into()));
    }
    assert_eq!(of("refuse"), Fault::Refused("I would rather not".into()));
    for how in ["flood", "flood-at-start", "blank", "blank-at-start"] {
        assert_eq!(of(how), Fault::Flooded { bytes: 1 << 16 }, "{how}");
    }
    let Fault::Crashed { how, .. } = of("mute") else { panic!() };
    assert!(how.contains("lived on"), "{how}");
}

#[test]
fn silence_ends_with_the_limit() {
    let limit = Duration::from_millis(300);
    for how in ["hang", "hang-at-start", "slow", "deaf-at-start"] {
        let started = Instant::now();
        assert_eq!(outcome(&launch(how), limit), Err(Fault::TimedOut { limit }), "{how}");
        assert!(started.elapsed() < Duration::from_secs(3), "{how}");
    }
}

#[test]
fn a_program_that_leaves_a_child_at_its_output_has_ended() {
    let started = Instant::now();
    assert!(matches!(outcome(&launch("child"), LIMIT), Err(Fault::Crashed { .. })));
    assert!(started.elapsed() < Duration::from_secs(3));
}

#[test]
fn what_nobody_asked_for_is_garbage() {
    // Whether it has arrived when the next command is sent, or not yet.
    let mut client = Client::start(&launch("twice")).unwrap();
    assert_eq!(client.ask("genmove b", LIMIT), Ok("pass".into()));
    let fault = client.ask("name", LIMIT).unwrap_err();
    assert!(matches!(&fault, Fault::Garbage(text) if text.contains("not asked")), "{fault}");
    let mut client = Client::start(&launch("answers-at-start")).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(matches!(client.ask("name", LIMIT), Err(Fault::Garbage(_))));
}

#[test]
fn standard_error_does_not_block() {
    let mut client = Client::start(&launch("chatty")).unwrap();
    for _ in 0..3 {
        client.ask("komi 7.5", LIMIT).unwrap();
    }
}

#[test]
fn a_program_that_does_not_quit_is_killed_with_its_children() {
    let mut client = Client::start(&launch("stubborn")).unwrap();
    client.ask("name", LIMIT).unwrap();
    let group = client.process_group();
    drop(client);
    assert!(group_is_gone(group));
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
    let scratch = tempfile::tempdir().unwrap();
    let script = "read -r line; printf '= %s|%s|%s|%s\\n\\n' \"$line\" \"$0\" \"$COLOUR\" \"$PWD\"";
    let mut launch = shell(script);
    launch.words.push("two  words; $HOME".into());
    launch.environment.push(("COLOUR".into(), "a b".into()));
    launch.working_directory = Some(scratch.path().canonicalize().unwrap());
    let mut client = Client::start(&launch).unwrap();
    let folder = launch.working_directory.unwrap();
    let expected = format!("1 genmove b|two  words; $HOME|a b|{}", folder.display());
    assert_eq!(client.ask("genmove b", LIMIT), Ok(expected));
}

#[test]
fn the_log_holds_the_dialogue() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("logs/game.log");
    let mut client = Client::start(&Launch { log: Some(path.clone()), ..launch("crash") }).unwrap();
    client.ask("komi 5", LIMIT).unwrap();
    client.ask("genmove b", LIMIT).unwrap_err();
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().map(|line| line[10..].trim()).collect();
    assert!(lines[0].starts_with("-> # sh "), "{text}");
    assert_eq!(
        lines[1..5],
        ["-> 1 komi 5", "<- =1 5", "-> 2 genmove b", "!! out of luck"],
        "{text}"
    );
    assert!(lines[5].contains("ended by itself"), "{text}");
}
