//! Bots that play one game at a time, against a person or another program.

use super::config::BotConfig;
use super::spec::{SpecError, config_of, table_of};
use std::fmt;
use std::str::FromStr;
use tengen_search::UctConfig;

/// Leaves in flight of a search that plays one game at a time, unless its bot says
/// otherwise. In the same time they win more games than one leaf or four, though each
/// simulation is worth less (`results/README.md`, in-flight-default-9x9).
pub const PLAY_IN_FLIGHT: u32 = 16;

/// The prior of a search that plays one game at a time, unless its bot says otherwise, and the visits
/// after which a node then gets its children. In the same time they win more games than the heuristic
/// prior (`results/README.md`, learned-9x9).
pub const PLAY_PRIOR: (&str, u32) = ("learned", 2);

/// The playout policy of a search that plays one game at a time, unless its bot says otherwise. In the same time
/// it wins more games than the default of a tournament (`results/README.md`, mogo-9x9).
pub const PLAY_POLICY: &str = "mogo:0.9:1";

/// Whether a search that plays one game at a time keeps its tree between moves, unless its bot says otherwise. With as many
/// new simulations it wins more games (`results/README.md`, reuse-9x9).
pub const PLAY_REUSE: bool = true;

/// The settings that go neither with leaves in flight nor with a kept tree.
const ALONE: [(&str, &str); 2] = [("sharing", "none"), ("back_up", "mean")];

/// The settings beside which no policy is filled in: an evaluator judges by itself.
const BESIDE_POLICY: [&str; 2] = ["policy", "evaluator"];

/// The settings that decide of what use a prior is: where one of them is set, no other prior is filled in.
const BESIDE_PRIOR: [&str; 5] = ["prior", "expansion", "rave", "selection", "evaluator"];

/// A bot that plays one game at a time.
///
/// A `uct` bot whose text does not set `in_flight` has [`PLAY_IN_FLIGHT`] leaves in flight,
/// stronger than one in the same time, and at most as strong with the same playouts. It keeps its
/// tree ([`PLAY_REUSE`]) unless its text sets `reuse`. It has
/// [`PLAY_PRIOR`] unless its text sets `prior`, `expansion`, `rave`, `selection` or `evaluator`, and
/// [`PLAY_POLICY`] unless it sets `policy` or `evaluator`. Where the clock ends its searches it has a
/// worker per thread, unless the text sets `workers` ([`BotConfig::by_clock`]). All else is as in a
/// tournament, and bots with `sharing` or a `back_up` of their own have as many leaves in flight as there
/// and keep no tree.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayBot {
    /// The bot.
    pub config: BotConfig,
    /// Whether its text sets the number of workers.
    pub sets_workers: bool,
    /// Whether its text sets `reuse`.
    pub sets_reuse: bool,
}

impl PlayBot {
    /// Help text of `--bot` where the bot is one of these.
    #[must_use]
    pub fn help() -> String {
        let help = BotConfig::help();
        let (prior, expansion) = PLAY_PRIOR;
        format!(
            "{help}\nHere uct has in_flight={PLAY_IN_FLIGHT} unless in_flight, sharing or back_up is set, \
             reuse={PLAY_REUSE} unless reuse, sharing or back_up is set, \
             prior={prior},expansion={expansion} unless prior, expansion, rave, selection or \
             evaluator is set, and policy={PLAY_POLICY} unless policy or evaluator is set; \
             where the clock ends its searches it has a worker per thread unless workers or \
             sharing is set"
        )
    }

    /// The bot for searches whose trees cannot be kept: with `reuse` only where its text sets it.
    #[must_use]
    pub fn anew(&self) -> BotConfig {
        match &self.config {
            BotConfig::Uct(config) if !self.sets_reuse => {
                BotConfig::Uct(UctConfig { reuse: false, ..config.clone() })
            }
            config => config.clone(),
        }
    }

    /// The number of workers of a search that a clock ends, on `threads` threads.
    #[must_use]
    pub fn workers_by_clock(&self, threads: usize) -> usize {
        if self.sets_workers { self.config.workers() } else { threads.max(1) }
    }
}

impl FromStr for PlayBot {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut table = table_of(text)?;
        let sets = |(key, usual)| table.get(key).is_some_and(|value| value.as_str() != Some(usual));
        let is_alone = ALONE.into_iter().any(sets);
        let is_uct = table["kind"].as_str() == Some("uct");
        let sets_reuse = table.contains_key("reuse");
        if is_uct && !is_alone {
            table.entry("in_flight").or_insert(PLAY_IN_FLIGHT.into());
            table.entry("reuse").or_insert(PLAY_REUSE.into());
        }
        let sets_one_of = |keys: &[&str]| keys.iter().any(|key| table.contains_key(*key));
        let (sets_prior, sets_policy) = (sets_one_of(&BESIDE_PRIOR), sets_one_of(&BESIDE_POLICY));
        if is_uct && !sets_prior {
            let (prior, expansion) = PLAY_PRIOR;
            table.insert("prior".to_owned(), prior.into());
            table.insert("expansion".to_owned(), expansion.into());
        }
        if is_uct && !sets_policy {
            table.insert("policy".to_owned(), PLAY_POLICY.into());
        }
        let sets_workers = table.contains_key("workers");
        Ok(Self { config: config_of(text, &table)?, sets_workers, sets_reuse })
    }
}

impl fmt::Display for PlayBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.config.fmt(f)
    }
}

impl BotConfig {
    /// Whether its own settings have the clock alone end its searches.
    #[must_use]
    pub const fn ends_by_clock(&self) -> bool {
        matches!(self, Self::Uct(UctConfig { playouts: None, seconds: Some(_), .. }))
    }

    /// This bot where the clock ends its searches, with `workers` root-parallel workers: each
    /// makes as many simulations in the time as one alone, and two and four won more games than
    /// one (`results/README.md`, workers-equal-time-9x9). Together their trees hold `max_nodes`,
    /// so that they take no more memory than one. Bots that cannot have several workers, and those
    /// with `sharing`, stay as they are.
    #[must_use]
    pub fn by_clock(&self, workers: usize) -> Self {
        let several = |config: &UctConfig| {
            let workers = u32::try_from(workers).unwrap_or(u32::MAX).max(1);
            let max_nodes = config.max_nodes / workers;
            Some(UctConfig { workers, max_nodes, ..config.clone() })
                .filter(|several| several.sharing.is_none() && several.validate().is_ok())
        };
        match self {
            Self::Uct(config) => several(config).map_or_else(|| self.clone(), Self::Uct),
            _ => self.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bot(text: &str) -> PlayBot {
        text.parse().unwrap()
    }

    #[test]
    fn only_what_is_not_set_is_filled_in() {
        let (prior, expansion) = PLAY_PRIOR;
        let uct = |in_flight| {
            let (prior, policy) = (prior.parse().unwrap(), PLAY_POLICY.parse().unwrap());
            let own = UctConfig { in_flight, prior, expansion, policy, ..UctConfig::default() };
            BotConfig::Uct(UctConfig { reuse: PLAY_REUSE, ..own })
        };
        assert_eq!(bot("uct").config, uct(PLAY_IN_FLIGHT));
        assert_eq!(bot("uct:in_flight=1").config, uct(1));
        let plain = "uct:policy=uniform,prior=none";
        assert_eq!(Ok(bot(&format!("{plain},in_flight=1,reuse=false")).config), plain.parse());
        let shares = format!("{plain},workers=2,sharing=upper-tree:50:0.05:3");
        let shares = shares.as_str();
        for other in ["random", "two-ply", "gtp:cat", shares] {
            assert_eq!(Ok(bot(other).config), other.parse());
        }
        assert_eq!(
            bot("uct:playouts=10").to_string(),
            "uct:expansion=2,in_flight=16,playouts=10,policy=mogo:0.9:1,prior=learned:14:100,\
             reuse=true"
        );
        for set in
            ["prior=none", "expansion=8", "rave=none", "selection=kl-ucb", "evaluator=playouts"]
        {
            let key = set.split('=').next().unwrap();
            assert!(BESIDE_PRIOR.contains(&key), "{set}");
            let given =
                format!("uct:in_flight={PLAY_IN_FLIGHT},policy=uniform,reuse=true,{set}").parse();
            assert_eq!(Ok(bot(&format!("uct:policy=uniform,{set}")).config), given, "{set}");
        }
        let anew = |text: &str| bot(text).anew().to_string();
        assert_eq!(anew("uct:reuse=true"), bot("uct").to_string());
        assert_eq!(format!("{},reuse=true", anew("uct")), bot("uct").to_string());
        let judged = "uct:in_flight=1,evaluator=playouts,reuse=false";
        assert_eq!(Ok(bot(judged).config), judged.parse());
        let first = |node: &tengen_search::back_up::BackedUp<'_>| node.mean();
        tengen_search::back_up::register("of-play", "1", move |_| Ok(first)).unwrap();
        let own = "uct:back_up=of-play,prior=none,policy=uniform";
        assert_eq!(Ok(bot(own).config), own.parse(), "one leaf in flight and no kept tree");
        let fault = |spec: &str| spec.parse::<PlayBot>().unwrap_err().to_string();
        assert_eq!(fault("uct:x=1"), "uct:x=1".parse::<BotConfig>().unwrap_err().to_string());
    }
}
