//! Plays the games of a tournament, many at once.

use super::config::Tournament;
use super::play;
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
            while !stop.load(Ordering::Relaxed) {
                let Some(&game) = due.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let played = play::play(tournament, &schedule.plan(game));
                if sender.send(played).is_err() {
                    break;
                }
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
