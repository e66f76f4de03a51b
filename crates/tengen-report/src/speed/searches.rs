//! The speed of searches as a table and as plots.

use super::{Measured, Repeats, groups, rate_plot, series, size_axis, threads_axis};
use crate::plots::{DataPoint, Drawing, Heading, Series};
use crate::text::{Align, TextTable};
use tengen_harness::bench::searches::SearchSpeedRow;
use tengen_stats::Interval;
use tengen_stats::percent;

/// Simulations per second of libego of 2008 on 9×9, one thread, on one Zen 5
/// core: the lower with expansion at the first visit, the higher with expansion
/// after 100. It was the fastest public UCT with light playouts when it was
/// measured; another processor has other speeds.
pub const LIBEGO: Interval = Interval { low: 172e3, high: 191e3 };

/// The name of [`LIBEGO`] in tables and plots.
pub const LIBEGO_LABEL: &str = "libego 2008 UCT, published (Zen 5)";

/// The table of medians over the repeats, one line per size, number of threads and
/// configuration.
#[must_use]
pub fn table(rows: &[SearchSpeedRow]) -> TextTable {
    use Align::{Left, Right};
    let mut table = TextTable::new(&[
        ("size", Right),
        ("threads", Right),
        ("simulations/s", Right),
        ("spread", Right),
        ("per cpu s", Right),
        ("depth", Right),
        ("bytes/node", Right),
        ("select", Right),
        ("playout", Right),
        ("update", Right),
        ("nodes/tree", Right),
        ("config", Left),
    ]);
    for ((size, threads, config), rows) in
        groups(rows, |row| (row.size, row.threads, row.config.clone()))
    {
        let median = |value: &dyn Fn(&SearchSpeedRow) -> f64| {
            Repeats::of(rows.iter().map(|row| value(row))).median()
        };
        let rates = Repeats::of(rows.iter().map(|row| row.simulations_per_second));
        let per_cpu: Option<Vec<f64>> =
            rows.iter().map(|row| row.simulations_per_cpu_second).collect();
        let per_cpu = per_cpu.map(|rates| format!("{:.0}", Repeats::of(rates).median()));
        table.push([
            size.to_string(),
            threads.to_string(),
            format!("{:.0}", rates.median()),
            percent(rates.spread()),
            per_cpu.unwrap_or_else(|| "-".to_owned()),
            format!("{:.2}", median(&|row| row.mean_depth)),
            format!("{:.1}", median(&|row| row.bytes_per_node)),
            percent(median(&|row| row.selection_share)),
            percent(median(&|row| row.playout_share)),
            percent(median(&|row| row.update_share)),
            format!("{:.0}", median(&|row| row.nodes as f64 / row.searches as f64)),
            config,
        ]);
    }
    table
}

/// Simulations per second by the longer side of the board, a line per
/// configuration, and [`LIBEGO`]; median and range of the repeats with the
/// fewest threads.
#[must_use]
pub fn draw_sizes(rows: &[SearchSpeedRow], subtitle: &str) -> Drawing {
    let fewest = rows.iter().map(|row| row.threads).min().unwrap_or(1);
    let chosen = rows.iter().filter(|row| row.threads == fewest);
    let mut series = series(chosen.map(|row| Measured {
        name: row.config.clone(),
        x: row.size.longer_side() as f64,
        rate: row.simulations_per_second,
    }));
    let y = f64::midpoint(LIBEGO.low, LIBEGO.high);
    let points = vec![DataPoint { x: 9.0, y, interval: Some(LIBEGO) }];
    series.push(Series { name: LIBEGO_LABEL.into(), points, ..Series::default() });
    let threads = if fewest == 1 { "one thread".to_owned() } else { format!("{fewest} threads") };
    let title = format!("Simulations per second by board size, {threads}");
    let heading = Heading { title, subtitle: subtitle.into() };
    rate_plot(heading, size_axis(), "simulations per second", series)
}

/// Simulations per second by threads, a line per size and configuration.
#[must_use]
pub fn draw_threads(rows: &[SearchSpeedRow], subtitle: &str) -> Drawing {
    let series = series(rows.iter().map(|row| Measured {
        name: format!("{} {}", row.size, row.config),
        x: row.threads as f64,
        rate: row.simulations_per_second,
    }));
    let title = "Simulations per second by threads".to_owned();
    let heading = Heading { title, subtitle: subtitle.into() };
    rate_plot(heading, threads_axis(), "simulations per second", series)
}
