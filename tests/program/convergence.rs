//! The program `convergence` as a user meets it.

use crate::common::{CONVERGENCE, Csv, names, printed, run, text, words};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;
use tengen::run::RunLock;

const SETTINGS: &str = "name = 'tiny'\npositions = 'solved.csv'\nplayouts = 8\ndoublings = 5\n\
                        searches = 2\nseed = 4\nbot = ['plain=uct:rave=none,prior=none', 'uct']\n";

/// Writes settings, and a file of positions that the program draws.
fn prepare(folder: &Path) {
    fs::write(folder.join("tiny.toml"), SETTINGS).unwrap();
    let line = "--extend 8 --size 3x3 --seed 2 --positions solved.csv --nodes 100000";
    let said = printed(CONVERGENCE, folder, &words(line));
    assert!(said.contains("8 positions added to solved.csv: it has 8"), "{said}");
}

fn number(csv: &Csv, row: usize, column: &str) -> f64 {
    csv.get(row, column).parse().unwrap()
}

#[test]
fn a_run_says_how_fast_the_truth_is_found() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    prepare(path);
    for (out, threads) in [("one", 1), ("two", 3)] {
        let line = format!("--config tiny.toml --out {out} --threads {threads}");
        let said = printed(CONVERGENCE, path, &words(&line));
        assert!(said.starts_with("3x3: "), "{said}");
        assert!(said.contains("8 positions"), "{said}");
    }
    let files = names(&path.join("one"));
    for file in ["config.toml", "manifest.toml", "positions.csv", "report.html", "summary.csv"] {
        assert!(files.iter().any(|name| name == file), "{file} is not in {files:?}");
    }
    for file in ["searches.csv", "summary.csv", "positions.csv", "report.html", "config.toml"] {
        let [one, two] = ["one", "two"].map(|run| fs::read(path.join(run).join(file)).unwrap());
        assert!(one == two, "{file} depends on the number of threads");
    }
    let summary = Csv::read(&path.join("one/summary.csv"));
    assert_eq!(summary.len(), 2 * 6);
    let searches = Csv::read(&path.join("one/searches.csv"));
    assert_eq!(searches.len(), 8 * 2 * 6);
    // The mean over positions, by another way.
    for row in 0..summary.len() {
        let same = |other: &usize| {
            ["bot", "playouts"].iter().all(|c| searches.get(*other, c) == summary.get(row, c))
        };
        let own: Vec<usize> = (0..searches.len()).filter(same).collect();
        assert_eq!(own.len(), 8);
        for column in ["optimal", "regret", "value_error"] {
            let mean = own.iter().map(|&row| number(&searches, row, column)).sum::<f64>() / 8.0;
            let share = number(&summary, row, column);
            assert!((share - mean).abs() < 1e-9, "{column} of row {row}: {share}, {mean}");
            let ends = ["low", "high"].map(|end| number(&summary, row, &format!("{column}_{end}")));
            assert!(ends[0] <= share && share <= ends[1], "{column} of row {row}: {ends:?}");
        }
    }
    assert!(names(&path.join("one/plots")).contains(&"regret-3x3.svg".to_owned()));
    let report = fs::read_to_string(path.join("one/report.html")).unwrap();
    assert!(report.contains("a random legal move keeps it in"), "{report}");
    // The run repeats itself from its own files.
    let line = "--config one/config.toml --positions one/positions.csv --out again";
    printed(CONVERGENCE, path, &words(line));
    let [one, again] = ["one", "again"].map(|run| fs::read(path.join(run).join("searches.csv")));
    assert_eq!(one.unwrap(), again.unwrap());
}

#[test]
fn chunks_merged_are_the_run_in_one_piece() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    prepare(path);
    printed(CONVERGENCE, path, &words("--config tiny.toml --out whole"));
    let chunk = |share: &str| format!("--config tiny.toml --out parts --threads 1 --chunk {share}");
    let refused = |line: &str, named: &str| {
        let before = names(&path.join("parts"));
        let output = run(CONVERGENCE, path, &words(line));
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{line}: {said}");
        assert!(said.contains(named), "{line}: `{named}` is not in: {said}");
        assert_eq!(names(&path.join("parts")), before, "{line} left something");
    };
    for share in ["3/3", "1/3"] {
        printed(CONVERGENCE, path, &words(&chunk(share)));
    }
    refused("--merge parts", "3 positions are in no finished chunk of parts: run the other chunks");
    printed(CONVERGENCE, path, &words(&chunk("2/3")));
    let again = printed(CONVERGENCE, path, &words(&chunk("2/3")));
    assert!(again.starts_with("0 positions made, the chunk is complete"), "{again}");
    // A chunk of other settings, or of other positions, is refused.
    fs::write(path.join("other.toml"), SETTINGS.replace("seed = 4", "seed = 5")).unwrap();
    refused("--config other.toml --out parts --chunk 1/3", "seed is 4 and not 5");
    let file = fs::read_to_string(path.join("solved.csv")).unwrap();
    let fewer: Vec<&str> = file.lines().take(6).collect();
    fs::write(path.join("fewer.csv"), fewer.join("\n")).unwrap();
    let line = "--config tiny.toml --positions fewer.csv --out parts --chunk 1/3";
    refused(line, "positions.csv has other positions");
    refused("--config tiny.toml --chunk 1/3", "--out");
    refused("--merge parts --threads 1", "--merge");

    // A chunk that lost a row is named and completed.
    let chunk_path = path.join("parts/chunk-2-of-3.csv");
    let rows = fs::read_to_string(&chunk_path).unwrap();
    fs::write(&chunk_path, &rows[..rows.len() - 7]).unwrap();
    let lost = "parts: chunk-2-of-3.csv has lost rows, run --chunk 2/3 again";
    refused("--merge parts", &format!("1 position is in no finished chunk of {lost}"));
    let output = run(CONVERGENCE, path, &words(&chunk("2/3")));
    assert_eq!(
        text(&output.stdout),
        "1 positions made, the chunk is complete: parts/chunk-2-of-3.csv\n"
    );
    assert!(text(&output.stderr).contains("chunk-2-of-3.csv has lost rows"));
    assert_eq!(fs::read_to_string(&chunk_path).unwrap(), rows);
    printed(CONVERGENCE, path, &words("--merge parts"));
    for file in ["searches.csv", "summary.csv", "positions.csv", "report.html", "config.toml"] {
        let [one, two] = ["whole", "parts"].map(|run| fs::read(path.join(run).join(file)).unwrap());
        assert!(one == two, "{file} is another");
    }
    let manifest = fs::read_to_string(path.join("parts/manifest.toml")).unwrap();
    // The one that began the folder, and those of the chunks.
    assert_eq!(manifest.matches("[[session]]").count(), 5, "{manifest}");
}

#[test]
fn rows_and_files_of_another_run_are_not_merged() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    prepare(path);
    let share = |settings: &str, out: &str, chunk: &str| {
        let line = format!("--config {settings}.toml --out {out} --chunk {chunk}");
        printed(CONVERGENCE, path, &words(&line));
    };
    let refused = |line: &str, named: &[&str]| {
        let output = run(CONVERGENCE, path, &words(line));
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{line}: {said}");
        assert!(named.iter().all(|name| said.contains(name)), "{line}: {named:?} in: {said}");
    };
    share("tiny", "run", "1/2");
    let chunk = path.join("run/chunk-2-of-2.csv");
    for (name, from, to) in
        [("seed", "seed = 4", "seed = 5"), ("constant", "rave=none", "rave=none,exploration=0.7")]
    {
        fs::write(path.join(format!("{name}.toml")), SETTINGS.replace(from, to)).unwrap();
        share(name, name, "2/2");
        fs::copy(path.join(name).join("chunk-2-of-2.csv"), &chunk).unwrap();
        let named = ["of run/chunk-2-of-2.csv", "other settings"];
        refused("--merge run", &named);
        refused("--config tiny.toml --out run --chunk 2/2", &named);
    }
    fs::remove_file(&chunk).unwrap();
    share("tiny", "run", "2/2");
    // Rows of an earlier version, and of another program.
    let rows = fs::read_to_string(&chunk).unwrap();
    fs::write(&chunk, crate::provenance::without_last_column(&rows)).unwrap();
    refused("--merge run", &["has no fingerprint"]);
    let (_, fingerprint) = rows.lines().nth(1).unwrap().rsplit_once(',').unwrap();
    let (settings, _) = fingerprint.split_once('-').unwrap();
    let other = format!("{settings}-0123456789abcdef");
    fs::write(&chunk, rows.replace(fingerprint, &other)).unwrap();
    refused("--merge run", &["a program whose bots play otherwise"]);
    fs::write(&chunk, &rows).unwrap();
    // Edited settings or positions; with a damaged manifest the rows tell.
    let manifest = path.join("run/manifest.toml");
    let positions = fs::read_to_string(path.join("run/positions.csv")).unwrap();
    let position = format!("{}\n", positions.lines().last().unwrap());
    for (file, from, to) in [
        ("config.toml", "seed = 4", "seed = 5"),
        ("config.toml", "searches = 2", "searches = 3"),
        ("positions.csv", &position, ""),
    ] {
        let edited = path.join("run").join(file);
        let before = fs::read_to_string(&edited).unwrap();
        let after = before.replacen(from, to, 1);
        assert_ne!(before, after);
        fs::write(&edited, after).unwrap();
        refused("--merge run", &[]);
        let begun = fs::read(&manifest).unwrap();
        fs::remove_file(&manifest).unwrap();
        refused("--merge run", &["position"]);
        fs::write(&manifest, begun).unwrap();
        fs::write(&edited, before).unwrap();
    }
    printed(CONVERGENCE, path, &words("--merge run"));
    printed(CONVERGENCE, path, &words("--config tiny.toml --out whole"));
    let [one, two] = ["run", "whole"].map(|run| fs::read(path.join(run).join("searches.csv")));
    assert_eq!(one.unwrap(), two.unwrap());
}

#[test]
fn more_positions_are_added_and_none_twice() {
    let folder = tempdir().unwrap();
    prepare(folder.path());
    let before = fs::read_to_string(folder.path().join("solved.csv")).unwrap();
    let line = "--extend 3 --size 3x3 --seed 2 --positions solved.csv";
    let said = printed(CONVERGENCE, folder.path(), &words(line));
    assert!(said.contains("it has 11"), "{said}");
    let after = fs::read_to_string(folder.path().join("solved.csv")).unwrap();
    assert!(after.starts_with(&before), "{after}");
    let mut positions: Vec<&str> =
        after.lines().map(|line| line.split(',').nth(4).unwrap()).collect();
    positions.sort_unstable();
    let count = positions.len();
    positions.dedup();
    // The same stones may stand twice, with another player to move.
    assert!(positions.len() >= count - 2, "{after}");
}

#[test]
fn a_file_that_another_process_extends_is_left_alone() {
    let folder = tempdir().unwrap();
    prepare(folder.path());
    let before = fs::read_to_string(folder.path().join("solved.csv")).unwrap();
    let _lock = RunLock::take(folder.path(), "solved.csv.lock").unwrap();
    let line = "--extend 1 --size 3x3 --positions solved.csv";
    let output = run(CONVERGENCE, folder.path(), &words(line));
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("solved.csv is being written by another process"), "{said}");
    assert_eq!(fs::read_to_string(folder.path().join("solved.csv")).unwrap(), before);
}

#[test]
fn a_board_without_positions_to_find_leaves_no_file() {
    let folder = tempdir().unwrap();
    let line = "--extend 1 --size 1x1 --positions new.csv";
    let output = run(CONVERGENCE, folder.path(), &words(line));
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("0 of 1 positions found") && said.contains("--size"), "{said}");
    assert_eq!(names(folder.path()), ["new.csv.lock"]);
}

#[test]
fn wrong_input_is_refused_in_one_line() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    prepare(path);
    fs::write(path.join("wrong.toml"), SETTINGS.replace("doublings", "doubling")).unwrap();
    fs::write(path.join("bot.toml"), SETTINGS.replace("'uct'", "'random'")).unwrap();
    let file = fs::read_to_string(path.join("solved.csv")).unwrap();
    fs::write(path.join("damaged.csv"), file.replacen("pass:", "pass", 1)).unwrap();
    fs::write(path.join("empty.csv"), "").unwrap();
    let before = names(path);
    for (line, named) in [
        ("--config missing.toml", "missing.toml"),
        ("--config wrong.toml", "doubling"),
        ("--config bot.toml", "random"),
        ("--config tiny.toml --positions missing.csv", "--extend"),
        ("--config tiny.toml --positions damaged.csv", "damaged.csv: line 2"),
        ("--config tiny.toml --positions empty.csv", "empty.csv has no positions"),
        ("--config tiny.toml --threads 0", "--threads"),
        ("--extend 3", "--size"),
        ("--extend 3 --size 6 --positions new.csv", "6x6"),
        ("--extend 3 --size 3 --out somewhere", "--out"),
        ("--size 3", "--extend"),
    ] {
        let output = run(CONVERGENCE, path, &words(line));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
        assert!(said.contains(named), "{line}: `{named}` is not in: {said}");
        assert_eq!(names(path), before, "{line} left something");
    }
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_goes_on() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    prepare(path);
    let long = SETTINGS.replace("doublings = 5", "doublings = 11");
    fs::write(path.join("long.toml"), long).unwrap();
    printed(CONVERGENCE, path, &words("--config long.toml --out whole"));
    for signal in ["-INT", "-KILL"] {
        let out = format!("stopped{signal}");
        let mut child = Command::new(CONVERGENCE)
            .current_dir(path)
            .args(words(&format!("--config long.toml --out {out} --threads 1")))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let rows = path.join(&out).join("searches.csv");
        let started = Instant::now();
        while fs::metadata(&rows).map_or(0, |file| file.len()) == 0 {
            assert!(started.elapsed() < Duration::from_secs(60), "the run does not begin");
            std::thread::sleep(Duration::from_millis(2));
        }
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        child.wait().unwrap();
        printed(CONVERGENCE, path, &words(&format!("--resume {out}")));
        let [one, two] =
            ["whole", &out].map(|run| fs::read(path.join(run).join("searches.csv")).unwrap());
        assert!(one == two, "{signal}");
    }
}
