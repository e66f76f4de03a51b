//! `tengen plan`: computes how many games a question takes, before any is played.

use super::{Failure, cores};
use crate::report::text::Align::Right;
use crate::report::text::{Column, TextTable};
use crate::stats::{
    Claim, Course, Elo, FixedMatch, Level, OutOfRange, PairKind, Simulation, Sprt, percent,
};
use crate::tournament::report::Pilot;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Compute how many games a question takes, before playing
///
/// The command answers any of these questions: how many pairs of games show a given difference
/// (--elo, --win-rate); what a given number of pairs or hours shows (--pairs, --hours); how long a
/// sequential test takes and how it ends (--sprt). It plays nothing. A pair is two games on one
/// opening with the colours swapped.
#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("question").required(true).multiple(true)
        .args(["elo", "win_rate", "pairs", "hours", "sprt"]),
    after_help = "\
The more pairs are split, the fewer pairs are needed. A pair is split if each bot wins one of its \
games. In published matches somewhat more than half of the pairs of equally strong bots are split, on \
small boards most. --run reads the share from a pilot.

Examples:
  tengen plan --elo 20,50 --split 0.54
  tengen plan --hours 8 --run results/2026-11-22-new-default-5x5
  tengen plan --sprt \"elo0=0 elo1=30\""
)]
pub struct Arguments {
    /// Differences in Elo, such as 10,20: print the number of pairs that shows each of them
    #[arg(long, value_name = "ELO,...", value_delimiter = ',', allow_hyphen_values = true)]
    elo: Vec<f64>,
    /// Win rates from 0 to 1, such as 0.52,0.55, in place of differences
    #[arg(long, value_name = "RATE,...", value_delimiter = ',', conflicts_with = "elo")]
    win_rate: Vec<f64>,
    /// Numbers of pairs, such as 100,1000: print what each of them shows
    #[arg(long, value_name = "PAIRS,...", value_delimiter = ',',
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pairs: Vec<u64>,
    /// Hours, such as 1,8: print what the games of this time show
    #[arg(long, value_name = "HOURS,...", value_delimiter = ',', conflicts_with = "pairs")]
    hours: Vec<f64>,
    /// Sequential test, as of `tengen tournament`: print its length and its verdicts
    ///
    /// Example, with the defaults: "elo0=0 elo1=30 alpha=0.05 beta=0.05 model=logistic".
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// True differences in Elo at which the test is computed
    ///
    /// By default elo0, elo1, halfway, and half of their distance beyond either.
    #[arg(
        long,
        value_name = "ELO,...",
        value_delimiter = ',',
        allow_hyphen_values = true,
        requires = "sprt"
    )]
    truths: Vec<f64>,
    /// Most pairs of the test, after which it is undecided
    #[arg(long, value_name = "PAIRS", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    most_pairs: u64,
    /// Number of simulated tests, 1 to 1,000,000; the model wald is computed exactly
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    tests: u64,
    /// Random seed of the simulated tests
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Difference in Elo that is to be exceeded, as of the rule `A > B + ELO`
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    margin: f64,
    /// Show that two bots differ by less than ELO, as of the rule `A = B +- ELO`
    ///
    /// --elo is then the true difference, such as 0.
    #[arg(long, value_name = "ELO", conflicts_with = "margin")]
    within: Option<f64>,
    /// Probability of showing the difference, above 0 and below 1
    #[arg(long, default_value_t = 0.8)]
    power: f64,
    /// Confidence level of the interval that shows a difference, above 0 and below 1
    #[arg(long, default_value_t = 0.95)]
    level: f64,
    /// Share of split pairs of equally strong bots, 0 to 1 [default: 0.5, independent games]
    #[arg(long, value_name = "SHARE")]
    split: Option<f64>,
    /// Correlation of the two games of a pair, -1 to 1, in place of --split
    #[arg(long, allow_negative_numbers = true, conflicts_with = "split")]
    correlation: Option<f64>,
    /// Share of games that are jigo (drawn), from 0 and below 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    jigo: f64,
    /// Read split pairs, jigo and seconds per game from the run in DIR, or from its games.csv
    #[arg(long, value_name = "DIR", conflicts_with_all = ["split", "correlation", "jigo"])]
    run: Option<PathBuf>,
    /// Seconds that one thread takes for a game [default: of --run]
    #[arg(long)]
    seconds: Option<f64>,
    /// Number of threads [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// What is assumed of all questions.
struct Assumed {
    planned: FixedMatch,
    power: f64,
    /// Seconds per game of all threads together.
    seconds: Option<f64>,
}

/// What a number of pairs shows.
struct Size {
    pairs: u64,
    /// Half-width of the interval of the win rate, and of the difference in Elo, of equal bots.
    half_width: f64,
    half_width_elo: f64,
    smallest: Option<Elo>,
    /// Power if the bots are equal.
    power_at_equality: f64,
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let assumed = Assumed::of(arguments)?;
    let needed: Vec<(Elo, Option<u64>)> =
        differences(arguments)?.into_iter().map(|truth| (truth, assumed.pairs(truth))).collect();
    let sizes: Vec<Size> = assumed.sizes(arguments)?;
    let courses = arguments.sprt.map(|test| assumed.courses(&test, arguments)).transpose()?;
    if arguments.json {
        let object = assumed.json(&needed, &sizes, arguments.sprt.zip(courses.as_deref()));
        writeln!(output, "{object}")?;
        return Ok(());
    }
    writeln!(output, "{}", assumed.of_pairs())?;
    if !(needed.is_empty() && sizes.is_empty()) {
        writeln!(output, "{}", assumed.of_claim())?;
    }
    if !needed.is_empty() {
        write!(output, "\n{}", assumed.needed_table(&needed))?;
    }
    if !sizes.is_empty() {
        write!(output, "\n{}", assumed.size_table(&sizes))?;
    }
    if let Some((test, courses)) = arguments.sprt.zip(courses) {
        write!(output, "\n{}", assumed.course_text(&test, &courses))?;
    }
    Ok(())
}

/// The differences of `--elo` or `--win-rate`.
fn differences(arguments: &Arguments) -> Result<Vec<Elo>, Failure> {
    let given = planned("elo", &arguments.elo)?;
    let rates = arguments.win_rate.iter().map(|&rate| {
        if rate > 0.0 && rate < 1.0 {
            return Ok(Elo::from_score(rate));
        }
        let hint = if rate > 1.0 && rate < 100.0 {
            format!(": for {rate} % give {}", rate / 100.0)
        } else {
            String::new()
        };
        Err(Failure::usage(format!(
            "--win-rate is {rate}: expected a number above 0 and below 1{hint}"
        )))
    });
    let rates = rates.collect::<Result<Vec<_>, _>>()?;
    Ok(given.into_iter().chain(rates).collect())
}

/// The differences of the option `name`.
fn planned(name: &'static str, elos: &[f64]) -> Result<Vec<Elo>, Failure> {
    elos.iter()
        .map(|&elo| Elo::planned(name, elo))
        .collect::<Result<_, _>>()
        .map_err(|fault| refused(&fault))
}

fn refused(fault: &OutOfRange) -> Failure {
    Failure::usage(format!("--{fault}"))
}

impl Assumed {
    fn of(arguments: &Arguments) -> Result<Self, Failure> {
        let Arguments { margin, within, power, level, split, correlation, jigo, .. } = arguments;
        let fault = |said: String| Failure::usage(said);
        let share = "expected a number above 0 and below 1";
        let level =
            Level::new(*level).ok_or_else(|| fault(format!("--level is {level}: {share}")))?;
        if !(*power > 0.0 && *power < 1.0) {
            return Err(fault(format!("--power is {power}: {share}")));
        }
        let claim = Claim::planned(*margin, *within).map_err(|fault| refused(&fault))?;
        let pilot = arguments.run.as_deref().map(Pilot::read).transpose()?;
        let kind = match pilot {
            Some(pilot) => pilot.kind,
            None => PairKind::planned(*split, correlation.unwrap_or(0.0), *jigo)
                .map_err(|fault| refused(&fault))?,
        };
        let seconds = arguments.seconds.or(pilot.and_then(|pilot| pilot.seconds_per_game));
        if let Some(seconds) =
            arguments.seconds.filter(|seconds| !(*seconds > 0.0 && seconds.is_finite()))
        {
            return Err(fault(format!("--seconds is {seconds}: expected a number above 0")));
        }
        let threads = arguments.threads.map_or_else(cores, usize::from) as f64;
        let planned = FixedMatch { kind, level, claim };
        Ok(Self { planned, power: *power, seconds: seconds.map(|seconds| seconds / threads) })
    }

    /// The number of pairs that shows the claim at the difference `truth`.
    fn pairs(&self, truth: Elo) -> Option<u64> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 10^12
        self.planned.pairs(truth, self.power).map(|pairs| pairs.ceil() as u64)
    }

    /// Hours of so many pairs.
    fn hours(&self, pairs: f64) -> Option<f64> {
        self.seconds.map(|seconds| 2.0 * pairs * seconds / 3600.0)
    }

    /// What the numbers of pairs of `--pairs` or `--hours` show.
    fn sizes(&self, arguments: &Arguments) -> Result<Vec<Size>, Failure> {
        let hours = arguments.hours.iter().map(|&hours| {
            if !(hours > 0.0 && hours.is_finite()) {
                refuse!("--hours is {hours}: expected a number above 0");
            }
            let seconds = self.seconds.ok_or_else(|| {
                Failure::usage("--hours needs --seconds, the time of a game, or --run DIR")
            })?;
            let pairs = (hours * 3600.0 / (2.0 * seconds)).min(1e12);
            if pairs < 1.0 {
                refuse!("--hours is {hours}: this is less than one pair takes");
            }
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 10^12
            Ok(pairs as u64)
        });
        let hours = hours.collect::<Result<Vec<_>, _>>()?;
        Ok(arguments
            .pairs
            .iter()
            .copied()
            .chain(hours)
            .filter_map(|pairs| self.size(pairs))
            .collect())
    }

    fn size(&self, pairs: u64) -> Option<Size> {
        let (planned, equal, count) = (&self.planned, Elo(0.0), pairs as f64);
        let interval = planned.expected_interval(count, equal)?;
        Some(Size {
            pairs,
            half_width: interval.half_width(),
            half_width_elo: interval.map(|score| Elo::from_score(score).0).half_width(),
            smallest: planned.smallest_difference(count, self.power),
            power_at_equality: planned.power(count, equal),
        })
    }

    /// The courses of `test` at each truth.
    fn courses(&self, test: &Sprt, arguments: &Arguments) -> Result<Vec<(Elo, Course)>, Failure> {
        let &Arguments { most_pairs: pairs, tests, seed, .. } = arguments;
        let simulation = Simulation { pairs, tests, seed };
        // Ctrl-C ends the process.
        let stop = AtomicBool::new(false);
        let kind = &self.planned.kind;
        let given = planned("truths", &arguments.truths)?;
        let truths = if given.is_empty() { test.truths(kind).to_vec() } else { given };
        let course = |truth| Some((truth, test.course(kind, truth, &simulation, &stop)?));
        Ok(truths.into_iter().filter_map(course).collect())
    }

    /// What is assumed of the pairs, in a sentence.
    fn of_pairs(&self) -> String {
        let kind = &self.planned.kind;
        let jigo = if kind.jigo() > 0.0 {
            format!("; {} of the games are jigo", percent(kind.jigo()))
        } else {
            String::new()
        };
        let (split, correlation) = (percent(kind.split()), kind.correlation());
        format!(
            "{split} of the pairs of equal bots are split (correlation {correlation:+.2}){jigo}"
        )
    }

    /// What a match of fixed length is to show, in a sentence.
    fn of_claim(&self) -> String {
        let Self { planned: FixedMatch { level, claim, .. }, power, .. } = self;
        let claim = match *claim {
            Claim::Above(Elo(margin)) => format!("above {margin} Elo"),
            Claim::Within(Elo(margin)) => format!("between -{margin} and {margin} Elo"),
        };
        let [level, power] = [level.probability(), *power].map(|share| rounded(100.0 * share));
        format!(
            "a match shows a difference {claim} if its {level} % interval lies there: probability {power} %"
        )
    }

    /// The table of `rows`: after `place` columns follow the hours of a row's pairs, if the time of a
    /// game is known.
    fn table<'a, R>(
        &self,
        rows: &'a [R],
        columns: &[Column<'_, &'a R>],
        place: usize,
        pairs: impl Fn(&R) -> Option<f64>,
    ) -> TextTable {
        let hours = |row: &&R| {
            let hours = pairs(row).and_then(|pairs| self.hours(pairs));
            hours.map_or(String::new(), |hours| format!("{hours:.2}"))
        };
        let mut columns = columns.to_vec();
        if self.seconds.is_some() {
            columns.insert(place, ("hours", Right, &hours));
        }
        TextTable::of(rows, &columns)
    }

    fn needed_table(&self, needed: &[(Elo, Option<u64>)]) -> TextTable {
        let count = |games: Option<u64>| games.map_or("none".to_owned(), |games| games.to_string());
        let columns: [Column<'_, &(Elo, Option<u64>)>; 4] = [
            ("true difference", Right, &|(truth, _)| format!("{truth:+.1}")),
            ("win rate", Right, &|(truth, _)| percent(truth.score())),
            ("pairs", Right, &|(_, pairs)| count(*pairs)),
            ("games", Right, &|(_, pairs)| count(pairs.map(|pairs| 2 * pairs))),
        ];
        self.table(needed, &columns, 4, |(_, pairs)| pairs.map(|pairs| pairs as f64))
    }

    fn size_table(&self, sizes: &[Size]) -> TextTable {
        let smallest =
            |size: &Size, text: fn(Elo) -> String| size.smallest.map_or("none".to_owned(), text);
        let mut columns: Vec<Column<'_, &Size>> = vec![
            ("pairs", Right, &|size| size.pairs.to_string()),
            ("games", Right, &|size| (2 * size.pairs).to_string()),
            ("interval, points", Right, &|size| format!("+-{:.2}", 100.0 * size.half_width)),
            ("Elo", Right, &|size| format!("+-{:.1}", size.half_width_elo)),
        ];
        let difference = |size: &&Size| smallest(size, |elo| format!("{elo:+.1}"));
        let win_rate = |size: &&Size| smallest(size, |elo| percent(elo.score()));
        if matches!(self.planned.claim, Claim::Above(_)) {
            columns.push(("smallest difference", Right, &difference));
            columns.push(("win rate", Right, &win_rate));
        } else {
            columns.push(("power if equal", Right, &|size| percent(size.power_at_equality)));
        }
        self.table(sizes, &columns, 2, |size| Some(size.pairs as f64))
    }

    fn course_text(&self, test: &Sprt, courses: &[(Elo, Course)]) -> String {
        let share = |course: &Course, share: f64| match course.simulated {
            Some(_) => format!("{:.1} +-{:.1} %", 100.0 * share, 100.0 * course.error_of(share)),
            None => percent(share),
        };
        let mean = |(_, course): &&(Elo, Course)| match course.simulated {
            Some(_) => format!("{:.1} +-{:.1}", course.pairs, course.error),
            None => format!("{:.1}", course.pairs),
        };
        let columns: [Column<'_, &(Elo, Course)>; 7] = [
            ("true difference", Right, &|(truth, _)| format!("{truth:+.1}")),
            ("win rate", Right, &|(truth, _)| percent(truth.score())),
            ("mean pairs", Right, &mean),
            ("9 of 10 within", Right, &|(_, course)| course.nine_tenths.to_string()),
            ("accepts elo0", Right, &|(_, course)| share(course, course.accepts_h0)),
            ("accepts elo1", Right, &|(_, course)| share(course, course.accepts_h1)),
            ("undecided", Right, &|(_, course)| share(course, course.undecided)),
        ];
        let table = self.table(courses, &columns, 3, |(_, course)| Some(course.pairs));
        let how = match courses.first().and_then(|(_, course)| course.simulated) {
            Some(tests) => format!("{tests} simulated tests per row, +- one standard error"),
            None => "computed exactly".to_owned(),
        };
        let fixed = test.fixed_pairs(&self.planned.kind).ceil();
        format!(
            "test {test}\n{table}{how}; a match of fixed length with these error rates takes {fixed} pairs\n"
        )
    }

    fn json(
        &self,
        needed: &[(Elo, Option<u64>)],
        sizes: &[Size],
        courses: Option<(Sprt, &[(Elo, Course)])>,
    ) -> Value {
        let FixedMatch { kind, level, claim } = &self.planned;
        let [margin, within] = match *claim {
            Claim::Above(Elo(elo)) => [Some(elo), None],
            Claim::Within(Elo(elo)) => [None, Some(elo)],
        };
        let needed = needed.iter().map(|&(truth, pairs)| {
            let hours = pairs.and_then(|pairs| self.hours(pairs as f64));
            json!({ "elo": truth.0, "win_rate": truth.score(), "pairs": pairs, "hours": hours })
        });
        let sizes = sizes.iter().map(|size| {
            json!({
                "pairs": size.pairs,
                "hours": self.hours(size.pairs as f64),
                "half_width": size.half_width,
                "half_width_elo": size.half_width_elo,
                "smallest_elo": size.smallest.map(|elo| elo.0),
                "power_at_equality": size.power_at_equality,
            })
        });
        let test = courses.map(|(test, courses)| {
            let rows = courses.iter().map(|(truth, course)| {
                json!({
                    "elo": truth.0,
                    "win_rate": truth.score(),
                    "pairs": course.pairs,
                    "pairs_error": course.error,
                    "hours": self.hours(course.pairs),
                    "nine_tenths": course.nine_tenths,
                    "accepts_h0": course.accepts_h0,
                    "accepts_h1": course.accepts_h1,
                    "undecided": course.undecided,
                    "simulated": course.simulated,
                })
            });
            json!({
                "settings": test.to_string(),
                "fixed_pairs": test.fixed_pairs(kind),
                "truths": rows.collect::<Vec<_>>(),
            })
        });
        json!({
            "split": kind.split(),
            "correlation": kind.correlation(),
            "jigo": kind.jigo(),
            "level": level.probability(),
            "power": self.power,
            "margin": margin,
            "within": within,
            "differences": needed.collect::<Vec<_>>(),
            "sizes": sizes.collect::<Vec<_>>(),
            "test": test,
        })
    }
}

/// A number without the noise of its last digits.
fn rounded(number: f64) -> f64 {
    (1e6 * number).round() / 1e6
}
