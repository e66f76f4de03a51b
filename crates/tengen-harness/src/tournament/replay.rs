//! Replays games of a journal, to see whether this program plays them alike.

use super::config::Tournament;
use super::game;
use crate::results::{Entry, GameRow};
use std::collections::BTreeSet;
use tengen_bots::{BotConfig, SideBySide};
use tengen_go::{Color, Move};
use tengen_search::ResourceFault;
use tengen_settings::one_line;
use tengen_sgf::{Overrides, Record};

/// Why this program may not continue a run of another version.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ReplayError {
    /// This program plays a game otherwise.
    #[error("game {game}, {black} against {white}, is not the game that this program plays")]
    Differs {
        /// Number of the game in the schedule.
        game: usize,
        /// The name of the bot that played Black.
        black: String,
        /// The name of the bot that played White.
        white: String,
    },
    /// A resource is lacking, such as memory or processes.
    #[error(transparent)]
    Resource(#[from] ResourceFault),
    /// A bot's games differ each time they are played, so that nothing can be
    /// compared.
    #[error("the games of {bot} go by a clock or by threads and cannot be repeated")]
    Unrepeatable {
        /// The name of the bot.
        bot: String,
    },
}

/// Checks that this program plays like the one that wrote `entries`: plays the first
/// game of each bot of `tournament` again, and compares. For runs of versions that
/// wrote no signatures into the manifest.
///
/// # Errors
/// If a game comes out otherwise, or cannot be played again.
pub fn replay(tournament: &Tournament, entries: &[Entry]) -> Result<(), ReplayError> {
    let schedule = tournament.schedule();
    let tournament = &without_logs(tournament);
    let mut seen = BTreeSet::new();
    let mut in_order: Vec<&Entry> = entries.iter().collect();
    in_order.sort_by_key(|entry| entry.played.row.game);
    for Entry { played, .. } in in_order {
        let row = &played.row;
        if !tournament.is_planned(&schedule, row) {
            // Whoever opens the journal refuses it.
            continue;
        }
        let plan = schedule.plan(row.game);
        if !Color::BOTH.map(|color| seen.insert(plan.bot(color))).contains(&true) {
            continue;
        }
        for color in Color::BOTH {
            let bot = &tournament.bots[plan.bot(color)];
            if !is_repeatable(&bot.config) {
                return Err(ReplayError::Unrepeatable { bot: bot.name.clone() });
            }
        }
        let again = game::play(tournament, &plan)?;
        let moves = |record: &str| moves(record, tournament);
        if *row != as_written(again.row, row) || moves(&played.record) != moves(&again.record) {
            let GameRow { game, black, white, .. } = row.clone();
            return Err(ReplayError::Differs { game, black, white });
        }
    }
    Ok(())
}

/// The tournament without GTP logs, so that those of the first time stay.
fn without_logs(tournament: &Tournament) -> Tournament {
    let mut tournament = tournament.clone();
    for bot in &mut tournament.bots {
        if let BotConfig::Gtp(config) = &mut bot.config {
            config.log = None;
        }
    }
    tournament
}

/// Whether a bot plays the same game again from the same seed. A GTP engine is
/// assumed to: if it does not, the comparison of the games shows it.
fn is_repeatable(config: &BotConfig) -> bool {
    config.side_by_side() != SideBySide::One
}

/// `row` as a journal holds it, with the seconds of `other`, which are not compared.
fn as_written(row: GameRow, other: &GameRow) -> GameRow {
    let reason = one_line(&row.reason).into_owned();
    let (black_seconds, white_seconds) = (other.black_seconds, other.white_seconds);
    GameRow { black_seconds, white_seconds, reason, ..row }
}

fn moves(record: &str, tournament: &Tournament) -> Option<Vec<(Color, Move)>> {
    let rules = Some((tournament.ko, tournament.suicide).into());
    let rules = Overrides { rules, komi: None, size: None };
    let record = Record::read(record, rules).ok()?;
    Some(record.game.moves().collect())
}
