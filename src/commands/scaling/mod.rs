//! The program `scaling`: what a search gains from speed, threads and playouts.

mod matches;
mod speed;

use super::memory::MemoryArgument;
use super::{Failure, refused};
use crate::bench::searches::Candidate;
use crate::go::{Komi, Size};
use std::io::Write;
use std::path::PathBuf;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Simulations a second by size, threads and configuration
    Speed,
    /// The strength of root, tree and leaf parallel search in playouts of the
    /// sequential search
    Parallel,
    /// The Elo of each doubling of the playouts
    Doubling,
}

/// Measure how search scales: its speed, the worth of a doubling of playouts,
/// and the strength-speedup of parallel search
#[derive(Debug, clap::Parser)]
#[command(
    name = "scaling",
    version,
    after_help = "\
--part speed goes through sizes, configurations and threads once a repeat, so \
that what else the machine does falls on all alike, and writes speed.csv.

--part doubling lets uct:playouts=P meet 2P, 2P meet 4P and so on and writes \
doubling.csv.

--part parallel lets a sequential search meet sequential searches of other \
playouts, the doubling curve, and parallel ones: root (workers=n), tree \
(in_flight=n) and leaf (leaf_playouts=n), each with n times the playouts (fixed_time: \
what n processors would make if nothing held them up; no clock runs) and with the same \
playouts (fixed_work). The strength-speedup in \
parallel.csv is the factor of sequential playouts of equal Elo on that curve. \
Root workers beyond the cores run one after the other; a tree that K threads \
share is modelled by K leaves in flight with virtual loss, and measured by \
--tree-threads (tree_threads=n) as far as there are cores.

Examples:
  scaling --part speed --size 9 --threads 1,2 --out results/speed
  scaling --part doubling --size 9 --playouts 125 --doublings 6 --pairs 100
  scaling --part parallel --parallel 4,16 --bot-settings exploration=0.2
  scaling --part parallel --parallel 2,4 --tree-threads 2 --bot-settings \
rave=none,prior=none,exploration=0.3"
)]
pub struct Arguments {
    /// What to measure
    #[arg(long, value_enum, required_unless_present = "resume")]
    part: Option<Part>,
    /// Board sizes; one for doubling and parallel [default: 5,9,13,19 for
    /// speed, else 9]
    #[arg(long, value_delimiter = ',')]
    size: Vec<Size>,
    /// Points for White [default: by size]
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Threads at once; several for speed, which measures each [default: 1
    /// for speed, else one a core]
    #[arg(long, value_delimiter = ',',
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Seed of everything random [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Folder for all files [default: none for speed, else
    /// `results/<date>-scaling-<part>`]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    speed: SpeedArguments,
    #[command(flatten)]
    matches: MatchArguments,
    #[command(flatten)]
    memory: MemoryArgument,
}

/// What only the measurement of speed is told.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Speed")]
struct SpeedArguments {
    /// A configuration, given once or more: uct[:key=value,...], which
    /// NAME=SPEC names; `in_flight=lanes` has as many leaves out as there are
    /// lanes [default: expansion at 1, 10 and 100 visits, RAVE, and one tree
    /// alone]
    #[arg(long, value_name = "SPEC")]
    bot: Vec<Candidate>,
    /// Simulations of each search [default: 20000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    simulations: Option<u64>,
    /// Measurements of each kind [default: 5]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: Option<u32>,
}

/// What only matches are told.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Doubling and parallel")]
struct MatchArguments {
    /// Playouts a move of the first bot of the doublings [default: 125], or
    /// that parallel search is held against [default: 500]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    playouts: Option<u64>,
    /// How often the playouts are doubled, for doubling [default: 6]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=20))]
    doublings: Option<u32>,
    /// Workers, leaves in flight and playouts a leaf, for parallel [default:
    /// 2,4,8,16]
    #[arg(long, value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(2..=256))]
    parallel: Vec<u32>,
    /// Threads that share one tree, for parallel, no more than cores; their
    /// games cannot be repeated, and RAVE and priors must be off [default:
    /// none]
    #[arg(long, value_name = "THREADS", value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(2..=256))]
    tree_threads: Vec<u32>,
    /// Factors of the playouts on the doubling curve, for parallel [default:
    /// 0.25,0.5,1,2,4,8,16]
    #[arg(long, value_delimiter = ',')]
    factors: Vec<f64>,
    /// The factor that all others meet, for parallel; one in the middle of
    /// the strengths keeps scores away from 0 and 100 % [default: 1]
    #[arg(long)]
    reference: Option<f64>,
    /// Colour-swapped pairs of games a pairing [default: 100]
    #[arg(long)]
    pairs: Option<usize>,
    /// More settings of all bots, such as exploration=0.2,expansion=1
    #[arg(long, value_name = "KEY=VALUE,...")]
    bot_settings: Option<String>,
    /// Go on with the run in DIR where it was stopped; beside it only
    /// --threads is taken
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "part", "size", "komi", "seed", "out", "bot", "simulations", "repeats", "playouts",
        "doublings", "parallel", "tree_threads", "factors", "reference", "pairs", "bot_settings",
    ])]
    resume: Option<PathBuf>,
}

/// Measures what `arguments` ask for.
///
/// # Errors
/// If the arguments contradict each other, or a file cannot be written.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    arguments.memory.limit();
    if let Some(part) = arguments.part {
        refuse_strangers(arguments, part)?;
    }
    match arguments.part {
        Some(Part::Speed) => speed::run(arguments, output),
        Some(Part::Doubling) => matches::run(arguments, matches::Kind::Doubling, output),
        Some(Part::Parallel) => matches::run(arguments, matches::Kind::Parallel, output),
        None => matches::resume(arguments, output),
    }
}

/// Refuses options that mean nothing for `part`.
fn refuse_strangers(arguments: &Arguments, part: Part) -> Result<(), Failure> {
    let Arguments { size, threads, speed, matches, .. } = arguments;
    let (is_speed, is_doubling) = (part == Part::Speed, part == Part::Doubling);
    let (is_parallel, is_match) = (part == Part::Parallel, part != Part::Speed);
    let options = [
        ("--bot", !speed.bot.is_empty(), is_speed),
        ("--simulations", speed.simulations.is_some(), is_speed),
        ("--repeats", speed.repeats.is_some(), is_speed),
        ("--playouts", matches.playouts.is_some(), is_match),
        ("--pairs", matches.pairs.is_some(), is_match),
        ("--bot-settings", matches.bot_settings.is_some(), is_match),
        ("--doublings", matches.doublings.is_some(), is_doubling),
        ("--parallel", !matches.parallel.is_empty(), is_parallel),
        ("--tree-threads", !matches.tree_threads.is_empty(), is_parallel),
        ("--factors", !matches.factors.is_empty(), is_parallel),
        ("--reference", matches.reference.is_some(), is_parallel),
    ];
    let name = match part {
        Part::Speed => "speed",
        Part::Doubling => "doubling",
        Part::Parallel => "parallel",
    };
    for (option, is_given, has_meaning) in options {
        if is_given && !has_meaning {
            return Err(Failure::usage(format!("{option} means nothing for --part {name}")));
        }
    }
    for (option, given) in [("--size", size.len()), ("--threads", threads.len())] {
        if is_match && given > 1 {
            return Err(Failure::usage(format!("{option} takes one value for --part {name}")));
        }
    }
    Ok(())
}
