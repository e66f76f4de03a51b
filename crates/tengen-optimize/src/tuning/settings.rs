//! The settings of a tuning run and of a comparison of methods.

use crate::methods::kind::{MethodConfig, MethodConfigError, MethodKind};
use crate::methods::space::Space;
use crate::methods::surface::Surface;
use serde::{Serialize, Serializer};
use std::ops::Bound::{Excluded, Included};
use tengen_bots::NamedBot;
use tengen_harness::run::Execution;
use tengen_harness::tournament::Tournament;
use tengen_settings::{
    CliOptions, Domain, Part, Refusal, Setting, SettingError, SettingValue, Settings as _, Value,
    settings,
};

/// Settings of a tournament that a tuning has too.
pub(crate) const OF_TOURNAMENT: [&str; 6] =
    ["size", "komi", "rules", "max_plies", "openings", "opening_plies"];

/// Help of the setting `openings`, of which a tuning has two values.
const OPENINGS: &str = "Source of the openings: random moves, or balanced (random, but kept only if \
                        a search of 2,000 simulations gives Black a win rate of 35 to 65 %)";

/// What is wrong with the settings of a method, in which a trial is `games` games: a user sets
/// their number, and not that of the trials.
pub(crate) fn invalid_method(error: &MethodConfigError, games: usize) -> SettingError {
    match error {
        MethodConfigError::Trials { kind, points, fewest, trials } => SettingError::of(
            "games",
            format!(
                "`games` is {}: {kind} over {points} points needs {} or more",
                games * trials,
                games * fewest
            ),
        ),
        MethodConfigError::TrialsRange { trials, most } => {
            let range = format!("{games} to {}", games * most);
            SettingError::range("games", games * trials, &range)
        }
        other @ MethodConfigError::Parameters { .. } => other.to_string().into(),
    }
}

/// Whom the candidate plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Opponent {
    /// Itself: the candidate at another point or at its default settings, as the method
    /// wants it.
    #[default]
    Itself,
    /// This bot.
    Bot(Box<NamedBot>),
}

/// How [`Opponent::Itself`] is written.
const ITSELF: &str = "self";

impl Serialize for Opponent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Itself => serializer.serialize_str(ITSELF),
            Self::Bot(bot) => bot.serialize(serializer),
        }
    }
}

impl SettingValue for Opponent {
    fn domain() -> Domain {
        Domain::Described {
            name: "bot",
            forms: "self, or a bot: a text such as uct:simulations=1000",
        }
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        if value.as_str() == Some(ITSELF) {
            return Ok(Self::Itself);
        }
        NamedBot::read(value).map(|bot| Self::Bot(Box::new(bot)))
    }
}

settings! {
    "a tuning" => checked
    /// The settings of a tuning run, or of a comparison of methods on synthetic surfaces: those
    /// that a tournament does not have.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
        /// Kind of run
        #[serde(skip_serializing)]
        kind: String = "tune".to_owned(), "KIND" File extent;
        /// Name of the run, part of its folder's name
        name: String = "tune".to_owned(), "NAME" One nothing;
        /// Measure methods on a synthetic surface with a known optimum instead of games: LOG,
        /// FLAT, POWER, ANGLE, STEP, ROSENBROCK, CORRELATED, NARROW, BIMODAL, EDGE, RIDGE, WAVES,
        /// ASYMMETRIC, BOWL, or several with commas; --method and --games may then be lists too
        #[serde(skip_serializing_if = "Vec::is_empty")]
        synthetic: Vec<Surface> = Vec::new(), "SURFACE" List;
        /// Parameter to tune, given once or more: a setting of uct that is a number
        /// (docs/bots.md lists them), its range, and its scale: linear, log or integer. Example:
        /// exploration=0.05..2:log
        #[serde(skip_serializing_if = "Option::is_none")]
        param: Option<Space> = None, "NAME=LOW..HIGH[:SCALE]" Pairs;
        /// Method: thompson (Thompson sampling over a Gaussian process), clop, sweep (a grid,
        /// equally many games each), halving (a grid, then its better half, and so on) or spsa
        method: Vec<MethodKind> = vec![MethodKind::default()], "METHOD" List;
        /// Number of games that the method plays, in colour-swapped pairs
        games: Vec<usize> = vec![1_000], "GAMES" List;
        /// Number of values per parameter of a grid: sweep and halving
        steps: usize = MethodConfig::default().steps, "STEPS" One, in 2..=100;
        /// Final perturbation of spsa, half a range being 1
        perturbation: f64 = MethodConfig::default().perturbation,
            "SIZE" One, in (Excluded(0.0), Included(1.0));
        /// Final step of spsa as a share of the perturbation
        step: f64 = MethodConfig::default().step,
            "SHARE" One, in (Excluded(0.0), Included(10.0));
        /// Number of pairs of games (with --synthetic of games) that may be played at once: the method has not
        /// yet seen the results of the last PAIRS pairs
        look_ahead: usize = default_look_ahead(synthetic.is_empty(), &games, &method)
            => "24, or 4 for spsa, at most a tenth of all", "PAIRS" One, in 1..=10_000;
        /// Number of pairs of games of each validation match, one against the default settings
        /// and one against the opponent
        #[serde(skip_serializing_if = "Option::is_none")]
        validation: Option<usize> = synthetic.is_empty().then_some(200),
            "PAIRS" One;
        /// Random seed of the method, the openings and the bots
        seed: u64 = 1, "SEED" One;
        /// With --synthetic: number of repeats, each with a seed of its own
        #[serde(skip_serializing_if = "Option::is_none")]
        repeats: Option<usize> = (!synthetic.is_empty()).then_some(200) => "200", "N" One, in 1..=1_000_000;
        /// With --synthetic: thompson plays a fixed opponent, as clop, sweep and halving do; otherwise two of
        /// its points play each other, as those of spsa always do
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        fixed_opponent: bool = false, "FIXED_OPPONENT" Flag;
        /// Candidate: the bot whose settings are tuned, such as uct; its own settings are the
        /// default that the tuned ones are compared with
        #[serde(skip_serializing_if = "Option::is_none")]
        bot: Option<NamedBot> = synthetic.is_empty().then(uct), "SPEC" One;
        /// Reference opponent: another bot, such as gtp:COMMAND (a GTP engine), or self
        #[serde(skip_serializing_if = "Option::is_none")]
        opponent: Option<Opponent> = synthetic.is_empty().then(Opponent::default),
            "self|SPEC" One;
    }
}

fn uct() -> NamedBot {
    "uct".parse().expect("a kind of bot")
}

/// The default delay. Unlike the others, `spsa` moves by each result, and loses by more (results/2026-11-27-delay).
fn default_look_ahead(plays_games: bool, games: &[usize], method: &[MethodKind]) -> usize {
    let games = games.first().copied().unwrap_or_default();
    let most = if method.contains(&MethodKind::Spsa) { 4 } else { 24 };
    if plays_games { (games / 20).clamp(1, most) } else { 1 }
}

impl CliOptions for Settings {
    const HEADING: &'static str = "Tuning (each also a key of the TOML file)";

    fn parts() -> Vec<Part> {
        let mut of_tournament = Tournament::part_of(&OF_TOURNAMENT);
        for setting in of_tournament.0.iter_mut().filter(|setting| setting.key == "openings") {
            *setting = Setting { value: "random|balanced", help: OPENINGS, ..*setting };
        }
        vec![Self::part(), of_tournament, Execution::part_of(&["out", "threads"])]
    }
}

impl Settings {
    fn checked(self) -> Result<Self, SettingError> {
        if self.synthetic.is_empty() {
            if self.repeats.is_some() {
                let said = "--repeats belongs to --synthetic: leave it out";
                return Err(SettingError::of("repeats", said));
            }
            if self.fixed_opponent {
                let said = "--fixed-opponent belongs to --synthetic: expected --opponent SPEC";
                return Err(SettingError::of("fixed_opponent", said));
            }
        } else if self.param.is_some() || self.bot.is_some() || self.opponent.is_some() {
            let said = "--synthetic plays no games: leave --param, --bot and --opponent out";
            return Err(SettingError::of("synthetic", said));
        }
        Ok(self)
    }
}
