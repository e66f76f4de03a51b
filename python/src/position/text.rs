//! A position as text: SGF, GTP and diagrams.

use super::Position;
use super::svg::board_svg;
use crate::errors::invalid;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::fmt::Write;
use tengen::go::{Color, Game, Move, Preset, Rules, Size, Vertex, default_komi};
use tengen::sgf::{GameTree, Overrides, Record, parse, replay};

#[pymethods]
impl Position {
    /// The position of the first game of the SGF `text` after `moves` moves, or at the end of its main line. `komi` and `rules` replace its
    /// own; without either it is simple ko without suicide and komi 0. Warns where the record has Japanese rules, since the score is
    /// counted by area.
    #[staticmethod]
    #[pyo3(signature = (text, *, moves = None, komi = None, rules = None))]
    fn from_sgf(
        py: Python<'_>,
        text: &str,
        moves: Option<usize>,
        komi: Option<f64>,
        rules: Option<&str>,
    ) -> PyResult<Self> {
        let rules = rules.map(str::parse::<Preset>).transpose().map_err(invalid)?;
        let komi = komi.map(super::read_komi).transpose()?;
        let overrides = Overrides { rules: rules.map(Into::into), komi, size: None };
        let trees = parse(text).map_err(invalid)?;
        let tree = trees.first().ok_or_else(|| invalid("the SGF text has no game"))?;
        let own = tree.node(GameTree::ROOT).text("RU").unwrap_or_default();
        if rules.is_none() && own.to_lowercase().starts_with("japanese") {
            let said = c"the record has Japanese rules: it is counted by area; give `rules` to say by which";
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), said, 1)?;
        }
        let (game, _) = replay(tree, overrides, moves).map_err(invalid)?;
        let made = game.moves().len();
        match moves {
            Some(moves) if made < moves => {
                Err(invalid(format!("moves is {moves}, but the game has {made} moves")))
            }
            _ => Ok(Self::of(game)),
        }
    }

    /// The game as SGF.
    fn to_sgf(&self) -> String {
        let mut record = Record::new(self.game.clone());
        if self.game.end().is_some() {
            record.result = self.game.score().to_result();
        }
        record.to_sgf()
    }

    /// The position after the GTP commands boardsize, komi, clear_board and play, a line each, under the rules of this package.
    #[staticmethod]
    fn from_gtp(text: &str) -> PyResult<Self> {
        let mut game = None;
        for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
            if !line.is_empty() {
                let fault = |fault: String| invalid(format!("GTP line `{line}`: {fault}"));
                game = Some(after(game, line).map_err(fault)?);
            }
        }
        game.map(Self::of).ok_or_else(|| invalid("the GTP text has no command"))
    }

    /// GTP commands, a line each, that set up the position: boardsize, komi, clear_board and play.
    fn to_gtp(&self) -> String {
        let size = self.game.size();
        let sides = match (size.width(), size.height()) {
            (width, height) if width == height => width.to_string(),
            (width, height) => format!("{width} {height}"),
        };
        let mut text = format!("boardsize {sides}\nkomi {}\nclear_board\n", self.game.komi());
        let mut add = |color: Color, mv: Move| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "play {color} {mv}");
        };
        if let Some(start) = self.game.position_at(0) {
            for vertex in Vertex::all(size) {
                if let Some(color) = start.at(vertex) {
                    add(color, Move::Play(vertex));
                }
            }
        }
        self.game.moves().for_each(|(color, mv)| add(color, mv));
        text
    }

    /// The stones as a diagram on one line, the top row first: "..X/.O./...".
    #[getter]
    fn rows(&self) -> String {
        self.game.board().to_rows()
    }

    fn __str__(&self) -> String {
        self.game.board().to_string()
    }

    fn __repr__(&self) -> String {
        let game = &self.game;
        format!(
            "<Position {}, {} plies, {} to play, {}>\n{}",
            game.size(),
            game.ply(),
            game.to_play(),
            game.conditions(),
            game.board()
        )
    }

    fn _repr_svg_(&self) -> String {
        board_svg(&self.game)
    }
}

/// `game` after the command of a GTP line; a new game if there is none.
fn after(game: Option<Game>, line: &str) -> Result<Game, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let empty = |size: Size| Game::new(size, Rules::new(Preset::Tengen, size, default_komi(size)));
    let started = || match &game {
        Some(game) => Ok(game.clone()),
        None => Err("boardsize must come first".to_owned()),
    };
    let text = |error: &dyn std::fmt::Display| error.to_string();
    match words[..] {
        ["boardsize", side] => side.parse().map(empty).map_err(|error| text(&error)),
        ["boardsize", width, height] => {
            format!("{width}x{height}").parse().map(empty).map_err(|error| text(&error))
        }
        ["clear_board"] => {
            let game = started()?;
            Ok(Game::new(game.size(), game.rules()))
        }
        ["komi", komi] => Ok(started()?.with_komi(komi.parse().map_err(|error| text(&error))?)),
        ["play", color, mv] => {
            let mut game = started()?;
            let color = color.parse().map_err(|error| text(&error))?;
            let mv = mv.parse().map_err(|error| text(&error))?;
            game.play(color, mv).map_err(|error| text(&error))?;
            Ok(game)
        }
        _ => Err("expected boardsize, clear_board, komi or play with its arguments".to_owned()),
    }
}
