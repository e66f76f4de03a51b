//! Engines of a run that is starved of files, interrupted or killed.

use crate::gtp_match::{MARK, alive, assert_none_alive, engine, resumed, run};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tengen::tournament::Termination;

/// A lack of ours is nobody's loss: the run stops, says what is lacking, and
/// can go on.
#[cfg(unix)]
#[test]
fn without_file_descriptors_the_run_stops() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("run");
    let bots = ["a", "b"].map(|name| format!("{name}=gtp:sh '{}' good", engine().display()));
    let mut program = Command::new("sh");
    program.args(["-c", "ulimit -n 16; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tournament")]);
    let arguments =
        ["--size", "5", "--pairs", "8", "--threads", "8", "--bot", &bots[0], "--bot", &bots[1]];
    let (code, errors) = run(&folder, &mut program, &arguments);
    assert_eq!((code, errors.len()), (Some(1), 1), "{errors:?}");
    for word in ["out of file descriptors", "ulimit -n", "--threads", " of 16 games", "--resume"] {
        assert!(errors[0].contains(word), "{word}: {errors:?}");
    }
    let rows = crate::common::rows(&folder);
    assert!(rows.iter().all(|row| row.termination == Termination::Passes), "{rows:?}");
    let rows = resumed(&folder);
    assert_eq!(rows.len(), 16);
    assert!(rows.iter().all(|row| row.termination == Termination::Passes), "{rows:?}");
}

/// An engine that is killed from outside, one whose program goes away, and one
/// whose log cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn what_is_not_the_engines_doing_is_not_its_loss() {
    // It starts for the preflight and two games.
    const GONE: &str = "echo >> \"$0.starts\"\n[ $(wc -l < \"$0.starts\") -lt 3 ] || rm \"$0\"";
    let scratch = tempfile::tempdir().unwrap();
    let script = scratch.path().join("engine");
    let write_script = |how: &str, first: &str| {
        use std::os::unix::fs::PermissionsExt;
        let text = format!("#!/bin/sh\n{first}\nexec sh '{}' {how}\n", engine().display());
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    };
    let config = scratch.path().join("config.toml");
    let logs = scratch.path().join("logs");
    for (name, how, first, log, word) in [
        ("shot", "shot", "", false, "`sh` was killed from outside (signal: 9 (SIGKILL))"),
        ("wrapped", "shot", "", false, "was killed from outside (exit status: 137)"),
        ("gone", "good", GONE, false, "cannot be started: No such file"),
        ("unwritable", "good", "", true, "game-000000-black.log cannot be written: No space"),
    ] {
        write_script(how, first);
        let command = match name {
            "shot" => format!("sh '{}' shot", engine().display()),
            "wrapped" => format!("sh -c '\"$0\"; exit $?' '{}'", script.display()),
            _ => script.display().to_string(),
        };
        let log_line = if log { format!("log = '{}'\n", logs.display()) } else { String::new() };
        if log {
            std::fs::create_dir(&logs).unwrap();
            std::os::unix::fs::symlink("/dev/full", logs.join("game-000000-black.log")).unwrap();
        }
        let text = format!(
            "size = '5'\npairs = 2\n[[bot]]\nname = 'engine'\nkind = 'gtp'\n\
             command = \"\"\"{command}\"\"\"\n{log_line}[[bot]]\nkind = 'random'\n"
        );
        std::fs::write(&config, text).unwrap();
        let folder = scratch.path().join(name);
        let mut program = Command::new(env!("CARGO_BIN_EXE_tournament"));
        let config = config.display().to_string();
        let (code, errors) = run(&folder, &mut program, &["--config", &config, "--threads", "1"]);
        assert_eq!((code, errors.len()), (Some(1), 1), "{name}: {errors:?}");
        assert!(errors[0].contains(word), "{name}: {errors:?}");
        let kept = if first == GONE { 2 } else { 0 };
        assert!(errors[0].contains(&format!("{kept} of 4 games")), "{name}: {errors:?}");
        let journal = std::fs::read_to_string(folder.join("games.csv")).unwrap();
        let lines = if kept == 0 { 0 } else { 1 + kept };
        assert_eq!(journal.lines().count(), lines, "{name}: {journal}");
        if how == "good" {
            write_script(how, "");
            let _ = std::fs::remove_dir_all(&logs);
            let rows = resumed(&folder);
            assert_eq!(rows.len(), 4);
            assert!(rows.iter().all(|row| row.reason.is_empty()), "{rows:?}");
        }
    }
}

/// A child of an engine that has neither group nor parent in common with it.
#[cfg(target_os = "linux")]
#[test]
fn nothing_outlives_a_run() {
    let scratch = tempfile::tempdir().unwrap();
    // Nobody else sleeps for so long.
    let seconds = format!("{}", 100_000 + std::process::id());
    let bot = format!("bot=gtp:sh '{}' orphan-at-start {seconds}", engine().display());
    let mut program = Command::new(env!("CARGO_BIN_EXE_tournament"));
    let arguments = ["--size", "5", "--pairs", "1", "--bot", &bot, "--bot", "random"];
    let (code, errors) = run(&scratch.path().join("run"), &mut program, &arguments);
    assert_eq!(code, Some(0), "{errors:?}");
    let sleeps = |process: &std::fs::DirEntry| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        line == format!("sleep\0{seconds}\0").as_bytes()
    };
    let left = std::fs::read_dir("/proc").unwrap().flatten().filter(sleeps).count();
    assert_eq!(left, 0);
}

/// Killed without a chance to clean up, while its engine ignores everything, has a child of
/// its own, or is one.
#[cfg(target_os = "linux")]
#[test]
fn engines_die_with_a_parent_that_is_killed() {
    let engine = engine().display().to_string();
    for (name, command) in [
        ("hang", format!("sh '{engine}' hang")),
        ("beside", format!("sh '{engine}' beside-at-start")),
        ("child", format!("sh -c \"exec 3<&0; sh '{engine}' hang <&3 & wait\"")),
    ] {
        let mark = format!("{}-orphan-{name}", std::process::id());
        let mut parent = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .env(MARK, &mark)
            .args(["gtp", "--bot", &format!("gtp:{command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = parent.stdin.take().unwrap();
        input.write_all(b"genmove b\n").unwrap();
        // Tengen, the guard, the engine and its sleep or its parent.
        let deadline = Instant::now() + Duration::from_secs(10);
        while alive(&mark).len() < 4 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(alive(&mark).iter().any(|line| line.contains("engine.sh")), "{name}");
        parent.kill().unwrap();
        parent.wait().unwrap();
        assert_none_alive(&mark);
    }
}
