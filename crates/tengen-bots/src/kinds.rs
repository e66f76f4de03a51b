//! Kinds of bots by name: built-in ones, and those that a program registers.

use super::config::BotConfig;
use super::kind::BotKind;
use super::preset::BotPreset;
use super::random::RandomConfig;
use super::solver::SolverConfig;
use super::two_ply::TwoPlyConfig;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use tengen_go::{BuiltIn, Made, Named, Registry, RegistryError, catch_registered_panic};
use tengen_gtp::GtpConfig;
use tengen_search::UctConfig;
use tengen_settings::{Setting, SettingError, Settings, Table, refuse_unknown, suggestion};

/// A kind of bot.
#[derive(Clone)]
pub struct Kind {
    /// Its name, with which the text of a bot begins.
    pub name: &'static str,
    /// How a bot of this kind is written, and what it is.
    pub help: &'static str,
    /// Its settings.
    pub settings: &'static [Setting],
    declaration: Named<Declaration>,
}

/// What a kind of bot declares.
pub(super) struct Declaration {
    help: &'static str,
    settings: &'static [Setting],
    read: Box<Read>,
    filled: fn(&Table) -> Table,
}

/// Reads settings of a bot: what builds its players, and all settings that have a value.
type Read = dyn Fn(Table) -> Result<(Arc<dyn BotKind>, Table), SettingError> + Send + Sync;

impl Declaration {
    fn of<K: BotKind + Settings>() -> Self {
        let read = |given| {
            let settings = K::from_table(given)?;
            let table = Table::try_from(&settings).map_err(|error| error.to_string())?;
            Ok((Arc::new(settings) as Arc<dyn BotKind>, table))
        };
        Self { help: K::help(), settings: K::ALL, read: Box::new(read), filled: K::filled }
    }
}

/// The kind whose settings are `K`.
const fn built_in<K: BotKind + Settings>() -> BuiltIn<Declaration> {
    let make = |_: &str| Made::only(Box::new(Declaration::of::<K>()));
    BuiltIn { name: K::OWNER, parameters: "", make }
}

/// The kinds of bots.
static KINDS: Registry<Declaration> = Registry::new(
    "kind of bot",
    &[
        built_in::<RandomConfig>(),
        built_in::<TwoPlyConfig>(),
        built_in::<UctConfig>(),
        built_in::<SolverConfig>(),
        built_in::<GtpConfig>(),
    ],
);

/// Registers the kind of bot whose settings are `K` under `name` in `version`: from now on `NAME`,
/// or `NAME:KEY=VALUE,KEY=VALUE`, is a bot in every text and file. Its settings are declared by
/// [`settings!`](tengen_settings::settings), as those of Tengen's bots are.
///
/// # Examples
/// ```
/// use tengen_bots::{Bot, BotConfig, BotFailure, BotKind, MoveAnswer, register};
/// use tengen_go::{Bits, Game, Move};
/// use tengen_settings::settings;
///
/// settings! {
///     "corner"
///     /// Plays the point nearest to the corner A1, or farthest from it.
///     #[derive(Clone)]
///     struct Corner {
///         /// Whether it plays the farthest point.
///         far: bool = false, "TRUTH" One;
///     }
/// }
///
/// impl BotKind for Corner {
///     fn help() -> &'static str {
///         "corner[:far=true]: the point nearest to the corner A1"
///     }
///
///     fn build<'pool>(&self, _: u64, _: Option<&'pool rayon::ThreadPool>) -> Box<dyn Bot + 'pool> {
///         Box::new(self.clone())
///     }
/// }
///
/// impl Bot for Corner {
///     fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
///         let points = game.sensible_points().iter().map(Bits::<6>::vertex);
///         let points = points.map(|vertex| (vertex.row + vertex.col, Move::Play(vertex)));
///         let best = if self.far { points.max_by_key(|it| it.0) } else { points.min_by_key(|it| it.0) };
///         Ok(MoveAnswer::without_search(best.map_or(Move::Pass, |(_, mv)| mv)))
///     }
/// }
///
/// register::<Corner>("corner", "1")?;
/// let bot: BotConfig = "corner:far=true".parse()?;
/// assert_eq!(bot.to_string(), "corner:far=true");
/// let error = "corner:near=true".parse::<BotConfig>().unwrap_err().to_string();
/// assert!(error.contains("unknown setting `near`"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register<K>(name: impl Into<String>, version: impl Into<String>) -> Result<(), RegistryError>
where
    K: BotKind + Settings + Serialize + 'static,
{
    let name = name.into();
    refuse_preset(&name)?;
    KINDS.register(name, version, |_| Ok(Box::new(Declaration::of::<K>())))
}

/// Registers bots without settings under `name` in `version`, whose players `bot` builds: for bots
/// that are known only at run time, such as those of another language. `help` is the line of the
/// help text.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use tengen_bots::{BotConfig, TwoPlyConfig, register_bot};
///
/// register_bot("quick", "1", "quick: two-ply by another name", Arc::new(TwoPlyConfig {}))?;
/// assert_eq!("quick".parse::<BotConfig>()?.to_string(), "quick");
/// let error = "quick:x=1".parse::<BotConfig>().unwrap_err().to_string();
/// assert!(error.contains("unknown setting `x`"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register_bot(
    name: impl Into<String>,
    version: impl Into<String>,
    help: &'static str,
    bot: Arc<dyn BotKind>,
) -> Result<(), RegistryError> {
    let name = name.into();
    refuse_preset(&name)?;
    let owner = name.clone();
    KINDS.register(name, version, move |_| {
        let (bot, owner) = (bot.clone(), owner.clone());
        let read = move |settings: Table| {
            refuse_unknown(&settings, &owner, std::iter::empty())?;
            Ok((bot.clone(), Table::new()))
        };
        let filled = |_: &Table| Table::new();
        Ok(Box::new(Declaration { help, settings: &[], read: Box::new(read), filled }))
    })
}

/// Unregisters the kind of bot `name`: a text with this name is an error from now on; bots that
/// were read before keep working. Returns false if the program has registered nothing of this name.
pub fn unregister(name: &str) -> bool {
    KINDS.unregister(name)
}

/// Refuses the name of a preset: the text of a bot may begin with it.
fn refuse_preset(name: &str) -> Result<(), RegistryError> {
    if BotPreset::named(name).is_some() { Err(KINDS.taken(name)) } else { Ok(()) }
}

impl Kind {
    /// The kinds of bots, in the order in which help shows them: those of Tengen, then those that
    /// the program has registered.
    #[must_use]
    pub fn all() -> Vec<Self> {
        KINDS.names().iter().filter_map(|name| KINDS.get(name).ok().map(Self::from)).collect()
    }

    /// The built-in kind whose settings are `K`.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn built_in<K: Settings>() -> Named<Declaration> {
        KINDS.get(K::OWNER).expect("a built-in kind")
    }

    /// Whether the program has registered it.
    #[must_use]
    pub fn is_registered(&self) -> bool {
        !self.declaration.is_built_in()
    }

    /// The kind `name`.
    ///
    /// # Errors
    /// If there is none; the error suggests one.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let unknown =
            || format!("invalid kind of bot `{name}`: {}", suggestion(name, &Self::names()));
        KINDS.get(name).map(Self::from).map_err(|_| unknown())
    }

    /// What a text of a bot may begin with: the names of the kinds and of the presets.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        let presets = BotPreset::all().iter().map(|preset| preset.name);
        Self::all().iter().map(|kind| kind.name).chain(presets).collect()
    }

    /// Reads the `settings` of a bot of this kind, without the kind itself.
    ///
    /// # Errors
    /// The setting that is wrong, in one line.
    pub(crate) fn read(&self, settings: Table) -> Result<BotConfig, String> {
        let read = || self.declaration.call(|kind| (kind.read)(settings));
        let read = catch_registered_panic(read).map_err(|panic| panic.to_string())?;
        let (bot, table) = read.map_err(|error| error.to_string())?;
        Ok(BotConfig::new(self.declaration, bot, table))
    }

    /// The defaults of its settings, by key.
    #[must_use]
    pub fn defaults(&self) -> Table {
        (self.declaration.filled)(&Table::new())
    }

    /// The fewest of `settings`, all settings of a bot, from which the others follow.
    pub(crate) fn shortest(&self, settings: &Table) -> Table {
        let mut given = Table::new();
        let mut filled = (self.declaration.filled)(&given);
        // A default may depend on the settings above it alone.
        for Setting { key, .. } in self.settings {
            if let Some(value) = settings.get(*key).filter(|value| filled.get(*key) != Some(value))
            {
                given.insert((*key).to_owned(), value.clone());
                filled = (self.declaration.filled)(&given);
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

impl From<Named<Declaration>> for Kind {
    fn from(declaration: Named<Declaration>) -> Self {
        let Declaration { help, settings, .. } = *declaration;
        Self { name: declaration.text(), help, settings, declaration }
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kind").field("name", &self.name).finish_non_exhaustive()
    }
}
