//! Commands of the clocks.

use super::arguments::{Words, at_most, color, number, seconds, word};
use super::refusal::Refusal;
use super::time::TimeSettings;
use super::{Commands, Engine};
use crate::BotConfig;
use std::time::{Duration, Instant};
use tengen_go::Color;

pub const COMMANDS: Commands = &[
    ("time_settings", |engine, words, _| {
        at_most(words, 3)?;
        let settings = canadian(seconds(words, 0)?, seconds(words, 1)?, stones(words, 2)?);
        engine.clocks.restart(settings);
        Ok(String::new())
    }),
    ("time_left", |engine, words, _| {
        at_most(words, 3)?;
        // Controllers count on where the time is up.
        let left = word(words, 1, "a time in seconds")?;
        let left: Option<f64> = left.parse().ok().filter(|time| (-1e9..=1e9).contains(time));
        let left = left.ok_or_else(|| {
            Refusal::syntax(format!("invalid time `{}`: expected seconds", words[1]))
        })?;
        engine.clocks.set(color(words, 0)?, left.max(0.0), stones(words, 2)?);
        Ok(String::new())
    }),
    ("kgs-time_settings", |engine, words, _| engine.set_time(words, &KINDS[..4])),
    ("kata-time_settings", |engine, words, _| engine.set_time(words, &KINDS)),
    ("kata-list_time_settings", |_, words, _| at_most(words, 0).map(|()| KINDS.join(" "))),
    ("cputime", |_, words, _| at_most(words, 0).and_then(|()| cpu_time())),
    ("gomill-cpu_time", |_, words, _| at_most(words, 0).and_then(|()| cpu_time())),
];

/// The kinds of time settings; those of KGS come first.
const KINDS: [&str; 6] = ["none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped"];

/// Main time and Canadian byo-yomi. A period without stones is the specification's way
/// to say "no limit".
fn canadian(main: f64, period: f64, stones: u32) -> TimeSettings {
    match (main + period > 0.0, period > 0.0 && stones == 0) {
        (false, _) | (_, true) => TimeSettings::None,
        _ => TimeSettings::Canadian { main, period, stones },
    }
}

fn stones(words: Words<'_>, place: usize) -> Result<u32, Refusal> {
    let count = number(words, place, "a number of stones")?;
    u32::try_from(count).map_err(|_| Refusal::syntax(format!("{count} is too many")))
}

/// The processor time of this program in seconds, all threads together, where the system tells.
fn cpu_time() -> Result<String, Refusal> {
    #[cfg(unix)]
    let spent = Some(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime))
        .map(|spent| spent.tv_sec as f64 + 1e-9 * spent.tv_nsec as f64);
    #[cfg(not(unix))]
    let spent: Option<f64> = None;
    let spent = spent.ok_or_else(|| Refusal::new("the processor time is not known on this system"));
    spent.map(|seconds| format!("{seconds:.3}"))
}

impl Engine<'_> {
    /// Sets the clocks to the settings of one of the `kinds`.
    fn set_time(&mut self, words: Words<'_>, kinds: &[&str]) -> Result<String, Refusal> {
        let kind = word(words, 0, &kinds.join(", "))?;
        if !kinds.contains(&kind) {
            let kinds = kinds.join(", ");
            return Err(Refusal::syntax(format!("invalid `{kind}`: expected {kinds}")));
        }
        let limit = |place: usize| match words.get(place) {
            // A negative limit is none.
            Some(word) if word.parse::<f64>().is_ok_and(|limit| limit < 0.0) => Ok(f64::INFINITY),
            _ => seconds(words, place),
        };
        let (settings, arguments) = match kind {
            "none" => (TimeSettings::None, 1),
            "absolute" => (canadian(seconds(words, 1)?, 0.0, 0), 2),
            "byoyomi" => {
                let (main, period) = (seconds(words, 1)?, seconds(words, 2)?);
                let settings = match stones(words, 3)? {
                    0 => canadian(main, 0.0, 0),
                    periods => TimeSettings::Byoyomi { main, period, periods },
                };
                (settings, 4)
            }
            "canadian" => (canadian(seconds(words, 1)?, seconds(words, 2)?, stones(words, 3)?), 4),
            _ => {
                let (main, increment) = (seconds(words, 1)?, seconds(words, 2)?);
                let (most, per_move, arguments) = match kind {
                    "fischer" => (f64::INFINITY, f64::INFINITY, 3),
                    _ => (limit(3)?, limit(4)?, 5),
                };
                (TimeSettings::Fischer { main, increment, most, per_move }, arguments)
            }
        };
        at_most(words, arguments)?;
        self.clocks.restart(settings);
        Ok(String::new())
    }

    /// The time for the next move of `color`, if a clock or the bot's `seconds` alone limit
    /// it.
    pub(super) fn time_for(&self, color: Color) -> Option<Duration> {
        let empty = self.game.board().empty().count();
        let by_clock = self.clocks.for_move(color, empty).filter(|_| self.heeds_clocks);
        let own = match &self.config {
            BotConfig::Uct(config) if self.config.ends_by_clock() => config.seconds,
            _ => None,
        };
        let own = own.map(|seconds| self.clocks.less_overrun(seconds));
        [by_clock, own].into_iter().flatten().min()
    }

    /// Counts a move of `color` that was to take `time`, and began at `began`.
    pub(super) fn finish_time(&mut self, color: Color, time: Option<Duration>, began: Instant) {
        let took = began.elapsed();
        if let Some(time) = time {
            self.clocks.note_overrun(took.saturating_sub(time));
        }
        self.clocks.spend(color, took);
    }
}
