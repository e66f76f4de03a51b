//! Which games of a run are shown.

use serde::{Deserialize, Serialize};
use tengen_harness::tournament::{GameRow, Outcome, Termination};

/// The largest page of a table.
const MAX_ROWS: usize = 500;

/// Which games are wanted; what is left out or empty is not asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Filter {
    /// A bot that plays.
    pub bot: String,
    /// The colour of that bot, `black` or `white`.
    pub color: String,
    /// The result: `black`, `white`, `jigo`, `void`, or `won`, `lost` by the bot.
    pub result: String,
    /// How the game ended.
    pub termination: Option<Termination>,
    /// Moves with which the opening begins.
    pub opening: String,
    /// Fewest plies.
    pub least: Option<u32>,
    /// Most plies.
    pub most: Option<u32>,
    /// Rows before the first.
    pub offset: usize,
    /// Rows of the page.
    pub limit: Option<usize>,
    /// What lets the client in, which `guard` has read.
    pub token: Option<String>,
}

/// A page of a table of games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page {
    /// Games that pass the filter.
    pub total: usize,
    /// Rows before the first.
    pub offset: usize,
    /// The rows.
    pub rows: Vec<GameRow>,
}

impl Filter {
    /// The page of `games` that is asked for.
    #[must_use]
    pub fn page(&self, games: &[GameRow]) -> Page {
        let rows = games.iter().filter(|row| self.takes(row));
        let limit = self.limit.unwrap_or(100).min(MAX_ROWS);
        let total = rows.clone().count();
        let rows = rows.skip(self.offset).take(limit).cloned().collect();
        Page { total, offset: self.offset, rows }
    }

    /// Whether `row` is wanted.
    #[must_use]
    pub fn takes(&self, row: &GameRow) -> bool {
        let is = |wanted: &str, own: &str| wanted.is_empty() || wanted == own;
        let as_black = is(&self.bot, &row.black) && is(&self.color, "black");
        let as_white = is(&self.bot, &row.white) && is(&self.color, "white");
        let [black_won, white_won] =
            [Outcome::Black, Outcome::White].map(|outcome| row.outcome == outcome);
        let has_result = match self.result.as_str() {
            "won" => as_black && black_won || as_white && white_won,
            "lost" => as_black && white_won || as_white && black_won,
            other => is(other, row.outcome.into()),
        };
        (as_black || as_white)
            && has_result
            && self.termination.is_none_or(|wanted| wanted == row.termination)
            && row.moves.to_ascii_uppercase().starts_with(&self.opening.to_ascii_uppercase())
            && self.least.is_none_or(|least| row.plies >= least)
            && self.most.is_none_or(|most| row.plies <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_by_bot_opening_result_and_length() {
        let game = |game, black: &str, white: &str, outcome, plies| GameRow {
            game,
            black: black.to_owned(),
            white: white.to_owned(),
            outcome,
            plies,
            moves: "C3 D4".to_owned(),
            ..GameRow::example()
        };
        let games = [
            game(0, "a", "b", Outcome::Black, 10),
            game(1, "b", "a", Outcome::Black, 20),
            game(2, "b", "c", Outcome::Jigo, 30),
        ];
        let of = |json: &str| -> Vec<usize> {
            let filter: Filter = serde_json::from_str(json).unwrap();
            filter.page(&games).rows.iter().map(|row| row.game).collect()
        };
        assert_eq!(of("{}"), [0, 1, 2]);
        assert_eq!(of(r#"{"bot":"a"}"#), [0, 1]);
        assert_eq!(of(r#"{"bot":"a","color":"white"}"#), [1]);
        assert_eq!(of(r#"{"bot":"a","result":"won"}"#), [0]);
        assert_eq!(of(r#"{"bot":"a","result":"lost"}"#), [1]);
        assert_eq!(of(r#"{"result":"jigo"}"#), [2]);
        assert_eq!(of(r#"{"opening":"c3"}"#), [0, 1, 2]);
        assert_eq!(of(r#"{"opening":"D4"}"#), [0; 0]);
        assert_eq!(of(r#"{"least":15,"most":25}"#), [1]);
        assert_eq!(of(r#"{"offset":1,"limit":1}"#), [1]);
        assert_eq!(of(r#"{"bot":"","result":""}"#), [0, 1, 2]);
    }
}
