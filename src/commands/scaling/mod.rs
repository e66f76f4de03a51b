//! The program `scaling`: speed of a search, and strength by number of
//! simulations and by parallel search.

pub(super) mod matches;
mod speed;

use super::memory::MemoryArgument;
use super::{Failure, Host, front, refused};
use crate::bots::NamedBot;
use crate::commands::setting_options::choices;
use crate::go::{Komi, Size};
use crate::run::MAX_GAMES_PER_THREAD;
use crate::scaling::{Scheme, Work};
use crate::speed::searches::{MeasuredSearch, MeasuredSearchError};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::path::PathBuf;

/// The parts of `scaling`, one experiment each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Simulations per second, by board size, threads and bot
    Speed,
    /// Strength of parallel searches, in simulations of a sequential search of equal Elo
    Parallel,
    /// Elo gained by each doubling of the simulations per move
    Doubling,
}

/// Measure how search scales: speed, Elo per doubling, strength-speedup of parallel search
#[derive(Debug, clap::Parser)]
#[command(
    name = "scaling",
    version,
    after_help = "\
--part speed measures all sizes, bots and numbers of threads once per repeat: other load on the \
machine affects all of them alike. It writes speed.csv. The printed table has the microseconds per \
simulation by part of the search.

--part doubling plays P simulations per move against 2P, 2P against 4P and so on, and writes \
doubling.csv.

--part parallel plays every search against one reference, a sequential search or --opponent. Sequential \
searches with other numbers of simulations give a curve of Elo. The parallel searches are root \
(workers=n), tree (in_flight=n), leaf (leaf_playouts=n) and shared (workers=n that share the upper tree \
after every 50 simulations of each). Every parallel search plays with n times the simulations of the \
sequential search (fixed_time: what n processors would make in equal time without overhead; no clock is \
used) and with equal simulations (fixed_work). The strength-speedup in parallel.csv is the number of \
simulations of a sequential search of equal Elo, divided by --simulations. All parallel searches are models: \
workers=16 plays the same game on one core and on sixteen cores.

Examples:
  scaling --part speed --size 9 --threads 1,2 --out runs/speed
  scaling --part doubling --size 9 --simulations 125 --doublings 6 --pairs 100
  scaling --part parallel --parallel 4,16 --bot-settings exploration=0.2
  scaling --part parallel --simulations 1000 --parallel 4 --schemes root,tree --work fixed_time \
--opponent \"gnugo=gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko \
--capture-all-dead --play-out-aftermath\" --games-per-thread 8"
)]
pub struct Arguments {
    /// Experiment to run
    #[arg(long, value_enum, required_unless_present_any = ["resume", "extend"])]
    part: Option<Part>,
    /// Board sizes, such as 9 or 9x7 [default: 5,9,13,19 for speed, else 9]
    ///
    /// --part speed takes several sizes, separated by commas. The other parts take one size.
    #[arg(long, value_delimiter = ',')]
    size: Vec<Size>,
    /// Komi in points, a multiple of 0.5 [default: 2.5 up to 5x5, 8.5 on 7x7, else 7.5]
    ///
    /// White receives the komi for moving second.
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Number of threads [default: 1 for speed, else one per core]
    ///
    /// --part speed measures each of several numbers, separated by commas.
    #[arg(long, value_delimiter = ',',
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Random seed [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Output folder [default: none for speed, else `runs/<date>-scaling-<part>`]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Simulations per search [default: 20000 for speed, 125 for doubling, 500 for parallel]
    ///
    /// speed: of each search that is measured. doubling: of the first bot. parallel: of the
    /// sequential search with factor 1.
    #[arg(long, alias = "playouts", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    simulations: Option<u64>,
    #[command(flatten)]
    speed: SpeedArguments,
    #[command(flatten)]
    matches: MatchArguments,
    #[command(flatten)]
    memory: MemoryArgument,
}

/// Options of `--part speed` alone.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Speed")]
struct SpeedArguments {
    /// Search to measure, given once or more, such as fast=uct:expansion=10 [default: five
    /// searches]
    ///
    /// Write uct, a preset such as strong, uct:key=value,... or NAME=SPEC, without `seconds`,
    /// `workers` and `simulations`. `in_flight=lanes` keeps as many leaves of one tree in flight as
    /// a thread has lanes. The default searches are UCB1 with `expansion` 1, 10 and 100, RAVE, and
    /// one tree with `in_flight=lanes`.
    #[arg(long, value_name = "SPEC", value_parser = measured)]
    bot: Vec<MeasuredSearch>,
    /// Number of searches that a thread runs at once [default: as many as fill the lanes]
    ///
    /// With 1 the speed is that of a search alone, as against a person.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    searches: Option<u16>,
    /// Number of moves that each search makes in turn [default: 1]
    ///
    /// The search plays against itself from the empty board. A game that is over begins again. Bots
    /// with `reuse=true` keep their tree.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    moves: Option<u32>,
    /// Number of repeats of each measurement [default: 5]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: Option<u32>,
}

/// Options of the matches alone.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Doubling and parallel")]
struct MatchArguments {
    /// With --part doubling: number of doublings of the simulations [default: 6]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=20))]
    doublings: Option<u32>,
    /// With --part parallel: degrees of parallelism n, 2 to 256 [default: 2,4,8,16]
    ///
    /// n is the number of workers (root, shared), of leaves in flight (tree) or of playouts per
    /// leaf (leaf).
    #[arg(long, value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(2..=256))]
    parallel: Vec<u32>,
    /// With --part parallel: factors of --simulations on the curve [default: 0.25,0.5,1,2,4,8,16]
    ///
    /// For each factor a sequential search plays the reference, with --simulations times the
    /// factor. These searches give the curve that translates the Elo of a parallel search into
    /// simulations.
    #[arg(long, value_delimiter = ',')]
    factors: Vec<f64>,
    /// With --part parallel: parallel searches to play, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_parser = choices::<Scheme>())]
    schemes: Vec<Scheme>,
    /// With --part parallel: simulations of the parallel searches, separated by commas [default:
    /// both]
    #[arg(long, value_delimiter = ',', value_parser = choices::<Work>())]
    work: Vec<Work>,
    /// With --part parallel: reference opponent, as a factor of --simulations [default: 1]
    ///
    /// The reference is a sequential search, and every other search plays against it. A reference
    /// in the middle of the strengths keeps win rates away from 0 and 100 %. Not with --opponent.
    #[arg(long)]
    reference: Option<f64>,
    /// With --part parallel: bot that replaces the reference opponent
    ///
    /// Example: "gnugo=gtp:gnugo --mode gtp". NAME=SPEC names the bot.
    #[arg(long, value_name = "SPEC", conflicts_with = "reference")]
    opponent: Option<NamedBot>,
    /// With --opponent gtp:COMMAND: number of games that a thread plays at once [default: 1]
    ///
    /// Every game has its own process of the program, and the searches of these games share the
    /// vector lanes.
    #[arg(long, value_name = "GAMES",
          value_parser = clap::value_parser!(u16).range(1..=MAX_GAMES_PER_THREAD.into()))]
    games_per_thread: Option<u16>,
    /// Number of colour-swapped pairs of games per pairing (two bots that meet) [default: 100]
    #[arg(long)]
    pairs: Option<usize>,
    /// Settings of every bot but --opponent, such as exploration=0.2,expansion=1
    #[arg(long, value_name = "KEY=VALUE,...")]
    bot_settings: Option<String>,
    /// Resume the stopped run in DIR
    ///
    /// Only --extend, --threads, --games-per-thread and --memory are allowed with --resume.
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "part", "size", "komi", "seed", "out", "bot", "searches", "moves", "simulations", "repeats",
        "doublings", "parallel", "factors", "schemes", "work", "reference", "opponent", "pairs",
        "bot_settings",
    ])]
    resume: Option<PathBuf>,
    /// With --resume: extend the run to N pairs per pairing
    #[arg(long, value_name = "N")]
    extend: Option<u64>,
}

/// Runs the experiment and prints its results.
pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    arguments.memory.limit();
    front::check_extension(arguments.matches.extend, arguments.matches.resume.as_deref())?;
    if let Some(part) = arguments.part {
        refuse_strangers(arguments, part)?;
    }
    match arguments.part {
        Some(Part::Speed) => speed::run(arguments, host),
        Some(Part::Doubling) => matches::run(arguments, matches::Kind::Doubling, host),
        Some(Part::Parallel) => matches::run(arguments, matches::Kind::Parallel, host),
        None => matches::resume(arguments, host),
    }
}

/// The search to measure that `text` describes, without the number of simulations.
fn measured(text: &str) -> Result<MeasuredSearch, MeasuredSearchError> {
    let settings = text.split_once(':').map_or("", |(_, settings)| settings).split(',');
    let keys = settings.filter_map(|pair| Some(pair.split_once('=')?.0.trim()));
    if keys.into_iter().any(|key| ["simulations", "playouts"].contains(&key)) {
        return Err(MeasuredSearchError::Set(text.to_owned(), "simulations"));
    }
    text.parse()
}

/// Refuses options that have no effect on `part`.
fn refuse_strangers(arguments: &Arguments, part: Part) -> Result<(), Failure> {
    let Arguments { size, threads, speed, matches, .. } = arguments;
    let (is_speed, is_doubling) = (part == Part::Speed, part == Part::Doubling);
    let (is_parallel, is_match) = (part == Part::Parallel, part != Part::Speed);
    let options = [
        ("--bot", !speed.bot.is_empty(), is_speed),
        ("--searches", speed.searches.is_some(), is_speed),
        ("--moves", speed.moves.is_some(), is_speed),
        ("--repeats", speed.repeats.is_some(), is_speed),
        ("--pairs", matches.pairs.is_some(), is_match),
        ("--bot-settings", matches.bot_settings.is_some(), is_match),
        ("--doublings", matches.doublings.is_some(), is_doubling),
        ("--parallel", !matches.parallel.is_empty(), is_parallel),
        ("--factors", !matches.factors.is_empty(), is_parallel),
        ("--schemes", !matches.schemes.is_empty(), is_parallel),
        ("--work", !matches.work.is_empty(), is_parallel),
        ("--reference", matches.reference.is_some(), is_parallel),
        ("--opponent", matches.opponent.is_some(), is_parallel),
        ("--games-per-thread", matches.games_per_thread.is_some(), is_parallel),
    ];
    let part = part.to_possible_value();
    let name = part.as_ref().map_or("", PossibleValue::get_name);
    for (option, is_given, has_meaning) in options {
        if is_given && !has_meaning {
            refuse!("{option} does not apply to --part {name}");
        }
    }
    for (option, given) in [("--size", size.len()), ("--threads", threads.len())] {
        if is_match && given > 1 {
            refuse!("{option} takes one value for --part {name}");
        }
    }
    Ok(())
}
