//! Searches that a clock ends, on several threads.

use super::config::BotConfig;
use tengen_search::UctConfig;

impl BotConfig {
    /// Whether a clock alone ends its searches: it has `seconds` and no `simulations`.
    #[must_use]
    pub fn ends_by_clock(&self) -> bool {
        self.uct().is_some_and(|uct| uct.simulations.is_none() && uct.seconds.is_some())
    }

    /// The bot for a search that a clock ends, on `threads` threads. A `uct` bot with one worker
    /// gets one worker per thread, and the workers share `max_nodes`. Any other bot, or one whose
    /// settings do not allow several workers, is unchanged. Each worker makes as many simulations
    /// in the time as one alone, and two and four workers won more games than one
    /// (`results/README.md`, workers-equal-time-9x9).
    #[must_use]
    pub fn by_clock(&self, threads: usize) -> Self {
        let Some(config) = self.uct() else { return self.clone() };
        let workers = u32::try_from(threads).unwrap_or(u32::MAX).max(1);
        let several =
            UctConfig { workers, max_nodes: config.max_nodes / workers, ..config.clone() };
        let can_have_several = config.workers == 1 && several.validate().is_ok();
        if can_have_several { several.into() } else { self.clone() }
    }

    /// The bot with `factor` times its `seconds`, if it is a `uct` bot that has some.
    #[must_use]
    pub fn with_seconds_times(&self, factor: f64) -> Self {
        match self.uct() {
            Some(config) if config.seconds.is_some() => {
                let seconds = config.seconds.map(|seconds| factor * seconds);
                UctConfig { seconds, ..config.clone() }.into()
            }
            _ => self.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_multiplied_where_there_are_some() {
        let times =
            |text: &str| text.parse::<BotConfig>().unwrap().with_seconds_times(1.5).to_string();
        assert_eq!(times("uct:seconds=2"), "uct:seconds=3.0");
        for same in ["uct:simulations=2", "random"] {
            assert_eq!(times(same), same);
        }
    }

    #[test]
    fn one_worker_becomes_one_per_thread() {
        let by_clock = |text: &str, threads: usize| {
            text.parse::<BotConfig>().unwrap().by_clock(threads).to_string()
        };
        assert_eq!(by_clock("uct:max_nodes=40000", 4), "uct:max_nodes=10000,workers=4");
        assert_eq!(by_clock("uct:max_nodes=40000", 1), "uct:max_nodes=40000");
        // The last bot has too few nodes for four workers.
        for same in ["uct:workers=2", "random", "uct:max_nodes=2000"] {
            assert_eq!(by_clock(same, 4), same);
        }
    }
}
