//! Commands of the clocks.

use super::arguments::{Words, at_most, color, list, number, seconds, word};
use super::refusal::Refusal;
use super::time::{Periods, TimeSettings};
use super::{Commands, Engine};
use std::time::{Duration, Instant};
use tengen_go::Color;

pub const COMMANDS: Commands = &[
    ("time_settings", 3, |engine, words, _| {
        let settings = canadian(seconds(words, 0)?, seconds(words, 1)?, stones(words, 2)?);
        engine.clocks.restart(settings);
        Ok(String::new())
    }),
    ("time_left", 3, |engine, words, _| {
        // Controllers count below zero when the time is up.
        let text = word(words, 1, "a time in seconds")?;
        let left: Option<f64> = text.parse().ok().filter(|time| (-1e9..=1e9).contains(time));
        let invalid = || Refusal::syntax(format!("invalid time `{text}`: expected seconds"));
        let left = left.ok_or_else(invalid)?;
        engine.clocks.set(color(words, 0)?, left.max(0.0), stones(words, 2)?);
        Ok(String::new())
    }),
    ("kgs-time_settings", 4, |engine, words, _| engine.set_time(words, &KINDS[..4])),
    ("kata-time_settings", 5, |engine, words, _| engine.set_time(words, &KINDS)),
    ("kata-list_time_settings", 0, |_, _, _| Ok(list(KINDS.map(|(kind, _)| kind), " "))),
    ("cputime", 0, |_, _, _| cpu_time()),
    ("gomill-cpu_time", 0, |_, _, _| cpu_time()),
];

/// The kinds of time settings, and the most words of each; those of KGS come first.
const KINDS: [(&str, usize); 6] = [
    ("none", 1),
    ("absolute", 2),
    ("byoyomi", 4),
    ("canadian", 4),
    ("fischer", 3),
    ("fischer-capped", 5),
];

/// Main time and Canadian byo-yomi. A period without stones is the specification's way
/// to say "no limit".
fn canadian(main: f64, period: f64, stones: u32) -> TimeSettings {
    match (main + period > 0.0, period > 0.0 && stones == 0) {
        (false, _) | (_, true) => TimeSettings::None,
        _ => TimeSettings::Periods { main, period, count: stones, kind: Periods::Canadian },
    }
}

fn stones(words: Words<'_>, place: usize) -> Result<u32, Refusal> {
    let count = number(words, place, "a number of stones")?;
    u32::try_from(count).map_err(|_| Refusal::syntax(format!("{count} is too many")))
}

/// The processor time of this program in seconds, all threads together, where the system tells.
#[cfg_attr(unix, allow(clippy::unnecessary_wraps))] // elsewhere it is not known
fn cpu_time() -> Result<String, Refusal> {
    #[cfg(unix)]
    {
        let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Ok(format!("{:.3}", spent.tv_sec as f64 + 1e-9 * spent.tv_nsec as f64))
    }
    #[cfg(not(unix))]
    Err(Refusal::new("the processor time is not known on this system"))
}

impl Engine<'_> {
    /// Sets the clocks to the settings of one of the `kinds`.
    fn set_time(&mut self, words: Words<'_>, kinds: &[(&str, usize)]) -> Result<String, Refusal> {
        let names = list(kinds.iter().map(|(kind, _)| kind), ", ");
        let kind = word(words, 0, &names)?;
        let known = kinds.iter().find(|(known, _)| *known == kind);
        let invalid = || Refusal::syntax(format!("invalid `{kind}`: expected {names}"));
        at_most(words, known.ok_or_else(invalid)?.1)?;
        let limit = |place: usize| match words.get(place) {
            _ if kind == "fischer" => Ok(f64::INFINITY),
            // A negative limit means no limit.
            Some(word) if word.parse::<f64>().is_ok_and(|limit| limit < 0.0) => Ok(f64::INFINITY),
            _ => seconds(words, place),
        };
        let settings = match kind {
            "none" => TimeSettings::None,
            "absolute" => canadian(seconds(words, 1)?, 0.0, 0),
            "byoyomi" => match (seconds(words, 1)?, seconds(words, 2)?, stones(words, 3)?) {
                (main, _, 0) => canadian(main, 0.0, 0),
                (main, period, count) => {
                    TimeSettings::Periods { main, period, count, kind: Periods::Japanese }
                }
            },
            "canadian" => canadian(seconds(words, 1)?, seconds(words, 2)?, stones(words, 3)?),
            _ => {
                let (main, increment) = (seconds(words, 1)?, seconds(words, 2)?);
                let (most, per_move) = (limit(3)?, limit(4)?);
                TimeSettings::Fischer { main, increment, most, per_move }
            }
        };
        self.clocks.restart(settings);
        Ok(String::new())
    }

    /// The time for the next move of `color`, if a clock limits it, or the bot's `seconds` without
    /// `simulations`.
    pub(super) fn time_for(&self, color: Color) -> Option<Duration> {
        let empty = self.game.board().empty().count();
        let by_clock = self.clocks.for_move(color, empty).filter(|_| self.heeds_clocks);
        let own = self.config.uct().filter(|_| self.config.ends_by_clock());
        let own = own.and_then(|config| config.seconds);
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
