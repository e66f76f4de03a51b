//! The views of a search tree in `tengen analyze`: text, DOT, JSON lines and a heat
//! map.

use super::Failure;
use crate::bots::BotConfig;
use crate::go::Game;
use crate::report::plots::{Heading, HeatMap};
use crate::search::inspect::Inspection;
use crate::search::{SearchReport, UctConfig};
use anyhow::Context;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Options for views of the search tree.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "The search tree")]
pub struct Wanted {
    /// Print the search tree down to this depth
    ///
    /// The root has depth 0. The depth also limits --dot and --jsonl.
    #[arg(long, value_name = "DEPTH")]
    tree: Option<u16>,
    /// Leave out nodes with fewer than N visits
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_visits: u32,
    /// Number of the worker whose tree is shown, counted from 0
    ///
    /// The heat map adds up the visits of all workers.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    worker: u32,
    /// Write the search tree to FILE as a DOT graph for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the search tree to FILE as JSON lines, one object per node
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Write the share of visits of each move to FILE, as an SVG picture of the board
    #[arg(long, value_name = "FILE")]
    heat_map: Option<PathBuf>,
}

/// A search and its result.
pub struct Found<'a> {
    /// The game searched.
    pub game: &'a Game,
    /// The bot that searched.
    pub bot: &'a BotConfig,
    /// The seed of the bot.
    pub seed: u64,
    /// The statistics of the search; none if the bot passed without one.
    pub report: Option<&'a SearchReport>,
    /// The trees of the workers.
    pub trees: &'a [crate::search::tree::Tree],
}

impl Wanted {
    /// Checks these options for `bot`, and returns its search settings; none if no view
    /// of the tree is requested.
    pub fn check<'a>(&self, bot: &'a BotConfig) -> Result<Option<&'a UctConfig>, Failure> {
        let files =
            [("--dot", &self.dot), ("--jsonl", &self.jsonl), ("--heat-map", &self.heat_map)];
        let option = match files.iter().find(|(_, file)| file.is_some()) {
            _ if self.tree.is_some() => "--tree",
            Some((option, _)) => option,
            None if self.worker != 0 => {
                refuse!("--worker needs --tree, --dot or --jsonl");
            }
            None if self.min_visits != 1 => {
                refuse!("--min-visits needs --tree, --dot or --jsonl");
            }
            None => return Ok(None),
        };
        let Some(config) = bot.uct() else {
            refuse!("{option} needs a bot that searches: uct, not {bot}");
        };
        if self.worker >= config.workers {
            let (worker, workers) = (self.worker, config.workers);
            refuse!("--worker is {worker}: {bot} has workers 0 to {}", workers - 1);
        }
        for (option, file) in files {
            let Some(file) = file else { continue };
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let is_there = folder.is_none_or(Path::is_dir);
            if !is_there || file.is_dir() || file.file_name().is_none() {
                let fault = if is_there {
                    "it is a folder: expected a file"
                } else {
                    "its folder is missing"
                };
                refuse!("{option} {}: {fault}", file.display());
            }
        }
        Ok(Some(config))
    }

    /// Writes the requested views.
    pub fn write(&self, found: &Found<'_>, output: &mut dyn Write) -> Result<(), Failure> {
        let (Some(report), Some(tree)) = (found.report, found.trees.get(self.worker as usize))
        else {
            refuse!("the bot wins by passing and has not searched: no tree");
        };
        let inspection = Inspection {
            tree,
            to_play: found.game.to_play(),
            depth: self.tree.map_or(usize::MAX, usize::from),
            min_visits: self.min_visits,
        };
        if self.tree.is_some() {
            let workers = found.trees.len();
            let of = format!(" of worker {} of {workers}, numbered from 0", self.worker);
            let of = if workers > 1 { &of } else { "" };
            writeln!(output, "\ntree{of}; values are those of the player who made the move")?;
            inspection.write_text(output)?;
        }
        if let Some(path) = &self.dot {
            write_file(path, |file| inspection.write_dot(file))?;
        }
        if let Some(path) = &self.jsonl {
            write_file(path, |file| inspection.write_json_lines(file))?;
        }
        if let Some(path) = &self.heat_map {
            draw(found, report, path)?;
        }
        Ok(())
    }
}

fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let all = || {
        let mut file = BufWriter::new(File::create(path)?);
        write(&mut file)?;
        file.flush()
    };
    Ok(all().with_context(|| format!("cannot write {}", path.display()))?)
}

/// Writes the heat map of the visits of the moves, all workers together, to `path`.
fn draw(found: &Found<'_>, report: &SearchReport, path: &Path) -> Result<(), Failure> {
    let game = found.game;
    let best = report.moves.first().map_or(String::new(), |best| {
        let value = best.value().map_or(String::new(), |value| format!(", win rate {value:.3}"));
        format!("; most visited {}{value}", best.mv)
    });
    let heading = Heading {
        title: format!("Visits of {}'s moves{best}", game.to_play()),
        subtitle: format!(
            "{}, komi {}, {} simulations, seed {}",
            found.bot,
            game.rules().komi,
            report.counts.simulations,
            found.seed
        ),
    };
    let visits = report.moves.iter().map(|root_move| (root_move.mv, root_move.visits)).collect();
    let svg = HeatMap { heading, board: *game.board(), visits }.draw().to_svg();
    write_file(path, |file| file.write_all(svg.as_bytes()))
}
