//! A learning run as an experiment: its units are rounds, each of which needs those before it.

use super::positions::Positions;
use super::round::{RoundRow, WEIGHTS};
use super::settings::{Counting, Settings, uct};
use super::study::Study;
use crate::run::{
    Build, CONFIG, Chunk, Concurrency, Done, Experiment, Provenance, Rows, Run, RunDirectory,
    RunError, Session, Stage,
};
use crate::tournament::{Counted, GameRow, Tournament};
use crate::training::Recorded;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_bots::{BotConfig, NamedBot};
use tengen_learn::{Fit, Prediction, WeightsFile, feature};
use tengen_search::UctConfig;
use tengen_settings::{SettingError, Settings as _};
use tengen_stats::seed::mix;
use tengen_stats::sprt::State;
use tengen_stats::{Pairs, SequentialTest};
use toml::{Table, Value};

/// Streams of the seed of a run: three for each round.
const STREAMS: u64 = 3;
const GAMES: u64 = 0;
const MATCH: u64 = 1;
const WATCH: u64 = 2;

/// The names of bots.
const TEACHER: [&str; 2] = ["teacher", "teacher-2"];
const NEW: &str = "new";
const BEFORE: &str = "before";

/// How far a learning run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The round, from 1.
    pub round: usize,
    /// What is played, such as `games of the teacher`.
    pub what: &'static str,
    /// Number of games that are played.
    pub done: usize,
    /// Number of all games; of a sequential test at most.
    pub all: usize,
}

/// A learning run that is made, with what is told how far it is.
pub struct LearningRun<'a> {
    /// The run.
    pub learning: &'a Learning,
    /// Called before a part of a round, and after each of its games.
    pub told: &'a (dyn Fn(Step) + Sync),
}

/// A learning run: all that decides its weights.
#[derive(Clone, Debug)]
pub struct Learning {
    settings: Settings,
    /// Board, rules and openings, with the teacher as its bots.
    tournament: Tournament,
    folder: PathBuf,
    build: Build,
}

impl Learning {
    /// The run of the settings in `table`, made by the program `build`.
    ///
    /// # Errors
    /// The first setting that is unknown or invalid.
    pub fn from_table(table: Table, build: Build) -> Result<Self, SettingError> {
        let (settings, mut tournament) = Settings::split(table)?;
        let teachers = TEACHER.map(|name| NamedBot {
            name: name.to_owned(),
            config: settings.teacher.config.clone(),
        });
        let bots = Value::try_from(teachers.to_vec()).map_err(|error| error.to_string())?;
        tournament.insert("bot".to_owned(), bots);
        tournament.insert("name".to_owned(), settings.name.clone().into());
        let tournament = Tournament::from_table(tournament)?;
        let learning = Self { settings, tournament, folder: PathBuf::new(), build };
        if learning.settings.pairs > 0 {
            learning.match_of(1, learning.settings.student.clone(), None).validate()?;
        }
        Ok(learning)
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets the folder of the run, in which its rounds have folders of their own.
    pub fn works_in(&mut self, folder: &Path) {
        folder.clone_into(&mut self.folder);
    }

    /// All settings: the contents of `config.toml`.
    ///
    /// # Errors
    /// Never in practice: every setting has a form in TOML.
    pub fn to_table(&self) -> Result<Table, toml::ser::Error> {
        let mut table = Table::try_from(&self.settings)?;
        let shared = Table::try_from(&self.tournament)?;
        let keys = Settings::of_tournament();
        table.extend(shared.into_iter().filter(|(key, _)| keys.contains(&key.as_str())));
        Ok(table)
    }

    /// All settings as TOML text.
    ///
    /// # Errors
    /// Never in practice: every setting has a form in TOML.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(&self.to_table()?)
    }

    /// The provenance of the rounds, for which each bot is started once.
    ///
    /// # Errors
    /// If a bot cannot play, or for lack of a resource.
    pub fn provenance(&self) -> Result<Provenance, RunError> {
        let mut bots = self.tournament.bots.clone();
        bots.push(NamedBot { name: NEW.to_owned(), ..self.settings.student.clone() });
        bots.extend(self.settings.watch.clone());
        let of_tournament = Tournament { bots, ..self.tournament.clone() }.provenance()?;
        let mut table = self.to_table()?;
        for key in ["kind", "name", "out", "threads", "rounds"] {
            table.remove(key);
        }
        let mut settings = of_tournament.settings;
        settings.value(&Value::Table(table));
        Ok(Provenance { settings, ..of_tournament })
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
    fn with_weights(
        &self,
        bot: &NamedBot,
        round: usize,
        counting: Counting,
    ) -> Result<BotConfig, RunError> {
        let file = self.folder_of(round).join(WEIGHTS);
        let text = format!("learned:{}:{counting}", file.display());
        let prior = text.parse().map_err(|fault| RunError::Input(format!("{fault}")))?;
        let Some(config) = uct(bot) else {
            return Err(RunError::Input(format!("{} is not of kind uct", bot.name)));
        };
        Ok(BotConfig::Uct(UctConfig { prior, ..config.clone() }))
    }

    /// The games of the teacher in `round`, whose prior is that of the round `accepted`.
    fn games_of(&self, round: usize, accepted: Option<usize>) -> Result<Tournament, RunError> {
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

    /// The match of the bot `new` against the student with the weights `before`, or as it is given.
    fn match_of(&self, round: usize, new: NamedBot, before: Option<BotConfig>) -> Tournament {
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

    /// The positions of the last rounds up to `round`, or of the runs that were given.
    ///
    /// # Errors
    /// If one cannot be read.
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

    /// The study of the weights of `round`.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn study(&self, round: usize) -> Result<(WeightsFile, Study), RunError> {
        let file = self.weights(round)?;
        let positions = self.positions(round)?;
        let is_left_out = |of| self.is_left_out(of);
        let study = Study::new(file.weights.rows(), &positions, self.fit(), &is_left_out);
        Ok((file, study))
    }

    fn weights(&self, round: usize) -> Result<WeightsFile, RunError> {
        let path = self.folder_of(round).join(WEIGHTS);
        WeightsFile::read(&path).map_err(|why| RunError::Input(why.to_string()))
    }

    /// Plays `experiment`, the games of `tournament`, in `folder`; none if it was stopped.
    fn play<E: Experiment<Row = GameRow>>(
        &self,
        experiment: &E,
        tournament: &Tournament,
        folder: &Path,
        on: Concurrency,
        stop: &AtomicBool,
        told: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Option<Vec<GameRow>>, RunError> {
        let mut run = if folder.join(CONFIG).exists() {
            Run::open(folder)?
        } else {
            Run::begin(experiment, folder)?
        };
        let provenance = tournament.provenance()?;
        let mut session = Session::open(experiment, &mut run, &provenance)?;
        let all = tournament.schedule().games();
        let mut done = session.rows().len();
        told(done, all);
        let lacking = session.play(self.build.clone(), on, stop, |rows| {
            done += rows.len();
            told(done, all);
        })?;
        if let Some(fault) = lacking {
            return Err(fault.into());
        }
        if !session.is_over() {
            return Ok(None);
        }
        let rows = session.rows().clone();
        session.finish()?;
        Ok(Some(tournament.counted(rows)))
    }

    /// Makes `round`; none if it was stopped.
    fn make_round(
        &self,
        round: usize,
        before: &[RoundRow],
        on: Concurrency,
        stop: &AtomicBool,
        told: &(dyn Fn(Step) + Sync),
    ) -> Result<Option<RoundRow>, RunError> {
        let begun = Instant::now();
        let folder = self.folder_of(round);
        let accepted = before.iter().rev().find(|row| row.accepted).map(|row| row.round);
        let part = |what| move |done, all| told(Step { round, what, done, all });
        if self.settings.from.is_empty() {
            let games = self.games_of(round, accepted)?;
            let games_folder = folder.join("games");
            let recorded = Recorded::new(&games, &games_folder, None);
            let told = part("games of the teacher");
            if self.play(&recorded, &games, &games_folder, on, stop, &told)?.is_none() {
                return Ok(None);
            }
        }
        let positions = self.positions(round)?;
        let fitted = positions.fitted(self.settings.positions);
        if fitted.is_empty() {
            let said = "there is no position to learn from: no game has a search with visits";
            return Err(RunError::Input(said.to_owned()));
        }
        let rows = self.fit().run(&positions.samples, &fitted, |of| self.is_left_out(of));
        let found = Prediction::by_weights(&rows, &positions.samples, &positions.held_out());
        let file = WeightsFile::new(rows, self.provenance_of(round, &positions, fitted.len()));
        RunDirectory::shared(&folder)?.write(WEIGHTS, file.to_text())?;
        let mut row = RoundRow {
            round,
            games: positions.games,
            positions: fitted.len(),
            features: file.weights.rows().len(),
            weights: file.digest.clone(),
            log_loss: found.log_loss(),
            top_1: found.top_1(),
            top_5: found.top_5(),
            seconds: begun.elapsed().as_secs_f64(),
            ..RoundRow::default()
        };
        let Settings { student, student_prior, .. } = &self.settings;
        let config = self.with_weights(student, round, *student_prior)?;
        let new = NamedBot { name: NEW.to_owned(), config };
        if self.settings.pairs > 0 {
            let before = accepted
                .map(|accepted| self.with_weights(student, accepted, *student_prior))
                .transpose()?;
            let tournament = self.match_of(round, new.clone(), before);
            let told = part("games of the match, at most");
            let folder = folder.join("match");
            let rows = self.play(&tournament, &tournament, &folder, on, stop, &told)?;
            let Some(rows) = rows else { return Ok(None) };
            let [lost, split, won] = pairs_of(&rows).by_result();
            (row.won, row.split, row.lost) = (Some(won), Some(split), Some(lost));
            row.opponent = Some(accepted.map_or("given".to_owned(), |round| round.to_string()));
            row.accepted = is_won(&tournament, rows);
        } else {
            row.accepted = true;
        }
        if let Some(watch) = &self.settings.watch {
            let tournament = Tournament {
                name: format!("{}-watch-{round}", self.settings.name),
                bots: vec![new, watch.clone()],
                pairs: self.settings.watch_pairs,
                seed: self.seed(round, WATCH),
                ..self.tournament.clone()
            };
            let told = part("games against the other opponent");
            let folder = folder.join("watch");
            let rows = self.play(&tournament, &tournament, &folder, on, stop, &told)?;
            let Some(rows) = rows else { return Ok(None) };
            let [lost, split, won] = pairs_of(&rows).by_result();
            (row.watch_won, row.watch_split) = (Some(won), Some(split));
            row.watch_lost = Some(lost);
        }
        if row.accepted {
            RunDirectory::shared(&self.folder)?.write(WEIGHTS, file.to_text())?;
        }
        Ok(Some(row))
    }

    /// What a weights file says of where it is from.
    fn provenance_of(
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
            said.push(("teacher".to_owned(), teacher.config.to_string()));
        }
        said.push(("games".to_owned(), positions.games.to_string()));
        said.push(("positions".to_owned(), fitted.to_string()));
        said.push(("fit".to_owned(), self.fit().to_string()));
        said.push(("program".to_owned(), format!("{} {}", self.build.version, self.build.commit)));
        said
    }
}

/// The pairs of a match by the results of its first bot.
fn pairs_of(rows: &[GameRow]) -> Pairs {
    let mut pairs = Pairs::default();
    let mut first = None;
    for row in rows {
        let Some(black) = row.outcome.of_black() else { continue };
        if row.game.is_multiple_of(2) {
            first = Some((row.pair, black));
        } else if let Some((_, result)) = first.take().filter(|(pair, _)| *pair == row.pair) {
            pairs.record(result, black.reversed());
        }
    }
    pairs
}

/// Whether the sequential test of `tournament` accepts that its first bot is stronger.
fn is_won(tournament: &Tournament, rows: Vec<GameRow>) -> bool {
    let mut counted = Counted::new(tournament.sprt);
    for row in rows {
        counted.insert(row);
    }
    let decision = counted.test().and_then(SequentialTest::decision);
    decision.is_some_and(|decision| decision.state == State::AcceptH1)
}

impl Experiment for LearningRun<'_> {
    type Row = RoundRow;

    const ROWS: &'static str = "rounds.csv";

    const UNIT: &'static str = "round";

    fn config(&self) -> Result<Table, RunError> {
        Ok(self.learning.to_table()?)
    }

    fn units(&self) -> Option<usize> {
        Some(self.learning.settings.rounds)
    }

    fn number(&self, unit: usize) -> usize {
        unit + 1
    }

    fn is_planned(&self, row: &RoundRow) -> bool {
        (1..=self.learning.settings.rounds).contains(&row.round)
    }

    fn is_kept(&self, row: &RoundRow) -> Result<bool, RunError> {
        Ok(self.learning.weights(row.round).is_ok_and(|file| file.digest == row.weights))
    }

    fn stage<'a>(&'a self, there: &'a Rows<RoundRow>) -> Result<Stage<'a>, RunError> {
        let next = there.len();
        let units = (next..self.learning.settings.rounds).take(1);
        Ok(Stage { number: next + 1, of: self.learning.settings.rounds, units: Box::new(units) })
    }

    fn is_over(&self, there: &Rows<RoundRow>) -> bool {
        there.len() == self.learning.settings.rounds
    }

    fn make(
        &self,
        there: &Rows<RoundRow>,
        _: Option<Chunk>,
        on: Concurrency,
        stop: &AtomicBool,
        done: Done<'_, RoundRow>,
    ) -> Result<(), RunError> {
        let mut rows: Vec<RoundRow> = Vec::new();
        for round in 1..=self.learning.settings.rounds {
            if let Some(there) = there.get(&(round - 1)).and_then(|rows| rows.first()) {
                rows.push(there.clone());
                continue;
            }
            let row = self.learning.make_round(round, &rows, on, stop, self.told)?;
            let Some(row) = row else { return Ok(()) };
            done(std::slice::from_ref(&row))?;
            rows.push(row);
        }
        Ok(())
    }
}
