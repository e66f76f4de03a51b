//! A learning run: its settings, and what they decide of each round.

use super::experiment::Observer;
use super::positions::Positions;
use super::round::WEIGHTS;
use super::settings::{Counting, Settings};
use super::study::Study;
use crate::run::{Build, Execution, RunError, WeightsOf};
use crate::tournament::{Openings, Tournament};
use std::path::PathBuf;
use std::sync::OnceLock;
use tengen_bots::{BotConfig, NamedBot};
use tengen_learn::{Fit, WeightsFile, feature};
use tengen_search::UctConfig;
use tengen_settings::{SettingError, Settings as _};
use tengen_stats::seed::mix;
use toml::{Table, Value};

/// Streams of the seed of a run: three for each round.
const STREAMS: u64 = 3;
const GAMES: u64 = 0;
const MATCH: u64 = 1;
const WATCH: u64 = 2;

const TEACHER: [&str; 2] = ["teacher", "teacher-2"];
pub(super) const NEW: &str = "new";
const BEFORE: &str = "before";

/// A learning run: all that decides its weights.
pub struct Learning {
    /// The settings that a tournament does not have.
    pub settings: Settings,
    /// Board, rules and openings, with the teacher as its bots.
    pub(super) tournament: Tournament,
    pub(super) folder: PathBuf,
    pub(super) build: Build,
    /// What is told how far it is, if anything.
    pub observer: OnceLock<Observer>,
}

impl Learning {
    /// The run of the settings in `table`, made by the program `build`.
    pub fn from_table(table: Table, build: Build) -> Result<Self, SettingError> {
        let (settings, mut tournament) = Execution::split::<Settings>(table)?;
        let teachers = TEACHER.map(|name| NamedBot {
            name: name.to_owned(),
            config: settings.teacher.config.clone(),
        });
        let bots = Value::try_from(teachers.to_vec()).map_err(|error| error.to_string())?;
        tournament.insert("bot".to_owned(), bots);
        tournament.insert("name".to_owned(), settings.name.clone().into());
        let tournament = Tournament::from_table(tournament)?;
        let (folder, observer) = (PathBuf::new(), OnceLock::new());
        let learning = Self { settings, tournament, folder, build, observer };
        if learning.settings.pairs > 0 {
            learning.match_of(1, learning.settings.student.clone(), None).validate()?;
        }
        learning.check_openings()?;
        Ok(learning)
    }

    /// Refuses given openings if they are fewer than the pairs of games of a part of a round.
    fn check_openings(&self) -> Result<(), SettingError> {
        let Settings { from, games, watch, watch_pairs, .. } = &self.settings;
        let openings = self.tournament.opening.len();
        if self.tournament.openings != Openings::Given {
            return Ok(());
        }
        let of_teacher = if from.is_empty() { games / 2 } else { 0 };
        let of_watch = if watch.is_some() { *watch_pairs } else { 0 };
        let parts = [("games", of_teacher, 2 * openings), ("watch_pairs", of_watch, openings)];
        for (key, pairs, most) in parts {
            if openings < pairs {
                let said = format!(
                    "there are {openings} openings for {pairs} pairs of games: set `{key}` to {most} or less"
                );
                return Err(SettingError::of(key, said));
            }
        }
        Ok(())
    }

    /// The folder of a round.
    #[must_use]
    pub fn folder_of(&self, round: usize) -> PathBuf {
        self.folder.join(format!("round-{round}"))
    }

    fn seed(&self, round: usize, stream: u64) -> u64 {
        // TOML has no larger integers.
        mix(self.settings.seed, STREAMS * round as u64 + stream) >> 1
    }

    /// The bot with the weights of a round as its prior.
    pub(super) fn with_weights(
        &self,
        bot: &NamedBot,
        round: usize,
        counting: Counting,
    ) -> Result<BotConfig, RunError> {
        let file = self.folder_of(round).join(WEIGHTS);
        let text = format!("learned:{}:{counting}", file.display());
        let prior = text.parse().map_err(|fault| RunError::Input(format!("{fault}")))?;
        let Some(config) = bot.config.uct() else {
            return Err(RunError::Input(format!("{} is not of kind uct", bot.name)));
        };
        Ok(BotConfig::from(UctConfig { prior, ..config.clone() }))
    }

    /// The games of the teacher in `round`, with the weights of the round `accepted` as its prior.
    pub(super) fn games_of(
        &self,
        round: usize,
        accepted: Option<usize>,
    ) -> Result<Tournament, RunError> {
        let Settings { teacher, teacher_prior, games, .. } = &self.settings;
        let config = match accepted {
            Some(accepted) => self.with_weights(teacher, accepted, *teacher_prior)?,
            None => teacher.config.clone(),
        };
        let bots = TEACHER.map(|name| NamedBot { name: name.to_owned(), config: config.clone() });
        Ok(Tournament {
            name: format!("{}-round-{round}", self.settings.name),
            bots: bots.to_vec(),
            pairs: games / 2,
            seed: self.seed(round, GAMES),
            ..self.tournament.clone()
        })
    }

    /// The match of the bot `new` against `before`, the student with earlier weights, or the given
    /// student.
    pub(super) fn match_of(
        &self,
        round: usize,
        new: NamedBot,
        before: Option<BotConfig>,
    ) -> Tournament {
        let Settings { student, sprt, pairs, name, .. } = &self.settings;
        let before = before.unwrap_or_else(|| student.config.clone());
        let named = |name: &str, config| NamedBot { name: name.to_owned(), config };
        Tournament {
            name: format!("{name}-match-{round}"),
            bots: vec![named(NEW, new.config), named(BEFORE, before)],
            sprt: Some(*sprt),
            pairs: *pairs,
            seed: self.seed(round, MATCH),
            ..self.tournament.clone()
        }
    }

    /// The match of the bot `new` against the other opponent, `watch`.
    pub(super) fn watch_of(&self, round: usize, new: NamedBot, watch: NamedBot) -> Tournament {
        Tournament {
            name: format!("{}-watch-{round}", self.settings.name),
            bots: vec![new, watch],
            pairs: self.settings.watch_pairs,
            seed: self.seed(round, WATCH),
            ..self.tournament.clone()
        }
    }

    /// The positions of the last rounds up to `round`, or of the runs that were given.
    pub fn positions(&self, round: usize) -> Result<Positions, RunError> {
        let mut positions = Positions::default();
        if self.settings.from.is_empty() {
            let window = self.settings.window.min(round);
            for round in round + 1 - window..=round {
                positions.add(&self.folder_of(round).join("games"), self.tournament.size)?;
            }
        }
        for folder in &self.settings.from {
            positions.add(folder, self.tournament.size)?;
        }
        Ok(positions)
    }

    /// How weights are fitted.
    #[must_use]
    pub fn fit(&self) -> Fit {
        let Settings { passes, penalty, sharpness, seed, .. } = self.settings;
        Fit { passes, penalty, sharpness, seed, ..Fit::default() }
    }

    /// Whether a feature gets no weight.
    #[must_use]
    pub fn is_left_out(&self, of: feature::Feature) -> bool {
        self.settings.leave_out.iter().any(|left_out| left_out == feature::kind(of))
    }

    /// The positions of `round`, and the numbers of the positions to which its weights are fitted.
    pub fn to_fit(&self, round: usize) -> Result<(Positions, Vec<usize>), RunError> {
        let positions = self.positions(round)?;
        let fitted = positions.fitted(self.settings.positions);
        if fitted.is_empty() {
            let said = "there is no position to learn from: no game has a search with visits";
            return Err(RunError::Input(said.to_owned()));
        }
        Ok((positions, fitted))
    }

    /// The study of the weights of `round`.
    pub fn study(&self, round: usize) -> Result<(WeightsFile, Study), RunError> {
        let file = self.weights(round)?;
        let positions = self.positions(round)?;
        let is_left_out = |of| self.is_left_out(of);
        let study = Study::new(file.weights.rows(), &positions, self.fit(), &is_left_out);
        Ok((file, study))
    }

    pub(super) fn weights(&self, round: usize) -> Result<WeightsFile, RunError> {
        let path = self.folder_of(round).join(WEIGHTS);
        WeightsFile::read(&path).map_err(|why| RunError::Input(why.to_string()))
    }

    /// The origin that a weights file states.
    pub(super) fn provenance_of(
        &self,
        round: usize,
        positions: &Positions,
        fitted: usize,
    ) -> Vec<(String, String)> {
        let Settings { teacher, seed, name, .. } = &self.settings;
        let mut said = vec![
            ("run".to_owned(), format!("{name}, round {round}, seed {seed}")),
            ("size".to_owned(), self.tournament.size.to_string()),
        ];
        if self.settings.from.is_empty() {
            said.push(("teacher".to_owned(), without_path(&teacher.config)));
        }
        said.push(("games".to_owned(), positions.games.to_string()));
        said.push(("positions".to_owned(), fitted.to_string()));
        said.push(("fit".to_owned(), self.fit().to_string()));
        let Build { version, commit, program, .. } = &self.build;
        let own = program.as_ref().map_or_else(String::new, |program| format!(", {program}"));
        said.push(("program".to_owned(), format!("{version} {commit}{own}")));
        said
    }
}

/// `bot` as text, with the hash of its weights file in place of the path: a text that does not depend on
/// where the run lies.
fn without_path(bot: &BotConfig) -> String {
    let text = bot.to_string();
    let Some(WeightsOf { file, hash }) = WeightsOf::bot(bot) else { return text };
    text.replacen(&format!("learned:{file}"), &format!("learned:{hash}"), 1)
}
