//! A suite of positions of 3x3 to 5x5 in which the value of every legal move is known: a search is
//! measured on it without a game.
//!
//! The manual's page on solved positions says how the positions were drawn. `tengen suite` measures
//! bots on the test positions.

use crate::convergence::{PositionsError, SolvedPosition, read};

/// The two parts of the suite. No position of one is a position of the other, turned, mirrored or
/// with swapped colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Positions to fit a bot to.
    Train,
    /// Positions to measure a bot on.
    Test,
}

impl Split {
    /// The path of the file in the repository.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Train => "experiments/positions/suite-train.csv",
            Self::Test => "experiments/positions/suite-test.csv",
        }
    }

    /// The contents of the file, which the program contains.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Train => include_str!("../experiments/positions/suite-train.csv"),
            Self::Test => include_str!("../experiments/positions/suite-test.csv"),
        }
    }

    /// The positions.
    ///
    /// # Errors
    /// None: a test reads both files.
    ///
    /// # Examples
    /// ```
    /// use tengen::suite::Split;
    ///
    /// let positions = Split::Test.positions()?;
    /// let first = &positions[0];
    /// let (best, _) = first.moves[0];
    /// println!("{}: {best} gives away {:?} points", first.board, first.regret(best));
    /// # Ok::<(), tengen::convergence::PositionsError>(())
    /// ```
    pub fn positions(self) -> Result<Vec<SolvedPosition>, PositionsError> {
        read(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Move;
    use crate::solver::{Limits, Solver};
    use std::collections::HashSet;

    #[test]
    fn no_position_is_in_the_suite_twice() {
        let mut patterns = HashSet::new();
        for split in [Split::Train, Split::Test] {
            let positions = split.positions().unwrap();
            assert!(positions.len() > 800, "{split:?}");
            for position in positions {
                assert!(patterns.insert(position.pattern()), "{split:?}: {}", position.board);
            }
        }
    }

    /// The solver proves the value of each move anew, as another program would: from the position
    /// after the move, and by a table of its own.
    #[test]
    fn values_are_those_of_the_solver() {
        let positions = Split::Test.positions().unwrap();
        let small = positions.iter().filter(|position| position.size().points() <= 12);
        for position in small.step_by(10) {
            let game = position.game();
            for &(mv, value) in &position.moves {
                let mut after = game.clone();
                after.play(game.to_play(), mv).unwrap();
                let mut solver = Solver::new(position.size(), 16).unwrap();
                let answer = solver.solve(&after, Limits::default(), &mut ()).unwrap();
                let proved = (answer.worst.lower, answer.best.upper);
                assert_eq!(proved, (value, value), "{mv} in {}", position.board);
            }
            assert!(position.moves.iter().any(|&(mv, _)| mv == Move::Pass));
        }
    }
}
