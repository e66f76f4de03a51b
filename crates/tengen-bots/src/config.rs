//! Bots: each a kind with all its settings.

use super::Bot;
use super::contained::Contained;
use super::kind::{BotKind, MoveCost, SideBySide};
use super::kinds::{Declaration, Kind};
use super::preset::BotPreset;
use super::random::RandomConfig;
use super::solver::SolverConfig;
use super::spec::from_table;
use super::two_ply::TwoPlyConfig;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use tengen_go::{Named, Size, call_registered};
use tengen_gtp::GtpConfig;
use tengen_search::UctConfig;
use tengen_settings::Table;

/// A bot: its kind and all its settings.
///
/// # Examples
/// ```
/// use tengen_bots::BotConfig;
/// use tengen_search::UctConfig;
///
/// let bot: BotConfig = "uct:simulations=100".parse()?;
/// let settings = UctConfig { simulations: Some(100), ..UctConfig::default() };
/// assert_eq!(bot, settings.into());
/// assert_eq!(bot.uct().and_then(|settings| settings.simulations), Some(100));
/// # Ok::<(), tengen_bots::SpecError>(())
/// ```
#[derive(Clone)]
pub struct BotConfig {
    kind: Named<Declaration>,
    bot: Arc<dyn BotKind>,
    table: Arc<Table>,
}

impl BotConfig {
    pub(super) fn new(kind: Named<Declaration>, bot: Arc<dyn BotKind>, table: Table) -> Self {
        Self { kind, bot, table: Arc::new(table) }
    }

    /// Help text of `--bot`: one line per kind of bot and preset, with how it is written.
    #[must_use]
    pub fn help() -> String {
        let presets = BotPreset::all().iter().map(|preset| preset.help);
        Kind::all().iter().map(|kind| kind.help).chain(presets).collect::<Vec<_>>().join("\n")
    }

    /// The name of the kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind.text()
    }

    pub(super) fn declared(&self) -> Kind {
        self.kind.into()
    }

    /// All settings that have a value, by key.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The settings, if they are of the type `K`.
    #[must_use]
    pub fn settings_of<K: BotKind>(&self) -> Option<&K> {
        let any: &dyn Any = &*self.bot;
        any.downcast_ref()
    }

    /// The settings of a bot of kind `uct`; none of any other.
    #[must_use]
    pub fn uct(&self) -> Option<&UctConfig> {
        self.settings_of()
    }

    /// The versions of the registered parts of the bot: its kind, and components that its settings
    /// name. Bots with equal texts but other versions are different bots.
    #[must_use]
    pub fn versions(&self) -> Vec<String> {
        let of_kind = Some(self.kind.version()).filter(|version| !version.is_empty());
        let mut versions = self.call(|| self.bot.versions());
        versions.extend(of_kind.map(str::to_owned));
        versions
    }

    /// Builds the player of one game. All its random draws follow from `seed`; `pool` runs the
    /// workers of a search where there are several. A panic of code that the program has
    /// registered, the bot itself or a component that its settings name, is a failure of the player
    /// ([`FailureKind::Panic`](super::FailureKind::Panic)).
    #[must_use]
    pub fn build<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        if self.calls_registered_code() {
            return Box::new(Contained::new(self.clone(), seed, pool));
        }
        self.build_uncontained(seed, pool)
    }

    /// As [`Self::build`], but a panic of registered code unwinds to the caller.
    pub(crate) fn build_uncontained<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        self.call(|| self.bot.build(seed, pool))
    }

    /// Whether the bot is registered, or calls registered code.
    fn calls_registered_code(&self) -> bool {
        !self.versions().is_empty()
    }

    /// Calls `work`, code of a player of the bot; a panic of a registered bot names the bot.
    pub(crate) fn call<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.kind.is_built_in() {
            return work();
        }
        call_registered(|| format!("bot `{}`", self.kind), work)
    }

    /// How many games of the bot a thread can play side by side.
    #[must_use]
    pub fn side_by_side(&self) -> SideBySide {
        self.call(|| self.bot.side_by_side())
    }

    /// Number of root-parallel workers of a search: as many threads can run it at once. 1 for a bot
    /// that does not search.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.move_cost().map_or(1, |cost| cost.workers.max(1) as usize)
    }

    /// Upper bound of the bytes that the bot's search trees take in a game on a board
    /// of `size`; none where there is no bound.
    #[must_use]
    pub fn max_bytes(&self, size: Size) -> Option<u64> {
        self.call(|| self.bot.max_bytes(size))
    }

    /// The limits of a move of the bot; none where another program chooses the move.
    #[must_use]
    pub fn move_cost(&self) -> Option<MoveCost> {
        self.call(|| self.bot.move_cost())
    }

    /// Whether an analysis by the bot may show a search.
    pub(crate) fn can_analyze(&self) -> bool {
        self.call(|| self.bot.can_analyze())
    }

    /// Whether the bot makes simulations, so that `games.csv` has their number.
    #[must_use]
    pub fn makes_simulations(&self) -> bool {
        self.call(|| self.bot.makes_simulations())
    }
}

impl<'de> Deserialize<'de> for BotConfig {
    /// Reads a table with `kind`; settings that it leaves out have the defaults of the text form.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_table(&toml::Table::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl Serialize for BotConfig {
    /// The kind, then the settings in the order in which they are declared.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let declared = self.declared().settings.iter();
        let entries = declared.filter_map(|one| self.table.get_key_value(one.key));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind())?;
        for (key, value) in entries {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl PartialEq for BotConfig {
    fn eq(&self, other: &Self) -> bool {
        match (self.uct(), other.uct()) {
            // Two paths may name one weights file.
            (Some(one), Some(two)) => one == two,
            _ => (self.kind, &self.table) == (other.kind, &other.table),
        }
    }
}

impl fmt::Debug for BotConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.kind, self.table)
    }
}

/// A bot of a built-in kind, from its settings.
macro_rules! from_settings {
    ($($settings:ty),*) => {
        $(impl From<$settings> for BotConfig {
            fn from(settings: $settings) -> Self {
                // Every setting has a form in TOML.
                let table = Table::try_from(&settings).unwrap_or_default();
                Self::new(Kind::built_in::<$settings>(), Arc::new(settings), table)
            }
        })*
    };
}

from_settings!(RandomConfig, TwoPlyConfig, UctConfig, SolverConfig, GtpConfig);
