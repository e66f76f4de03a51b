//! Engines of a run that is starved of files, interrupted or killed.

use crate::common::{
    Scratch, TENGEN, TOURNAMENT, command, fault, lines, printed, rows, run, run_shell, wait_until,
};
use crate::gtp_match::{MARK, alive, assert_none_alive, engine, resumed};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use tengen::tournament::Termination;

/// A lack of ours is nobody's loss: the run stops, says what is lacking, and
/// can go on.
#[test]
fn without_file_descriptors_the_run_stops() {
    let scratch = Scratch::new();
    let engine = engine().display().to_string();
    let bots = format!("--bot \"a=gtp:sh '{engine}' good\" --bot \"b=gtp:sh '{engine}' good\"");
    let line = format!("--size 5 --pairs 8 --threads 8 {bots} --out run");
    let output = run_shell(&scratch, &format!("ulimit -n 16; exec '{TOURNAMENT}' {line}"));
    let words = ["out of file descriptors", "ulimit -n", "--threads", " of 16 games", "--resume"];
    fault(&output, 1, &words);
    let before = rows(&scratch.join("run"));
    let after = resumed(&scratch, "run");
    assert_eq!(after.len(), 16);
    for row in before.iter().chain(&after) {
        assert_eq!(row.termination, Termination::Passes, "{row:?}");
    }
}

/// An engine that is killed from outside, one whose program goes away, and one
/// whose log cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn what_is_not_the_engines_doing_is_not_its_loss() {
    // It starts for the preflight and two games.
    const GONE: &str = "echo >> \"$0.starts\"\n[ $(wc -l < \"$0.starts\") -lt 3 ] || rm \"$0\"";
    let scratch = Scratch::new();
    let script = scratch.join("engine");
    let write_script = |how: &str, first: &str| {
        let text = format!("#!/bin/sh\n{first}\nexec sh '{}' {how}\n", engine().display());
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    };
    let itself = script.display().to_string();
    let shot = format!("sh '{}' shot", engine().display());
    let wrapped = format!("sh -c '\"$0\"; exit $?' '{itself}'");
    let logs = scratch.join("logs");
    let log = format!("log = '{}'\n", logs.display());
    fs::create_dir(&logs).unwrap();
    std::os::unix::fs::symlink("/dev/full", logs.join("game-000000-black.log")).unwrap();
    for (name, how, first, command, log, said) in [
        ("shot", "shot", "", &shot, "", "`sh` was killed from outside (signal: 9 (SIGKILL))"),
        ("wrapped", "shot", "", &wrapped, "", "was killed from outside (exit status: 137)"),
        ("log", "good", "", &itself, &log, "game-000000-black.log cannot be written: No space"),
        ("gone", "good", GONE, &itself, "", "cannot be started: No such file"),
    ] {
        write_script(how, first);
        let text = format!(
            "size = '5'\npairs = 2\n[[bot]]\nname = 'engine'\nkind = 'gtp'\n\
             command = \"\"\"{command}\"\"\"\n{log}[[bot]]\nkind = 'random'\n"
        );
        fs::write(scratch.join("config.toml"), text).unwrap();
        let line = format!("--config config.toml --threads 1 --out {name}-run");
        let kept = if first == GONE { 2 } else { 0 };
        let output = run(TOURNAMENT, &scratch, &line);
        fault(&output, 1, &[said, &format!("{kept} of 4 games")]);
        let journal = scratch.join(format!("{name}-run/games.csv"));
        assert_eq!(lines(&journal), if kept == 0 { 0 } else { 1 + kept }, "{name}");
        if how == "good" {
            write_script(how, "");
            let _ = fs::remove_dir_all(&logs);
            let rows = resumed(&scratch, &format!("{name}-run"));
            assert_eq!(rows.len(), 4);
            assert!(rows.iter().all(|row| row.reason.is_empty()), "{rows:?}");
        }
    }
}

/// A child of an engine that has neither group nor parent in common with it.
#[cfg(target_os = "linux")]
#[test]
fn nothing_outlives_a_run() {
    let scratch = Scratch::new();
    // Nobody else sleeps for so long.
    let seconds = format!("{}", 100_000 + std::process::id());
    let bot = format!("bot=gtp:sh '{}' orphan-at-start {seconds}", engine().display());
    let line = format!("--size 5 --pairs 1 --bot \"{bot}\" --bot random --out run");
    printed(TOURNAMENT, &scratch, &line);
    let sleeps = |process: &fs::DirEntry| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        line == format!("sleep\0{seconds}\0").as_bytes()
    };
    let left = fs::read_dir("/proc").unwrap().flatten().filter(sleeps).count();
    assert_eq!(left, 0);
}

/// Killed without a chance to clean up, while its engine ignores everything, has a child of
/// its own, or is one.
#[cfg(target_os = "linux")]
#[test]
fn engines_die_with_a_parent_that_is_killed() {
    let engine = engine().display().to_string();
    for (name, engine_line) in [
        ("hang", format!("sh '{engine}' hang")),
        ("beside", format!("sh '{engine}' beside-at-start")),
        ("child", format!("sh -c \"exec 3<&0; sh '{engine}' hang <&3 & wait\"")),
    ] {
        let mark = format!("{}-orphan-{name}", std::process::id());
        let mut tengen = command(TENGEN, Path::new("."), "gtp --bot");
        tengen.arg(format!("gtp:{engine_line}")).env(MARK, &mark).stdin(Stdio::piped());
        let mut parent = tengen.spawn().unwrap();
        let mut input = parent.stdin.take().unwrap();
        input.write_all(b"genmove b\n").unwrap();
        // Tengen, the guard, the engine and its sleep or its parent.
        wait_until("all have started", || alive(&mark).len() >= 4);
        assert!(alive(&mark).iter().any(|line| line.contains("engine.sh")), "{name}");
        parent.kill().unwrap();
        parent.wait().unwrap();
        assert_none_alive(&mark);
    }
}
