//! Arguments as Python gives them: sizes, colours, moves and positions.

use crate::errors::invalid;
use crate::position::Position;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use std::fmt::Display;
use tengen::go::{Color, Move, Size};

/// A size: `9`, `(9, 7)` as width and height, or `"9x7"`.
pub fn size(value: &Bound<'_, PyAny>) -> PyResult<Size> {
    match integer(value)? {
        Integer::Small(side) => return parsed_size(&side.to_string()),
        Integer::Large => return parsed_size(&value.str()?.to_string()),
        Integer::No => {}
    }
    if let Ok((width, height)) = value.extract::<(i64, i64)>() {
        return parsed_size(&format!("{width}x{height}"));
    }
    match value.extract::<String>() {
        Ok(text) => parsed_size(&text),
        Err(_) => Err(PyTypeError::new_err(
            "a size is a number, a pair (width, height), or text such as \"9x7\"",
        )),
    }
}

fn parsed_size(text: &str) -> PyResult<Size> {
    text.parse().map_err(invalid)
}

pub fn color(value: i64) -> PyResult<Color> {
    match value {
        1 => Ok(Color::Black),
        -1 => Ok(Color::White),
        _ => Err(invalid(format!("invalid colour {value}: expected 1 (Black) or -1 (White)"))),
    }
}

pub const fn sign(color: Color) -> i8 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

/// A move on a board of `size`: the number of a point, the number of points for a pass, or text such as
/// `"D4"` or `"pass"`.
pub fn mv(value: &Bound<'_, PyAny>, size: Size) -> PyResult<Move> {
    match integer(value)? {
        Integer::Small(number) => return move_of_number(number, size),
        Integer::Large => return Err(no_move(value.str()?, size)),
        Integer::No => {}
    }
    match value.extract::<String>() {
        Ok(text) => text.parse().map_err(invalid),
        Err(_) => Err(PyTypeError::new_err(
            "a move is the number of a point, or text such as \"D4\" or \"pass\"",
        )),
    }
}

/// The move of this number on a board of `size`.
pub fn move_of_number(number: i64, size: Size) -> PyResult<Move> {
    match usize::try_from(number) {
        Ok(number) if number < size.points() => Ok(Move::Play(size.vertex(number))),
        Ok(number) if number == size.points() => Ok(Move::Pass),
        _ => Err(no_move(number, size)),
    }
}

fn no_move(number: impl Display, size: Size) -> PyErr {
    let pass = size.points();
    invalid(format!("invalid move {number}: expected 0 to {pass} (the pass) on {size}"))
}

/// The text of a bot: a text, or a function, which is then registered.
pub fn bot_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_callable() {
        let register = value.py().import("tengen.register")?;
        return register.call_method1("named", (value,))?.extract();
    }
    value.extract().map_err(|_| {
        let kind = value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("a bot is a text or a function, not {kind}"))
    })
}

/// A Python value read as an integer.
enum Integer {
    Small(i64),
    /// An integer of more than 64 bits.
    Large,
    /// No integer.
    No,
}

/// Reads `value` as an integer; raises whatever its `__index__` raises, such as
/// `KeyboardInterrupt`.
fn integer(value: &Bound<'_, PyAny>) -> PyResult<Integer> {
    let py = value.py();
    match value.extract() {
        Ok(number) => Ok(Integer::Small(number)),
        Err(error) if error.is_instance_of::<PyTypeError>(py) => Ok(Integer::No),
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => Ok(Integer::Large),
        Err(error) => Err(error),
    }
}

/// Refuses 0 as the argument `name`; `least` is 1, with its unit.
pub fn check_positive(name: &str, count: usize, least: &str) -> PyResult<()> {
    if count > 0 {
        return Ok(());
    }
    Err(invalid(format!("invalid {name} 0: expected {least} or more")))
}

/// A count as an int64 for numpy.
pub fn count(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// One position, or a sequence of positions on boards of one size; and whether a single one was
/// given.
pub fn positions(value: &Bound<'_, PyAny>) -> PyResult<(Vec<Position>, bool)> {
    if let Ok(position) = value.extract::<Position>() {
        return Ok((vec![position], true));
    }
    let mut positions: Vec<Position> = Vec::new();
    let items = value.try_iter().map_err(|_| not_positions(value));
    for item in items? {
        let item = item?;
        let position = item.extract::<Position>().map_err(|_| not_positions(&item))?;
        let (first, own) =
            (positions.first().unwrap_or(&position).size_of_board(), position.size_of_board());
        if first != own {
            return Err(invalid(format!(
                "the positions have boards of different sizes, {first} and {own}: expected one size"
            )));
        }
        positions.push(position);
    }
    Ok((positions, false))
}

/// The first of `positions`, of which there must be one.
pub fn first(positions: &[Position]) -> PyResult<&Position> {
    positions.first().ok_or_else(|| invalid("no position: expected one or more"))
}

fn not_positions(value: &Bound<'_, PyAny>) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected a Position or a sequence of them, not {kind}"))
}
