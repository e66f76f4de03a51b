//! The positions of games as rows of arrays: `docs/reference/training-data.md` describes these.

use super::archive::Archive;
use super::npy::{Array, Kind};
use crate::tournament::{GameRow, Outcome, Outline, SearchRecord, short};
use std::io;
use tengen_go::{Color, Game, Move, Size};
use tengen_search::evaluator::{Leaf, PLANES};

/// Number of planes that hold only 0 and 1: all but the last, which is the same at every point.
const BINARY_PLANES: usize = PLANES - 1;

/// The number of the plane with the legal points.
const LEGAL: usize = 2;

/// The number of a move that stands for resignation.
const RESIGNED: i16 = -1;

/// The arrays of a file with positions of boards of `size`, in the order in which
/// [`Positions::append`] writes them.
pub fn arrays(size: Size) -> Vec<Array> {
    let array = |name, kind, shape: &[usize]| Array { name, kind, shape: shape.to_vec() };
    vec![
        array("planes", Kind::U8, &[BINARY_PLANES, size.height(), size.width()]),
        array("komi", Kind::F32, &[]),
        array("visits", Kind::U32, &[size.points() + 1]),
        array("move", Kind::I16, &[]),
        array("value", Kind::F32, &[]),
        array("result", Kind::F32, &[]),
        array("score", Kind::F32, &[]),
        array("player", Kind::U8, &[]),
        array("bot", Kind::I16, &[]),
        array("ply", Kind::I32, &[]),
        array("game", Kind::I64, &[]),
        array("termination", Kind::U8, &[]),
    ]
}

/// The rows of all arrays.
pub struct Positions<'a> {
    archive: Archive<'a>,
    outline: &'a Outline,
    /// The planes of a position.
    planes: Vec<f32>,
    /// The visits of each move.
    visits: Vec<u32>,
}

/// An error of this file: the rows and the journal do not agree.
fn damaged(why: impl Into<String>) -> io::Error {
    io::Error::other(why.into())
}

impl<'a> Positions<'a> {
    /// Positions to be written to `archive`, of a run with this `outline`.
    pub fn new(archive: Archive<'a>, outline: &'a Outline) -> Self {
        let size = outline.size;
        Self {
            archive,
            outline,
            planes: vec![0.0; Leaf::plane_values(size)],
            visits: vec![0; size.points() + 1],
        }
    }

    /// Appends the positions of the `searches` of the game of `row`.
    pub fn append(&mut self, row: &GameRow, searches: &[SearchRecord]) -> io::Result<()> {
        let outline = self.outline;
        replay(outline, row, searches, |game, search, mv| {
            self.append_position(row, game, search, mv)
        })
    }

    /// Appends the last position of `game`, in which the bot decided on `mv`, or resigned.
    fn append_position(
        &mut self,
        row: &GameRow,
        game: &Game,
        search: &SearchRecord,
        mv: Option<Move>,
    ) -> io::Result<()> {
        let size = game.size();
        let player = game.to_play();
        let name = if player == Color::Black { &row.black } else { &row.white };
        let bots = &self.outline.bots;
        let bot = bots.iter().position(|bot| bot.name == *name);
        let bot = bot.ok_or_else(|| damaged(format!("there is no bot {name}")))?;
        let leaf = Leaf::of_root(game, bots[bot].own_eyes);
        leaf.write_planes(&mut self.planes);
        let (binary, komi) = self.planes.split_at(BINARY_PLANES * size.points());
        self.visits.fill(0);
        let legal = &binary[LEGAL * size.points()..][..size.points()];
        for &(number, visits) in &search.visits {
            let number = usize::from(number);
            if number > size.points() || legal.get(number).is_some_and(|&legal| legal == 0.0) {
                return Err(damaged(format!("a visited move of ply {} is illegal", search.ply)));
            }
            self.visits[number] = visits;
        }
        let mv = mv.map_or(RESIGNED, |mv| short(size.move_number(mv)).cast_signed());
        let out = &mut self.archive;
        let mut number = 0..;
        let mut put = |bytes: &mut dyn Iterator<Item = u8>| {
            out.append(number.next().unwrap_or_default(), bytes)
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // they are 0 or 1
        put(&mut binary.iter().map(|&value| value as u8))?;
        put(&mut komi[0].to_le_bytes().into_iter())?;
        put(&mut self.visits.iter().flat_map(|visits| visits.to_le_bytes()))?;
        put(&mut mv.to_le_bytes().into_iter())?;
        put(&mut search.value.unwrap_or(f32::NAN).to_le_bytes().into_iter())?;
        put(&mut result(row.outcome, player).to_le_bytes().into_iter())?;
        put(&mut score(row.score, player).to_le_bytes().into_iter())?;
        put(&mut u8::from(player == Color::White).to_le_bytes().into_iter())?;
        put(&mut i16::try_from(bot).unwrap_or(i16::MAX).to_le_bytes().into_iter())?;
        put(&mut i32::try_from(search.ply).unwrap_or(i32::MAX).to_le_bytes().into_iter())?;
        put(&mut i64::try_from(row.game).unwrap_or(i64::MAX).to_le_bytes().into_iter())?;
        put(&mut (row.termination as u8).to_le_bytes().into_iter())
    }

    /// Ends the file, to which all positions were appended.
    pub fn finish(self) -> io::Result<()> {
        self.archive.finish()
    }
}

/// Plays the game of `row`, of a run with this `outline`, and calls `found` with the game before each
/// of its `searches`, the search, and the move that the bot decided on; none where it resigned.
pub(crate) fn replay(
    outline: &Outline,
    row: &GameRow,
    searches: &[SearchRecord],
    mut found: impl FnMut(&Game, &SearchRecord, Option<Move>) -> io::Result<()>,
) -> io::Result<()> {
    let mut game = outline.start(row).map_err(damaged)?;
    let moves = row.moves.split_whitespace().map(str::parse);
    let moves: Vec<Move> =
        moves.collect::<Result<_, _>>().map_err(|why| damaged(format!("{why}")))?;
    for search in searches {
        while game.ply() < search.ply {
            let mv = moves.get(game.ply() as usize).copied();
            let mv = mv.ok_or_else(|| damaged("it has a search after its end"))?;
            game.play(game.to_play(), mv).map_err(|why| damaged(format!("{mv}: {why}")))?;
        }
        found(&game, search, moves.get(search.ply as usize).copied())?;
    }
    Ok(())
}

/// The result of a game for `player`: 1 for a win, ½ for jigo, 0 for a loss.
fn result(outcome: Outcome, player: Color) -> f32 {
    match (outcome, player) {
        (Outcome::Black, Color::Black) | (Outcome::White, Color::White) => 1.0,
        (Outcome::Black | Outcome::White, _) => 0.0,
        (Outcome::Jigo, _) => 0.5,
        (Outcome::Void, _) => f32::NAN,
    }
}

/// The `score` of a game, which is seen from Black, for `player`; not a number without one.
fn score(score: Option<f64>, player: Color) -> f32 {
    #[allow(clippy::cast_possible_truncation)] // a multiple of ½
    let score = score.map_or(f32::NAN, |score| score as f32);
    // Not `-score`, which is -0 after jigo.
    if player == Color::Black { score } else { 0.0 - score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_scores_are_those_of_the_player_to_move() {
        let of = |outcome| Color::BOTH.map(|player| result(outcome, player));
        assert_eq!(of(Outcome::Black), [1.0, 0.0]);
        assert_eq!(of(Outcome::White), [0.0, 1.0]);
        assert_eq!(of(Outcome::Jigo), [0.5, 0.5]);
        assert_eq!(Color::BOTH.map(|player| score(Some(-2.5), player)), [-2.5, 2.5]);
        let jigo = score(Some(0.0), Color::White);
        assert!(jigo == 0.0 && jigo.is_sign_positive());
        assert!(score(None, Color::White).is_nan());
    }
}
