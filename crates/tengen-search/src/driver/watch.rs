//! Time measurement of a driver: the shares of selection, playouts and update.

use crate::clock::Instant;
use crate::prior::spent;
use std::time::Duration;

/// The shares of selection, playouts and update in the time of a search, which add up to 1, and that of
/// the priors in it.
///
/// # Examples
/// ```
/// use tengen_go::{Game, Komi, Preset, Rules, Size};
/// use tengen_search::{UctConfig, driver, root_parallel};
///
/// let size = Size::square(5)?;
/// let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// let searches = root_parallel::begin(&game, &UctConfig::default(), 1, Vec::new());
/// let (_, shares) = driver::run_watched(size, searches)?;
/// let all = shares.selection + shares.playout + shares.update;
/// assert!((all - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// Selection and expansion, with the preparation of the playout.
    pub selection: f64,
    /// The part of `selection` that computes priors.
    pub prior: f64,
    /// Playouts, with loading the lanes and scoring.
    pub playout: f64,
    /// Update: backing results up.
    pub update: f64,
}

/// Measures the time of every step, or nothing.
pub struct Clock {
    /// Seconds that one reading of the clock takes; `None` if nothing is measured.
    reading: Option<f64>,
    began: Instant,
    step: Instant,
    selection: Duration,
    update: Duration,
    steps: u32,
}

impl Clock {
    /// A clock that measures nothing.
    pub fn off() -> Self {
        let (now, none) = (Instant::now(), Duration::ZERO);
        Self { reading: None, began: now, step: now, selection: none, update: none, steps: 0 }
    }

    /// A clock that first measures what one of its readings costs.
    pub fn new() -> Self {
        const READINGS: u32 = 10_000;
        let began = Instant::now();
        for _ in 0..READINGS {
            std::hint::black_box(Instant::now());
        }
        let reading = began.elapsed().as_secs_f64() / f64::from(READINGS);
        Self { reading: Some(reading), ..Self::off() }
    }

    /// Begins the whole.
    pub fn begin(&mut self) {
        if self.reading.is_some() {
            spent::begin();
        }
        self.began = Instant::now();
    }

    /// Begins a selection or an update.
    pub fn begin_step(&mut self) {
        if self.reading.is_some() {
            self.step = Instant::now();
        }
    }

    /// Ends a selection.
    pub fn end_selection(&mut self) {
        if self.reading.is_some() {
            self.selection += self.step.elapsed();
            self.steps += 1;
        }
    }

    /// Ends an update.
    pub fn end_update(&mut self) {
        if self.reading.is_some() {
            self.update += self.step.elapsed();
            self.steps += 1;
        }
    }

    /// The shares of the time since the begin.
    pub fn shares(&self) -> Shares {
        let all = self.began.elapsed();
        // Two readings of the clock surround a step or the priors of a position, and the time of
        // about one of them is counted to it. Half of all steps are selections, half are updates.
        let reading = self.reading.unwrap_or(0.0);
        let inside = reading * f64::from(self.steps) / 2.0;
        let priors = spent::end();
        let inside_priors = reading * f64::from(priors.positions);
        shares(
            (self.selection.as_secs_f64() - inside - 2.0 * inside_priors).max(0.0),
            (priors.time.as_secs_f64() - inside_priors).max(0.0),
            (self.update.as_secs_f64() - inside).max(0.0),
            (all.as_secs_f64() - 4.0 * inside - 2.0 * inside_priors).max(0.0),
        )
    }
}

/// The shares of `selection`, `prior` (a part of it) and `update` seconds in `all` seconds; the rest is
/// playouts.
fn shares(selection: f64, prior: f64, update: f64, all: f64) -> Shares {
    let all = all.max(selection + update).max(f64::MIN_POSITIVE);
    Shares {
        selection: selection / all,
        prior: prior.min(selection) / all,
        update: update / all,
        playout: (all - selection - update) / all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_make_a_whole() {
        let parts = shares(1.0, 0.5, 2.0, 8.0);
        assert_eq!((parts.selection, parts.playout, parts.update), (0.125, 0.625, 0.25));
        assert_eq!(parts.prior, 0.0625);
        let odd = shares(3.0, 4.0, 1.0, 2.0);
        assert_eq!(odd.prior, odd.selection);
        assert_eq!((odd.selection, odd.playout, odd.update), (0.75, 0.0, 0.25));
    }
}
