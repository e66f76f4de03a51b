//! Scaling of search: strength by simulations per move, and strength-speedup of
//! parallel search.

pub(crate) mod card;
mod entrant;
mod speedup;
mod speedup_plot;

pub use entrant::{Entrant, Parallel, Scheme, Work};
pub use speedup::{DoublingCurve, Match, Opponent, Speedup, Speedups};
pub use speedup_plot::{draw_curve, draw_speedups};

use crate::report::plots::{
    Axis, DataPoint, Drawing, Heading, Lines, ReferenceLine, Scale, Series,
};
use crate::report::text::{CsvRow, cells, estimate_cells};
use crate::tournament::report::Line;

/// The Elo of a search of `simulations` simulations with its 95 % interval, as a point of a plot.
fn elo_point(simulations: u64, line: &Line) -> Option<DataPoint> {
    let (elo, interval) = line.elo()?;
    Some(DataPoint::new(simulations as f64, elo.0, Some(interval.map(|end| end.0))))
}

/// A match of a search against one with half its simulations.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubling {
    /// Simulations per move of the search.
    pub simulations: u64,
    /// Simulations per move of its opponent.
    pub opponent_simulations: u64,
    /// The results of the search.
    pub line: Line,
}

/// The doublings of a tournament in which each bot meets the next. `entrants` are the
/// bots in order; `pairings` is the summary of the pairings.
#[must_use]
pub fn doublings(entrants: &[Entrant], pairings: &[Line]) -> Vec<Doubling> {
    let steps = entrants.windows(2).zip(pairings);
    steps
        .map(|(bots, line)| Doubling {
            simulations: bots[1].simulations,
            opponent_simulations: bots[0].simulations,
            line: line.reversed(),
        })
        .collect()
}

impl Doubling {
    /// The row of `doubling.csv`: Elo and its interval are empty without games.
    #[must_use]
    pub fn csv_row(&self) -> CsvRow {
        let mut row = cells([
            ("playouts", &self.simulations),
            ("opponent_playouts", &self.opponent_simulations),
            ("games", &self.line.games.count()),
            ("pairs", &self.line.pairs.count()),
        ]);
        let (elo, ends) = self.line.elo().unzip();
        row.extend(estimate_cells("elo", elo, ends, 1));
        row
    }
}

/// The plot of the Elo gained by each doubling.
#[must_use]
pub fn draw_doublings(doublings: &[Doubling], conditions: &str) -> Drawing {
    let points = doublings.iter().filter_map(|step| elo_point(step.simulations, &step.line));
    let subtitle = format!("{conditions}; bars: 95 % interval; infinite Elo is left out");
    Lines {
        heading: Heading::new("Elo gained by each doubling of the simulations", subtitle),
        x: Axis::new("simulations per move, twice those of the opponent", Scale::Log2),
        y: Axis::new("Elo over half the simulations", Scale::Linear),
        series: vec![Series::line("", points.collect())],
        references: vec![ReferenceLine::new(0.0, "no gain")],
    }
    .draw()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::csv_text;
    use tengen_stats::{Games, Pairs};

    #[test]
    fn the_second_bot_is_the_stronger_one() {
        let entrants = [125, 250, 500].map(Entrant::sequential);
        let line = |losses, wins| Line {
            games: Games { losses, draws: 0, wins },
            pairs: Pairs::without_draws([losses / 2, 0, wins / 2]),
            ..Line::default()
        };
        let rows = doublings(&entrants, &[line(10, 0), line(6, 4)]);
        let text = csv_text(rows.iter().map(Doubling::csv_row)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "playouts,opponent_playouts,games,pairs,elo,elo_low,elo_high");
        assert!(lines[1].starts_with("250,125,10,5,inf,"), "{text}");
        assert!(lines[1].ends_with(",inf"), "{text}");
        assert!(lines[2].starts_with("500,250,10,5,70.4,-"), "{text}");
    }

    #[test]
    fn without_games_cells_are_empty() {
        let entrants = [1, 2].map(Entrant::sequential);
        let rows = doublings(&entrants, &[Line::default()]);
        let text = csv_text(rows.iter().map(Doubling::csv_row)).unwrap();
        assert!(text.ends_with("2,1,0,0,,,\n"), "{text}");
    }
}
