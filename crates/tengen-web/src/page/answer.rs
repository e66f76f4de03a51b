//! Questions by name.

use crate::page::{GameText, Limits, Offers, PlayRequest, Position, RecordText, Refusal};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The answer to the question `name`, both as JSON; none if there is no such question. None of
/// these takes a search:
///
/// - `bots`: the bots that are offered, without an argument.
/// - `position`: the position of a [`GameText`].
/// - `play`: a move, a [`PlayRequest`], and the position after it.
/// - `sgf`: a [`RecordText`] as SGF.
/// - `record`: the record in an SGF, which is a text.
///
/// # Errors
/// If the question is not JSON of its kind, or has no answer.
pub fn answer(
    name: &str,
    question: &str,
    offers: &Offers,
    limits: &Limits,
) -> Result<Option<String>, Refusal> {
    match name {
        "bots" => write(&offers.list(limits)),
        "position" => write(&Position::of(&read::<GameText>(question)?.game(limits)?)?),
        "play" => write(&read::<PlayRequest>(question)?.play(limits)?),
        "sgf" => write(&Sgf { sgf: read::<RecordText>(question)?.to_sgf(limits)? }),
        "record" => write(&RecordText::read(&read::<Sgf>(question)?.sgf, limits)?),
        _ => Ok(None),
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

fn write<T: Serialize>(value: &T) -> Result<Option<String>, Refusal> {
    serde_json::to_string(value).map(Some).map_err(Refusal::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(name: &str, question: &str) -> Result<serde_json::Value, String> {
        let answer = answer(name, question, &Offers::default(), &Limits::default());
        let answer = answer.map(Option::unwrap).map_err(|why| why.to_string());
        answer.map(|json| serde_json::from_str(&json).unwrap())
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
