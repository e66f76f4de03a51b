//! Which openings and which komi tell most per game.

use super::matches::{matches, run};
use super::{Study, verdict};
use crate::plots::{Axis, DataPoint, Heading, Lines, ReferenceLine, Scale, Series};
use crate::text::{CsvRow, cells, estimate_cells};
use std::cmp::Ordering;
use std::fs;
use std::path::Path;
use tengen_harness::run::{CONFIG, RunError};
use tengen_stats::pairs::PSEUDO_PAIRS;
use tengen_stats::{Interval, Level, NormalizedElo, Pairs, percent};

/// The cell of the default openings of 7×7, with which the others are compared.
const DEFAULT: &str = "random-4-8.5";

/// Normalized Elo per game with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Information {
    value: f64,
    error: f64,
}

impl Information {
    /// That of `pairs`: `t = (μ - ½)/σ` of the score of a pair, in normalized Elo of a game, and the
    /// error by the delta method: the influence of a score with the deviation `d = (x - μ)/σ` is
    /// `d - t·(d² - 1)/2`. The moments of the error are those of the pairs and of [`PSEUDO_PAIRS`].
    fn of(pairs: &Pairs) -> Option<Self> {
        let value = pairs.moments()?.normalized_elo()?.0;
        let all = pairs.with(&PSEUDO_PAIRS);
        let moments = all.moments()?;
        let deviation = moments.variance.sqrt();
        let t = (moments.mean - 0.5) / deviation;
        let square = |(cell, count): (usize, u64)| {
            let d = (cell as f64 / 4.0 - moments.mean) / deviation;
            count as f64 * (d - 0.5 * t * (d * d - 1.0)).powi(2)
        };
        let influence = (0..).zip(all.cells()).map(square).sum::<f64>() / moments.units;
        let per_game = NormalizedElo::PER_DEVIATION / 2.0_f64.sqrt();
        Some(Self { value, error: per_game * (influence / pairs.count() as f64).sqrt() })
    }

    fn interval(self, level: Level) -> Interval {
        let half = level.z() * self.error;
        Interval { low: self.value - half, high: self.value + half }
    }

    /// How much more this is than `other`.
    fn less(self, other: Self) -> Self {
        Self { value: self.value - other.value, error: self.error.hypot(other.error) }
    }
}

/// A cell: openings of one kind with one komi.
struct Cell {
    name: String,
    /// Plies of an opening.
    plies: u32,
    komi: f64,
    pairs: Pairs,
    /// The share of the games that Black won.
    black: f64,
    information: Information,
}

impl Cell {
    fn of(folder: &Path, name: &str) -> Result<Self, RunError> {
        let (outline, rows) = run(folder)?;
        let pairs = matches(folder)?[0].pairs().reversed();
        let information = Information::of(&pairs).ok_or_else(|| {
            RunError::Input(format!("{}: all pairs have one result", folder.display()))
        })?;
        let wins = rows.iter().filter_map(|row| row.outcome.of_black());
        let halves: Vec<f64> = wins.map(|black| f64::from(black.halves()) / 2.0).collect();
        Ok(Self {
            name: name.to_owned(),
            plies: outline.opening_plies,
            komi: rows.first().map_or(0.0, |row| f64::from(row.komi)),
            pairs,
            black: halves.iter().sum::<f64>() / halves.len() as f64,
            information,
        })
    }

    fn is_balanced(&self) -> bool {
        self.name.starts_with("balanced")
    }

    fn row(&self, default: &Self, level: Level) -> CsvRow {
        let [lost, split, won] = self.pairs.by_result();
        let mut row = cells([
            ("cell", &self.name),
            ("pairs", &self.pairs.count()),
            ("won", &won),
            ("split", &split),
            ("lost", &lost),
            ("black", &format!("{:.4}", self.black)),
        ]);
        let rate = self.pairs.interval(Level::P95);
        row.extend(estimate_cells("win_rate", self.pairs.score(), rate, 4));
        let interval = Some(self.information.interval(Level::P95));
        row.extend(estimate_cells("normalized_elo", Some(self.information.value), interval, 1));
        let is_default = self.name == default.name;
        let less = (!is_default).then(|| self.information.less(default.information));
        let interval = less.map(|less| less.interval(level));
        row.extend(estimate_cells("difference", less.map(|less| less.value), interval, 1));
        let games = less.map(|_| (default.information.value / self.information.value).powi(2));
        row.extend(cells([
            ("games", &games.map_or(String::new(), |games| format!("{games:.3}"))),
            (
                "verdict",
                &if is_default {
                    "the default".to_owned()
                } else {
                    verdict(interval, 0.0, ["less", "more"])
                },
            ),
        ]));
        row
    }
}

pub fn study(folder: &Path) -> Result<Study, RunError> {
    let entries =
        fs::read_dir(folder).map_err(|why| RunError::file("cannot read", folder, &why))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok().filter(|entry| entry.path().join(CONFIG).exists()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    let all = names.iter().map(|name| Cell::of(&folder.join(name), name));
    let all = all.collect::<Result<Vec<_>, _>>()?;
    let missing = || RunError::Input(format!("{}: no run `{DEFAULT}`", folder.display()));
    let default = all.iter().find(|cell| cell.name == DEFAULT).ok_or_else(missing)?;
    // Bonferroni: every cell but the default is compared with it.
    let comparisons = all.len().saturating_sub(1).max(1) as f64;
    let level = Level::new(1.0 - 0.05 / comparisons).unwrap_or(Level::P95);
    let rows = all.iter().map(|cell| cell.row(default, level)).collect();
    let komi = default.komi;
    let at = |balanced: bool, plies: u32| {
        let is_it = |cell: &&Cell| {
            cell.is_balanced() == balanced && cell.plies == plies && (cell.komi - komi).abs() < 0.1
        };
        all.iter().find(is_it).map(|cell| cell.information)
    };
    let differences: Vec<Information> =
        (1..=19).filter_map(|plies| Some(at(true, plies)?.less(at(false, plies)?))).collect();
    let count = differences.len() as f64;
    let pooled = Information {
        value: differences.iter().map(|each| each.value).sum::<f64>() / count,
        error: differences.iter().map(|each| each.error.powi(2)).sum::<f64>().sqrt() / count,
    };
    let interval = (!differences.is_empty()).then(|| pooled.interval(Level::P95));
    let mut row = cells([("comparison", &"balanced less random"), ("cells", &differences.len())]);
    row.extend(estimate_cells("difference", interval.map(|_| pooled.value), interval, 1));
    row.extend(cells([("verdict", &verdict(interval, 0.0, ["less", "more"]))]));
    Ok(Study {
        tables: vec![("cells.csv", rows), ("pooled.csv", vec![row])],
        plots: vec![("information", plot(&all, default).draw())],
    })
}

/// Normalized Elo per game against the plies of an opening, a series for each kind of openings and
/// komi.
fn plot(all: &[Cell], default: &Cell) -> Lines {
    let mut series = Vec::<Series>::new();
    for cell in all {
        let kind = if cell.is_balanced() { "balanced" } else { "random" };
        let name = format!("{kind}, komi {:.1}", cell.komi);
        // Apart from each other, so that no bar hides another.
        let other_komi = match cell.komi.total_cmp(&default.komi) {
            Ordering::Less => -0.3,
            Ordering::Equal => 0.0,
            Ordering::Greater => 0.3,
        };
        let x = f64::from(cell.plies) + other_komi + if cell.is_balanced() { 0.1 } else { -0.1 };
        let point =
            DataPoint::new(x, cell.information.value, Some(cell.information.interval(Level::P95)));
        match series.iter_mut().find(|each| each.name == name) {
            Some(each) => each.points.push(point),
            None => series.push(Series::line(name, vec![point])),
        }
    }
    for each in &mut series {
        each.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    let pairs = default.pairs.count();
    let subtitle = format!(
        "plain UCT on 7x7, 200 simulations against 100; {pairs} pairs a cell; the default wins {}; 95 % intervals",
        default.pairs.score().map_or(String::new(), percent)
    );
    Lines {
        heading: Heading::new("Information of a game by opening and komi", subtitle),
        x: Axis::new("plies of an opening", Scale::Linear),
        y: Axis::new("normalized Elo per game", Scale::Linear),
        series,
        references: vec![ReferenceLine::new(default.information.value, "the default")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_that_of_many_matches() {
        // Pairs lost, split and won with the probabilities 0.1, 0.6 and 0.3, of 400 pairs.
        let found = Information::of(&Pairs::without_draws([40, 240, 120])).unwrap();
        // By hand: the mean is 0.6, the variance 0.09, t = 1/3.
        let per_game = NormalizedElo::PER_DEVIATION / 2.0_f64.sqrt();
        assert!((found.value - per_game / 3.0).abs() < 1e-9, "{found:?}");
        // d = -2, -1/3, 4/3, and the influences -2.5, -0.1852, 1.2037: their mean square is 1.0802.
        let expected = per_game * (1.0802_f64 / 400.0).sqrt();
        assert!((found.error / expected - 1.0).abs() < 0.02, "{found:?} {expected}");
    }

    #[test]
    fn differences_add_their_errors_in_squares() {
        let less =
            Information { value: 100.0, error: 3.0 }.less(Information { value: 90.0, error: 4.0 });
        assert_eq!(less, Information { value: 10.0, error: 5.0 });
        assert_eq!(Information::of(&Pairs::without_draws([0, 5, 0])), None);
    }
}
