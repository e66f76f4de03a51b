//! The clock of one player: main time, then Canadian byo-yomi, as in the GTP
//! command `time_settings`.

use super::config::ClockConfig;
use std::time::Duration;

/// The time that a player has left.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use tengen_gtp::{Clock, ClockConfig, TimeUp};
///
/// let mut clock = Clock::new(ClockConfig { main: 60, period: 30, stones: 10 });
/// assert_eq!(clock.spend(Duration::from_secs(20)), Ok(()));
/// assert_eq!(clock.time_left(), "40 0");
/// assert_eq!(clock.spend(Duration::from_secs(45)), Ok(()));
/// assert_eq!(clock.time_left(), "25 9");
/// assert_eq!(clock.spend(Duration::from_secs(26)), Err(TimeUp));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    settings: ClockConfig,
    phase: Phase,
}

/// The phase of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// In the main time, with so much of it left.
    Main(Duration),
    /// In a byo-yomi period.
    Period {
        /// Time left in the period.
        left: Duration,
        /// Number of moves still to be made in the period.
        stones: u32,
    },
}

/// A player's clock has run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeUp;

impl Clock {
    /// The clock at the first move.
    #[must_use]
    pub fn new(settings: ClockConfig) -> Self {
        let main = Duration::from_secs(settings.main.into());
        let clock = Self { settings, phase: Phase::Main(main) };
        if main.is_zero() { Self { phase: clock.next_period(), ..clock } } else { clock }
    }

    fn period(&self) -> Duration {
        Duration::from_secs(self.settings.period.into())
    }

    fn next_period(&self) -> Phase {
        Phase::Period { left: self.period(), stones: self.settings.stones }
    }

    /// The longest time that the next move may take.
    #[must_use]
    pub fn left(&self) -> Duration {
        match self.phase {
            Phase::Main(left) => left + self.period(),
            Phase::Period { left, .. } => left,
        }
    }

    /// Takes the `time` of one move off the clock.
    pub fn spend(&mut self, time: Duration) -> Result<(), TimeUp> {
        if time > self.left() {
            return Err(TimeUp);
        }
        let (left, stones, time) = match self.phase {
            Phase::Main(left) if time <= left && (time < left || self.settings.period == 0) => {
                self.phase = Phase::Main(left.saturating_sub(time));
                return Ok(());
            }
            // The move that leaves the main time is the first of the period.
            Phase::Main(left) => (self.period(), self.settings.stones, time.saturating_sub(left)),
            Phase::Period { left, stones } => (left, stones, time),
        };
        self.phase = match stones.saturating_sub(1) {
            0 => self.next_period(),
            stones => Phase::Period { left: left.saturating_sub(time), stones },
        };
        Ok(())
    }

    /// The arguments of the GTP command `time_settings`: main time, period, stones.
    #[must_use]
    pub fn time_settings(&self) -> String {
        let ClockConfig { main, period, stones } = self.settings;
        format!("{main} {period} {stones}")
    }

    /// The time and stones of the GTP command `time_left`: whole seconds, rounded
    /// down, and 0 stones in main time.
    #[must_use]
    pub fn time_left(&self) -> String {
        match self.phase {
            Phase::Main(left) => format!("{} 0", left.as_secs()),
            Phase::Period { left, stones } => format!("{} {stones}", left.as_secs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn absolute_time_ends() {
        let mut clock = Clock::new(ClockConfig { main: 10, period: 0, stones: 0 });
        assert_eq!((clock.left(), clock.time_settings().as_str()), (seconds(10), "10 0 0"));
        clock.spend(seconds(4)).unwrap();
        assert_eq!(clock.time_left(), "6 0");
        clock.spend(seconds(6)).unwrap();
        assert_eq!((clock.left(), clock.time_left().as_str()), (seconds(0), "0 0"));
        assert_eq!(clock.spend(seconds(1)), Err(TimeUp));
    }

    #[test]
    fn a_period_begins_anew_after_its_stones() {
        let mut clock = Clock::new(ClockConfig { main: 10, period: 6, stones: 3 });
        clock.spend(seconds(9)).unwrap();
        assert_eq!(clock.left(), seconds(7));
        clock.spend(seconds(3)).unwrap();
        assert_eq!(clock.time_left(), "4 2");
        clock.spend(seconds(1)).unwrap();
        assert_eq!(clock.time_left(), "3 1");
        assert_eq!(clock.spend(Duration::from_millis(3_001)), Err(TimeUp));
        clock.spend(seconds(3)).unwrap();
        assert_eq!(clock.time_left(), "6 3");
    }

    #[test]
    fn there_need_be_no_main_time() {
        let mut clock = Clock::new(ClockConfig { main: 0, period: 5, stones: 1 });
        for _ in 0..9 {
            assert_eq!((clock.left(), clock.time_left().as_str()), (seconds(5), "5 1"));
            clock.spend(seconds(5)).unwrap();
        }
        // The last second of the main time is spent to the end.
        let mut clock = Clock::new(ClockConfig { main: 2, period: 5, stones: 1 });
        clock.spend(seconds(2)).unwrap();
        assert_eq!(clock.time_left(), "5 1");
    }
}
