//! The cards of tunings, and of methods of tuning on synthetic surfaces.

use crate::report::cells::{self, Cells};
use crate::report::files::plain;
use crate::report::files::{Declaration, Extent, Files, Found, RowsFile, rows_of, text};
use crate::report::plots::{Axis, DataPoint, Heading, Lines, Scale, Series};
use crate::report::text::short_number;
use crate::run::Rows;
use crate::tournament::report::{counted, summarize};
use crate::tournament::{GameRow, Outline};
use crate::tuning::report::pictures::{course, scale};
use crate::tuning::report::{estimates, validated};
use crate::tuning::{Parameter, Tuning, VALIDATION_FOLDER, optima_in_words};
use std::collections::BTreeMap;
use tengen_optimize::space::{self, Space};
use tengen_settings::SettingValue;
use tengen_stats::Interval;
use toml::{Table, Value};

pub(crate) const TUNING: Declaration = Declaration {
    name: "tuning",
    keys: &["tune"],
    table: "estimate.csv",
    own_table: None,
    rows: Some(RowsFile::of::<Tuning>(|config, _| Extent::of_setting(config, "games"))),
    card: tuning,
    brief: |rows, text| optima(text.lines().next()?, rows.last()?),
};

pub(crate) const SYNTHETIC: Declaration = Declaration {
    name: "synthetic",
    keys: &[],
    table: "regret.csv",
    own_table: None,
    rows: None,
    card: |_, files| synthetic(files),
    brief: |rows, _| {
        let (method, points) = regrets(rows).into_iter().next()?;
        Some(format!("{method} loses least: {:.4}", points.last()?.1))
    },
};

/// Where the optimum is, what the validation says, and the course of the estimates: from
/// `estimate.csv`, or, before it is written, from the games.
fn tuning(config: &Table, files: &dyn Files) -> Result<Found, String> {
    let stored = text(files, "estimate.csv")?;
    let text = stored.map_or_else(|| of_games(config, files), Ok)?;
    let rows: Vec<Cells> = cells::parse("estimate.csv", &text)?;
    let parameters = parameters(config)?;
    let at = |row: &Cells| -> Option<Vec<Parameter>> {
        parameters.iter().map(|parameter| optimum(parameter, row)).collect()
    };
    let last = rows.last().and_then(|row| Some((row.number("games")?, at(row)?)));
    let Some((games, optima)) = last else { return Ok(Found::default()) };
    let size = config.get("size").map(plain).unwrap_or_default();
    let method = match config.get("method") {
        Some(Value::Array(methods)) => methods.first().map(plain),
        other => other.map(plain),
    };
    let method = method.unwrap_or_default();
    let mut answer = vec![optima_in_words(&games, &size, &method, &optima)];
    answer.extend(validation(files)?);
    let plots = parameters.iter().map(|parameter| {
        let estimates = rows.iter().filter_map(|row| {
            let Parameter { best, interval, .. } = optimum(parameter, row)?;
            Some((row.number("games")?, best, interval))
        });
        let name = parameter.name();
        let y = Axis::new(name, scale(parameter.scale()));
        (format!("estimate-{name}"), course(name, &size, y, estimates).draw())
    });
    Ok((answer, plots.collect()))
}

/// `estimate.csv` computed from the games played so far.
fn of_games(config: &Table, files: &dyn Files) -> Result<String, String> {
    let games: Vec<GameRow> = rows_of(files, "games.csv")?;
    if games.is_empty() {
        return Ok(String::new());
    }
    let tuning = Tuning::from_table(config.clone());
    let tuning = tuning.map_err(|fault| format!("config.toml: {fault}"))?;
    let rows: Rows<GameRow> = games.into_iter().map(|row| (row.game, vec![row])).collect();
    let (_, found, _) = tuning.known(&rows);
    estimates(&tuning, &found).map_err(|fault| fault.to_string())
}

/// The parameters that are tuned.
fn parameters(config: &Table) -> Result<Vec<space::Parameter>, String> {
    let param = config.get("param").ok_or("config.toml: the key `param` is missing")?;
    let space = Space::read(param).map_err(|_| "config.toml: invalid ranges in `param`")?;
    Ok(space.parameters().to_vec())
}

/// The optimum of `parameter` from a row of `estimate.csv`.
fn optimum(parameter: &space::Parameter, row: &Cells) -> Option<Parameter> {
    let name = parameter.name();
    let number = |end: &str| row.number(&format!("{name}{end}"));
    Some(Parameter {
        name: name.to_owned(),
        range: parameter.range(),
        scale: parameter.scale(),
        best: number("")?,
        interval: Interval { low: number("_low")?, high: number("_high")? },
        is_flat: row.text(&format!("{name}_flat")) == "true",
        default: None,
    })
}

/// A sentence for each opponent in the validation, if it has begun.
fn validation(files: &dyn Files) -> Result<Vec<String>, String> {
    let Some(config) = text(files, &format!("{VALIDATION_FOLDER}/config.toml"))? else {
        return Ok(Vec::new());
    };
    let fault = |why: &dyn std::fmt::Display| format!("{VALIDATION_FOLDER}: {why}");
    let config = config.parse().map_err(|why: toml::de::Error| fault(&why.message()))?;
    let outline = Outline::of(&config).map_err(|why| fault(&why))?;
    let rows: Vec<GameRow> = rows_of(files, &format!("{VALIDATION_FOLDER}/games.csv"))?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let (rows, _) = counted(&outline, rows).map_err(|why| fault(&why))?;
    let summary = summarize(&outline, &rows);
    let met = summary.pairings.iter().filter(|line| line.bot == "tuned");
    Ok(met.map(validated).collect())
}

/// Each method with its points: number of games, and mean regret over all surfaces. The method with
/// the lowest last mean comes first.
type Regrets = Vec<(String, Vec<(f64, f64)>)>;

/// The mean regrets in the rows of `regret.csv`.
fn regrets(rows: &[Cells]) -> Regrets {
    // By method and number of games: sum of the regrets, and number of surfaces.
    let mut sums = BTreeMap::<String, BTreeMap<u64, (f64, f64)>>::new();
    for row in rows {
        let (Ok(games), Some(regret)) = (row.text("games").parse(), row.number("mean_regret"))
        else {
            continue;
        };
        let of_method = sums.entry(row.text("method").to_owned()).or_default();
        let (sum, count) = of_method.entry(games).or_default();
        *sum += regret;
        *count += 1.0;
    }
    let mean = |(games, (sum, count)): (u64, (f64, f64))| (games as f64, sum / count);
    let mut means: Regrets = sums
        .into_iter()
        .map(|(method, by_games)| (method, by_games.into_iter().map(mean).collect()))
        .collect();
    let last = |points: &[(f64, f64)]| points.last().map_or(f64::INFINITY, |point| point.1);
    means.sort_by(|one, other| last(&one.1).total_cmp(&last(&other.1)));
    means
}

/// Which method loses least, and the mean regret of each against games.
fn synthetic(files: &dyn Files) -> Result<Found, String> {
    let rows = cells::read(files, "regret.csv")?;
    let means = regrets(&rows);
    let mut surfaces: Vec<&str> = rows.iter().map(|row| row.text("surface")).collect();
    surfaces.sort_unstable();
    surfaces.dedup();
    let count = surfaces.len();
    let over = if count == 1 { "one surface".to_owned() } else { format!("{count} surfaces") };
    let Some(((best, points), others)) = means.split_first() else { return Ok(Found::default()) };
    let Some(&(games, least)) = points.last() else { return Ok(Found::default()) };
    let rest = others.iter().filter_map(|(method, points)| {
        let &(at, regret) = points.last()?;
        let after = if at == games { String::new() } else { format!(" after {at} games") };
        Some(format!("{method} {regret:.4}{after}"))
    });
    let rest = rest.collect::<Vec<_>>().join(", ");
    let rest = if rest.is_empty() { rest } else { format!("; {rest}") };
    let answer = format!(
        "After {games} games {best} loses least win probability at its estimate, {least:.4} in the mean \
         of {over}{rest}."
    );
    let line = |(method, points): &(String, Vec<(f64, f64)>)| {
        let points = points.iter().map(|&(x, y)| DataPoint::new(x, y, None));
        Series::line(method.as_str(), points.collect())
    };
    let lines = Lines {
        heading: Heading::new(
            "Mean regret of the methods against games",
            format!("mean of {over}"),
        ),
        x: Axis::new("games", Scale::Log10),
        y: Axis::new("win probability lost at the estimate", Scale::Log10),
        series: means.iter().map(line).collect(),
        references: Vec::new(),
    };
    Ok((vec![answer], vec![("regret".to_owned(), lines.draw())]))
}

/// The optimum of each parameter by the last row of `estimate.csv`, whose first line is `heading`.
fn optima(heading: &str, row: &Cells) -> Option<String> {
    let parameters = heading.split(',').filter_map(|column| column.strip_suffix("_flat"));
    let each = parameters.filter_map(|name| {
        let number = |end: &str| row.number(&format!("{name}{end}")).map(short_number);
        if row.text(&format!("{name}_flat")) == "true" {
            return Some(format!("no clear optimum of {name}"));
        }
        Some(format!("{name} {} ({} to {})", number("")?, number("_low")?, number("_high")?))
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| each.join(", "))
}
