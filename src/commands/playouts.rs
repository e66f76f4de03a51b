//! The program `playouts`: measures playouts per second.

use super::run::Measurement;
use super::setting_options::choices;
use super::{Failure, Host, refused};
use crate::go::{Komi, Size, default_komi};
use crate::playout::{EarlyStop, Isa, PlayoutConfig, Policy};
use crate::report::plots;
use crate::settings::files;
use crate::speed::playouts::{Amount, Sample, Setting, Start, measure, sample};
use crate::speed::report::playouts::{draw_sizes, draw_threads, table};
use crate::speed::report::{ReferenceSpeed, range_note};
use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

/// Measure playouts (random games) per second
///
/// Every repeat measures all sizes, instruction sets, numbers of threads, policies and stop rules
/// once: other load on the machine affects all of them alike. The table has the median of each
/// speed over the repeats, and the range of playouts per second of CPU time. Plies, Black's win
/// rate, score and steps are means over all playouts. The file playouts.csv in --out has one row
/// per measurement. Plots show playouts per second of CPU time.
#[derive(Debug, clap::Parser)]
#[command(name = "playouts", version)]
pub struct Arguments {
    /// Board sizes, such as 9 or 9x7, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "5,7,9,13,19")]
    size: Vec<Size>,
    /// SIMD instruction sets: auto, avx512, avx2, baseline [default: `TENGEN_ISA`, else auto]
    ///
    /// `TENGEN_ISA` is an environment variable. Separate several sets by commas.
    #[arg(long, value_delimiter = ',')]
    isa: Vec<String>,
    /// Numbers of threads, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Playout policies, separated by commas, such as uniform,mogo:0.9:1
    ///
    /// uniform: random moves.
    ///
    /// capture-escape:PROBABILITY: with this probability a move that captures or escapes.
    ///
    /// mogo:P:Q: with probability P a move that captures or escapes, else with probability Q one of
    /// MoGo's shapes around the last stone.
    ///
    /// tactical: captures and escapes on the whole board, without self-ataris that kill nothing.
    ///
    /// `tengen bots uct` describes the policies under `policy`.
    #[arg(long, value_delimiter = ',', default_value = "uniform")]
    policy: Vec<Policy>,
    /// Rules that stop playouts early, separated by commas, such as none,mercy:25
    #[arg(long, value_delimiter = ',', default_value = "none",
          long_help = format!(
              "Rules that stop playouts early, separated by commas, such as none,mercy:25\n\nRules: {}",
              EarlyStop::HELP
          ))]
    stop: Vec<EarlyStop>,
    /// Seconds per measurement, 0.001 to 86400
    #[arg(long, default_value_t = 0.5, conflicts_with = "playouts")]
    seconds: f64,
    /// Number of playouts per measurement, instead of --seconds
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Number of repeats of each measurement
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: u32,
    /// Random seed of the playouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Komi in points, a multiple of 0.5 [default: 2.5 up to 5x5, 8.5 on 7x7, else 7.5]
    ///
    /// Black's win rate and the rules that stop playouts depend on the komi.
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Starting positions of the playouts
    #[arg(long, default_value_t = Start::Empty, value_parser = choices::<Start>())]
    start: Start,
    /// CSV file with speeds of other programs, for the plot by size; needs --out
    ///
    /// The plot also has the published speeds. The columns of the file are program, source, size
    /// and `playouts_per_second`, of one thread per second of CPU time.
    #[arg(long, value_name = "FILE.csv", requires = "out")]
    reference: Vec<PathBuf>,
    /// Output folder for playouts.csv, manifest.toml and plots
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Arguments {
    /// All combinations of policy and stop rule on boards of `size`.
    fn playout_configs(&self, size: Size) -> impl Iterator<Item = PlayoutConfig> {
        let komi = self.komi.unwrap_or_else(|| default_komi(size));
        let of_policy =
            move |&policy| self.stop.iter().map(move |&stop| PlayoutConfig { policy, stop, komi });
        self.policy.iter().flat_map(of_policy)
    }
}

/// Measures, prints the table, and writes the files of `--out`.
pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let isas = if arguments.isa.is_empty() {
        vec![Isa::from_environment().map_err(|fault| refused(&fault))?]
    } else {
        let parsed: Result<Vec<Isa>, _> =
            arguments.isa.iter().map(|text| Isa::parse(text)).collect();
        parsed.map_err(|fault| refused(&fault))?
    };
    if !(0.001..=86_400.0).contains(&arguments.seconds) {
        let given = arguments.seconds;
        refuse!("--seconds is {given}: write 0.001 to 86400");
    }
    let mut references = ReferenceSpeed::published();
    for path in &arguments.reference {
        let fault = |fault: &dyn Display| {
            Failure::usage(format!("--reference {}: {fault}", path.display()))
        };
        let bytes = files::read(path).map_err(|error| fault(&error))?;
        references.extend(ReferenceSpeed::read(&bytes[..]).map_err(|error| fault(&error))?);
    }
    let max_threads = arguments.threads.iter().copied().max().unwrap_or(1);
    let measurement =
        Measurement::begin(arguments.out.as_deref(), max_threads.into(), host.caller)?;
    let amount = match arguments.playouts {
        Some(playouts) => Amount::Playouts(playouts),
        None => Amount::Time(Duration::from_secs_f64(arguments.seconds)),
    };
    let mut rows = Vec::new();
    let mut samples: Vec<((Size, PlayoutConfig), Sample)> = Vec::new();
    for repeat in 0..arguments.repeats {
        for &size in &arguments.size {
            for &isa in &isas {
                for &threads in &arguments.threads {
                    let threads = threads.into();
                    for playout_config in arguments.playout_configs(size) {
                        host.go_on()?;
                        let Arguments { start, seed, .. } = *arguments;
                        let setting = Setting {
                            size,
                            isa,
                            playout_config,
                            threads,
                            start,
                            amount,
                            seed,
                            repeat,
                        };
                        let of = (size, playout_config);
                        let place = samples.iter().position(|(known, _)| *known == of);
                        let place = place.unwrap_or_else(|| {
                            samples.push((of, sample(&setting)));
                            samples.len() - 1
                        });
                        let row = measure(&setting, &samples[place].1);
                        rows.push(row?);
                    }
                }
            }
        }
    }
    write!(host.output, "{}", table(&rows))?;
    writeln!(host.output, "{}", range_note(arguments.repeats))?;
    if let Some(mut measurement) = measurement {
        measurement.directory.write_csv("playouts.csv", &rows)?;
        measurement.end()?;
        let (directory, cpu) = (&measurement.directory, measurement.cpu());
        let repeats = arguments.repeats;
        let policies: Vec<String> = arguments.policy.iter().map(Policy::to_string).collect();
        let policies = policies.join(", ");
        let subtitle = format!("{cpu}; {policies}; median and range of {repeats} repeats");
        let mut drawn = vec![("playouts_by_size", draw_sizes(&rows, &references, &subtitle))];
        if arguments.threads.len() > 1 {
            drawn.push(("playouts_by_threads", draw_threads(&rows, &subtitle)));
        }
        plots::save(directory, drawn)?;
        writeln!(host.output, "\n{}", directory.path().display())?;
    }
    Ok(())
}
