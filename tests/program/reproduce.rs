//! `tengen reproduce`: games of a run that are played again, and compared with its rows.

use crate::common::{
    Scratch, TENGEN, TOURNAMENT, fault, in_repository, printed, read, refused, run, text,
    without_last_column,
};
use std::fs;
use std::path::Path;

/// What `tengen reproduce` prints for a run of 12 games whose file is changed by `change`.
fn replayed(
    folder: &Path,
    games: usize,
    change: impl Fn(&str) -> String,
) -> (Option<i32>, String, String) {
    let path = folder.join("run/games.csv");
    let before = read(&path);
    fs::write(&path, change(&before)).unwrap();
    let output = run(TENGEN, folder, &format!("reproduce --games {games} run"));
    fs::write(&path, before).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// `text`, rows of games, with `change` made to the cell `column` of game `game`, and without checks.
fn with_cell(text: &str, game: usize, column: &str, change: impl Fn(&str) -> String) -> String {
    let has_check = text.lines().next().is_some_and(|header| header.ends_with(",check"));
    let text = if has_check { without_last_column(text) } else { text.to_owned() };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let place = header.iter().position(|name| name == column).unwrap();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).unwrap();
    for (number, row) in reader.records().enumerate() {
        let row = row.unwrap();
        let cell = |(at, cell): (usize, &str)| {
            if number == game && at == place { change(cell) } else { cell.to_owned() }
        };
        writer.write_record(row.iter().enumerate().map(cell)).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

#[test]
fn games_of_a_run_are_played_again() {
    let folder = &Scratch::new();
    let line = "--size 4 --pairs 3 --bot u=uct:simulations=30 --bot two-ply --bot random --out run";
    printed(TOURNAMENT, folder, line);
    let same = |text: &str| text.to_owned();
    let (code, said, faults) = replayed(folder, 1_000, same);
    assert_eq!((code, faults.as_str()), (Some(0), ""), "{said}");
    assert!(said.contains("18 of 18 games are equal, 0 differ\n"), "{said}");
    let commit = tengen::commands::build().commit;
    assert!(said.contains(&format!("the run was made by commit {commit}")), "{said}");
    assert!(!said.contains("changed since"), "{said}");
    assert!(replayed(folder, 6, same).1.contains("6 of 6 games are equal"));

    let moves = |text: &str| {
        with_cell(text, 6, "moves", |moves| {
            let mut moves: Vec<&str> = moves.split(' ').collect();
            moves[3] = "pass";
            moves.join(" ")
        })
    };
    let (code, said, faults) = replayed(folder, 18, moves);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("17 of 18 games are equal, 1 differ\n"), "{said}");
    assert!(said.contains("the first that differs is game 6: ply 4: pass in the run, "), "{said}");
    assert!(faults.contains("1 of 18 games differ from the games in run"), "{faults}");
    // Of six games one is among each three rows: the same ones every time.
    let meets = |game: usize| {
        let other = |text: &str| {
            with_cell(text, game, "moves", |moves| vec!["pass"; moves.split(' ').count()].join(" "))
        };
        replayed(folder, 6, other).0 == Some(1)
    };
    let met: Vec<usize> = (0..18).filter(|&game| meets(game)).collect();
    assert!(
        met.len() == 6 && met.iter().enumerate().all(|(part, game)| game / 3 == part),
        "{met:?}"
    );

    // A published run that keeps no moves.
    let bare = |text: &str| {
        (0..18)
            .fold(text.to_owned(), |text, game| with_cell(&text, game, "moves", |_| String::new()))
    };
    let (code, said, _) = replayed(folder, 18, bare);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("18 rows have no moves: all else is compared"), "{said}");
    let score = |text: &str| with_cell(&bare(text), 9, "score", |score| format!("{score}25"));
    let (code, said, _) = replayed(folder, 18, score);
    assert!(
        code == Some(1) && said.contains("game 9: the score: ") && said.contains("25 in the run"),
        "{said}"
    );
    let simulations =
        |text: &str| with_cell(&bare(text), 0, "black_simulations", |_| "7".to_owned());
    let (code, said, _) = replayed(folder, 18, simulations);
    assert!(
        code == Some(1) && said.contains("game 0: Black's simulations: 7 in the run"),
        "{said}"
    );

    // A row of another run.
    let (code, _, faults) =
        replayed(folder, 6, |text| with_cell(text, 0, "seed", |_| "1".to_owned()));
    assert!(code == Some(2) && faults.contains("game 0 of games.csv is not the one"), "{faults}");
    refused(TENGEN, folder, "reproduce --games 0 run", &["--games", "0"]);
    refused(TENGEN, folder, "reproduce --games 5 absent", &["absent/config.toml"]);
}

#[test]
fn what_cannot_be_played_again_is_named() {
    let folder = &Scratch::new();
    let line =
        "--size 3 --pairs 2 --bot fast=uct:seconds=0.001 --bot two-ply --bot random --out run";
    printed(TOURNAMENT, folder, line);
    let said = printed(TENGEN, folder, "reproduce --games 9 run");
    assert!(said.contains("8 of 12 games cannot be compared: fast has a clock"), "{said}");
    assert!(said.contains("4 of 4 games are equal"), "{said}");
    let config = folder.join("run/config.toml");
    let clocks =
        read(&config).replace("kind = \"two-ply\"", "kind = \"gtp\"\ncommand = \"no-such-engine\"");
    fs::write(&config, clocks).unwrap();
    let output = run(TENGEN, folder, "reproduce --games 9 run");
    let said = text(&output.stdout);
    assert!(said.contains("8 of 12 games cannot be compared: fast has a clock"), "{said}");
    assert!(said.contains("4 of 12 games cannot be compared: two-ply cannot play here"), "{said}");
    fault(&output, 1, &["run has no game that can be compared"]);
}

/// A run of 2026-11-22, before bots knew as much safe territory.
#[test]
fn a_published_run_names_the_commits_since_which_it_differs() {
    let run_folder = in_repository("results/2026-11-22-new-default-5x5");
    let folder = Scratch::new();
    let line = format!("reproduce --games 20 {}", run_folder.display());
    let output = run(TENGEN, &folder, &line);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let commit = "2d0af62a691bfd59fad55c6f693f157bafce79be";
    assert!(
        said.contains(&format!("git fetch origin {commit} && git checkout {commit}")),
        "{said}"
    );
    let since: Vec<&str> = said.lines().filter(|line| line.starts_with("changed since")).collect();
    assert!(since[0].contains("commit d344e40e of 2026-11-23"), "{said}");
    assert!(!said.contains("fdb40527"), "{said}");
    let first = "the first that differs is game 9: the number of plies: 34 in the run, 33 now";
    assert!(said.contains(first), "{said}");
}
