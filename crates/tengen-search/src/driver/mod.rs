//! The driver: it plays the playouts of many searches side by side.
//!
//! ```text
//! for each slot: take its searches from the host
//! while a search may request a playout:
//!     select a leaf in each of these searches            search.select()
//!     play the playouts of their leaves side by side     lanes
//!     update each search with its result                 search.update()
//!     where all searches of a slot are done, or suspended:
//!         give them back to the host, and take the next searches
//! ```
//!
//! A *slot* holds the searches of one move at a time: a single move needs one slot,
//! a tournament one for each game that a thread has open. With four slots of one
//! search each, on four lanes:
//!
//! ```text
//! slot   game             lane
//! 0      9, Black's move  0    playout of simulation 17 of its search
//! 1      12, White's      1    playout of simulation 802
//! 2      14, Black's      2    playout of simulation 3
//! 3      10, Black's      3    playout of simulation 455
//! ```
//!
//! A search has one playout at a time in the lanes unless it allows more
//! ([`Search::playouts_at_once`]), so a thread needs as many searches as lanes to be
//! fast. Which searches share the lanes, and in which order playouts end, changes no
//! result.
//!
//! All lanes play by one [`PlayoutConfig`]; where searches differ in theirs, each
//! configuration has lanes of its own, which run in turn.
//!
//! # Examples
//! ```
//! use tengen_go::{Board, Color, Game, Komi, Preset, Rules};
//! use tengen_search::tree::Tree;
//! use tengen_search::{UctConfig, driver, root_parallel};
//!
//! // Black to move takes three stones at A2.
//! let position = "
//!     . . . . .
//!     X X X . .
//!     O O X . .
//!     . O X . .
//!     . X . . .";
//! let board = Board::from_diagram(position, Color::Black)?;
//! let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
//! let game = Game::from_position(board, rules);
//!
//! let config = UctConfig::default();
//! let tree = || Tree::new(config.extras());
//! let begin = |seed| root_parallel::begin_one(&game, &config, 500, seed, tree());
//! let results = driver::run(game.size(), (0..4).map(begin).collect())?;
//! let (report, _) = root_parallel::report(&game, results, 0.0);
//! assert_eq!((report.counts.simulations, report.moves[0].mv.to_string()), (2_000, "A2".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alone;
mod cpu_times;
mod evaluations;
mod host;
mod memory;
mod queues;
mod steps;
mod watch;

pub use alone::{advance, run, run_watched};
pub use host::{Ended, Host};
pub use memory::{limit_memory, memory_limit};
pub use steps::{Gathered, Steps, Stepwise, steps};
pub use watch::PartSeconds;

use super::leaf_playouts::{play_in_lanes, played};
use super::resource::ResourceFault;
use super::search::{AnySearch, Request, Search, Work};
use crate::clock::Instant;
use crate::spent::{self, Part};
use cpu_times::{Account, CpuTimes};
use evaluations::Evaluations;
use memory::InUse;
use queues::Queues;
use std::cell::RefCell;
use std::time::Duration;
use tengen_go::{RegisteredPanic, Size, with_words};
use tengen_playout::lanes::{Lanes, Ticket, worth_lanes};
use tengen_playout::{Isa, Job, Playout, PlayoutConfig};

/// Number of requests between two checks of the clock.
const CLOCK_INTERVAL: usize = 64;

/// Number of requests between two checks of the memory.
const MEMORY_INTERVAL: usize = 1_024;

/// The number of playouts that a thread plays side by side on boards of `size`.
#[must_use]
pub fn lanes(size: Size) -> usize {
    with_words!(size, W => Lanes::<W>::new(size, Isa::of_program()).lanes())
}

/// Drives the searches of `host`, on boards of `size` and in `slots` slots, until no slot has more
/// searches, or until [`Host::should_stop`] ends all searches.
pub fn drive(size: Size, slots: usize, host: &mut dyn Host) -> Result<(), ResourceFault> {
    with_words!(size, W => Driver::<_, W>::new(size, host).run(slots).map(|_| ()))
}

/// Drives like [`drive`], and returns the seconds of each part of the searches; the time of the
/// host counts as playouts. It is slower than [`drive`], since it reads the clock around every
/// step; the cost of reading the clock is measured first and subtracted.
pub fn drive_watched(
    size: Size,
    slots: usize,
    host: &mut dyn Host,
) -> Result<PartSeconds, ResourceFault> {
    spent::begin();
    let steps = with_words!(size, W => Driver::<_, W>::new(size, host).run(slots));
    let spent = spent::end();
    Ok(PartSeconds::new(spent, steps?))
}

/// The steps summed over all lanes, and summed over the lanes with a game.
#[derive(Clone, Copy, Debug, Default)]
struct LaneSteps {
    all: u64,
    busy: u64,
}

impl LaneSteps {
    fn of<'lanes, const W: usize>(all_lanes: impl Iterator<Item = &'lanes Lanes<W>>) -> Self {
        all_lanes.fold(Self::default(), |sum, lanes| Self {
            all: sum.all + lanes.steps(),
            busy: sum.busy + lanes.busy_steps(),
        })
    }

    /// The share of the steps that lanes without a game made.
    fn waiting_share(self) -> f64 {
        if self.all == 0 { 0.0 } else { 1.0 - self.busy as f64 / self.all as f64 }
    }
}

/// A search that is being driven.
struct Driven<const W: usize> {
    search: Box<dyn Search<W>>,
    slot: usize,
    /// The number of the search among those of the slot.
    number: usize,
    /// The queue in which the search waits while it may request a playout.
    queue: usize,
    account: Account,
}

/// The searches of a slot while at least one has not ended.
struct Batch {
    ended: Vec<Option<AnySearch>>,
    /// The number of searches that have not ended.
    left: usize,
    /// The number of simulations that the searches had made when they began here.
    simulations: u64,
    /// When the searches began: the time, the number of the thread's playouts, and
    /// [`Driver::in_host`].
    began: (Instant, u64, Duration),
    /// CPU time of the searches that have ended, in seconds.
    cpu_seconds: f64,
}

struct Driver<H, const W: usize> {
    host: H,
    size: Size,
    searches: Vec<Option<Driven<W>>>,
    /// Indices in `searches` that are free.
    free: Vec<usize>,
    slots: Vec<Option<Batch>>,
    queues: Queues,
    /// Playouts of the thread so far.
    playouts: u64,
    /// Time that the host has taken so far, in which no search ran: the host may wait for another
    /// program.
    in_host: Duration,
    cpu_times: CpuTimes,
    requests: usize,
    /// The memory of the searches, at the last check.
    memory: InUse,
    is_stopped: bool,
    failure: Option<ResourceFault>,
}

/// The number of simulations that `searches` have begun.
fn simulations_of(searches: &[AnySearch]) -> u64 {
    searches.iter().map(|search| search.simulations()).sum()
}

/// A ticket is the index of a search times this, plus the number of the simulation.
const SIMULATIONS: u64 = 1 << 32;

impl<H: Host, const W: usize> Driver<H, W> {
    fn new(size: Size, host: H) -> Self {
        Self {
            host,
            size,
            searches: Vec::new(),
            free: Vec::new(),
            slots: Vec::new(),
            queues: Queues::default(),
            playouts: 0,
            in_host: Duration::ZERO,
            cpu_times: CpuTimes::default(),
            requests: 0,
            memory: InUse::default(),
            is_stopped: false,
            failure: None,
        }
    }

    /// Takes the first searches of each of `slots` slots from the host.
    fn open(&mut self, slots: usize) {
        self.slots.resize_with(slots, || None);
        for slot in 0..slots {
            self.go_on(slot, None);
        }
    }

    /// Drives until all searches have ended, and returns the steps of the lanes.
    fn run(mut self, slots: usize) -> Result<LaneSteps, ResourceFault> {
        self.cpu_times.start(slots);
        self.open(slots);
        // The lanes and evaluators of each queue.
        let mut all_lanes: Vec<Option<Lanes<W>>> = Vec::new();
        let mut evaluators: Vec<Option<Evaluations<W>>> = Vec::new();
        while !self.is_stopped {
            let Some(queue) = self.queues.longest() else {
                match self.host.wake(true) {
                    Some(slot) => self.go_on(slot, None),
                    None => break,
                }
                continue;
            };
            self.cpu_times.resume();
            let playout_config = match self.queues.work(queue) {
                Work::Playouts(config) => *config,
                Work::Evaluations(named, playouts) => {
                    let (named, playouts) = (named.clone(), *playouts);
                    evaluators.resize_with(evaluators.len().max(queue + 1), || None);
                    let done = match &mut evaluators[queue] {
                        Some(by) => self.evaluate(queue, by),
                        none => {
                            let made = Evaluations::new(&named, self.size, playouts);
                            made.map(|by| *none = Some(by))
                        }
                    };
                    if let Err(error) = done {
                        self.failure = Some(error.into());
                        break;
                    }
                    self.cpu_times.end(queue);
                    continue;
                }
            };
            if self.playouts_at_once(queue) < worth_lanes(playout_config) {
                self.play_one_by_one(queue, playout_config);
                self.cpu_times.end(queue);
                continue;
            }
            all_lanes.resize_with(all_lanes.len().max(queue + 1), || None);
            let size = self.size;
            let driver = RefCell::new(&mut self);
            play_in_lanes(
                &mut all_lanes[queue],
                (size, playout_config),
                || driver.borrow_mut().next_job(queue),
                |ticket, playout| driver.borrow_mut().take(ticket, playout),
            );
            self.cpu_times.end(queue);
        }
        self.end_all();
        let steps = LaneSteps::of(all_lanes.iter().flatten());
        self.failure.map_or(Ok(steps), Err)
    }

    /// The number of playouts that the searches of a queue may have in flight at once.
    fn playouts_at_once(&self, queue: usize) -> usize {
        let of_queue = self.searches.iter().flatten().filter(|driven| driven.queue == queue);
        of_queue.map(|driven| driven.search.playouts_at_once()).sum()
    }

    /// Plays scalar playouts, one after the other, for the few searches of a queue, until
    /// the queue has more searches or no requests.
    fn play_one_by_one(&mut self, queue: usize, playout_config: PlayoutConfig) {
        let searches = self.queues.searches(queue);
        while let Some((ticket, job)) = self.next_job(queue) {
            self.take(ticket, played(playout_config, &job));
            if self.queues.searches(queue) > searches {
                return;
            }
            // Each search makes at least one simulation before time is up.
            if self.requests >= self.searches.len() && self.host.should_stop() {
                self.is_stopped = true;
                return;
            }
        }
    }

    /// The next playout that a search of the queue requests.
    fn next_job(&mut self, queue: usize) -> Option<(Ticket, Job<W>)> {
        let within = spent::enter(Part::Selection);
        let request = self.select(queue);
        drop(within);
        match request? {
            (index, Request::Playout { simulation, job }) => {
                Some((Ticket(index as u64 * SIMULATIONS + simulation), job))
            }
            _ => None,
        }
    }

    /// The next request of a search of the queue for a playout or an evaluation, and the index of
    /// the search.
    #[allow(clippy::inline_always)] // a request holds a board: a call would copy it once more
    #[inline(always)]
    fn select(&mut self, queue: usize) -> Option<(usize, Request<W>)> {
        self.requests = self.requests.wrapping_add(1);
        if self.requests.is_multiple_of(CLOCK_INTERVAL.max(2 * self.searches.len())) {
            self.is_stopped |= self.host.should_stop();
        }
        if self.requests.is_multiple_of(MEMORY_INTERVAL) {
            self.look_at_memory();
        }
        while !self.is_stopped {
            let index = self.queues.pop(queue)?;
            let Some(driven) = &mut self.searches[index] else { continue };
            let timed = self.cpu_times.begin_step();
            let request = driven.search.select();
            self.cpu_times.end_step(queue, &mut driven.account, timed);
            match request {
                request @ (Request::Playout { .. } | Request::Evaluation { .. }) => {
                    if driven.search.playouts_at_once() > 1 {
                        // The search may have another request at once.
                        self.queues.push(queue, index);
                    }
                    return Some((index, request));
                }
                Request::Pause => {
                    self.queues.push(queue, index);
                    self.is_stopped |= self.host.should_stop();
                }
                Request::Wait => {}
                Request::Done => self.end(index),
            }
        }
        None
    }

    /// Hands the result of a playout to its search, or ends the search if its policy panicked.
    #[allow(clippy::inline_always)] // the result holds a playout: a call would copy it once more
    #[inline(always)]
    fn take(&mut self, ticket: Ticket, playout: Result<Playout<W>, RegisteredPanic>) {
        let _within = spent::enter(Part::Update);
        let index = usize::try_from(ticket.0 / SIMULATIONS).unwrap_or(usize::MAX);
        self.playouts += 1;
        if let Some(driven) = &mut self.searches[index] {
            match playout {
                Ok(playout) => {
                    let Driven { search, queue, account, .. } = driven;
                    self.cpu_times.work(*queue, account, u64::from(playout.plies));
                    let timed = self.cpu_times.begin_step();
                    search.update(ticket.0 % SIMULATIONS, &playout);
                    self.cpu_times.end_step(*queue, account, timed);
                }
                Err(panic) => driven.search.fail(ticket.0 % SIMULATIONS, panic),
            }
            self.queues.push(driven.queue, index);
        }
    }

    /// Checks the memory of the searches, and ends them all if it exceeds the limit.
    fn look_at_memory(&mut self) {
        let bytes = self.searches.iter().flatten().map(|driven| driven.search.bytes()).sum();
        let searches = self.searches.len() - self.free.len();
        if let Err(failure) = self.memory.change(bytes, searches) {
            self.failure = Some(failure);
            self.is_stopped = true;
        }
    }

    /// Removes a search that is done or suspended; if it was the last of its slot, gives the slot's
    /// searches to the host.
    fn end(&mut self, index: usize) {
        let Some(Driven { search, slot, number, queue, account }) = self.searches[index].take()
        else {
            return;
        };
        self.cpu_times.count(queue);
        self.queues.leave(queue);
        self.free.push(index);
        let Some(batch) = &mut self.slots[slot] else { return };
        batch.ended[number] = Some(AnySearch::of(search));
        batch.cpu_seconds += self.cpu_times.of_search(queue, &account);
        batch.left -= 1;
        if batch.left == 0 {
            let ended = self.ended(slot);
            self.go_on(slot, ended);
            while let Some(woken) = self.host.wake(false) {
                self.go_on(woken, None);
            }
            self.cpu_times.resume();
        }
    }

    /// The searches of a slot, which have all ended.
    fn ended(&mut self, slot: usize) -> Option<Ended> {
        let Batch { ended, simulations, began, cpu_seconds, .. } = self.slots[slot].take()?;
        let searches: Vec<AnySearch> = ended.into_iter().flatten().collect();
        let own = simulations_of(&searches) - simulations;
        let all = (self.playouts - began.1).max(1);
        let share = (own as f64 / all as f64).min(1.0);
        let elsewhere = self.in_host.saturating_sub(began.2);
        let seconds = began.0.elapsed().saturating_sub(elsewhere).as_secs_f64() * share;
        let cpu_seconds = self.cpu_times.are_known().then_some(cpu_seconds.max(0.0));
        Some(Ended { searches, seconds, cpu_seconds })
    }

    /// Hands the searches of a slot that have ended to the host and begins the slot's next searches.
    fn go_on(&mut self, slot: usize, ended: Option<Ended>) {
        let asked = Instant::now();
        let searches = self.host.next(slot, ended);
        self.in_host += asked.elapsed();
        let Some(searches) = searches else { return };
        let count = searches.len();
        self.slots[slot] = Some(Batch {
            ended: (0..count).map(|_| None).collect(),
            left: count,
            simulations: simulations_of(&searches),
            began: (Instant::now(), self.playouts, self.in_host),
            cpu_seconds: 0.0,
        });
        for (number, search) in searches.into_iter().enumerate() {
            let search = search.of_words::<W>();
            let queue = self.queues.join(search.work());
            let index = self.free.pop().unwrap_or_else(|| {
                self.searches.push(None);
                self.queues.grow(self.searches.len());
                self.searches.len() - 1
            });
            let account = self.cpu_times.open(queue);
            self.searches[index] = Some(Driven { search, slot, number, queue, account });
            self.queues.push(queue, index);
        }
    }

    /// Gives the searches that are left to the host when time is up. No playout is in the
    /// lanes then.
    fn end_all(&mut self) {
        if self.failure.is_some() {
            return;
        }
        for index in 0..self.searches.len() {
            let Some(Driven { search, slot, number, queue, account }) = self.searches[index].take()
            else {
                continue;
            };
            if let Some(batch) = &mut self.slots[slot] {
                batch.ended[number] = Some(AnySearch::of(search));
                batch.cpu_seconds += self.cpu_times.of_search(queue, &account);
            }
        }
        for slot in 0..self.slots.len() {
            if let Some(ended) = self.ended(slot) {
                self.host.next(slot, Some(ended));
            }
        }
    }
}
