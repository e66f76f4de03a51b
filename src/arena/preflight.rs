//! The bots before the first game.

use super::config::Tournament;
use crate::bot::BotFailure;
use crate::go::Game;
use crate::gtp::{Resource, ResourceFault};
use crate::seed::mix;

/// Why a tournament cannot begin.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PreflightError {
    /// Bots that cannot take their seats: a line each.
    #[error("{0}")]
    Bots(String),
    /// What this program lacks.
    #[error("bot {bot}: {fault}")]
    Resource {
        /// The name of the bot that was to take its seat.
        bot: String,
        /// What is lacking.
        fault: ResourceFault,
    },
}

/// Lets every bot of `tournament` take its seat once, so that an engine that
/// does not start or does not know the board is told before the first game.
/// Returns name and version of the program behind each bot, where there is
/// one.
///
/// # Errors
/// If one or more cannot, or if this program lacks what it takes.
pub fn preflight(tournament: &Tournament) -> Result<Vec<Option<String>>, PreflightError> {
    let game = Game::new(tournament.size, tournament.rules());
    let mut programs = Vec::new();
    let mut failures = Vec::new();
    for (number, entrant) in tournament.bots.iter().enumerate() {
        let mut bot = entrant.config.build(mix(tournament.seed, number as u64), None);
        match bot.begin(&game, &format!("preflight-{number}")) {
            Ok(()) => {}
            // A program or a folder that is not there is a matter of the settings.
            Err(BotFailure::Resource(fault)) if fault.resource() != Resource::File => {
                return Err(PreflightError::Resource { bot: entrant.name.clone(), fault });
            }
            Err(failure) => {
                failures.push(format!("bot {} cannot play: {failure}", entrant.name));
            }
        }
        programs.push(bot.program().map(str::to_owned));
    }
    if failures.is_empty() { Ok(programs) } else { Err(PreflightError::Bots(failures.join("\n"))) }
}
