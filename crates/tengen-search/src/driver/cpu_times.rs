//! The CPU time of searches that share a thread.
//!
//! The clock of the thread tells the time of all searches of a queue together. It is divided by what
//! each search did:
//!
//! ```text
//! time of a search = time of its own steps in its tree          one step in 61 is timed
//!                  + plies of its playouts × price of a ply      the rest of the queue's time
//!                                                                / the plies of the queue
//! ```
//!
//! A ply of a playout costs all searches of a queue alike, since one configuration plays all of the
//! queue's playouts, in lockstep. Steps in the tree (selection, expansion, update) cost what the
//! settings of a search make them cost, and are measured for each search alone. A timed step counts
//! 61 times, and the rest is the queue's time without the timed steps, so that the times of the
//! searches add up to the time of the thread. The timed steps of a game leave an error of some per
//! cent in the time of a game, which averages out over the games of a match.
//!
//! Steps are timed by the wall clock, which costs a tenth of the thread's clock and does not enter the
//! system. An interruption would count 61 times: so no step counts for more than [`LONGEST`] mean steps.

use crate::clock::Instant;
use tengen_system::thread_cpu_seconds;

/// One step in this many is timed: 0.1 µs of clock in about 61 steps of 0.5 µs. A prime number, so
/// that searches that take turns are timed equally often.
const INTERVAL: u32 = 61;

/// The longest step, in mean steps. A selection that meets many ends of the game makes many
/// simulations, and may take that long.
const LONGEST: f64 = 64.0;

/// The mean step in seconds before the first, and the number of timed steps that it weighs as much as.
const FIRST_MEAN: (f64, u32) = (1e-6, 16);

/// Trials that measure the cost of reading the clock: the least counts, since other programs may
/// interrupt one.
const TRIALS: usize = 16;

/// The CPU time of a queue without the timed steps, in seconds, and its units of work.
#[derive(Clone, Copy, Debug, Default)]
struct Shared {
    seconds: f64,
    units: u64,
}

/// What a search has used of its thread.
#[derive(Debug, Default)]
pub struct Account {
    /// Seconds of its steps in the tree, as the timed steps estimate them.
    own: f64,
    /// Units of its work: plies of its playouts, or evaluated leaves.
    units: u64,
    /// The totals of its queue when the search began.
    began: Shared,
}

/// The CPU time of the thread, by queue.
#[derive(Debug, Default)]
pub struct CpuTimes {
    are_known: bool,
    /// Seconds from one reading of the clock to the next, with nothing between them.
    reading: f64,
    /// Steps until one is timed; 0 if none is.
    countdown: u32,
    /// The sum of the timed steps in seconds, and their number.
    steps: (f64, u32),
    queues: Vec<Shared>,
    /// When the present work on a queue began, or was last counted; none between two works, and where
    /// the time is not known.
    since: Option<f64>,
}

impl CpuTimes {
    /// Begins to count, for the searches of `slots` slots. The searches of a single slot have all of
    /// the time, and no step is timed.
    pub fn start(&mut self, slots: usize) {
        self.are_known = thread_cpu_seconds().is_some();
        if slots < 2 || !self.are_known {
            return;
        }
        let once = |_| {
            let before = Instant::now();
            Instant::now().duration_since(before).as_secs_f64()
        };
        self.reading = (0..TRIALS).map(once).fold(f64::INFINITY, f64::min);
        self.steps = (FIRST_MEAN.0 * f64::from(FIRST_MEAN.1), FIRST_MEAN.1);
        self.countdown = INTERVAL;
    }

    /// Whether CPU times are counted.
    pub const fn are_known(&self) -> bool {
        self.are_known
    }

    /// Begins work on a queue, or continues it after the host has taken its turn.
    pub fn resume(&mut self) {
        self.since = if self.are_known { thread_cpu_seconds() } else { None };
    }

    /// Counts the time since the work on `queue` began or was last counted.
    pub fn count(&mut self, queue: usize) {
        if let Some((since, now)) = self.since.zip(thread_cpu_seconds()) {
            self.of(queue).seconds += now - since;
            self.since = Some(now);
        }
    }

    /// Ends the work on `queue`.
    pub fn end(&mut self, queue: usize) {
        self.count(queue);
        self.since = None;
    }

    /// The account of a search that joins `queue`.
    pub fn open(&mut self, queue: usize) -> Account {
        let shared = self.of(queue);
        let began = *shared;
        // A search without any playout has some share, too.
        shared.units += 1;
        Account { began, own: 0.0, units: 1 }
    }

    /// The CPU time of a search of `queue` since its account was opened, up to the last
    /// [`CpuTimes::count`], in seconds: an estimate, which may fall below zero for a short search.
    pub fn of_search(&mut self, queue: usize, account: &Account) -> f64 {
        let (began, now) = (account.began, *self.of(queue));
        let share = account.units as f64 / (now.units - began.units).max(1) as f64;
        account.own + share * (now.seconds - began.seconds)
    }

    /// Notes that a search of `queue` has had `units` of work done.
    #[inline]
    pub fn work(&mut self, queue: usize, account: &mut Account, units: u64) {
        account.units += units;
        if let Some(shared) = self.queues.get_mut(queue) {
            shared.units += units;
        }
    }

    /// The time now, if the next step in a tree is one of those that are timed.
    #[inline]
    pub fn begin_step(&mut self) -> Option<Instant> {
        if self.countdown == 0 {
            return None;
        }
        self.countdown -= 1;
        if self.countdown > 0 {
            return None;
        }
        self.countdown = INTERVAL;
        Some(Instant::now())
    }

    /// Ends the step of a search of `queue` for which [`CpuTimes::begin_step`] returned `began`.
    #[inline]
    pub fn end_step(&mut self, queue: usize, account: &mut Account, began: Option<Instant>) {
        if let Some(began) = began {
            self.timed(queue, account, began);
        }
    }

    #[cold]
    fn timed(&mut self, queue: usize, account: &mut Account, began: Instant) {
        let step = Instant::now().duration_since(began).as_secs_f64() - self.reading;
        let (sum, count) = &mut self.steps;
        let step = step.min(LONGEST * *sum / f64::from(*count));
        *sum += step;
        *count += 1;
        let seconds = f64::from(INTERVAL) * step;
        account.own += seconds;
        self.of(queue).seconds -= seconds;
    }

    fn of(&mut self, queue: usize) -> &mut Shared {
        if queue >= self.queues.len() {
            self.queues.resize_with(queue + 1, Shared::default);
        }
        &mut self.queues[queue]
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
