//! The cards of runs that play games: tournaments, and matches of scaling.

use crate::report::card::table::{self, Cells};
use crate::report::card::{Declaration, Extent, Files, Found, RowsFile, rows_of, text};
use crate::report::groups;
use crate::report::plots::{
    Axis, DataPoint, Drawing, Heading, Lines, ReferenceLine, Scale, Series,
};
use crate::report::text::csv_text;
use crate::run::{MANIFEST, Manifest};
use crate::tournament::report::{Results, counted, draw_cross_table, draw_win_rates, summarize};
use crate::tournament::{GameRow, Outline, Tournament};
use crate::tuning::short;
use tengen_stats::Interval;
use toml::Table;

pub(crate) const TOURNAMENT: Declaration = Declaration {
    keys: &["tournament"],
    table: "summary.csv",
    own_table: Some("games.csv"),
    rows: Some(RowsFile::of::<Tournament>(|config, _| {
        let units = Outline::of(config).ok()?.schedule().games();
        Some(Extent { units, rows_per_unit: 1 })
    })),
    card: tournament,
    brief: |rows, _| strongest(rows),
};

pub(crate) const SCALING: Declaration = Declaration {
    keys: &["scaling-doubling", "scaling-parallel"],
    table: "parallel.csv",
    own_table: Some("parallel.csv"),
    card: scaling,
    brief: |rows, _| match rows.first()?.text("scheme") {
        "" => strongest(rows),
        _ => strength_speedups(rows),
    },
    ..TOURNAMENT
};

/// The answer of a tournament, and the plots of win rates and of all pairings.
fn tournament(config: &Table, files: &dyn Files) -> Result<Found, String> {
    let outline = Outline::of(config).map_err(|fault| format!("config.toml: {fault}"))?;
    let rows: Vec<GameRow> = rows_of(files, "games.csv")?;
    if rows.is_empty() {
        return Ok(Found::default());
    }
    let (rows, test) = counted(&outline, rows).map_err(|fault| format!("games.csv: {fault}"))?;
    let manifest = manifest(files);
    let results = Results::of(&outline, &rows, test.as_ref(), &manifest);
    let conditions = outline.conditions();
    let mut plots = vec![("win_rates".to_owned(), draw_win_rates(&results.summary, &conditions))];
    if outline.bots.len() > 2 {
        plots.push(("cross_table".to_owned(), draw_cross_table(&results.summary, &conditions)));
    }
    Ok((results.said_first(), plots))
}

/// The manifest of the run; without sessions if it cannot be read.
fn manifest(files: &dyn Files) -> Manifest {
    let text = text(files, MANIFEST).ok().flatten();
    text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default()
}

/// `summary.csv` computed from the games of a tournament, for a run that has not stored it. None if
/// settings or games cannot be read.
pub(crate) fn summary(config: &Table, files: &dyn Files) -> Option<String> {
    let outline = Outline::of(config).ok()?;
    let rows: Vec<GameRow> = rows_of(files, "games.csv").ok()?;
    let (rows, _) = counted(&outline, rows).ok()?;
    csv_text(summarize(&outline, &rows).csv_rows()).ok()
}

/// The strength-speedups of parallel searches; the answer of a tournament as long as none is known.
fn scaling(config: &Table, files: &dyn Files) -> Result<Found, String> {
    let rows = table::read(files, "parallel.csv")?;
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
    let number = |name: &str| row.number(name).map(short);
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

/// The bot with the highest win rate.
fn strongest(rows: &[Cells]) -> Option<String> {
    let bots = rows.iter().filter(|row| row.text("kind") == "bot");
    let best = bots.filter_map(|row| Some((row.number("win_rate")?, row)));
    let (_, best) = best.max_by(|one, other| one.0.total_cmp(&other.0))?;
    let rate = best.percent("win_rate")?;
    let ends = best.percent("win_rate_low").zip(best.percent("win_rate_high"));
    let ends = ends.map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
    Some(format!("{} wins {rate} %{ends}", best.text("bot")))
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
