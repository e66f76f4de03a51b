//! Questions about bots and searches: everything that needs the feature `search`.

mod bots;
mod handicaps;
mod playouts;
mod simulation;
mod solve;
mod thinking;
mod tree;

pub use bots::Offers;
pub use thinking::{Purpose, ThinkRequest, Thinking, Update};

use crate::page::{GameText, Limits, Refusal, read_question, rules_answer, write};
use handicaps::HandicapRequest;
use playouts::PlayoutsRequest;
use simulation::SimulationRequest;
use solve::SolveRequest;
use tengen_bots::BotConfig;
use tengen_go::{Game, Move};
use tree::TreeRequest;

/// The answer to the question `name`, both as JSON; none if there is no such question. No question
/// here needs a search. The questions are those of [`rules_answer`], and
///
/// - `bots`: the offered bots; takes no argument.
/// - `handicaps`: the handicaps of a board, a `HandicapRequest`.
/// - `settings`: all settings of a bot, which the text of the question specifies.
/// - `solve`: the exact value of a position, a `SolveRequest`.
pub fn answer(
    name: &str,
    question: &str,
    offers: &Offers,
    limits: &Limits,
) -> Result<Option<String>, Refusal> {
    match name {
        "bots" => write(&offers.list(limits)),
        "handicaps" => write(&read_question::<HandicapRequest>(question)?.answer()?),
        "settings" => write(&offers.config(&read_question::<String>(question)?)?),
        "solve" => write(&read_question::<SolveRequest>(question)?.solve(limits)?),
        _ => rules_answer(name, question, limits),
    }
}

/// Whether [`deep_answer`] answers the question `name`.
#[must_use]
pub fn is_deep(name: &str) -> bool {
    matches!(name, "tree" | "simulation" | "playouts")
}

/// The answer to the question `name`, both as JSON; none if there is no such question. While a tree
/// grows, `should_stop` says whether the client has left.
///
/// - `tree`: a node of a tree, a `TreeRequest`.
/// - `simulation`: what one simulation does, a `SimulationRequest`.
/// - `playouts`: owners and scores by playouts, a `PlayoutsRequest`.
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
        "simulation" => {
            let request: SimulationRequest = read_question(question)?;
            write(&request.answer(offers, limits, should_stop)?)
        }
        "playouts" => write(&read_question::<PlayoutsRequest>(question)?.answer(offers, limits)?),
        _ => Ok(None),
    }
}

/// The game and the bot of a question that takes time.
fn game_and_bot(
    text: &GameText,
    bot: &str,
    offers: &Offers,
    limits: &Limits,
) -> Result<(Game, BotConfig), Refusal> {
    let game = text.game(limits)?;
    let config = offers.find(bot, &game, limits)?;
    Ok((game, config))
}

/// `game` with the moves of a path.
fn after(game: &Game, path: &[Move]) -> Result<Game, Refusal> {
    let mut after = game.clone();
    for &mv in path {
        after.play(after.to_play(), mv).map_err(|why| Refusal::new(format!("{mv}: {why}")))?;
    }
    Ok(after)
}

/// Checks that the number `name` of a question is from 1 to `most`.
fn from_one(name: &str, value: u64, most: u64) -> Result<(), Refusal> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    Err(Refusal::new(format!("invalid {name} {value}: expected a number from 1 to {most}")))
}

/// The default seed of a question.
const fn one() -> u64 {
    1
}

/// The answer of [`deep_answer`] to a test.
#[cfg(test)]
fn ask_deep(name: &str, question: &serde_json::Value) -> Result<serde_json::Value, String> {
    let (offers, limits) = (Offers::default(), Limits::default());
    let answer = deep_answer(name, &question.to_string(), &offers, &limits, &|| false);
    let answer = answer.map_err(|why| why.to_string())?;
    Ok(serde_json::from_str(&answer.unwrap()).unwrap())
}
