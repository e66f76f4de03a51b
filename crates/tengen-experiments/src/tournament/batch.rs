//! Many games on one thread, whose searches share the lanes.
//!
//! A search asks for few playouts at a time, and the lanes play many in lockstep: so
//! a thread keeps several games open. Each game goes as it would alone on a thread,
//! since a search tree depends on its seed only, not on when or in which lane its
//! playouts are played.

use super::config::Tournament;
use super::effort::Spent;
use super::game::{OpenGame, Step};
use super::searches::PlayedGame;
use super::supply::Next;
use tengen_search::driver::{self, Ended, Host};
use tengen_search::{AnySearch, ResourceFault};

/// Plays the games that `next_game` returns, `open` of them at a time, and passes
/// each to `done` when it ends, until `next_game` returns [`Next::Done`]. The argument
/// of `next_game` is whether it may block until there is a game. Once `is_abandoned` says so, or
/// a game lacks a resource, the open games are abandoned.
pub fn play(
    tournament: &Tournament,
    open: usize,
    next_game: impl FnMut(bool) -> Next,
    is_abandoned: &dyn Fn() -> bool,
    done: impl FnMut(PlayedGame),
) -> Result<(), ResourceFault> {
    let games = (0..open).map(|_| None).collect();
    let (idle, is_over) = (Vec::new(), false);
    let fault = None;
    let mut table =
        Table { tournament, games, idle, is_over, next_game, is_abandoned, done, fault };
    driver::drive(tournament.size, open, &mut table)?;
    table.fault.map_or(Ok(()), Err)
}

/// The open games of a thread, one per slot.
struct Table<'run, N, D> {
    tournament: &'run Tournament,
    games: Vec<Option<OpenGame<'run>>>,
    /// Slots that wait for a game.
    idle: Vec<usize>,
    is_over: bool,
    next_game: N,
    is_abandoned: &'run dyn Fn() -> bool,
    done: D,
    fault: Option<ResourceFault>,
}

impl<'run, N: FnMut(bool) -> Next, D> Table<'run, N, D> {
    fn is_halted(&self) -> bool {
        self.fault.is_some() || (self.is_abandoned)()
    }

    /// The next game, if there is one now.
    fn begin(&mut self, may_wait: bool) -> Option<OpenGame<'run>> {
        if self.is_over {
            return None;
        }
        match (self.next_game)(may_wait) {
            Next::Game(planned) => Some(OpenGame::new(self.tournament, *planned)),
            Next::Later => None,
            Next::Done => {
                self.is_over = true;
                None
            }
        }
    }
}

impl<N, D> Host for Table<'_, N, D>
where
    N: FnMut(bool) -> Next,
    D: FnMut(PlayedGame),
{
    /// Continues the game of `slot` until it needs searches, and returns these; a
    /// game that is over is replaced by the next one.
    fn next(&mut self, slot: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
        // A search that ends now may have been stopped: no move follows from it.
        if self.is_halted() {
            return None;
        }
        if let (Some(game), Some(ended)) = (&mut self.games[slot], ended) {
            let spent = Spent { seconds: ended.seconds, cpu_seconds: ended.cpu_seconds };
            game.conclude(ended.results(), spent);
        }
        while !self.is_halted() {
            if self.games[slot].is_none() {
                self.games[slot] = self.begin(false);
            }
            let Some(game) = &mut self.games[slot] else {
                self.idle.push(slot);
                return None;
            };
            match game.advance() {
                Step::Search(searches) => return Some(searches),
                Step::Moved => {}
                Step::Over => match self.games[slot].take()?.finish() {
                    Ok(played) => (self.done)(played),
                    Err(fault) => self.fault = Some(fault),
                },
            }
        }
        None
    }

    fn wake(&mut self, is_idle: bool) -> Option<usize> {
        if self.is_halted() || self.idle.is_empty() {
            return None;
        }
        let game = self.begin(is_idle)?;
        let slot = self.idle.pop()?;
        self.games[slot] = Some(game);
        Some(slot)
    }

    fn should_stop(&mut self) -> bool {
        self.is_halted()
    }
}
