//! Arguments of commands.

use super::refusal::Refusal;
use std::fmt::Display;
use std::str::FromStr;
use tengen_go::{Color, Game, Move, Vertex};

/// The words of a command after its name.
pub type Words<'a> = &'a [&'a str];

/// Refuses words beyond the first `most`.
pub fn at_most(words: Words<'_>, most: usize) -> Result<(), Refusal> {
    match words.get(most) {
        Some(word) => Err(Refusal::syntax(format!("unexpected argument `{word}`"))),
        None => Ok(()),
    }
}

/// `items` as text, with `gap` between them.
pub fn list(items: impl IntoIterator<Item: Display>, gap: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(gap)
}

/// The word at `place`.
pub fn word<'a>(words: Words<'a>, place: usize, thing: &str) -> Result<&'a str, Refusal> {
    words.get(place).copied().ok_or_else(|| Refusal::syntax(format!("{thing} is needed")))
}

/// The value that `word` names.
pub fn value<T: FromStr<Err: Display>>(word: &str) -> Result<T, Refusal> {
    word.parse().map_err(|fault: T::Err| Refusal::syntax(fault.to_string()))
}

/// The colour at `place`.
pub fn color(words: Words<'_>, place: usize) -> Result<Color, Refusal> {
    value(word(words, place, "a colour")?)
}

/// The move at `place`.
pub fn mv(words: Words<'_>, place: usize) -> Result<Move, Refusal> {
    value(word(words, place, "a vertex")?)
}

/// The point at `place`, which is on the board of `game`.
pub fn vertex(words: Words<'_>, place: usize, game: &Game) -> Result<Vertex, Refusal> {
    let word = word(words, place, "a vertex")?;
    let vertex: Option<Vertex> =
        word.parse().ok().filter(|vertex: &Vertex| vertex.is_on(game.size()));
    let invalid = || format!("invalid vertex `{word}`: expected a point of the board");
    vertex.ok_or_else(|| Refusal::syntax(invalid()))
}

/// The whole number at `place`.
pub fn number(words: Words<'_>, place: usize, thing: &str) -> Result<u64, Refusal> {
    let word = word(words, place, thing)?;
    let invalid = || format!("invalid number `{word}`: expected a whole number");
    word.parse().map_err(|_| Refusal::syntax(invalid()))
}

/// The time in seconds at `place`.
pub fn seconds(words: Words<'_>, place: usize) -> Result<f64, Refusal> {
    let word = word(words, place, "a time in seconds")?;
    let time = word.parse().ok().filter(|time| (0.0..=1e9).contains(time));
    let invalid = || format!("invalid time `{word}`: expected seconds from 0 to 1000000000");
    time.ok_or_else(|| Refusal::syntax(invalid()))
}
