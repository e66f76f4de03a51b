//! A sweep: all points of a grid, with equally many trials each.

use super::grid::Cells;
use super::method::Method;
use super::space::Point;
use super::trial::{Estimate, Score, Trial};

/// A sweep over a grid. Every cell is played on the same openings.
#[derive(Clone, Debug)]
pub struct Sweep {
    cells: Cells,
    seed: u64,
    asked: usize,
}

impl Sweep {
    /// The sweep over `points`.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn new(points: Vec<Point>, seed: u64) -> Self {
        assert!(!points.is_empty(), "a sweep of no points");
        Self { cells: Cells::new(points), seed, asked: 0 }
    }

    fn best_cell(&self) -> usize {
        let all: Vec<usize> = (0..self.cells.points().len()).collect();
        self.cells.ranking(&all)[0]
    }
}

impl Method for Sweep {
    fn ask(&mut self) -> Option<Trial> {
        let count = self.cells.points().len();
        let point = self.cells.points()[self.asked % count].clone();
        let trial = Trial::against_reference(point, self.asked / count);
        self.asked += 1;
        Some(trial)
    }

    fn tell(&mut self, trial: &Trial, score: Score) {
        self.cells.add(&trial.first, score);
    }

    /// The cell of highest win rate.
    fn best(&self) -> Point {
        self.cells.points()[self.best_cell()].clone()
    }

    fn estimate(&self) -> Estimate {
        self.cells.estimate(self.best_cell(), self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::regular;

    #[test]
    fn cells_have_equally_many_games_on_the_same_openings() {
        let mut sweep = Sweep::new(regular(2, 3), 1);
        let trials: Vec<Trial> = (0..27).filter_map(|_| sweep.ask()).collect();
        for cell in regular(2, 3) {
            let of_cell = trials.iter().filter(|trial| trial.first == cell);
            assert_eq!(of_cell.map(|trial| trial.opening).collect::<Vec<_>>(), [0, 1, 2]);
        }
        for trial in &trials {
            sweep.tell(trial, Score::of_game(trial.first == [0.0, 1.0]));
        }
        assert_eq!(sweep.best(), [0.0, 1.0]);
    }
}
