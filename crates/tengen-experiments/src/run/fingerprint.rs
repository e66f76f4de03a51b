//! Fingerprints of rows: hashes of the settings and of the behaviour of the bots, which
//! together decide a game or a measurement.

use super::{SCHEMA, files};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use tengen_bots::BotConfig;
use tengen_go::written_as_text;
use tengen_settings::{Effect, Setting};
use tengen_stats::seed::mix;
use toml::{Table, Value};

/// A 64-bit hash, the same on every machine and in every version: [`mix`] folded
/// over all numbers added. It guards against accidents, not against attacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(u64);

impl Digest {
    /// The digest of those settings in `table` that decide a row, as `settings` declares, and of the
    /// version of the files' format. It covers no path of a file: the contents are part of how the bots
    /// play.
    #[must_use]
    pub fn of_settings(mut table: Table, settings: &[Setting]) -> Self {
        files::without_paths(&mut table);
        Self::of_settings_with_paths(table, settings)
    }

    /// [`Self::of_settings`] as an earlier version computed it.
    pub(crate) fn of_settings_with_paths(mut table: Table, settings: &[Setting]) -> Self {
        for setting in settings.iter().filter(|setting| setting.effect != Effect::Rows) {
            table.remove(setting.key);
        }
        let mut digest = Self::default();
        digest.number(SCHEMA.into());
        digest.value(&Value::Table(table));
        digest
    }

    /// Adds a number.
    pub const fn number(&mut self, number: u64) {
        self.0 = mix(self.0, number);
    }

    /// The hash.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Adds a text: its length in bytes, then its bytes.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Adds bytes: their number, then each.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        for &byte in bytes {
            self.number(byte.into());
        }
    }

    /// Adds a TOML value with all values inside it. The keys of a table are added in
    /// alphabetical order, whatever their order in a file.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Table(table) => {
                let mut keys: Vec<&String> = table.keys().collect();
                keys.sort_unstable();
                self.number(keys.len() as u64);
                for key in keys {
                    self.text(key);
                    self.value(&table[key]);
                }
            }
            Value::Array(values) => {
                self.number(values.len() as u64);
                for value in values {
                    self.value(value);
                }
            }
            Value::Float(number) => self.number(number.to_bits()),
            Value::Integer(number) => self.number(number.cast_unsigned()),
            Value::String(text) => self.text(text),
            Value::Boolean(_) | Value::Datetime(_) => self.text(&value.to_string()),
        }
    }
}

/// An invalid digest or fingerprint.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("invalid fingerprint `{0}`")]
pub struct ParseFingerprintError(String);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Digest {
    type Err = ParseFingerprintError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = u64::from_str_radix(text, 16).ok().filter(|_| text.len() == 16);
        number.map(Self).ok_or_else(|| ParseFingerprintError(text.to_owned()))
    }
}

written_as_text!(Digest Fingerprint);

/// Hashes of everything that decides the rows of a run, as its manifest has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Hash of the settings that decide a row.
    pub settings: Digest,
    /// Hash of an opening that the program draws; the empty hash if openings are given.
    pub openings: Digest,
    /// Signatures of the bots, in the order of the configuration.
    #[serde(rename = "bot")]
    pub bots: Vec<BotSignature>,
}

/// The signature of a bot: it changes when the bot plays differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotSignature {
    /// The name of the bot.
    pub name: String,
    /// Hash of a short seeded game that the bot plays against itself, or of a short
    /// measurement of its search; of a GTP engine, its name and version.
    pub signature: String,
    /// The weights file of its prior.
    pub weights: Option<WeightsOf>,
}

/// A weights file as it was when a run began. Two are equal if their contents are.
#[derive(Clone, Debug, Eq, Serialize, Deserialize)]
pub struct WeightsOf {
    /// Its path, as the settings have it: in a manifest relative to the folder of the run.
    pub file: String,
    /// The hash in its last line.
    pub hash: String,
}

impl PartialEq for WeightsOf {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl WeightsOf {
    /// The weights file that `bot` reads, if it does.
    #[must_use]
    pub fn bot(bot: &BotConfig) -> Option<Self> {
        let config = bot.uct()?;
        let learned = config.prior.learned()?;
        let (file, hash) = (learned.file()?.to_owned(), learned.digest().to_owned());
        Some(Self { file, hash })
    }
}

impl Provenance {
    /// This provenance with paths of files relative to `folder`, the folder of the run.
    #[must_use]
    pub fn seen_from(mut self, folder: &Path) -> Self {
        for weights in self.bots.iter_mut().filter_map(|bot| bot.weights.as_mut()) {
            if let Some(file) = files::relative(Path::new(&weights.file), folder) {
                weights.file = file;
            }
        }
        self
    }

    /// This provenance for a run with further settings: `table`, of which the keys `other` decide no
    /// row. Paths do not count.
    #[must_use]
    pub fn with_settings(mut self, mut table: Table, other: &[&str]) -> Self {
        table.retain(|key, _| !other.contains(&key));
        files::without_paths(&mut table);
        self.settings.value(&Value::Table(table));
        self
    }

    /// The provenance of rows that follow from those of the settings in `config` that decide a row, as
    /// `declared` says, from the `version` of the code that makes them, and from `bots`.
    #[must_use]
    pub fn of_settings(
        config: Table,
        declared: &[Setting],
        version: &str,
        bots: Vec<BotSignature>,
    ) -> Self {
        let mut settings = Digest::of_settings(config, declared);
        settings.text(version);
        Self { settings, openings: Digest::default(), bots }
    }

    /// The fingerprint that the rows of the run have.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let mut behavior = self.openings;
        for bot in &self.bots {
            behavior.text(&bot.signature);
            if let Some(weights) = &bot.weights {
                behavior.text(&weights.hash);
            }
        }
        Fingerprint { settings: self.settings, behavior }
    }
}

/// A hash of everything that decides a row of a run, a game or a measurement, written beside
/// it in the journal or in the file of a chunk: `<settings>-<behavior>`.
///
/// Two games with the same number and fingerprint are the same game, unless a bot
/// does not repeat its moves from its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// Digest of the settings that decide a row.
    pub settings: Digest,
    /// Hash of how the program and its bots play.
    pub behavior: Digest,
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.settings, self.behavior)
    }
}

impl FromStr for Fingerprint {
    type Err = ParseFingerprintError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = || ParseFingerprintError(text.to_owned());
        let (settings, behavior) = text.split_once('-').ok_or_else(fault)?;
        let part = |text: &str| text.parse().map_err(|_| fault());
        Ok(Self { settings: part(settings)?, behavior: part(behavior)? })
    }
}

#[cfg(test)]
impl Fingerprint {
    /// A fingerprint for tests, different for each `number`.
    pub(crate) fn sample(number: u64) -> Self {
        let mut settings = Digest::default();
        settings.number(number);
        Self { settings, behavior: Digest(number) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(text: &str) -> Digest {
        let mut digest = Digest::default();
        digest.value(&Value::Table(text.parse().unwrap()));
        digest
    }

    #[test]
    fn it_is_a_promise_for_all_versions() {
        // Journals hold this hash: if it changed, no earlier run could be resumed. Another program
        // computed the number too.
        let text = "size = '9x9'\nkomi = 7.5\nseed = 1\ncomments = false\n[[bot]]\nname = 'a'";
        assert_eq!(digest(text).to_string(), "e5d4d7239153fc80");
    }

    #[test]
    fn the_order_of_keys_is_none_of_it_and_all_else_is() {
        assert_eq!(digest("a = 1\nb = 'x'"), digest("b = 'x'\na = 1"));
        let all = ["a = 1", "a = 2", "b = 1", "a = '1'", "a = 1.0", "a = [1]", "a = true", ""];
        for (place, one) in all.iter().enumerate() {
            for other in &all[place + 1..] {
                assert_ne!(digest(one), digest(other), "{one} and {other}");
            }
        }
        assert_ne!(digest("a = ['x', 'yz']"), digest("a = ['xy', 'z']"));
    }
}
