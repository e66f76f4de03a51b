//! Which games of a run are shown.

use crate::page::Refusal;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{Error as _, IntoDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::str::FromStr;
use tengen_experiments::tournament::{GameRow, Outcome, Termination};

/// The largest page of a table.
const MAX_ROWS: usize = 500;

/// The keys of a filter, in the order of the fields of the page.
const KEYS: [&str; 7] = ["bot", "color", "result", "termination", "opening", "least", "most"];

/// The longest part of a wrong value that an error repeats, in characters.
const MAX_SHOWN: usize = 40;

/// Which games are wanted; an empty or missing field does not filter.
#[derive(Clone, Debug, Default, PartialEq)]
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
}

/// A page of a table of games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page {
    /// Games that pass the filter.
    pub total: usize,
    /// Rows before the first.
    pub offset: usize,
    /// Whether any game of the run has its moves, so that it can be replayed.
    pub has_moves: bool,
    /// The rows.
    pub rows: Vec<GameRow>,
}

/// The value of `key`, which a filter has as `text`; an error says what is `expected`.
fn value<T>(key: &str, text: &str, expected: &str, parsed: Option<T>) -> Result<T, Refusal> {
    parsed.ok_or_else(|| {
        let shown: String = text.chars().take(MAX_SHOWN).collect();
        let rest = if shown.len() < text.len() { "…" } else { "" };
        Refusal::new(format!("{key}={shown}{rest}: expected {expected}"))
    })
}

/// One of the words `known`.
fn word(key: &str, text: &str, known: &[&str]) -> Result<String, Refusal> {
    let (last, others) = known.split_last().unwrap_or((&"", &[]));
    let expected = format!("{} or {last}", others.join(", "));
    value(key, text, &expected, known.contains(&text).then(|| text.to_owned()))
}

fn number<T: FromStr>(key: &str, text: &str) -> Result<T, Refusal> {
    value(key, text, "a whole number from 0", text.parse().ok())
}

impl Filter {
    /// The filter that a query or the page gives as keys and texts. An error names the key, its value and what is
    /// expected.
    pub fn of<'a>(given: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Refusal> {
        let mut filter = Self::default();
        let given = given.into_iter().map(|(key, text)| (key, text.trim()));
        for (key, text) in given.filter(|(_, text)| !text.is_empty()) {
            match key {
                "bot" => text.clone_into(&mut filter.bot),
                "color" => filter.color = word(key, text, &["black", "white"])?,
                "result" => {
                    let known = ["black", "white", "jigo", "void", "won", "lost"];
                    filter.result = word(key, text, &known)?;
                }
                "termination" => {
                    let text_of: StrDeserializer<'_, Error> = text.into_deserializer();
                    let known = "passes, resign, limit, illegal, crash, time or unplayed";
                    let parsed = Termination::deserialize(text_of).ok();
                    filter.termination = Some(value(key, text, known, parsed)?);
                }
                "opening" => text.clone_into(&mut filter.opening),
                "least" => filter.least = Some(number(key, text)?),
                "most" => filter.most = Some(number(key, text)?),
                "offset" => filter.offset = number(key, text)?,
                "limit" => filter.limit = Some(number(key, text)?),
                // The token that lets the client in; `guard` has read it.
                "token" => {}
                _ => return value(key, text, &format!("a filter of {}", KEYS.join(", ")), None),
            }
        }
        Ok(filter)
    }

    /// The page of `games` that is asked for.
    #[must_use]
    pub fn page(&self, games: &[GameRow]) -> Page {
        let rows = games.iter().filter(|row| self.takes(row));
        let limit = self.limit.unwrap_or(100).min(MAX_ROWS);
        let total = rows.clone().count();
        let rows = rows.skip(self.offset).take(limit).cloned().collect();
        let has_moves = games.iter().any(GameRow::has_moves);
        Page { total, offset: self.offset, has_moves, rows }
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

/// A filter as the page without a server writes it: an object of texts and numbers.
impl<'de> Deserialize<'de> for Filter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
        let texts = given.iter().map(|(key, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (key.as_str(), if value.is_null() { String::new() } else { text })
        });
        let texts: Vec<(&str, String)> = texts.collect();
        let filter = Self::of(texts.iter().map(|(key, text)| (*key, text.as_str())));
        filter.map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_filter_is_named_with_what_is_expected() {
        let said = |key, text| Filter::of([(key, text)]).unwrap_err().to_string();
        assert_eq!(said("least", "x"), "least=x: expected a whole number from 0");
        assert_eq!(said("most", "-1"), "most=-1: expected a whole number from 0");
        assert_eq!(said("color", "red"), "color=red: expected black or white");
        assert!(said("result", "x").ends_with("jigo, void, won or lost"));
        assert!(said("termination", "x").ends_with("time or unplayed"));
        assert!(said("colour", "x").starts_with("colour=x: expected a filter of bot, color"));
        assert_eq!(said("least", &"9".repeat(99)).chars().count(), 6 + 40 + 1 + 32);
        let given = [("bot", "a"), ("least", " 3 "), ("most", ""), ("token", "secret")];
        let expected = Filter { bot: "a".to_owned(), least: Some(3), ..Filter::default() };
        assert_eq!(Filter::of(given), Ok(expected.clone()));
        assert_eq!(serde_json::from_str::<Filter>(r#"{"bot":"a","least":3}"#).ok(), Some(expected));
        let fault = serde_json::from_str::<Filter>(r#"{"least":"x"}"#).unwrap_err().to_string();
        assert!(fault.starts_with("least=x: expected a whole number"), "{fault}");
    }

    #[test]
    fn a_page_says_whether_games_can_be_replayed() {
        let without = GameRow { moves: String::new(), ..GameRow::example() };
        let games = [without.clone(), GameRow::example()];
        assert!(Filter::default().page(&games).has_moves);
        assert!(!Filter::default().page(&games[..1]).has_moves);
    }

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
