//! Many games on one thread, whose searches share the lanes.
//!
//! A search asks for one playout at a time, and the lanes play many: so a
//! thread keeps as many games open as there are lanes. Each game is the one
//! that it would be by itself, since a tree depends on its seed alone and not
//! on who plays its playouts when.
//!
//! Lanes play in one manner. Where the bots' playouts differ, a thread has
//! lanes for each manner and runs them in turn: while those of one run, the
//! games that need another wait.

use super::config::Tournament;
use super::play::{OpenGame, Step};
use super::schedule::GamePlan;
use crate::playout::lanes::{Lanes, Ticket};
use crate::playout::{Isa, Job, Manner, Playout};
use crate::run::PlayedGame;
use crate::search::UctConfig;
use crate::search::root_parallel::{Finished, Task};
use crate::search::uct::{Request, Search};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Instant;

/// A ticket holds the place of a game, the number of a worker and, in the lower
/// 32 bits, the number of a simulation.
const SIMULATIONS: u64 = 1 << 32;
const WORKERS: u64 = 1 << 16;

/// A game and the searches of the move that it waits for.
struct Place<'run, const W: usize> {
    open: OpenGame<'run>,
    searches: Vec<Option<Search<W>>>,
    /// How their playouts go.
    manner: Manner,
    finished: Vec<Option<Finished>>,
    /// Searches that have not ended.
    left: usize,
    /// When they began, by the clock and by the thread's simulations.
    began: (Instant, u64),
}

/// The open games of a thread.
struct Table<'run, const W: usize, N, D> {
    tournament: &'run Tournament,
    places: Vec<Option<Place<'run, W>>>,
    /// Searches that may ask for a playout, place and worker, by manner.
    ready: Vec<(Manner, VecDeque<(usize, usize)>)>,
    next_game: N,
    done: D,
    /// Playouts of the thread so far.
    simulations: u64,
}

/// Plays the games that `next_game` names, many at once, and hands each to
/// `done` as it ends, until `next_game` has none. At most `most` are open at
/// once.
pub fn play<const W: usize>(
    tournament: &Tournament,
    most: usize,
    next_game: impl FnMut() -> Option<GamePlan>,
    done: impl FnMut(PlayedGame),
) {
    // A variable that names no instruction set is refused before the run.
    let isa = Isa::from_environment().unwrap_or_else(|_| Isa::fastest());
    let usual = Manner::default();
    let lanes = Lanes::<W>::with_manner(tournament.size, isa, usual);
    let open = lanes.lanes().min(most).max(1);
    let mut all_lanes = vec![(usual, lanes)];
    let table = RefCell::new(Table {
        tournament,
        places: (0..open).map(|_| None).collect(),
        ready: Vec::new(),
        next_game,
        done,
        simulations: 0,
    });
    for place in 0..open {
        table.borrow_mut().open_next(place);
    }
    loop {
        let Some(manner) = table.borrow().waiting() else { return };
        let place = all_lanes.iter().position(|(of, _)| *of == manner).unwrap_or_else(|| {
            all_lanes.push((manner, Lanes::with_manner(tournament.size, isa, manner)));
            all_lanes.len() - 1
        });
        all_lanes[place].1.run(
            || table.borrow_mut().next_job(manner),
            |ticket, playout| table.borrow_mut().take(ticket, &playout),
        );
    }
}

impl<'run, const W: usize, N, D> Table<'run, W, N, D>
where
    N: FnMut() -> Option<GamePlan>,
    D: FnMut(PlayedGame),
{
    /// Puts the next game that needs a search at `place`, if there is one.
    fn open_next(&mut self, place: usize) {
        while let Some(plan) = (self.next_game)() {
            let mut open = OpenGame::new(self.tournament, plan);
            match open.advance() {
                Step::Over => (self.done)(open.into_played()),
                Step::Search(tasks, config) => {
                    self.seat(place, open, tasks, &config);
                    return;
                }
            }
        }
    }

    /// Puts a game and the searches that it waits for at `place`.
    fn seat(&mut self, place: usize, open: OpenGame<'run>, tasks: Vec<Task>, config: &UctConfig) {
        let manner = config.manner(open.game().rules().komi);
        let workers = tasks.len();
        self.queue(manner).extend((0..workers).map(|worker| (place, worker)));
        let begin = |task: Task| Some(task.begin(open.game(), config));
        let searches = tasks.into_iter().map(begin).collect();
        self.places[place] = Some(Place {
            open,
            searches,
            manner,
            finished: (0..workers).map(|_| None).collect(),
            left: workers,
            began: (Instant::now(), self.simulations),
        });
    }

    /// The searches that may ask for a playout in `manner`.
    fn queue(&mut self, manner: Manner) -> &mut VecDeque<(usize, usize)> {
        let place = self.ready.iter().position(|(of, _)| *of == manner).unwrap_or_else(|| {
            self.ready.push((manner, VecDeque::new()));
            self.ready.len() - 1
        });
        &mut self.ready[place].1
    }

    /// The manner in which most searches wait for a playout; none if all games
    /// are over.
    fn waiting(&self) -> Option<Manner> {
        let waiting = self.ready.iter().filter(|(_, queue)| !queue.is_empty());
        waiting.max_by_key(|(_, queue)| queue.len()).map(|(manner, _)| *manner)
    }

    /// The next playout in `manner` that a search wants.
    fn next_job(&mut self, manner: Manner) -> Option<(Ticket, Job<W>)> {
        while let Some((number, worker)) = self.queue(manner).pop_front() {
            let Some(place) = &mut self.places[number] else { continue };
            let Some(search) = &mut place.searches[worker] else { continue };
            match search.select() {
                Request::Playout { simulation, job } => {
                    if search.playouts_at_once() > 1 {
                        self.queue(manner).push_back((number, worker));
                    }
                    let ticket = (number as u64 * WORKERS + worker as u64) * SIMULATIONS;
                    return Some((Ticket(ticket + simulation), job));
                }
                Request::Wait => {}
                Request::Pause => self.queue(manner).push_back((number, worker)),
                Request::Done => {
                    place.finished[worker] = place.searches[worker].take().map(Finished::from);
                    place.left -= 1;
                    if place.left == 0 {
                        self.go_on(number);
                    }
                }
            }
        }
        None
    }

    /// Hands the result of a playout to its search.
    fn take(&mut self, ticket: Ticket, playout: &Playout<W>) {
        let (seat, simulation) = (ticket.0 / SIMULATIONS, ticket.0 % SIMULATIONS);
        let number = usize::try_from(seat / WORKERS).unwrap_or(usize::MAX);
        let worker = usize::try_from(seat % WORKERS).unwrap_or(usize::MAX);
        self.simulations += 1;
        let Some(place) = &mut self.places[number] else { return };
        if let Some(search) = &mut place.searches[worker] {
            search.update(simulation, playout);
            let manner = place.manner;
            self.queue(manner).push_back((number, worker));
        }
    }

    /// Makes the move of a game whose searches have ended, and those after it
    /// up to the next search; a game that is over makes room for the next.
    fn go_on(&mut self, number: usize) {
        let Some(Place { mut open, finished, began, .. }) = self.places[number].take() else {
            return;
        };
        let finished: Vec<Finished> = finished.into_iter().flatten().collect();
        let own: u64 = finished.iter().map(Finished::simulations).sum();
        // A player's seconds are its share of the thread's time, by playouts.
        let all = (self.simulations - began.1).max(1);
        let share = (own as f64 / all as f64).min(1.0);
        open.conclude(finished, began.0.elapsed().as_secs_f64() * share);
        match open.advance() {
            Step::Search(tasks, config) => self.seat(number, open, tasks, &config),
            Step::Over => {
                (self.done)(open.into_played());
                self.open_next(number);
            }
        }
    }
}
