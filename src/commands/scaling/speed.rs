//! `--part speed`: simulations per second.

use super::{Arguments, Failure, Host, refused};
use crate::commands::progress::Progress;
use crate::commands::run::Measurement;
use crate::go::{Komi, Size, default_komi};
use crate::playout::Isa;
use crate::report::plots;
use crate::run::CONFIG;
use crate::speed::report::range_note;
use crate::speed::report::searches::{LIBEGO, LIBEGO_LABEL, draw_sizes, draw_threads, table};
use crate::speed::searches::{MeasuredSearch, SearchSpeedRow, Setting, measure};
use crate::stats::Interval;
use serde::Serialize;

/// The searches that are measured without `--bot`. They spell out all settings
/// that decide the speed: defaults may change, but these speeds are compared
/// between versions.
const DEFAULT: [&str; 5] = [
    "expansion-1=uct:expansion=1,exploration=0.5,rave=none,prior=none,policy=uniform,in_flight=1",
    "expansion-10=uct:expansion=10,exploration=0.5,rave=none,prior=none,policy=uniform,in_flight=1",
    "expansion-100=uct:expansion=100,exploration=0.5,rave=none,prior=none,policy=uniform,\
     in_flight=1",
    "rave=uct:expansion=1,exploration=0,rave=equivalence:1000,prior=none,policy=uniform,\
     in_flight=1",
    "alone=uct:expansion=1,exploration=0.5,rave=none,prior=none,policy=uniform,in_flight=lanes",
];

/// `config.toml`: all settings of the measurement.
#[derive(Serialize)]
struct Config {
    part: &'static str,
    size: Vec<Size>,
    /// The komi of each size.
    komi: Vec<Komi>,
    threads: Vec<u16>,
    /// Searches that a thread runs at once; none for as many as fill the lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    searches: Option<u16>,
    moves: u32,
    simulations: u64,
    repeats: u32,
    seed: u64,
    isa: String,
    /// The bots with all settings and, if given, their names.
    bot: Vec<String>,
}

/// Measures, prints the table, and writes the files of `--out`.
pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let candidates = candidates(&arguments.speed.bot)?;
    let isa = Isa::from_environment().map_err(|fault| refused(&fault))?;
    let sizes = if arguments.size.is_empty() {
        ["5", "9", "13", "19"].iter().filter_map(|text| text.parse().ok()).collect()
    } else {
        arguments.size.clone()
    };
    let komi = |&size: &Size| arguments.komi.unwrap_or_else(|| default_komi(size));
    let simulations = arguments.simulations.unwrap_or(20_000);
    let config = Config {
        part: "speed",
        komi: sizes.iter().map(komi).collect(),
        size: sizes,
        threads: if arguments.threads.is_empty() { vec![1] } else { arguments.threads.clone() },
        searches: arguments.speed.searches,
        moves: arguments.speed.moves.unwrap_or(1),
        simulations,
        repeats: arguments.speed.repeats.unwrap_or(5),
        seed: arguments.seed.unwrap_or(1),
        isa: isa.to_string(),
        bot: candidates.iter().map(|candidate| candidate.complete(simulations)).collect(),
    };
    let Config { moves, repeats, seed, .. } = config;
    let max_threads = config.threads.iter().copied().max().unwrap_or(1);
    let measurement =
        Measurement::begin(arguments.out.as_deref(), max_threads.into(), host.caller)?;
    if let Some(Measurement { directory, .. }) = &measurement {
        directory.write(CONFIG, &toml::to_string(&config)?)?;
    }
    let kinds = config.size.len() * candidates.len() * config.threads.len();
    let mut progress = Progress::new(host.caller, repeats as usize * kinds, 0, "measurements");
    let mut rows = Vec::new();
    for repeat in 0..repeats {
        for (&size, &komi) in config.size.iter().zip(&config.komi) {
            for &threads in &config.threads {
                for candidate in &candidates {
                    host.go_on()?;
                    rows.push(measure(&Setting {
                        size,
                        komi,
                        candidate,
                        threads: threads.into(),
                        searches: arguments.speed.searches.map(usize::from),
                        moves,
                        simulations,
                        isa,
                        seed,
                        repeat,
                    })?);
                    progress.advance();
                    // Written after each measurement, so that a stopped run keeps its rows.
                    if let Some(Measurement { directory, .. }) = &measurement {
                        directory.write_csv("speed.csv", &rows)?;
                    }
                }
            }
        }
    }
    drop(progress);
    write!(host.output, "{}", table(&rows))?;
    writeln!(host.output, "{}", range_note(repeats))?;
    if config.size.iter().any(|size| size.to_string() == "9x9") {
        let Interval { low, high } = LIBEGO;
        let comparison = "for comparison, 9x9, one thread";
        writeln!(host.output, "{comparison}: {low:.0} to {high:.0} by {LIBEGO_LABEL}")?;
    }
    let Some(mut measurement) = measurement else { return Ok(()) };
    measurement.end()?;
    draw(&rows, &config, &measurement)?;
    writeln!(host.output, "\n{}", measurement.directory.path().display())?;
    Ok(())
}

/// The configurations `given`, or those of [`DEFAULT`] if there are none.
fn candidates(given: &[MeasuredSearch]) -> Result<Vec<MeasuredSearch>, Failure> {
    let candidates: Vec<MeasuredSearch> = if given.is_empty() {
        let parsed: Result<_, _> = DEFAULT.iter().map(|text| text.parse()).collect();
        parsed.map_err(|fault| refused(&fault))?
    } else {
        given.to_vec()
    };
    for (place, candidate) in candidates.iter().enumerate() {
        if candidates[..place].iter().any(|other| other.name == candidate.name) {
            let name = &candidate.name;
            refuse!("two of --bot are `{name}`: name one, NAME=SPEC");
        }
    }
    Ok(candidates)
}

fn draw(
    rows: &[SearchSpeedRow],
    config: &Config,
    measurement: &Measurement,
) -> Result<(), Failure> {
    let cpu = measurement.cpu();
    let Config { moves, simulations, repeats, isa, .. } = config;
    let searches = config
        .searches
        .map_or_else(|| "as many as fill its lanes".to_owned(), |searches| searches.to_string());
    let begin = match moves {
        1 => "searches".to_owned(),
        moves => format!("{moves} moves of self-play"),
    };
    let subtitle = format!(
        "{cpu}, {isa}; {begin} of {simulations} simulations from the empty board, on each \
         thread {searches} at once; median and range of {repeats} repeats"
    );
    let mut drawn = vec![("speed_by_size", draw_sizes(rows, &subtitle))];
    if config.threads.len() > 1 {
        drawn.push(("speed_by_threads", draw_threads(rows, &subtitle)));
    }
    Ok(plots::save(&measurement.directory, drawn)?)
}
