//! What the search trees of a program may take.

use crate::common::{TENGEN, TOURNAMENT, fault, printed, read, run, run_shell};
use tempfile::tempdir;

/// Trees that need more than they may end the run with one line that says how it
/// goes on.
#[test]
fn trees_that_take_too_much_memory_are_an_error() {
    let folder = tempdir().unwrap();
    let line = "--memory 64 --size 19 --pairs 1 --threads 1 --opening-plies 0 \
                --bot big=uct:simulations=200000,expansion=1,in_flight=32 --bot random --out run";
    let parts = ["out of memory", "64 MiB", "--memory", "--resume"];
    fault(&run(TOURNAMENT, folder.path(), line), 1, &parts);
    let line = "analyze --memory 64 --size 19 --bot uct:simulations=200000,expansion=1,in_flight=32";
    fault(&run(TENGEN, folder.path(), line), 1, &["64 MiB"]);
}

/// An allocation that the system refuses is an error, not an abort.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_refuses_is_an_error() {
    let folder = tempdir().unwrap();
    let line = format!(
        "ulimit -v 400000; exec {TENGEN} analyze --memory 60000 --size 19 --bot uct:simulations=900000,expansion=1,in_flight=32"
    );
    let parts = ["out of memory: a search tree cannot grow", "ulimit -v", "--memory"];
    fault(&run_shell(folder.path(), &line), 1, &parts);
}

/// A tree that was full is told in the answer and in the row.
#[test]
fn a_full_tree_is_told() {
    let folder = tempdir().unwrap();
    let full = "uct:simulations=3000,expansion=1,max_nodes=1000";
    let printed_text = printed(TENGEN, folder.path(), &format!("analyze --size 9 --bot {full}"));
    assert!(printed_text.contains("the tree was full (max_nodes)"), "{printed_text}");
    let line = format!("--size 5 --pairs 1 --bot full={full} --bot random --out run");
    printed(TOURNAMENT, folder.path(), &line);
    let rows = read(&folder.path().join("run/games.csv"));
    assert_eq!(rows.matches("was full (max_nodes)").count(), 2, "{rows}");
}
