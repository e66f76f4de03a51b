//! The settings that reading a run needs, whichever version wrote them.

use super::config::{SCALING_KEYS, TOURNAMENT_KEY, Tournament};
use super::counted::Counted;
use super::opening::{Opening, Openings};
use super::row::GameRow;
use super::rule::Rule;
use super::schedule::{Format, Schedule};
use crate::run::{Experiment, RunError, rows};
use serde::Deserialize;
use std::path::Path;
use tengen_go::{Game, Ko, Komi, Move, Preset, Rules, Size, Suicide};
use tengen_sgf::Record;
use tengen_stats::{Correction, Elimination, SequentialTest, Sprt};
use toml::{Table, Value};

/// The settings of a tournament that reading its rows needs. All other settings, of bots or of
/// later versions, may be anything.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Outline {
    /// Name of the run.
    pub name: String,
    /// Board size.
    pub size: Size,
    /// Komi, in points.
    pub komi: Komi,
    /// Rule set.
    #[serde(default)]
    pub rules: Preset,
    ko: Option<Ko>,
    suicide: Option<Suicide>,
    /// Tournament format: which bots meet.
    #[serde(default)]
    pub format: Format,
    /// Number of colour-swapped pairs of games per pairing.
    pub pairs: usize,
    /// Number of random moves of an opening.
    #[serde(default)]
    pub opening_plies: u32,
    /// Random seed of openings and bots.
    #[serde(default)]
    pub seed: u64,
    /// The sequential test that may end the tournament early.
    pub sprt: Option<Sprt>,
    /// The error rate of the elimination that may end matches of a gauntlet early.
    pub eliminate: Option<f64>,
    /// The claims that the run decides.
    #[serde(default)]
    pub rule: Vec<Rule>,
    /// The correction of the verdicts on these claims for their number.
    #[serde(default)]
    pub correction: Correction,
    #[serde(default)]
    openings: Openings,
    #[serde(rename = "opening", default)]
    given: Vec<Opening>,
    /// The bots.
    #[serde(rename = "bot")]
    pub bots: Vec<BotName>,
}

/// A bot of a run that is read.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct BotName {
    /// Name of the bot.
    pub name: String,
    /// Whether the bot's searches fill own eyes.
    #[serde(default)]
    pub own_eyes: bool,
}

impl Outline {
    /// The outline of a run with the settings `config`.
    pub fn of(config: &Table) -> Result<Self, RunError> {
        let other = [
            ("param", "a tuning: of its games, those in its folder validation are a tournament"),
            ("positions", "a measurement of convergence, which has no games"),
        ];
        if let Some((_, what)) = other.iter().find(|(key, _)| config.contains_key(*key)) {
            return Err(RunError::Input(format!("the run is {what}")));
        }
        // Runs of early versions do not name their kind.
        let kind = config.get("kind").and_then(Value::as_str).unwrap_or(TOURNAMENT_KEY);
        if kind != TOURNAMENT_KEY && !SCALING_KEYS.contains(&kind) {
            return Err(RunError::Input(format!("the run is one of `{kind}`, and no tournament")));
        }
        config.clone().try_into().map_err(|fault: toml::de::Error| {
            let said = fault.message().replace('\n', " ");
            RunError::Input(format!("the settings are not those of a tournament: {said}"))
        })
    }

    /// Whether pair n has the same opening in all pairings.
    #[must_use]
    pub fn shares_openings(&self) -> bool {
        self.openings == Openings::Shared || !self.given.is_empty()
    }

    /// The names of the bots.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.bots.iter().map(|bot| bot.name.clone()).collect()
    }

    /// The schedule of the games.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.bots.len(), self.pairs, self.seed)
    }

    /// The games of the run in `folder`, in the order of its file.
    pub fn read(&self, folder: &Path) -> Result<Vec<GameRow>, RunError> {
        let schedule = self.schedule();
        let name = |bot: usize| self.bots[bot].name.as_str();
        let rows = rows::read::<GameRow>(folder, Tournament::ROWS)?.into_iter().map(|signed| {
            let row = signed.row;
            match row.differs(&schedule, (self.size, self.komi), name) {
                None => Ok(row),
                Some(what) => {
                    Err(RunError::stranger(Tournament::UNIT, row.game, Tournament::ROWS, &what))
                }
            }
        });
        rows.collect()
    }

    /// The games among `rows` that count, in the order of the schedule, and the sequential test
    /// after them, if there is one.
    #[must_use]
    pub fn counted(&self, rows: Vec<GameRow>) -> (Vec<GameRow>, Option<SequentialTest>) {
        self.no_games().with(rows).into_parts()
    }

    /// No games of the run, before those that count are found.
    #[must_use]
    pub fn no_games(&self) -> Counted {
        Counted::new(self.sprt, self.eliminate, self.bots.len())
    }

    /// The elimination of the first bot's opponents after the games `rows`; none if all play to the
    /// end.
    #[must_use]
    pub fn elimination(&self, rows: &[GameRow]) -> Option<Elimination> {
        self.eliminate?;
        self.no_games().with(rows.iter().cloned()).elimination().cloned()
    }

    /// The game of `row` before its first move, with no limit of plies. Refuses a run that keeps no moves.
    pub fn start(&self, row: &GameRow) -> Result<Game, String> {
        if !row.has_moves() {
            return Err("the run keeps no moves".to_owned());
        }
        let (ko, suicide) = self.rules.ko_and_suicide();
        let (ko, suicide) = (self.ko.unwrap_or(ko), self.suicide.unwrap_or(suicide));
        let rules = Rules { ko, suicide, komi: row.komi, max_plies: u32::MAX };
        match self.given.get(row.pair) {
            Some(Opening { position: None, to_play: None, .. }) | None => {
                Ok(Game::new(row.size, rules))
            }
            Some(opening) => opening.start(row.size, rules),
        }
    }

    /// The game of `row` as SGF. Refuses a run that keeps no moves.
    pub fn record(&self, row: &GameRow) -> Result<Record, String> {
        let mut game = self.start(row)?;
        for text in row.moves.split_whitespace() {
            let mv: Move = text.parse().map_err(|_| format!("invalid move `{text}`"))?;
            game.play(game.to_play(), mv).map_err(|why| format!("{mv}: {why}"))?;
        }
        let mut record = Record::new(game);
        record.black.clone_from(&row.black);
        record.white.clone_from(&row.white);
        record.result = row.result();
        record.event = format!("{}, game {}", row.run, row.game);
        for comment in row.comments.split(" | ") {
            if let Some((ply, text)) = comment.split_once(' ')
                && let Ok(ply) = ply.parse()
            {
                record.comments.insert(ply, text.to_owned());
            }
        }
        Ok(record)
    }

    /// Board, komi, rules, pairs, openings and seed, in one line.
    #[must_use]
    pub fn conditions(&self) -> String {
        let Self { size, komi, rules, pairs, opening_plies, seed, sprt, eliminate, .. } = self;
        let most = if sprt.is_some() || eliminate.is_some() { "at most " } else { "" };
        format!(
            "{size}, komi {komi}, {rules} rules, {most}{pairs} pairs per pairing, \
             openings of {opening_plies} plies, seed {seed}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_other_kinds_are_named() {
        let said = |config: &str| Outline::of(&config.parse().unwrap()).unwrap_err().to_string();
        assert_eq!(
            said("kind = 'learn'\nsize = '9x9'"),
            "the run is one of `learn`, and no tournament"
        );
        let tuning =
            "the run is a tuning: of its games, those in its folder validation are a tournament";
        assert_eq!(said("kind = 'tune'\nparam = {}"), tuning);
        let settings = "the settings are not those of a tournament: missing field `name`";
        assert_eq!(said("kind = 'scaling-parallel'\nsize = '9x9'"), settings);
    }
}
