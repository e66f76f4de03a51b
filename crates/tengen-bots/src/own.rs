//! Kinds of bots that a program registers.

use super::config::Kind;
use super::kind::{BotKind, MoveCost, SideBySide};
use super::{Bot, BotConfig};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use tengen_go::{Named, Registry, RegistryError, Size, call_registered, catch_registered_panic};
use tengen_settings::read_table;
use toml::Table;

/// A bot of a kind that the program has registered, with its settings.
#[derive(Clone)]
pub struct OwnBot {
    kind: Named<OwnKind>,
    /// All settings, without the kind.
    settings: Table,
    bot: Arc<dyn BotKind>,
}

/// A kind of bot that the program has registered.
struct OwnKind {
    read: Box<Read>,
    describe: Box<Describe>,
}

/// Reads the settings of a bot of the kind of this name.
type Read = dyn Fn(&Table, &str) -> Result<Settings, String> + Send + Sync;

/// Describes the kind of this name, with the bot of default settings.
type Describe = dyn Fn(&'static str, BotConfig) -> Kind + Send + Sync;

/// Settings of a bot, as a table and as what builds its players.
type Settings = (Table, Arc<dyn BotKind>);

/// The names of Tengen's own kinds, in the order of [`Kind::all`].
const BUILT_IN: [&str; 5] = ["random", "two-ply", "uct", "solver", "gtp"];

/// The kinds of bots that this process has registered.
static REGISTERED: Registry<OwnKind> = Registry::new("kind of bot", &BUILT_IN);

/// Registers the kind of bot whose settings are `K` under `name` in `version`: from now on `NAME`, or
/// `NAME:KEY=VALUE,KEY=VALUE`, is a bot in every text and file. The settings are the fields of `K`; those
/// that are left out have their default.
///
/// # Errors
/// If the name cannot be registered ([`Registry::register`]).
///
/// # Examples
/// ```
/// use serde::{Deserialize, Serialize};
/// use tengen_bots::{Bot, BotConfig, BotFailure, BotKind, MoveAnswer, register};
/// use tengen_go::{Bits, Game, Move};
///
/// /// Plays the point nearest to the corner A1, or farthest from it.
/// #[derive(Clone, Default, Serialize, Deserialize)]
/// #[serde(default, deny_unknown_fields)]
/// struct Corner {
///     far: bool,
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
    K: BotKind + Default + Serialize + DeserializeOwned + 'static,
{
    REGISTERED.register(name, version, |_| {
        Ok(Box::new(OwnKind { read: Box::new(read::<K>), describe: Box::new(Kind::of::<K>) }))
    })
}

/// Registers bots without settings under `name` in `version`, whose players `bot` builds: for those that are
/// known only when the program runs, as from another language. `help` is the line of the help text.
///
/// # Errors
/// If the name cannot be registered ([`Registry::register`]).
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
    REGISTERED.register(name, version, move |_| {
        let bot = bot.clone();
        let read = move |settings: &Table, name: &str| {
            let NoSettings {} = read_table(settings, name)?;
            Ok((Table::new(), bot.clone()))
        };
        let describe = move |name, default| Kind { name, help, meanings: Vec::new(), default };
        Ok(Box::new(OwnKind { read: Box::new(read), describe: Box::new(describe) }))
    })
}

/// The settings of a bot that has none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoSettings {}

/// Reads `settings` of a bot of the kind `name`.
fn read<K>(settings: &Table, name: &str) -> Result<Settings, String>
where
    K: BotKind + Serialize + DeserializeOwned + 'static,
{
    let config: K = read_table(settings, name)?;
    let complete = Table::try_from(&config).map_err(|error| error.to_string())?;
    Ok((complete, Arc::new(config)))
}

/// The bot of the registered kind `name` with `settings`, the key `kind` not regarded; none if no such
/// kind is registered.
///
/// # Errors
/// The setting that is wrong, in one line.
pub(super) fn of_kind(name: &str, settings: &Table) -> Result<Option<BotConfig>, String> {
    if name.contains(':') {
        return Ok(None);
    }
    let Some(kind) = REGISTERED.get(name)? else { return Ok(None) };
    let mut settings = settings.clone();
    settings.remove("kind");
    let read = || kind.call(|kind| (kind.read)(&settings, name));
    let (settings, bot) = catch_registered_panic(read).map_err(|panic| panic.to_string())??;
    Ok(Some(BotConfig::Own(OwnBot { kind, settings, bot })))
}

/// The names of all kinds of bots.
pub(super) fn names() -> Vec<String> {
    BUILT_IN.iter().map(|name| (*name).to_owned()).chain(REGISTERED.names()).collect()
}

/// The registered kinds, in the order of registration.
pub(super) fn kinds() -> Vec<Kind> {
    let names = REGISTERED.names();
    let kind = |name: String| {
        let default = of_kind(&name, &Table::new()).ok()??;
        let kind = REGISTERED.get(&name).ok()??;
        Some((kind.describe)(kind.text(), default))
    };
    names.into_iter().filter_map(kind).collect()
}

impl OwnBot {
    /// Calls `work`, code of the bot: a panic in it names the bot.
    pub(super) fn call<T>(&self, work: impl FnOnce() -> T) -> T {
        call_registered(|| format!("bot `{}`", self.kind), work)
    }

    /// The version of the kind.
    #[must_use]
    pub fn version(&self) -> &str {
        self.kind.version()
    }

    /// The kind and all settings.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::from_iter([("kind".to_owned(), self.kind.text().into())]);
        table.extend(self.settings.clone());
        table
    }
}

/// What every kind of bot has in common, by the code that is registered.
impl BotKind for OwnBot {
    fn help() -> &'static str {
        "a bot that the program has registered"
    }

    fn build<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        self.call(|| self.bot.build(seed, pool))
    }

    fn side_by_side(&self) -> SideBySide {
        self.call(|| self.bot.side_by_side())
    }

    fn workers(&self) -> usize {
        self.call(|| self.bot.workers())
    }

    fn max_bytes(&self, size: Size) -> Option<u64> {
        self.call(|| self.bot.max_bytes(size))
    }

    fn move_cost(&self) -> Option<MoveCost> {
        self.call(|| self.bot.move_cost())
    }

    fn makes_playouts(&self) -> bool {
        self.call(|| self.bot.makes_playouts())
    }
}

impl fmt::Debug for OwnBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.kind, self.settings)
    }
}

impl PartialEq for OwnBot {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.settings) == (other.kind, &other.settings)
    }
}
