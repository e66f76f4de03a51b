//! Joining the result rows of the chunks of one run.

use crate::measurement::PositionRow;
use crate::settings::Settings;
use std::collections::BTreeMap;

/// Why the result rows of chunks cannot be joined into a run.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MergeError {
    /// Positions that no chunk has measured.
    #[error("{0} of {1} positions are in no finished chunk")]
    Missing(usize, usize),
    /// A row for a position, bot or number of playouts that the settings do not contain.
    #[error("position {position}, bot `{bot}`, {playouts} playouts is not among what is measured")]
    Foreign {
        /// The number of the position.
        position: usize,
        /// The name of the bot.
        bot: String,
        /// Playouts of each search.
        playouts: u64,
    },
    /// Two chunks have measured a position with other results.
    #[error("position {0} was measured twice, with other results")]
    Differs(usize),
}

/// The rows of the searches of `positions` positions, in the order of [`measure`](crate::measure),
/// from those of chunks in any order. What was measured twice with the same result counts once.
///
/// # Errors
/// If a row is missing, is not asked for, or contradicts another.
pub fn merge(
    settings: &Settings,
    positions: usize,
    rows: Vec<PositionRow>,
) -> Result<Vec<PositionRow>, MergeError> {
    let budgets = settings.budgets();
    let mut merged: BTreeMap<(usize, usize, u64), PositionRow> = BTreeMap::new();
    for row in rows {
        let bot = settings.bot.iter().position(|bot| bot.name == row.bot);
        let is_known = (1..=positions).contains(&row.position) && budgets.contains(&row.playouts);
        let Some(bot) = bot.filter(|_| is_known) else {
            let PositionRow { position, bot, playouts, .. } = row;
            return Err(MergeError::Foreign { position, bot, playouts });
        };
        let before = merged.entry((row.position, bot, row.playouts)).or_insert_with(|| row.clone());
        if *before != row {
            return Err(MergeError::Differs(row.position));
        }
    }
    let rows_of = |position: usize| merged.range((position, 0, 0)..(position + 1, 0, 0)).count();
    let is_missing = |position: &usize| rows_of(*position) < settings.bot.len() * budgets.len();
    match (1..=positions).filter(is_missing).count() {
        0 => Ok(merged.into_values().collect()),
        missing => Err(MergeError::Missing(missing, positions)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(position: usize, bot: &str, playouts: u64) -> PositionRow {
        let bot = bot.to_owned();
        PositionRow { position, bot, playouts, optimal: 0.5, regret: 1.0, value_error: 0.25 }
    }

    fn settings() -> Settings {
        "name = \"a\"\npositions = \"\"\nplayouts = 16\ndoublings = 1\nsearches = 1\nseed = 1\n\
         bot = [\"b=uct\", \"a=uct:exploration=0.3\"]"
            .parse()
            .unwrap()
    }

    fn all() -> Vec<PositionRow> {
        let of = |position| {
            [("b", 16), ("b", 32), ("a", 16), ("a", 32)].map(|(bot, n)| row(position, bot, n))
        };
        [of(1), of(2)].concat()
    }

    #[test]
    fn rows_in_any_order_are_those_of_one_process() {
        let mut shuffled = all();
        shuffled.reverse();
        shuffled.extend(all().drain(2..5));
        assert_eq!(merge(&settings(), 2, shuffled), Ok(all()));
    }

    #[test]
    fn rows_that_are_not_the_run_are_refused() {
        assert_eq!(merge(&settings(), 3, all()), Err(MergeError::Missing(1, 3)));
        let lacking = all().drain(1..).collect();
        assert_eq!(merge(&settings(), 2, lacking), Err(MergeError::Missing(1, 2)));
        for (foreign, named) in [
            (row(0, "a", 16), "position 0"),
            (row(3, "a", 16), "position 3"),
            (row(1, "c", 16), "bot `c`"),
            (row(1, "a", 17), "17 playouts"),
            (PositionRow { optimal: 1.0, ..row(2, "a", 16) }, "position 2 was measured twice"),
        ] {
            let rows = [all(), vec![foreign]].concat();
            let said = merge(&settings(), 2, rows).unwrap_err().to_string();
            assert!(said.contains(named), "{said}");
        }
    }
}
