//! Ratings of the players of a tournament: Bradley–Terry with an advantage of the first
//! move.
//!
//! `P(i beats j, i moving first) = σ((r_i - r_j + a) / 173.72)` with ratings r and the
//! advantage a in Elo, and the logistic function σ; a draw is half a win of each player (Bradley
//! and Terry 1952).
//!
//! The ratings maximise the likelihood under Jeffreys' prior (Firth 1993, "Bias reduction of
//! maximum likelihood estimates"). It removes most of the bias of the most likely ratings, which
//! spread too far, and every player has a finite rating, even one that won every game.
//!
//! An interval comes from the shape of the likelihood: it reaches farther on the side where the
//! likelihood falls more slowly (Heinze and Schemper 2002, "A solution to the problem of separation
//! in logistic regression", on profiles of this penalised likelihood). The profile along a figure
//! is not searched but has, with the right second and third derivatives, the shape of the
//! logarithm of a Poisson mean. Where nothing bounds a rating, as that of a player who won every
//! game, the end is infinite.
//!
//! Only differences of ratings are known: the mean is zero of the players whose ratings have
//! bounds. A player who won or lost every game is not among them, unless no such player remains.
//!
//! [`rate`] assumes independent games. The two games of a pair are not independent:
//! [`rate_in_pairs`] gives the same ratings, with intervals from the spread of the results of pairs.

use super::elo::Elo;
use super::interval::{Interval, Level};
use super::tally::Games;
use connected::Chains;
use fit::{Fit, Model, Parts, Term, along, sigma};
use paired::Spread;
use std::collections::BTreeMap;

mod connected;
mod fit;
mod paired;
mod shape;

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

/// A tournament that cannot be rated, since no chain of games connects these groups of players:
/// `{a, b} and {c}`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("no games connect these groups of players: {0}")]
pub struct Disconnected(pub String);

/// The ratings of all players and the advantage of the first move, with the shape of their
/// likelihood.
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
/// assert_eq!(text, "192 Elo (137 to 250)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// In Elo, by player; the mean of the reference players is zero.
    values: Vec<f64>,
    /// Of the first move, in Elo; zero if the games cannot tell it from strength.
    advantage: f64,
    /// The inverse of the information of the ratings and, last, the advantage, in logits².
    covariance: Vec<Vec<f64>>,
    /// The mean of the rows of the reference players in `covariance`.
    mean: Vec<f64>,
    /// The third derivative of each term of the likelihood by its logit.
    thirds: Vec<(Parts, f64)>,
    /// Of the games that were played in pairs.
    spreads: Vec<Spread>,
    chains: Chains,
    /// The players whose mean rating is zero.
    reference: Vec<usize>,
    /// Whether the first movers have won a point in any game, and lost one.
    first_movers: [bool; 2],
}

/// A rating, a difference of ratings, or the advantage of the first move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate. It is finite.
    pub value: Elo,
    /// Its standard error; infinite if the games say nothing of the value.
    pub standard_error: Elo,
    /// The standard error if all games were independent.
    independent: f64,
    /// The third derivative of the likelihood along the value, with `independent` as unit.
    skewness: f64,
    /// The degrees of freedom of `standard_error`.
    freedom: f64,
    /// Whether the games bound the value below, and above.
    is_bound: [bool; 2],
}

impl Estimate {
    /// Its confidence interval: the values whose profile likelihood is not too low. An end is
    /// infinite where the games do not bound the value, as for a player who won every game.
    ///
    /// The interval is wider on the side where the likelihood falls more slowly. The likelihood
    /// counts less or more than that of independent games, by the ratio of the variances. The
    /// quantile is Student's where the variance is estimated from pairs.
    #[must_use]
    pub fn interval(&self, level: Level) -> Interval<Elo> {
        let unit = self.independent;
        // A single player differs from its mean by nothing, of which nothing is uncertain.
        let is_uncertain = unit > 0.0 && unit.is_finite();
        let ratio = if is_uncertain { self.standard_error.0 / unit } else { 0.0 };
        let reach = level.t(self.freedom) * ratio;
        let [low, high] = shape::ends(self.skewness, reach);
        let end = |at: f64, is_bound: bool, open: f64| {
            Elo(if is_bound { self.value.0 + at * unit } else { open })
        };
        Interval {
            low: end(low, self.is_bound[0], f64::NEG_INFINITY),
            high: end(high, self.is_bound[1], f64::INFINITY),
        }
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

/// Computes the ratings of [`rate`], with intervals that allow for games in pairs: `pairs` holds
/// the games of `records` that were played in pairs.
///
/// Pairs are the terms of the likelihood, whose variance differs from the model's (White 1982,
/// "Maximum likelihood estimation of misspecified models"). The variance of a figure c·r is
/// `cᵀH⁻¹MH⁻¹c` with the information H and the variance M of the gradient, estimated for each
/// pairing from its pairs and the four of [`PSEUDO_PAIRS`](crate::pairs::PSEUDO_PAIRS). Its degrees
/// of freedom combine those of the pairings (Satterthwaite 1946, "An approximate distribution of
/// estimates of variance components").
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
        return Ok(Ratings::new(names.len(), records, pairs));
    }
    let name = |group: &Vec<usize>| {
        let names: Vec<&str> = group.iter().map(|&player| names[player].as_str()).collect();
        format!("{{{}}}", names.join(", "))
    };
    Err(Disconnected(groups.iter().map(name).collect::<Vec<_>>().join(" and ")))
}

impl Ratings {
    /// The ratings of players whom the games connect.
    fn new(players: usize, records: &[Record], pairs: &[PairRecord]) -> Self {
        let chains = Chains::new(players, records);
        let model = Model { players, has_advantage: chains.has_advantage() };
        let terms = Term::all(model, records);
        let Fit { x, covariance } = Fit::new(model, &terms);
        let reference = chains.reference();
        let share = 1.0 / reference.len() as f64;
        let mut mean = vec![0.0; players + 1];
        for &player in &reference {
            mean.iter_mut().zip(&covariance[player]).for_each(|(sum, more)| *sum += share * more);
        }
        let middle = reference.iter().map(|&player| share * x[player]).sum::<f64>();
        // Adding zero turns minus zero into zero.
        let elo = |logits: f64| logits * Elo::PER_LOGIT + 0.0;
        let third = |term: &Term| {
            let logit = along(&term.parts, &x);
            let (p, q) = (sigma(logit), sigma(-logit));
            (term.parts, term.games() * p * q * (p - q))
        };
        let sum = |of: fn(&Games) -> u64| records.iter().map(|record| of(&record.games)).sum();
        let (wins, draws, losses): (u64, u64, u64) =
            (sum(|games| games.wins), sum(|games| games.draws), sum(|games| games.losses));
        Self {
            values: x[..players].iter().map(|rating| elo(rating - middle)).collect(),
            advantage: elo(x[players]),
            thirds: terms.iter().map(third).collect(),
            spreads: Spread::all(model, pairs, &x),
            covariance,
            mean,
            chains,
            reference,
            first_movers: [wins + draws > 0, losses + draws > 0],
        }
    }

    /// The estimate of a figure c·r: `direction` is its row cᵀH⁻¹ of the inverse information H, and
    /// `variance` is cᵀH⁻¹c, in logits.
    fn estimate(
        &self,
        value: f64,
        direction: &[f64],
        variance: f64,
        is_bound: [bool; 2],
    ) -> Estimate {
        // Rounding can leave less than nothing of a figure that is constant.
        let variance = variance.max(0.0);
        let third = |(parts, third): &(Parts, f64)| third * along(parts, direction).powi(3);
        let third: f64 = self.thirds.iter().map(third).sum();
        let paired = Spread::variance(&self.spreads, direction);
        let spread = variance + paired.found - paired.expected;
        let root = |variance: f64| variance.sqrt() * Elo::PER_LOGIT;
        Estimate {
            value: Elo(value),
            standard_error: Elo(root(spread)),
            independent: root(variance),
            skewness: if variance > 0.0 { third / variance.powf(1.5) } else { 0.0 },
            freedom: match paired.uncertain {
                uncertain if uncertain > 0.0 => spread.powi(2) / uncertain,
                _ => f64::INFINITY,
            },
            is_bound,
        }
    }

    /// The rating of a player; the mean of the [`reference`](Self::reference) is zero. The standard
    /// error is that of the difference from the mean.
    #[must_use]
    pub fn rating(&self, player: usize) -> Estimate {
        let row = &self.covariance[player];
        let direction: Vec<f64> =
            row.iter().zip(&self.mean).map(|(own, mean)| own - mean).collect();
        let of_mean = |of: &[f64]| {
            let sum: f64 = self.reference.iter().map(|&other| of[other]).sum();
            sum / self.reference.len() as f64
        };
        let variance = direction[player] - of_mean(&direction);
        let bounds = self.reference.iter().map(|&other| self.chains.bound(player, other));
        let is_bound = bounds.fold([true; 2], |[a, b], [below, above]| [a && below, b && above]);
        self.estimate(self.values[player], &direction, variance, is_bound)
    }

    /// The players whose mean rating is zero: the largest group in which the games bound every
    /// difference. A player who won or lost every game is outside it. If several groups are the
    /// largest, as where the games bound no difference, it is all of these.
    #[must_use]
    pub fn reference(&self) -> &[usize] {
        &self.reference
    }

    /// The advantage of the first move, as a rating difference. It is 0, with an infinite interval,
    /// if the games cannot tell it from strength, since a stronger player could explain it: where
    /// one of two players always moved first, for example.
    #[must_use]
    pub fn advantage(&self) -> Estimate {
        let last = self.values.len();
        let row = &self.covariance[last];
        if self.chains.has_advantage() {
            return self.estimate(self.advantage, row, row[last], self.first_movers);
        }
        self.estimate(self.advantage, row, f64::INFINITY, [false; 2])
    }

    /// The rating of `player` minus that of `opponent`, with its own interval: use it to compare two
    /// players. It takes a few multiplications for each record and pairing.
    #[must_use]
    pub fn difference(&self, player: usize, opponent: usize) -> Estimate {
        let (one, other) = (&self.covariance[player], &self.covariance[opponent]);
        let direction: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
        let variance = direction[player] - direction[opponent];
        let value = self.values[player] - self.values[opponent];
        self.estimate(value, &direction, variance, self.chains.bound(player, opponent))
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

#[cfg(test)]
#[path = "ratings_tests.rs"]
mod tests;
