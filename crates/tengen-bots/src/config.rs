//! Configurations of bots: the kinds there are, each with its settings.

use super::Bot;
use super::contained::Contained;
use super::kind::{BotKind, MoveCost, SideBySide};
use super::own::{self, OwnBot};
use super::random::RandomConfig;
use super::solver::SolverConfig;
use super::spec::from_table;
use super::two_ply::TwoPlyConfig;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use tengen_go::Size;
use tengen_gtp::GtpConfig;
use tengen_search::UctConfig;

/// A kind of bot, as help texts show it.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name, with which the text of a bot begins.
    pub name: &'static str,
    /// How a bot of this kind is written, and what it is.
    pub help: &'static str,
    /// The key and the meaning of each setting.
    pub(crate) meanings: Vec<(&'static str, &'static str)>,
    /// A bot of this kind with its default settings.
    pub(crate) default: BotConfig,
}

impl Kind {
    /// The kind `name` whose settings are `K`.
    pub(crate) fn of<K: BotKind>(name: &'static str, default: BotConfig) -> Self {
        Self { name, help: K::help(), meanings: K::meanings(), default }
    }

    /// The kinds of bots, in the order in which help shows them: those of Tengen, then those that the
    /// program has registered.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut kinds = vec![
            Self::of::<RandomConfig>("random", BotConfig::Random(RandomConfig::default())),
            Self::of::<TwoPlyConfig>("two-ply", BotConfig::TwoPly(TwoPlyConfig::default())),
            Self::of::<UctConfig>("uct", BotConfig::Uct(UctConfig::default())),
            Self::of::<SolverConfig>("solver", BotConfig::Solver(SolverConfig::default())),
            Self::of::<GtpConfig>("gtp", BotConfig::Gtp(GtpConfig::default())),
        ];
        kinds.extend(Self::registered());
        kinds
    }

    /// The kinds of bots that the program has registered.
    #[must_use]
    pub fn registered() -> Vec<Self> {
        own::kinds()
    }

    /// Whether a bot of this kind makes simulations, by its default settings.
    #[must_use]
    pub fn makes_playouts(&self) -> bool {
        self.default.makes_playouts()
    }
}

/// A kind of bot and all its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Help text of `--bot`: one line per kind of bot, with how it is written.
    #[must_use]
    pub fn help() -> String {
        Kind::all().iter().map(|kind| kind.help).collect::<Vec<_>>().join("\n")
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
    pub fn makes_playouts(&self) -> bool {
        self.kind().makes_playouts()
    }
}

/// A bot of one of Tengen's own kinds, as a table with all its settings.
#[derive(Deserialize)]
pub(crate) struct BuiltIn(#[serde(with = "BotConfig")] pub BotConfig);

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
