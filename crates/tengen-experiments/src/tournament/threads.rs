//! Plays the games of a tournament on several threads.

use super::blocks::Games;
use super::config::Tournament;
use super::searches::PlayedGame;
use super::supply::{Next, PlannedGame};
use super::{batch, game};
use crate::run::blocks::{Blocks, Source, dispatch};
use crate::run::{Concurrency, RunError};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use tengen_bots::{NamedBot, SideBySide};
use tengen_search::{ResourceFault, catch_fault, driver, on_threads};

/// How long a thread without a game sleeps before it asks again.
const NAP: Duration = Duration::from_millis(2);

/// The numbers of the games still to be played, in order: an iterator, since a
/// schedule may have more games than a list in memory.
pub struct Due<'a> {
    /// The numbers.
    pub numbers: Box<dyn Iterator<Item = usize> + Send + 'a>,
    /// How many numbers there are.
    pub games: usize,
    /// Whether the searches of the moves are kept.
    pub keeps_searches: bool,
    /// The end of the test, if there is one: once the test is decided no further game is begun, and
    /// games that have begun are abandoned, since none of them counts.
    pub end: Option<End<'a>>,
}

/// The end of a sequential test.
#[derive(Clone, Copy)]
pub struct End<'a> {
    /// True once the test is decided.
    pub is_decided: &'a AtomicBool,
    /// Games with smaller numbers certainly count.
    pub certain: &'a AtomicUsize,
}

impl<'a> Due<'a> {
    /// The games with these `numbers`, `games` of them.
    pub fn new(games: usize, numbers: impl Iterator<Item = usize> + Send + 'a) -> Self {
        Self { numbers: Box::new(numbers), games, keeps_searches: false, end: None }
    }
}

impl<'a> From<&'a [usize]> for Due<'a> {
    fn from(numbers: &'a [usize]) -> Self {
        Self::new(numbers.len(), numbers.iter().copied())
    }
}

/// Plays the games `due` of `tournament`, begun in that order, and passes each to `finished`
/// when it ends, on the thread that played it and before that thread plays on.
///
/// Once `stop` is true no further game is begun, and open games are dropped. An error of
/// `finished`, or a game that cannot be played for lack of a resource, has the same effect, and the
/// error is returned.
pub fn play_games<'a, E: From<ResourceFault> + Send>(
    tournament: &Tournament,
    concurrency: impl Into<Concurrency<'a>>,
    due: impl Into<Due<'a>>,
    stop: &AtomicBool,
    finished: impl FnMut(PlayedGame) -> Result<(), E> + Send,
) -> Result<(), E> {
    let schedule = tournament.schedule();
    let Due { numbers, games, keeps_searches, end } = due.into();
    let numbers = Mutex::new(numbers);
    let (taken, next) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let next_game = |_| {
        let mut numbers = numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = numbers.next().map(|game| schedule.plan(game));
        if let Some(plan) = &plan {
            taken.fetch_add(1, Ordering::Relaxed);
            next.store(plan.game + 1, Ordering::Relaxed);
        }
        let planned = |plan| PlannedGame { keeps_searches, ..PlannedGame::of(tournament, plan) };
        plan.map_or(Next::Done, |plan| Next::Game(Box::new(planned(plan))))
    };
    let expected = || match end {
        Some(end) => {
            let certain = end.certain.load(Ordering::Relaxed);
            certain.saturating_sub(next.load(Ordering::Relaxed))
        }
        None => games - taken.load(Ordering::Relaxed),
    };
    let supply = Supply { games, next_game: &next_game, keeps_searches, end, expected: &expected };
    play_until(tournament, concurrency.into(), &supply, stop, finished)
}

/// Plays the games that `next_game` returns, as [`play_games`] does: up to `games` at once, under
/// the settings of `tournament`, whose bots need the most resources. The argument of `next_game` is
/// whether it may wait until it has a game: it must then end waiting once `stop` is true.
pub fn play_supplied<'a, E: From<ResourceFault> + Send>(
    tournament: &Tournament,
    concurrency: impl Into<Concurrency<'a>>,
    games: usize,
    next_game: &(dyn Fn(bool) -> Next + Sync),
    stop: &AtomicBool,
    finished: impl FnMut(PlayedGame) -> Result<(), E> + Send,
) -> Result<(), E> {
    let expected = || games;
    let supply = Supply { games, next_game, keeps_searches: false, end: None, expected: &expected };
    play_until(tournament, concurrency.into(), &supply, stop, finished)
}

/// Plays the games `planned`, in their order, as [`play_games`] does.
pub fn play_planned<'a, E: From<ResourceFault> + Send>(
    tournament: &Tournament,
    concurrency: impl Into<Concurrency<'a>>,
    planned: Vec<PlannedGame>,
    stop: &AtomicBool,
    finished: impl FnMut(PlayedGame) -> Result<(), E> + Send,
) -> Result<(), E> {
    let count = planned.len();
    let games = Mutex::new(planned.into_iter());
    let next_game = |_| {
        let next = games.lock().unwrap_or_else(PoisonError::into_inner).next();
        next.map_or(Next::Done, |planned| Next::Game(Box::new(planned)))
    };
    play_supplied(tournament, concurrency, count, &next_game, stop, finished)
}

/// Where the games come from, and when there are enough.
struct Supply<'a> {
    /// Number of games that may be played at once.
    games: usize,
    next_game: &'a (dyn Fn(bool) -> Next + Sync),
    keeps_searches: bool,
    end: Option<End<'a>>,
    /// Estimate of the games still to begin: with a sequential test those that certainly count, else the rest of
    /// the schedule, or the games that may be played at once.
    expected: &'a (dyn Fn() -> usize + Sync),
}

/// [`play_supplied`], until the test is decided ([`Due::end`]).
fn play_until<E: From<ResourceFault> + Send>(
    tournament: &Tournament,
    concurrency: Concurrency<'_>,
    supply: &Supply<'_>,
    stop: &AtomicBool,
    finished: impl FnMut(PlayedGame) -> Result<(), E> + Send,
) -> Result<(), E> {
    let Concurrency { threads, games_per_thread, blocks } = concurrency;
    if let Some(blocks) = blocks {
        return play_in_blocks(tournament, blocks, supply, stop, finished);
    }
    let &Supply { games, next_game, end, expected, .. } = supply;
    let is_decided = end.map(|end| end.is_decided);
    // A thread without a game would only cost the time to start it.
    let threads = threads.min(games).min(games_in_memory(tournament)).max(1);
    let open = AtomicUsize::new(0);
    let kept = Mutex::new(Kept { finished, failed: Ok(()), lacking: None });
    let done = |played: Result<PlayedGame, ResourceFault>| {
        open.fetch_sub(usize::from(played.is_ok()), Ordering::Relaxed);
        if !kept.lock().unwrap_or_else(PoisonError::into_inner).keep(played) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    // Each thread takes the next game when it is free: games end nearly in the order of
    // the schedule.
    let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
    let is_abandoned = || is_set(stop) || is_decided.is_some_and(is_set);
    let next_game = |may_wait| loop {
        if is_abandoned() {
            return Next::Done;
        }
        // Beyond the games of a sequential test that certainly count, few games are begun.
        if end.is_none() || expected() > 0 || open.load(Ordering::Relaxed) < 2 * threads {
            let next = next_game(may_wait);
            open.fetch_add(usize::from(matches!(next, Next::Game(_))), Ordering::Relaxed);
            return next;
        }
        if !may_wait {
            return Next::Later;
        }
        thread::sleep(NAP);
    };
    on_threads(threads, |_| {
        let played = catch_fault(|| {
            // Games of a sequential test that come after its decision are played in vain.
            let few = is_decided.map_or(usize::MAX, |_| driver::lanes(tournament.size));
            let share = games.div_ceil(threads).min(few);
            let Some(most) = open_at_once(tournament, games_per_thread, share) else {
                while let Next::Game(planned) = next_game(true) {
                    let played = game::play_planned(tournament, *planned, &is_abandoned);
                    if let Some(played) = played.transpose() {
                        done(played);
                    }
                }
                return Ok(());
            };
            let fit = (games_in_memory(tournament) / threads).max(1);
            let open = most.min(fit);
            batch::play(tournament, open, next_game, &is_abandoned, |game| done(Ok(game)))
        });
        if let Err(fault) = played.flatten() {
            done(Err(fault));
        }
    })?;
    let Kept { failed, lacking, .. } = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.and(lacking.map_or(Ok(()), |fault| Err(fault.into())))
}

/// Has other processes play the games.
fn play_in_blocks<E: From<ResourceFault> + Send>(
    tournament: &Tournament,
    blocks: &Blocks,
    supply: &Supply<'_>,
    stop: &AtomicBool,
    finished: impl FnMut(PlayedGame) -> Result<(), E> + Send,
) -> Result<(), E> {
    let &Supply { next_game, keeps_searches, end, expected, .. } = supply;
    let units = Games::new(tournament, keeps_searches).map_err(RunError::into_fault)?;
    let source = Source {
        next: &|| match next_game(false) {
            Next::Game(planned) => Some(*planned),
            Next::Later | Next::Done => None,
        },
        is_over: &|| end.is_some_and(|end| end.is_decided.load(Ordering::Relaxed)),
        expected,
    };
    dispatch(blocks, &units, &source, stop, finished)
}

/// Keeps the finished games of all threads. A thread passes its game on before it plays another,
/// and waits if the disk is slower than the games: no finished game waits in memory.
struct Kept<F, E> {
    finished: F,
    /// The first error of `finished`.
    failed: Result<(), E>,
    /// The first lack of a resource: other open games may fail for the same.
    lacking: Option<ResourceFault>,
}

impl<E, F: FnMut(PlayedGame) -> Result<(), E>> Kept<F, E> {
    /// Passes `played` on, and returns whether more games are to be played.
    fn keep(&mut self, played: Result<PlayedGame, ResourceFault>) -> bool {
        match played {
            Ok(played) if self.failed.is_ok() => self.failed = (self.finished)(played),
            Ok(_) => {}
            Err(fault) => self.lacking = self.lacking.take().or(Some(fault)),
        }
        self.failed.is_ok() && self.lacking.is_none()
    }
}

/// Number of games that a thread with `share` games of `tournament` has open at once, before the
/// limit of memory; none if it plays one after the other.
fn open_at_once(tournament: &Tournament, games_per_thread: usize, share: usize) -> Option<usize> {
    let lanes = driver::lanes(tournament.size);
    match tournament.side_by_side() {
        SideBySide::Any => Some(open_games(share, lanes)),
        SideBySide::PerProcess if games_per_thread > 1 => {
            Some(games_per_thread.min(open_games(share, lanes)))
        }
        SideBySide::PerProcess | SideBySide::One => None,
    }
}

/// Most games that may be open at once so that their search trees stay within the
/// memory limit.
fn games_in_memory(tournament: &Tournament) -> usize {
    let most = |bot: &NamedBot| bot.config.max_bytes(tournament.size);
    let largest = tournament.bots.iter().filter_map(most).max().unwrap_or(0).max(1);
    usize::try_from(driver::memory_limit() as u64 / largest).unwrap_or(usize::MAX)
}

/// Number of games that a thread with `games` games and `lanes` lanes has open at once.
///
/// Games that are all open at once also end at once: a run that is killed early
/// would keep none of them. Filling half of the lanes is nearly as fast as filling
/// all, so a thread with few games opens only that many. No result depends on it.
fn open_games(games: usize, lanes: usize) -> usize {
    (games / 4).clamp(lanes / 2, lanes).min(games).max(1)
}

#[cfg(test)]
mod tests {
    use super::{Due, End, open_at_once, open_games, play_games};
    use crate::tournament::Tournament;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;
    use tengen_search::{ResourceFault, driver};

    fn tournament(text: &str) -> Tournament {
        text.parse::<Tournament>().unwrap()
    }

    /// The numbers of `games`, of which it is noted how many have `begun`.
    fn noted(games: usize, begun: &AtomicUsize) -> impl Iterator<Item = usize> + Send {
        (0..games).inspect(move |_| {
            begun.fetch_add(1, Ordering::Relaxed);
        })
    }

    #[test]
    fn no_finished_game_waits_in_memory() {
        for threads in [1, 2] {
            let tournament =
                tournament("size = '3x3'\npairs = 200\nbot = ['a=random', 'b=random']");
            let games = 400;
            let begun = AtomicUsize::new(0);
            let (mut kept, mut most) = (0, 0);
            let due = Due::new(games, noted(games, &begun));
            let stop = AtomicBool::new(false);
            let played = play_games(&tournament, threads, due, &stop, |_| {
                // A disk that is slower than the games.
                thread::sleep(Duration::from_micros(200));
                most = most.max(begun.load(Ordering::Relaxed) - kept);
                kept += 1;
                Ok::<(), ResourceFault>(())
            });
            assert_eq!((played, kept), (Ok(()), games));
            let open = open_at_once(&tournament, 1, games / threads).unwrap();
            assert!(
                most <= threads * open,
                "{most} games were open or finished, {threads} threads"
            );
        }
    }

    #[test]
    fn no_game_is_played_on_once_all_is_decided() {
        for bot in ["random", "uct:simulations=20", "uct:seconds=0.001"] {
            let tournament = tournament(&format!("size = '5x5'\nbot = ['a={bot}', 'b=two-ply']"));
            let (begun, is_decided) = (AtomicUsize::new(0), AtomicBool::new(false));
            let mut finished = 0;
            let end = End { is_decided: &is_decided, certain: &AtomicUsize::new(90) };
            let due = Due { end: Some(end), ..Due::new(90, noted(90, &begun)) };
            let played = play_games(&tournament, 1, due, &AtomicBool::new(false), |_| {
                finished += 1;
                is_decided.store(finished == 3, Ordering::Relaxed);
                Ok::<(), ResourceFault>(())
            });
            let open =
                open_at_once(&tournament, 1, 1).map_or(1, |_| driver::lanes(tournament.size) / 2);
            assert_eq!((played, finished), (Ok(()), 3), "{bot}");
            let begun = begun.load(Ordering::Relaxed);
            assert!(begun <= 3 + open, "{bot}: {begun} games begun, {open} open at once");
        }
    }

    /// Games that a sequential test with the seed `seed` begins, and those that count.
    fn begun_and_counted(seed: u64, threads: usize) -> (usize, usize) {
        let text = format!(
            "size = '5x5'\nseed = {seed}\nbot = ['a=uct:simulations=60', 'b=uct:simulations=20']\n\
             [sprt]\nelo0 = 0\nelo1 = 60"
        );
        let tournament = tournament(&text);
        let games = tournament.schedule().games();
        let begun = AtomicUsize::new(0);
        let (is_decided, certain) = (AtomicBool::new(false), AtomicUsize::new(0));
        let end = Some(End { is_decided: &is_decided, certain: &certain });
        let due = Due { end, ..Due::new(games, noted(games, &begun)) };
        let mut counted = tournament.no_games();
        certain.store(counted.certain_games(), Ordering::Relaxed);
        play_games(&tournament, threads, due, &AtomicBool::new(false), |played| {
            counted.insert(played.row);
            certain.store(counted.certain_games(), Ordering::Relaxed);
            is_decided.store(counted.is_decided(), Ordering::Relaxed);
            Ok::<(), ResourceFault>(())
        })
        .unwrap();
        (begun.load(Ordering::Relaxed), counted.count())
    }

    #[test]
    fn a_sequential_test_begins_few_games_in_vain() {
        for (seed, threads) in [(0, 1), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)] {
            // While a thread waits for the processor, the others begin games that may not count: so
            // several threads may try again.
            let tries = (0..threads).map(|_| begun_and_counted(seed, threads));
            let in_vain = tries.map(|(begun, counted)| begun - counted).min().unwrap();
            assert!(in_vain <= 2 * threads + 2, "{in_vain} games in vain, {threads} threads");
        }
    }

    #[test]
    fn few_games_are_not_all_open_at_once() {
        let open = [1, 10, 20, 100, 120, 1_000].map(|games| open_games(games, 32));
        assert_eq!(open, [1, 10, 16, 25, 30, 32]);
    }

    #[test]
    fn the_bot_that_allows_the_fewest_games_decides() {
        let open = |bots: &str, games_per_thread, share| {
            let tournament = tournament(&format!("size = '5x5'\nbot = [{bots}]"));
            open_at_once(&tournament, games_per_thread, share)
        };
        let any = open("'uct', 'random'", 1, 1_000);
        assert!(any >= Some(8), "{any:?}");
        assert_eq!(open("'uct', 'random'", 4, 1_000), any);
        assert_eq!(open("'uct', 'gtp:engine'", 4, 1_000), Some(4));
        assert_eq!(open("'uct', 'gtp:engine'", 4, 3), Some(3));
        assert_eq!(open("'uct', 'gtp:engine'", 1_000, 1_000), any);
        assert_eq!(open("'uct', 'gtp:engine'", 1, 1_000), None);
        assert_eq!(open("'gtp:engine', 'uct:seconds=1'", 4, 1_000), None);
        assert_eq!(open("'uct:seconds=1', 'random'", 4, 1_000), None);
    }
}
