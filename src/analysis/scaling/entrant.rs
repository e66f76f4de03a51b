//! The bots of the matches: sequential searches of some playouts, and parallel
//! ones.

use crate::bots::{BotConfig, NamedBot};
use std::fmt;

/// How a search is made parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Independent searches merged at the root. They run one after the other
    /// where there are more of them than cores: nothing that they find depends
    /// on it.
    Root,
    /// Leaves of one tree that are out at once, with virtual loss: the model of
    /// as many threads that share a tree, which holds beyond the cores too.
    Tree,
    /// Playouts at once from one leaf.
    Leaf,
    /// Threads that share a tree: what [`Scheme::Tree`] models. No two searches
    /// are the same.
    Threads,
}

impl Scheme {
    /// All schemes, in the order of rows and plots.
    pub const ALL: [Self; 4] = [Self::Root, Self::Tree, Self::Leaf, Self::Threads];

    /// Those whose games can be repeated, on any machine.
    pub const REPEATABLE: [Self; 3] = [Self::Root, Self::Tree, Self::Leaf];

    /// What rows and names of bots call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Tree => "tree",
            Self::Leaf => "leaf",
            Self::Threads => "threads",
        }
    }

    /// The setting of a search that says how parallel it is.
    const fn setting(self) -> &'static str {
        match self {
            Self::Root => "workers",
            Self::Tree => "in_flight",
            Self::Leaf => "leaf_playouts",
            Self::Threads => "tree_threads",
        }
    }
}

/// What a parallel search is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// As many playouts as the sequential search for each of its n parts. No
    /// clock runs: this is what n processors would make in the time of one if
    /// nothing held them up, and what the literature calls fixed time.
    FixedTime,
    /// As many playouts as the sequential search, all parts together.
    FixedWork,
}

impl Work {
    /// Both, in the order of rows.
    pub const ALL: [Self; 2] = [Self::FixedTime, Self::FixedWork];

    /// What rows call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FixedTime => "fixed_time",
            Self::FixedWork => "fixed_work",
        }
    }

    const fn short(self) -> &'static str {
        match self {
            Self::FixedTime => "time",
            Self::FixedWork => "work",
        }
    }
}

/// A parallel search but for its playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallel {
    /// How it is parallel.
    pub scheme: Scheme,
    /// Workers, leaves in flight, playouts a leaf or threads.
    pub n: u32,
    /// What it is given.
    pub work: Work,
}

/// A bot of the matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Playouts a move, all parts together.
    pub playouts: u64,
    /// How it is parallel; sequential if it is not.
    pub parallel: Option<Parallel>,
}

impl fmt::Display for Entrant {
    /// The name of the bot: `p500`, or `root-4-time`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parallel {
            None => write!(f, "p{}", self.playouts),
            Some(Parallel { scheme, n, work }) => {
                write!(f, "{}-{n}-{}", scheme.name(), work.short())
            }
        }
    }
}

impl Entrant {
    /// A sequential search.
    #[must_use]
    pub const fn sequential(playouts: u64) -> Self {
        Self { playouts, parallel: None }
    }

    /// A parallel search that is held against a sequential one of `playouts`.
    #[must_use]
    pub const fn parallel(parallel: Parallel, playouts: u64) -> Self {
        let factor = match parallel.work {
            Work::FixedTime => parallel.n as u64,
            Work::FixedWork => 1,
        };
        Self { playouts: playouts.saturating_mul(factor), parallel: Some(parallel) }
    }

    /// The bot as text, with the further settings `more`.
    #[must_use]
    pub fn spec(&self, more: Option<&str>) -> String {
        let mut text = format!("{self}=uct:playouts={}", self.playouts);
        if let Some(Parallel { scheme, n, .. }) = self.parallel {
            text = format!("{text},{}={n}", scheme.setting());
        }
        match more {
            Some(more) => format!("{text},{more}"),
            None => text,
        }
    }

    /// The entrant that `bot` is, by its name and its playouts; `None` for
    /// another bot.
    #[must_use]
    pub fn of(bot: &NamedBot) -> Option<Self> {
        let BotConfig::Uct(config) = &bot.config else { return None };
        let playouts = config.playouts?;
        let schemes = || Scheme::ALL.into_iter().flat_map(|s| Work::ALL.map(|work| (s, work)));
        let parallel = schemes().find_map(|(scheme, work)| {
            let n = bot.name.strip_prefix(scheme.name())?.strip_prefix('-')?;
            let n = n.strip_suffix(work.short())?.strip_suffix('-')?.parse().ok()?;
            Some(Parallel { scheme, n, work })
        });
        let entrant = Self { playouts, parallel };
        (entrant.to_string() == bot.name).then_some(entrant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_settings_by_hand() {
        let root = Parallel { scheme: Scheme::Root, n: 4, work: Work::FixedTime };
        let leaf = Parallel { scheme: Scheme::Leaf, n: 16, work: Work::FixedWork };
        for (entrant, spec) in [
            (Entrant::sequential(125), "p125=uct:playouts=125"),
            (Entrant::parallel(root, 500), "root-4-time=uct:playouts=2000,workers=4"),
            (Entrant::parallel(leaf, 500), "leaf-16-work=uct:playouts=500,leaf_playouts=16"),
        ] {
            assert_eq!(entrant.spec(None), spec);
            let bot: NamedBot = entrant.spec(Some("exploration=0.2")).parse().unwrap();
            assert_eq!(Entrant::of(&bot), Some(entrant));
        }
        let threads = Parallel { scheme: Scheme::Threads, n: 2, work: Work::FixedTime };
        let threads = Entrant::parallel(threads, 9);
        assert_eq!(threads.spec(None), "threads-2-time=uct:playouts=18,tree_threads=2");
        let plain = "rave=none,prior=none";
        assert_eq!(Entrant::of(&threads.spec(Some(plain)).parse().unwrap()), Some(threads));
        let tree = Parallel { scheme: Scheme::Tree, n: 2, work: Work::FixedWork };
        assert!(Entrant::parallel(tree, 9).spec(None).ends_with("playouts=9,in_flight=2"));
    }

    #[test]
    fn other_bots_are_none() {
        for text in ["random", "p10=uct:playouts=11", "uct", "root-2=uct", "root-x-time=uct"] {
            assert_eq!(Entrant::of(&text.parse().unwrap()), None, "{text}");
        }
    }
}
