//! Pictures of the speed of searches.

use super::SearchSpeedRow;
use crate::bench::playouts::series;
use crate::plots::{Axis, DataPoint, Drawing, Heading, Lines, Scale, Series};
use crate::stats::Interval;

/// Simulations a second of libego of 2008 on 9×9, one thread, on one Zen 5
/// core: from expansion at the first visit to expansion after 100. The fastest
/// public UCT with light playouts when it was measured; another processor has
/// other figures.
pub const LIBEGO: Interval = Interval { low: 172e3, high: 191e3 };

/// What [`LIBEGO`] is called.
pub const LIBEGO_LABEL: &str = "libego 2008 UCT, published (Zen 5)";

fn y_axis() -> Axis {
    Axis { label: "simulations a second".into(), scale: Scale::Log10 }
}

/// Speed by the longer side of the board, a line a configuration, at the
/// fewest threads that were measured; median and range of the repeats.
#[must_use]
pub fn draw_sizes(rows: &[SearchSpeedRow], subtitle: &str) -> Drawing {
    let fewest = rows.iter().map(|row| row.threads).min().unwrap_or(1);
    let chosen = rows.iter().filter(|row| row.threads == fewest);
    let mut series = series(chosen.map(|row| {
        (row.size.longer_side() as f64, row.simulations_per_second, row.config.clone())
    }));
    let y = f64::midpoint(LIBEGO.low, LIBEGO.high);
    let points = vec![DataPoint { x: 9.0, y, interval: Some(LIBEGO) }];
    series.push(Series { name: LIBEGO_LABEL.into(), points });
    let heading = Heading {
        title: format!("Simulations a second by board size, {}", threads(fewest)),
        subtitle: subtitle.into(),
    };
    let x = Axis { label: "longer side of the board".into(), scale: Scale::Linear };
    Lines { heading, x, y: y_axis(), series, references: Vec::new() }.draw()
}

/// Speed by threads, a line a size and configuration.
#[must_use]
pub fn draw_threads(rows: &[SearchSpeedRow], subtitle: &str) -> Drawing {
    let series = series(rows.iter().map(|row| {
        let name = format!("{} {}", row.size, row.config);
        (row.threads as f64, row.simulations_per_second, name)
    }));
    let heading =
        Heading { title: "Simulations a second by threads".into(), subtitle: subtitle.into() };
    let x = Axis { label: "threads".into(), scale: Scale::Log2 };
    Lines { heading, x, y: y_axis(), series, references: Vec::new() }.draw()
}

fn threads(count: usize) -> String {
    if count == 1 { "one thread".to_owned() } else { format!("{count} threads") }
}
