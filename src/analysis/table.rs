//! A summary as a table for people.

use super::summary::{Line, Summary};
use crate::stats::Games;
use std::fmt;

/// Columns of text: the first ones to the left, the rest to the right.
struct Table {
    left: usize,
    rows: Vec<Vec<String>>,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                if column > 0 {
                    line.push_str("  ");
                }
                let space = " ".repeat(width - cell.chars().count());
                let (before, after) =
                    if column < self.left { ("", &*space) } else { (&*space, "") };
                line.extend([before, cell, after]);
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

impl fmt::Display for Summary {
    /// The bots by falling win rate, and the pairings, with 95 % intervals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_jigo = self.bots.iter().any(|line| line.games.draws > 0);
        let has_forfeits = self.bots.iter().any(|line| line.forfeits > 0);
        let has_limit = self.bots.iter().any(|line| line.limit > 0);
        let head = |names: &[&str], elo: bool| -> Vec<String> {
            let mut cells: Vec<&str> = names.to_vec();
            cells.extend(["games", "wins", "losses"]);
            cells.extend(has_jigo.then_some("jigo"));
            cells.extend(has_forfeits.then_some("forfeits"));
            cells.extend(has_limit.then_some("limit"));
            cells.extend(["win rate", "95 % interval"]);
            cells.extend(elo.then_some(["Elo", "95 % interval"]).into_iter().flatten());
            cells.into_iter().map(str::to_owned).collect()
        };
        let row = |line: &Line, elo: bool| -> Vec<String> {
            let mut cells = vec![line.bot.clone()];
            cells.extend(line.opponent.clone());
            let Games { wins, losses, draws } = line.games;
            cells.extend([line.games.count(), wins, losses].map(|n| n.to_string()));
            cells.extend(has_jigo.then(|| draws.to_string()));
            cells.extend(has_forfeits.then(|| line.forfeits.to_string()));
            cells.extend(has_limit.then(|| line.limit.to_string()));
            cells.push(line.win_rate().map_or(String::new(), percent));
            cells.push(line.interval().map_or(String::new(), |interval| {
                format!("{} .. {}", percent(interval.low), percent(interval.high))
            }));
            if elo {
                let (value, interval) = line.elo().map_or_else(Default::default, |(elo, ends)| {
                    (format!("{elo:+.0}"), format!("{:+.0} .. {:+.0}", ends.low, ends.high))
                });
                cells.extend([value, interval]);
            }
            cells
        };
        let bots = self.by_win_rate().map(|line| row(line, false));
        let rows = std::iter::once(head(&["bot"], false)).chain(bots).collect();
        writeln!(f, "{}", Table { left: 1, rows })?;
        let pairings = self.pairings.iter().map(|line| row(line, true));
        let rows = std::iter::once(head(&["bot", "against"], true)).chain(pairings).collect();
        write!(f, "{}", Table { left: 2, rows })?;
        if self.void > 0 {
            writeln!(f, "\n{} void games count nowhere", self.void)?;
        }
        Ok(())
    }
}

fn percent(rate: f64) -> String {
    format!("{:.1} %", 100.0 * rate)
}
