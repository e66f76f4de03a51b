//! Plays the games of a tournament, many at once.

use super::config::Tournament;
use super::{play, together};
use crate::go::with_words;
use crate::run::PlayedGame;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Plays the games `due` of `tournament`, begun in that order, on `threads`
/// threads, and hands each to `finished` as it ends.
///
/// Once `stop` is true no further game is begun; those at hand are played to
/// their end. An error of `finished` has the same effect and is returned.
///
/// # Errors
/// If the threads cannot be started, or what `finished` says.
pub fn run<E: From<rayon::ThreadPoolBuildError>>(
    tournament: &Tournament,
    threads: usize,
    due: &[usize],
    stop: &AtomicBool,
    mut finished: impl FnMut(PlayedGame) -> Result<(), E>,
) -> Result<(), E> {
    let schedule = tournament.schedule();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
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
            let done = |played| drop(sender.send(played));
            if tournament.bots.iter().all(|bot| bot.config.shares_a_thread()) {
                let most = due.len().div_ceil(threads);
                let size = tournament.size;
                with_words!(size, W => together::play::<W>(tournament, most, next_game, done));
            } else {
                std::iter::from_fn(next_game).for_each(|plan| done(play::play(tournament, &plan)));
            }
        });
        let mut result = Ok(());
        for played in receiver {
            if result.is_ok() {
                result = finished(played);
            }
            if result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        result
    })
}
