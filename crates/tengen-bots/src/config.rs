//! Configurations of bots: the kinds there are, each with its settings.

use super::Bot;
use super::contained::Contained;
use super::kind::{BotKind, MoveCost, SideBySide};
use super::own::{self, OwnBot};
use super::preset::BotPreset;
use super::random::RandomConfig;
use super::solver::SolverConfig;
use super::spec::from_table;
use super::two_ply::TwoPlyConfig;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::sync::Arc;
use tengen_go::Size;
use tengen_gtp::GtpConfig;
use tengen_search::UctConfig;
use tengen_settings::{Setting, Settings, Table, suggestion};

/// A kind of bot.
#[derive(Clone)]
pub struct Kind {
    /// Its name, with which the text of a bot begins.
    pub name: &'static str,
    /// How a bot of this kind is written, and what it is.
    pub help: &'static str,
    /// Its settings.
    pub settings: &'static [Setting],
    pub(super) read: Arc<ReadBot>,
    pub(super) filled: fn(&Table) -> Table,
}

/// Reads the settings of a bot, without the kind.
pub(super) type ReadBot = dyn Fn(Table) -> Result<BotConfig, String> + Send + Sync;

impl Kind {
    /// The kind `name` whose settings are `K`, which `bot` makes a bot of.
    pub(crate) fn of<K: BotKind + Settings>(
        name: &'static str,
        bot: impl Fn(K) -> BotConfig + Send + Sync + 'static,
    ) -> Self {
        let read = move |table| {
            let settings = K::from_table(table).map_err(|error| error.to_string())?;
            Ok(bot(settings))
        };
        Self { name, help: K::help(), settings: K::ALL, read: Arc::new(read), filled: K::filled }
    }

    /// The kinds of bots, in the order in which help shows them: those of Tengen, then those that the
    /// program has registered.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut kinds = vec![
            Self::of("random", BotConfig::Random),
            Self::of("two-ply", BotConfig::TwoPly),
            Self::of("uct", BotConfig::Uct),
            Self::of("solver", BotConfig::Solver),
            Self::of("gtp", BotConfig::Gtp),
        ];
        kinds.extend(Self::registered());
        kinds
    }

    /// The kinds of bots that the program has registered.
    #[must_use]
    pub fn registered() -> Vec<Self> {
        own::kinds()
    }

    /// The kind `name`.
    ///
    /// # Errors
    /// If there is none; the error suggests one.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let unknown =
            || format!("invalid kind of bot `{name}`: {}", suggestion(name, &Self::names()));
        Self::all().into_iter().find(|kind| kind.name == name).ok_or_else(unknown)
    }

    /// What a text of a bot may begin with: the names of the kinds and of the presets.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        let presets = BotPreset::all().iter().map(|preset| preset.name);
        Self::all().iter().map(|kind| kind.name).chain(presets).collect()
    }

    /// Reads `settings`, those of a bot of this kind, without the kind.
    ///
    /// # Errors
    /// The setting that is wrong, in one line.
    pub(crate) fn read(&self, settings: Table) -> Result<BotConfig, String> {
        (self.read)(settings)
    }

    /// The defaults of its settings, by key.
    #[must_use]
    pub fn defaults(&self) -> Table {
        (self.filled)(&Table::new())
    }

    /// The least of `settings`, all those of a bot, of which the others follow.
    pub(crate) fn shortest(&self, settings: &Table) -> Table {
        let mut given = Table::new();
        let mut filled = (self.filled)(&given);
        // A default may depend on the settings above it alone.
        for Setting { key, .. } in self.settings {
            if let Some(value) = settings.get(*key).filter(|value| filled.get(*key) != Some(value))
            {
                given.insert((*key).to_owned(), value.clone());
                filled = (self.filled)(&given);
            }
        }
        given
    }

    /// Whether a bot of this kind makes simulations, by its default settings.
    #[must_use]
    pub fn makes_simulations(&self) -> bool {
        self.read(Table::new()).is_ok_and(|bot| bot.makes_simulations())
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kind").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A kind of bot and all its settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(remote = "Self", tag = "kind", rename_all = "kebab-case")]
pub enum BotConfig {
    /// Random moves.
    Random(RandomConfig),
    /// Minimax of depth two on the area score.
    TwoPly(TwoPlyConfig),
    /// Monte Carlo tree search.
    Uct(UctConfig),
    /// The exact solver of small boards.
    Solver(SolverConfig),
    /// Another program, through GTP.
    Gtp(GtpConfig),
    /// A bot of a kind that the program has registered.
    #[serde(skip)]
    Own(OwnBot),
}

impl BotConfig {
    /// Help text of `--bot`: one line per kind of bot and preset, with how it is written.
    #[must_use]
    pub fn help() -> String {
        let presets = BotPreset::all().iter().map(|preset| preset.help);
        Kind::all().iter().map(|kind| kind.help).chain(presets).collect::<Vec<_>>().join("\n")
    }

    /// The settings, as what every kind has in common.
    fn kind(&self) -> &dyn BotKind {
        match self {
            Self::Random(config) => config,
            Self::TwoPly(config) => config,
            Self::Uct(config) => config,
            Self::Solver(config) => config,
            Self::Gtp(config) => config,
            Self::Own(own) => own,
        }
    }

    /// The versions of what the program has registered of the bot: its kind, and what its settings
    /// name. A bot whose versions differ is another bot, though its text is the same.
    #[must_use]
    pub fn versions(&self) -> Vec<String> {
        match self {
            Self::Uct(config) => config.versions(),
            Self::Own(own) => vec![own.version().to_owned()],
            _ => Vec::new(),
        }
    }

    /// Builds the player of one game. All its random draws follow from `seed`; `pool`
    /// runs the workers of a search where there are several. A panic of code that the program has
    /// registered, the bot itself or what its settings name, is a failure of the player
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
        self.kind().build(seed, pool)
    }

    /// Whether the bot is registered, or calls code that is.
    fn calls_registered_code(&self) -> bool {
        match self {
            Self::Uct(config) => config.calls_registered_code(),
            Self::Own(_) => true,
            _ => false,
        }
    }

    /// Calls `work`, code of a player of the bot: a panic of a registered one names it.
    pub(crate) fn call<T>(&self, work: impl FnOnce() -> T) -> T {
        match self {
            Self::Own(own) => own.call(work),
            _ => work(),
        }
    }

    /// How many games of the bot a thread can play side by side.
    #[must_use]
    pub fn side_by_side(&self) -> SideBySide {
        self.kind().side_by_side()
    }

    /// Number of root-parallel workers of a search, which as many threads can run at
    /// once; 1 for a bot that does not search.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.kind().workers()
    }

    /// Upper bound of the bytes that the bot's search trees take in a game on a board
    /// of `size`; none where there is no bound.
    #[must_use]
    pub fn max_bytes(&self, size: Size) -> Option<u64> {
        self.kind().max_bytes(size)
    }

    /// What a move of the bot may cost; none where another program chooses it.
    #[must_use]
    pub fn move_cost(&self) -> Option<MoveCost> {
        self.kind().move_cost()
    }

    /// Whether the bot makes simulations, so that `games.csv` has their number.
    #[must_use]
    pub fn makes_simulations(&self) -> bool {
        self.kind().makes_simulations()
    }
}

impl<'de> Deserialize<'de> for BotConfig {
    /// Reads a table with `kind`; settings that it leaves out have the defaults of the text form.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_table(&toml::Table::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl Serialize for BotConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Own(own) => own.table().serialize(serializer),
            _ => Self::serialize(self, serializer),
        }
    }
}
