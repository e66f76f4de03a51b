//! The clocks of both players, and the time that a move may take.

use std::time::Duration;
use tengen_go::Color;

/// The time limits of a game, equal for both players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeSettings {
    /// No limit.
    None,
    /// Main time, then periods (byo-yomi).
    Periods {
        /// Main time, in seconds.
        main: f64,
        /// A period, in seconds; with 0 there are no periods after the main time.
        period: f64,
        /// Stones per period, or number of periods.
        count: u32,
        /// What `count` counts.
        kind: Periods,
    },
    /// Main time, to which every move adds some.
    Fischer {
        /// Main time, in seconds.
        main: f64,
        /// What a move adds, in seconds.
        increment: f64,
        /// What may be left after a move, in seconds; may be infinite.
        most: f64,
        /// What a move may take, in seconds; may be infinite.
        per_move: f64,
    },
}

/// What is counted in byo-yomi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Periods {
    /// The stones that are to be played in each period.
    Canadian,
    /// Periods of one move each: a move within its period does not use it up.
    Japanese,
}

/// The time left to a player.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Left {
    seconds: f64,
    /// Stones of the period, or periods; 0 in main time.
    stones: u32,
}

/// The clocks of both players.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    settings: TimeSettings,
    /// By [`Color::index`].
    left: [Left; 2],
    /// The largest overrun seen, in seconds: how much longer than planned a move took. Each later
    /// move forgets a part of it. A property of the machine, it outlives games and settings.
    overrun: f64,
}

/// The part of the time for a move that is kept back for other work of the machine: the least and
/// the most seconds.
const RESERVE: (f64, f64) = (0.3, 2.0);

/// The share of an overrun that is left after a move without one: half after 14 moves.
const MEMORY: f64 = 0.95;

impl Clocks {
    /// Full clocks.
    pub fn new(settings: TimeSettings) -> Self {
        Self { settings, left: [Self::full(settings); 2], overrun: 0.0 }
    }

    fn full(settings: TimeSettings) -> Left {
        match settings {
            TimeSettings::None => Left { seconds: 0.0, stones: 0 },
            TimeSettings::Periods { main: 0.0, period, count, .. } => {
                Left { seconds: period, stones: count }
            }
            TimeSettings::Periods { main, .. } | TimeSettings::Fischer { main, .. } => {
                Left { seconds: main, stones: 0 }
            }
        }
    }

    /// Fills the clocks.
    pub fn reset(&mut self) {
        self.restart(self.settings);
    }

    /// Fills the clocks by other settings.
    pub fn restart(&mut self, settings: TimeSettings) {
        *self = Self { overrun: self.overrun, ..Self::new(settings) };
    }

    /// Notes how much longer than [`Clocks::for_move`] had said a move took.
    pub fn note_overrun(&mut self, overrun: Duration) {
        self.overrun = overrun.as_secs_f64().max(MEMORY * self.overrun);
    }

    /// Sets what `color` has left: seconds, and stones of the period (of Japanese
    /// byo-yomi: periods), 0 in main time. Without settings there is still no limit.
    pub fn set(&mut self, color: Color, seconds: f64, stones: u32) {
        self.left[color.index()] = Left { seconds, stones };
    }

    /// The time that the next move of `color` may take; none without limit. Main time is spread
    /// over the moves to come, whose number is estimated from the `empty` points of the board.
    pub fn for_move(&self, color: Color, empty: u32) -> Option<Duration> {
        let Left { seconds, stones } = self.left[color.index()];
        let per_stone = |period: f64, stones: u32| period / f64::from(stones.max(1));
        let spread = |seconds: f64, overtime: f64| {
            let moves = (0.4 * f64::from(empty)).max(10.0);
            seconds / moves + 0.7 * overtime
        };
        let (share, most) = match self.settings {
            TimeSettings::None => return None,
            TimeSettings::Periods { period, kind, .. } if stones > 0 => {
                let most = match kind {
                    Periods::Canadian => per_stone(seconds, stones),
                    Periods::Japanese if seconds > 0.0 => seconds.min(period),
                    Periods::Japanese => period,
                };
                (f64::INFINITY, most)
            }
            TimeSettings::Periods { period, count, kind, .. } => {
                let is_canadian = kind == Periods::Canadian;
                let overtime = if is_canadian { per_stone(period, count) } else { period };
                (spread(seconds, overtime), seconds + overtime)
            }
            TimeSettings::Fischer { increment, per_move, .. } => {
                (spread(seconds, increment), seconds.min(per_move))
            }
        };
        let seconds = share.min(self.with_reserve(most));
        Some(Duration::from_secs_f64(seconds.clamp(0.001, 1e6)))
    }

    /// The time to search so that a move takes at most `seconds`, judged by overruns so far.
    pub fn less_overrun(&self, seconds: f64) -> Duration {
        let seconds = (seconds - self.overrun).max(0.1 * seconds);
        Duration::from_secs_f64(seconds.clamp(1e-6, 1e6))
    }

    /// The time to search if the time is up after `seconds`. It keeps back the overrun seen, and a
    /// reserve for the programs that read the answer.
    fn with_reserve(&self, seconds: f64) -> f64 {
        let reserve = (0.1 * seconds).clamp(RESERVE.0, RESERVE.1).min(0.5 * seconds);
        (seconds - reserve - self.overrun).max(0.1 * seconds)
    }

    /// Counts a move of `color` that took `time`, for controllers that do not send the time left.
    pub fn spend(&mut self, color: Color, time: Duration) {
        let left = &mut self.left[color.index()];
        let (period, full, kind) = match self.settings {
            TimeSettings::None => return,
            TimeSettings::Fischer { increment, most, .. } => {
                left.seconds = (left.seconds - time.as_secs_f64() + increment).min(most);
                return;
            }
            TimeSettings::Periods { period, count, kind, .. } => (period, count, kind),
        };
        left.seconds -= time.as_secs_f64();
        if left.stones == 0 {
            if left.seconds > 0.0 || period == 0.0 {
                return;
            }
            // The move that leaves the main time is the first of the period.
            *left = Left { seconds: left.seconds + period, stones: full };
        }
        if kind == Periods::Canadian {
            left.stones = left.stones.saturating_sub(1);
            if left.stones == 0 {
                *left = Left { seconds: period, stones: full };
            }
        } else {
            left.seconds = period;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn periods(kind: Periods, main: f64, period: f64, count: u32) -> Clocks {
        Clocks::new(TimeSettings::Periods { main, period, count, kind })
    }

    fn time(clocks: &Clocks, empty: u32) -> f64 {
        clocks.for_move(Color::Black, empty).unwrap().as_secs_f64()
    }

    #[test]
    fn a_second_a_move_is_used_by_half_and_not_overrun() {
        let mut clocks = periods(Periods::Canadian, 0.0, 1.0, 1);
        for _ in 0..9 {
            assert!((0.6..=0.75).contains(&time(&clocks, 81)), "{}", time(&clocks, 81));
            clocks.spend(Color::Black, Duration::from_millis(700));
        }
        assert_eq!(clocks.for_move(Color::White, 81), clocks.for_move(Color::Black, 0));
        clocks.set(Color::Black, 0.2, 1);
        assert!((time(&clocks, 81) - 0.1).abs() < 1e-9);
    }

    /// A machine that takes 0.35 s longer than planned exceeds a move of a second once, and never
    /// again, not even in later games.
    #[test]
    fn overruns_are_kept_back() {
        let mut clocks = periods(Periods::Canadian, 0.0, 1.0, 1);
        let mut late = 0;
        for number in 0..40 {
            let told = time(&clocks, 81);
            late += u32::from(told + 0.35 > 1.0);
            assert!(told >= 0.1, "{told}");
            clocks.note_overrun(Duration::from_millis(350));
            clocks.spend(Color::Black, Duration::from_secs_f64(told + 0.35));
            if number == 20 {
                clocks.reset();
            }
        }
        assert_eq!(late, 1);
        assert_eq!(clocks.less_overrun(1.0), Duration::from_millis(650));
        // One overrun is forgotten in the end.
        for _ in 0..200 {
            clocks.note_overrun(Duration::ZERO);
        }
        assert!((time(&clocks, 81) - 0.7).abs() < 0.01);
        clocks.note_overrun(Duration::from_secs(60));
        assert!((time(&clocks, 81) - 0.1).abs() < 1e-9);
    }

    #[test]
    fn fischer_adds_with_every_move() {
        let (most, per_move) = (20.0, 4.0);
        let settings = TimeSettings::Fischer { main: 10.0, increment: 5.0, most, per_move };
        let mut clocks = Clocks::new(settings);
        // The whole increment and more, but for the limit of a move.
        assert!((time(&clocks, 20) - (4.0 - 0.4)).abs() < 1e-9);
        clocks.spend(Color::Black, Duration::from_secs(2));
        assert_eq!(clocks.left[0], Left { seconds: 13.0, stones: 0 });
        clocks.spend(Color::Black, Duration::ZERO);
        clocks.spend(Color::Black, Duration::ZERO);
        assert_eq!(clocks.left[0], Left { seconds: 20.0, stones: 0 });
        clocks.set(Color::Black, 1.0, 0);
        assert!((time(&clocks, 81) - 0.7).abs() < 1e-9);
    }

    #[test]
    fn main_time_lasts_for_the_game() {
        let mut clocks = periods(Periods::Canadian, 60.0, 0.0, 0);
        let mut used = 0.0;
        for number in 0..60_u32 {
            let next = time(&clocks, 81_u32.saturating_sub(2 * number));
            used += next + 0.01;
            clocks.spend(Color::Black, Duration::from_secs_f64(next + 0.01));
        }
        assert!((50.0..60.0).contains(&used), "{used}");
        assert_eq!(Clocks::new(TimeSettings::None).for_move(Color::Black, 81), None);
    }

    #[test]
    fn periods_follow_the_main_time() {
        let mut clocks = periods(Periods::Canadian, 1.0, 10.0, 5);
        clocks.spend(Color::Black, Duration::from_secs(3));
        assert_eq!(clocks.left[0], Left { seconds: 8.0, stones: 4 });
        clocks.spend(Color::Black, Duration::from_secs(2));
        assert_eq!(clocks.left[0], Left { seconds: 6.0, stones: 3 });
        let mut clocks = periods(Periods::Japanese, 1.0, 10.0, 5);
        clocks.spend(Color::Black, Duration::from_secs(3));
        assert_eq!(clocks.left[0], Left { seconds: 10.0, stones: 5 });
        assert!((time(&clocks, 81) - 9.0).abs() < 1e-9);
        // The server says how many periods are left, and the time of this one.
        clocks.set(Color::Black, 10.0, 2);
        assert!((time(&clocks, 81) - 9.0).abs() < 1e-9);
    }
}
