//! The settings of a tuning run and of a comparison of methods.

use crate::run::{Execution, check_name_of_parts};
use crate::tournament::Tournament;
use serde::{Serialize, Serializer};
use std::ops::Bound::{Excluded, Included};
use tengen_bots::NamedBot;
use tengen_optimize::kind::{MethodConfig, MethodKind};
use tengen_optimize::space::Space;
use tengen_optimize::spsa::Sizes;
use tengen_optimize::surface::Surface;
use tengen_settings::{
    CliOptions, Domain, Part, Refusal, Setting, SettingError, SettingValue, Settings as _, Value,
    settings,
};

/// Settings of a tournament that a tuning has too.
pub(crate) const OF_TOURNAMENT: [&str; 6] =
    ["size", "komi", "rules", "max_plies", "openings", "opening_plies"];

/// Help of the setting `openings`, of which a tuning allows two values.
const OPENINGS: &str = "Source of the openings: random or balanced.\n\n\
                        random: random moves. balanced: random moves, kept only if a search of 2,000 \
                        simulations gives Black a win rate of 35 to 65 %.";

/// The opponent of the candidate.
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
        /// Kind of run: `tune`
        #[serde(skip_serializing)]
        kind: String = "tune".to_owned(), "KIND" File extent;
        /// Name of the run, part of its folder's name.
        ///
        /// At most 89 letters, digits, `_`, `.` and `-`: the command adds a part to the name, to at
        /// most 100 characters.
        name: String = "tune".to_owned(), "NAME" One nothing;
        /// Measure methods on a synthetic surface with a known optimum, instead of by games.
        ///
        /// Surfaces: LOG, FLAT, POWER, ANGLE, STEP, ROSENBROCK, CORRELATED, NARROW, BIMODAL, EDGE,
        /// RIDGE, WAVES, ASYMMETRIC, BOWL. Separate several surfaces by commas; --method and
        /// --games may then be lists too.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        synthetic: Vec<Surface> = Vec::new(), "SURFACE" List;
        /// Parameter to tune, given once or more, such as exploration=0.05..2:log.
        ///
        /// NAME is a setting of uct that is a number or ends with a number, such as rave; see
        /// `tengen bots uct`. LOW..HIGH is the range. SCALE is linear, log or integer, by default
        /// linear.
        param: Option<Space> = None, "NAME=LOW..HIGH[:SCALE]" Pairs;
        /// Method of tuning: thompson, clop, sweep, halving or spsa.
        ///
        /// thompson: Thompson sampling over a Gaussian process. clop: confident local optimization.
        /// sweep: a grid with equally many games per point. halving: a grid, then its better half,
        /// and so on. spsa: simultaneous perturbation stochastic approximation.
        method: Vec<MethodKind> = vec![MethodKind::default()], "METHOD" List;
        /// Number of games that the method plays, in colour-swapped pairs
        games: Vec<usize> = vec![1_000], "GAMES" List;
        /// Number of values per parameter of the grid of sweep and halving
        steps: usize = MethodConfig::default().steps, "STEPS" One, in 2..=100;
        /// Final perturbation of spsa; 1 is half of the range of a parameter
        perturbation: f64 = Sizes::default().perturbation,
            "SIZE" One, in (Excluded(0.0), Included(1.0));
        /// Final step of spsa, as a share of --perturbation
        step: f64 = Sizes::default().step,
            "SHARE" One, in (Excluded(0.0), Included(10.0));
        /// Number of pairs of games that are played at once.
        ///
        /// The method chooses a pair before it knows the results of the pairs that are still
        /// played. More pairs at once keep more threads or machines busy, but the method learns
        /// later from each result. The result of the run depends on this number, and not on the
        /// number of threads. With --synthetic the number counts games.
        look_ahead: usize = default_look_ahead(synthetic.is_empty(), &games, &method)
            => "24, or 4 for spsa, at most a tenth of all pairs; 1 with synthetic", "PAIRS" One, in 1..=10_000;
        /// Number of pairs of games per match of the validation.
        ///
        /// The tuned bot plays a match against the candidate with its own settings, and a match
        /// against the bot of --opponent.
        validation: Option<usize> = synthetic.is_empty().then_some(200),
            "PAIRS" One;
        /// Random seed of the run (master seed), for the method, the openings and the bots
        seed: u64 = 1, "SEED" One;
        /// With --synthetic: number of repeats of each measurement.
        ///
        /// Every repeat has its own seed.
        repeats: Option<usize> = (!synthetic.is_empty()).then_some(200) => "200", "N" One, in 1..=1_000_000;
        /// With --synthetic: thompson plays a fixed opponent, and no duels.
        ///
        /// In a duel two points of the method play each other. Without --fixed-opponent thompson
        /// plays duels. The method spsa always plays duels; clop, sweep and halving always play the
        /// fixed opponent.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        fixed_opponent: bool = false, "FIXED_OPPONENT" Flag;
        /// Candidate: the bot whose settings are tuned, such as uct:simulations=1000.
        ///
        /// The validation compares the tuned settings with the candidate's own settings.
        bot: Option<NamedBot> = synthetic.is_empty().then(uct), "SPEC" One;
        /// Opponent of the candidate: self, or a bot such as gtp:COMMAND.
        ///
        /// self: with thompson and spsa two points play each other; with clop, sweep and halving a
        /// point plays the candidate. A bot plays against every point; with spsa it plays in the
        /// validation only.
        opponent: Option<Opponent> = synthetic.is_empty().then(Opponent::default),
            "self|SPEC" One;
    }
}

fn uct() -> NamedBot {
    "uct".parse().expect("a kind of bot")
}

/// The default of `look_ahead`. Unlike other methods, `spsa` moves by each result, and loses more
/// by a longer delay (results/2026-11-27-delay).
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
        check_name_of_parts(&self.name)?;
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
