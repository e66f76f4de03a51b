//! The card of matches of searches that differ in their simulations or in parallel search.

use crate::report::cells::{self, Cells};
use crate::report::files::{Declaration, Files, Found};
use crate::report::groups;
use crate::report::plots::{
    Axis, DataPoint, Drawing, Heading, Lines, ReferenceLine, Scale, Series,
};
use crate::report::text::short_number;
use crate::tournament::SCALING_KEYS;
use crate::tournament::report::card::{TOURNAMENT, strongest, tournament};
use tengen_stats::Interval;
use toml::Table;

pub(crate) const SCALING: Declaration = Declaration {
    name: "scaling",
    keys: SCALING_KEYS,
    table: "parallel.csv",
    own_table: Some("parallel.csv"),
    card: scaling,
    brief: |rows, _| match rows.first()?.text("scheme") {
        "" => strongest(rows),
        _ => strength_speedups(rows),
    },
    ..TOURNAMENT
};

/// The strength-speedups of parallel searches; the answer of a tournament as long as none is known.
fn scaling(config: &Table, files: &dyn Files) -> Result<Found, String> {
    let rows = cells::read(files, "parallel.csv")?;
    let speedups = speedups(&rows);
    if speedups.is_empty() {
        return tournament(config, files);
    }
    let drawn = ["fixed_time", "fixed_work"].into_iter().filter_map(|work| draw(&rows, work));
    Ok((speedups, drawn.collect()))
}

/// The plot of the strength-speedups with this `work`, by degree of parallelism; none if there are none.
fn draw(rows: &[Cells], work: &str) -> Option<(String, Drawing)> {
    let own = rows.iter().filter(|row| row.text("work") == work);
    let point = |row: &Cells| {
        let end = |name: &str, open: f64| row.number(name).unwrap_or(open);
        let interval =
            Interval { low: end("speedup_low", 0.0), high: end("speedup_high", f64::INFINITY) };
        Some(DataPoint::new(row.number("n")?, row.number("speedup")?, Some(interval)))
    };
    let series = groups(own, |row| row.text("scheme"))
        .into_iter()
        .map(|(scheme, rows)| Series::line(scheme, rows.into_iter().filter_map(point).collect()));
    let series: Vec<Series> = series.filter(|series| !series.points.is_empty()).collect();
    let with =
        if work == "fixed_time" { "n times the simulations" } else { "the same simulations" };
    let lines = Lines {
        heading: Heading::new(
            format!("Strength-speedup with {with}"),
            "bars: 95 % interval; searches beyond the doubling curve are left out",
        ),
        x: Axis::new("n", Scale::Log2),
        y: Axis::new("factor of sequential simulations of equal Elo", Scale::Log2),
        series,
        references: vec![ReferenceLine::new(1.0, "sequential")],
    };
    (!lines.series.is_empty()).then(|| (format!("speedup_{work}"), lines.draw()))
}

/// For each kind of parallel search the row with the highest degree; rows of equal time come first.
fn highest(rows: &[Cells]) -> Vec<&Cells> {
    let degree = |row: &&Cells| row.number("n").unwrap_or(0.0);
    let of_work =
        |work| groups(rows.iter().filter(|row| row.text("work") == work), |row| row.text("scheme"));
    let schemes = ["fixed_time", "fixed_work"].into_iter().flat_map(of_work);
    let best = schemes.filter_map(|(_, rows)| {
        rows.into_iter().max_by(|one, other| degree(one).total_cmp(&degree(other)))
    });
    best.collect()
}

/// A strength-speedup and its interval, in words; none if neither is known.
fn factor(row: &Cells) -> Option<String> {
    let number = |name: &str| row.number(name).map(short_number);
    let ends = (number("speedup_low"), number("speedup_high"));
    match (number("speedup"), ends) {
        (Some(factor), (Some(low), Some(high))) => {
            Some(format!("{factor} times ({low} to {high})"))
        }
        (Some(factor), (Some(low), None)) => Some(format!("{factor} times ({low} and more)")),
        (Some(factor), (None, Some(high))) => Some(format!("{factor} times (up to {high})")),
        (Some(factor), (None, None)) => Some(format!("{factor} times")),
        (None, (Some(low), _)) => Some(format!("at least {low} times")),
        (None, (None, Some(high))) => Some(format!("at most {high} times")),
        (None, (None, None)) => None,
    }
}

/// A sentence for each row of [`highest`].
fn speedups(rows: &[Cells]) -> Vec<String> {
    let sentence = |row: &&Cells| {
        let (scheme, n) = (row.text("scheme"), row.text("n"));
        let with = if row.text("work") == "fixed_time" {
            format!("{n} times the simulations")
        } else {
            "the same number of simulations".to_owned()
        };
        let factor = factor(row)?;
        let (first, rest) = scheme.split_at_checked(1)?;
        Some(format!(
            "{}{rest} parallel search of degree {n} with {with} is worth {factor} the simulations of a \
             sequential search.",
            first.to_uppercase()
        ))
    };
    highest(rows).iter().filter_map(sentence).collect()
}

/// The strength-speedup of each kind of parallel search.
fn strength_speedups(rows: &[Cells]) -> Option<String> {
    let rows = highest(rows);
    let work = rows.first()?.text("work");
    let first = rows.iter().filter(|row| row.text("work") == work);
    let each = first.filter_map(|row| {
        Some(format!("{}-{} {}", row.text("scheme"), row.text("n"), factor(row)?))
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| each.join(", "))
}
