//! The speed of playouts as a table and as plots.

use super::{
    Measured, ReferenceSpeed, by_one_clock, by_size, draw_by_size, draw_by_threads, fastest,
    median_or_dash, range_or_dash, repeats, table_of,
};
use crate::report::cells::read;
use crate::report::files::{Declaration, Files, Found};
use crate::report::plots::Drawing;
use crate::report::text::Align::{Left, Right};
use crate::report::text::{Column, TextTable};
use crate::speed::playouts::SpeedRow;
use tengen_playout::{EarlyStop, Policy};

pub(crate) const KIND: Declaration = Declaration {
    name: "playouts",
    keys: &["playouts"],
    table: "playouts.csv",
    own_table: Some("playouts.csv"),
    rows: None,
    card: |_, files| card(files),
    brief: |rows, _| fastest(rows, "playouts", &["isa", "policy", "stop"]),
};

const COLUMNS: [Column<'static, Vec<SpeedRow>>; 15] = [
    ("size", Right, &|rows| rows[0].size.to_string()),
    ("isa", Right, &|rows| rows[0].isa.clone()),
    ("threads", Right, &|rows| rows[0].threads.to_string()),
    ("playouts/s", Right, &|rows| {
        format!("{:.0}", repeats(rows, |row| row.playouts_per_second).median())
    }),
    ("per cpu s", Right, &|rows| median_or_dash(rows, |row| row.playouts_per_cpu_second)),
    ("range", Right, &|rows| range_or_dash(rows, |row| row.playouts_per_cpu_second)),
    ("ns/ply", Right, &|rows| format!("{:.1}", repeats(rows, |row| row.ns_per_move).median())),
    ("cyc/ply", Right, &|rows| format!("{:.1}", repeats(rows, |row| row.cycles_per_move).median())),
    ("plies", Right, &|rows| format!("{:.2}", mean(rows, |row| row.plies))),
    ("Black wins", Right, &|rows| {
        let (wins, playouts) = (mean(rows, |row| row.black_win_rate), playouts(rows));
        let error = 1.96 * (wins * (1.0 - wins) / playouts).sqrt();
        format!("{wins:.4}±{error:.4}")
    }),
    ("score", Right, &|rows| format!("{:.2}", mean(rows, |row| row.mean_score))),
    ("steps/ply", Right, &|rows| format!("{:.3}", mean(rows, |row| row.steps_per_move))),
    ("att/ply", Right, &|rows| format!("{:.3}", rows[0].attempts_per_move)),
    ("policy", Left, &|rows| rows[0].policy.clone()),
    ("stop", Left, &|rows| rows[0].stop.to_string()),
];

/// The bias of a stop rule, each figure with the half-width of its 95 % interval; empty without
/// a rule.
const BIAS: [Column<'static, Vec<SpeedRow>>; 2] = [
    ("same winner", Right, &|rows| {
        let low = rows[0].winner_agreement_low.zip(rows[0].winner_agreement_high);
        let agreement = rows[0]
            .winner_agreement
            .zip(low)
            .map(|(agreement, (low, high))| format!("{agreement:.4}±{:.4}", (high - low) / 2.0));
        agreement.unwrap_or_default()
    }),
    ("Black's shift", Right, &|rows| {
        let shift = rows[0].win_rate_shift.zip(rows[0].win_rate_shift_error);
        let shift = shift.map(|(shift, error)| format!("{shift:+.4}±{:.4}", 1.96 * error));
        shift.unwrap_or_default()
    }),
];

/// The table, one line per measurement: medians of speeds over the repeats, means of plies, win
/// rate, score and steps over the playouts, and the bias of stop rules if any. The range is the one
/// of playouts per second of CPU time.
#[must_use]
pub fn table(rows: &[SpeedRow]) -> TextTable {
    let stops = rows.iter().any(|row| row.stop != EarlyStop::Never);
    let columns = [&COLUMNS[..], if stops { &BIAS } else { &[] }].concat();
    table_of(&columns, rows, |row| {
        (row.size, row.isa.clone(), row.threads, row.policy.clone(), row.stop)
    })
}

fn playouts(rows: &[SpeedRow]) -> f64 {
    rows.iter().map(|row| row.playouts as f64).sum()
}

/// The mean of a quantity over all playouts of the repeats.
fn mean(rows: &[SpeedRow], value: impl Fn(&SpeedRow) -> f64) -> f64 {
    rows.iter().map(|row| value(row) * row.playouts as f64).sum::<f64>() / playouts(rows)
}

/// The name of a line in a plot, without a default policy or stop rule.
fn name(row: &SpeedRow) -> String {
    let policy = (row.policy != Policy::default().to_string()).then(|| row.policy.clone());
    let stop = (row.stop != EarlyStop::Never).then(|| row.stop.to_string());
    [Some(row.isa.clone()), policy, stop].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The speeds of the rows, and the name of their axis.
fn measured(rows: &[SpeedRow]) -> (Vec<Measured>, String) {
    let of = |row: &SpeedRow| {
        let &SpeedRow { size, threads, playouts_per_second, playouts_per_cpu_second, .. } = row;
        let rate = playouts_per_second / threads as f64;
        (Measured { name: name(row), size, threads, rate }, playouts_per_cpu_second)
    };
    by_one_clock(rows.iter().map(of), "playouts")
}

/// A sentence for each size: which measurement is the fastest there, and how fast.
#[must_use]
pub fn answers(rows: &[SpeedRow]) -> Vec<String> {
    let (measured, axis) = measured(rows);
    super::answers(measured, &axis)
}

/// Playouts per second of CPU time by the longer side of the board, a line per instruction
/// set, policy and stop rule, and one per program of the `references`; median
/// and range of the repeats with the fewest threads.
#[must_use]
pub fn draw_sizes(rows: &[SpeedRow], references: &[ReferenceSpeed], subtitle: &str) -> Drawing {
    let (measured, axis) = measured(rows);
    let (mut all, threads) = by_size(measured);
    let others = references.iter().map(|reference| Measured {
        name: format!("{} ({})", reference.program, reference.source),
        size: reference.size,
        threads,
        rate: reference.playouts_per_second,
    });
    all.extend(by_size(others.collect()).0);
    let title = "Playouts per second by board size".to_owned();
    draw_by_size(title, subtitle, &axis, all)
}

/// Playouts per second of CPU time, times threads, by threads, a line per size, instruction set,
/// policy and stop rule.
#[must_use]
pub fn draw_threads(rows: &[SpeedRow], subtitle: &str) -> Drawing {
    let title = "Playouts per second by threads";
    let (measured, axis) = measured(rows);
    draw_by_threads(title, subtitle, &axis, measured.into_iter())
}

/// How many playouts run per second.
fn card(files: &dyn Files) -> Result<Found, String> {
    let rows = read(files, "playouts.csv")?;
    if rows.is_empty() {
        return Ok(Found::default());
    }
    let drawing = draw_sizes(&rows, &[], "median and range of the repeats");
    Ok((answers(&rows), vec![("playouts_by_size".to_owned(), drawing)]))
}
