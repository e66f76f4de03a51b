//! Kinds of bots that a program registers.

use super::config::Kind;
use super::kind::{BotKind, MoveCost, SideBySide};
use super::preset::PRESETS;
use super::{Bot, BotConfig};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use tengen_go::{Named, Registry, RegistryError, Size, call_registered, catch_registered_panic};
use tengen_settings::{Setting, SettingError, Settings, refuse_unknown};
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
    help: &'static str,
    settings: &'static [Setting],
    read: Box<Read>,
    filled: fn(&Table) -> Table,
}

/// Reads settings of a bot: all of them, and what builds its players.
type Read = dyn Fn(Table) -> Result<(Table, Arc<dyn BotKind>), SettingError> + Send + Sync;

/// The names of Tengen's own kinds.
const KINDS: [&str; 5] = ["random", "two-ply", "uct", "solver", "gtp"];

/// The names that cannot be registered: those of Tengen's kinds, then of its presets.
const BUILT_IN: [&str; KINDS.len() + PRESETS.len()] = {
    let mut names = [""; KINDS.len() + PRESETS.len()];
    let mut place = 0;
    while place < names.len() {
        let is_kind = place < KINDS.len();
        names[place] = if is_kind { KINDS[place] } else { PRESETS[place - KINDS.len()].name };
        place += 1;
    }
    names
};

/// The kinds of bots that this process has registered.
static REGISTERED: Registry<OwnKind> = Registry::new("kind of bot", &BUILT_IN);

/// Registers the kind of bot whose settings are `K` under `name` in `version`: from now on `NAME`, or
/// `NAME:KEY=VALUE,KEY=VALUE`, is a bot in every text and file. Its settings are declared by
/// [`settings!`](tengen_settings::settings), as those of Tengen's bots are.
///
/// # Errors
/// If the name cannot be registered ([`Registry::register`]).
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
    REGISTERED.register(name, version, |_| {
        let (help, settings) = (K::help(), K::ALL);
        Ok(Box::new(OwnKind { help, settings, read: Box::new(read::<K>), filled: K::filled }))
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
    let name = name.into();
    let owner = name.clone();
    REGISTERED.register(name, version, move |_| {
        let (bot, owner) = (bot.clone(), owner.clone());
        let read = move |settings: Table| {
            refuse_unknown(&settings, &owner, std::iter::empty())?;
            Ok((Table::new(), bot.clone()))
        };
        let filled = |_: &Table| Table::new();
        Ok(Box::new(OwnKind { help, settings: &[], read: Box::new(read), filled }))
    })
}

/// Reads `settings` of a bot.
fn read<K>(settings: Table) -> Result<(Table, Arc<dyn BotKind>), SettingError>
where
    K: BotKind + Settings + Serialize + 'static,
{
    let config = K::from_table(settings)?;
    let complete = Table::try_from(&config).map_err(|error| error.to_string())?;
    Ok((complete, Arc::new(config)))
}

/// The registered kinds, in the order of registration.
pub(super) fn kinds() -> Vec<Kind> {
    let kind = |name: String| {
        let kind = REGISTERED.get(&name).ok()??;
        let read = move |settings: Table| {
            let read = || kind.call(|kind| (kind.read)(settings.clone()));
            let (settings, bot) = catch_registered_panic(read)
                .map_err(|panic| panic.to_string())?
                .map_err(|error| error.to_string())?;
            Ok(BotConfig::Own(OwnBot { kind, settings, bot }))
        };
        let OwnKind { help, settings, filled, .. } = *kind;
        Some(Kind { name: kind.text(), help, settings, read: Arc::new(read), filled })
    };
    REGISTERED.names().into_iter().filter_map(kind).collect()
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

    fn makes_simulations(&self) -> bool {
        self.call(|| self.bot.makes_simulations())
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
