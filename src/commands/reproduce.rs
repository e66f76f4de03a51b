//! `tengen reproduce`: computes the published figures again, or plays games of a run again.

mod package;
mod replay;

use super::{Failure, Host};
use crate::analysis::figures::{Figure, Known, figures};
use crate::analysis::studies::{STUDY, Study};
use crate::analysis::{tournament, tuning};
use crate::run::{CONFIG, Experiment, rows};
use crate::settings::parse;
use crate::tournament::{Outline, Tournament};
use anyhow::{Context, anyhow};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Compute the published figures again, or play games of a run again
///
/// Computes the tables of every run in the folder results from its games, and compares them with
/// the files. Then looks up each figure with an interval in README.md, docs and results in these
/// tables. Ends with exit code 1 if anything differs.
///
/// With --games, plays games of one tournament again from its config.toml, and compares moves, score, winner, end and
/// simulations with its rows. Names the commit of the run, and each later commit that changed how bots play.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A page of a run is compared with the tables of that run and of the runs that it links to, README.md \
and the manual with those of all runs. Figures that no table has are listed in \
results/elsewhere.csv, with what they come from.

Examples:
  tengen reproduce
  tengen reproduce --games 20 results/2026-11-25-reuse-9x9")]
pub struct Arguments {
    /// The folder with README.md, docs and results; with --games, the folder of a run
    #[arg(value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// Write results/datapackage.json again, which has columns, units, keys and checksums of all
    /// published tables; otherwise it is compared with them
    #[arg(long)]
    package: bool,
    /// Play GAMES games of the tournament in DIR again, evenly spread over its rows
    #[arg(long, value_name = "GAMES", conflicts_with = "package",
          value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
}

/// Compares tables and texts.
///
/// # Errors
/// If something differs, or cannot be read.
pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let root = &arguments.root;
    if let Some(games) = arguments.games {
        return replay::replay(root, games as usize, host);
    }
    let runs = published(root)?;
    let mut faults = Vec::new();
    let mut known = BTreeMap::new();
    let mut count = TableCount::default();
    for (name, folder) in &runs {
        host.go_on()?;
        let computed = tables_from_games(folder).with_context(|| name.clone())?;
        count.add(compare_tables(folder, name, &computed, &mut faults)?);
        known.insert(name.as_str(), read_tables(folder, &computed)?);
    }
    let results = root.join("results");
    match package::files(&results, &mut faults)? {
        Some(files) if arguments.package => package::write(&results, &files)?,
        Some(files) => package::compare(&results, &files, &mut faults)?,
        None if arguments.package => return Err(package::missing()),
        None => {}
    }
    let TableCount { runs: computed, tables, taken } = count;
    writeln!(host.output, "tables: {tables} computed again from the games of {computed} runs")?;
    if !taken.is_empty() {
        let taken: Vec<_> = taken.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let taken = taken.join(", ");
        writeln!(
            host.output,
            "tables taken as they are, since games alone do not make them: {taken}"
        )?;
    }
    let mut elsewhere = Elsewhere::read(&root.join(ELSEWHERE))?;
    let (mut files, mut found) = (0, 0);
    for path in texts(root)? {
        let text = read(&path)?;
        let name = shown(&path, root);
        let tables = tables_of(&name, &text, &known);
        files += 1;
        for figure in figures(&text) {
            if tables.has(&figure) {
                found += 1;
            } else if !elsewhere.has(&name, &figure) {
                faults.push(format!(
                    "{name}, line {}: no table of the runs has `{}`",
                    figure.line, figure.text
                ));
            }
        }
    }
    faults.extend(elsewhere.unused());
    writeln!(
        host.output,
        "texts: {found} figures with an interval in {files} files are in these tables; {} {} from \
         elsewhere ({ELSEWHERE})",
        elsewhere.used.len(),
        if elsewhere.used.len() == 1 { "is" } else { "are" },
    )?;
    if faults.is_empty() {
        return Ok(());
    }
    for fault in &faults {
        host.caller.say(fault);
    }
    let many = match faults.len() {
        1 => "1 thing differs".to_owned(),
        many => format!("{many} things differ"),
    };
    Err(anyhow!(
        "{many}: compute the tables of a run again with `tournament --report`, and mend the texts"
    )
    .into())
}

/// Where the figures of the texts come from that are in no table.
const ELSEWHERE: &str = "results/elsewhere.csv";

/// Tables that list single games or searches, positions or settings: rows, not figures.
const ROWS: [&str; 4] = ["games.csv", "searches.csv", "samples.csv", "measurements.csv"];

/// The runs in the folder `results`, by name; those of a study after it, as `STUDY/RUN`.
fn published(root: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let mut runs = folders(&root.join("results"))?;
    for (study, folder) in runs.clone() {
        if folder.join(STUDY).exists() {
            let own = folders(&folder)?.into_iter().filter(|(_, path)| path.join(CONFIG).exists());
            runs.extend(own.map(|(name, path)| (format!("{study}/{name}"), path)));
        }
    }
    runs.sort();
    Ok(runs)
}

/// The folders in `folder`, by name.
fn folders(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let named = sorted(folder)?.into_iter().filter(|path| path.is_dir()).filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some((name, path))
    });
    Ok(named.collect())
}

/// The entries of a folder by name.
fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("{}: expected a folder with published runs", folder.display()))?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<_>>>()
        .with_context(|| folder.display().to_string())?;
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<String, Failure> {
    Ok(fs::read_to_string(path).with_context(|| path.display().to_string())?)
}

/// How many tables were computed.
#[derive(Default)]
struct TableCount {
    runs: usize,
    tables: usize,
    /// Number of the others by name.
    taken: BTreeMap<String, usize>,
}

impl TableCount {
    fn add(&mut self, other: Self) {
        self.runs += other.runs;
        self.tables += other.tables;
        for (name, count) in other.taken {
            *self.taken.entry(name).or_default() += count;
        }
    }
}

/// Compares the tables in `folder` with those that follow from its games, `computed`.
fn compare_tables(
    folder: &Path,
    name: &str,
    computed: &[(String, String)],
    faults: &mut Vec<String>,
) -> Result<TableCount, Failure> {
    let mut count = TableCount { runs: usize::from(!computed.is_empty()), ..TableCount::default() };
    for (table, wanted) in computed {
        count.tables += 1;
        let path = folder.join(table);
        match fs::read_to_string(&path) {
            Ok(there) if &there == wanted => {}
            Ok(there) => {
                let lines = there.lines().zip(wanted.lines());
                let line = 1 + lines.take_while(|(one, other)| one == other).count();
                faults
                    .push(format!("results/{name}/{table}, line {line}: the games say otherwise"));
            }
            // Not published: it follows from the games.
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {}
            Err(fault) => faults.push(format!("results/{name}/{table}: {fault}")),
        }
    }
    for (table, _) in tables_in(folder)? {
        if !computed.iter().any(|(name, _)| *name == table) {
            *count.taken.entry(table).or_default() += 1;
        }
    }
    Ok(count)
}

/// The tables of the run in `folder` that follow from games alone: those of a tournament, the
/// validation of a tuning, and those of a study, which follow from the rows of its runs.
fn tables_from_games(folder: &Path) -> anyhow::Result<Vec<(String, String)>> {
    if let Some(study) = Study::of(folder)? {
        return Ok(study.tables()?);
    }
    let validation = folder.join("validation");
    let (games, is_validation) =
        if validation.is_dir() { (validation, true) } else { (folder.to_owned(), false) };
    let config = games.join(CONFIG);
    if !config.exists() || rows::find(&games, Tournament::ROWS).is_none() {
        return Ok(Vec::new());
    }
    let config = parse(&fs::read_to_string(config)?)?;
    // The games of a tuning or of searches, which belong to no schedule.
    let Ok(outline) = Outline::of(&config) else { return Ok(Vec::new()) };
    let (rows, test) = outline.counted(outline.read(&games)?);
    if is_validation {
        let summary = tournament::summarize(&outline, &rows);
        return Ok(vec![("validation.csv".to_owned(), tuning::validation(&summary)?)]);
    }
    let tables = tournament::tables(&outline, &rows, test.as_ref())?;
    Ok(tables.into_iter().map(|(name, table)| (name.to_owned(), table)).collect())
}

/// The tables with figures in `folder`, by name.
fn tables_in(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let named = sorted(folder)?.into_iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        let is_table = path.extension()? == "csv" && !ROWS.contains(&name.as_str());
        is_table.then_some((name, path))
    });
    Ok(named.collect())
}

/// The figures in the tables of the run in `folder`, and in those that follow from its games.
fn read_tables(folder: &Path, computed: &[(String, String)]) -> Result<Known, Failure> {
    let mut known = Known::default();
    for (_, table) in computed {
        known.read(table.as_bytes())?;
    }
    for (_, path) in tables_in(folder)? {
        let text = read(&path)?;
        known.read(text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    Ok(known)
}

/// README.md, the manual with its findings, and the pages of results.
fn texts(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = vec![root.join("README.md")];
    for folder in ["docs", "docs/findings", "results"] {
        if folder == "docs/findings" && !root.join(folder).is_dir() {
            continue;
        }
        for path in sorted(&root.join(folder))? {
            let page = path.join("README.md");
            if path.extension().is_some_and(|kind| kind == "md") {
                paths.push(path);
            } else if folder == "results" && page.exists() {
                paths.push(page);
            }
        }
    }
    Ok(paths)
}

/// `path` as it lies below `root`, with slashes.
fn shown(path: &Path, root: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The tables with which the text of the file `name` is compared.
fn tables_of(name: &str, text: &str, known: &BTreeMap<&str, Known>) -> Known {
    let own = name.strip_prefix("results/").and_then(|rest| rest.strip_suffix("/README.md"));
    let mut tables = Known::default();
    for (run, figures) in known {
        // A study has the tables of its runs.
        let study = run.split('/').next().unwrap_or(run);
        if own.is_none_or(|own| own == study || text.contains(&format!("{study}/"))) {
            tables.extend(figures);
        }
    }
    tables
}

/// The figures that are in no table, with what they come from.
struct Elsewhere {
    rows: BTreeSet<(String, String)>,
    used: BTreeSet<(String, String)>,
}

impl Elsewhere {
    /// Those of a file with the columns `file`, `figure` and `source`; none if there is no file.
    fn read(path: &Path) -> Result<Self, Failure> {
        let mut rows = BTreeSet::new();
        if path.exists() {
            let mut reader = csv::Reader::from_path(path).context(ELSEWHERE)?;
            for row in reader.deserialize() {
                let (file, figure, source): (String, String, String) = row.context(ELSEWHERE)?;
                if source.trim().is_empty() {
                    return Err(anyhow!("{ELSEWHERE}: `{figure}` has no source").into());
                }
                rows.insert((file, figure));
            }
        }
        Ok(Self { rows, used: BTreeSet::new() })
    }

    fn has(&mut self, file: &str, figure: &Figure) -> bool {
        let row = (file.to_owned(), figure.text.clone());
        let is_there = self.rows.contains(&row);
        if is_there {
            self.used.insert(row);
        }
        is_there
    }

    fn unused(&self) -> impl Iterator<Item = String> {
        self.rows.difference(&self.used).map(|(file, figure)| {
            format!("{ELSEWHERE}: {file} has no `{figure}` that tables lack; remove the row")
        })
    }
}
