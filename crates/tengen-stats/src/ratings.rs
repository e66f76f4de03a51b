//! Ratings of the players of a tournament: Bradley–Terry with an advantage of the first
//! move.
//!
//! `P(i beats j, i moving first) = σ((r_i - r_j + a) / 173.72)` with ratings r and the
//! advantage a in Elo, and the logistic function σ; a draw is half a win of each player.
//! The most likely ratings under a weak prior are found by Newton's method (Bradley and
//! Terry 1952; Coulom 2008, "Whole-history rating", for the prior).
//!
//! The prior consists of virtual draws: two of each player against a virtual opponent of rating
//! zero, and two between equal players, which hold the advantage near zero. Without a prior a
//! player who won every game has no finite rating. The prior pulls all ratings towards zero;
//! [`Ratings::pull`] says how far. Only differences of ratings are known: the mean of the resulting
//! ratings is zero.
//!
//! [`rate`] assumes independent games. The two games of a pair are not independent:
//! [`rate_in_pairs`] gives the same ratings, with errors from the spread of the results of pairs.

use super::elo::Elo;
use super::interval::{Interval, Level};
use super::linear;
use super::tally::Games;
use std::collections::BTreeMap;

mod connected;
mod paired;

pub use paired::PairRecord;

/// The results of one player moving first against another moving second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The index of the player who moves first.
    pub first_mover: usize,
    /// The index of the player who moves second, which may be the same player.
    pub second_mover: usize,
    /// The games, seen from the player who moves first.
    pub games: Games,
}

/// Virtual drawn games per player: the prior.
const PRIOR_DRAWS: f64 = 2.0;

/// A prior so weak that it hardly moves ratings, but keeps them finite.
const HARDLY_ANY: f64 = PRIOR_DRAWS / 100.0;

/// A tournament that cannot be rated, since no chain of games connects these groups of players:
/// `{a, b} and {c}`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("no games connect these groups of players: {0}")]
pub struct Disconnected(pub String);

/// The ratings of all players and the advantage of the first move, with their
/// covariance.
///
/// # Examples
/// ```
/// use tengen_stats::ratings::Record;
/// use tengen_stats::{Games, Level, rate};
///
/// let players = ["weak", "strong"].map(str::to_owned);
/// let black = Games { losses: 70, draws: 0, wins: 30 };
/// let white = Games { losses: 20, draws: 0, wins: 80 };
/// let records = [
///     Record { first_mover: 0, second_mover: 1, games: black },
///     Record { first_mover: 1, second_mover: 0, games: white },
/// ];
/// let lead = rate(&players, &records)?.difference(1, 0);
/// let interval = lead.interval(Level::P95);
/// let text = format!("{:.0} Elo ({:.0} to {:.0})", lead.value, interval.low, interval.high);
/// assert_eq!(text, "193 Elo (136 to 249)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// In Elo, by player; their mean is zero.
    values: Vec<f64>,
    /// Of the first move, in Elo.
    advantage: f64,
    /// Of the ratings and, last, the advantage; in Elo².
    covariance: Vec<Vec<f64>>,
}

/// A rating or a difference of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: Elo,
    /// Its standard error.
    pub standard_error: Elo,
}

impl Estimate {
    fn new(value: f64, variance: f64) -> Self {
        Self { value: Elo(value), standard_error: Elo(variance.max(0.0).sqrt()) }
    }

    /// Its confidence interval.
    #[must_use]
    pub fn interval(&self, level: Level) -> Interval<Elo> {
        let half = level.z() * self.standard_error.0;
        Interval { low: Elo(self.value.0 - half), high: Elo(self.value.0 + half) }
    }
}

/// The residual of a pairing: its score, and the score that the ratings predict. The two
/// differ where strength is not transitive, as is frequent with variants of one
/// algorithm.
///
/// # Examples
/// ```
/// use tengen_stats::ratings::Record;
/// use tengen_stats::{Games, rate};
///
/// let players = ["rock", "paper", "scissors"].map(str::to_owned);
/// let record = |first_mover, second_mover, wins| {
///     let games = Games { losses: 100 - wins, draws: 0, wins };
///     Record { first_mover, second_mover, games }
/// };
/// let won = [(1, 0), (2, 1), (0, 2)].map(|(winner, loser)| record(winner, loser, 60));
/// let lost = [(0, 1), (1, 2), (2, 0)].map(|(loser, winner)| record(loser, winner, 40));
/// let records = [won, lost].concat();
/// let residual = rate(&players, &records)?.residuals(&records)[0];
/// assert_eq!((residual.player, residual.opponent, residual.score), (0, 1, 0.4));
/// assert_eq!(format!("{:.1} {:.2}", residual.expected, residual.z()), "0.5 -2.83");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// The index of the player whose score it is: the lower index of the two.
    pub player: usize,
    /// The index of the opponent.
    pub opponent: usize,
    /// Number of games of the pairing.
    pub games: u64,
    /// The score of the player.
    pub score: f64,
    /// The score that the ratings predict, with the advantage of the first move.
    pub expected: f64,
    /// The standard deviation of the score of that many games if the prediction is true.
    pub standard_error: f64,
}

impl Residual {
    /// Score minus prediction, in standard errors.
    #[must_use]
    pub fn z(&self) -> f64 {
        (self.score - self.expected) / self.standard_error
    }
}

/// Computes the ratings of the players `names` from the games of `records`. Refuses players who
/// fall into groups with no game between them.
///
/// # Panics
/// If a record has the index of a player that is not among the names.
pub fn rate(names: &[String], records: &[Record]) -> Result<Ratings, Disconnected> {
    rate_in_pairs(names, records, &[])
}

/// Computes the ratings of [`rate`], with errors that allow for games in pairs: `pairs` holds the
/// games of `records` that were played in pairs.
///
/// The covariance allows for pairs, the terms of the likelihood, whose variance differs from the
/// model's (White 1982, "Maximum likelihood estimation of misspecified models"): `H⁻¹MH⁻¹` with the
/// information H and the variance M of the gradient. M is estimated for each pairing from its pairs
/// and four pairs with the variance of the model, as in
/// [`Pairs::interval`](crate::Pairs::interval).
///
/// # Panics
/// If a record has the index of a player that is not among the names.
pub fn rate_in_pairs(
    names: &[String],
    records: &[Record],
    pairs: &[PairRecord],
) -> Result<Ratings, Disconnected> {
    let groups = connected::components(names.len(), records);
    if groups.len() == 1 {
        return Ok(fit(names.len(), records, pairs, PRIOR_DRAWS));
    }
    let name = |group: &Vec<usize>| {
        let names: Vec<&str> = group.iter().map(|&player| names[player].as_str()).collect();
        format!("{{{}}}", names.join(", "))
    };
    Err(Disconnected(groups.iter().map(name).collect::<Vec<_>>().join(" and ")))
}

impl Ratings {
    /// The rating of a player; the mean of all players is zero. The standard error is that of the
    /// difference from the mean.
    #[must_use]
    pub fn rating(&self, player: usize) -> Estimate {
        Estimate::new(self.values[player], self.covariance[player][player])
    }

    /// The advantage of the first move, as a rating difference.
    #[must_use]
    pub fn advantage(&self) -> Estimate {
        let last = self.values.len();
        Estimate::new(self.advantage, self.covariance[last][last])
    }

    /// The rating of `player` minus that of `opponent`, with the variance
    /// `C_ii - 2C_ij + C_jj`: use it to compare two players.
    #[must_use]
    pub fn difference(&self, player: usize, opponent: usize) -> Estimate {
        let c = &self.covariance;
        let variance = c[player][player] - 2.0 * c[player][opponent] + c[opponent][opponent];
        Estimate::new(self.values[player] - self.values[opponent], variance)
    }

    /// How far the prior pulls each player: the rating with a hundredth of the prior, minus the
    /// rating with the full prior. The ratings were computed from `records`. An error lists the
    /// players without a finite rating but for the prior, such as one who has won every game.
    pub fn pull(&self, records: &[Record]) -> Result<Vec<Elo>, Vec<usize>> {
        let players = self.values.len();
        let infinite = connected::without_finite_rating(players, records);
        if !infinite.is_empty() {
            return Err(infinite);
        }
        let free = fit(players, records, &[], HARDLY_ANY);
        Ok(free.values.iter().zip(&self.values).map(|(free, own)| Elo(free - own)).collect())
    }

    /// The expected score of `first_mover`, who moves first, against
    /// `second_mover`.
    #[must_use]
    pub fn expected(&self, first_mover: usize, second_mover: usize) -> f64 {
        Elo(self.values[first_mover] - self.values[second_mover] + self.advantage).score()
    }

    /// The residual of every pairing, ordered by player and opponent. The
    /// games of a player against itself predict nothing and are left out.
    #[must_use]
    pub fn residuals(&self, records: &[Record]) -> Vec<Residual> {
        // Games, points, expected points and their variance.
        let mut pairings: BTreeMap<(usize, usize), (u64, [f64; 3])> = BTreeMap::new();
        for &Record { first_mover: i, second_mover: j, games } in records {
            if i == j || games.count() == 0 {
                continue;
            }
            let (count, p) = (games.count() as f64, self.expected(i, j));
            let points = games.wins as f64 + 0.5 * games.draws as f64;
            let is_first = i < j;
            let (points, predicted) =
                if is_first { (points, p) } else { (count - points, 1.0 - p) };
            let (played, sums) = pairings.entry((i.min(j), i.max(j))).or_default();
            *played += games.count();
            let more = [points, count * predicted, count * p * (1.0 - p)];
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        let residual = |(pairing, sums): ((usize, usize), (u64, [f64; 3]))| {
            let ((player, opponent), (games, [points, expected, variance])) = (pairing, sums);
            let n = games as f64;
            let (score, expected) = (points / n, expected / n);
            let standard_error = variance.sqrt() / n;
            Residual { player, opponent, games, score, expected, standard_error }
        };
        pairings.into_iter().map(residual).collect()
    }
}

/// A step shorter than this, in logits, ends Newton's method.
const CLOSE: f64 = 1e-10;

/// The ratings in logits, the advantage last, by Newton's method; the virtual opponent is at
/// zero.
fn fit(players: usize, records: &[Record], pairs: &[PairRecord], prior: f64) -> Ratings {
    let mut x = vec![0.0; players + 1];
    let mut likelihood = log_likelihood(records, &x, prior);
    loop {
        let (gradient, information) = derivatives(records, &x, prior);
        let cholesky = linear::Cholesky::new(&information);
        let cholesky = cholesky.expect("the prior makes the likelihood concave");
        let mut step = cholesky.solve(&gradient);
        // A full step can overshoot: halve until it gains.
        loop {
            let next: Vec<f64> = x.iter().zip(&step).map(|(x, s)| x + s).collect();
            let reached = log_likelihood(records, &next, prior);
            let is_close = step.iter().all(|s| s.abs() < CLOSE);
            if reached >= likelihood || is_close {
                (x, likelihood) = (next, reached);
                if is_close {
                    return centred(&x, &paired::covariance(pairs, &x, cholesky.inverse()));
                }
                break;
            }
            step = step.iter().map(|s| s / 2.0).collect();
        }
    }
}

/// Ratings and covariance in Elo, shifted to the mean rating zero, since only
/// differences are known: `r' = r - w·r` with w equal weights, and
/// `C' = P C Pᵀ` with `P = 1 - 1wᵀ`.
fn centred(x: &[f64], covariance: &[Vec<f64>]) -> Ratings {
    let players = x.len() - 1;
    let weight = 1.0 / players as f64;
    let shift = |values: &mut [f64]| {
        let mean = values[..players].iter().map(|value| value * weight).sum::<f64>();
        values[..players].iter_mut().for_each(|value| *value -= mean);
    };
    let unit = Elo::PER_LOGIT;
    let mut ratings = x.to_vec();
    shift(&mut ratings);
    let advantage = ratings.pop().unwrap_or(0.0) * unit;
    // Adding zero turns minus zero into zero.
    let values = ratings.into_iter().map(|rating| rating * unit + 0.0).collect();
    let mut covariance = covariance.to_vec();
    // Twice: rows become columns.
    for _ in 0..2 {
        for row in &mut covariance {
            shift(row);
        }
        let column = |i| covariance.iter().map(|row| row[i] * unit).collect();
        covariance = (0..=players).map(column).collect();
    }
    Ratings { values, advantage, covariance }
}

/// The parameters whose sum, with these signs, is the logit of a win.
type Parts = [Option<(usize, f64)>; 3];

/// The terms of the likelihood: wins and losses, and the parts of the logit of a win.
fn terms(
    records: &[Record],
    players: usize,
    prior: f64,
) -> impl Iterator<Item = (f64, f64, Parts)> {
    let games = records.iter().map(move |&Record { first_mover: i, second_mover: j, games }| {
        let Games { losses, draws, wins } = games;
        let half = 0.5 * draws as f64;
        (wins as f64 + half, losses as f64 + half, parts(i, j, players))
    });
    let half = 0.5 * prior;
    games.chain((0..=players).map(move |i| (half, half, [Some((i, 1.0)), None, None])))
}

/// The parts of the logit of a win of player `i`, who moves first, against `j`.
fn parts(i: usize, j: usize, players: usize) -> Parts {
    // A game of a player against itself tells of the advantage only.
    let differ = (i != j).then_some([(i, 1.0), (j, -1.0)]);
    let [first, second] = differ.map_or([None; 2], |both| both.map(Some));
    [Some((players, 1.0)), first, second]
}

/// The logit of a win at the parameters `x`.
fn logit(parts: &Parts, x: &[f64]) -> f64 {
    parts.iter().flatten().map(|&(i, sign)| sign * x[i]).sum()
}

fn log_likelihood(records: &[Record], x: &[f64], prior: f64) -> f64 {
    let value = |(wins, losses, parts): (f64, f64, Parts)| {
        let logit = logit(&parts, x);
        // -ln(1 + e^(-logit)) for a win, without overflow.
        let ln_sigma = |l: f64| l.min(0.0) - (-l.abs()).exp().ln_1p();
        wins * ln_sigma(logit) + losses * ln_sigma(-logit)
    };
    terms(records, x.len() - 1, prior).map(value).sum()
}

/// The gradient, and minus the second derivatives.
fn derivatives(records: &[Record], x: &[f64], prior: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut gradient = vec![0.0; x.len()];
    let mut information = vec![vec![0.0; x.len()]; x.len()];
    for (wins, losses, parts) in terms(records, x.len() - 1, prior) {
        let p = 1.0 / (1.0 + (-logit(&parts, x)).exp());
        let surplus = wins - (wins + losses) * p;
        let weight = (wins + losses) * p * (1.0 - p);
        for &(i, sign) in parts.iter().flatten() {
            gradient[i] += sign * surplus;
            for &(j, other) in parts.iter().flatten() {
                information[i][j] += sign * other * weight;
            }
        }
    }
    (gradient, information)
}

#[cfg(test)]
#[path = "ratings_tests.rs"]
mod tests;
