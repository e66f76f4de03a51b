//! The bots that a page can ask for.

use crate::page::{Limits, Refusal};
use serde::Serialize;
use std::fmt::Display;
use tengen_bots::{BotConfig, Kind, NamedBot};
use tengen_go::Game;
use tengen_search::config::path_in;

/// The bots of every page: specification and help.
const OFFERED: [(&str, &str); 7] = [
    ("two-ply", "very weak: minimax of depth two on the area score"),
    ("uct:simulations=100", "weak: tree search, 100 simulations per move"),
    ("uct", "medium: tree search, 1,000 simulations per move"),
    ("strong", "strong: tree search, 1,000 simulations per move"),
    ("strong:simulations=10000", "stronger: tree search, 10,000 simulations per move"),
    ("random", "random moves that fill no own eye"),
    ("solver", "moves of proved value, else of a search, on boards of up to 30 points"),
];

/// A bot that a page offers.
#[derive(Debug, Serialize)]
pub struct BotOffer {
    /// How a question names the bot: a name or a specification.
    pub spec: String,
    /// What it is.
    pub help: String,
    /// Whether it searches, so that it can analyse.
    pub searches: bool,
}

/// The bots that a page can ask for: the bots named when the page was started, and every
/// specification except those of other programs.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    named: Vec<NamedBot>,
}

impl Offers {
    /// The offers with the bots `named`, which may be other programs.
    #[must_use]
    pub const fn new(named: Vec<NamedBot>) -> Self {
        Self { named }
    }

    /// The bots that a page shows: first the named bots, then the kinds that the program has
    /// registered. The solver is left out if `limits` allow it no nodes.
    #[must_use]
    pub fn list(&self, limits: &Limits) -> Vec<BotOffer> {
        let named = self.named.iter().map(|bot| BotOffer {
            spec: bot.name.clone(),
            help: bot.config.to_string(),
            searches: bot.config.makes_simulations(),
        });
        let registered = Kind::all().into_iter().filter(Kind::is_registered).map(|kind| BotOffer {
            spec: kind.name.to_owned(),
            help: kind.help.to_owned(),
            searches: kind.makes_simulations(),
        });
        let has_solver = limits.solver_nodes > 0;
        let allowed = OFFERED.iter().filter(|(spec, _)| has_solver || *spec != "solver");
        let offered = allowed.map(|&(spec, help)| BotOffer {
            spec: spec.to_owned(),
            help: help.to_owned(),
            searches: spec.parse().is_ok_and(|bot: BotConfig| bot.makes_simulations()),
        });
        named.chain(registered).chain(offered).collect()
    }

    /// The bot that `spec` names or specifies. Refuses another program unless it was named, and any
    /// file: a page must not find out which files exist.
    pub fn config(&self, spec: &str) -> Result<BotConfig, Refusal> {
        if let Some(named) = self.named(spec) {
            return Ok(named.config.clone());
        }
        if spec.trim_start().starts_with("gtp") {
            let why = "other programs are asked by their name, which the command line gives them";
            return Err(Refusal::new(format!("bot `{spec}`: {why}")));
        }
        if names_file(spec) {
            let why = "files are named where the page is started: --bot NAME=SPEC";
            return Err(Refusal::new(format!("bot `{spec}`: {why}")));
        }
        let config: BotConfig = spec.parse().map_err(Refusal::new)?;
        // Another program is refused however `spec` writes it.
        if config.move_cost().is_none() {
            return Err(Refusal::new(format!("bot `{spec}`: it is another program")));
        }
        Ok(config)
    }

    /// The bot that `spec` names or specifies, to play in `game`. Refuses a bot that cannot play
    /// `game` or that would cost more than `limits`.
    pub fn find(&self, spec: &str, game: &Game, limits: &Limits) -> Result<BotConfig, Refusal> {
        let config = self.config(spec)?;
        if self.named(spec).is_none() {
            let refused = |why: String| Refusal::new(format!("bot `{spec}`: {why}"));
            check(&config, game, limits).map_err(refused)?;
        }
        Ok(config)
    }

    /// A bot as settings write it, `SPEC` or `NAME=SPEC`, with an offered name replaced by its
    /// specification. Refuses what [`Offers::config`] refuses.
    pub fn resolved(&self, text: &str) -> Result<String, Refusal> {
        let head = text.split(':').next().unwrap_or(text);
        let (name, spec) = match head.split_once('=') {
            Some((name, _)) => (Some(name), &text[name.len() + 1..]),
            None => (None, text),
        };
        let config = self.config(spec)?;
        Ok(match self.named(spec) {
            Some(named) => format!("{}={config}", name.unwrap_or(&named.name)),
            None => text.to_owned(),
        })
    }

    /// Whether `table`, the settings of a bot, is a program that was named, maybe by another name.
    #[must_use]
    #[cfg(feature = "server")]
    pub fn has_program(&self, table: &toml::Table) -> bool {
        let wanted = table.clone().try_into::<NamedBot>();
        wanted.is_ok_and(|wanted| self.named.iter().any(|bot| bot.config == wanted.config))
    }

    fn named(&self, spec: &str) -> Option<&NamedBot> {
        self.named.iter().find(|bot| bot.name == spec)
    }
}

/// Whether a setting of the bot `spec` is the path of a file.
fn names_file(spec: &str) -> bool {
    let settings = spec.split_once(':').map_or("", |(_, settings)| settings);
    let mut pairs = settings.split(',').filter_map(|setting| setting.split_once('='));
    pairs.any(|(key, value)| path_in(key.trim(), value.trim()).is_some())
}

/// Checks that `config` can play `game`, and that a move costs no more than `limits`.
fn check(config: &BotConfig, game: &Game, limits: &Limits) -> Result<(), String> {
    let cost = config.move_cost().ok_or("it is another program")?;
    at_most("simulations", cost.simulations, limits.simulations)?;
    at_most("workers", cost.workers, limits.workers)?;
    at_most("seconds", cost.seconds, limits.move_seconds)?;
    at_most("nodes", cost.solver_nodes, limits.solver_nodes)?;
    at_most("memory", cost.solver_mebibytes, limits.solver_mebibytes)?;
    let begun = config.build(0, None).begin(game, "page");
    begun.map_err(|failure| failure.to_string())
}

/// Checks that the setting `name` is at most `most`.
fn at_most<T: Copy + PartialOrd + Display>(name: &str, value: T, most: T) -> Result<(), String> {
    if value > most {
        return Err(format!("`{name}` is {value}: here it may be up to {most}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::{Komi, Preset, Rules, Size};

    fn game(columns: u8) -> Game {
        let size = Size::square(columns).unwrap();
        Game::new(size, Rules::new(Preset::default(), size, Komi::default()))
    }

    fn find(offers: &Offers, spec: &str) -> Result<BotConfig, Refusal> {
        offers.find(spec, &game(9), &Limits::default())
    }

    #[test]
    fn all_offers_can_be_asked() {
        let offers = Offers::default();
        for offer in offers.list(&Limits::default()) {
            let bot = offers.find(&offer.spec, &game(5), &Limits::default()).unwrap();
            assert_eq!(bot.uct().is_some(), offer.searches, "{}", offer.spec);
        }
    }

    #[test]
    fn programs_are_asked_by_name_alone() {
        let offers = Offers::default();
        for spec in ["gtp:rm -rf x", "gtp", " gtp:sh", "gtp: sh"] {
            assert!(find(&offers, spec).is_err(), "{spec}");
        }
        let named = Offers::new(vec!["gnu=gtp:gnugo --mode gtp".parse().unwrap()]);
        assert!(find(&named, "gnu").is_ok_and(|bot| bot.kind() == "gtp"));
        assert!(find(&named, "gtp:gnugo --mode gtp").is_err());
    }

    #[test]
    fn files_are_named_on_the_command_line_alone() {
        let offers = Offers::default();
        for spec in [
            "uct:prior=learned:/etc/shadow:14:100",
            "strong:simulations=10, prior = learned:/nowhere:14:100",
            "uct:evaluator=onnx:/etc/shadow",
        ] {
            let refusal = find(&offers, spec).unwrap_err().to_string();
            assert!(refusal.contains("--bot NAME=SPEC"), "{refusal}");
        }
        assert!(find(&offers, "uct:prior=learned:14:100").is_ok());
    }

    #[test]
    fn what_costs_too_much_is_refused() {
        let specs = "uct:simulations=1000000000 uct:seconds=1000 uct:workers=1000 solver \
                     solver:nodes=1000000000000 nothing ";
        for spec in specs.split(' ') {
            let refusal = find(&Offers::default(), spec).unwrap_err().to_string();
            assert!(refusal.contains(spec) && !refusal.contains('\n'), "{refusal}");
        }
    }
}
