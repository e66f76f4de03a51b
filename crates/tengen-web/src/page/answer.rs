//! Questions by name.

use crate::page::dead_stones::DeadRequest;
use crate::page::position::PlayRequest;
use crate::page::{GameText, Limits, Position, RecordText, Refusal};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The answer to the question `name` about a position or a record, both as JSON; none if there is no
/// such question:
///
/// - `position`: the position of a [`GameText`].
/// - `play`: a move, a `PlayRequest`, and the position after it.
/// - `dead`: the score without dead stones, a `DeadRequest`.
/// - `sgf`: a [`RecordText`] as SGF.
/// - `charset`: the charset of the first game of an SGF. The browser decodes the `bytes`: its
///   charset tables would be a third of the WebAssembly. JSON has no bytes: the character with
///   the number of the byte stands for it.
/// - `record`: the record in the text of an SGF.
pub fn rules_answer(
    name: &str,
    question: &str,
    limits: &Limits,
) -> Result<Option<String>, Refusal> {
    match name {
        "position" => write(&Position::of(&read_question::<GameText>(question)?.game(limits)?)?),
        "play" => write(&read_question::<PlayRequest>(question)?.play(limits)?),
        "dead" => write(&read_question::<DeadRequest>(question)?.answer(limits)?),
        "sgf" => write(&Sgf { sgf: read_question::<RecordText>(question)?.to_sgf(limits)? }),
        "charset" => write(&read_question::<SgfBytes>(question)?.charset()?),
        "record" => write(&RecordText::read(&read_question::<Sgf>(question)?.sgf, limits)?),
        _ => Ok(None),
    }
}

/// A record as SGF, in an object of JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sgf {
    sgf: String,
}

/// The bytes of a record, each as the character of its number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SgfBytes {
    bytes: String,
}

/// The charset of the first game of a file.
#[derive(Serialize)]
struct FirstGame {
    /// Its name, as decoders know it.
    charset: &'static str,
    /// The number of bytes up to the end of that game; what follows may have another charset.
    end: usize,
    /// Doubts about this charset.
    warnings: Vec<String>,
}

/// Only the server contains charset tables; the WebAssembly leaves decoding to the browser.
#[cfg(feature = "server")]
use tengen_sgf::charset as find_charset;
#[cfg(not(feature = "server"))]
use tengen_sgf::charset_without_statistics as find_charset;

impl SgfBytes {
    fn charset(&self) -> Result<FirstGame, Refusal> {
        let bytes: Result<Vec<u8>, _> = self.bytes.chars().map(u8::try_from).collect();
        let bytes =
            bytes.map_err(|_| Refusal::new("invalid `bytes`: expected characters up to 255"))?;
        let tengen_sgf::Charset { name, end, doubt } = find_charset(&bytes);
        Ok(FirstGame {
            charset: name,
            end,
            warnings: doubt.iter().map(ToString::to_string).collect(),
        })
    }
}

/// Reads a question, which is JSON. An error omits the place in the JSON, since a program wrote it.
pub fn read_question<T: DeserializeOwned>(question: &str) -> Result<T, Refusal> {
    serde_json::from_str(question).map_err(|fault| {
        let why = fault.to_string();
        let end = why.rfind(" at line ").unwrap_or(why.len());
        Refusal::new(&why[..end])
    })
}

/// An answer as JSON.
pub fn write<T: Serialize>(value: &T) -> Result<Option<String>, Refusal> {
    serde_json::to_string(value).map(Some).map_err(Refusal::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Offers, answer};

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
        let settings = ask("settings", r#""uct:simulations=7""#).unwrap();
        assert_eq!((&settings["kind"], &settings["simulations"]), (&"uct".into(), &7.into()));
        assert!(ask("settings", r#""gtp:sh""#).unwrap_err().contains("by their name"));
        let small = r#"{"game":{"size":"2x2","komi":0.5,"moves":"A1.pass.pass"}}"#;
        assert_eq!(ask("solve", small).unwrap()["lower"], 3.5);
    }

    #[test]
    fn a_wrong_question_is_refused_without_its_place() {
        let why = ask("position", r#"{"size":"1x99"}"#).unwrap_err();
        assert!(why.contains("1x99") && !why.contains("column"), "{why}");
    }

    #[test]
    fn the_charset_of_bytes_is_the_one_that_they_name() {
        let answer = |bytes: &[u8]| {
            let characters: String = bytes.iter().copied().map(char::from).collect();
            let question = serde_json::json!({ "bytes": characters }).to_string();
            ask("charset", &question).unwrap()
        };
        // The next game may have another.
        let two = answer(b"(;CA[GBK]PB[\x81\x5d])(;CA[Big5]PB[\xaaL])");
        assert_eq!((&two["charset"], &two["end"]), (&"GBK".into(), &16.into()));
        assert_eq!(two["warnings"], serde_json::json!([]));
        let guess = answer(b"(;PB[\x83\x5c];B[aa])");
        assert_eq!(guess["charset"], "Shift_JIS");
        assert!(guess["warnings"][0].as_str().unwrap().contains("is read as Shift_JIS"), "{guess}");
        assert!(ask("charset", r#"{"bytes":"☖"}"#).unwrap_err().contains("up to 255"));
    }
}
