//! The program `tournament`: the main job, from bots to a table.

use super::{Failure, refused};
use crate::arena::{Settings, Tournament, tournament};
use crate::lab::Summary;
use crate::run::{GameRow, Manifest, Outcome, RowWriter, RunDirectory};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Pit bots against each other on the board of Go
///
/// Plays colour-swapped pairs of games on shared random openings and writes
/// one folder: games.csv (a row a game), summary.csv (a row a bot and a row a
/// pairing, with 95 % intervals), plots, and config.toml and manifest.toml, by
/// which the run can be repeated.
#[derive(Debug, clap::Parser)]
#[command(
    name = "tournament",
    version,
    after_help = "\
Without --bot and --config the program plays its default tournament on 5x5: \
random, two-ply and UCT at several exploration constants.

Settings of uct: playouts (1000) or seconds a move, workers (1), exploration, \
first_play, expansion, final_move (visits or value), reuse (false), max_nodes. \
`tengen analyze --bot SPEC` shows one search.

Example: does c = 0.4 beat c = 1.0 at 1,000 playouts on 9x9?
  tournament --size 9 --pairs 200 --bot c0.4=uct:exploration=0.4 \
--bot c1.0=uct:exploration=1.0"
)]
pub struct Arguments {
    /// Read the settings from a TOML file; the command line wins over it.
    /// The config.toml of an earlier run repeats that run
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the run; if it holds a run already, DIR-2 and so on
    /// [default: results/<date>-<name>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games played at once; the result does not depend on it [default: one
    /// for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    settings: Settings,
}

/// Plays the tournament that `arguments` describe and leaves its folder;
/// `default` is the TOML of the tournament to play where none is described.
///
/// # Errors
/// If the settings make no tournament, or a file cannot be written.
pub fn run(arguments: Arguments, default: &str, output: &mut dyn Write) -> Result<(), Failure> {
    let threads = arguments.threads.map_or_else(rayon::current_num_threads, usize::from);
    let out = arguments.out.clone();
    let tournament = resolve(arguments, default)?;
    let wanted = out.unwrap_or_else(|| RunDirectory::default_path(&tournament.name));
    let directory = RunDirectory::create(&wanted).map_err(|fault| refused(&fault))?;
    let mut manifest = Manifest::begin(threads);
    directory.write("config.toml", &toml::to_string(&tournament)?)?;
    directory.write("manifest.toml", &toml::to_string(&manifest)?)?;
    let started = Instant::now();
    let rows = play(&tournament, threads, &directory)?;
    let summary = summarize(&tournament, &rows);
    directory.write("summary.csv", &summary.to_csv()?)?;
    draw(&tournament, &summary, &directory)?;
    manifest.end(started.elapsed().as_secs_f64());
    directory.write("manifest.toml", &toml::to_string(&manifest)?)?;
    writeln!(output, "{}\n", conditions(&tournament))?;
    writeln!(output, "{summary}")?;
    writeln!(output, "{} games in {}", rows.len(), directory.path().display())?;
    Ok(())
}

/// The settings of the command line over those of the file, filled in.
fn resolve(arguments: Arguments, default: &str) -> Result<Tournament, Failure> {
    let Arguments { config, settings, .. } = arguments;
    let below = match &config {
        Some(path) => {
            let text = fs::read_to_string(path).map_err(|fault| {
                Failure::usage(format!("cannot read {}: {fault}", path.display()))
            })?;
            read(&text).map_err(|fault| Failure::usage(format!("{}: {fault}", path.display())))?
        }
        None if settings.bot.is_empty() => read(default).context("the default tournament")?,
        None => Settings::default(),
    };
    settings.or(below).resolve().map_err(|fault| refused(&fault))
}

/// The settings in `text`; a fault is told with its line.
fn read(text: &str) -> anyhow::Result<Settings> {
    toml::from_str(text).map_err(|fault| {
        let line = fault.span().map(|span| text[..span.start].lines().count().max(1));
        let place = line.map_or(String::new(), |line| format!("line {line}: "));
        anyhow::anyhow!("{place}{}", fault.message())
    })
}

/// Plays all games; `games.csv` grows in the order of the schedule.
fn play(
    tournament: &Tournament,
    threads: usize,
    directory: &RunDirectory,
) -> anyhow::Result<Vec<GameRow>> {
    let path = directory.path().join("games.csv");
    let context = || format!("cannot write {}", path.display());
    let mut file = RowWriter::create(&path).with_context(context)?;
    let mut progress = Progress::new(tournament);
    let mut rows = Vec::with_capacity(tournament.schedule().games());
    tournament::run(
        tournament,
        threads,
        |row| progress.finished(row),
        |row| -> anyhow::Result<()> {
            file.write(row).with_context(context)?;
            rows.push(row.clone());
            Ok(())
        },
    )?;
    Ok(rows)
}

fn summarize(tournament: &Tournament, rows: &[GameRow]) -> Summary {
    let bots: Vec<String> = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
    let schedule = tournament.schedule();
    let pairings: Vec<(usize, usize)> =
        schedule.pairings().iter().map(|pairing| (pairing.first, pairing.second)).collect();
    Summary::of(&bots, &pairings, rows)
}

/// Writes the plots of `summary`, each as SVG and as PNG.
fn draw(
    tournament: &Tournament,
    summary: &Summary,
    directory: &RunDirectory,
) -> Result<(), Failure> {
    let folder = directory.subfolder("plots")?;
    let conditions = conditions(tournament);
    summary.win_rates(&conditions).draw().save(&folder.join("win_rates"))?;
    summary.cross_table(&conditions).draw().save(&folder.join("cross_table"))?;
    Ok(())
}

/// What was played, in a line.
fn conditions(tournament: &Tournament) -> String {
    let Tournament { size, komi, rules, pairs, opening_plies, seed, .. } = tournament;
    format!(
        "{size}, komi {komi}, {rules} rules, {pairs} pairs a pairing, \
         openings of {opening_plies} plies, seed {seed}"
    )
}

/// The bar on standard error; nothing where that is no terminal.
struct Progress {
    bar: ProgressBar,
    bots: Vec<String>,
    /// Points and games of each bot.
    scores: Vec<(f64, u32)>,
}

impl Progress {
    fn new(tournament: &Tournament) -> Self {
        let bar = ProgressBar::new(tournament.schedule().games() as u64);
        let template = "{bar:30} {pos}/{len} games, {per_sec}, {eta} left, {msg}";
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| {
            // The template is constant: a plain bar if it should be refused.
            ProgressStyle::default_bar()
        }));
        let bots: Vec<String> = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
        let scores = vec![(0.0, 0); bots.len()];
        Self { bar, bots, scores }
    }

    fn finished(&mut self, row: &GameRow) {
        let (black, white) = match row.outcome {
            Outcome::Black => (1.0, 0.0),
            Outcome::White => (0.0, 1.0),
            Outcome::Jigo => (0.5, 0.5),
            Outcome::Void => return self.bar.inc(1),
        };
        for (name, points) in [(&row.black, black), (&row.white, white)] {
            if let Some(place) = self.bots.iter().position(|bot| bot == name) {
                self.scores[place].0 += points;
                self.scores[place].1 += 1;
            }
        }
        let rate = |&(points, games): &(f64, u32)| points / f64::from(games.max(1));
        let leader = (0..self.bots.len())
            .rev()
            .max_by(|&a, &b| rate(&self.scores[a]).total_cmp(&rate(&self.scores[b])));
        if let Some(leader) = leader {
            let percent = 100.0 * rate(&self.scores[leader]);
            self.bar.set_message(format!("{} leads with {percent:.1} %", self.bots[leader]));
        }
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
