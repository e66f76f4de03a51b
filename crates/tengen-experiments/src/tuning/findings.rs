//! The findings of a tuning run: where the optimum is, how sure that is, and what the tuner itself
//! saw.

use crate::report::text::short_number;
use crate::tuning::trials::EstimateAt;
use crate::tuning::tuning_run::Tuning;
use std::fmt::Display;
use tengen_bots::NamedBot;
use tengen_optimize::process::Process;
use tengen_optimize::space::{Point, Scale};
use tengen_optimize::surface::logistic;
use tengen_optimize::trial::{Estimate, Sample, Score};
use tengen_stats::{Interval, Level, wilson};

/// One parameter and its optimum.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its range.
    pub range: (f64, f64),
    /// The scale of its range.
    pub scale: Scale,
    /// The estimate of the optimum.
    pub best: f64,
    /// The interval of the optimum.
    pub interval: Interval,
    /// Whether the games do not show where the optimum is.
    pub is_flat: bool,
    /// The value in the bot that was given, if it is a number.
    pub default: Option<f64>,
}

impl Parameter {
    /// The message that the optimum is at an end of the range, beyond which a better value may lie,
    /// with a wider range to tune over; none if the optimum is inside.
    #[must_use]
    pub fn end_of_range(&self) -> Option<String> {
        let Self { name, range: (low, high), scale, best, .. } = self;
        // From 0 to 1 on the scale of the range.
        let place = match scale {
            Scale::Log => (best / low).ln() / (high / low).ln(),
            _ => (best - low) / (high - low),
        };
        let is_low = place < NEAR_END;
        if !is_low && place <= 1.0 - NEAR_END {
            return None;
        }
        let (end, low, high) = match (scale, is_low) {
            // Extended by its own width, on the scale of the range.
            (Scale::Log, true) => ("lower", low * low / high, *high),
            (Scale::Log, false) => ("upper", *low, high * high / low),
            (_, true) if *low == 0.0 => {
                return Some("at the lower end of its range, 0".to_owned());
            }
            (_, true) if *low > 0.0 => ("lower", (2.0 * low - high).max(0.0), *high),
            (_, true) => ("lower", 2.0 * low - high, *high),
            (_, false) => ("upper", *low, 2.0 * high - low),
        };
        let suffix = if *scale == Scale::Linear { String::new() } else { format!(":{scale}") };
        let (low, high) = (short_number(low), short_number(high));
        Some(format!(
            "at the {end} end of its range: a better value may lie beyond, so tune it again with \
             --param {name}={low}..{high}{suffix}"
        ))
    }
}

/// An optimum nearer than this to an end of its range, as a share of the range, is at the end.
const NEAR_END: f64 = 0.02;

/// The result of a tuning run.
pub struct Findings<'run> {
    /// The run.
    pub tuning: &'run Tuning,
    /// The trials with their scores.
    pub samples: &'run [Sample],
    /// The estimates after more and more games.
    pub estimates: &'run [EstimateAt],
    /// The estimate of the optimum.
    pub point: Point,
    /// The parameters, in the order of the coordinates.
    pub parameters: Vec<Parameter>,
    /// The bot at the estimate.
    pub tuned: NamedBot,
    /// The surface fitted to all samples.
    pub fit: Process,
    /// Where points play each other: the point to which the fitted strength is relative.
    pub origin: Option<Point>,
}

impl<'run> Findings<'run> {
    /// The findings from `samples`, and from the `estimates` after more and more games.
    #[must_use]
    pub fn new(
        tuning: &'run Tuning,
        samples: &'run [Sample],
        estimates: &'run [EstimateAt],
    ) -> Self {
        let dimensions = tuning.dimensions();
        let unknown = || Estimate::unknown(vec![0.0; dimensions]);
        let estimate = estimates.last().map_or_else(unknown, |last| last.estimate.clone());
        let mut fit = Process::new(dimensions);
        for sample in samples {
            fit.push(&sample.trial, sample.score);
        }
        fit.update();
        let is_duel = samples.iter().any(|sample| sample.trial.second.is_some());
        let candidate = &tuning.candidate;
        let parameters = parameters(tuning, &estimate);
        let defaults: Vec<f64> = parameters
            .iter()
            .zip(candidate.space().values(&vec![0.0; dimensions]))
            .map(|(parameter, middle)| parameter.default.unwrap_or(middle))
            .collect();
        let origin = is_duel.then(|| candidate.space().point(&defaults));
        let tuned = candidate.at(&estimate.point);
        Self { tuning, samples, estimates, point: estimate.point, parameters, tuned, fit, origin }
    }

    /// Number of games that the method was told of.
    #[must_use]
    pub fn games(&self) -> usize {
        2 * self.samples.len()
    }

    /// The win rate at the estimate as the tuner saw it: the score of the cell of a grid, else the
    /// fit. Its interval does not allow for the choice of the best of many points. None without
    /// games.
    #[must_use]
    pub fn own_win_rate(&self) -> Option<(f64, Interval)> {
        if self.tuning.method.kind.is_grid() {
            let mut score = Score::default();
            let here = self.samples.iter().filter(|sample| sample.trial.first == self.point);
            here.for_each(|sample| score += sample.score);
            return Some((score.rate()?, wilson(score.rate()?, score.games(), Level::P95)?));
        }
        let (mean, band) = self.fit.strength(&self.point, self.origin.as_deref());
        (!self.samples.is_empty()).then(|| (logistic(mean), band.map(logistic)))
    }

    /// The name of the opponent of [`Findings::own_win_rate`].
    #[must_use]
    pub fn own_opponent(&self) -> &str {
        match (&self.origin, &self.tuning.opponent) {
            (None, Some(opponent)) => &opponent.name,
            _ => crate::tuning::tuning_run::DEFAULT,
        }
    }

    /// Where the optimum is and how sure that is, in one sentence.
    #[must_use]
    pub fn answer(&self) -> String {
        let size = self.tuning.tournament.size;
        optima_in_words(&self.games(), &size, &self.tuning.method.kind, &self.parameters)
    }
}

/// Where the optima of `parameters` are and how sure that is, in one sentence: after `games` games
/// on a board of `size` with `method`.
#[must_use]
pub fn optima_in_words(
    games: &dyn Display,
    size: &dyn Display,
    method: &dyn Display,
    parameters: &[Parameter],
) -> String {
    let each = parameters.iter().map(|parameter| {
        let Parameter { name, range, best, interval, is_flat, .. } = parameter;
        let ends = format!("{} to {}", short_number(interval.low), short_number(interval.high));
        let end = parameter.end_of_range();
        if *is_flat {
            format!(
                "{name} is flat, as its optimum may be anywhere from {ends} of the range {} to \
                 {} (estimate {})",
                short_number(range.0),
                short_number(range.1),
                short_number(*best)
            )
        } else {
            let end = end.map_or(String::new(), |end| format!(", {end}"));
            format!("the best {name} is {} (interval {ends}){end}", short_number(*best))
        }
    });
    let each = each.collect::<Vec<_>>().join("; ");
    format!("After {games} games on {size} with {method}, {each}.")
}

impl EstimateAt {
    /// The estimate with its intervals, as `exploration 0.41 (0.3 to 0.55)`.
    #[must_use]
    pub fn in_words(&self, tuning: &Tuning) -> String {
        let each = parameters(tuning, &self.estimate).into_iter().map(|parameter| {
            let Parameter { name, best, interval, .. } = parameter;
            format!(
                "{name} {} ({} to {})",
                short_number(best),
                short_number(interval.low),
                short_number(interval.high)
            )
        });
        each.collect::<Vec<_>>().join(", ")
    }
}

/// The parameters with their optima at `estimate`.
#[must_use]
pub fn parameters(tuning: &Tuning, estimate: &Estimate) -> Vec<Parameter> {
    let candidate = &tuning.candidate;
    let best = candidate.values(&estimate.point);
    let defaults = candidate.default_values();
    let each = candidate.space().parameters().iter().enumerate();
    each.map(|(number, parameter)| Parameter {
        name: parameter.name().to_owned(),
        range: parameter.range(),
        scale: parameter.scale(),
        best: best[number],
        interval: estimate.intervals[number].map(|unit| parameter.value(unit)),
        is_flat: estimate.is_flat(number),
        default: defaults[number],
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optimum_at_the_end_of_the_range_names_a_wider_one() {
        let said = |range, scale, best| {
            let name = "c".to_owned();
            let interval = Interval { low: best, high: best };
            let (is_flat, default) = (false, None);
            let parameter = Parameter { name, range, scale, best, interval, is_flat, default };
            parameter.end_of_range().unwrap_or_default()
        };
        assert_eq!(said((0.1, 1.0), Scale::Log, 0.3), "");
        assert!(said((0.1, 1.0), Scale::Log, 0.99).ends_with("--param c=0.1..10:log"));
        assert!(said((0.1, 1.0), Scale::Log, 0.1).ends_with("--param c=0.01..1:log"));
        assert!(said((2.0, 8.0), Scale::Linear, 8.0).ends_with("--param c=2..14"));
        assert!(said((2.0, 8.0), Scale::Linear, 2.0).ends_with("--param c=0..8"));
        assert_eq!(said((0.0, 1.0), Scale::Linear, 0.0), "at the lower end of its range, 0");
    }

    #[test]
    fn values_have_three_figures() {
        let said = [0.0, 0.123_45, 1.0, 12.345, 1_234.5, -0.5, 1e-4].map(short_number);
        assert_eq!(said, ["0", "0.123", "1", "12.3", "1235", "-0.5", "0.0001"]);
    }
}
