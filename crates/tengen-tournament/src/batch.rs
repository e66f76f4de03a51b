//! Many games on one thread, whose searches share the lanes.
//!
//! A search asks for one playout at a time, and the lanes play many: so a
//! thread keeps several games open. Each game is the one that it would be by
//! itself, since a tree depends on its seed alone and not on who plays its
//! playouts when.

use super::config::Tournament;
use super::game::{OpenGame, Step};
use super::schedule::GamePlan;
use tengen_gtp::ResourceFault;
use tengen_results::PlayedGame;
use tengen_search::AnySearch;
use tengen_search::driver::{self, Ended, Host};

/// Plays the games that `next_game` names and hands each to `done` as it ends,
/// until `next_game` has none. So many are open at once.
///
/// # Errors
/// If a game lacks something: those at hand are given up.
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

/// The open games of a thread, a slot for each.
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
    /// Plays on in a slot until its game needs searches; a game that is over
    /// makes room for the next.
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
