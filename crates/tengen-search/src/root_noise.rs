//! The setting `root_noise`: noise in the priors at the root, for self-play.

use super::setting::none_or_numbers;
use super::uct::UctSearch;
use rand::distr::{Distribution, OpenClosed01};
use rand_distr::Gamma;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_stats::seed::mix;

/// `mix` derives the seed of the noise from the seed of the search and this number.
const NOISE_STREAM: u64 = u64::MAX - 1;

/// Noise in the priors at the root. As text `none` or `0.03:0.25`.
///
/// # Examples
/// ```
/// use tengen_search::root_noise::RootNoise;
///
/// let noise: RootNoise = "0.03:0.25".parse()?;
/// assert_eq!(noise, RootNoise::Dirichlet { alpha: 0.03, share: 0.25 });
/// assert!(RootNoise::default().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RootNoise {
    /// No noise.
    #[default]
    None,
    /// The prior p of a move becomes (1 − share) p + share · η, where η is the move's part of a
    /// draw from the symmetric Dirichlet distribution (Silver et al., "Mastering the game of Go
    /// without human knowledge", 2017, methods).
    Dirichlet {
        /// The parameter of the distribution: the smaller, the fewer moves get most of the noise.
        alpha: f64,
        /// The share of the noise, 0 to 1.
        share: f64,
    },
}

impl RootNoise {
    /// Whether there is no noise.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// The priors of `moves` moves with noise by `seed`: shares that add up to 1. Without `priors`
    /// all moves have equal priors, as in PUCT.
    #[must_use]
    pub fn noisy(&self, seed: u64, priors: &[f32], moves: usize) -> Vec<f32> {
        let sum: f64 = priors.iter().map(|&prior| f64::from(prior)).sum();
        let own = |place: usize| match priors.get(place) {
            Some(&prior) if sum > 0.0 => f64::from(prior) / sum,
            _ => 1.0 / moves as f64,
        };
        let (noise, share) = match *self {
            Self::None => (vec![0.0; moves], 0.0),
            Self::Dirichlet { alpha, share } => (dirichlet(alpha, seed, moves), share),
        };
        #[allow(clippy::cast_possible_truncation)] // a prior needs no more digits
        let mixed =
            |(place, noise): (usize, f64)| ((1.0 - share) * own(place) + share * noise) as f32;
        noise.into_iter().enumerate().map(mixed).collect()
    }
}

/// A draw from the symmetric Dirichlet distribution with the parameter `alpha`: Gamma draws, divided
/// by their sum.
///
/// For small parameters Gamma draws underflow. A draw with the parameter a is U^(1/a) times a draw
/// with a + 1: the function draws logarithms, and shifts them so that the greatest is 0.
fn dirichlet(alpha: f64, seed: u64, count: usize) -> Vec<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let Ok(gamma) = Gamma::new(alpha + 1.0, 1.0) else { return vec![1.0 / count as f64; count] };
    let logs: Vec<f64> = (0..count)
        .map(|_| {
            let uniform: f64 = OpenClosed01.sample(&mut random);
            libm::log(gamma.sample(&mut random)) + libm::log(uniform) / alpha
        })
        .collect();
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let draws: Vec<f64> = logs.into_iter().map(|log| libm::exp(log - greatest)).collect();
    let sum: f64 = draws.iter().sum();
    draws.into_iter().map(|draw| draw / sum).collect()
}

impl<const W: usize> UctSearch<W> {
    /// Draws the noise of the root, unless it is drawn already. The root must have its children.
    /// The tree keeps the priors without noise.
    pub(super) fn draw_root_noise(&mut self) {
        let columns = self.tree.columns(self.tree.children(super::tree::Tree::ROOT));
        let moves = columns.visits.len();
        if self.root_priors.len() != moves {
            let seed = mix(self.seed, NOISE_STREAM);
            self.root_priors = self.config.root_noise.noisy(seed, columns.priors, moves);
        }
    }
}

none_or_numbers!(
    RootNoise,
    "root_noise",
    "",
    Dirichlet { alpha: f64 = (1e-6..=1e6), share: f64 = (0.0..=1.0) },
    "none or ALPHA:SHARE (0.000001 to 1000000, and 0 to 1), such as 0.03:0.25"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_mixed_into_shares_of_priors() {
        let noise = RootNoise::Dirichlet { alpha: 0.5, share: 0.25 };
        let (eta, mixed) = (dirichlet(0.5, 7, 3), noise.noisy(7, &[0.5, 1.0, 0.5], 3));
        for (place, share) in [(0, 0.25), (1, 0.5), (2, 0.25)] {
            assert!((f64::from(mixed[place]) - 0.75 * share - 0.25 * eta[place]).abs() < 1e-6);
        }
        // Without priors, and with priors that are all 0.
        assert_eq!(noise.noisy(7, &[], 3), noise.noisy(7, &[0.0; 3], 3));
        let even = noise.noisy(7, &[], 3)[1];
        assert!((f64::from(even) - 0.25 - 0.25 * eta[1]).abs() < 1e-6);
        let none = RootNoise::Dirichlet { alpha: 0.5, share: 0.0 };
        assert_eq!(none.noisy(7, &[1.0, 3.0], 2), [0.25, 0.75]);
        assert_ne!(noise.noisy(7, &[], 3), noise.noisy(8, &[], 3));
    }

    /// Each part of a draw has the mean 1 / k and the variance (k − 1) / (k² (k a + 1)).
    #[test]
    fn draws_have_the_moments_of_the_distribution() {
        let (count, draws) = (5, 20_000);
        for alpha in [1e-6, 0.03, 0.5, 1.0, 20.0] {
            let (mut sum, mut squares) = (0.0, 0.0);
            for seed in 0..draws {
                let draw = dirichlet(alpha, seed, count);
                assert!((draw.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(draw.iter().all(|part| (0.0..=1.0).contains(part)), "{draw:?}");
                sum += draw[2];
                squares += draw[2] * draw[2];
            }
            let (k, n) = (count as f64, draws as f64);
            let (mean, expected) = (sum / n, (k - 1.0) / (k * k * (k * alpha + 1.0)));
            let variance = squares / n - mean * mean;
            let error = (expected / n).sqrt();
            assert!((mean - 0.2).abs() < 4.0 * error, "{alpha}: {mean}");
            assert!((variance - expected).abs() < 0.05 * expected, "{alpha}: {variance}");
        }
    }
}
