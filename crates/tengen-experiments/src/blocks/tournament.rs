//! Games as units of blocks.

use super::block::{BlockGame, RunSettings, UnitSettings};
use super::dispatch::Units;
use super::worker::token;
use super::{Part, Work};
use crate::run::{Experiment, Provenance, RunError, files, rows};
use crate::tournament::{GameRow, PlannedGame, PlayedGame, SearchRecord, Tournament};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tengen_bots::{NamedBot, SideBySide};
use tengen_go::Color;
use tengen_search::driver;
use tengen_settings::SettingValue;
use toml::{Table, Value};

/// The games of a tournament, or of a tuning under its settings.
pub(crate) struct Games<'a> {
    tournament: &'a Tournament,
    keeps_searches: bool,
    /// The files that the bots read, by path.
    files: Files,
}

/// Files that settings name, by path: the text that replaces the path in a block, and the file.
pub(super) struct Files(BTreeMap<String, (String, Part)>);

impl Files {
    pub(super) fn of(settings: &mut Table) -> Result<Self, RunError> {
        let mut files = BTreeMap::new();
        let mut fault = None;
        files::each(settings, &mut |_, path| {
            match fs::read(path) {
                Ok(bytes) => {
                    let part = Part::of(bytes);
                    let name = token(&part.digest, path);
                    files.insert(path.to_owned(), (name, part));
                }
                Err(why) => fault = Some(RunError::file("cannot read", Path::new(path), &why)),
            }
            None
        });
        fault.map_or(Ok(Self(files)), Err)
    }

    /// Replaces the paths in `settings` by the texts for a block.
    pub(super) fn replace(&self, settings: &mut Table) {
        files::each(settings, &mut |_, path| Some(self.0.get(path)?.0.clone()));
    }

    /// The settings of a run of `kind` with these files, and the files as parts of its blocks.
    pub(super) fn settings(
        &self,
        kind: UnitSettings,
        Provenance { bots, openings, .. }: Provenance,
    ) -> (RunSettings, Vec<Part>) {
        let name = |(path, (_, part)): (&String, &(_, Part))| (part.digest.clone(), path.clone());
        let files = self.0.iter().map(name).collect();
        let settings = RunSettings { kind, bots, openings, files, search_seconds: None };
        (settings, self.0.values().map(|(_, part)| part.clone()).collect())
    }
}

impl<'a> Games<'a> {
    pub(crate) fn new(tournament: &'a Tournament, keeps_searches: bool) -> Result<Self, RunError> {
        let files = Files::of(&mut Table::try_from(tournament)?)?;
        Ok(Self { tournament, keeps_searches, files })
    }
}

/// The key of the bots in a table.
const BOT: &str = "bot";

pub(super) fn bots_of(tables: [Table; 2]) -> Result<[NamedBot; 2], String> {
    let read = |mut table: Table| {
        let bot = table.remove(BOT).unwrap_or(Value::Boolean(false));
        NamedBot::read(&bot).map_err(|refusal| refusal.said.unwrap_or_default())
    };
    let [black, white] = tables.map(read);
    Ok([black?, white?])
}

impl Units for Games<'_> {
    type Unit = PlannedGame;
    type Made = PlayedGame;

    fn settings(&self) -> Result<(RunSettings, Vec<Part>), RunError> {
        let mut tournament = Table::try_from(self.tournament)?;
        self.files.replace(&mut tournament);
        let (tournament, keeps_searches) = (toml::to_string(&tournament)?, self.keeps_searches);
        let kind = UnitSettings::Games { tournament, keeps_searches };
        Ok(self.files.settings(kind, self.tournament.provenance()?))
    }

    fn number(&self, game: &PlannedGame) -> usize {
        game.plan.game
    }

    fn work(&self, games: &[PlannedGame]) -> Result<Work, RunError> {
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
                table.insert(BOT.to_owned(), Value::try_from(bot)?);
                self.files.replace(&mut table);
                Ok(toml::to_string(&table)?)
            };
            let [black, white] = bots;
            Ok(BlockGame { plan: *plan, bots: Some([text(black)?, text(white)?]) })
        };
        Ok(Work::Games(games.iter().map(game).collect::<Result<_, _>>()?))
    }

    fn read(
        &self,
        games: &[PlannedGame],
        text: &str,
        searches: Vec<Vec<SearchRecord>>,
    ) -> Result<Vec<PlayedGame>, String> {
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
