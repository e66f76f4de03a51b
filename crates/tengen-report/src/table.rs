//! Prints a summary as text tables.

use super::summary::{Line, Summary};
use crate::text::{Align, TextTable};
use std::fmt;
use tengen_stats::Games;
use tengen_stats::percent;

/// A column that is shown only if it is not 0 for all bots: heading and value.
type Rare = (&'static str, fn(&Line) -> u64);

const RARE: [Rare; 3] = [
    ("jigo", |line| line.games.draws),
    ("forfeits", |line| line.forfeits),
    ("limit", |line| line.limit),
];

/// Which optional columns a table has, beside games and win rates.
struct Shown {
    /// The columns that are not 0 for all bots.
    rare: Vec<Rare>,
    /// Whether the lines are pairings, with an opponent and an Elo difference to it.
    opponents: bool,
}

impl Shown {
    fn table<'a>(&self, lines: impl Iterator<Item = &'a Line>) -> TextTable {
        let left = |heading| (heading, Align::Left);
        let right = |heading| (heading, Align::Right);
        let mut columns = vec![left("bot")];
        columns.extend(self.opponents.then_some(left("against")));
        columns.extend(["games", "wins", "losses"].map(right));
        columns.extend(self.rare.iter().map(|(heading, _)| right(heading)));
        columns.extend(["win rate", "95 % interval"].map(right));
        if self.opponents {
            columns.extend(["Elo", "95 % interval"].map(right));
        }
        let mut table = TextTable::new(&columns);
        for line in lines {
            table.push(self.cells(line));
        }
        table
    }

    fn cells(&self, line: &Line) -> Vec<String> {
        let Games { wins, losses, .. } = line.games;
        let mut cells = vec![line.bot.clone()];
        cells.extend(self.opponents.then(|| line.opponent.clone().unwrap_or_default()));
        cells.extend([line.games.count(), wins, losses].map(|number| number.to_string()));
        cells.extend(self.rare.iter().map(|(_, count)| count(line).to_string()));
        cells.push(line.win_rate().map_or(String::new(), percent));
        cells.push(line.interval().map_or(String::new(), |interval| {
            format!("{} .. {}", percent(interval.low), percent(interval.high))
        }));
        if self.opponents {
            let (elo, interval) = line.elo().map_or_else(Default::default, |(elo, ends)| {
                (format!("{elo:+.0}"), format!("{:+.0} .. {:+.0}", ends.low, ends.high))
            });
            cells.extend([elo, interval]);
        }
        cells
    }
}

impl fmt::Display for Summary {
    /// A table of the bots, the highest win rate first, and one of the pairings, with
    /// 95 % intervals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let happened = |(_, count): &Rare| self.bots.iter().any(|line| count(line) > 0);
        let mut shown =
            Shown { rare: RARE.into_iter().filter(happened).collect(), opponents: false };
        writeln!(f, "{}", shown.table(self.by_win_rate()))?;
        shown.opponents = true;
        write!(f, "{}", shown.table(self.pairings.iter()))?;
        if self.void > 0 {
            writeln!(f, "\n{} void games do not count", self.void)?;
        }
        Ok(())
    }
}
