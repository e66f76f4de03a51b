//! Questions by name that grow a tree or play playouts: they take time.

use crate::page::answer::{read_question, write};
use crate::page::{
    GameText, Limits, Offers, PlayoutsRequest, Refusal, SimulationRequest, TreeRequest,
};
use tengen_bots::BotConfig;
use tengen_go::{Game, Move};

/// Whether [`deep_answer`] answers the question `name`.
#[must_use]
pub fn is_deep(name: &str) -> bool {
    matches!(name, "tree" | "simulation" | "playouts")
}

/// The answer to the question `name`, both as JSON; none if there is no such question. While a tree
/// grows, `should_stop` says whether the client has left.
///
/// - `tree`: a node of a tree, a [`TreeRequest`].
/// - `simulation`: what one simulation does, a [`SimulationRequest`].
/// - `playouts`: owners and scores by playouts, a [`PlayoutsRequest`].
pub fn deep_answer(
    name: &str,
    question: &str,
    offers: &Offers,
    limits: &Limits,
    should_stop: &dyn Fn() -> bool,
) -> Result<Option<String>, Refusal> {
    match name {
        "tree" => {
            write(&read_question::<TreeRequest>(question)?.answer(offers, limits, should_stop)?)
        }
        "simulation" => write(&read_question::<SimulationRequest>(question)?.answer(
            offers,
            limits,
            should_stop,
        )?),
        "playouts" => write(&read_question::<PlayoutsRequest>(question)?.answer(offers, limits)?),
        _ => Ok(None),
    }
}

/// The game and the bot of a question that takes time.
pub(super) fn game_and_bot(
    text: &GameText,
    bot: &str,
    offers: &Offers,
    limits: &Limits,
) -> Result<(Game, BotConfig), Refusal> {
    let game = text.game(limits)?;
    let config = offers.find(bot, &game, limits)?;
    Ok((game, config))
}

/// The moves of a path.
pub(super) fn moves_of(path: &[String]) -> Result<Vec<Move>, Refusal> {
    path.iter().map(|text| text.parse().map_err(Refusal::new)).collect()
}

/// `game` with the moves of a path.
pub(super) fn after(game: &Game, path: &[Move]) -> Result<Game, Refusal> {
    let mut after = game.clone();
    for &mv in path {
        after.play(after.to_play(), mv).map_err(|why| Refusal::new(format!("{mv}: {why}")))?;
    }
    Ok(after)
}

/// Checks that the number `name` of a question is from 1 to `most`.
pub(super) fn from_one(name: &str, value: u64, most: u64) -> Result<(), Refusal> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    Err(Refusal::new(format!("invalid {name} {value}: expected a number from 1 to {most}")))
}

/// The default seed of a question.
pub(super) const fn one() -> u64 {
    1
}
