//! The plots: share of optimal moves, regret and error of the root value against playouts.

use crate::plots::{Axis, DataPoint, Drawing, Heading, Lines, ReferenceLine, Scale, Series, Style};
use tengen_go::Size;
use tengen_harness::convergence::Settings;
use tengen_harness::convergence::SummaryRow;
use tengen_stats::Interval;

/// One quantity of a summary row with its interval.
type Quantity = fn(&SummaryRow) -> (f64, Interval);

const QUANTITIES: [(&str, &str, &str, Quantity); 3] = [
    ("optimal", "Moves that keep the exact value", "share of the searches", |row| {
        (row.optimal, row.optimal_interval())
    }),
    ("regret", "Points given away by the chosen move", "points, mean", |row| {
        (row.regret, Interval { low: row.regret_low, high: row.regret_high })
    }),
    ("value_error", "Error of the value at the root", "1 less the mean reward", |row| {
        (row.value_error, Interval { low: row.value_error_low, high: row.value_error_high })
    }),
];

/// The plots of `summary` with the names of their files, three for each size.
#[must_use]
pub fn plots(settings: &Settings, summary: &[SummaryRow]) -> Vec<(String, Drawing)> {
    let mut sizes: Vec<Size> = Vec::new();
    for row in summary {
        if !sizes.contains(&row.size) {
            sizes.push(row.size);
        }
    }
    let mut plots = Vec::new();
    for size in sizes {
        for (name, title, unit, quantity) in QUANTITIES {
            let own: Vec<&SummaryRow> = summary.iter().filter(|row| row.size == size).collect();
            let mut lines = lines(settings, &own, quantity);
            lines.heading.title = format!("{title} on {size}");
            unit.clone_into(&mut lines.y.label);
            if name == "optimal" {
                lines.references.push(ReferenceLine { y: 0.95, label: "95 %".to_owned() });
            }
            plots.push((format!("{name}-{size}"), lines.draw()));
        }
    }
    plots
}

fn lines(settings: &Settings, rows: &[&SummaryRow], quantity: Quantity) -> Lines {
    let positions = rows.first().map_or(0, |row| row.positions);
    let series = settings.bot.iter().map(|bot| {
        let points = rows.iter().filter(|row| row.bot == bot.name).map(|row| {
            let (y, interval) = quantity(row);
            DataPoint { x: row.playouts as f64, y, interval: Some(interval) }
        });
        Series { style: Style::Line, name: bot.name.clone(), points: points.collect() }
    });
    Lines {
        heading: Heading {
            title: String::new(),
            subtitle: format!(
                "{positions} solved positions, searches of each by each bot: {}; komi so that only a \
                 move that keeps the value wins; 95 % intervals over positions; seed {}",
                settings.searches, settings.seed
            ),
        },
        x: Axis { label: "playouts".to_owned(), scale: Scale::Log2 },
        y: Axis { label: String::new(), scale: Scale::Linear },
        series: series.collect(),
        references: Vec::new(),
    }
}
