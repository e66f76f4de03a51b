//! Scaling of search: strength by simulations per move, and strength-speedup of
//! parallel search.

mod doubling;
mod entrant;
mod speedup;
mod speedup_plot;

pub use doubling::{Doubling, DoublingRow, doublings, draw_doublings};
pub use entrant::{Entrant, Parallel, Scheme, Work};
pub use speedup::{Match, Opponent, SpeedupRow, Speedups};
pub use speedup_plot::{draw_curve, draw_speedups};

use super::summary::Line;
use tengen_stats::{Elo, Interval};

/// The Elo difference of the second bot of a pairing to the first, with its 95 %
/// interval.
fn elo_of_second(line: &Line) -> Option<(Elo, Interval<Elo>)> {
    let negative = |elo: Elo| Elo(0.0 - elo.0);
    let (elo, Interval { low, high }) = line.elo()?;
    Some((negative(elo), Interval { low: negative(high), high: negative(low) }))
}

/// An Elo difference and its interval as cells of a CSV file; empty where there is
/// none.
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
