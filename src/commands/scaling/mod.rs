//! The program `scaling`: speed of a search, and its strength by simulations
//! and by parallel search.

pub(super) mod matches;
mod speed;

use super::memory::MemoryArgument;
use super::{Failure, Host, refused};
use crate::analysis::scaling::{Scheme, Work};
use crate::bench::searches::MeasuredSearch;
use crate::bots::NamedBot;
use crate::commands::setting_options::choices;
use crate::go::{Komi, Size};
use crate::run::MAX_GAMES_PER_THREAD;
use std::path::PathBuf;

/// The parts of `scaling`, one experiment each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Simulations per second by board size, threads and configuration
    Speed,
    /// Strength of root, tree, leaf and shared parallel search, in simulations of a
    /// sequential search of equal Elo
    Parallel,
    /// Elo gained by each doubling of the simulations per move
    Doubling,
}

/// Measure how search scales: its speed, the Elo of a doubling of the
/// simulations, and the strength-speedup of parallel search
#[derive(Debug, clap::Parser)]
#[command(
    name = "scaling",
    version,
    after_help = "\
--part speed goes through sizes, configurations and threads once per repeat, so \
that other load on the machine affects all alike, and writes speed.csv. Its table has the \
microseconds per simulation by part.

--part doubling plays P simulations per move against 2P, 2P against 4P and so \
on and writes doubling.csv.

--part parallel plays a sequential search against sequential searches with other \
numbers of simulations (the doubling curve) and against parallel ones: root \
(workers=n), tree (in_flight=n), leaf (leaf_playouts=n) and shared (workers=n that share \
the upper tree after every 50 simulations of each), each with n times the simulations \
(fixed_time: what n processors would make in the same time without any overhead; no clock is \
used) and with the same number (fixed_work). The strength-speedup in parallel.csv is the factor \
by which a sequential search of equal Elo on that curve has more simulations. With --opponent \
all of them play against another bot, such as a GTP program. More root \
workers than cores run one after the other; a tree that n threads share is modelled by n \
leaves in flight with virtual loss.

Examples:
  scaling --part speed --size 9 --threads 1,2 --out runs/speed
  scaling --part doubling --size 9 --simulations 125 --doublings 6 --pairs 100
  scaling --part parallel --parallel 4,16 --bot-settings exploration=0.2
  scaling --part parallel --simulations 1000 --parallel 4 --schemes root,tree --work fixed_time \
--opponent \"gnugo=gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko \
--capture-all-dead --play-out-aftermath\" --games-per-thread 8"
)]
pub struct Arguments {
    /// Experiment
    #[arg(long, value_enum, required_unless_present = "resume")]
    part: Option<Part>,
    /// Board sizes, two numbers as in 9x7 or one; only one for doubling and
    /// parallel [default: 5,9,13,19 for speed, else 9]
    #[arg(long, value_delimiter = ',')]
    size: Vec<Size>,
    /// Komi, the points that White receives for moving second [default: 2.5 up to 5x5, 8.5 on
    /// 7x7, else 7.5]
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Number of threads; for speed several numbers, each of which is measured
    /// [default: 1 for speed, else one per core]
    #[arg(long, value_delimiter = ',',
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Random seed [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Output folder [default: none for speed, else
    /// `runs/<date>-scaling-<part>`]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Simulations per search: of each search whose speed is measured [default: 20000], of the first
    /// bot of the doublings [default: 125], or of the sequential search that parallel search is
    /// compared with [default: 500]
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
    /// Search to measure, given once or more: uct[:key=value,...], or NAME=SPEC to
    /// name it; `in_flight=lanes` keeps as many leaves of one tree in flight as a
    /// thread plays playouts in lockstep [default: UCB1 with expansion at 1, 10 and
    /// 100 visits, RAVE, and a single tree with `in_flight=lanes`]
    #[arg(long, value_name = "SPEC")]
    bot: Vec<MeasuredSearch>,
    /// Number of searches that a thread runs at once, such as 1 for the speed of a search alone
    /// [default: as many as fill the lanes]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    searches: Option<u16>,
    /// Number of moves that each search makes in turn, playing against itself from the empty board: bots with
    /// `reuse=true` keep their tree [default: 1]
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
    /// Number of doublings of the simulations, for doubling [default: 6]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=20))]
    doublings: Option<u32>,
    /// Degrees of parallelism n (workers, leaves in flight, playouts per leaf),
    /// for parallel [default: 2,4,8,16]
    #[arg(long, value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(2..=256))]
    parallel: Vec<u32>,
    /// Numbers of simulations on the doubling curve as factors of --simulations, for
    /// parallel [default: 0.25,0.5,1,2,4,8,16]
    #[arg(long, value_delimiter = ',')]
    factors: Vec<f64>,
    /// Parallel searches to play, for parallel [default: all]
    #[arg(long, value_delimiter = ',', value_parser = choices::<Scheme>())]
    schemes: Vec<Scheme>,
    /// Numbers of simulations of the parallel searches, for parallel [default: both]
    #[arg(long, value_delimiter = ',', value_parser = choices::<Work>())]
    work: Vec<Work>,
    /// Factor of the sequential search that all others play against, for
    /// parallel; one in the middle of the strengths keeps win rates away from 0
    /// and 100 %. Not with --opponent [default: 1]
    #[arg(long)]
    reference: Option<f64>,
    /// Bot that all searches play against instead of the sequential one of --reference, for
    /// parallel, such as "gnugo=gtp:gnugo --mode gtp"; NAME=SPEC names it
    #[arg(long, value_name = "SPEC", conflicts_with = "reference")]
    opponent: Option<NamedBot>,
    /// With an --opponent of kind gtp: games that a thread plays at once, each with its own
    /// process of that program, so that the searches share the vector lanes [default: 1]
    #[arg(long, value_name = "GAMES",
          value_parser = clap::value_parser!(u16).range(1..=MAX_GAMES_PER_THREAD.into()))]
    games_per_thread: Option<u16>,
    /// Colour-swapped pairs of games per pairing (two bots that meet) [default: 100]
    #[arg(long)]
    pairs: Option<usize>,
    /// Further settings of all bots but the --opponent, such as exploration=0.2,expansion=1
    #[arg(long, value_name = "KEY=VALUE,...")]
    bot_settings: Option<String>,
    /// Resume the stopped run in DIR; of the other options it allows only --extend, --threads,
    /// --games-per-thread and --memory
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "part", "size", "komi", "seed", "out", "bot", "searches", "moves", "simulations", "repeats",
        "doublings", "parallel", "factors", "schemes", "work", "reference", "opponent", "pairs",
        "bot_settings",
    ])]
    resume: Option<PathBuf>,
    /// With --resume: extend the run to N pairs per pairing
    #[arg(long, value_name = "N", requires = "resume")]
    extend: Option<u64>,
}

/// Runs the experiment and prints its results.
pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    arguments.memory.limit();
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
    let name = match part {
        Part::Speed => "speed",
        Part::Doubling => "doubling",
        Part::Parallel => "parallel",
    };
    for (option, is_given, has_meaning) in options {
        if is_given && !has_meaning {
            return Err(Failure::usage(format!("{option} does not apply to --part {name}")));
        }
    }
    for (option, given) in [("--size", size.len()), ("--threads", threads.len())] {
        if is_match && given > 1 {
            return Err(Failure::usage(format!("{option} takes one value for --part {name}")));
        }
    }
    Ok(())
}
