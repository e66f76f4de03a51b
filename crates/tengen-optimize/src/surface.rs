//! Synthetic surfaces: win probabilities with a known optimum, on which a method is measured
//! without a game. They are the surfaces of Coulom, "CLOP: Confident Local Optimization for Noisy
//! Black-Box Parameter Tuning", 2011, section 4, and variants, then seven more, on which the
//! intervals of optima are checked too.

use super::trial::Trial;
use std::f64::consts::PI;
use tengen_settings::choice;

choice! {
    "surface"
    /// A surface over [-1, 1]ᵈ: a strength r in logits at each point, which wins
    /// against a fixed opponent with probability 1/(1 + e^-r).
    pub enum Surface {
        /// A smooth hill, steep on one side.
        Log = "LOG",
        /// A hill of 3 % on a plain.
        Flat = "FLAT",
        /// A slow rise that ends in a cliff.
        Power = "POWER",
        /// A peak with a kink.
        Angle = "ANGLE",
        /// A cliff and a long slope, between two plains.
        Step = "STEP",
        /// Two parameters: a bent, narrow valley turned upside down (Rosenbrock).
        Rosenbrock = "ROSENBROCK",
        /// Two parameters that act through their sum and their difference.
        Correlated = "CORRELATED",
        /// A narrow hill on a plain.
        Narrow = "NARROW",
        /// Two hills, of which one is a little higher.
        Bimodal = "BIMODAL",
        /// A slope up to the end of the range.
        Edge = "EDGE",
        /// Two parameters: a narrow ridge across both.
        Ridge = "RIDGE",
        /// A hill with waves.
        Waves = "WAVES",
        /// A hill, steep on one side, that ends in a long slope.
        Asymmetric = "ASYMMETRIC",
        /// Two parameters: a round hill.
        Bowl = "BOWL",
    }
}

/// A hill of height 1 and standard deviation `width` at distance 0.
fn hill(distance: f64, width: f64) -> f64 {
    (-0.5 * (distance / width).powi(2)).exp()
}

/// The factor f(x) of CORRELATED.
fn quartic(x: f64) -> f64 {
    x * x * (x * (1.0 - x) - 1.0)
}

impl Surface {
    /// How many parameters it has.
    #[must_use]
    pub fn dimensions(self) -> usize {
        self.optimum().len()
    }

    /// The strength r at `point`, in logits.
    ///
    /// # Panics
    /// If `point` has too few coordinates.
    #[must_use]
    pub fn strength(self, point: &[f64]) -> f64 {
        let v = point[0];
        match self {
            Self::Log => {
                let x = 2.0 * v + 1.0;
                2.0 * (2.0 * x + 2.1).ln() - 2.0 * x - 1.0
            }
            Self::Flat => {
                let d = v + 0.6;
                0.2 / (1.0 + 6.0 * d * d + d * d * d)
            }
            Self::Power => {
                let x = f64::midpoint(v, 1.0);
                0.2 * x * x - x.powi(20)
            }
            Self::Angle => {
                let d = v + 0.2;
                let root = std::f64::consts::SQRT_2;
                if d > 0.0 {
                    1.0 - ((d + 2.0).sqrt() - root)
                } else {
                    1.0 - (2.0 * (0.5 - d).sqrt() - root)
                }
            }
            Self::Step => {
                let between = |from: (f64, f64), to: (f64, f64)| {
                    from.1 + (v - from.0) / (to.0 - from.0) * (to.1 - from.1)
                };
                if !(-0.8..=0.8).contains(&v) {
                    -2.0
                } else if v < -0.3 {
                    between((-0.8, -2.0), (-0.3, 1.0))
                } else {
                    between((-0.3, 1.0), (0.8, -1.0))
                }
            }
            Self::Rosenbrock => {
                let (x, y) = (4.0 * v, 10.0 * point[1] + 4.0);
                1.0 - 0.1 * ((1.0 - x).powi(2) + (y - x * x).powi(2))
            }
            Self::Correlated => {
                let (a, b) = (v + point[1] + 0.1, v - point[1] + 0.9);
                0.2 * (quartic(10.0 * a) + quartic(b)) + 0.1
            }
            Self::Narrow => 1.5 * hill(v - 0.35, 0.06) - 0.5,
            Self::Bimodal => hill(v + 0.5, 0.15) + 1.2 * hill(v - 0.45, 0.15) - 0.5,
            Self::Edge => 0.6 * v,
            Self::Ridge => {
                let (across, along) = (v - point[1], v + point[1] - 0.6);
                0.8 - 20.0 * across * across - 0.8 * along * along
            }
            Self::Waves => {
                let d = v - 0.2;
                1.0 - 1.5 * d * d + 0.25 * (6.0 * PI * d).cos()
            }
            Self::Asymmetric => 1.0 - 2.0 * ((v + 1.3) / 0.6).ln().powi(2),
            Self::Bowl => 0.6 - (v + 0.4).powi(2) - 2.0 * (point[1] - 0.1).powi(2),
        }
    }

    /// The probability to win against the fixed opponent at `point`.
    #[must_use]
    pub fn win_probability(self, point: &[f64]) -> f64 {
        logistic(self.strength(point))
    }

    /// The probability that the first side of `trial` wins.
    #[must_use]
    pub fn probability(self, trial: &Trial) -> f64 {
        let second = trial.second.as_ref().map_or(0.0, |point| self.strength(point));
        logistic(self.strength(&trial.first) - second)
    }

    /// Where the win probability is highest.
    #[must_use]
    pub fn optimum(self) -> Vec<f64> {
        match self {
            Self::Log => vec![-0.525],
            Self::Flat => vec![-0.6],
            // x¹⁸ = 1/50.
            Self::Power => vec![2.0 * 0.02_f64.powf(1.0 / 18.0) - 1.0],
            Self::Angle => vec![-0.2],
            Self::Step => vec![-0.3],
            Self::Rosenbrock => vec![0.25, -0.3],
            Self::Correlated => vec![-0.5, 0.4],
            Self::Narrow => vec![0.35],
            Self::Bimodal => vec![0.45],
            Self::Edge => vec![1.0],
            Self::Ridge => vec![0.3, 0.3],
            Self::Waves => vec![0.2],
            Self::Asymmetric => vec![-0.7],
            Self::Bowl => vec![-0.4, 0.1],
        }
    }

    /// What is lost at `point`: the difference to the highest win probability (simple
    /// regret).
    #[must_use]
    pub fn regret(self, point: &[f64]) -> f64 {
        self.win_probability(&self.optimum()) - self.win_probability(point)
    }
}

/// The logistic function 1/(1 + e^-x).
#[must_use]
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_optimum_is_that_of_a_fine_grid() {
        for &surface in Surface::VARIANTS {
            let steps = if surface.dimensions() == 1 { 200_000 } else { 2_000 };
            let at = |step: u32| f64::from(step) / f64::from(steps) * 2.0 - 1.0;
            let second = if surface.dimensions() == 1 { 0..=0 } else { 0..=steps };
            let points = (0..=steps).flat_map(|i| second.clone().map(move |j| [at(i), at(j)]));
            let best = points
                .map(|point| (surface.win_probability(&point), point))
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .unwrap();
            let gain = surface.regret(&best.1);
            assert!((-1e-9..1e-5).contains(&gain), "{surface} {best:?}: {gain}");
            for (found, known) in best.1.iter().zip(surface.optimum()) {
                assert!((found - known).abs() < 2e-3, "{surface}: {best:?}");
            }
        }
    }

    #[test]
    fn the_probabilities_at_the_optimum_are_those_published() {
        let published = [0.6192, 0.5498, 0.5291, 0.7311, 0.7311, 0.7311, 0.5250];
        for (surface, p) in Surface::VARIANTS.iter().zip(published) {
            let found = surface.win_probability(&surface.optimum());
            assert!((found - p).abs() < 6e-5, "{surface}: {found}");
        }
    }
}
