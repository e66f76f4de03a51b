//! The program `cluster` as a user meets it, and its tables in the manual.

use crate::common::{CLUSTER, printed, run, text, words};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// What the program prints for the words of `line`, in the folder of this repository, where
/// the published run is.
fn said(line: &str) -> String {
    printed(CLUSTER, Path::new(env!("CARGO_MANIFEST_DIR")), &words(line))
}

/// The tables in `text`, as rows of cells.
fn tables(text: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables = Vec::new();
    let mut is_table = false;
    for line in text.lines() {
        if line.starts_with('|') {
            let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned());
            if !is_table {
                tables.push(Vec::new());
            }
            tables.last_mut().unwrap().push(cells.collect());
        }
        is_table = line.starts_with('|');
    }
    tables
}

#[test]
fn a_small_cluster_makes_all_tables() {
    let scratch = tempdir().unwrap();
    let line = format!("--workers 2,9 --pairs 100 --scratch {}", scratch.path().display());
    let small = said(&line);
    assert_eq!(said(&line), small, "the same tables each time");
    assert_eq!(scratch.path().read_dir().unwrap().count(), 0, "files are left");
    let found = tables(&small);
    let [runs, tests, merging, replays] = &found[..] else { panic!("{small}") };
    assert!(small.starts_with("200 games of "), "{small}");
    // Two numbers of workers, with jobs by time and with more jobs.
    assert_eq!((runs.len(), runs[2][0].as_str(), runs[5][0].as_str()), (2 + 6, "2", "9"));
    let share = |cell: &str| cell.trim_end_matches(" %").parse::<f64>().unwrap();
    for row in &runs[2..] {
        let whole: f64 = row[7..13].iter().map(|cell| share(cell)).sum();
        assert!((whole - 100.0).abs() < 0.4, "{row:?}");
    }
    assert_eq!(tests.len(), 2 + 2 * 3);
    assert_eq!((merging[2][1].as_str(), merging[7][1].as_str()), ("nothing", "nothing"));
    assert!(merging[3][1].contains("chunk-2-of-2.csv has the fingerprint of other settings"));
    assert_eq!(replays.len(), 2 + 3);
}

#[test]
fn the_manual_has_the_tables_of_the_program() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scale.md");
    let page = fs::read_to_string(page).unwrap();
    // Merging says the same of a small tournament, and the columns are the same.
    let small = said("--workers 3 --pairs 20");
    // The model of the games, without their number and the hours that they take.
    let (model, _) = small.split_once(" times as long").unwrap();
    let (_, model) = model.split_once(" games of ").unwrap();
    assert!(page.contains(model), "{model}");
    let small = tables(&small);
    let written = tables(&page);
    for table in &small {
        assert!(written.iter().any(|other| other[0] == table[0]), "{:?}", table[0]);
    }
    assert!(written.contains(&small[2]), "what merging says has changed");
    assert!(page.contains("cargo run --release --bin cluster -- --scratch /dev/shm"));
}

#[test]
fn wrong_settings_are_named() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("wrong.toml"), "pairs = 3\nworker = 7\n").unwrap();
    for (line, part) in [
        ("--config none.toml", "cannot read none.toml"),
        ("--config wrong.toml", "wrong.toml: line 2"),
        ("--pairs 0", "`pairs` is 0: write 1 to 100000"),
        ("--workers 0", "`workers` is 0: write 1 to 100000"),
        ("--workers 1", "cannot read results/2026-11-21-plain-9x9/games.csv"),
    ] {
        let output = run(CLUSTER, path, &words(line));
        let fault = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {fault}");
        assert!(fault.contains(part) && fault.lines().count() == 1, "{line}: {fault}");
    }
}
