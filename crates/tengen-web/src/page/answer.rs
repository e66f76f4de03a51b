//! Questions by name.

use crate::page::{GameText, Limits, Offers, PlayRequest, Position, RecordText, Refusal};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A question whose answer takes no search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The bots that are offered: no argument.
    Bots,
    /// The position of a [`GameText`].
    Position,
    /// A move, a [`PlayRequest`], and the position after it.
    Play,
    /// A [`RecordText`] as SGF.
    Sgf,
    /// The record in an SGF, which is a text.
    Record,
}

impl Method {
    /// The question named `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "bots" => Self::Bots,
            "position" => Self::Position,
            "play" => Self::Play,
            "sgf" => Self::Sgf,
            "record" => Self::Record,
            _ => return None,
        })
    }
}

/// The answer to a question, both as JSON.
///
/// # Errors
/// If the question is not JSON of its kind, or has no answer.
pub fn answer(
    method: Method,
    question: &str,
    offers: &Offers,
    limits: &Limits,
) -> Result<String, Refusal> {
    match method {
        Method::Bots => write(&offers.list(limits)),
        Method::Position => {
            let game: GameText = read(question)?;
            write(&Position::of(&game.game(limits)?)?)
        }
        Method::Play => {
            let request: PlayRequest = read(question)?;
            write(&request.play(limits)?)
        }
        Method::Sgf => {
            let record: RecordText = read(question)?;
            write(&Sgf { sgf: record.to_sgf(limits)? })
        }
        Method::Record => {
            let text: Sgf = read(question)?;
            write(&RecordText::read(&text.sgf, limits)?)
        }
    }
}

/// A record as SGF, in an object of JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sgf {
    sgf: String,
}

fn read<T: DeserializeOwned>(question: &str) -> Result<T, Refusal> {
    serde_json::from_str(question).map_err(Refusal::new)
}

fn write<T: Serialize>(value: &T) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(Refusal::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(name: &str, question: &str) -> Result<serde_json::Value, String> {
        let method = Method::named(name).unwrap();
        let answer = answer(method, question, &Offers::default(), &Limits::default());
        answer.map(|json| serde_json::from_str(&json).unwrap()).map_err(|why| why.to_string())
    }

    #[test]
    fn questions_have_answers() {
        let bots = ask("bots", "").unwrap();
        assert_eq!(bots[0]["spec"], "two-ply");
        let game = r#"{"size":"5x5","komi":2.5,"moves":"C3"}"#;
        assert_eq!(ask("position", game).unwrap()["to_play"], "white");
        let after = ask("play", &format!(r#"{{"game":{game},"move":"B2"}}"#)).unwrap();
        assert_eq!(after["game"]["moves"], "C3.B2");
        let sgf = ask("sgf", &format!(r#"{{"game":{game},"black":"I"}}"#)).unwrap();
        assert_eq!(ask("record", &sgf.to_string()).unwrap()["game"]["moves"], "C3");
    }
}
