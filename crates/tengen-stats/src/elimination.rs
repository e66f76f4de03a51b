//! Successive elimination: which of several arms is the best, with as few pairs as the differences
//! allow.

use crate::{Interval, Level, Outcome, Pairs};

/// The pairs of each arm before the first look; every further look is after twice as many.
const FIRST_LOOK: u64 = 16;

/// Successive elimination of arms, bots that all play the same opponent in pairs of games
/// (Even-Dar, Mannor, Mansour, "Action elimination and stopping conditions for the multi-armed
/// bandit and reinforcement learning problems", 2006, section 3).
///
/// All remaining arms play equally many pairs. After 16, 32, 64 and so on, an arm is dropped if some
/// remaining arm has a higher score by more than chance. The test has one side and the error
/// `α/(k(k+1)(K−1))` at look k with K arms, which sums to α over all looks and all arms that the
/// best one could be taken for worse than. So the best arm is dropped with a probability of at most
/// α, however long the matches last.
///
/// The difference of two arms has an interval by their own intervals (MOVER: Zou and Donner,
/// "Construction of confidence limits about effect measures", 2008), with games of different arms
/// taken as independent: shared openings make it wider than need be.
#[derive(Clone, Debug, PartialEq)]
pub struct Elimination {
    error: f64,
    arms: Vec<Arm>,
    looks: u32,
}

/// An arm and its matches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Arm {
    /// Results from the arm's view.
    pairs: Pairs,
    /// Pairs that ended, also those with a void game.
    ended: u64,
    is_dropped: bool,
}

impl Elimination {
    /// No pair of `arms` arms yet. The best arm is dropped with a probability of at most `error`,
    /// above 0 and below ½.
    #[must_use]
    pub fn new(arms: usize, error: f64) -> Self {
        Self { error, arms: vec![Arm::default(); arms], looks: 0 }
    }

    /// A pair of `arm` has ended with these results of both games from the arm's view; none if a game
    /// is void. A pair beyond [`Self::limit`] is an error of the caller, and is ignored.
    pub fn finish(&mut self, arm: usize, games: Option<[Outcome; 2]>) {
        if self.arms[arm].ended >= self.limit(arm) {
            return;
        }
        self.arms[arm].ended += 1;
        if let Some([one, other]) = games {
            self.arms[arm].pairs.record(one, other);
        }
        let next = self.next_look();
        let is_due = self.remaining().all(|arm| self.arms[arm].ended == next);
        if is_due && self.best().is_none() {
            self.look();
        }
    }

    /// Drops the arms that are worse than another by more than chance.
    fn look(&mut self) {
        self.looks += 1;
        let others = self.arms.len().saturating_sub(1).max(1) as f64;
        let looks = f64::from(self.looks);
        let tail = self.error / (looks * (looks + 1.0) * others);
        // An error below ½ makes this a level.
        let Some(level) = Level::new(1.0 - 2.0 * tail) else { return };
        let scores: Vec<Option<(f64, Interval)>> = self
            .arms
            .iter()
            .map(|arm| Some((arm.pairs.score()?, arm.pairs.interval(level)?)))
            .collect();
        let remaining: Vec<usize> = self.remaining().collect();
        for &arm in &remaining {
            let is_worse = |other: &usize| match (scores[arm], scores[*other]) {
                (Some(own), Some(better)) => is_below(own, better),
                _ => false,
            };
            self.arms[arm].is_dropped = remaining.iter().any(is_worse);
        }
    }

    /// Pairs of each remaining arm at the next look.
    #[must_use]
    pub fn next_look(&self) -> u64 {
        FIRST_LOOK.checked_shl(self.looks).unwrap_or(u64::MAX)
    }

    /// Number of arms, dropped or not.
    #[must_use]
    pub fn arms(&self) -> usize {
        self.arms.len()
    }

    /// Number of looks so far.
    #[must_use]
    pub const fn looks(&self) -> u32 {
        self.looks
    }

    /// Pairs of `arm` that count: those before it was dropped, else those up to the next look.
    #[must_use]
    pub fn limit(&self, arm: usize) -> u64 {
        if self.arms[arm].is_dropped { self.arms[arm].ended } else { self.next_look() }
    }

    /// Pairs after which `arm` was dropped; none if it remains.
    #[must_use]
    pub fn dropped_after(&self, arm: usize) -> Option<u64> {
        self.arms[arm].is_dropped.then_some(self.arms[arm].ended)
    }

    /// The arms that remain.
    pub fn remaining(&self) -> impl Iterator<Item = usize> {
        (0..self.arms.len()).filter(|&arm| !self.arms[arm].is_dropped)
    }

    /// The only arm that remains; none while there are several.
    #[must_use]
    pub fn best(&self) -> Option<usize> {
        let mut remaining = self.remaining();
        let first = remaining.next();
        if remaining.next().is_some() { None } else { first }
    }

    /// The probability, at most, with which the best arm is dropped.
    #[must_use]
    pub const fn error(&self) -> f64 {
        self.error
    }
}

/// Whether `own` is below `other`, each a score with its interval: the upper end of the interval of
/// the difference is below 0.
fn is_below((own, interval): (f64, Interval), (other, better): (f64, Interval)) -> bool {
    own - other + (interval.high - own).hypot(other - better.low) < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::uniform;

    /// Plays until one arm remains or each has `most` pairs; the games are independent.
    fn played(rates: &[f64], most: u64, seed: u64) -> Elimination {
        let mut elimination = Elimination::new(rates.len(), 0.05);
        for pair in 0..most {
            for arm in 0..rates.len() {
                let number = (pair * rates.len() as u64 + arm as u64) * 2;
                let game = |number| {
                    let is_won = uniform(seed, number) < rates[arm];
                    if is_won { Outcome::Win } else { Outcome::Loss }
                };
                if pair < elimination.limit(arm) {
                    elimination.finish(arm, Some([game(number), game(number + 1)]));
                }
            }
            if elimination.best().is_some() {
                break;
            }
        }
        elimination
    }

    #[test]
    fn the_best_arm_is_dropped_rarely() {
        for rates in [[0.5; 5], [0.55, 0.5, 0.5, 0.45, 0.3], [0.95, 0.9, 0.9, 0.9, 0.9]] {
            let is_wrong = |seed: &u64| played(&rates, 512, *seed).dropped_after(0).is_some();
            let wrong = (0..400).filter(is_wrong).count();
            assert!(wrong <= 20, "{rates:?}: {wrong} of 400");
        }
    }

    #[test]
    fn worse_arms_are_dropped_the_earlier_the_worse_they_are() {
        let (mut found, mut games) = (0, [0; 3]);
        for seed in 0..100 {
            let elimination = played(&[0.65, 0.5, 0.2], 1_024, seed);
            found += usize::from(elimination.best() == Some(0));
            for (arm, games) in games.iter_mut().enumerate() {
                *games += elimination.arms[arm].ended;
            }
        }
        assert!(found >= 95, "{found}");
        assert!(games[2] * 2 < games[1] && games[1] <= games[0], "{games:?}");
    }

    #[test]
    fn arms_wait_for_each_other_at_a_look() {
        let mut elimination = Elimination::new(2, 0.05);
        for _ in 0..20 {
            elimination.finish(0, Some([Outcome::Win; 2]));
        }
        assert_eq!((elimination.limit(0), elimination.arms[0].ended), (16, 16));
        for _ in 0..15 {
            elimination.finish(1, Some([Outcome::Loss; 2]));
        }
        assert_eq!((elimination.best(), elimination.looks()), (None, 0));
        // A void game is a pair that ended.
        elimination.finish(1, None);
        assert_eq!((elimination.best(), elimination.looks()), (Some(0), 1));
        assert_eq!((elimination.dropped_after(1), elimination.limit(1)), (Some(16), 16));
        assert_eq!(elimination.next_look(), 32);
    }

    #[test]
    fn equal_arms_remain() {
        let mut elimination = Elimination::new(3, 0.05);
        for _ in 0..1_000 {
            for arm in 0..3 {
                elimination.finish(arm, Some([Outcome::Win, Outcome::Loss]));
            }
        }
        assert_eq!(elimination.remaining().count(), 3);
        assert_eq!(elimination.looks(), 6);
    }
}
