//! The bots before the first game.

use super::config::Tournament;
use crate::go::Game;
use crate::seed::mix;

/// Bots that cannot take their seats: a line each.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct PreflightError(String);

/// Lets every bot of `tournament` take its seat once, so that an engine that
/// does not start or does not know the board is told before the first game.
/// Returns name and version of the program behind each bot, where there is
/// one.
///
/// # Errors
/// If one or more cannot.
pub fn preflight(tournament: &Tournament) -> Result<Vec<Option<String>>, PreflightError> {
    let game = Game::new(tournament.size, tournament.rules());
    let mut programs = Vec::new();
    let mut failures = Vec::new();
    for (number, entrant) in tournament.bots.iter().enumerate() {
        let mut bot = entrant.config.build(mix(tournament.seed, number as u64), None);
        if let Err(failure) = bot.begin(&game, &format!("preflight-{number}")) {
            failures.push(format!("bot {} cannot play: {failure}", entrant.name));
        }
        programs.push(bot.program().map(str::to_owned));
    }
    if failures.is_empty() { Ok(programs) } else { Err(PreflightError(failures.join("\n"))) }
}
