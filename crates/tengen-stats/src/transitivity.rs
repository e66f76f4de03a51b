//! A test of transitivity: whether one rating per player describes all pairings of a tournament.
//!
//! Each pairing has a score and the score that the ratings predict. The test asks whether the
//! differences are greater than chance makes them: with the scores y, the predictions p, their
//! variances v and the slope d of a prediction in the rating difference, all by pairing,
//!
//! ```text
//! X² = min over b of Σ (y - p - d (bᵢ - bⱼ))² / v
//! ```
//!
//! The minimum is over corrections b of the ratings: what another choice of ratings explains does not
//! count, so that X² does not depend on how the ratings were fitted, up to terms of second order. If
//! strength is transitive, X² has nearly the χ² distribution with as many degrees of freedom as
//! there are pairings beyond the players less one (generalized least squares: Agresti 2013,
//! "Categorical data analysis", section 16.3). The variance of a score comes from its pairs, as in
//! [`Pairs::interval`].

use super::linear::Cholesky;
use super::ratings::Residual;
use super::tally::Pairs;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The result of a test of transitivity.
///
/// # Examples
/// ```
/// use tengen_stats::ratings::Record;
/// use tengen_stats::{Games, Pairs, Transitivity, rate};
///
/// // Each of three players wins 60 % of 200 games against the next one.
/// let players = ["rock", "scissors", "paper"].map(str::to_owned);
/// let record = |first_mover, second_mover, wins| {
///     let games = Games { losses: 100 - wins, draws: 0, wins };
///     Record { first_mover, second_mover, games }
/// };
/// let won = [(0, 1), (1, 2), (2, 0)].map(|(one, other)| record(one, other, 60));
/// let lost = [(1, 0), (2, 1), (0, 2)].map(|(one, other)| record(one, other, 40));
/// let records = [won, lost].concat();
/// let residuals = rate(&players, &records)?.residuals(&records);
/// let pairs = Pairs::without_draws([16, 48, 36]);
/// let pairs = |i, j| Some(if (i, j) == (0, 2) { pairs.reversed() } else { pairs });
/// let test = Transitivity::of(3, &residuals, pairs).ok_or("no test")?;
/// assert_eq!((format!("{:.1}", test.chi_square), test.freedom), ("24.0".to_owned(), 1));
/// assert!(test.p_value() < 0.001);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transitivity {
    /// The statistic X².
    pub chi_square: f64,
    /// Degrees of freedom of its distribution if strength is transitive: at least 1.
    pub freedom: usize,
}

impl Transitivity {
    /// The test of the pairings of `players` players with these `residuals`. `pairs` gives the
    /// pairs of a player, the one with the lower index, and its opponent; a pairing without pairs
    /// is left out.
    ///
    /// `None` if no pairing is left beyond those that the ratings need, as in a gauntlet, or if the
    /// remaining pairings do not connect the players.
    ///
    /// # Panics
    /// If a residual has the index of a player that is not one of `players`.
    #[must_use]
    pub fn of(
        players: usize,
        residuals: &[Residual],
        pairs: impl Fn(usize, usize) -> Option<Pairs>,
    ) -> Option<Self> {
        // The corrections of all ratings but the first, whose rating is fixed.
        let others = players.checked_sub(1)?;
        let mut matrix = vec![vec![0.0; others]; others];
        let mut right = vec![0.0; others];
        let (mut squares, mut pairings) = (0.0, 0_usize);
        for residual in residuals {
            let &Residual { player, opponent, games, score, expected, standard_error } = residual;
            let effective = pairs(player, opponent).and_then(|pairs| pairs.effective_games());
            let Some(effective) = effective else { continue };
            let variance = expected * (1.0 - expected) / effective;
            // The mean of p(1 - p) over the games, the slope in logits.
            let slope = standard_error.powi(2) * games as f64;
            let difference = score - expected;
            pairings += 1;
            squares += difference * difference / variance;
            let sides = [(player, slope), (opponent, -slope)];
            let sides = sides.into_iter().filter(|(player, _)| *player > 0);
            for (i, slope) in sides.clone() {
                right[i - 1] += slope * difference / variance;
                for (j, other) in sides.clone() {
                    matrix[i - 1][j - 1] += slope * other / variance;
                }
            }
        }
        let freedom = pairings.checked_sub(others).filter(|&freedom| freedom > 0)?;
        let correction = Cholesky::new(&matrix)?.solve(&right);
        let explained: f64 = correction.iter().zip(&right).map(|(b, right)| b * right).sum();
        let chi_square = (squares - explained).max(0.0);
        chi_square.is_finite().then_some(Self { chi_square, freedom })
    }

    /// The probability of so great a statistic, or a greater one, if strength is transitive.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        ChiSquared::new(self.freedom as f64).map_or(1.0, |of| of.sf(self.chi_square))
    }
}

#[cfg(test)]
#[path = "transitivity_tests.rs"]
mod tests;
