//! The pictures of a tuning run.

use crate::report::plots::{
    Axis, ContourMap, DataPoint, Heading, Lines, Plots, ReferenceLine, Scale, Series, Style,
};
use crate::report::text::short_number;
use crate::tuning::{Findings, Parameter};
use tengen_optimize::space::{self, Point};
use tengen_optimize::surface::logistic;
use tengen_optimize::trial::{Sample, Score};
use tengen_stats::{Elo, Interval, Level, wilson};

/// Points of a fitted curve, and of each axis of a map.
const POINTS: usize = 81;
const CELLS: usize = 41;
/// Number of classes into which samples are grouped if they are not on a grid.
const CLASSES: usize = 12;

/// The pictures of `findings`; `conditions` are their subtitle.
pub(crate) fn pictures(findings: &Findings<'_>, conditions: &str) -> Plots {
    let heading = |title: String| Heading::new(title, conditions);
    let mut pictures = Vec::new();
    if findings.parameters.len() == 2 {
        pictures.push(("map".to_owned(), map(findings, heading(title(findings))).draw()));
    }
    for (number, parameter) in findings.parameters.iter().enumerate() {
        let name = &parameter.name;
        let curve = curve(findings, number, heading(title(findings)));
        pictures.push((format!("samples-{name}"), curve.draw()));
        let estimates = findings.estimates.iter().map(|at| {
            let each = crate::tuning::parameters(findings.tuning, &at.estimate);
            (at.games as f64, each[number].best, each[number].interval)
        });
        let mut course = course(name, conditions, axis(findings, parameter), estimates);
        let default = parameter.default.map(|y| ReferenceLine::new(y, "default"));
        course.references.extend(default);
        pictures.push((format!("estimate-{name}"), course.draw()));
    }
    pictures
}

fn title(findings: &Findings<'_>) -> String {
    if findings.origin.is_some() {
        "Strength of the candidate, compared with its default settings".to_owned()
    } else {
        let opponent = findings.tuning.opponent.as_ref();
        let opponent = opponent.map_or("its default settings", |bot| &bot.name);
        format!("Win rate of the candidate against {opponent}")
    }
}

/// The unit in which the fitted strength is shown.
fn unit(findings: &Findings<'_>) -> &'static str {
    if findings.origin.is_some() { "Elo above the default settings" } else { "win rate" }
}

/// The fitted strength at `point` and its band, in [`unit`].
fn shown(findings: &Findings<'_>, point: &[f64]) -> (f64, Interval) {
    let (mean, band) = findings.fit.strength(point, findings.origin.as_deref());
    let is_elo = findings.origin.is_some();
    let shown = |logit: f64| if is_elo { Elo::PER_LOGIT * logit } else { logistic(logit) };
    (shown(mean), band.map(shown))
}

fn axis(findings: &Findings<'_>, parameter: &Parameter) -> Axis {
    let label = match formula(findings).filter(|_| parameter.name == "exploration") {
        Some(formula) => format!("exploration: c of {formula}"),
        None => parameter.name.clone(),
    };
    Axis::new(label, scale(parameter.scale))
}

/// The scale of an axis of values of a parameter.
pub(crate) const fn scale(scale: space::Scale) -> Scale {
    match scale {
        space::Scale::Log => Scale::Log10,
        space::Scale::Linear | space::Scale::Integer => Scale::Linear,
    }
}

/// The term that the exploration constant multiplies: programs and papers define it differently.
fn formula(findings: &Findings<'_>) -> Option<&'static str> {
    let config = findings.tuning.candidate.bot().uct()?;
    match config.selection.text() {
        "ucb1" => Some("c·√(ln N / n)"),
        "puct" => Some("c·P·√N / (1 + n)"),
        _ => None,
    }
}

/// Coordinates from -1 to 1.
fn units(count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |number| 2.0 * number as f64 / (count - 1) as f64 - 1.0)
}

/// The fit along one parameter, with the samples; all other parameters are at the estimate.
fn curve(findings: &Findings<'_>, number: usize, heading: Heading) -> Lines {
    let parameters = findings.tuning.candidate.space().parameters();
    let parameter = &findings.parameters[number];
    let points = units(POINTS).map(|unit| {
        let mut point = findings.point.clone();
        point[number] = unit;
        let (y, interval) = shown(findings, &point);
        DataPoint::new(parameters[number].value(unit), y, Some(interval))
    });
    let is_alone = findings.parameters.len() == 1;
    let others = if is_alone { "" } else { ", the others at the estimate" };
    let name = format!("fitted mean, 95 % band{others}");
    let mut series = vec![Series { style: Style::Band, ..Series::line(name, points.collect()) }];
    let marks = |name, points| Series { style: Style::Marks, ..Series::line(name, points) };
    if is_alone {
        // The tuner chose where to play, and classes mix neighbouring points: no 95 % intervals.
        series.push(marks(
            "raw samples (bars are no 95 % intervals)".to_owned(),
            performances(findings),
        ));
    }
    let best = DataPoint::new(parameter.best, shown(findings, &findings.point).0, None);
    series.push(marks(format!("estimate {}", short_number(parameter.best)), vec![best]));
    let even = if findings.origin.is_some() {
        ReferenceLine::new(0.0, "default settings")
    } else {
        ReferenceLine::new(0.5, "as strong as the opponent")
    };
    Lines {
        heading,
        x: axis(findings, parameter),
        y: Axis::new(unit(findings), Scale::Linear),
        series,
        references: vec![even],
    }
}

/// The raw score of each class of neighbouring samples: a win rate, or a performance rating, which
/// adds the Elo difference of the score to the opponents' mean fitted strength. Its bar is Wilson's
/// interval of as many games at one point against one opponent. It covers the truth more rarely than
/// in 95 of 100 cases, since the tuner plays more where it has won.
fn performances(findings: &Findings<'_>) -> Vec<DataPoint> {
    #[derive(Clone, Default)]
    struct Class {
        score: Score,
        /// Sums over games.
        units: f64,
        opponents: f64,
    }
    let count =
        if findings.tuning.method.kind.is_grid() { findings.tuning.method.steps } else { CLASSES };
    let mut classes = vec![Class::default(); count];
    let mut add = |point: &Point, score: Score, opponent: Option<&Point>| {
        let share = f64::midpoint(point[0], 1.0);
        // The points of a grid are in the middle of their classes.
        let place = if findings.tuning.method.kind.is_grid() {
            share * (count - 1) as f64 + 0.5
        } else {
            share * count as f64
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to count
        let class = &mut classes[(place.floor() as usize).min(count - 1)];
        let origin = findings.origin.as_deref();
        let strength = opponent.map_or(0.0, |other| findings.fit.strength(other, origin).0);
        class.score += score;
        class.units += point[0] * score.games();
        class.opponents += strength * score.games();
    };
    for Sample { trial, score } in findings.samples {
        add(&trial.first, *score, trial.second.as_ref());
        if let Some(second) = &trial.second {
            let reversed = Score { wins: score.losses, losses: score.wins };
            add(second, reversed, Some(&trial.first));
        }
    }
    let parameter = &findings.tuning.candidate.space().parameters()[0];
    let is_rated = findings.origin.is_some();
    let point = |class: &Class| {
        let (rate, games) = (class.score.rate()?, class.score.games());
        let interval = wilson(rate, games, Level::P95);
        let shown = |rate: f64| {
            if is_rated {
                Elo::PER_LOGIT * (class.opponents / games + (rate / (1.0 - rate)).ln())
            } else {
                rate
            }
        };
        let x = parameter.value(class.units / games);
        Some(DataPoint::new(x, shown(rate), interval.map(|i| i.map(shown))))
    };
    classes.iter().filter_map(point).collect()
}

/// The estimates of the parameter `name`, with their intervals, after more and more games.
pub(crate) fn course(
    name: &str,
    conditions: &str,
    y: Axis,
    estimates: impl Iterator<Item = (f64, f64, Interval)>,
) -> Lines {
    let points = estimates.map(|(games, best, ends)| DataPoint::new(games, best, Some(ends)));
    let band = Series::line("estimate, interval", points.collect());
    Lines {
        heading: Heading::new(format!("Estimate of the best {name} against games"), conditions),
        x: Axis::new("games", Scale::Linear),
        y,
        series: vec![Series { style: Style::Band, ..band }],
        references: Vec::new(),
    }
}

/// The fit over two parameters.
fn map(findings: &Findings<'_>, heading: Heading) -> ContourMap {
    let space = findings.tuning.candidate.space();
    let values =
        |number: usize| units(CELLS).map(move |unit| space.parameters()[number].value(unit));
    let row = |y: f64| units(CELLS).map(|x| shown(findings, &[x, y]).0).collect();
    let mut samples: Vec<(f64, f64)> = Vec::new();
    for sample in findings.samples {
        for point in std::iter::once(&sample.trial.first).chain(&sample.trial.second) {
            let values = space.values(point);
            let at = (values[0], values[1]);
            if !samples.contains(&at) {
                samples.push(at);
            }
        }
    }
    let [one, two] = [0, 1].map(|number| &findings.parameters[number]);
    let said = format!(
        "estimate: {} {}, {} {}; grey dots: points that were played",
        one.name,
        short_number(one.best),
        two.name,
        short_number(two.best)
    );
    ContourMap {
        heading,
        x: axis(findings, one),
        y: axis(findings, two),
        columns: values(0).collect(),
        rows: values(1).collect(),
        values: units(CELLS).map(row).collect(),
        label: format!("{}, fitted mean", unit(findings)),
        samples,
        best: Some(((one.best, two.best), said)),
    }
}
