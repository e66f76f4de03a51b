//! A tuning run with every default filled in.

use super::trials::EstimateAt;
use crate::methods::kind::{MethodConfig, MethodKind};
use crate::methods::tuner::Tuner;
use crate::tuning::candidate::Candidate;
use crate::tuning::settings::{Opponent, Settings, SettingsError};
use std::sync::{Arc, Mutex, PoisonError};
use tengen_bots::NamedBot;
use tengen_harness::run::{Digest, Provenance, RunError};
use tengen_harness::tournament::{
    Format, Openings, Settings as TournamentSettings, Source, Tournament,
};
use tengen_stats::seed::mix;

/// The names of the candidate in the validation match, and in the plan of a run.
pub(crate) const TUNED: &str = "tuned";
pub(crate) const DEFAULT: &str = "default";

/// Streams of the seed of a run.
const METHOD: u64 = 0;
const GAMES: u64 = 1;
const VALIDATION: u64 = 2;

/// A tuning run: all that decides its games.
#[derive(Clone, Debug)]
pub struct Tuning {
    settings: Settings,
    candidate: Candidate,
    opponent: Option<NamedBot>,
    method: MethodConfig,
    look_ahead: usize,
    seed: u64,
    /// Board, rules and openings; its bots are the candidate as it is given and the
    /// opponent, its pairs are the openings that trials are played on.
    tournament: Tournament,
    /// The latest estimate of a tuning that is being played.
    latest: Arc<Mutex<Option<EstimateAt>>>,
}

impl Tuning {
    /// The run of `settings`, with every default filled in.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        let fault = |text: &str| SettingsError(text.to_owned());
        let refused = |error: &dyn std::error::Error| SettingsError::of(error);
        let mut settings = settings.or(Settings::default())?;
        let Some(space) = settings.param.clone() else {
            return Err(fault(
                "nothing to tune: add --param, such as --param exploration=0.05..2:log",
            ));
        };
        let [kind] = or_default(&mut settings.method, MethodKind::default())[..] else {
            return Err(fault(
                "a run tunes by one --method: several are compared with --synthetic",
            ));
        };
        let [games] = or_default(&mut settings.games, 1_000)[..] else {
            return Err(fault(
                "a run has one number of --games: several are compared with --synthetic",
            ));
        };
        if games < 2 || !games.is_multiple_of(2) {
            return Err(SettingsError(format!(
                "games is {games}: it must be an even number from 2 on, since games are played in pairs"
            )));
        }
        if settings.repeats.is_some() {
            return Err(fault("--repeats belongs to --synthetic: leave it out"));
        }
        let trials = games / 2;
        let bot = settings.bot.get_or_insert_with(uct).clone();
        let opponent = match settings.opponent.get_or_insert_default().clone() {
            Opponent::Itself => None,
            Opponent::Bot(bot) => Some(*bot),
        };
        let defaults = MethodConfig::default();
        let method = MethodConfig {
            kind,
            trials,
            steps: *settings.steps.get_or_insert(defaults.steps),
            perturbation: *settings.perturbation.get_or_insert(defaults.perturbation),
            step: *settings.step.get_or_insert(defaults.step),
            duels: opponent.is_none(),
        };
        let valid = method.validate(space.dimensions());
        valid.map_err(|fault| SettingsError::of_method(&fault, 2))?;
        let look_ahead = *settings.look_ahead.get_or_insert((trials / 10).clamp(1, 24));
        if !(1..=10_000).contains(&look_ahead) {
            return Err(SettingsError(format!(
                "look-ahead is {look_ahead}: it must be 1 to 10000"
            )));
        }
        settings.validation.get_or_insert(200);
        let seed = *settings.seed.get_or_insert(1);
        let candidate = Candidate::new(bot.config, space).map_err(|error| refused(&error))?;
        let given = NamedBot { name: DEFAULT.to_owned(), config: candidate.bot().clone() };
        let bots = match &opponent {
            Some(opponent) => vec![given, opponent.clone()],
            None => vec![given.clone(), NamedBot { name: TUNED.to_owned(), ..given }],
        };
        if opponent.as_ref().is_some_and(|bot| bot.name == TUNED) {
            return Err(fault("the opponent cannot be named `tuned`: give it another name"));
        }
        let tournament = TournamentSettings {
            bot: bots,
            name: Some(settings.name.get_or_insert_with(|| "tune".to_owned()).clone()),
            size: settings.size,
            komi: settings.komi,
            rules: settings.rules,
            max_plies: settings.max_plies,
            pairs: Some(trials),
            openings: settings.openings.map(|source| match source {
                Source::Balanced => Openings::Balanced,
                Source::Random | Source::Given => Openings::Random,
            }),
            opening_plies: settings.opening_plies,
            seed: Some(seed),
            ..TournamentSettings::default()
        };
        let mut tournament = tournament.resolve().map_err(|error| refused(&error))?;
        settings.size = Some(tournament.size);
        settings.komi = Some(tournament.komi);
        settings.rules = Some(tournament.rules);
        settings.max_plies = Some(tournament.max_plies);
        settings.openings = Some(tournament.openings);
        settings.opening_plies = Some(tournament.opening_plies);
        tournament.seed = stream(seed, GAMES);
        let latest = Arc::default();
        let tuning =
            Self { settings, candidate, opponent, method, look_ahead, seed, tournament, latest };
        tuning.validation(tuning.candidate.at(&vec![0.0; tuning.dimensions()]))?;
        Ok(tuning)
    }

    /// All settings, defaults filled in: the contents of `config.toml`.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What is tuned.
    #[must_use]
    pub const fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// The reference opponent; none if the candidate plays itself.
    #[must_use]
    pub const fn opponent(&self) -> Option<&NamedBot> {
        self.opponent.as_ref()
    }

    /// The method.
    #[must_use]
    pub const fn method(&self) -> &MethodConfig {
        &self.method
    }

    /// Number of pairs of games that may be played at once.
    #[must_use]
    pub const fn look_ahead(&self) -> usize {
        self.look_ahead
    }

    /// Number of games that the method plays at most.
    #[must_use]
    pub const fn games(&self) -> usize {
        2 * self.method.trials
    }

    /// Board, rules and openings of the trials; its bots are the candidate as it is
    /// given, and the opponent.
    #[must_use]
    pub const fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// The match of the bot `tuned` against the default settings, and against the
    /// opponent if there is one: on seeds and openings that the tuning has not seen.
    ///
    /// # Errors
    /// If its number of pairs is out of range.
    pub fn validation(&self, tuned: NamedBot) -> Result<Tournament, SettingsError> {
        let mut bots = vec![NamedBot { name: TUNED.to_owned(), config: tuned.config }];
        bots.push(NamedBot { name: DEFAULT.to_owned(), config: self.candidate.bot().clone() });
        bots.extend(self.opponent.clone());
        let validation = Tournament {
            name: format!("{}-validation", self.tournament.name),
            format: Format::Gauntlet,
            pairs: self.settings.validation.unwrap_or_default(),
            seed: stream(self.seed, VALIDATION),
            bots,
            ..self.tournament.clone()
        };
        validation.validate().map_err(|fault| {
            SettingsError(fault.to_string().replace("pairs is", "validation is"))
        })?;
        Ok(validation)
    }

    /// The tuner, before any trial.
    ///
    /// # Panics
    /// Never: the method was tried when the settings were read.
    #[must_use]
    pub fn tuner(&self) -> Tuner {
        self.tuner_with(self.look_ahead)
    }

    /// The tuner, asked for as many trials as it can ask for: whole rounds, where the method
    /// has any.
    pub(crate) fn tuner_by_rounds(&self) -> Tuner {
        self.tuner_with(self.method.trials)
    }

    fn tuner_with(&self, look_ahead: usize) -> Tuner {
        let seed = mix(self.seed, METHOD);
        let method = self.method.build(self.dimensions(), seed).expect("validated settings");
        Tuner::new(method, self.method.trials, look_ahead)
    }

    /// The latest estimate, while the tuning is being played.
    #[must_use]
    pub fn latest(&self) -> Option<EstimateAt> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_latest(&self, estimate: Option<&EstimateAt>) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = estimate.cloned();
    }

    /// Number of rounds of the method, of which one can be cut into chunks of games; none
    /// where each game depends on the results before it.
    #[must_use]
    pub fn rounds(&self) -> Option<usize> {
        self.method.rounds(self.dimensions())
    }

    /// How many parameters are tuned.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.candidate.space().dimensions()
    }

    /// The provenance of the games, for which each bot is started once.
    ///
    /// # Errors
    /// If a bot cannot play, or for lack of a resource.
    pub fn provenance(&self) -> Result<Provenance, RunError> {
        let of_tournament = self.tournament.provenance()?;
        let mut table = toml::Table::try_from(&self.settings)?;
        // What the tuning was asked for later decides none of its games.
        for key in ["kind", "name", "out", "threads", "validation"] {
            table.remove(key);
        }
        let mut settings: Digest = of_tournament.settings;
        settings.value(&toml::Value::Table(table));
        Ok(Provenance { settings, ..of_tournament })
    }

    /// Board, rules, bots and openings in one line.
    #[must_use]
    pub fn conditions(&self) -> String {
        let Tournament { size, komi, rules, opening_plies, .. } = &self.tournament;
        let opponent = self.opponent.as_ref().map_or("itself", |bot| &bot.name);
        format!(
            "{} against {opponent} on {size}, komi {komi}, {rules} rules, openings of \
             {opening_plies} plies, seed {}",
            self.candidate.bot(),
            self.seed
        )
    }
}

fn uct() -> NamedBot {
    "uct".parse().expect("a kind of bot")
}

fn or_default<T>(values: &mut Vec<T>, default: T) -> &mut Vec<T> {
    if values.is_empty() {
        values.push(default);
    }
    values
}

/// A seed that TOML can hold.
fn stream(seed: u64, number: u64) -> u64 {
    mix(seed, number) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuning(text: &str) -> Result<Tuning, String> {
        let settings: Settings = toml::from_str(text).map_err(|fault| fault.to_string())?;
        Tuning::new(settings).map_err(|fault| fault.to_string())
    }

    const PARAM: &str = "[param]\nexploration = '0.05..2:log'";

    #[test]
    fn the_validation_has_openings_of_its_own() {
        let run = tuning(&format!("opponent = 'random'\n{PARAM}")).unwrap();
        let validation = run.validation(run.candidate().at(&[0.0])).unwrap();
        assert_ne!(validation.seed, run.tournament().seed);
        let names: Vec<&str> = validation.bots.iter().map(|bot| bot.name.as_str()).collect();
        assert_eq!(names, ["tuned", "default", "random"]);
        let alone = tuning(PARAM).unwrap();
        assert_eq!(alone.validation(alone.candidate().at(&[0.0])).unwrap().bots.len(), 2);
    }
}
