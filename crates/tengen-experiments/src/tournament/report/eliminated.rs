//! What an elimination says of the opponents of the first bot.

use crate::tournament::{GameRow, Outline};
use serde_json::{Map, Value, json};
use tengen_stats::percent;

/// The opponents of the first bot after an elimination.
pub(crate) struct Eliminated {
    first: String,
    remaining: Vec<String>,
    /// Opponents that were dropped, the last first, and after how many pairs.
    dropped: Vec<(String, u64)>,
    error: f64,
}

impl Eliminated {
    /// After the games `rows` that count; none if the run has no elimination.
    pub(crate) fn of(outline: &Outline, rows: &[GameRow]) -> Option<Self> {
        let elimination = outline.elimination(rows)?;
        let names = outline.names();
        let (first, arms) = names.split_first()?;
        let dropped = arms
            .iter()
            .enumerate()
            .filter_map(|(arm, name)| Some((name.clone(), elimination.dropped_after(arm)?)));
        let mut dropped: Vec<(String, u64)> = dropped.collect();
        dropped.sort_by_key(|(_, pairs)| std::cmp::Reverse(*pairs));
        Some(Self {
            first: first.clone(),
            remaining: elimination.remaining().map(|arm| arms[arm].clone()).collect(),
            dropped,
            error: elimination.error(),
        })
    }

    /// Which opponent is the best, how certain that is, and when the others were dropped; without
    /// its full stop.
    pub(crate) fn sentence(&self) -> String {
        let Self { first, remaining, dropped, error } = self;
        let (names, error) = (remaining.join(", "), percent(*error));
        let found = if remaining.len() == 1 {
            format!("the best opponent of {first} is {names}")
        } else {
            format!("the best opponent of {first} is one of {names}")
        };
        let found = format!("{found} (wrong in at most {error} of such runs)");
        if dropped.is_empty() {
            return found;
        }
        let dropped: Vec<String> =
            dropped.iter().map(|(name, pairs)| format!("{name} after {pairs} pairs")).collect();
        format!(
            "{found}; dropped: {}; win rates of dropped bots are biased downwards",
            dropped.join(", ")
        )
    }

    pub(crate) fn to_json(&self) -> Value {
        let dropped = self.dropped.iter().map(|(name, pairs)| (name.clone(), json!(pairs)));
        json!({
            "error": self.error,
            "remaining": self.remaining,
            "dropped": dropped.collect::<Map<_, _>>(),
        })
    }
}
