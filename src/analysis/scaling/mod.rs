//! How search scales: strength by simulations, and what parallel search makes of
//! its simulations.

mod doubling;
mod entrant;
mod speedup;
mod speedup_plot;

pub use doubling::{Doubling, doublings, doublings_to_csv, draw_doublings};
pub use entrant::{Entrant, Parallel, Scheme, Work};
pub use speedup::{Match, Speedups};
pub use speedup_plot::{draw_curve, draw_speedups};

use super::summary::Line;
use crate::stats::{Elo, Interval};
use serde::Serialize;
use std::io;

/// The Elo of the second bot of a pairing over the first, with its 95 %
/// interval.
fn elo_of_second(line: &Line) -> Option<(Elo, Interval<Elo>)> {
    let negative = |elo: Elo| Elo(0.0 - elo.0);
    let (elo, Interval { low, high }) = line.elo()?;
    Some((negative(elo), Interval { low: negative(high), high: negative(low) }))
}

/// An Elo and its interval as files have them; what is missing is empty.
struct EloCells {
    elo: String,
    low: String,
    high: String,
}

impl EloCells {
    fn of(elo: Option<(Elo, Interval<Elo>)>) -> Self {
        let cell = |elo: Option<Elo>| elo.map_or(String::new(), |elo| format!("{elo:.1}"));
        Self {
            elo: cell(elo.map(|(elo, _)| elo)),
            low: cell(elo.map(|(_, interval)| interval.low)),
            high: cell(elo.map(|(_, interval)| interval.high)),
        }
    }
}

/// Rows as the text of a CSV file.
fn to_csv<T: Serialize>(rows: impl Iterator<Item = T>) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(io::Error::other)?;
    }
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}
