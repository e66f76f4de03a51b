//! Games as units of blocks.

use super::{GamePlan, GameRow, PlannedGame, PlayedGame, SearchRecord, Tournament, play_planned};
use crate::run::blocks::{Made, Maker, TravellingFiles, UnitKind, Units, located};
use crate::run::{Concurrency, Experiment, Provenance, RunError, rows};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tengen_bots::{NamedBot, SideBySide};
use tengen_go::Color;
use tengen_search::driver;
use tengen_settings::{SettingValue, Settings};
use toml::Table;

/// Games in blocks.
pub(crate) const GAMES: UnitKind = UnitKind { name: "games", maker: GameMaker::of };

/// The settings of a run of games for the worker processes.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct GameSettings {
    /// Those of the tournament as TOML, since JSON has no infinite numbers.
    tournament: String,
    keeps_searches: bool,
}

/// A game of a block.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct BlockGame {
    /// Number, seeds and bots.
    plan: GamePlan,
    /// Black and White as TOML, where they are not bots of the tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bots: Option<[String; 2]>,
}

/// The games of a tournament, or of a tuning under its settings.
pub(super) struct Games<'a> {
    tournament: &'a Tournament,
    keeps_searches: bool,
    /// The files that the bots read.
    files: TravellingFiles,
}

impl<'a> Games<'a> {
    pub(super) fn new(tournament: &'a Tournament, keeps_searches: bool) -> Result<Self, RunError> {
        let files = TravellingFiles::of(Table::try_from(tournament)?)?;
        Ok(Self { tournament, keeps_searches, files })
    }
}

/// The key of the bots in a table.
const BOT: &str = "bot";

impl Units for Games<'_> {
    type Unit = PlannedGame;
    type Made = PlayedGame;

    const KIND: UnitKind = GAMES;

    fn settings(&self) -> Result<Value, RunError> {
        let mut tournament = Table::try_from(self.tournament)?;
        self.files.replace(&mut tournament);
        let (tournament, keeps_searches) = (toml::to_string(&tournament)?, self.keeps_searches);
        Ok(serde_json::to_value(GameSettings { tournament, keeps_searches })?)
    }

    fn files(&self) -> &TravellingFiles {
        &self.files
    }

    fn provenance(&self) -> Result<Provenance, RunError> {
        self.tournament.provenance()
    }

    fn number(&self, game: &PlannedGame) -> usize {
        game.plan.game
    }

    fn work(&self, games: &[PlannedGame]) -> Result<Value, RunError> {
        let game = |planned: &PlannedGame| -> Result<BlockGame, RunError> {
            let PlannedGame { plan, bots, .. } = planned;
            let is_known = Color::BOTH
                .into_iter()
                .all(|color| bots[color.index()] == self.tournament.bots[plan.bot(color)]);
            if is_known {
                return Ok(BlockGame { plan: *plan, bots: None });
            }
            let text = |bot: &NamedBot| -> Result<String, RunError> {
                let mut table = Table::new();
                table.insert(BOT.to_owned(), toml::Value::try_from(bot)?);
                self.files.replace(&mut table);
                Ok(toml::to_string(&table)?)
            };
            let [black, white] = bots;
            Ok(BlockGame { plan: *plan, bots: Some([text(black)?, text(white)?]) })
        };
        let games: Vec<BlockGame> = games.iter().map(game).collect::<Result<_, _>>()?;
        Ok(serde_json::to_value(games)?)
    }

    fn read(
        &self,
        games: &[PlannedGame],
        text: &str,
        searches: Value,
    ) -> Result<Vec<PlayedGame>, String> {
        let searches: Vec<Vec<SearchRecord>> =
            serde_json::from_value(searches).map_err(|why| why.to_string())?;
        let rows = rows::parse::<GameRow>(text.as_bytes(), Path::new("the answer"));
        let rows = rows.map_err(|why| why.to_string())?;
        let expected = if self.keeps_searches { games.len() } else { 0 };
        if rows.len() != games.len() || searches.len() != expected {
            let (found, games) = (rows.len(), games.len());
            return Err(format!("{found} games came back, and {games} were wanted"));
        }
        let mut sorted: Vec<&PlannedGame> = games.iter().collect();
        sorted.sort_by_key(|planned| planned.plan.game);
        let mut searches = searches.into_iter();
        let made = rows.into_iter().zip(sorted).map(|(signed, planned)| {
            let row = signed.row;
            if is_row_of(&row, planned, self.tournament) {
                Ok(PlayedGame { row, searches: searches.next().unwrap_or_default() })
            } else {
                let game = planned.plan.game;
                Err(format!("another game came back in place of game {game}"))
            }
        });
        made.collect()
    }

    fn is_alike(&self, one: &PlayedGame, other: &PlayedGame) -> bool {
        let timeless = |played: &PlayedGame| played.row.clone().without_times();
        timeless(one) == timeless(other) && one.searches == other.searches
    }

    fn most(&self) -> usize {
        match self.side_by_side() {
            SideBySide::Any => driver::lanes(self.tournament.size),
            SideBySide::PerProcess | SideBySide::One => 2,
        }
    }

    fn side_by_side(&self) -> SideBySide {
        self.tournament.side_by_side()
    }
}

/// Whether `row` is of the game that was `planned`.
fn is_row_of(row: &GameRow, planned: &PlannedGame, tournament: &Tournament) -> bool {
    let PlannedGame { plan, bots: [black, white], .. } = planned;
    let numbers = (row.game, row.pairing, row.pair, row.seed);
    numbers == (plan.game, plan.pairing, plan.pair, plan.seed)
        && (&row.black, &row.white, &row.run) == (&black.name, &white.name, &tournament.name)
        && (row.size, row.komi) == (tournament.size, tournament.komi)
}

/// Plays the games of a tournament in a worker process.
struct GameMaker {
    tournament: Tournament,
    keeps_searches: bool,
    /// Factor by which the seconds of the bots are multiplied.
    clock: Option<f64>,
}

impl GameMaker {
    fn of(settings: &Value) -> Result<Box<dyn Maker>, RunError> {
        let GameSettings { tournament, keeps_searches } = GameSettings::deserialize(settings)?;
        let tournament = Tournament::from_table(located(&tournament)?);
        let tournament = tournament.map_err(|why| RunError::Input(why.to_string()))?;
        Ok(Box::new(Self { tournament, keeps_searches, clock: None }))
    }

    fn planned(&self, BlockGame { plan, bots }: BlockGame) -> Result<PlannedGame, RunError> {
        let mut planned = PlannedGame::of(&self.tournament, plan);
        planned.keeps_searches = self.keeps_searches;
        if let Some([black, white]) = bots {
            planned.bots = [self.bot(&black)?, self.bot(&white)?];
        }
        Ok(planned)
    }

    /// The bot that a block has as TOML.
    fn bot(&self, text: &str) -> Result<NamedBot, RunError> {
        let bot = located(text)?.remove(BOT).unwrap_or(toml::Value::Boolean(false));
        let bot = NamedBot::read(&bot);
        let mut bot = bot.map_err(|why| RunError::Input(why.said.unwrap_or_default()))?;
        if let Some(factor) = self.clock {
            set_clock(&mut bot, factor);
        }
        Ok(bot)
    }
}

/// Multiplies the seconds of `bot` by `factor`.
fn set_clock(bot: &mut NamedBot, factor: f64) {
    bot.config = bot.config.with_seconds_times(factor);
}

impl Maker for GameMaker {
    fn provenance(&self) -> Result<Provenance, RunError> {
        self.tournament.provenance()
    }

    fn set_clock(&mut self, factor: f64) {
        self.tournament.bots.iter_mut().for_each(|bot| set_clock(bot, factor));
        self.clock = Some(factor);
    }

    fn make(&self, games: Value) -> Result<Made, RunError> {
        let games: Vec<BlockGame> = serde_json::from_value(games)?;
        let planned = games.into_iter().map(|game| self.planned(game));
        let planned: Vec<PlannedGame> = planned.collect::<Result<_, _>>()?;
        let mut played = Vec::new();
        let stop = AtomicBool::new(false);
        play_planned(&self.tournament, Concurrency::from(1), planned, &stop, |game| {
            played.push(game);
            Ok::<(), RunError>(())
        })?;
        played.sort_by_key(|game: &PlayedGame| game.row.game);
        let rows = rows::to_csv(played.iter().map(|game| (&game.row, None)), true)?;
        let searches = played.into_iter().map(|game| game.searches);
        let searches: Vec<_> = searches.filter(|_| self.keeps_searches).collect();
        Ok(Made { rows, extra: serde_json::to_value(searches)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_searches_more_slowly_gives_searches_more_time() {
        let text = "size = '3x3'\npairs = 1\nbot = ['uct:seconds=0.5', 'uct:simulations=3']";
        let tournament: Tournament = text.parse().unwrap();
        let settings = Games::new(&tournament, false).unwrap().settings().unwrap();
        let GameSettings { tournament, keeps_searches } =
            GameSettings::deserialize(&settings).unwrap();
        let tournament = Tournament::from_table(located(&tournament).unwrap()).unwrap();
        let mut maker = GameMaker { tournament, keeps_searches, clock: None };
        let bots = |maker: &GameMaker| {
            maker.tournament.bots.iter().map(|bot| bot.config.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(bots(&maker), ["uct:seconds=0.5", "uct:simulations=3"]);
        maker.set_clock(2.0);
        assert_eq!(bots(&maker), ["uct:seconds=1.0", "uct:simulations=3"]);
        let own = maker.bot("bot = 'uct:seconds=0.25'").unwrap();
        assert_eq!(own.config.to_string(), "uct:seconds=0.5");
    }
}
