//! `tengen reproduce`: published figures that are those of the games, and others.

use crate::common::{
    TENGEN, TOURNAMENT, fault, in_repository, printed, read, refused, run, text,
    without_last_column,
};
use std::fs;
use std::path::Path;

/// A folder with one published run, whose page tells the win rate of its first bot.
fn published(folder: &Path) -> String {
    let line = "--size 5 --pairs 6 --bot two-ply --bot random --out results/small";
    run(TOURNAMENT, folder, line);
    let summary = read(&folder.join("results/small/summary.csv"));
    let mut reader = csv::Reader::from_reader(summary.as_bytes());
    let names = reader.headers().unwrap().clone();
    let row = reader.records().next().unwrap().unwrap();
    let percent = |name: &str| {
        let at = names.iter().position(|known| known == name).unwrap();
        format!("{:.1}", 100.0 * row[at].parse::<f64>().unwrap())
    };
    let [rate, low, high] = ["win_rate", "win_rate_low", "win_rate_high"].map(percent);
    let figure = format!("{rate} % of 12 games ({low} to {high})");
    fs::create_dir(folder.join("docs")).unwrap();
    fs::write(folder.join("README.md"), format!("Two plies win {figure}.\n")).unwrap();
    fs::write(folder.join("docs/page.md"), "No figures.\n").unwrap();
    fs::write(folder.join("results/small/README.md"), format!("# small\n\n| {figure} |\n"))
        .unwrap();
    figure
}

/// Changes the file at `path` by `change`, and returns what `tengen reproduce` says of it, which must
/// fail; the file is then as before.
#[track_caller]
fn changed(folder: &Path, path: &str, change: impl Fn(&str) -> String) -> String {
    let path = folder.join(path);
    let before = read(&path);
    let after = change(&before);
    assert_ne!(before, after);
    fs::write(&path, after).unwrap();
    let output = run(TENGEN, folder, "reproduce");
    fs::write(&path, before).unwrap();
    assert!(matches!(output.status.code(), Some(1 | 2)), "{output:?}");
    text(&output.stderr)
}

/// `figure` with the digit at its end increased by one.
fn mutated(figure: &str) -> String {
    let at = figure.rfind(|digit: char| digit.is_ascii_digit()).unwrap();
    let digit = figure.as_bytes()[at] - b'0';
    format!("{}{}{}", &figure[..at], (digit + 1) % 10, &figure[at + 1..])
}

#[test]
fn a_changed_digit_is_found_in_texts_tables_and_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let figure = published(folder);
    let said = printed(TENGEN, folder, "reproduce");
    assert!(said.contains("2 figures with an interval in 3 files"), "{said}");

    for (file, line) in [("README.md", 1), ("results/small/README.md", 3)] {
        let said = changed(folder, file, |text| text.replace(&figure, &mutated(&figure)));
        assert!(said.contains(&format!("{file}, line {line}: no table")), "{said}");
    }
    let said = changed(folder, "results/small/summary.csv", |text| {
        text.replacen("two-ply,,12", "two-ply,,13", 1)
    });
    assert!(said.contains("results/small/summary.csv, line 2"), "{said}");
    let damaged = |text: &str| text.replacen(",passes,", ",resign,", 1);
    let games = "results/small/games.csv";
    let said = changed(folder, games, damaged);
    assert!(said.contains("line 2: the line was changed after it was written"), "{said}");
    let said = changed(folder, games, |text| damaged(&without_last_column(text)));
    assert!(said.contains("line 2: its termination is resign, but it has a score"), "{said}");
    // Nothing contradicts another winner by the opposite score.
    let said = changed(folder, games, |text| {
        let text = without_last_column(text);
        let row = text.lines().nth(1).unwrap();
        let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
        let place = cells.iter().position(|cell| cell == "passes").unwrap() - 2;
        let score: f64 = cells[place + 1].parse().unwrap();
        cells[place] = if score > 0.0 { "white" } else { "black" }.to_owned();
        cells[place + 1] = format!("{:?}", -score);
        text.replacen(row, &cells.join(","), 1)
    });
    assert!(said.contains("summary.csv") && said.contains("the games say otherwise"), "{said}");
    printed(TENGEN, folder, "reproduce");
}

#[test]
fn figures_from_elsewhere_have_a_source_and_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    published(folder);
    fs::write(folder.join("docs/page.md"), "It makes 539 thousand (391 to 562).\n").unwrap();
    assert_eq!(run(TENGEN, folder, "reproduce").status.code(), Some(1));
    let list = folder.join("results/elsewhere.csv");
    let row = "file,figure,source\ndocs/page.md,539 thousand (391 to 562,";
    fs::write(&list, format!("{row}a benchmark\n")).unwrap();
    assert!(printed(TENGEN, folder, "reproduce").contains("1 is from elsewhere"));
    fs::write(&list, format!("{row}\n")).unwrap();
    let said = text(&run(TENGEN, folder, "reproduce").stderr);
    assert!(said.contains("has no source"), "{said}");
    fs::write(&list, format!("{row}a benchmark\n")).unwrap();
    fs::write(folder.join("docs/page.md"), "None.\n").unwrap();
    let said = text(&run(TENGEN, folder, "reproduce").stderr);
    assert!(said.contains("remove the row"), "{said}");
}

#[test]
fn without_results_it_says_what_it_expects() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(TENGEN, folder.path(), "reproduce");
    crate::common::fault(&output, 1, &["results", "expected a folder with published runs"]);
}

#[test]
fn the_tables_of_a_study_are_computed_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    published(folder);
    for name in ["random-4-8.5", "balanced-4-8.5"] {
        let line =
            "--size 5 --pairs 12 --bot uct:playouts=30 --bot uct:playouts=15 --opening-plies 4";
        run(TOURNAMENT, folder, &format!("{line} --out results/openings/{name}"));
    }
    crate::common::refused(TENGEN, folder, "study results/openings", &["no study", "study.toml"]);
    fs::write(folder.join("results/openings/study.toml"), "kind = 'openings'\n").unwrap();
    let said = printed(TENGEN, folder, "study results/openings");
    assert!(said.contains("random-4-8.5") && said.contains("the default"), "{said}");
    assert!(folder.join("results/openings/plots/information.svg").exists());
    printed(TENGEN, folder, "reproduce");
    let said = changed(folder, "results/openings/pooled.csv", |text| text.replace(",1,", ",2,"));
    assert!(said.contains("results/openings/pooled.csv, line 2"), "{said}");
    let table = "results/openings/random-4-8.5/summary.csv";
    let said = changed(folder, table, |text| text.replacen(",24,", ",25,", 1));
    assert!(said.contains(&format!("{table}, line 2")), "{said}");
}

/// What `tengen reproduce --games` prints for a run of 12 games whose file is changed by `change`.
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
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "--size 4 --pairs 3 --bot u=uct:playouts=30 --bot two-ply --bot random --out run";
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
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
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

/// The default run of 2026-11-22, before bots knew as much safe territory.
#[test]
fn a_published_run_names_the_commits_since_which_it_differs() {
    let run_folder = in_repository("results/2026-11-22-default");
    let folder = tempfile::tempdir().unwrap();
    let line = format!("reproduce --games 20 {}", run_folder.display());
    let output = run(TENGEN, folder.path(), &line);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let commit = "77733679511a86178a52217b0c77d7f312eea8b1";
    assert!(
        said.contains(&format!("git fetch origin {commit} && git checkout {commit}")),
        "{said}"
    );
    let since: Vec<&str> = said.lines().filter(|line| line.starts_with("changed since")).collect();
    assert!(since[0].contains("commit d344e40e of 2026-11-23"), "{said}");
    assert!(!said.contains("fdb40527"), "{said}");
    assert!(said.contains("the first that differs is game ") && said.contains(": ply "), "{said}");
}
