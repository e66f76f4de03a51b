//! The speed of searches as a table and as plots.

use super::{
    Measured, by_one_clock, by_size, draw_by_size, draw_by_threads, fastest, known, median_or_dash,
    range_or_dash, repeats, table_of,
};
use crate::report::cells::read;
use crate::report::files::{Declaration, Files, Found};
use crate::report::plots::{DataPoint, Drawing, Series};
use crate::report::text::Align::{Left, Right};
use crate::report::text::{Column, TextTable};
use crate::speed::searches::SearchSpeedRow;
use tengen_stats::Interval;

pub(crate) const KIND: Declaration = Declaration {
    name: "speed",
    keys: &[],
    table: "speed.csv",
    own_table: Some("speed.csv"),
    rows: None,
    card: |_, files| card(files),
    brief: |rows, _| fastest(rows, "simulations", &["config"]),
};

/// Simulations per second of libego of 2008 on 9×9, one thread, on one Zen 5
/// core: the lower figure with expansion at the first visit, the higher after 100
/// visits. libego was the fastest public UCT with light playouts when it was
/// measured; another processor has other speeds.
pub const LIBEGO: Interval = Interval { low: 172e3, high: 191e3 };

/// The name of [`LIBEGO`] in tables and plots.
pub const LIBEGO_LABEL: &str = "libego 2008 UCT, published (Zen 5)";

const COLUMNS: [Column<'static, Vec<SearchSpeedRow>>; 17] = [
    ("size", Right, &|rows| rows[0].size.to_string()),
    ("threads", Right, &|rows| rows[0].threads.to_string()),
    ("simulations/s", Right, &|rows| {
        format!("{:.0}", repeats(rows, |row| row.simulations_per_second).median())
    }),
    ("per cpu s", Right, &|rows| median_or_dash(rows, |row| row.simulations_per_cpu_second)),
    ("range", Right, &|rows| range_or_dash(rows, |row| row.simulations_per_cpu_second)),
    ("depth", Right, &|rows| format!("{:.2}", repeats(rows, |row| row.mean_depth).median())),
    ("bytes/node", Right, &|rows| {
        format!("{:.1}", repeats(rows, |row| row.bytes_per_node).median())
    }),
    ("µs/sim", Right, &|rows| microseconds(rows, |_| Some(1.0))),
    ("select", Right, &|rows| {
        microseconds(rows, |row| {
            Some(row.selection_share - row.prior_share? - row.expansion_share?)
        })
    }),
    ("expand", Right, &|rows| microseconds(rows, |row| row.expansion_share)),
    ("prior", Right, &|rows| microseconds(rows, |row| row.prior_share)),
    ("busy", Right, &|rows| microseconds(rows, |row| Some(row.playout_share - row.waiting_share?))),
    ("waiting", Right, &|rows| microseconds(rows, |row| row.waiting_share)),
    ("update", Right, &|rows| microseconds(rows, |row| Some(row.update_share))),
    ("keep", Right, &|rows| microseconds(rows, |row| row.keep_share)),
    ("nodes/tree", Right, &|rows| {
        format!("{:.0}", repeats(rows, |row| row.nodes as f64 / row.searches as f64).median())
    }),
    ("config", Left, &|rows| rows[0].config.clone()),
];

/// The median over `rows` of the microseconds per simulation that a part takes, from the part's
/// share of the time; a dash if a row lacks the share.
fn microseconds(rows: &[SearchSpeedRow], share: impl Fn(&SearchSpeedRow) -> Option<f64>) -> String {
    let of = |row: &SearchSpeedRow| {
        let rate = row.simulations_per_cpu_second;
        let rate = rate.unwrap_or(row.simulations_per_second / row.threads as f64);
        Some(1e6 * share(row)? / rate)
    };
    known(rows, of).map_or_else(|| "-".to_owned(), |parts| format!("{:.2}", parts.median()))
}

/// The table of medians over the repeats, one line per size, number of threads and
/// configuration.
#[must_use]
pub fn table(rows: &[SearchSpeedRow]) -> TextTable {
    table_of(&COLUMNS, rows, |row| (row.size, row.threads, row.config.clone()))
}

/// The speeds of the rows, and the name of their axis.
fn measured(rows: &[SearchSpeedRow]) -> (Vec<Measured>, String) {
    let of = |row: &SearchSpeedRow| {
        let (name, size, threads) = (row.config.clone(), row.size, row.threads);
        let rate = row.simulations_per_second / threads as f64;
        (Measured { name, size, threads, rate }, row.simulations_per_cpu_second)
    };
    by_one_clock(rows.iter().map(of), "simulations")
}

/// A sentence for each size: which measurement is the fastest there, and how fast.
#[must_use]
pub fn answers(rows: &[SearchSpeedRow]) -> Vec<String> {
    let (measured, axis) = measured(rows);
    super::answers(measured, &axis)
}

/// Simulations per second of CPU time by the longer side of the board, a line per
/// configuration, and [`LIBEGO`]; median and range of the repeats with the
/// fewest threads.
#[must_use]
pub fn draw_sizes(rows: &[SearchSpeedRow], subtitle: &str) -> Drawing {
    let (measured, axis) = measured(rows);
    let (mut series, fewest) = by_size(measured);
    let y = f64::midpoint(LIBEGO.low, LIBEGO.high);
    series.push(Series::line(LIBEGO_LABEL, vec![DataPoint::new(9.0, y, Some(LIBEGO))]));
    let threads = if fewest == 1 { "one thread".to_owned() } else { format!("{fewest} threads") };
    let title = format!("Simulations per second by board size, {threads}");
    draw_by_size(title, subtitle, &axis, series)
}

/// Simulations per second of CPU time, times threads, by threads, a line per size and
/// configuration.
#[must_use]
pub fn draw_threads(rows: &[SearchSpeedRow], subtitle: &str) -> Drawing {
    let title = "Simulations per second by threads";
    let (measured, axis) = measured(rows);
    draw_by_threads(title, subtitle, &axis, measured.into_iter())
}

/// How many simulations a second the searches make.
fn card(files: &dyn Files) -> Result<Found, String> {
    let rows = read(files, "speed.csv")?;
    if rows.is_empty() {
        return Ok(Found::default());
    }
    let drawing = draw_sizes(&rows, "median and range of the repeats");
    Ok((answers(&rows), vec![("speed_by_size".to_owned(), drawing)]))
}
