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
/// - `record`: the record in an SGF, as a text `sgf` or as the `bytes` of a file, which are
///   read in the charset that they name. JSON has no bytes: each is the character of its number.
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
        "position" => write(&Position::of(&read_question::<GameText>(question)?.game(limits)?)?),
        "play" => write(&read_question::<PlayRequest>(question)?.play(limits)?),
        "sgf" => write(&Sgf { sgf: read_question::<RecordText>(question)?.to_sgf(limits)? }),
        "record" => write(&read_question::<AnySgf>(question)?.record(limits)?),
        _ => Ok(None),
    }
}

/// A record as SGF, in an object of JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sgf {
    sgf: String,
}

/// A record to be read.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum AnySgf {
    Sgf(String),
    Bytes(String),
}

impl AnySgf {
    fn record(&self, limits: &Limits) -> Result<RecordText, Refusal> {
        match self {
            Self::Sgf(text) => RecordText::read(text, limits),
            Self::Bytes(characters) => {
                let bytes = characters.chars().map(u8::try_from).collect::<Result<Vec<_>, _>>();
                let bytes = bytes
                    .map_err(|_| Refusal::new("invalid `bytes`: expected characters up to 255"))?;
                RecordText::read(&tengen_sgf::decode(&bytes), limits)
            }
        }
    }
}

/// Reads a question, which is JSON.
///
/// # Errors
/// If it is not, or is no question of its kind. The place in the JSON, which a program has
/// written, is left out.
pub fn read_question<T: DeserializeOwned>(question: &str) -> Result<T, Refusal> {
    serde_json::from_str(question).map_err(|fault| {
        let why = fault.to_string();
        let end = why.rfind(" at line ").unwrap_or(why.len());
        Refusal::new(&why[..end])
    })
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

    #[test]
    fn a_wrong_question_is_refused_without_its_place() {
        let why = ask("position", r#"{"size":"1x99"}"#).unwrap_err();
        assert!(why.contains("1x99") && !why.contains("column"), "{why}");
    }

    #[test]
    fn bytes_are_read_in_the_charset_that_they_name() {
        // 申, whose second byte is a backslash, and 従, whose second byte closes a bracket.
        let mut sgf = b"(;CA[Shift_JIS]SZ[9]PB[".to_vec();
        sgf.extend(b"\x90\x5c]PW[\x8f\x5d]RE[B+R];B[ee])");
        let characters: String = sgf.into_iter().map(char::from).collect();
        let question = serde_json::json!({ "bytes": characters }).to_string();
        let record = ask("record", &question).unwrap();
        assert_eq!((&record["black"], &record["white"]), (&"申".into(), &"従".into()));
        assert_eq!(record["result"], "B+R");
        assert!(ask("record", r#"{"bytes":"☖"}"#).unwrap_err().contains("up to 255"));
    }
}
