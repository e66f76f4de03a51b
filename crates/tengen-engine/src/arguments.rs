//! Arguments of commands.

use super::refusal::Refusal;
use tengen_go::{Color, Game, Move, Vertex};

/// The words of a command after its name.
pub type Words<'a> = &'a [&'a str];

/// Refuses words beyond the first `most`.
pub fn at_most(words: Words<'_>, most: usize) -> Result<(), Refusal> {
    match words.get(most) {
        Some(word) => Err(Refusal::syntax(format!("`{word}` is an argument too many"))),
        None => Ok(()),
    }
}

/// The word at `place`.
pub fn word<'a>(words: Words<'a>, place: usize, thing: &str) -> Result<&'a str, Refusal> {
    words.get(place).copied().ok_or_else(|| Refusal::syntax(format!("{thing} is needed")))
}

/// The colour at `place`.
pub fn color(words: Words<'_>, place: usize) -> Result<Color, Refusal> {
    let word = word(words, place, "a color")?;
    word.parse().map_err(|_| Refusal::syntax(format!("`{word}` is no color")))
}

/// The move at `place`.
pub fn mv(words: Words<'_>, place: usize) -> Result<Move, Refusal> {
    let word = word(words, place, "a vertex")?;
    word.parse().map_err(|_| Refusal::syntax(format!("`{word}` is no vertex")))
}

/// The point at `place`, which is on the board of `game`.
pub fn vertex(words: Words<'_>, place: usize, game: &Game) -> Result<Vertex, Refusal> {
    let word = word(words, place, "a vertex")?;
    let vertex: Option<Vertex> =
        word.parse().ok().filter(|vertex: &Vertex| vertex.is_on(game.size()));
    vertex.ok_or_else(|| Refusal::syntax(format!("`{word}` is no vertex of the board")))
}

/// The whole number at `place`.
pub fn number(words: Words<'_>, place: usize, thing: &str) -> Result<u64, Refusal> {
    let word = word(words, place, thing)?;
    word.parse().map_err(|_| Refusal::syntax(format!("`{word}` is no whole number")))
}

/// The time in seconds at `place`.
pub fn seconds(words: Words<'_>, place: usize) -> Result<f64, Refusal> {
    let word = word(words, place, "a time in seconds")?;
    let time = word.parse().ok().filter(|time| (0.0..=1e9).contains(time));
    time.ok_or_else(|| Refusal::syntax(format!("`{word}` is no time in seconds")))
}
