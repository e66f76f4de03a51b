//! The bots before the first game.

use super::config::Tournament;
use super::opening::Source;
use super::openings::{self, BeginError};
use tengen_bots::BotFailure;
use tengen_go::Game;
use tengen_go::seed::mix;
use tengen_gtp::{Resource, ResourceFault};
use tengen_search::driver::OutOfMemory;

/// Why a tournament cannot begin.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PreflightError {
    /// Bots that cannot take their seats: a line each.
    #[error("{0}")]
    Bots(String),
    /// Openings that cannot be found.
    #[error("{0}")]
    Openings(String),
    /// The searches that judge openings have no room.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
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
/// Where openings are to be balanced, one is looked for first: an odd komi
/// allows none, and would leave every pair without a game.
///
/// # Errors
/// If one or more cannot, if the first pair has no balanced opening, or if this
/// program lacks what it takes.
pub fn preflight(tournament: &Tournament) -> Result<Vec<Option<String>>, PreflightError> {
    if tournament.openings == Source::Balanced {
        find_opening(tournament)?;
    }
    let game = Game::new(tournament.size, tournament.rules());
    let mut programs = Vec::new();
    let mut failures = Vec::new();
    for (number, entrant) in tournament.bots.iter().enumerate() {
        if let Err(fault) = entrant.config.playable() {
            failures.push(format!("bot {} cannot play: {fault}", entrant.name));
            programs.push(None);
            continue;
        }
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

/// Looks for the opening of the first pair.
fn find_opening(tournament: &Tournament) -> Result<(), PreflightError> {
    let Tournament { size, komi, opening_plies, .. } = tournament;
    match openings::begin(tournament, &tournament.schedule().plan(0)) {
        Ok(_) => Ok(()),
        Err(BeginError::Memory(lacking)) => Err(lacking.into()),
        Err(fault @ BeginError::NoBalance { .. }) => Err(PreflightError::Openings(format!(
            "{fault}, on {size} with komi {komi} after {opening_plies} plies: choose another \
             komi, opening-plies or openings"
        ))),
    }
}
