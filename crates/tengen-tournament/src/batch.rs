//! Many games on one thread, whose searches share the lanes.
//!
//! A search asks for few playouts at a time, and the lanes play many in lockstep: so
//! a thread keeps several games open. Each game goes as it would alone on a thread,
//! since a search tree depends on its seed only, not on when or in which lane its
//! playouts are played.

use super::config::Tournament;
use super::game::{OpenGame, Step};
use super::schedule::GamePlan;
use tengen_gtp::ResourceFault;
use tengen_results::PlayedGame;
use tengen_search::AnySearch;
use tengen_search::driver::{self, Ended, Host};

/// Plays the games that `next_game` returns, `open` of them at a time, and passes
/// each to `done` when it ends, until `next_game` returns none.
///
/// # Errors
/// If a game cannot be played for lack of a resource: the open games are abandoned.
pub fn play(
    tournament: &Tournament,
    open: usize,
    next_game: impl FnMut() -> Option<GamePlan>,
    done: impl FnMut(PlayedGame),
) -> Result<(), ResourceFault> {
    let games = (0..open).map(|_| None).collect();
    let mut table = Table { tournament, games, next_game, done, fault: None };
    driver::drive(tournament.size, open, &mut table)?;
    table.fault.map_or(Ok(()), Err)
}

/// The open games of a thread, one per slot.
struct Table<'run, N, D> {
    tournament: &'run Tournament,
    games: Vec<Option<OpenGame<'run>>>,
    next_game: N,
    done: D,
    fault: Option<ResourceFault>,
}

impl<N, D> Host for Table<'_, N, D>
where
    N: FnMut() -> Option<GamePlan>,
    D: FnMut(PlayedGame),
{
    /// Continues the game of `slot` until it needs searches, and returns these; a
    /// game that is over is replaced by the next one.
    fn next(&mut self, slot: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
        if let (Some(game), Some(ended)) = (&mut self.games[slot], ended) {
            game.conclude(ended.results, ended.seconds);
        }
        while self.fault.is_none() {
            if self.games[slot].is_none() {
                let plan = (self.next_game)()?;
                self.games[slot] = Some(OpenGame::new(self.tournament, plan));
            }
            match self.games[slot].as_mut()?.advance() {
                Step::Search(searches) => return Some(searches),
                Step::Over => match self.games[slot].take()?.finish() {
                    Ok(played) => (self.done)(played),
                    Err(fault) => self.fault = Some(fault),
                },
            }
        }
        None
    }

    fn is_late(&mut self) -> bool {
        self.fault.is_some()
    }
}
