//! `Position`: a game of Go at one of its positions, as Python sees it.

mod state;
mod svg;
mod text;

pub use state::State;

use crate::arguments::{color, move_of_number, mv, sign, size};
use crate::arrays::{NewArray, array_of, signs, write_bools};
use crate::ending::Inside;
use crate::errors::{IllegalMove, invalid};
use crate::search::Names;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use tengen::go::{Bits, Board, Color, Game, Komi, Move, Preset, Rules, Size, Vertex};
use tengen::go::{default_komi, with_words};
use tengen::search::evaluator::{Leaf, PLANES, PlaneSet, write_planes};

/// A game of Go at one of its positions: the board, the player to move, the rules and the moves made.
///
/// `size` is a number, a pair (width, height), or text such as "9x7"; the default is 9. `rules` is a preset:
/// "tengen" (positional superko, suicide forbidden), "chinese", "tromp-taylor", "aga", "new-zealand" or "simple";
/// `ko` ("none", "simple", "psk", "ssk", "nssk") and `suicide` ("no", "multi", "all") replace its parts. `komi` is what
/// White receives, in points; the default depends on the size (7.5 on 9x9). A game of `max_plies` plies (default 4
/// times the points + 100) is over. The first position is empty, or given by `rows`, a diagram with the top row first
/// ("..X/.O./..."), or by `stones`, an array as `Position.stones`; `to_play` is 1 (Black) or -1 (White).
///
/// A move is a number: that of its point, 0 for A1, then row by row from the lowest line; the number of points is the
/// pass. Methods also take text: "D4", "pass". Arrays over the board are [H, W], the first row is line 1 at the bottom.
///
/// Raises ValueError for wrong arguments.
#[pyclass(module = "tengen", from_py_object)]
#[derive(Clone)]
pub struct Position {
    game: Game,
}

impl Position {
    pub const fn of(game: Game) -> Self {
        Self { game }
    }

    pub const fn game(&self) -> &Game {
        &self.game
    }

    pub const fn size_of_board(&self) -> Size {
        self.game.size()
    }

    /// The board and what [`Self::legal`] says of its points, in as few words as it needs, which is
    /// quicker.
    fn legal_on<const W: usize>(&self, own_eyes: bool) -> (Board<W>, Bits<W>) {
        let board = self.game.board().repacked();
        let points = self.game.legal_points_on(&board);
        (board, if own_eyes { points } else { points - board.eyes() })
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (size = None, *, komi = None, rules = "tengen", ko = None, suicide = None,
        max_plies = None, rows = None, stones = None, to_play = 1))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn new(
        size: Option<&Bound<'_, PyAny>>,
        komi: Option<f64>,
        rules: &str,
        ko: Option<&str>,
        suicide: Option<&str>,
        max_plies: Option<u32>,
        rows: Option<&str>,
        stones: Option<&Bound<'_, PyAny>>,
        to_play: i64,
    ) -> PyResult<Self> {
        let to_play = color(to_play)?;
        let size = size.map(self::size).transpose()?;
        let mut board = match (rows, stones) {
            (Some(_), Some(_)) => {
                return Err(invalid("rows and stones are both given: leave one of them out"));
            }
            (Some(rows), None) => Board::from_diagram(rows, to_play).map_err(invalid)?,
            (None, Some(stones)) => board_of(&signs_of(stones)?)?,
            (None, None) => Board::new(size.map_or_else(|| Size::square(9), Ok).map_err(invalid)?),
        };
        board.turn_to(to_play);
        if let Some(size) = size.filter(|&size| size != board.size()) {
            let own = board.size();
            return Err(invalid(format!(
                "size is {size}, but the stones are those of {own}: leave size out"
            )));
        }
        let size = board.size();
        let komi = komi.map_or_else(|| Ok(default_komi(size)), read_komi)?;
        let mut rules = Rules::new(rules.parse::<Preset>().map_err(invalid)?, size, komi);
        if let Some(ko) = ko {
            rules.ko = ko.parse().map_err(invalid)?;
        }
        if let Some(suicide) = suicide {
            rules.suicide = suicide.parse().map_err(invalid)?;
        }
        match max_plies {
            Some(0) => return Err(invalid("invalid max_plies 0: expected 1 or more")),
            Some(max_plies) => rules.max_plies = max_plies,
            None => {}
        }
        Ok(Self::of(Game::from_position(board, rules)))
    }

    /// Play `move`, for the player to move or for `color`. Raises IllegalMove if the rules forbid
    /// it; the position is then unchanged.
    #[pyo3(signature = (r#move, color = None, /))]
    fn play(&mut self, r#move: &Bound<'_, PyAny>, color: Option<i64>) -> PyResult<()> {
        let color = color.map_or_else(|| Ok(self.game.to_play()), self::color)?;
        let mv = mv(r#move, self.game.size())?;
        let illegal = |reason| IllegalMove::new_err(format!("{color} {mv}: {reason}"));
        self.game.play(color, mv).map_err(illegal)
    }

    /// Undo the last move and return it; None if there is none.
    fn undo(&mut self) -> Option<usize> {
        self.game.undo().map(|(_, mv)| self.game.size().move_number(mv))
    }

    /// A copy, with its history.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The legal moves of the player to move, superko considered: bool [points + 1], the pass last. After the end none is legal.
    /// Without `own_eyes`, points that fill an own eye are left out, as searches do.
    #[pyo3(signature = (*, own_eyes = true))]
    fn legal<'py>(&self, py: Python<'py>, own_eyes: bool) -> Bound<'py, PyArray1<bool>> {
        let size = self.game.size();
        let words = with_words!(size, W => self.legal_on::<W>(own_eyes).1.numbered(size));
        let mut legal = NewArray::zeros(py, [size.points() + 1]);
        let (values, pass) = legal.values().split_at_mut(size.points());
        write_bools(words, values);
        pass[0] = self.game.end().is_none();
        legal.done()
    }

    /// Whether the player to move may play `move`.
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = mv(r#move, self.game.size())?;
        Ok(self.game.check(self.game.to_play(), mv).is_ok())
    }

    /// Width and height of the board.
    #[getter]
    fn size(&self) -> (usize, usize) {
        let size = self.game.size();
        (size.width(), size.height())
    }

    /// The number of points, which is also the number of the pass.
    #[getter]
    fn points(&self) -> usize {
        self.game.size().points()
    }

    /// The player to move: 1 for Black, -1 for White.
    #[getter]
    fn to_play(&self) -> i8 {
        sign(self.game.to_play())
    }

    /// The number of plies (moves and passes) made.
    #[getter]
    fn ply(&self) -> u32 {
        self.game.ply()
    }

    /// The moves made, first to last: pairs of the player, 1 or -1, and the move.
    #[getter]
    fn moves(&self) -> Vec<(i8, usize)> {
        let size = self.game.size();
        self.game.moves().map(|(color, mv)| (sign(color), size.move_number(mv))).collect()
    }

    /// Whether two passes, or the limit of plies, have ended the game.
    #[getter]
    fn is_over(&self) -> bool {
        self.game.end().is_some()
    }

    /// What White receives, in points, without points for handicap stones.
    #[getter]
    fn komi(&self) -> f64 {
        self.game.komi().into()
    }

    /// The ko rule: "none", "simple", "psk", "ssk" or "nssk".
    #[getter]
    fn ko(&self) -> String {
        self.game.rules().ko.to_string()
    }

    /// The suicide rule: "no", "multi" or "all".
    #[getter]
    fn suicide(&self) -> String {
        self.game.rules().suicide.to_string()
    }

    /// The limit of plies, at which the game is over.
    #[getter]
    fn max_plies(&self) -> u32 {
        self.game.rules().max_plies
    }

    /// The Zobrist hash of the stones: 64 bits, the same on every machine.
    #[getter]
    fn hash(&self) -> u64 {
        self.game.board().hash()
    }

    /// The numbers of opponent's stones that Black and White have captured.
    #[getter]
    fn captures(&self) -> (u32, u32) {
        self.game.captures().into()
    }

    /// The stones: int8 [H, W], 1 for Black, -1 for White, 0 for none.
    #[getter]
    fn stones<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i8>> {
        let sets = Color::BOTH.map(|color| self.game.board().stones(color));
        signs(py, self.game.size(), sets)
    }

    /// The owner of each point by area, as the board stands: int8 [H, W], 1 for Black, -1 for
    /// White, 0 for neither.
    fn ownership<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i8>> {
        signs(py, self.game.size(), self.game.board().areas())
    }

    /// The area score as the board stands, in points: Black's area minus White's minus komi.
    fn score(&self) -> f64 {
        self.game.score().points()
    }

    /// The position as evaluators see it: float32 [6, H, W]. Stones of the player to move, stones
    /// of the opponent, legal points, the last move, the move before it, and komi from the view of
    /// the player to move divided by 20. `names` chooses other planes, float32 [C, H, W]:
    /// "stones:N", "legal", "last:N", "liberties:N", "ko", "color", "komi", "ones".
    #[pyo3(signature = (names = None, *, own_eyes = false))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        names: Option<Names>,
        own_eyes: bool,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let (game, size) = (&self.game, self.game.size());
        if let Some(names) = names {
            let set: PlaneSet = names.text().parse().map_err(invalid)?;
            let mut planes = NewArray::zeros(py, [set.count(), size.height(), size.width()]);
            set.write(&Leaf::of_root(game, own_eyes), planes.values());
            return Ok(planes.done());
        }
        let mut moves = game.moves().rev().map(|(_, mv)| mv);
        let recent = [moves.next(), moves.next()];
        let shape = [PLANES, size.height(), size.width()];
        let mut planes = NewArray::zeros(py, shape);
        with_words!(size, W => {
            let (board, legal) = self.legal_on::<W>(own_eyes);
            write_planes(&board, legal, recent, game.rules().komi, planes.values());
        });
        Ok(planes.done())
    }

    /// The number of the move that `text` names, such as "D4" or "pass".
    fn number(&self, text: &str) -> PyResult<usize> {
        let size = self.game.size();
        let mv: Move = text.parse().map_err(invalid)?;
        match mv {
            Move::Play(vertex) if !vertex.is_on(size) => {
                Err(invalid(format!("{vertex} is not on {size}")))
            }
            mv => Ok(size.move_number(mv)),
        }
    }

    /// The name of the move of this number, such as "D4" or "pass".
    fn name(&self, number: i64) -> PyResult<String> {
        Ok(move_of_number(number, self.game.size())?.to_string())
    }
}

fn read_komi(points: f64) -> PyResult<Komi> {
    points.to_string().parse().map_err(invalid)
}

/// The whole numbers of an array with two axes, or of a value that numpy converts to one.
fn signs_of<'py>(stones: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray2<'py, i64>> {
    let _inside = Inside::attached(stones.py());
    let expected = "whole numbers of shape (height, width)";
    let array = array_of(stones, 2, b"iu", "stones is an array", expected)?;
    // Not narrower, where other numbers could become signs.
    let wide = array.call_method1("astype", ("int64",))?;
    Ok(wide.cast::<PyArray2<i64>>()?.readonly())
}

/// The board with these `stones`: 1 Black, -1 White, 0 none, the first row at the bottom.
fn board_of(stones: &PyReadonlyArray2<'_, i64>) -> PyResult<Board<6>> {
    let stones = stones.as_array();
    let sides = (u8::try_from(stones.ncols()), u8::try_from(stones.nrows()));
    let size = match sides {
        (Ok(width), Ok(height)) => Size::new(width, height).map_err(invalid)?,
        _ => return Err(invalid("the board of stones is larger than 19x19")),
    };
    let mut of_color = [Vec::new(), Vec::new()];
    for vertex in Vertex::all(size) {
        match stones[(vertex.row.into(), vertex.col.into())] {
            0 => {}
            1 => of_color[0].push(vertex),
            -1 => of_color[1].push(vertex),
            other => {
                return Err(invalid(format!(
                    "stones has {other} at {vertex}: expected 1 (Black), -1 (White) or 0"
                )));
            }
        }
    }
    Board::set_up(size, &of_color[0], &of_color[1], Color::Black).map_err(invalid)
}
