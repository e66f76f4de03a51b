//! Plays the games of a tournament, many at once.

use super::config::Tournament;
use super::play;
use crate::run::GameRow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Plays all games of `tournament` on `threads` threads.
///
/// `finished` is told of every game in the order in which they end, `in_order`
/// is handed every row in the order of the schedule, as soon as all before it
/// are there. An error of `in_order` ends the tournament after the games at
/// hand.
///
/// # Errors
/// If the threads cannot be started, or what `in_order` says.
pub fn run<E: From<rayon::ThreadPoolBuildError>>(
    tournament: &Tournament,
    threads: usize,
    mut finished: impl FnMut(&GameRow),
    mut in_order: impl FnMut(&GameRow) -> Result<(), E>,
) -> Result<(), E> {
    let schedule = tournament.schedule();
    let games = schedule.games();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope(|scope| {
        // Games are handed out in order, one at a time to each thread: the
        // rows then come nearly in order too.
        scope.spawn_broadcast(|_, _| {
            let sender = sender.clone();
            while !stopped.load(Ordering::Relaxed) {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= games {
                    break;
                }
                let row = play::play(tournament, &schedule.plan(game));
                if sender.send(row).is_err() {
                    break;
                }
            }
        });
        let mut early = BTreeMap::new();
        let mut due = 0;
        while due < games {
            let Ok(row) = receiver.recv() else { break };
            finished(&row);
            early.insert(row.game, row);
            while let Some(row) = early.remove(&due) {
                if let Err(error) = in_order(&row) {
                    stopped.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                due += 1;
            }
        }
        Ok(())
    })
}
