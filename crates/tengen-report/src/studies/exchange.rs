//! What Elo of self-play is worth against another program.

use super::matches::{Match, SAMPLES, bounded_elo, drawn, matches, openings};
use super::{Study, verdict};
use crate::plots::{Axis, DataPoint, Heading, Lines, ReferenceLine, Scale, Series, Style};
use crate::text::{CsvRow, cells, estimate_cells};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::path::Path;
use tengen_harness::run::RunError;
use tengen_stats::seed::mix;
use tengen_stats::{Interval, Level, percentile_interval};

/// The run of the changes against what they change.
const INSIDE: &str = "self";
/// The run of all of them against the other program.
const OUTSIDE: &str = "gnugo";
/// The seed of the bootstrap samples.
const SEED: u64 = 20_261_124;
/// The 95 % quantiles of chi-squared with 1 to 9 degrees of freedom.
const CHI_SQUARED: [f64; 9] = [3.84, 5.99, 7.81, 9.49, 11.07, 12.59, 14.07, 15.51, 16.92];

/// The matches of both runs.
struct Changes {
    inside: Vec<Match>,
    /// That of the unchanged bot first.
    outside: Vec<Match>,
}

/// Elo of each change, in self-play and against the other program.
#[derive(Clone, Debug, Default)]
struct Effects {
    inside: Vec<f64>,
    outside: Vec<f64>,
}

impl Effects {
    /// The common rate `Σ o·s / Σ s²`.
    fn rate(&self) -> f64 {
        let product =
            |other: &[f64]| -> f64 { self.inside.iter().zip(other).map(|(s, x)| s * x).sum() };
        product(&self.outside) / product(&self.inside)
    }
}

impl Changes {
    /// The effects on the openings that are drawn in both runs.
    fn effects(&self, inside: &[usize], outside: &[usize]) -> Effects {
        let against = |each: &Match| bounded_elo(&each.of_openings(outside));
        let base = against(&self.outside[0]);
        Effects {
            inside: self.inside.iter().map(|each| bounded_elo(&each.of_openings(inside))).collect(),
            outside: self.outside[1..].iter().map(|each| against(each) - base).collect(),
        }
    }
}

pub fn study(folder: &Path) -> Result<Study, RunError> {
    let changes = Changes {
        inside: matches(&folder.join(INSIDE))?,
        outside: matches(&folder.join(OUTSIDE))?,
    };
    let of = |matches: &[Match]| matches.iter().map(|each| each.second.clone()).collect::<Vec<_>>();
    let (names, others) = (of(&changes.inside), of(&changes.outside));
    if names != others[1..] || changes.inside[0].first != others[0] {
        return Err(RunError::Input(format!(
            "{}: the bots of `{INSIDE}` and of `{OUTSIDE}` differ",
            folder.display()
        )));
    }
    let (inside, outside) = (openings(&changes.inside), openings(&changes.outside));
    let all = |count: usize| (0..count).collect::<Vec<_>>();
    let found = changes.effects(&all(inside), &all(outside));
    let samples: Vec<Effects> = (0..SAMPLES as u64)
        .map(|sample| {
            let mut stream = Xoshiro256PlusPlus::seed_from_u64(mix(SEED, sample));
            let inside = drawn(inside, &mut stream);
            changes.effects(&inside, &drawn(outside, &mut stream))
        })
        .collect();
    let interval = |of: &dyn Fn(&Effects) -> f64| {
        percentile_interval(samples.iter().map(of).collect(), Level::P95)
    };
    let mut rows = Vec::new();
    let mut points = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let (s, o) = (found.inside[number], found.outside[number]);
        let ends = |of: fn(&Effects) -> &Vec<f64>| interval(&|effects| of(effects)[number]);
        let (of_s, of_o) = (ends(|effects| &effects.inside), ends(|effects| &effects.outside));
        let mut row: CsvRow = cells([("bot", name)]);
        row.extend(estimate_cells("self_play", Some(s), of_s, 1));
        row.extend(estimate_cells("outside", Some(o), of_o, 1));
        let rate = interval(&|effects| effects.outside[number] / effects.inside[number]);
        row.extend(estimate_cells("rate", Some(o / s), rate, 3));
        rows.push(row);
        points.push((name, DataPoint::new(s, o, of_o)));
    }
    let rate = found.rate();
    let of_rate = interval(&Effects::rate);
    let q = heterogeneity(&found, &samples);
    let mut pooled = cells([("changes", &names.len())]);
    pooled.extend(estimate_cells("rate", Some(rate), of_rate, 3));
    let limit = CHI_SQUARED.get(names.len().saturating_sub(2)).copied();
    let kinds = if limit.is_some_and(|limit| q > limit) { "differ" } else { "undecided" };
    pooled.extend(cells([
        ("verdict", &verdict(of_rate, 1.0, ["overstates", "understates"])),
        ("q", &format!("{q:.2}")),
        ("q_limit", &limit.map_or(String::new(), |limit| format!("{limit:.2}"))),
        ("kinds", &kinds),
    ]));
    Ok(Study {
        tables: vec![("changes.csv", rows), ("rate.csv", vec![pooled])],
        plots: vec![("exchange", plot(&points, rate, of_rate).draw())],
    })
}

/// Cochran's Q of `o - e·s` over the changes, with the variances of `samples`, e being the common rate.
fn heterogeneity(found: &Effects, samples: &[Effects]) -> f64 {
    let rate = found.rate();
    let rest =
        |effects: &Effects, number: usize| effects.outside[number] - rate * effects.inside[number];
    let square = |number: usize| {
        let rests: Vec<f64> = samples.iter().map(|sample| rest(sample, number)).collect();
        let mean = rests.iter().sum::<f64>() / rests.len() as f64;
        let squares: f64 = rests.iter().map(|rest| (rest - mean).powi(2)).sum();
        rest(found, number).powi(2) / (squares / (rests.len() as f64 - 1.0))
    };
    (0..found.inside.len()).map(square).sum()
}

/// Elo against the other program against Elo of self-play, with the common rate.
fn plot(points: &[(&String, DataPoint)], rate: f64, interval: Option<Interval>) -> Lines {
    let last = points.iter().map(|(_, point)| point.x).fold(0.0, f64::max);
    let line = |name: String, slope: f64, style: Style| Series {
        style,
        ..Series::line(name, [0.0, last].map(|x| DataPoint::new(x, slope * x, None)).to_vec())
    };
    let band = interval.map(|Interval { low, high }| {
        let at =
            |x: f64| DataPoint::new(x, rate * x, Some(Interval { low: low * x, high: high * x }));
        Series {
            style: Style::Band,
            ..Series::line(format!("common rate {rate:.2}"), vec![at(0.0), at(last)])
        }
    });
    let marks = points.iter().map(|(name, point)| Series {
        style: Style::Marks,
        ..Series::line(name.as_str(), vec![*point])
    });
    Lines {
        heading: Heading::new(
            "Elo against GNU Go and Elo of self-play on 7x7",
            "changes of plain UCT with 1,000 simulations; 95 % intervals by bootstrap over openings",
        ),
        x: Axis::new("Elo against plain UCT", Scale::Linear),
        y: Axis::new("Elo more than plain UCT, against GNU Go level 0", Scale::Linear),
        series: band
            .into_iter()
            .chain([line("rate 1".to_owned(), 1.0, Style::Line)])
            .chain(marks)
            .collect(),
        references: vec![ReferenceLine::new(0.0, "no change")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_rate_and_q_by_hand() {
        let found = Effects { inside: vec![100.0, 200.0], outside: vec![80.0, 110.0] };
        // (8,000 + 22,000) / (10,000 + 40,000).
        assert!((found.rate() - 0.6).abs() < 1e-12);
        // The rests are 20 and -10; those of the samples have a variance of 100 each.
        let sample =
            |by: f64| Effects { inside: vec![100.0, 200.0], outside: vec![80.0 + by, 110.0 + by] };
        let samples: Vec<Effects> = [-1.0, 1.0].map(|sign| sample(sign * 50.0_f64.sqrt())).to_vec();
        assert!((heterogeneity(&found, &samples) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn effects_outside_are_differences_to_the_base() {
        let play = |second: &str, won: usize| Match {
            first: "x".to_owned(),
            second: second.to_owned(),
            halves: (0..10).map(|pair| (pair, if pair < won { 4 } else { 0 })).collect(),
        };
        let changes =
            Changes { inside: vec![play("a", 9)], outside: vec![play("base", 5), play("a", 9)] };
        let all: Vec<usize> = (0..10).collect();
        let found = changes.effects(&all, &all);
        assert!((found.inside[0] - found.outside[0]).abs() < 1e-9 && found.inside[0] > 300.0);
        assert!((found.rate() - 1.0).abs() < 1e-9);
    }
}
