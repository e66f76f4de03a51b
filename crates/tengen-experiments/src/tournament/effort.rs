//! What a player uses for its moves: simulations, wall-clock time and CPU time.

use std::ops::AddAssign;
use std::time::Instant;
use tengen_bots::{Bot, CpuTime};
use tengen_system::thread_cpu_seconds;

/// Time of a thread that was used for a player.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// Wall-clock time, in seconds.
    pub seconds: f64,
    /// CPU time, in seconds; none where it is not known.
    pub cpu_seconds: Option<f64>,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.cpu_seconds = self.cpu_seconds.zip(other.cpu_seconds).map(|(one, more)| one + more);
    }
}

/// Both clocks at a moment.
pub struct Stopwatch {
    began: Instant,
    cpu_began: Option<f64>,
}

impl Stopwatch {
    pub fn start() -> Self {
        Self { began: Instant::now(), cpu_began: thread_cpu_seconds() }
    }

    /// The time since the start, on the same thread.
    pub fn read(&self) -> Spent {
        let cpu = self.cpu_began.zip(thread_cpu_seconds()).map(|(began, now)| now - began);
        Spent { seconds: self.began.elapsed().as_secs_f64(), cpu_seconds: cpu }
    }
}

/// What one player has used in a game.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub simulations: u64,
    /// Time of the thread that asks the player and runs its searches.
    pub spent: Spent,
    /// CPU time of the player's program before the game.
    before: CpuTime,
}

impl Effort {
    /// The effort of `bot`, which is ready for its first move: none so far.
    pub fn of(bot: &mut dyn Bot) -> Self {
        let spent = Spent { seconds: 0.0, cpu_seconds: Some(0.0) };
        Self { simulations: 0, spent, before: bot.cpu_time() }
    }

    /// The CPU time of `bot` since its effort began, in seconds; none where it is not known.
    pub fn cpu_seconds(&self, bot: &mut dyn Bot) -> Option<f64> {
        match (self.before, bot.cpu_time()) {
            (CpuTime::Caller, CpuTime::Caller) => self.spent.cpu_seconds,
            (CpuTime::Program(before), CpuTime::Program(now)) => {
                // A child that its program does not wait for takes its time along.
                before.zip(now).map(|(before, now)| (now - before).max(0.0))
            }
            _ => None,
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use crate::tournament::{Tournament, play, play_games};
    use std::sync::atomic::AtomicBool;
    use tengen_search::ResourceFault;
    use tengen_system::thread_cpu_seconds;

    /// CPU seconds of the bots `four`, with four times the simulations, and `one`, over a match of
    /// games that share a thread; and those of this thread meanwhile if it plays the games one after
    /// the other.
    fn used(settings: &str, is_alone: bool) -> ([f64; 2], f64) {
        let text = format!(
            "size = '7x7'\npairs = 8\n\
             bot = ['four=uct:simulations=800{settings}', 'one=uct:simulations=200{settings}']"
        );
        let tournament: Tournament = text.parse().unwrap();
        let mut rows = Vec::new();
        let numbers: Vec<usize> = (0..tournament.schedule().games()).collect();
        let before = thread_cpu_seconds().unwrap();
        if is_alone {
            let played =
                numbers.iter().map(|&game| play(&tournament, &tournament.schedule().plan(game)));
            rows.extend(played.map(Result::unwrap));
        } else {
            let keep = |played: crate::tournament::PlayedGame| {
                rows.push(played.row);
                Ok::<(), ResourceFault>(())
            };
            play_games(&tournament, 1, &numbers[..], &AtomicBool::new(false), keep).unwrap();
        }
        let whole = thread_cpu_seconds().unwrap() - before;
        let mut seconds = [0.0; 2];
        for row in rows {
            let is_four = |bot: &str| usize::from(bot != "four");
            seconds[is_four(&row.black)] += row.black_cpu_seconds.unwrap();
            seconds[is_four(&row.white)] += row.white_cpu_seconds.unwrap();
        }
        (seconds, whole)
    }

    #[test]
    fn four_times_the_simulations_take_about_four_times_the_cpu_time() {
        for settings in ["", ",workers=2", ",policy=uniform,rave=none,prior=none"] {
            for is_alone in [false, true] {
                let ([four, one], whole) = used(settings, is_alone);
                let ratio = four / one;
                assert!((2.5..6.0).contains(&ratio), "{settings}, {is_alone}: {four} and {one} s");
                if is_alone {
                    let share = (four + one) / whole;
                    assert!((0.8..=1.0).contains(&share), "{settings}: {share} of {whole} s");
                }
            }
        }
    }

    #[test]
    fn a_bot_with_a_clock_has_its_time() {
        let text = "size = '5x5'\nopening_plies = 0\nbot = ['uct:seconds=0.002', 'random']";
        let tournament: Tournament = text.parse().unwrap();
        let row = play(&tournament, &tournament.schedule().plan(0)).unwrap();
        let [uct, random] = [row.black_cpu_seconds, row.white_cpu_seconds].map(Option::unwrap);
        assert!(uct > 0.0 && uct <= row.black_seconds + 0.01 && random < uct, "{row:?}");
    }
}
