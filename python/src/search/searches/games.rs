//! The methods of `Searches` that change its games.

use super::Searches;
use crate::arguments::{mv, positions};
use crate::ending::detach;
use crate::errors::{IllegalMove, invalid};
use pyo3::prelude::*;
use tengen::go::Move;
use tengen::search::tree::Tree;

#[pymethods]
impl Searches {
    /// Plays a move in each game that is not over.
    fn advance(&mut self, py: Python<'_>, moves: &Bound<'_, PyAny>, keep: bool) -> PyResult<()> {
        self.check()?;
        if keep && self.config.selection.properties().plans_root {
            return Err(invalid(format!(
                "selection={} cannot keep the tree: call advance(moves, keep=False)",
                self.config.selection
            )));
        }
        let given = if self.is_one {
            vec![moves.clone()]
        } else {
            moves.try_iter()?.collect::<PyResult<Vec<_>>>()?
        };
        if given.len() != self.games.len() {
            return Err(invalid(format!(
                "{} moves for {} positions: expected one for each",
                given.len(),
                self.games.len()
            )));
        }
        let mut moves: Vec<Option<Move>> = Vec::new();
        for (number, (game, mv)) in self.games.iter().zip(given).enumerate() {
            if game.end().is_some() {
                moves.push(None);
                continue;
            }
            let mv = self::mv(&mv, self.size)?;
            game.check(game.to_play(), mv).map_err(|reason| {
                IllegalMove::new_err(format!(
                    "position {number}: {} {mv}: {reason}",
                    game.to_play()
                ))
            })?;
            moves.push(Some(mv));
        }
        detach(py, || self.play(&moves, keep))
    }

    /// Puts other positions in the places of `numbers`, with other seeds.
    fn restart(
        &mut self,
        numbers: Vec<usize>,
        positions: &Bound<'_, PyAny>,
        seeds: Vec<u64>,
    ) -> PyResult<()> {
        self.check()?;
        let (positions, is_one) = self::positions(positions)?;
        let positions = if is_one { vec![positions[0].clone(); numbers.len()] } else { positions };
        if positions.len() != numbers.len() || seeds.len() != numbers.len() {
            return Err(invalid(format!(
                "{} positions and {} seeds for {} places: expected one for each",
                positions.len(),
                seeds.len(),
                numbers.len()
            )));
        }
        for (&number, position) in numbers.iter().zip(&positions) {
            if number >= self.games.len() {
                let games = self.games.len();
                return Err(invalid(format!("no search {number}: there are {games}, from 0")));
            }
            if position.size_of_board() != self.size {
                let (own, size) = (position.size_of_board(), self.size);
                return Err(invalid(format!("a position of {own}: the searches are of {size}")));
            }
        }
        self.check_answered()?;
        let (mut searches, threads) = self.take();
        for ((number, position), seed) in numbers.into_iter().zip(positions).zip(seeds) {
            self.games[number] = position.game().clone();
            self.seeds[number] = seed;
            searches[number] = self.begin(number, None);
        }
        self.park(searches, threads);
        Ok(())
    }
}

impl Searches {
    /// Plays `moves`, one in each game that is not over.
    fn play(&mut self, moves: &[Option<Move>], keep: bool) -> PyResult<()> {
        let (searches, threads) = self.take();
        let mut next = Vec::new();
        for (number, (search, &mv)) in searches.into_iter().zip(moves).enumerate() {
            let Some(mv) = mv else {
                next.push(None);
                continue;
            };
            let kept = search.filter(|_| keep).and_then(|search| {
                let tree = search.report().tree;
                let node = tree.child(Tree::ROOT, mv)?;
                Some(tree.below(node))
            });
            let game = &mut self.games[number];
            game.play(game.to_play(), mv)
                .map_err(|reason| IllegalMove::new_err(reason.to_string()))?;
            next.push(self.begin(number, kept));
        }
        self.park(next, threads);
        Ok(())
    }
}
