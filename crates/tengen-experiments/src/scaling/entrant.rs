//! The bots of the scaling matches: sequential searches with several numbers of
//! simulations, and parallel searches.

use std::fmt;
use tengen_bots::NamedBot;
use tengen_settings::choice;

choice! {
    "scheme"
    /// A kind of parallel search. Root workers beyond the cores run one after the other: results are
    /// the same as with a core for each worker.
    pub enum Scheme {
        /// Root parallelism: independent searches, merged at the root.
        Root = "root",
        /// Tree parallelism, modelled by several leaves of one tree in flight with virtual loss.
        Tree = "tree",
        /// Leaf parallelism: several playouts from each leaf.
        Leaf = "leaf",
        /// Workers that share the upper tree while they search; each worker models a process.
        Shared = "shared",
    }
}

/// What the workers of [`Scheme::Shared`] share.
const SHARING: &str = ",sharing=upper-tree:50:0.05:3";

impl Scheme {
    /// The setting of a search for its degree of parallelism.
    const fn setting(self) -> &'static str {
        match self {
            Self::Root | Self::Shared => "workers",
            Self::Tree => "in_flight",
            Self::Leaf => "leaf_playouts",
        }
    }
}

choice! {
    "amount of work"
    /// The number of simulations of a parallel search. The fixed time of the literature is modelled by
    /// the simulations that n processors would make without overhead.
    pub enum Work {
        /// n times the simulations of the sequential search; no clock is used.
        FixedTime = "fixed_time",
        /// As many simulations as the sequential search.
        FixedWork = "fixed_work",
    }
}

impl Work {
    /// Name in names of bots: `time` or `work`.
    fn short(self) -> &'static str {
        self.name().trim_start_matches("fixed_")
    }
}

/// Kind and degree of a parallel search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallel {
    /// Kind of parallel search.
    pub scheme: Scheme,
    /// Degree of parallelism: number of workers, leaves in flight or playouts per
    /// leaf.
    pub n: u32,
    /// Number of simulations, relative to the sequential search.
    pub work: Work,
}

/// A bot of the matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Simulations per move, all workers together.
    pub simulations: u64,
    /// Kind and degree of parallelism; none for a sequential search.
    pub parallel: Option<Parallel>,
}

impl fmt::Display for Entrant {
    /// The name of the bot: `p500`, or `root-4-time`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parallel {
            None => write!(f, "p{}", self.simulations),
            Some(Parallel { scheme, n, work }) => {
                write!(f, "{}-{n}-{}", scheme.name(), work.short())
            }
        }
    }
}

impl Entrant {
    /// A sequential search.
    #[must_use]
    pub const fn sequential(simulations: u64) -> Self {
        Self { simulations, parallel: None }
    }

    /// A parallel search to compare with a sequential one of `simulations`
    /// simulations.
    #[must_use]
    pub const fn parallel(parallel: Parallel, simulations: u64) -> Self {
        let factor = match parallel.work {
            Work::FixedTime => parallel.n as u64,
            Work::FixedWork => 1,
        };
        Self { simulations: simulations.saturating_mul(factor), parallel: Some(parallel) }
    }

    /// The simulations per move of the sequential search with which this parallel search is
    /// compared; none for a sequential search.
    #[must_use]
    pub const fn base(&self) -> Option<u64> {
        match self.parallel {
            None => None,
            Some(Parallel { work: Work::FixedTime, n, .. }) => Some(self.simulations / n as u64),
            Some(Parallel { work: Work::FixedWork, .. }) => Some(self.simulations),
        }
    }

    /// The bot as text `NAME=SPEC`, with the further settings `more`.
    #[must_use]
    pub fn spec(&self, more: Option<&str>) -> String {
        let parallel = self.parallel.map(|Parallel { scheme, n, .. }| {
            let sharing = if scheme == Scheme::Shared { SHARING } else { "" };
            format!(",{}={n}{sharing}", scheme.setting())
        });
        let more = more.map_or(String::new(), |more| format!(",{more}"));
        format!("{self}=uct:simulations={}{}{more}", self.simulations, parallel.unwrap_or_default())
    }

    /// The entrant from which `bot` was made, by its name and its simulations; `None`
    /// for any other bot.
    #[must_use]
    pub fn of(bot: &NamedBot) -> Option<Self> {
        let config = bot.config.uct()?;
        let simulations = config.simulations?;
        let parallel = || {
            let (scheme, rest) = bot.name.split_once('-')?;
            let (n, work) = rest.split_once('-')?;
            let work = format!("fixed_{work}").parse().ok()?;
            Some(Parallel { scheme: scheme.parse().ok()?, n: n.parse().ok()?, work })
        };
        let parallel = parallel();
        let entrant = Self { simulations, parallel };
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
            (Entrant::sequential(125), "p125=uct:simulations=125"),
            (Entrant::parallel(root, 500), "root-4-time=uct:simulations=2000,workers=4"),
            (Entrant::parallel(leaf, 500), "leaf-16-work=uct:simulations=500,leaf_playouts=16"),
        ] {
            assert_eq!(entrant.spec(None), spec);
            let bot: NamedBot = entrant.spec(Some("exploration=0.2")).parse().unwrap();
            assert_eq!(Entrant::of(&bot), Some(entrant));
            assert_eq!(entrant.base(), entrant.parallel.map(|_| 500));
        }
        let tree = Parallel { scheme: Scheme::Tree, n: 2, work: Work::FixedWork };
        let shared = Parallel { scheme: Scheme::Shared, n: 64, work: Work::FixedTime };
        let spec = Entrant::parallel(shared, 100).spec(None);
        assert_eq!(
            spec,
            "shared-64-time=uct:simulations=6400,workers=64,sharing=upper-tree:50:0.05:3"
        );
        assert_eq!(Entrant::of(&spec.parse().unwrap()), Some(Entrant::parallel(shared, 100)));
        assert!(Entrant::parallel(tree, 9).spec(None).ends_with("simulations=9,in_flight=2"));
    }

    #[test]
    fn other_bots_are_none() {
        for text in ["random", "p10=uct:simulations=11", "uct", "root-2=uct", "root-x-time=uct"] {
            assert_eq!(Entrant::of(&text.parse().unwrap()), None, "{text}");
        }
    }
}
