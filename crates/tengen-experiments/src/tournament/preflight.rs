//! Checks before the first game: whether every bot can play, and whether a balanced
//! opening can be found.

use super::config::Tournament;
use super::opening::Openings;
use super::openings::{self, BeginError};
use crate::run::RunError;
use tengen_bots::BotFailure;
use tengen_go::Game;
use tengen_stats::seed::mix;

/// Prepares every bot of `tournament` for a game once, so that an engine that does
/// not start or does not support the board size is reported before the first game.
/// Returns, in the order of the bots, name and version of the GTP engine behind each;
/// none for other bots.
///
/// For balanced openings, it first looks for one: an unsuitable komi allows none, and no pair could
/// be played.
pub fn preflight(tournament: &Tournament) -> Result<Vec<Option<String>>, RunError> {
    if tournament.openings == Openings::Balanced {
        find_opening(tournament)?;
    }
    let game = Game::new(tournament.size, tournament.rules());
    let mut programs = Vec::new();
    let mut failures = Vec::new();
    for (number, entrant) in tournament.bots.iter().enumerate() {
        let mut bot = entrant.config.build(mix(tournament.seed, number as u64), None);
        let begun = bot.begin(&game, &format!("preflight-{number}"));
        match begun.map_err(BotFailure::lacking) {
            Ok(()) => {}
            Err(Ok(fault)) => {
                let bot = &entrant.name;
                return Err(RunError::Work(format!("bot {bot}: {fault}")));
            }
            Err(Err(failure)) => {
                failures.push(format!("bot {} cannot play: {failure}", entrant.name));
            }
        }
        programs.push(bot.program().map(str::to_owned));
    }
    if failures.is_empty() { Ok(programs) } else { Err(RunError::Input(failures.join("\n"))) }
}

/// Looks for the opening of the first pair.
fn find_opening(tournament: &Tournament) -> Result<(), RunError> {
    let Tournament { size, komi, opening_plies, .. } = tournament;
    match openings::begin(tournament, &tournament.schedule().plan(0)) {
        Ok(_) => Ok(()),
        Err(BeginError::Memory(lacking)) => Err(lacking.into()),
        Err(fault @ BeginError::NoBalance { .. }) => Err(RunError::Input(format!(
            "{fault}, on {size} with komi {komi} after {opening_plies} plies: choose another \
             komi, opening-plies or openings"
        ))),
    }
}
