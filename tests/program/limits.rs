//! What the system refuses: threads, memory for tables, and room on the disk.

use crate::common::{
    CONVERGENCE, PLAYOUTS, SCALING, TENGEN, TOURNAMENT, TUNE, names, run, text, words,
};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::tempdir;

/// The exit code, and the one line on standard error.
fn fault(output: &Output) -> (Option<i32>, String) {
    let said = text(&output.stderr);
    assert_eq!(said.lines().count(), 1, "{said}");
    (output.status.code(), said)
}

/// Runs `program` where no thread can be started, since none finds room for its stack.
fn without_threads(program: &str, folder: &Path, line: &str) -> Output {
    Command::new(program)
        .args(words(line))
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("RUST_MIN_STACK", (1_u64 << 47).to_string())
        .output()
        .unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_an_error() {
    let folder = tempdir().unwrap();
    let positions = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/positions/solved.csv");
    let measure = format!("--threads 2 --positions {}", positions.display());
    for (program, line) in [
        (TOURNAMENT, "--size 3 --pairs 1 --bot random --bot two-ply --threads 2"),
        (TUNE, "--size 3 --games 2 --threads 2 --bot uct:playouts=10 --param exploration=0..1"),
        (TUNE, "--synthetic log --games 10 --repeats 2 --threads 2"),
        (PLAYOUTS, "--size 3 --playouts 10 --repeats 1 --threads 2"),
        (SCALING, "--part speed --size 3 --simulations 10 --repeats 1 --threads 2"),
        (CONVERGENCE, &measure),
        (TENGEN, "analyze --size 3 --bot uct:playouts=50,workers=2 --threads 2"),
        (TENGEN, "gtp --threads 1"),
    ] {
        let (code, said) = fault(&without_threads(program, folder.path(), line));
        assert_eq!(code, Some(1), "{line}: {said}");
        assert!(said.contains("ulimit -u") && said.contains("--threads"), "{line}: {said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn one_thread_is_the_calling_one() {
    let folder = tempdir().unwrap();
    for (program, line) in [
        (TUNE, "--synthetic log --games 10 --repeats 2 --threads 1"),
        (PLAYOUTS, "--size 3 --playouts 10 --repeats 1 --threads 1"),
        (SCALING, "--part speed --size 3 --simulations 10 --repeats 1 --threads 1"),
        (TENGEN, "analyze --size 3 --bot uct:playouts=50,workers=2 --threads 1"),
    ] {
        let output = without_threads(program, folder.path(), line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_the_system_refuses_is_an_error() {
    let folder = tempdir().unwrap();
    for (program, line, remedy) in [
        (TENGEN, "solve --size 4x4 --nodes 10", "--memory"),
        (TENGEN, "solve --size 4x4 --nodes 10 --ko psk", "--memory"),
        (TENGEN, "analyze --size 4 --bot solver:memory=1024", "`memory`"),
        (TOURNAMENT, "--size 4 --pairs 1 --bot solver:memory=1024 --bot random", "`memory`"),
    ] {
        let limited = format!("ulimit -v 900000; exec '{program}' {line}");
        let (code, said) = fault(&run("bash", folder.path(), &["-c", &limited]));
        assert_eq!(code, Some(1), "{line}: {said}");
        for part in ["out of memory", "1024 MiB", remedy] {
            assert!(said.contains(part), "{line}: `{part}` is not in: {said}");
        }
    }
    assert!(names(folder.path()).is_empty(), "no run was begun");
}

/// A small board needs no large table, whatever it may take.
#[test]
fn no_table_is_larger_than_its_board_can_use() {
    let folder = tempdir().unwrap();
    for ko in ["simple", "psk"] {
        let line = format!("solve --size 2x2 --memory 1000000 --ko {ko}");
        let output = run(TENGEN, folder.path(), &words(&line));
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

/// The input is right where the disk has no room for a new run: its work is unfinished.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_from_the_start_is_unfinished_work() {
    let folder = tempdir().unwrap();
    let bots = "--size 3 --bot random --bot two-ply";
    for (program, line) in [
        (TOURNAMENT, format!("{bots} --pairs 1 --out run")),
        (TOURNAMENT, format!("{bots} --pairs 1 --out run --chunk 1/2")),
        (TUNE, "--size 3 --games 2 --out run".to_owned()),
        (CONVERGENCE, "--extend 1 --size 2x3 --positions new/positions.csv".to_owned()),
        (PLAYOUTS, "--size 3 --playouts 10 --repeats 1 --out run".to_owned()),
        (TENGEN, "solve --size 2 --out run".to_owned()),
    ] {
        // No file may hold anything; a shell that ignores the signal passes that on.
        let script = format!("trap '' XFSZ; ulimit -f 0; exec '{program}' {line}");
        let (code, said) = fault(&run("sh", folder.path(), &["-c", &script]));
        assert_eq!(code, Some(1), "{line}: {said}");
        assert!(said.contains("cannot write"), "{line}: {said}");
    }
    // A place where nothing can be is wrong input.
    fs::write(folder.path().join("file"), "").unwrap();
    let output = run(TOURNAMENT, folder.path(), &words(&format!("{bots} --out file/run")));
    assert_eq!(fault(&output).0, Some(2));
}
