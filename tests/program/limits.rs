//! What the system refuses: threads, memory for tables and trees, and room on the disk.

use crate::common::{
    CONVERGENCE, LEARN, PLAYOUTS, SCALING, Scratch, TENGEN, TOURNAMENT, TUNE, command, fault,
    in_repository, names, printed, read, run, run_shell, text,
};
use std::path::Path;

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_an_error() {
    let folder = Scratch::new();
    let positions = in_repository("experiments/positions/solved.csv");
    let measure = format!("--threads 2 --positions {}", positions.display());
    for (program, line) in [
        (TOURNAMENT, "--size 3 --pairs 1 --bot random --bot two-ply --threads 2"),
        (TUNE, "--size 3 --games 2 --threads 2 --bot uct:simulations=10 --param exploration=0..1"),
        (TUNE, "--synthetic log --games 10 --repeats 2 --threads 2"),
        (PLAYOUTS, "--size 3 --playouts 10 --repeats 1 --threads 2"),
        (SCALING, "--part speed --size 3 --simulations 10 --repeats 1 --threads 2"),
        (CONVERGENCE, &measure),
        (TENGEN, "analyze --size 3 --bot uct:simulations=50,workers=2 --threads 2"),
        (TENGEN, "gtp --threads 1"),
    ] {
        // None finds room for its stack.
        let stack = (1_u64 << 47).to_string();
        let output = command(program, &folder, line).env("RUST_MIN_STACK", stack).output();
        fault(&output.unwrap(), 1, &["ulimit -u", "--threads"]);
    }
}

/// The least limit of the address space in kibibytes, in steps of 500, under which `program` starts.
#[cfg(target_os = "linux")]
fn least_that_starts(program: &str, folder: &Path) -> usize {
    let starts = |steps: usize| {
        let script = format!("ulimit -c 0 -v {}; '{program}' --version", 500 * steps);
        run_shell(folder, &script).status.success()
    };
    let (mut fails, mut starts_at) = (1, 4_000);
    assert!(starts(starts_at));
    while fails + 1 < starts_at {
        let middle = usize::midpoint(fails, starts_at);
        if starts(middle) { starts_at = middle } else { fails = middle }
    }
    500 * starts_at
}

/// Whatever lacks memory, from an allocation to the stack of a thread, the program ends with one line that
/// names it, neither by a signal nor with a backtrace, and does not hang.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_memory_is_told_wherever_it_is_met() {
    for (program, line) in [
        (
            LEARN,
            "--size 5 --games 2 --rounds 1 --pairs 1 --threads 2 --teacher uct:simulations=9,prior=none \
             --student uct:simulations=9,prior=none --out run",
        ),
        (TENGEN, "analyze --size 19 --bot uct:simulations=9"),
        (
            TOURNAMENT,
            "--size 7 --pairs 1 --threads 2 --bot uct:simulations=9 --bot random --out run",
        ),
        (TENGEN, "positions new.csv --size 3 --add 3 --threads 2"),
    ] {
        let folder = Scratch::new();
        // Where libraries lie differs from start to start: by a little, a process that started may not.
        let least = least_that_starts(program, &folder) + 1_000;
        let mut refused = 0;
        for limit in (least..least + 16_000).step_by(500) {
            let out = Scratch::new();
            let script =
                format!("ulimit -c 0 -v {limit}; exec timeout -s KILL 60 '{program}' {line}");
            let output = run_shell(&out, &script);
            if output.status.success() {
                continue;
            }
            let said = fault(&output, 1, &["memory", "ulimit -v", "--memory"]);
            assert!(!said.contains("ulimit -u"), "{limit}: {said}");
            refused += 1;
        }
        assert!(refused > 1, "{program} {line}: {refused} limits from {least}");
    }
}

/// What cannot be printed is told too.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_told() {
    let folder = Scratch::new();
    for line in [
        "bots",
        "bots --help",
        "--version",
        "solve --size 2",
        "completions bash",
        "perft --size 3 --depth 2",
        "analyze --size 3 --bot uct:simulations=50",
    ] {
        let output = run_shell(&folder, &format!("'{TENGEN}' {line} > /dev/full"));
        fault(&output, 1, &["cannot write the output: No space left on device"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_the_system_refuses_is_an_error() {
    let folder = Scratch::new();
    for (program, line, remedy) in [
        (TENGEN, "solve --size 4x4 --nodes 10", "--memory"),
        (TENGEN, "solve --size 4x4 --nodes 10 --ko psk", "--memory"),
        (TENGEN, "analyze --size 4 --bot solver:memory=1024", "`memory`"),
        (TOURNAMENT, "--size 4 --pairs 1 --bot solver:memory=1024 --bot random", "`memory`"),
    ] {
        let limited = format!("ulimit -v 900000; exec '{program}' {line}");
        let output = run_shell(&folder, &limited);
        fault(&output, 1, &["out of memory", "1024 MiB", remedy]);
    }
    assert!(names(&folder).is_empty(), "no run was begun");
}

/// A small board needs no large table, whatever it may take.
#[test]
fn no_table_is_larger_than_its_board_can_use() {
    let folder = Scratch::new();
    for ko in ["simple", "psk"] {
        let line = format!("solve --size 2x2 --memory 1000000 --ko {ko}");
        printed(TENGEN, &folder, &line);
    }
}

/// The input is right where the disk has no room for a new run: its work is unfinished.
#[test]
fn a_disk_that_is_full_from_the_start_is_unfinished_work() {
    let folder = Scratch::new();
    let bots = "--size 3 --bot random --bot two-ply";
    for (program, line) in [
        (TOURNAMENT, format!("{bots} --pairs 1 --out run")),
        (TOURNAMENT, format!("{bots} --pairs 1 --out run --chunk 1/2")),
        (TUNE, "--size 3 --games 2 --out run".to_owned()),
        (TENGEN, "positions new/positions.csv --add 1 --size 2x3".to_owned()),
        (PLAYOUTS, "--size 3 --playouts 10 --repeats 1 --out run".to_owned()),
        (TENGEN, "solve --size 2 --out run".to_owned()),
    ] {
        // No file may hold anything; a shell that ignores the signal passes that on.
        let script = format!("trap '' XFSZ; ulimit -f 0; exec '{program}' {line}");
        fault(&run_shell(&folder, &script), 1, &["cannot write"]);
    }
}

/// What cannot be written on the way ends the run with its name, not with a panic or a signal.
#[test]
fn a_disk_that_is_full_on_the_way_is_told() {
    for ignored in ["", "trap '' XFSZ; "] {
        let folder = Scratch::new();
        // Files may grow to one block of 1024 bytes.
        let line = "--size 3 --pairs 300 --bot random --bot random --out run";
        let script = format!("{ignored}ulimit -f 1; exec '{TOURNAMENT}' {line}");
        let output = run_shell(&folder, &script);
        let said = fault(&output, 1, &["cannot write run/", "ulimit -f"]);
        assert!(said.matches("os error").count() <= 1, "told once: {said}");
        // What was written before stays.
        printed(TOURNAMENT, &folder, "--resume run");
    }
}

/// A thread needs some address space, so that 1,024 of them need more than
/// this shell may have.
#[cfg(target_os = "linux")]
#[test]
fn there_are_no_more_threads_than_games() {
    let folder = Scratch::new();
    let two = "--bot random --bot two-ply --size 3 --pairs 1";
    for line in [
        format!("'{TOURNAMENT}' {two} --threads 1024 --out run"),
        format!("'{TENGEN}' analyze --size 3 --bot uct:simulations=50,workers=2 --threads 1024"),
        format!("echo quit | '{TENGEN}' gtp --threads 1024"),
    ] {
        let output = run_shell(&folder, &format!("ulimit -v 1500000; {line}"));
        assert_eq!(text(&output.stderr), "", "{line}");
        assert!(output.status.success(), "{line}");
    }
}

/// Trees that need more than they may end the run with one line that says how it
/// goes on. Playouts end early, so that the trees grow quickly.
#[test]
fn trees_that_take_too_much_memory_are_an_error() {
    let folder = Scratch::new();
    let line = "--memory 64 --size 19 --pairs 1 --threads 1 --opening-plies 0 \
                --bot big=uct:simulations=200000,expansion=1,in_flight=32,stop=mercy:1 --bot random --out run";
    let parts = ["out of memory", "64 MiB", "--memory", "--resume"];
    fault(&run(TOURNAMENT, &folder, line), 1, &parts);
    let line = "analyze --memory 64 --size 19 --bot uct:simulations=200000,expansion=1,in_flight=32,stop=mercy:1";
    fault(&run(TENGEN, &folder, line), 1, &["64 MiB"]);
}

/// An allocation that the system refuses is an error, not an abort.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_refuses_is_an_error() {
    let folder = Scratch::new();
    let line = format!(
        "ulimit -v 150000; exec {TENGEN} analyze --memory 60000 --size 19 --bot uct:simulations=900000,expansion=1,in_flight=32,stop=mercy:1"
    );
    let parts = ["out of memory: a search tree cannot grow", "ulimit -v", "--memory"];
    fault(&run_shell(&folder, &line), 1, &parts);
}

/// A tree that was full is told in the answer and in the row.
#[test]
fn a_full_tree_is_told() {
    let folder = Scratch::new();
    let full = "uct:simulations=3000,expansion=1,max_nodes=1000";
    let printed_text = printed(TENGEN, &folder, &format!("analyze --size 9 --bot {full}"));
    assert!(printed_text.contains("the tree was full (max_nodes)"), "{printed_text}");
    let line = format!("--size 5 --pairs 1 --bot full={full} --bot random --out run");
    printed(TOURNAMENT, &folder, &line);
    let rows = read(&folder.join("run/games.csv"));
    assert_eq!(rows.matches("was full (max_nodes)").count(), 2, "{rows}");
}
