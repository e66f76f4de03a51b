//! How much time of a thread each part of its searches takes, while this is measured.
//!
//! ```text
//! selection   ────         ────────
//! expansion       ──    ───
//! prior             ────
//! playouts                         ────────
//! update                                   ────
//! ```
//!
//! Each moment belongs to one part, the innermost entered: the time of expansion excludes the time
//! of the priors that it needs.

use crate::clock::Instant;
use std::cell::RefCell;
use std::hint::black_box;

/// A part of what a driver does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Everything outside the other parts: playouts, the loading of lanes and the reading of
    /// results.
    Playouts,
    Selection,
    Expansion,
    Prior,
    Update,
}

/// Number of parts.
const PARTS: usize = Part::Update as usize + 1;

/// Seconds by part.
pub type Spent = [f64; PARTS];

struct Stopwatch {
    /// Seconds from one reading of the clock to the next with nothing between them.
    reading: f64,
    /// The parts' nanoseconds, and the numbers of their intervals.
    nanoseconds: [u128; PARTS],
    intervals: [u32; PARTS],
    /// The part of the present interval, and the start of the interval.
    part: Part,
    since: Instant,
}

thread_local! {
    /// None while nothing is measured.
    static STOPWATCH: RefCell<Option<Stopwatch>> = const { RefCell::new(None) };
}

impl Stopwatch {
    fn new(reading: f64) -> Self {
        Self {
            reading,
            nanoseconds: [0; PARTS],
            intervals: [0; PARTS],
            part: Part::Playouts,
            since: Instant::now(),
        }
    }

    /// Ends the present interval and begins one of `part`. Returns the part of the ended interval.
    fn switch(&mut self, part: Part) -> Part {
        let now = Instant::now();
        self.nanoseconds[self.part as usize] += now.duration_since(self.since).as_nanos();
        self.intervals[self.part as usize] += 1;
        self.since = now;
        std::mem::replace(&mut self.part, part)
    }
}

/// A guard: until it is dropped, time belongs to the entered part.
pub struct Within(Option<Part>);

impl Drop for Within {
    #[inline]
    fn drop(&mut self) {
        if let Some(before) = self.0 {
            switch(before);
        }
    }
}

fn switch(part: Part) -> Option<Part> {
    STOPWATCH.with_borrow_mut(|stopwatch| stopwatch.as_mut().map(|it| it.switch(part)))
}

/// Enters `part`: time belongs to it until the guard is dropped, if this thread measures time.
/// WebAssembly never measures, to keep its module small.
#[inline]
pub fn enter(part: Part) -> Within {
    let is_measured = !cfg!(target_family = "wasm") && STOPWATCH.with_borrow(Option::is_some);
    Within(if is_measured { switch(part) } else { None })
}

/// Starts measuring time on this thread. First measures the cost of entering and leaving a part:
/// the least of several trials, since other programs may interrupt one.
pub fn begin() {
    const TIMES: u32 = 20;
    const ENTERED: u32 = 500;
    let start = |reading| STOPWATCH.set(Some(Stopwatch::new(reading)));
    start(0.0);
    let once = |_| {
        let began = Instant::now();
        for _ in 0..ENTERED {
            black_box(enter(Part::Update));
        }
        began.elapsed().as_secs_f64() / f64::from(2 * ENTERED)
    };
    start((0..TIMES).map(once).fold(f64::INFINITY, f64::min));
}

/// Stops measuring, and returns the time since [`begin`] was called on this thread, without the
/// cost of measuring.
pub fn end() -> Spent {
    let Some(mut stopwatch) = STOPWATCH.take() else { return [0.0; PARTS] };
    stopwatch.switch(Part::Playouts);
    let Stopwatch { reading, nanoseconds, intervals, .. } = stopwatch;
    #[allow(clippy::cast_precision_loss)] // a share needs no more
    let seconds = |part: usize| {
        (nanoseconds[part] as f64 / 1e9 - reading * f64::from(intervals[part])).max(0.0)
    };
    std::array::from_fn(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const WAIT: Duration = Duration::from_millis(2);

    #[test]
    fn a_moment_belongs_to_the_innermost_part_alone() {
        let wait = || std::thread::sleep(WAIT);
        let prior = || {
            let _within = enter(Part::Prior);
            wait();
        };
        prior();
        let began = Instant::now();
        begin();
        {
            let _within = enter(Part::Selection);
            wait();
            prior();
            wait();
            prior();
        }
        wait();
        let spent = end();
        let whole = began.elapsed().as_secs_f64();
        prior();
        // A little less than slept: the cost of the clock is taken off.
        let slept = |times: f64| 0.95 * times * WAIT.as_secs_f64();
        assert!(spent[Part::Selection as usize] > slept(2.0), "{spent:?}");
        assert!(spent[Part::Prior as usize] > slept(2.0), "{spent:?}");
        assert!(spent[Part::Playouts as usize] > slept(1.0), "{spent:?}");
        assert_eq!((spent[Part::Update as usize], spent[Part::Expansion as usize]), (0.0, 0.0));
        assert!(spent.iter().sum::<f64>() <= whole, "{spent:?} of {whole}");
        assert_eq!(end(), [0.0; PARTS], "nothing is measured any longer");
    }

    #[test]
    fn the_cost_of_the_clock_is_taken_off() {
        let (mut left, mut whole) = (f64::INFINITY, f64::INFINITY);
        // Other programs may interrupt some of these.
        for _ in 0..50 {
            begin();
            let began = Instant::now();
            for _ in 0..1_000 {
                black_box(enter(Part::Expansion));
            }
            whole = whole.min(began.elapsed().as_secs_f64());
            left = left.min(end()[Part::Expansion as usize]);
        }
        // Half of the time belongs to expansion, and nearly all of this half is the clock's.
        assert!(left < whole / 5.0, "{left} of {whole}");
    }
}
