//! Plays the games of a tournament, many at once.

use super::config::Tournament;
use super::{batch, play};
use crate::gtp::ResourceFault;
use crate::run::PlayedGame;
use crate::search::driver;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Plays the games `due` of `tournament`, begun in that order, on `threads`
/// threads, and hands each to `finished` as it ends.
///
/// Once `stop` is true no further game is begun; those at hand are played to
/// their end. An error of `finished` has the same effect and is returned. So
/// has a game that cannot be played for want of something: it is not handed on.
///
/// # Errors
/// If the threads cannot be started, what a game lacks, or what `finished`
/// says.
pub fn run<E: From<ResourceFault>>(
    tournament: &Tournament,
    threads: usize,
    due: &[usize],
    stop: &AtomicBool,
    mut finished: impl FnMut(PlayedGame) -> Result<(), E>,
) -> Result<(), E> {
    let schedule = tournament.schedule();
    // A thread without a game would only cost the time to start it.
    let threads = threads.min(due.len()).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|why| ResourceFault::threads(threads, why))?;
    let next = AtomicUsize::new(0);
    let next = &next;
    let schedule = &schedule;
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope(|scope| {
        // Each thread takes the next game when it is free: games end nearly in
        // the order of the schedule. The last thread to leave drops the
        // sender, which ends the loop below.
        scope.spawn_broadcast(move |_, _| {
            let next_game = || {
                let is_stopped = stop.load(Ordering::Relaxed);
                let place = (!is_stopped).then(|| next.fetch_add(1, Ordering::Relaxed))?;
                due.get(place).map(|&game| schedule.plan(game))
            };
            // The receiver outlives the threads: nothing is lost.
            let done = |played: Result<PlayedGame, ResourceFault>| {
                if played.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
                drop(sender.send(played));
            };
            if tournament.bots.iter().all(|bot| bot.config.shares_a_thread()) {
                let share = due.len().div_ceil(threads);
                let open = open_games(share, driver::lanes(tournament.size));
                if let Err(fault) = batch::play(tournament, open, next_game, |game| done(Ok(game)))
                {
                    done(Err(fault));
                }
            } else {
                std::iter::from_fn(next_game).for_each(|plan| done(play::play(tournament, &plan)));
            }
        });
        let mut result = Ok(());
        let mut lacking = None;
        for played in receiver {
            match played {
                Ok(played) if result.is_ok() => result = finished(played),
                Ok(_) => {}
                // The games at hand may well lack the same.
                Err(fault) => lacking = lacking.or(Some(fault)),
            }
            if result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        result.and(lacking.map_or(Ok(()), |fault| Err(fault.into())))
    })
}

/// How many of its `games` a thread of so many lanes has open at once.
///
/// Games that are all open at once also end at once: a run that is killed early
/// would keep none of them. Half of the lanes are nearly as fast as all, so that
/// a thread of few games keeps to those; results do not depend on it.
fn open_games(games: usize, lanes: usize) -> usize {
    (games / 4).clamp(lanes / 2, lanes).min(games).max(1)
}

#[cfg(test)]
mod tests {
    use super::open_games;

    #[test]
    fn few_games_are_not_all_open_at_once() {
        let open = [1, 10, 20, 100, 120, 1_000].map(|games| open_games(games, 32));
        assert_eq!(open, [1, 10, 16, 25, 30, 32]);
    }
}
