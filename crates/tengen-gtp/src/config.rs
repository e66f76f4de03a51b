//! The settings of a GTP engine.

use super::client::{Client, Launch};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound::{Excluded, Included};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tengen_settings::{SettingError, Settings as _, check, settings, table_setting};

/// The placeholder for the seed in a command.
const SEED: &str = "{seed}";

settings! {
    "gtp" => checked
    /// A GTP engine: its command line, environment and limits.
    ///
    /// # Examples
    /// ```
    /// use tengen_gtp::GtpConfig;
    ///
    /// let config: GtpConfig = toml::from_str(
    ///     "command = 'gnugo --mode gtp --seed {seed}'
    ///     move_seconds = 30.0
    ///     clock = { main = 600, period = 30, stones = 10 }",
    /// )?;
    /// assert_eq!(config.launch(7).words, ["gnugo", "--mode", "gtp", "--seed", "7"]);
    /// assert_eq!(config.move_time().as_secs(), 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Debug, PartialEq)]
    pub struct GtpConfig {
        /// Command line of the program.
        ///
        /// The command line is split into words as a shell does, but runs without a shell. `{seed}`
        /// stands for the program's random seed of the game.
        command: String, "COMMAND" One;
        /// GTP commands to send before each game.
        ///
        /// `{seed}` stands for the program's random seed of the game.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        startup: Vec<String> = Vec::new(), "COMMAND" Many;
        /// Send `set_random_seed` before each game.
        ///
        /// The command is sent if the program lists it and neither `command` nor `startup` contains
        /// `{seed}`. Without a seed GNU Go never repeats a game.
        send_seed: bool = true, "TRUTH" One;
        /// Working directory of the program.
        #[serde(skip_serializing_if = "Option::is_none")]
        working_directory: Option<PathBuf> = None => "working directory of Tengen", "DIR" One;
        /// Keep one process of the program for many games, instead of a new process for each game.
        ///
        /// What the program learned in one game may then decide the next game: a resumed run need
        /// not equal an uninterrupted run.
        keep: bool = false, "TRUTH" One;
        /// Time limit for the start, and for each command before the game, in seconds.
        start_seconds: f64 = 10.0, "SECONDS" One, in (Excluded(0.0), Included(1e6));
        /// Time limit per move, in seconds.
        move_seconds: f64 = 60.0, "SECONDS" One, in (Excluded(0.0), Included(1e6));
        /// Time limit per game for all moves of the program, in seconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        game_seconds: Option<f64> = None, "SECONDS" One, in (Excluded(0.0), Included(1e6));
        /// Longest answer of the program, in bytes.
        answer_bytes: usize = 1 << 20, "BYTES" One, in 1_000..=1 << 30;
        /// Folder for logs, one per game.
        ///
        /// A log has the dialogue and the standard error of the program.
        #[serde(skip_serializing_if = "Option::is_none")]
        log: Option<PathBuf> = None, "DIR" One;
        /// Environment variables of the program, added to the environment of Tengen.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        env: BTreeMap<String, String> = BTreeMap::new(), "TABLE" One;
        /// Game clock, as a table such as `{ main = 600, period = 30, stones = 10 }`.
        ///
        /// `main` and `period` are seconds, `stones` is a number of moves. The GTP commands
        /// `time_settings` and `time_left` send the clock.
        #[serde(skip_serializing_if = "Option::is_none")]
        clock: Option<ClockConfig> = None, "TABLE" One;
        state idle: Idle;
    }
}

settings! {
    "a clock"
    /// A game clock with Canadian byo-yomi, as in the GTP command `time_settings`; in
    /// whole seconds.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct ClockConfig {
        /// Main time, in seconds.
        main: u32 = 0, "SECONDS" File, in 0..=1_000_000;
        /// Byo-yomi period, in seconds; 0 for no byo-yomi.
        ///
        /// The period is the time for `stones` moves after the main time.
        period: u32 = 0, "SECONDS" File, in 0..=1_000_000;
        /// Number of moves per byo-yomi period.
        stones: u32 = 0, "MOVES" File, in 0..=1_000_000;
    }
}

table_setting!(ClockConfig);

impl GtpConfig {
    /// Checks the settings.
    pub fn validate(&self) -> Result<(), SettingError> {
        self.in_range()?;
        if self.command.trim().is_empty() {
            let said = "`command` is missing: write the program and its arguments";
            return Err(SettingError::of("command", said));
        }
        let words = shell_words::split(&self.command).is_ok();
        check("command", &self.command, words, "words with every quote closed")?;
        for line in &self.startup {
            let single = !line.trim().is_empty() && !line.contains(['\n', '\r']);
            check("startup", line, single, "one command in each text")?;
        }
        for name in self.env.keys() {
            let allowed = !name.is_empty() && !name.contains(['=', '\0']);
            check("env", name, allowed, "a table whose keys are names of variables")?;
        }
        let texts = self.env.values().chain([&self.command]);
        for text in texts {
            check("command or env", text, !text.contains('\0'), "without NUL characters")?;
        }
        let clock = self.clock.unwrap_or(ClockConfig { main: 1, period: 0, stones: 0 });
        clock.in_range()?;
        check("clock", "0 s", clock.main > 0 || clock.period > 0, "some main time or a period")?;
        let stones = (clock.period == 0) == (clock.stones == 0);
        check("clock.stones", clock.stones, stones, "1 or more with a period, 0 without")
    }

    fn checked(self) -> Result<Self, SettingError> {
        self.validate().map(|()| self)
    }

    /// How to start the engine for a game, with `seed` in place of `{seed}`.
    #[must_use]
    pub fn launch(&self, seed: u32) -> Launch {
        let words = shell_words::split(&self.command).unwrap_or_default();
        Launch {
            words: words.iter().map(|word| with_seed(word, seed)).collect(),
            environment: self.env.clone().into_iter().collect(),
            working_directory: self.working_directory.clone(),
            answer_bytes: self.answer_bytes,
            log: None,
        }
    }

    /// The GTP commands sent before a game, with `seed` in place of `{seed}`.
    pub fn startup(&self, seed: u32) -> impl Iterator<Item = String> {
        self.startup.iter().map(move |line| with_seed(line, seed))
    }

    /// Whether the engine's seed is sent by `set_random_seed`.
    #[must_use]
    pub fn seeds_by_command(&self) -> bool {
        let spoken_of = |text: &String| text.contains(SEED);
        self.send_seed && !spoken_of(&self.command) && !self.startup.iter().any(spoken_of)
    }

    /// The time limit for starting, and for a command before the game.
    #[must_use]
    pub fn start_time(&self) -> Duration {
        Duration::from_secs_f64(self.start_seconds)
    }

    /// The time limit per move.
    #[must_use]
    pub fn move_time(&self) -> Duration {
        Duration::from_secs_f64(self.move_seconds)
    }

    /// Takes a running engine that was kept for the next game; `None` if none was kept.
    #[must_use]
    pub fn take_idle(&self) -> Option<Client> {
        self.idle.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps the running engine `client` for the next game, if `keep` is set and the
    /// engine has not failed; ends it otherwise.
    pub fn keep_idle(&self, client: Client) {
        if self.keep && client.is_well() {
            self.idle.0.lock().unwrap_or_else(PoisonError::into_inner).push(client);
        }
    }
}

fn with_seed(text: &str, seed: u32) -> String {
    text.replace(SEED, &seed.to_string())
}

/// Running engines between two games: shared by all clones of a configuration, and
/// ended when the last clone is dropped. Not compared or saved.
#[derive(Clone, Default)]
struct Idle(Arc<Mutex<Vec<Client>>>);

impl PartialEq for Idle {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Idle")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GtpConfig, String> {
        toml::from_str(text).map_err(|fault| fault.message().to_owned())
    }

    #[test]
    fn the_seed_goes_where_it_is_spoken_of() {
        let config =
            read("command = \"a --seed={seed} 'b {seed}'\"\nstartup = ['go {seed}']").unwrap();
        assert_eq!(config.launch(7).words, ["a", "--seed=7", "b 7"]);
        assert_eq!(config.startup(7).collect::<Vec<_>>(), ["go 7"]);
        assert!(!config.seeds_by_command());
        assert!(read("command = 'a'").unwrap().seeds_by_command());
        assert!(!read("command = 'a'\nsend_seed = false").unwrap().seeds_by_command());
    }

    #[test]
    fn names_the_fault() {
        for (text, fault) in [
            ("", "`command` is missing"),
            ("command = 'a \"b'", "`command` is a \"b"),
            ("command = 'a'\nstartup = [\"x\\ny\"]", "`startup` is x\ny"),
            ("command = 'a'\nmove_seconds = 0", "`move_seconds` is 0"),
            ("command = 'a'\nmove_seconds = nan", "`move_seconds` is NaN"),
            ("command = 'a'\nstart_seconds = inf", "`start_seconds` is inf"),
            ("command = 'a'\nanswer_bytes = 10", "`answer_bytes` is 10"),
            ("command = 'a'\nenv = { 'a=b' = '1' }", "`env` is a=b"),
            ("command = 'a'\nclock = { main = 0 }", "`clock` is 0 s"),
            ("command = 'a'\nclock = { period = 5 }", "`clock.stones` is 0"),
            ("command = 'a'\nclock = { mean = 5 }", "mean"),
            ("command = 'a'\nlevel = 5", "level"),
        ] {
            let error = read(text).unwrap_err().replace("\\n", "\n");
            assert!(error.contains(fault), "{text}: {error}");
        }
    }
}
