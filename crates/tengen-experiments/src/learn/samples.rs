//! The positions of games as samples for weights of features.

use super::positions::Positions;
use crate::run::RunError;
use crate::tournament::{GameRow, Outcome, Outline, short};
use crate::training::index::Index;
use crate::training::positions::replay;
use std::path::Path;
use tengen_go::{Bits, Board, Game, Move, with_words};
use tengen_learn::Recent;
use tengen_search::prior::Prior;

/// Appends the positions of the games `rows` that count to `positions`, with the searches in the
/// journals of the run in `folder`. The numbers of the games follow the numbers already there.
///
/// Candidates are the legal moves that fill no own eye, superko considered, and the pass.
pub fn samples(
    positions: &mut Positions,
    outline: &Outline,
    rows: &[GameRow],
    folder: &Path,
) -> Result<(), RunError> {
    let rows = || rows.iter().filter(|row| row.outcome != Outcome::Void);
    let index = Index::of_all(rows(), folder, Path::new("FILE.npz"))?;
    for row in rows() {
        let damaged = |why: std::io::Error| {
            RunError::Input(format!("{}, game {}: {why}", folder.display(), row.game))
        };
        let searches = index.searches(row).map_err(damaged)?;
        let number = positions.games + row.game as u64;
        replay(outline, row, &searches, |game, search, _| {
            let visits = |number: u16| {
                let found = search.visits.binary_search_by_key(&number, |&(number, _)| number);
                found.map_or(0, |place| search.visits[place].1)
            };
            append(positions, game, visits, (number, search.ply));
            Ok(())
        })
        .map_err(damaged)?;
    }
    Ok(())
}

/// Appends the last position of `game`.
fn append(positions: &mut Positions, game: &Game, visits: impl Fn(u16) -> u32, place: (u64, u32)) {
    let size = game.size();
    let recent = Recent::of(game.moves().rev().map(|(_, mv)| mv));
    with_words!(size, W => {
        let board: Board<W> = game.board().repacked();
        let points = game.sensible_points().repacked::<W>(size);
        let visits = |mv| visits(short(size.move_number(mv)));
        let before = positions.samples.len();
        positions.samples.push(&board, recent, points, visits, place);
        if positions.samples.len() > before
            && let Some(priors) = Prior::built_in("heuristic:1").of(&board, recent, points)
        {
            let plays = points.iter().map(|index| Move::Play(Bits::<W>::vertex(index)));
            let values: Vec<f64> =
                plays.chain([Move::Pass]).map(|mv| priors.value(mv)).collect();
            let all: f64 = values.iter().sum();
            #[allow(clippy::cast_possible_truncation)] // a share
            positions.heuristic.extend(values.iter().map(|value| (value / all) as f32));
        }
    });
}
