//! The games of a run, as the page requests them: by filter, one by one, and the last games as
//! small boards.
//!
//! Nothing here reads a file: the rows come from the server's folders, or from what a page
//! without a server has loaded.

mod filter;
mod loaded;

pub use filter::{Filter, Page};
pub use loaded::LoadedRun;

use crate::page::{Limits, RecordText, Refusal};
use serde::Serialize;
use std::path::Path;
use tengen_experiments::run::Experiment;
use tengen_experiments::run::rows;
use tengen_experiments::tournament::{GameRow, Outline, Tournament};
use tengen_go::Move;

/// The most games that are shown as small boards.
const MAX_BOARDS: usize = 8;

/// The games of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunGames {
    /// By number.
    rows: Vec<GameRow>,
    /// The numbers of the last games, in the order in which they ended.
    latest: Vec<usize>,
}

/// A game of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunGame {
    /// Its row.
    pub row: GameRow,
    /// Its record.
    pub record: RecordText,
    /// The number of the game before it that passes the filter.
    pub previous: Option<usize>,
    /// The number of the next game that passes the filter.
    pub next: Option<usize>,
}

/// A finished game as a small board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SmallBoard {
    /// Number of the game.
    pub game: usize,
    /// The bot that played Black.
    pub black: String,
    /// The bot that played White.
    pub white: String,
    /// The result as SGF writes it.
    pub result: String,
    /// The last position: rows from the top, joined by `/`, with `X`, `O` and `.`.
    pub board: String,
    /// The point of the last move that was no pass.
    pub last: Option<Move>,
}

impl RunGames {
    /// The games of `rows`, which come in the order in which the games ended.
    #[must_use]
    pub fn new(rows: Vec<GameRow>) -> Self {
        let mut games = Self::default();
        games.extend(rows);
        games
    }

    /// The games of a file `games.csv` with this `text`.
    pub fn read(text: &[u8]) -> Result<Self, Refusal> {
        let name = Path::new(Tournament::ROWS);
        let rows = rows::parse(rows::whole_lines(text), name).map_err(Refusal::new)?;
        Ok(Self::new(rows.into_iter().map(|signed| signed.row).collect()))
    }

    /// Adds the games of `rows`, which ended after all present games.
    pub fn extend(&mut self, rows: Vec<GameRow>) {
        self.latest.extend(rows.iter().map(|row| row.game));
        let surplus = self.latest.len().saturating_sub(MAX_BOARDS);
        self.latest.drain(..surplus);
        self.rows.extend(rows);
        self.rows.sort_by_key(|row| row.game);
    }

    /// The rows, by number of the game.
    #[must_use]
    pub fn rows(&self) -> &[GameRow] {
        &self.rows
    }

    /// The game number `game` of the tournament of `outline`, and its neighbours among the games
    /// that pass `filter`; none if there is no such game.
    pub fn game(
        &self,
        game: usize,
        outline: &Outline,
        filter: &Filter,
        limits: &Limits,
    ) -> Result<Option<RunGame>, Refusal> {
        let Ok(place) = self.rows.binary_search_by_key(&game, |row| row.game) else {
            return Ok(None);
        };
        let row = &self.rows[place];
        let record = outline.record(row).map_err(Refusal::new)?;
        let is_wanted = |row: &&GameRow| filter.takes(row);
        Ok(Some(RunGame {
            row: row.clone(),
            record: RecordText {
                opening: row.opening_plies,
                ..RecordText::read(&record.to_sgf(), limits)?
            },
            previous: self.rows[..place].iter().rev().find(is_wanted).map(|row| row.game),
            next: self.rows[place + 1..].iter().find(is_wanted).map(|row| row.game),
        }))
    }

    /// The games that ended last, the latest first, as small boards; games that cannot be replayed
    /// are left out.
    #[must_use]
    pub fn boards(&self, outline: &Outline) -> Vec<SmallBoard> {
        let board = |&game: &usize| {
            let place = self.rows.binary_search_by_key(&game, |row| row.game).ok()?;
            let row = &self.rows[place];
            let mut position = outline.start(row).ok()?;
            let mut last = None;
            for text in row.moves.split_whitespace() {
                let mv: Move = text.parse().ok()?;
                position.play(position.to_play(), mv).ok()?;
                last = if mv == Move::Pass { last } else { Some(mv) };
            }
            Some(SmallBoard {
                game,
                black: row.black.clone(),
                white: row.white.clone(),
                result: row.result(),
                board: position.board().to_rows(),
                last,
            })
        };
        self.latest.iter().rev().filter_map(board).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline() -> Outline {
        let text = "name = 'x'\nsize = '3x3'\nkomi = 0.5\npairs = 40\n\
                    [[bot]]\nname = 'a'\n[[bot]]\nname = 'b'\n";
        Outline::of(&text.parse().unwrap()).unwrap()
    }

    fn row(game: usize) -> GameRow {
        let plies = u32::try_from(game).unwrap();
        GameRow { game, plies, ..GameRow::example() }
    }

    #[test]
    fn neighbours_are_those_of_the_filter() {
        let games = RunGames::new([4, 1, 0, 2, 3, 5].map(row).to_vec());
        let filter =
            |least, most| Filter { least: Some(least), most: Some(most), ..Filter::default() };
        let around = |game, filter: &Filter| {
            let found = games.game(game, &outline(), filter, &Limits::default()).unwrap();
            found.map(|found| (found.previous, found.next))
        };
        assert_eq!(around(3, &Filter::default()), Some((Some(2), Some(4))));
        assert_eq!(around(0, &Filter::default()), Some((None, Some(1))));
        assert_eq!(around(3, &filter(1, 3)), Some((Some(2), None)));
        // A game that does not pass the filter has neighbours too.
        assert_eq!(around(0, &filter(2, 3)), Some((None, Some(2))));
        assert_eq!(around(6, &Filter::default()), None);
    }

    #[test]
    fn the_latest_games_come_first() {
        let mut games = RunGames::new((0..20).rev().map(row).collect());
        let shown = |games: &RunGames| -> Vec<usize> {
            games.boards(&outline()).iter().map(|board| board.game).collect()
        };
        assert_eq!(shown(&games), [0, 1, 2, 3, 4, 5, 6, 7]);
        games.extend(vec![row(30), GameRow { moves: "Z9".to_owned(), ..row(31) }, row(25)]);
        assert_eq!(shown(&games), [25, 30, 0, 1, 2, 3, 4]);
        assert_eq!(games.rows().last().map(|row| row.game), Some(31));
        let board = &games.boards(&outline())[0];
        assert_eq!((board.board.as_str(), board.last), ("..X/.X./O..", "B2".parse().ok()));
    }

    #[test]
    fn a_text_that_is_cut_off_is_read_as_far_as_it_goes() {
        assert_eq!(RunGames::read(b"").unwrap(), RunGames::default());
        let why = RunGames::read(b"game,x\nno,2\n").unwrap_err().to_string();
        assert!(why.starts_with("games.csv, line 1: unknown column `x`"), "{why}");
    }
}
