//! How a run is executed: settings that decide none of its rows.

use super::Concurrency;
use std::path::PathBuf;
use tengen_settings::{CliOptions, SettingError, Settings, refuse_unknown, settings};
use toml::Table;

/// The most games that a thread plays at once with processes of another program.
pub const MAX_GAMES_PER_THREAD: u16 = 64;

settings! {
    "an execution"
    /// Where a run is written and how many of its units are made at once; `config.toml` has
    /// neither.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Execution {
        /// Output folder.
        ///
        /// If DIR is not empty, the run is written to DIR-2, DIR-3 and so on.
        out: Option<PathBuf> = None => "runs/<date>-<name>", "DIR" One;
        /// Number of threads.
        ///
        /// The number changes no result, unless a bot has `seconds`.
        threads: Option<usize> = None => "one per core", "THREADS" One, in 1..=1_024;
        /// Number of games that a thread plays at once, for a tournament with a bot of kind gtp.
        ///
        /// Every game has its own process of the gtp program, and the searches of the other bots
        /// share the vector lanes. From 4 games on this is faster. No effect with a bot that has
        /// `seconds`.
        games_per_thread: u16 = 1, "GAMES" One,
            in 1..=i64::from(MAX_GAMES_PER_THREAD);
    }
}

impl Execution {
    /// The settings `S` in `table`, and the remaining settings, which `S` shares with others; the
    /// settings of an execution are dropped.
    pub fn split<S: CliOptions + Settings>(mut table: Table) -> Result<(S, Table), SettingError> {
        refuse_unknown(&table, S::OWNER, S::settings().iter())?;
        table.retain(|key, _| Self::ALL.iter().all(|setting| setting.key != key));
        Ok((S::take(&mut table)?, table))
    }

    /// The numbers of threads and games; `cores` threads if none are given.
    #[must_use]
    pub fn concurrency(&self, cores: usize) -> Concurrency<'static> {
        let threads = self.threads.unwrap_or(cores);
        let games_per_thread = self.games_per_thread.into();
        Concurrency { threads, games_per_thread, blocks: None }
    }
}
