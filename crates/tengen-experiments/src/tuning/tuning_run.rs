//! A tuning run with every default filled in.

use super::trials::EstimateAt;
use crate::run::Execution;
use crate::tournament::{Format, Tournament};
use crate::tuning::candidate::Candidate;
use crate::tuning::settings::{Opponent, Settings};
use std::sync::{Arc, Mutex, PoisonError};
use tengen_bots::NamedBot;
use tengen_optimize::kind::MethodConfig;
use tengen_optimize::spsa::Sizes;
use tengen_optimize::tuner::Tuner;
use tengen_settings::{SettingError, Settings as _, check};
use tengen_stats::seed::mix;
use toml::{Table, Value};

/// The folder, inside the run's folder, of the validation, which is a run of its own.
pub const VALIDATION_FOLDER: &str = "validation";

/// The names of the tuned and the default candidate in the validation match and the plan of a run.
const TUNED: &str = "tuned";
pub(crate) const DEFAULT: &str = "default";

/// Numbers of the seeds that are derived from the seed of a run.
const METHOD: u64 = 0;
const GAMES: u64 = 1;
const VALIDATION: u64 = 2;

/// A tuning run: all that decides its games.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The settings that a tournament does not have.
    pub settings: Settings,
    /// The bot and the parameters that are tuned.
    pub candidate: Candidate,
    /// The reference opponent; none if the candidate plays itself.
    pub opponent: Option<NamedBot>,
    /// The method.
    pub method: MethodConfig,
    /// Board, rules and openings of the trials; its bots are the candidate with its own settings
    /// and the opponent, its pairs are the openings of the trials.
    pub tournament: Tournament,
    /// The latest estimate of a tuning that is being played.
    latest: Arc<Mutex<Option<EstimateAt>>>,
}

impl Tuning {
    /// The run of the settings in `table`.
    pub fn from_table(table: Table) -> Result<Self, SettingError> {
        let (settings, mut tournament) = Execution::split::<Settings>(table)?;
        let refused = |key: &str, said: &str| Err(SettingError::of(key, said));
        let Some(space) = settings.param.clone() else {
            return refused(
                "param",
                "nothing to tune: add --param, such as --param exploration=0.05..2:log",
            );
        };
        let [kind] = settings.method[..] else {
            return refused(
                "method",
                "a run tunes by one --method: several are compared with --synthetic",
            );
        };
        let [games] = settings.games[..] else {
            return refused(
                "games",
                "a run has one number of --games: several are compared with --synthetic",
            );
        };
        let even = "an even number from 2 on, since games are played in pairs";
        check("games", games, games >= 2 && games.is_multiple_of(2), even)?;
        let trials = games / 2;
        let opponent = match settings.opponent.clone().unwrap_or_default() {
            Opponent::Itself => None,
            Opponent::Bot(bot) => Some(*bot),
        };
        let Settings { steps, perturbation, step, seed, .. } = settings;
        let duels = opponent.is_none();
        let method =
            MethodConfig { kind, trials, steps, sizes: Sizes { perturbation, step }, duels };
        method.validate(space.dimensions(), 2)?;
        let Some(NamedBot { config, .. }) = settings.bot.clone() else {
            return Err(SettingError::missing("bot"));
        };
        let candidate =
            Candidate::new(config, space).map_err(|error| SettingError::from(error.to_string()))?;
        let given = NamedBot { name: DEFAULT.to_owned(), config: candidate.bot().clone() };
        let bots = match &opponent {
            Some(opponent) => vec![given, opponent.clone()],
            None => vec![given.clone(), NamedBot { name: TUNED.to_owned(), ..given }],
        };
        if opponent.as_ref().is_some_and(|bot| bot.name == TUNED) {
            let said = "the opponent cannot be named `tuned`: give it another name";
            return refused("opponent", said);
        }
        let pairs = i64::try_from(trials).unwrap_or(i64::MAX);
        tournament.insert("name".to_owned(), settings.name.clone().into());
        tournament.insert("pairs".to_owned(), pairs.into());
        let openings = tournament.get("openings").and_then(Value::as_str);
        if !matches!(openings, None | Some("random" | "balanced")) {
            return Err(SettingError::range(
                "openings",
                openings.unwrap_or_default(),
                "random or balanced",
            ));
        }
        tournament.insert("bot".to_owned(), Value::try_from(&bots).map_err(|e| e.to_string())?);
        let mut tournament = Tournament::from_table(tournament)?;
        check("seed", seed, i64::try_from(seed).is_ok(), "0 to 9223372036854775807")?;
        tournament.seed = stream(seed, GAMES);
        let latest = Arc::default();
        let tuning = Self { settings, candidate, opponent, method, tournament, latest };
        tuning.validation(tuning.candidate.at(&vec![0.0; tuning.dimensions()]))?;
        Ok(tuning)
    }

    /// Number of games that the method plays at most.
    #[must_use]
    pub const fn games(&self) -> usize {
        2 * self.method.trials
    }

    /// The match of the bot `tuned` against the candidate's own settings, and against the opponent
    /// if there is one, on seeds and openings that the tuning has not seen.
    pub fn validation(&self, tuned: NamedBot) -> Result<Tournament, SettingError> {
        let mut bots = vec![NamedBot { name: TUNED.to_owned(), config: tuned.config }];
        bots.push(NamedBot { name: DEFAULT.to_owned(), config: self.candidate.bot().clone() });
        bots.extend(self.opponent.clone());
        let validation = Tournament {
            name: format!("{}-validation", self.tournament.name),
            format: Format::Gauntlet,
            pairs: self.settings.validation.unwrap_or_default(),
            seed: stream(self.settings.seed, VALIDATION),
            bots,
            ..self.tournament.clone()
        };
        validation.validate().map_err(|fault| {
            let said = fault.to_string().replace("`pairs`", "`validation`");
            SettingError::of("validation", said)
        })?;
        Ok(validation)
    }

    /// The tuner, before any trial.
    ///
    /// # Panics
    /// Never: the method was tried when the settings were read.
    #[must_use]
    pub fn tuner(&self) -> Tuner {
        let seed = mix(self.settings.seed, METHOD);
        let method = self.method.build(self.dimensions(), seed);
        Tuner::new(method, self.method.trials, self.settings.look_ahead)
    }

    /// The latest estimate, while the tuning is being played.
    #[must_use]
    pub fn latest(&self) -> Option<EstimateAt> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_latest(&self, estimate: Option<&EstimateAt>) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = estimate.cloned();
    }

    /// How many parameters are tuned.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.candidate.space().dimensions()
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
            self.settings.seed
        )
    }
}

/// The seed number `number` of `seed`, small enough for TOML.
fn stream(seed: u64, number: u64) -> u64 {
    mix(seed, number) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuning(text: &str) -> Result<Tuning, String> {
        let table = tengen_settings::parse(text).map_err(|error| error.to_string())?;
        Tuning::from_table(table).map_err(|error| error.to_string())
    }

    const PARAM: &str = "[param]\nexploration = '0.05..2:log'";

    #[test]
    fn the_validation_has_openings_of_its_own() {
        let run = tuning(&format!("opponent = 'random'\n{PARAM}")).unwrap();
        let validation = run.validation(run.candidate.at(&[0.0])).unwrap();
        assert_ne!(validation.seed, run.tournament.seed);
        let names: Vec<&str> = validation.bots.iter().map(|bot| bot.name.as_str()).collect();
        assert_eq!(names, ["tuned", "default", "random"]);
        let alone = tuning(PARAM).unwrap();
        assert_eq!(alone.validation(alone.candidate.at(&[0.0])).unwrap().bots.len(), 2);
    }
}
