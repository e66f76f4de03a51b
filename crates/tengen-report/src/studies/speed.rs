//! How fast programs are on one machine, measured in turns.
//!
//! The programs whose names begin with [`REFERENCE`] are builds of one program. The others are compared with the
//! fastest of them on each board, of the same quantity and for the same architecture.

use super::Study;
use crate::plots::{Axis, DataPoint, Drawing, Heading, Lines, ReferenceLine, Scale, Series};
use crate::speed::Repeats;
use crate::text::cells;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tengen_harness::run::{RunError, rows};
use tengen_stats::Interval;

/// A row per measurement of a speed.
const MEASUREMENTS: &str = "measurements.csv";
/// A row per count of instructions; there may be none.
const INSTRUCTIONS: &str = "instructions.csv";
/// How the names of the reference begin.
const REFERENCE: &str = "libego";
/// The quantity that is drawn by board size.
const PLAYOUTS: &str = "playouts";

/// What was measured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Subject {
    quantity: String,
    architecture: String,
    size: u8,
    program: String,
}

impl Subject {
    fn is_reference(&self) -> bool {
        self.program.starts_with(REFERENCE)
    }

    /// Whether `self` is a build of the reference that `other` is compared with.
    fn is_reference_of(&self, other: &Self) -> bool {
        self.is_reference()
            && self.quantity == other.quantity
            && self.architecture == other.architecture
            && self.size == other.size
    }
}

/// A row of `measurements.csv`.
#[derive(Clone, Debug, Deserialize)]
struct Measurement {
    quantity: String,
    architecture: String,
    size: u8,
    program: String,
    round: u32,
    per_second: f64,
}

/// A row of `instructions.csv`.
#[derive(Clone, Debug, Deserialize)]
struct InstructionCount {
    architecture: String,
    size: u8,
    program: String,
    instructions_per_playout: f64,
}

/// The medians of the rounds of each subject, by round.
type Rounds = BTreeMap<Subject, BTreeMap<u32, f64>>;

/// The median of the medians of the rounds.
fn median(rounds: &BTreeMap<u32, f64>) -> f64 {
    Repeats::of(rounds.values().copied()).median()
}

/// The rows of the table `name` in `folder`; none if it is missing.
fn rows<R: DeserializeOwned>(folder: &Path, name: &str) -> Result<Vec<R>, RunError> {
    let Some(path) = rows::find(folder, name) else { return Ok(Vec::new()) };
    let text = rows::read_text(&path)?;
    let rows = csv::Reader::from_reader(&text[..]).into_deserialize().collect::<Result<_, _>>();
    rows.map_err(|why: csv::Error| RunError::Input(format!("{}: {why}", path.display())))
}

/// The medians of the rounds of `measurements`.
///
/// # Errors
/// If a speed is not above 0.
fn rounds(measurements: Vec<Measurement>) -> Result<Rounds, RunError> {
    let mut all = BTreeMap::<Subject, BTreeMap<u32, Vec<f64>>>::new();
    for measurement in measurements {
        let Measurement { quantity, architecture, size, program, round, per_second } = measurement;
        if !(per_second > 0.0 && per_second.is_finite()) {
            let said = format!("{MEASUREMENTS}: {per_second} {quantity} per second of {program}");
            return Err(RunError::Input(format!("{said}: expected a number above 0")));
        }
        let subject = Subject { quantity, architecture, size, program };
        all.entry(subject).or_default().entry(round).or_default().push(per_second);
    }
    let medians = |rounds: BTreeMap<u32, Vec<f64>>| {
        rounds.into_iter().map(|(round, values)| (round, Repeats::of(values).median())).collect()
    };
    Ok(all.into_iter().map(|(subject, rounds)| (subject, medians(rounds))).collect())
}

/// The ratio to the fastest build of the reference, and its range over the rounds; none without a reference that was
/// measured in one of them.
fn ratio(all: &Rounds, subject: &Subject) -> Option<(f64, Interval)> {
    let references = all.iter().filter(|(other, _)| other.is_reference_of(subject));
    let (_, reference) =
        references.max_by(|one, other| median(one.1).total_cmp(&median(other.1)))?;
    let own = &all[subject];
    let by_round = own.iter().filter_map(|(round, value)| Some(value / reference.get(round)?));
    let by_round: Vec<f64> = by_round.collect();
    (!by_round.is_empty()).then(|| (median(own) / median(reference), Repeats::of(by_round).range()))
}

pub fn study(folder: &Path) -> Result<Study, RunError> {
    let all = rounds(rows(folder, MEASUREMENTS)?)?;
    let counts = rows::<InstructionCount>(folder, INSTRUCTIONS)?;
    if all.is_empty() {
        let folder = folder.display();
        return Err(RunError::Input(format!("{folder}: {MEASUREMENTS} is missing or has no rows")));
    }
    let counts: BTreeMap<Subject, f64> = counts
        .into_iter()
        .map(|InstructionCount { architecture, size, program, instructions_per_playout }| {
            let quantity = PLAYOUTS.to_owned();
            (Subject { quantity, architecture, size, program }, instructions_per_playout)
        })
        .collect();
    let fewest = |subject: &Subject| {
        let references = counts.iter().filter(|(other, _)| other.is_reference_of(subject));
        references.map(|(_, count)| *count).min_by(f64::total_cmp)
    };
    let subjects: BTreeSet<&Subject> = all.keys().chain(counts.keys()).collect();
    let table = subjects.into_iter().map(|subject| {
        let Subject { quantity, architecture, size, program } = subject;
        let speed = all.get(subject);
        let ratio = speed.and_then(|_| ratio(&all, subject));
        let count = counts.get(subject);
        let of_speed =
            |text: &dyn Fn(&BTreeMap<u32, f64>) -> String| speed.map(text).unwrap_or_default();
        let of_ratio = |value: &dyn Fn(f64, Interval) -> f64| {
            ratio.map(|(ratio, range)| format!("{:.2}", value(ratio, range))).unwrap_or_default()
        };
        cells([
            ("quantity", quantity),
            ("architecture", architecture),
            ("size", &size.to_string()),
            ("program", program),
            ("rounds", &of_speed(&|rounds| rounds.len().to_string())),
            ("per_second", &of_speed(&|rounds| format!("{:.0}", median(rounds)))),
            ("to_libego", &of_ratio(&|ratio, _| ratio)),
            ("to_libego_least", &of_ratio(&|_, range| range.low)),
            ("to_libego_most", &of_ratio(&|_, range| range.high)),
            ("instructions", &count.map(|count| format!("{count:.0}")).unwrap_or_default()),
            (
                "instructions_to_libego",
                &count
                    .and_then(|count| Some(format!("{:.2}", count / fewest(subject)?)))
                    .unwrap_or_default(),
            ),
        ])
    });
    Ok(Study {
        tables: vec![("speeds.csv", table.collect())],
        plots: vec![("playouts_by_size", by_size(&all)), ("ratio_by_size", ratios(&all))],
    })
}

/// A series per program through its points by board size.
fn series(all: &Rounds, point: impl Fn(&Subject) -> Option<DataPoint>) -> Vec<Series> {
    let mut named = BTreeMap::<&str, Vec<DataPoint>>::new();
    for subject in all.keys().filter(|subject| subject.quantity == PLAYOUTS) {
        named.entry(&subject.program).or_default().extend(point(subject));
    }
    let filled = named.into_iter().filter(|(_, points)| !points.is_empty());
    filled.map(|(name, points)| Series::line(name, points)).collect()
}

fn draw(title: &str, subtitle: &str, y: Axis, series: Vec<Series>, one: bool) -> Drawing {
    let references = if one { vec![ReferenceLine::new(1.0, REFERENCE)] } else { Vec::new() };
    let x = Axis::new("side of the board", Scale::Linear);
    Lines { heading: Heading::new(title, subtitle), x, y, series, references }.draw()
}

fn by_size(all: &Rounds) -> Drawing {
    let series = series(all, |subject| {
        let rounds = &all[subject];
        let range = Repeats::of(rounds.values().copied()).range();
        Some(DataPoint::new(subject.size.into(), median(rounds), Some(range)))
    });
    let y = Axis::new("playouts per second", Scale::Log10);
    draw("Playouts per second of one core", "medians and ranges of the rounds", y, series, false)
}

fn ratios(all: &Rounds) -> Drawing {
    let series = series(all, |subject| {
        let (ratio, range) = ratio(all, subject).filter(|_| !subject.is_reference())?;
        Some(DataPoint::new(subject.size.into(), ratio, Some(range)))
    });
    let y = Axis::new("speed divided by that of libego", Scale::Log2);
    let subtitle = "medians, and ranges of the rounds, in each of which all programs take turns";
    draw("Playouts per second compared with libego", subtitle, y, series, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;
    use std::fs;

    const HEAD: &str = "quantity,architecture,size,program,round,measurement,per_second";

    #[test]
    fn ratios_are_to_the_faster_build_in_the_same_round() {
        let folder = tempfile::tempdir().unwrap();
        let measured = [
            ("libego -O2", 1, 100),
            ("libego -O2", 1, 300),
            ("libego -O2", 2, 400),
            ("libego -O3", 1, 150),
            ("libego -O3", 2, 150),
            ("new", 1, 800),
            ("new", 2, 1_000),
            ("late", 3, 7),
        ];
        let mut table = format!("{HEAD}\n");
        for (number, (program, round, speed)) in measured.into_iter().enumerate() {
            writeln!(table, "playouts,x86_64,9,{program},{round},{number},{speed}").unwrap();
        }
        table += "simulations,x86_64,9,new,1,1,7\n";
        fs::write(folder.path().join(MEASUREMENTS), table).unwrap();
        let counts = "architecture,size,program,instructions_per_playout\nx86_64,9,libego -O2,900\n\
                      x86_64,9,libego -O3,600\nx86_64,9,new,200\naarch64,9,new,100\n";
        fs::write(folder.path().join(INSTRUCTIONS), counts).unwrap();
        let (_, rows) = study(folder.path()).unwrap().tables.remove(0);
        let shown: Vec<String> = rows
            .iter()
            .map(|row| row.iter().map(|(_, cell)| cell.as_str()).collect::<Vec<_>>().join(","))
            .collect();
        // Round 1: 800 / 200, round 2: 1000 / 400; the medians 900 / 300.
        assert_eq!(
            shown,
            [
                "playouts,aarch64,9,new,,,,,,100,",
                "playouts,x86_64,9,late,1,7,,,,,",
                "playouts,x86_64,9,libego -O2,2,300,1.00,1.00,1.00,900,1.50",
                "playouts,x86_64,9,libego -O3,2,150,0.50,0.38,0.75,600,1.00",
                "playouts,x86_64,9,new,2,900,3.00,2.50,4.00,200,0.33",
                "simulations,x86_64,9,new,1,7,,,,,",
            ]
        );
    }

    #[test]
    fn a_folder_without_measurements_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let said = study(folder.path()).unwrap_err().to_string();
        assert!(said.contains(MEASUREMENTS), "{said}");
        for (text, fault) in [
            ("quantity,size\nplayouts,9\n".to_owned(), "architecture"),
            (format!("{HEAD}\nplayouts,x86_64,9,new,1,1,0\n"), "above 0"),
        ] {
            fs::write(folder.path().join(MEASUREMENTS), text).unwrap();
            let said = study(folder.path()).unwrap_err().to_string();
            assert!(said.contains(MEASUREMENTS) && said.contains(fault), "{said}");
        }
    }
}
