//! The plots of a summary.

use super::summary::{Line, Summary};
use crate::plots::{Cell, CrossTable, Heading, WinRate, WinRates};

impl Summary {
    /// The plot of each bot's win rate against all opponents together, with its
    /// interval; `conditions` are its subtitle.
    #[must_use]
    pub fn win_rates(&self, conditions: &str) -> WinRates {
        let row = |line: &Line| WinRate {
            name: line.bot.clone(),
            games: line.games.count(),
            rate: line.win_rate(),
            interval: line.interval(),
        };
        WinRates {
            heading: Heading {
                title: "Win rate against all opponents".to_owned(),
                subtitle: conditions.to_owned(),
            },
            bots: self.bots.iter().map(row).collect(),
        }
    }

    /// The cross-table of win rates, the bot of the highest win rate first;
    /// `conditions` are its subtitle.
    #[must_use]
    pub fn cross_table(&self, conditions: &str) -> CrossTable {
        let bots: Vec<String> = self.by_win_rate().map(|line| line.bot.clone()).collect();
        let place = |name: &str| bots.iter().position(|bot| bot == name);
        let mut cells = vec![vec![None; bots.len()]; bots.len()];
        for line in &self.pairings {
            let opponent = line.opponent.as_deref().and_then(place);
            let (Some(first), Some(second)) = (place(&line.bot), opponent) else { continue };
            if let Some(rate) = line.win_rate() {
                let games = line.games.count();
                cells[first][second] = Some(Cell { rate, games });
                cells[second][first] = Some(Cell { rate: 1.0 - rate, games });
            }
        }
        CrossTable {
            heading: Heading {
                title: "Win rate of the row against the column".to_owned(),
                subtitle: conditions.to_owned(),
            },
            bots,
            cells,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_stats::{Games, Pairs};

    fn line(bot: &str, opponent: Option<&str>, losses: u64, wins: u64) -> Line {
        Line {
            bot: bot.into(),
            opponent: opponent.map(str::to_owned),
            games: Games { losses, draws: 0, wins },
            pairs: Pairs::without_draws([losses / 2, 0, wins / 2]),
            ..Line::default()
        }
    }

    #[test]
    fn the_highest_win_rate_comes_first_and_cells_mirror() {
        let summary = Summary {
            bots: vec![
                line("weak", None, 8, 2),
                line("strong", None, 2, 8),
                line("new", None, 0, 0),
            ],
            pairings: vec![line("weak", Some("strong"), 8, 2), line("weak", Some("new"), 0, 0)],
            void: 0,
        };
        let table = summary.cross_table("");
        assert_eq!(table.bots, ["strong", "weak", "new"]);
        assert_eq!(table.cells[0][1], Some(Cell { rate: 0.8, games: 10 }));
        assert_eq!(table.cells[1][0], Some(Cell { rate: 0.2, games: 10 }));
        assert_eq!(table.cells[1][2], None);
        assert_eq!(summary.win_rates("").bots[2].rate, None);
    }
}
