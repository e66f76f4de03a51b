//! `tengen reproduce`: published figures that are those of the games, and others.

use crate::common::{TENGEN, TOURNAMENT, printed, read, run, text, without_last_column};
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
    assert_eq!(output.status.code(), Some(1));
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
    assert!(said.contains("line 2: the line is not as it was written"), "{said}");
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
