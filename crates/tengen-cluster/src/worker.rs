//! A worker: a core of some speed that comes, stalls and goes.

use super::settings::Workers;
use rand::RngExt;
use rand_distr::{Distribution, Exp, LogNormal};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Seconds per hour.
pub const HOUR: f64 = 3_600.0;

/// A worker. All times are in seconds since the tournament began.
#[derive(Clone, Debug)]
pub struct Worker {
    settings: Workers,
    random: Xoshiro256PlusPlus,
    /// Work per second.
    pub speed: f64,
    /// When the present stay began and will end; infinite while the worker is away.
    pub stay: (f64, f64),
}

/// The time of a job on a worker, stalls included.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The stalls: after how many seconds without stalls, and for how long.
    stalls: Vec<(f64, f64)>,
}

impl Worker {
    /// A worker with the random stream of `seed`, and when it comes first.
    pub fn new(settings: Workers, seed: u64) -> (Self, f64) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let speeds = LogNormal::new(0.0, settings.log_speed_deviation);
        let own_speed = speeds.map_or(1.0, |law| law.sample(&mut random));
        let mut worker =
            Self { settings, random, speed: own_speed, stay: (f64::INFINITY, f64::INFINITY) };
        let Workers { hours_present, hours_absent, .. } = settings;
        // How long a worker has been here or away does not change how long it remains so.
        let is_here = worker.random.random_bool(hours_present / (hours_present + hours_absent));
        let arrival = if is_here { 0.0 } else { worker.absence() };
        (worker, arrival)
    }

    fn hours(&mut self, mean: f64) -> f64 {
        Exp::new(1.0 / mean).map_or(mean, |times| times.sample(&mut self.random)) * HOUR
    }

    /// Draws how long the worker is away.
    pub fn absence(&mut self) -> f64 {
        self.hours(self.settings.hours_absent)
    }

    /// The worker comes at `now`; draws how long it stays.
    pub fn come(&mut self, now: f64) {
        self.stay = (now, now + self.hours(self.settings.hours_present));
    }

    /// Draws the stalls of the next `seconds`.
    pub fn stretch(&mut self, seconds: f64) -> Stretch {
        let Workers { hours_between_stalls, hours_stalled, .. } = self.settings;
        let mut stalls = Vec::new();
        let mut working = self.hours(hours_between_stalls);
        let mut stalled = 0.0;
        while working + stalled < seconds {
            let stall = self.hours(hours_stalled);
            stalls.push((working, stall));
            stalled += stall;
            working += self.hours(hours_between_stalls);
        }
        Stretch { stalls }
    }
}

impl Stretch {
    /// The seconds without stalls in the first `seconds`.
    pub fn working(&self, seconds: f64) -> f64 {
        let mut stalled = 0.0;
        for &(at, stall) in &self.stalls {
            if at + stalled >= seconds {
                break;
            }
            if at + stalled + stall >= seconds {
                return at;
            }
            stalled += stall;
        }
        seconds - stalled
    }

    /// The seconds until `working` seconds without stalls are over.
    pub fn elapsed(&self, working: f64) -> f64 {
        let before = self.stalls.iter().take_while(|(at, _)| *at < working);
        working + before.map(|(_, stall)| stall).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Workers = Workers {
        log_speed_deviation: 0.3,
        hours_present: 3.0,
        hours_absent: 1.0,
        hours_between_stalls: 2.0,
        hours_stalled: 0.5,
        lanes: 32,
    };

    #[test]
    fn stalls_stretch_the_time() {
        let stretch = Stretch { stalls: vec![(10.0, 5.0), (20.0, 1.0)] };
        let times = [(5.0, 5.0), (10.0, 10.0), (15.0, 20.0), (20.0, 25.0), (30.0, 36.0)];
        for (working, elapsed) in times {
            assert_eq!(stretch.elapsed(working), elapsed);
            assert_eq!(stretch.working(elapsed), working);
        }
        assert_eq!(stretch.working(12.0), 10.0, "within the first stall");
    }

    #[test]
    fn workers_are_as_their_settings_say() {
        let workers: Vec<(Worker, f64)> =
            (0..4_000).map(|seed| Worker::new(SETTINGS, seed)).collect();
        let here = workers.iter().filter(|(_, arrival)| *arrival == 0.0).count();
        // Three in four, and five standard deviations.
        assert!((2_863..3_137).contains(&here), "{here}");
        let mean = workers.iter().map(|(worker, _)| worker.speed.ln()).sum::<f64>() / 4_000.0;
        assert!(mean.abs() < 0.025, "{mean}");
        let mut worker = workers[0].0.clone();
        let stretch = worker.stretch(10_000.0 * HOUR);
        // Of 2.5 hours the worker works 2.
        let working = stretch.working(10_000.0 * HOUR) / HOUR;
        assert!((7_700.0..8_300.0).contains(&working), "{working}");
    }
}
