//! The speed of playouts as a table and as plots.

use super::{
    Measured, ReferenceSpeed, Repeats, groups, rate_plot, series, size_axis, threads_axis,
};
use crate::plots::{Drawing, Heading};
use crate::text::{Align, TextTable};
use tengen_go::Size;
use tengen_harness::bench::playouts::SpeedRow;
use tengen_playout::{EarlyStop, Policy};
use tengen_stats::percent;

/// The measurement to which a row belongs: rows with equal keys are its repeats, and
/// make one line of the table.
fn measurement(row: &SpeedRow) -> (Size, &str, usize, &str, EarlyStop) {
    (row.size, &row.isa, row.threads, &row.policy, row.stop)
}

/// The table of medians over the repeats, one line per measurement, with the bias of
/// stop rules where there are any.
#[must_use]
pub fn table(rows: &[SpeedRow]) -> TextTable {
    use Align::{Left, Right};
    let stops = rows.iter().any(|row| row.stop != EarlyStop::Never);
    let mut columns = vec![
        ("size", Right),
        ("isa", Right),
        ("threads", Right),
        ("playouts/s", Right),
        ("spread", Right),
        ("per cpu s", Right),
        ("ns/ply", Right),
        ("cyc/ply", Right),
        ("plies", Right),
        ("Black wins", Right),
        ("score", Right),
        ("steps/ply", Right),
        ("att/ply", Right),
        ("policy", Left),
        ("stop", Left),
    ];
    if stops {
        columns.extend([("same winner", Right), ("Black's shift", Right)]);
    }
    let mut table = TextTable::new(&columns);
    for (_, rows) in groups(rows, |row| measurement(row)) {
        let mut cells = speed(&rows);
        if stops {
            cells.extend(bias(rows[0]));
        }
        table.push(cells);
    }
    table
}

/// The cells of one measurement without the bias.
fn speed(rows: &[&SpeedRow]) -> Vec<String> {
    let median =
        |value: &dyn Fn(&SpeedRow) -> f64| Repeats::of(rows.iter().map(|row| value(row))).median();
    let playouts: f64 = rows.iter().map(|row| row.playouts as f64).sum();
    let mean = |value: &dyn Fn(&SpeedRow) -> f64| {
        rows.iter().map(|row| value(row) * row.playouts as f64).sum::<f64>() / playouts
    };
    let rates = Repeats::of(rows.iter().map(|row| row.playouts_per_second));
    let per_cpu: Option<Vec<f64>> = rows.iter().map(|row| row.playouts_per_cpu_second).collect();
    let per_cpu = per_cpu.map(|rates| format!("{:.0}", Repeats::of(rates).median()));
    let wins = mean(&|row| row.black_win_rate);
    let error = 1.96 * (wins * (1.0 - wins) / playouts).sqrt();
    let (size, isa, threads, policy, stop) = measurement(rows[0]);
    vec![
        size.to_string(),
        isa.to_owned(),
        threads.to_string(),
        format!("{:.0}", rates.median()),
        percent(rates.spread()),
        per_cpu.unwrap_or_else(|| "-".to_owned()),
        format!("{:.1}", median(&|row| row.ns_per_move)),
        format!("{:.1}", median(&|row| row.cycles_per_move)),
        format!("{:.2}", mean(&|row| row.plies)),
        format!("{wins:.4}±{error:.4}"),
        format!("{:.2}", mean(&|row| row.mean_score)),
        format!("{:.3}", mean(&|row| row.steps_per_move)),
        format!("{:.3}", rows[0].attempts_per_move),
        policy.to_owned(),
        stop.to_string(),
    ]
}

/// The bias of a stop rule in two cells, each with the half-width of its 95 %
/// interval: agreement of winners, and shift of Black's win rate. Empty without a
/// rule.
fn bias(row: &SpeedRow) -> [String; 2] {
    let agreement = row.winner_agreement.zip(row.winner_agreement_low);
    let agreement = agreement.zip(row.winner_agreement_high);
    let agreement = agreement.map(|((agreement, low), high)| {
        let half = (high - low) / 2.0;
        format!("{agreement:.4}±{half:.4}")
    });
    let shift = row.win_rate_shift.zip(row.win_rate_shift_error);
    let shift = shift.map(|(shift, error)| format!("{shift:+.4}±{:.4}", 1.96 * error));
    [agreement.unwrap_or_default(), shift.unwrap_or_default()]
}

/// The name of a line in a plot: policy and stop rule only where they are not
/// the defaults.
fn name(row: &SpeedRow) -> String {
    let policy = (row.policy != Policy::default().to_string()).then(|| row.policy.clone());
    let stop = (row.stop != EarlyStop::Never).then(|| row.stop.to_string());
    [Some(row.isa.clone()), policy, stop].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Playouts per second by the longer side of the board, a line per instruction
/// set, policy and stop rule, and one per program of the `references`; median
/// and range of the repeats with the fewest threads.
#[must_use]
pub fn draw_sizes(rows: &[SpeedRow], references: &[ReferenceSpeed], subtitle: &str) -> Drawing {
    let fewest = rows.iter().map(|row| row.threads).min().unwrap_or(1);
    let chosen = rows.iter().filter(|row| row.threads == fewest);
    let side = |size: Size| size.longer_side() as f64;
    let ours = chosen.map(|row| Measured {
        name: name(row),
        x: side(row.size),
        rate: row.playouts_per_second,
    });
    let others = references.iter().map(|reference| Measured {
        name: format!("{} ({})", reference.program, reference.source),
        x: side(reference.size),
        rate: reference.playouts_per_second,
    });
    let series = series(ours.chain(others));
    let title = "Playouts per second by board size".to_owned();
    let heading = Heading { title, subtitle: subtitle.into() };
    rate_plot(heading, size_axis(), "playouts per second", series)
}

/// Playouts per second by threads, a line per size, instruction set, policy
/// and stop rule.
#[must_use]
pub fn draw_threads(rows: &[SpeedRow], subtitle: &str) -> Drawing {
    let series = series(rows.iter().map(|row| Measured {
        name: format!("{} {}", row.size, name(row)),
        x: row.threads as f64,
        rate: row.playouts_per_second,
    }));
    let title = "Playouts per second by threads".to_owned();
    let heading = Heading { title, subtitle: subtitle.into() };
    rate_plot(heading, threads_axis(), "playouts per second", series)
}
