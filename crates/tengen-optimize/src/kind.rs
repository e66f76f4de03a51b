//! The methods by name, with their settings.

use super::clop::Clop;
use super::grid;
use super::halving::Halving;
use super::method::Method;
use super::spsa::{Sizes, Spsa};
use super::sweep::Sweep;
use super::thompson::Thompson;
use std::iter;
use tengen_settings::{SettingError, choice};

choice! {
    "method"
    /// A method of tuning.
    #[derive(Default)]
    pub enum MethodKind {
        /// Thompson sampling over a Gaussian process: points play each other as often as
        /// they may be the best.
        #[default]
        Thompson = "thompson",
        /// Confident local optimization: a quadratic fitted to where it is good.
        Clop = "clop",
        /// A grid with equally many games for each point.
        Sweep = "sweep",
        /// Successive halving: a grid whose better half is played again, and so on.
        Halving = "halving",
        /// Points at both sides of the estimate play each other, and it moves towards the
        /// winner.
        Spsa = "spsa",
    }
}

impl MethodKind {
    /// Whether the method plays the points of a grid.
    #[must_use]
    pub const fn is_grid(self) -> bool {
        matches!(self, Self::Sweep | Self::Halving)
    }
}

/// A method with all settings that decide its trials, except its seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodConfig {
    /// The method.
    pub kind: MethodKind,
    /// Trials in all. The schedules of `halving` and `spsa` are made for this number.
    pub trials: usize,
    /// Points per parameter of a grid, for `sweep` and `halving`.
    pub steps: usize,
    /// For `spsa`: the final perturbation and step.
    pub sizes: Sizes,
    /// For `thompson`: whether two points play each other (a duel) rather than the
    /// reference opponent. `spsa` always duels, the other methods never do.
    pub duels: bool,
}

impl Default for MethodConfig {
    fn default() -> Self {
        let (kind, sizes) = (MethodKind::default(), Sizes::default());
        Self { kind, trials: 1_000, steps: 8, sizes, duels: true }
    }
}

impl MethodConfig {
    /// Refuses settings with which the method cannot tune so many `parameters`. A trial has
    /// `games_per_trial` games: the error counts games, since a user sets their number.
    pub fn validate(&self, parameters: usize, games_per_trial: usize) -> Result<(), SettingError> {
        let (kind, trials, most) = (self.kind, self.trials, 100_000_000);
        let is_grid = kind.is_grid();
        if is_grid && parameters > 2 {
            let said = format!(
                "{kind} takes one or two parameters, {parameters} are given: use thompson, clop or spsa"
            );
            return Err(said.into());
        }
        let games = games_per_trial * trials;
        if !(1..=most).contains(&trials) {
            let range = format!("{games_per_trial} to {}", games_per_trial * most);
            return Err(SettingError::range("games", games, &range));
        }
        let points = if is_grid { iter::repeat_n(self.steps, parameters).product() } else { 0 };
        let fewest = if kind == MethodKind::Halving { Halving::min_trials(points) } else { points };
        if trials < fewest {
            let fewest = games_per_trial * fewest;
            let said =
                format!("`games` is {games}: {kind} over {points} points needs {fewest} or more");
            return Err(SettingError::of("games", said));
        }
        Ok(())
    }

    /// Whether the method lets two points play each other.
    #[must_use]
    pub const fn is_duel(&self) -> bool {
        match self.kind {
            MethodKind::Thompson => self.duels,
            MethodKind::Spsa => true,
            MethodKind::Clop | MethodKind::Sweep | MethodKind::Halving => false,
        }
    }

    /// Builds the method over so many `parameters` with the random numbers of `seed`.
    ///
    /// # Panics
    /// If [`Self::validate`] refuses the settings.
    #[must_use]
    pub fn build(&self, parameters: usize, seed: u64) -> Box<dyn Method> {
        self.validate(parameters, 1).expect("settings that were validated");
        let points = || grid::regular(parameters, self.steps);
        match self.kind {
            MethodKind::Thompson => Box::new(Thompson::new(parameters, self.duels, seed)),
            MethodKind::Clop => Box::new(Clop::new(parameters, seed)),
            MethodKind::Sweep => Box::new(Sweep::new(points(), seed)),
            MethodKind::Halving => Box::new(Halving::new(points(), self.trials, seed)),
            MethodKind::Spsa => Box::new(Spsa::new(parameters, self.trials, self.sizes, seed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::logistic;
    use rand::RngExt;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn nothing_known_is_flat() {
        for &kind in MethodKind::VARIANTS {
            // The fewest trials of `halving` over 64 points.
            let config = MethodConfig { kind, trials: 126, ..MethodConfig::default() };
            let estimate = config.build(2, 1).estimate();
            assert!(estimate.is_flat(0) && estimate.is_flat(1), "{kind}: {estimate:?}");
        }
    }

    #[test]
    fn every_method_finds_a_steep_hill() {
        for &kind in MethodKind::VARIANTS {
            let config = MethodConfig { kind, trials: 600, ..MethodConfig::default() };
            let mut method = config.build(1, 3);
            // In logits; the reference is as strong as points 0.25 away from the best.
            let strength = |unit: f64| -12.0 * (unit - 0.4).abs();
            let mut stream = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut asked = 0;
            while let Some(trial) = method.ask().filter(|_| asked < 600) {
                asked += 1;
                let second = trial.second.as_ref().map_or(-3.0, |point| strength(point[0]));
                let is_won = stream.random::<f64>() < logistic(strength(trial.first[0]) - second);
                method.tell(&trial, super::super::trial::Score::of_game(is_won));
            }
            let estimate = method.estimate();
            assert_eq!(estimate.point, method.best(), "{kind}");
            assert!((estimate.point[0] - 0.4).abs() < 0.25, "{kind}: {estimate:?}");
            assert!(estimate.intervals[0].contains(&0.4), "{kind}: {estimate:?}");
        }
    }
}
