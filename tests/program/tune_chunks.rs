//! Rounds of a tuning that are cut into chunks: the tuning in one piece.

use crate::common::{Csv, TUNE, printed, run, text, words};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;
use tempfile::tempdir;
use tengen::run::Manifest;

/// Four values, in a round of 16 games and one of 24 with the better two.
const HALVING: &str = "--size 4 --bot uct:playouts=20,rave=none,prior=none,exploration=0.5 \
                       --param exploration=0.05..2:log --method halving --steps 4 --games 40 \
                       --validation 3 --seed 5";

fn done(folder: &Path, line: &str) -> String {
    printed(TUNE, folder, &words(line))
}

#[track_caller]
fn refused(folder: &Path, line: &str) -> String {
    let output = run(TUNE, folder, &words(line));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}: {said}");
    assert_eq!(said.lines().count(), 1, "{line}: {said}");
    said
}

/// What a finished run says, but for times.
fn results(folder: &Path) -> Vec<String> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let games = Csv::read(&folder.join("games.csv"));
    let columns: Vec<&str> =
        games.header.split(',').filter(|column| !column.ends_with("_seconds")).collect();
    let row = |row| columns.iter().map(|column| games.get(row, column)).collect::<Vec<_>>();
    let games: Vec<String> = (0..games.len()).map(|number| row(number).join(",")).collect();
    let tables = ["samples.csv", "estimate.csv", "validation.csv"].map(read);
    tables.into_iter().chain([games.join("\n")]).collect()
}

/// Number of games in the sessions of the manifest.
fn recorded_games(folder: &Path) -> usize {
    let manifest = Manifest::read(&folder.join("manifest.toml")).unwrap();
    manifest.sessions.iter().filter_map(|session| session.units).sum()
}

#[test]
fn chunks_of_all_rounds_make_the_run_in_one_piece() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    done(folder, &format!("{HALVING} --out whole"));
    assert_eq!(done(folder, &format!("{HALVING} --rounds")), "2\n");
    for (round, of) in [(1, 3), (2, 2)] {
        for chunk in (1..=of).rev() {
            let said =
                done(folder, &format!("{HALVING} --out cut --threads 1 --chunk {chunk}/{of}"));
            assert!(said.contains(&format!("round-{round}/chunk-{chunk}-of-{of}.csv")), "{said}");
        }
        let said = done(folder, "--merge cut");
        assert_eq!(
            said == "round 2 of 2 comes next: play its chunks, then merge them\n",
            round == 1
        );
        assert_eq!(said.contains("Validated on fresh openings"), round == 2, "{said}");
    }
    assert_eq!(results(&folder.join("cut")), results(&folder.join("whole")));
    assert_eq!(recorded_games(&folder.join("cut")), 40);
    let said = done(folder, &format!("{HALVING} --out cut --chunk 1/2"));
    assert!(said.starts_with("all games are made"), "{said}");
    // A folder that a run has begun may be cut, and the other way round.
    fs::create_dir(folder.join("mixed")).unwrap();
    for name in ["config.toml", "manifest.toml"] {
        fs::copy(folder.join("whole").join(name), folder.join("mixed").join(name)).unwrap();
    }
    let rows = fs::read_to_string(folder.join("whole/games.csv")).unwrap();
    let begun: Vec<&str> = rows.lines().take(6).collect();
    fs::write(folder.join("mixed/games.csv"), begun.join("\n") + "\n").unwrap();
    done(folder, &format!("{HALVING} --out mixed --chunk 1/1"));
    done(folder, "--merge mixed");
    done(folder, "--resume mixed");
    assert_eq!(results(&folder.join("mixed")), results(&folder.join("whole")));
}

#[test]
fn a_merge_that_was_interrupted_is_made_again() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    done(folder, &format!("{HALVING} --out whole"));
    for chunk in 1..=2 {
        done(folder, &format!("{HALVING} --out cut --chunk {chunk}/2"));
    }
    let manifest = fs::read(folder.join("cut/manifest.toml")).unwrap();
    done(folder, "--merge cut");
    let path = folder.join("cut/games.csv");
    let rows = fs::read(&path).unwrap();
    // In the middle of a row.
    fs::write(&path, &rows[..rows.len() / 2]).unwrap();
    done(folder, "--merge cut");
    assert_eq!(fs::read(&path).unwrap(), rows);
    // After the rows, before the manifest.
    fs::write(folder.join("cut/manifest.toml"), manifest).unwrap();
    done(folder, &format!("{HALVING} --out cut --chunk 1/1"));
    done(folder, "--merge cut");
    assert_eq!(results(&folder.join("cut")), results(&folder.join("whole")));
    assert_eq!(recorded_games(&folder.join("cut")), 40);
}

#[test]
fn a_chunk_that_lost_rows_is_named_and_completed() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let sweep = HALVING.replace("halving", "sweep");
    let chunk = format!("{sweep} --out cut --chunk 1/1");
    done(folder, &format!("{sweep} --out whole"));
    done(folder, &chunk);
    let path = folder.join("cut/round-1/chunk-1-of-1.csv");
    let rows = fs::read_to_string(&path).unwrap();
    fs::write(&path, &rows[..=rows.trim_end().rfind('\n').unwrap()]).unwrap();
    let fault = refused(folder, "--merge cut");
    let remedy = "round-1: chunk-1-of-1.csv has lost rows, run --chunk 1/1 again";
    assert!(fault.contains("1 game is in") && fault.contains(remedy), "{fault}");
    let output = run(TUNE, folder, &words(&chunk));
    assert!(text(&output.stdout).starts_with("1 games made, the chunk is complete"));
    assert!(text(&output.stderr).contains("chunk-1-of-1.csv has lost rows"));
    done(folder, "--merge cut");
    assert_eq!(results(&folder.join("cut")), results(&folder.join("whole")));
}

#[test]
fn a_chunk_that_is_killed_goes_on() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let sweep = HALVING.replace("halving", "sweep").replace("--games 40", "--games 320");
    done(folder, &format!("{sweep} --out whole"));
    let line = format!("{sweep} --out cut --threads 1 --chunk 1/1");
    let partial = folder.join("cut/round-1/chunk-1-of-1.partial");
    let lines = || fs::read_to_string(&partial).map_or(0, |text| text.lines().count());
    let mut kills = 0;
    for more in [2, 20, 40] {
        let enough = lines() + more;
        let mut child = Command::new(TUNE)
            .args(words(&line))
            .current_dir(folder)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while lines() < enough && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += usize::from(partial.exists());
    }
    assert!(kills > 0, "no chunk was killed in the middle");
    done(folder, &line);
    done(folder, "--merge cut");
    assert_eq!(results(&folder.join("cut")), results(&folder.join("whole")));
}

#[test]
fn what_is_no_chunk_of_the_run_is_refused() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let none = refused(folder, "--param exploration=0..1 --out run --chunk 1/2");
    assert!(none.contains("each game of thompson depends"), "{none}");
    let none = refused(folder, "--param exploration=0..1 --method clop --rounds");
    assert!(none.contains("each game of clop depends"), "{none}");
    assert!(refused(folder, &format!("{HALVING} --chunk 1/2")).contains("--out DIR"));
    assert!(refused(folder, &format!("{HALVING} --out run --chunk 3/2")).contains("3/2"));
    assert!(refused(folder, "--synthetic LOG --out run --chunk 1/2").contains("--synthetic"));
    assert!(refused(folder, "--merge run").contains("run"));
    assert!(refused(folder, "--merge run --seed 3").contains("--merge"));
    assert!(!folder.join("run").exists());

    done(folder, &format!("{HALVING} --out run --chunk 1/2"));
    let cut = refused(folder, "--resume run");
    assert!(cut.contains("run has chunks of round 1: go on with --chunk and --merge"), "{cut}");
    let missing = refused(folder, "--merge run");
    assert!(missing.contains("8 games are in no finished chunk of run/round-1"), "{missing}");
    let other = HALVING.replace("--seed 5", "--seed 6");
    let another = refused(folder, &format!("{other} --out run --chunk 2/2"));
    assert!(another.contains("run holds another run (seed is 5 and not 6)"), "{another}");
    done(folder, &format!("{other} --out other --chunk 2/2"));
    let chunk = "round-1/chunk-2-of-2.csv";
    fs::copy(folder.join("other").join(chunk), folder.join("run").join(chunk)).unwrap();
    let foreign = refused(folder, "--merge run");
    assert!(
        foreign.contains(chunk) && foreign.contains("the fingerprint of other settings"),
        "{foreign}"
    );
    assert!(!folder.join("run/games.csv").exists());
    fs::remove_file(folder.join("run").join(chunk)).unwrap();
    done(folder, &format!("{HALVING} --out run --chunk 2/2"));
    done(folder, "--merge run");
}
