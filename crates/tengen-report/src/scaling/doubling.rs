//! The Elo gained by each doubling of the simulations per move.

use super::{EloCells, Entrant, elo_of_second};
use crate::plots::{Axis, DataPoint, Drawing, Heading, Lines, ReferenceLine, Scale, Series};
use crate::summary::Line;
use serde::Serialize;
use tengen_stats::{Elo, Interval};

/// A match of a search against one with half its simulations.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubling {
    /// Simulations per move of the search.
    pub playouts: u64,
    /// Simulations per move of its opponent.
    pub opponent_playouts: u64,
    /// Number of games, void ones left out.
    pub games: u64,
    /// Number of complete colour-swapped pairs of games.
    pub pairs: u64,
    /// Elo difference to the opponent, with its 95 % interval.
    pub elo: Option<(Elo, Interval<Elo>)>,
}

/// A row of `doubling.csv`: a search against one with half its simulations. The
/// fields are the columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DoublingRow {
    /// Simulations per move of the search.
    pub playouts: u64,
    /// Simulations per move of its opponent.
    pub opponent_playouts: u64,
    /// Number of games, void ones left out.
    pub games: u64,
    /// Number of complete colour-swapped pairs of games.
    pub pairs: u64,
    /// Elo difference to the opponent; empty without games.
    pub elo: String,
    /// Lower end of the 95 % interval of the Elo difference.
    pub elo_low: String,
    /// Upper end of the 95 % interval of the Elo difference.
    pub elo_high: String,
}

/// The doublings of a tournament in which each bot meets the next: `entrants` are
/// its bots in order, `pairings` the summary of its pairings.
#[must_use]
pub fn doublings(entrants: &[Entrant], pairings: &[Line]) -> Vec<Doubling> {
    let steps = entrants.windows(2).zip(pairings);
    steps
        .map(|(bots, line)| Doubling {
            playouts: bots[1].playouts,
            opponent_playouts: bots[0].playouts,
            games: line.games.count(),
            pairs: line.pairs.count(),
            elo: elo_of_second(line),
        })
        .collect()
}

impl Doubling {
    /// The row of `doubling.csv`.
    #[must_use]
    pub fn row(&self) -> DoublingRow {
        let EloCells { elo, low, high } = EloCells::of(self.elo);
        DoublingRow {
            playouts: self.playouts,
            opponent_playouts: self.opponent_playouts,
            games: self.games,
            pairs: self.pairs,
            elo,
            elo_low: low,
            elo_high: high,
        }
    }
}

/// The plot of the Elo gained by each doubling.
#[must_use]
pub fn draw_doublings(doublings: &[Doubling], conditions: &str) -> Drawing {
    let point = |doubling: &Doubling| {
        let (elo, interval) = doubling.elo?;
        let interval = Some(interval.map(|end| end.0));
        Some(DataPoint { x: doubling.playouts as f64, y: elo.0, interval })
    };
    let points = doublings.iter().filter_map(point).collect();
    Lines {
        heading: Heading {
            title: "Elo gained by each doubling of the simulations".into(),
            subtitle: format!("{conditions}; bars: 95 % interval; infinite Elo is left out"),
        },
        x: Axis {
            label: "simulations per move, twice those of the opponent".into(),
            scale: Scale::Log2,
        },
        y: Axis { label: "Elo over half the simulations".into(), scale: Scale::Linear },
        series: vec![Series { name: String::new(), points, ..Series::default() }],
        references: vec![ReferenceLine { y: 0.0, label: "no gain".into() }],
    }
    .draw()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_harness::run::to_csv;
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
        let text = to_csv(rows.iter().map(Doubling::row)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "playouts,opponent_playouts,games,pairs,elo,elo_low,elo_high");
        assert!(lines[1].starts_with("250,125,10,5,inf,"), "{text}");
        assert!(lines[1].ends_with(",inf"), "{text}");
        assert!(lines[2].starts_with("500,250,10,5,70.4,-"), "{text}");
        draw_doublings(&rows, "").to_svg().unwrap();
    }

    #[test]
    fn without_games_cells_are_empty() {
        let entrants = [1, 2].map(Entrant::sequential);
        let rows = doublings(&entrants, &[Line::default()]);
        let text = to_csv(rows.iter().map(Doubling::row)).unwrap();
        assert!(text.ends_with("2,1,0,0,,,\n"), "{text}");
    }
}
