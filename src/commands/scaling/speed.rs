//! `--part speed`: simulations a second.

use super::{Arguments, Failure, refused};
use crate::bench::searches::{
    Candidate, LIBEGO, LIBEGO_LABEL, SearchSpeedRow, Setting, draw_sizes, draw_threads, measure,
};
use crate::go::{Komi, Size, default_komi};
use crate::playout::Isa;
use crate::results::{Manifest, RunDirectory, Session};
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// What is measured where no `--bot` is given. All settings that decide the
/// speed are spelled out: defaults may change, and these lines are compared
/// from version to version.
const DEFAULT: [&str; 5] = [
    "expansion-1=uct:expansion=1,exploration=0.5,rave=none,prior=none,in_flight=1",
    "expansion-10=uct:expansion=10,exploration=0.5,rave=none,prior=none,in_flight=1",
    "expansion-100=uct:expansion=100,exploration=0.5,rave=none,prior=none,in_flight=1",
    "rave=uct:expansion=1,exploration=0,rave=equivalence:1000,prior=none,in_flight=1",
    "alone=uct:expansion=1,exploration=0.5,rave=none,prior=none,in_flight=lanes",
];

/// `config.toml`: all that decides what is measured.
#[derive(Serialize)]
struct Config {
    part: &'static str,
    size: Vec<Size>,
    /// By size.
    komi: Vec<Komi>,
    threads: Vec<u16>,
    simulations: u64,
    repeats: u32,
    seed: u64,
    isa: String,
    /// With every setting and, where it was given one, its name.
    bot: Vec<String>,
}

/// Measures what `arguments` ask for.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let candidates = candidates(&arguments.speed.bot)?;
    let isa = Isa::from_environment().map_err(|fault| refused(&fault))?;
    let sizes = if arguments.size.is_empty() {
        ["5", "9", "13", "19"].iter().filter_map(|text| text.parse().ok()).collect()
    } else {
        arguments.size.clone()
    };
    let komi = |size| arguments.komi.unwrap_or_else(|| default_komi(size));
    let threads = if arguments.threads.is_empty() { vec![1] } else { arguments.threads.clone() };
    let simulations = arguments.speed.simulations.unwrap_or(20_000);
    let repeats = arguments.speed.repeats.unwrap_or(5);
    let seed = arguments.seed.unwrap_or(1);
    let directory = match &arguments.out {
        Some(path) => Some(RunDirectory::create(path).map_err(|fault| refused(&fault))?),
        None => None,
    };
    let config = Config {
        part: "speed",
        komi: sizes.iter().map(|&size| komi(size)).collect(),
        size: sizes.clone(),
        threads: threads.clone(),
        simulations,
        repeats,
        seed,
        isa: isa.to_string(),
        bot: candidates.iter().map(|candidate| candidate.complete(simulations)).collect(),
    };
    if let Some(directory) = &directory {
        directory.write("config.toml", &toml::to_string(&config)?)?;
    }
    let mut session = Session::begin(threads.iter().copied().max().unwrap_or(1).into());
    let started = Instant::now();
    let kinds = sizes.len() * candidates.len() * threads.len();
    let progress = ProgressBar::new(u64::from(repeats) * kinds as u64);
    let mut rows = Vec::new();
    for repeat in 0..repeats {
        for &size in &sizes {
            for &threads in &threads {
                for candidate in &candidates {
                    rows.push(measure(&Setting {
                        size,
                        komi: komi(size),
                        candidate,
                        threads: threads.into(),
                        simulations,
                        isa,
                        seed,
                        repeat,
                    })?);
                    progress.inc(1);
                    // A run that is stopped keeps what it has measured.
                    if let Some(directory) = &directory {
                        directory.write("speed.csv", &to_csv(&rows)?)?;
                    }
                }
            }
        }
    }
    progress.finish_and_clear();
    table(&rows, output)?;
    let Some(directory) = directory else { return Ok(()) };
    session.end(started.elapsed().as_secs_f64(), None);
    write(&rows, &config, session, &directory)?;
    writeln!(output, "\n{}", directory.path().display())?;
    Ok(())
}

/// The configurations `given`, or the usual ones.
fn candidates(given: &[Candidate]) -> Result<Vec<Candidate>, Failure> {
    let candidates: Vec<Candidate> = if given.is_empty() {
        let parsed: Result<_, _> = DEFAULT.iter().map(|text| text.parse()).collect();
        parsed.map_err(|fault| refused(&fault))?
    } else {
        given.to_vec()
    };
    for (place, candidate) in candidates.iter().enumerate() {
        if candidates[..place].iter().any(|other| other.name == candidate.name) {
            let name = &candidate.name;
            return Err(Failure::usage(format!("two of --bot are `{name}`: name one, NAME=SPEC")));
        }
    }
    Ok(candidates)
}

/// Manifest and plots.
fn write(
    rows: &[SearchSpeedRow],
    config: &Config,
    session: Session,
    directory: &RunDirectory,
) -> Result<(), Failure> {
    let manifest = Manifest { sessions: vec![session], ..Manifest::default() };
    directory.write("manifest.toml", &toml::to_string(&manifest)?)?;
    let cpu = manifest.sessions[0].machine.cpu.as_deref().unwrap_or("unknown processor");
    let Config { simulations, repeats, isa, .. } = config;
    let subtitle = format!(
        "{cpu}, {isa}; searches of {simulations} simulations from the empty board, as many a \
         thread as fill the lanes; median and range of {repeats} repeats, by the clock"
    );
    let plots = directory.subfolder("plots")?;
    draw_sizes(rows, &subtitle).save(&plots.join("speed_by_size"))?;
    if config.threads.len() > 1 {
        draw_threads(rows, &subtitle).save(&plots.join("speed_by_threads"))?;
    }
    Ok(())
}

/// The text of `speed.csv`.
fn to_csv(rows: &[SearchSpeedRow]) -> Result<String, Failure> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    for row in rows {
        csv.serialize(row)?;
    }
    Ok(String::from_utf8(csv.into_inner()?)?)
}

/// Medians over the repeats, a line for each kind of measurement.
fn table(rows: &[SearchSpeedRow], output: &mut dyn Write) -> Result<(), Failure> {
    writeln!(
        output,
        "{:>6} {:>7} {:>13} {:>7} {:>11} {:>6} {:>10} {:>7} {:>7} {:>7} {:>7}  config",
        "size",
        "threads",
        "simulations/s",
        "spread",
        "per cpu s",
        "depth",
        "bytes/node",
        "select",
        "playout",
        "update",
        "tree of"
    )?;
    let kind = |row: &SearchSpeedRow| (row.size, row.threads, row.config.clone());
    let mut kinds: Vec<_> = Vec::new();
    for row in rows {
        if !kinds.contains(&kind(row)) {
            kinds.push(kind(row));
        }
    }
    for of in kinds {
        let of_kind: Vec<&SearchSpeedRow> = rows.iter().filter(|row| kind(row) == of).collect();
        let sorted = |value: &dyn Fn(&SearchSpeedRow) -> f64| {
            let mut values: Vec<f64> = of_kind.iter().map(|row| value(row)).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let median = |value: &dyn Fn(&SearchSpeedRow) -> f64| {
            let values = sorted(value);
            f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
        };
        let rates = sorted(&|row| row.simulations_per_second);
        let rate = median(&|row| row.simulations_per_second);
        let spread = 100.0 * (rates[rates.len() - 1] - rates[0]) / rate;
        let has_cpu = of_kind.iter().all(|row| row.simulations_per_cpu_second.is_some());
        let cpu = has_cpu
            .then(|| median(&|row| row.simulations_per_cpu_second.unwrap_or_default()))
            .map_or_else(|| "-".to_owned(), |rate| format!("{rate:.0}"));
        let percent =
            |share: &dyn Fn(&SearchSpeedRow) -> f64| format!("{:.1}%", 100.0 * median(share));
        writeln!(
            output,
            "{:>6} {:>7} {rate:>13.0} {spread:>6.1}% {cpu:>11} {:>6.2} {:>10.1} {:>7} {:>7} {:>7} {:>7.0}  {}",
            of.0.to_string(),
            of.1,
            median(&|row| row.mean_depth),
            median(&|row| row.bytes_per_node),
            percent(&|row| row.selection_share),
            percent(&|row| row.playout_share),
            percent(&|row| row.update_share),
            median(&|row| row.nodes as f64 / row.searches as f64),
            of.2,
        )?;
    }
    if rows.iter().any(|row| row.size.to_string() == "9x9") {
        writeln!(
            output,
            "for comparison, 9x9, one thread: {:.0} to {:.0} by {LIBEGO_LABEL}",
            LIBEGO.low, LIBEGO.high
        )?;
    }
    Ok(())
}
