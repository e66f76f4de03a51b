//! Successive halving (Karnin, Koren and Somekh, "Almost optimal exploration in
//! multi-armed bandits", 2013): all points of a grid are played equally often, the
//! better half again, and so on.

use super::grid::Cells;
use super::method::Method;
use super::space::Point;
use super::trial::{Estimate, Score, Trial};

/// Successive halving over the points of a grid, called arms. The arms of a round are
/// played on the same openings.
#[derive(Clone, Debug)]
pub struct Halving {
    cells: Cells,
    seed: u64,
    /// The arms that are left.
    arms: Vec<usize>,
    /// Trials that are left for this round and all later rounds.
    budget: usize,
    /// Trials per arm in this round.
    per_arm: usize,
    /// Trials of this round that were requested, and those whose scores were told.
    asked: usize,
    told: usize,
    /// The first opening of this round.
    opening: usize,
}

impl Halving {
    /// Successive halving over `points` with `trials` trials in all.
    ///
    /// # Panics
    /// If there is no point.
    #[must_use]
    pub fn new(points: Vec<Point>, trials: usize, seed: u64) -> Self {
        assert!(!points.is_empty(), "no arms");
        let arms = (0..points.len()).collect();
        let cells = Cells::new(points);
        let mut halving =
            Self { cells, seed, arms, budget: trials, per_arm: 0, asked: 0, told: 0, opening: 0 };
        halving.begin_round();
        halving
    }

    /// The fewest trials that it needs: one for each arm in each round.
    #[must_use]
    pub fn min_trials(points: usize) -> usize {
        Self::arms_by_round(points).sum()
    }

    fn arms_by_round(points: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(points), |&arms| {
            let left = arms.div_ceil(2);
            (arms > 1 && left > 1).then_some(left)
        })
    }

    /// Divides the remaining trials among the remaining rounds.
    fn begin_round(&mut self) {
        let arms = self.arms.len();
        let rounds = Self::arms_by_round(arms).count();
        let is_enough = self.budget >= Self::min_trials(arms);
        self.per_arm = (self.budget / rounds / arms).max(usize::from(is_enough));
        (self.asked, self.told) = (0, 0);
    }

    fn trials_of_round(&self) -> usize {
        self.per_arm * self.arms.len()
    }
}

impl Method for Halving {
    /// The next arm of the round; none while scores of the round are missing, and none once one arm
    /// is left or the trials do not suffice for a round.
    fn ask(&mut self) -> Option<Trial> {
        if self.arms.len() < 2 || self.asked == self.trials_of_round() {
            return None;
        }
        let arm = self.arms[self.asked % self.arms.len()];
        let opening = self.opening + self.asked / self.arms.len();
        self.asked += 1;
        Some(Trial::against_reference(self.cells.points()[arm].clone(), opening))
    }

    fn tell(&mut self, trial: &Trial, score: Score) {
        self.cells.add(&trial.first, score);
        self.told += 1;
        if self.told == self.trials_of_round() {
            self.budget -= self.told;
            self.opening += self.per_arm;
            self.arms = self.cells.ranking(&self.arms);
            self.arms.truncate(self.arms.len().div_ceil(2));
            self.begin_round();
        }
    }

    /// The best of the arms that are left.
    fn best(&self) -> Point {
        self.cells.points()[self.cells.ranking(&self.arms)[0]].clone()
    }

    fn estimate(&self) -> Estimate {
        self.cells.estimate(self.cells.ranking(&self.arms)[0], self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::regular;

    #[test]
    fn rounds_halve_the_arms_and_share_openings() {
        let mut halving = Halving::new(regular(1, 8), 96, 1);
        let mut openings: Vec<Vec<usize>> = Vec::new();
        for (arms, per_arm) in [(8, 4), (4, 8), (2, 16)] {
            let trials: Vec<Trial> = std::iter::from_fn(|| halving.ask()).collect();
            assert_eq!(trials.len(), arms * per_arm);
            // The higher the point, the better.
            for trial in &trials {
                halving.tell(trial, Score::of_game(trial.first[0] > 0.9));
            }
            let mut numbers: Vec<usize> = trials.iter().map(|trial| trial.opening).collect();
            numbers.dedup();
            openings.push(numbers);
        }
        assert_eq!(openings.concat(), (0..28).collect::<Vec<usize>>());
        assert_eq!(halving.ask(), None);
        assert_eq!(halving.best(), [1.0]);
        let interval = halving.estimate().intervals[0];
        assert!(interval.low > -0.9 && interval.contains(&1.0), "{interval:?}");
    }

    #[test]
    fn the_fewest_trials() {
        assert_eq!(Halving::min_trials(8), 8 + 4 + 2);
        assert_eq!(Halving::min_trials(5), 5 + 3 + 2);
        for arms in 2..70 {
            let fewest = Halving::min_trials(arms);
            let mut halving = Halving::new(regular(1, arms), fewest, 1);
            let mut played = 0;
            while let Some(trial) = halving.ask() {
                halving.tell(&trial, Score::of_game(played % 2 == 0));
                played += 1;
            }
            assert!(played <= fewest, "{arms}: {played}");
            assert!(played >= arms, "{arms}: {played}");
        }
    }
}
