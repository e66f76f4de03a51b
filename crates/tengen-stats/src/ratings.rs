//! Ratings of the players of a tournament: Bradley–Terry with an advantage of the first
//! move.
//!
//! `P(i beats j, i moving first) = σ((r_i - r_j + a) / 173.72)` with ratings r and the
//! advantage a in Elo, and the logistic function σ; a draw is half a win of each player.
//! The most likely ratings under a weak prior are found by Newton's method (Bradley and
//! Terry 1952; Coulom 2008, "Whole-history rating", for the prior).
//!
//! The prior are virtual draws, two by default: of each player against a virtual
//! opponent of rating zero, and as many between equal players, which hold the advantage
//! near zero. Without a prior a player who won every game has no finite rating. Games
//! are taken for independent, those of a pair too. Only differences of ratings are
//! known: in the result their mean is zero.

use super::elo::Elo;
use super::interval::{Interval, Level};
use super::linear;
use super::tally::Games;
use std::collections::BTreeMap;

/// The results of one player moving first against another moving second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The index of the player who moves first.
    pub first_mover: usize,
    /// The index of the player who moves second, which may be the same.
    pub second_mover: usize,
    /// The games, seen from the player who moves first.
    pub games: Games,
}

/// The prior under which ratings are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// Virtual drawn games per player; 0 for maximum likelihood without a
    /// prior.
    pub draws: f64,
}

impl Default for Prior {
    fn default() -> Self {
        Self { draws: 2.0 }
    }
}

/// Why a tournament cannot be rated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RatingsError {
    /// Players that no chain of games connects cannot be compared.
    #[error("no games connect these groups of players: {}", groups(.0))]
    Disconnected(Vec<Vec<String>>),
    /// A record has the index of a player that is not among the names.
    #[error("unknown player number {0}")]
    NoPlayer(usize),
    /// Without a prior, somebody lost or won everything, or nobody moved both
    /// first and second.
    #[error(
        "without a prior these games determine no finite ratings: \
         somebody lost or won every game, or colours were never swapped"
    )]
    NotFinite,
}

fn groups(components: &[Vec<String>]) -> String {
    let group = |names: &Vec<String>| format!("{{{}}}", names.join(", "));
    components.iter().map(group).collect::<Vec<_>>().join(" and ")
}

/// The ratings of all players and the advantage of the first move, with their
/// covariance.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// In Elo, by player; their mean is zero.
    values: Vec<f64>,
    /// Of the first move, in Elo.
    advantage: f64,
    /// Of the ratings and, last, the advantage; in Elo².
    covariance: Vec<Vec<f64>>,
}

/// The residual of a pairing: its score, and the score that the ratings predict. The two
/// differ where strength is not transitive, as is frequent with variants of one
/// algorithm.
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

/// Computes the ratings of the players `names` from the games of `records`.
///
/// # Errors
/// If the players fall into groups with no game between them, if an index is out of
/// range, or if without a prior a rating is not finite.
pub fn rate(names: &[String], records: &[Record], prior: Prior) -> Result<Ratings, RatingsError> {
    let players = names.len();
    let mut mentioned = records.iter().flat_map(|record| [record.first_mover, record.second_mover]);
    if let Some(missing) = mentioned.find(|&player| player >= players) {
        return Err(RatingsError::NoPlayer(missing));
    }
    let components = components(players, records);
    if components.len() > 1 {
        let name = |group: Vec<usize>| group.into_iter().map(|i| names[i].clone()).collect();
        return Err(RatingsError::Disconnected(components.into_iter().map(name).collect()));
    }
    fit(players, records, prior).ok_or(RatingsError::NotFinite)
}

impl Ratings {
    /// The rating of a player; the mean of all players is zero.
    #[must_use]
    pub fn rating(&self, player: usize) -> Elo {
        Elo(self.values[player])
    }

    /// The standard error of a player's rating, as its difference from the mean of all.
    #[must_use]
    pub fn standard_error(&self, player: usize) -> Elo {
        Elo(self.covariance[player][player].max(0.0).sqrt())
    }

    /// The confidence interval of a player's rating, as its difference from the mean of
    /// all.
    #[must_use]
    pub fn interval(&self, player: usize, level: Level) -> Interval<Elo> {
        around(self.rating(player), self.standard_error(player), level)
    }

    /// The advantage of the first move, as a rating difference.
    #[must_use]
    pub const fn advantage(&self) -> Elo {
        Elo(self.advantage)
    }

    /// The confidence interval of [`Self::advantage`].
    #[must_use]
    pub fn advantage_interval(&self, level: Level) -> Interval<Elo> {
        let last = self.values.len();
        around(self.advantage(), Elo(self.covariance[last][last].sqrt()), level)
    }

    /// The rating of `player` minus that of `opponent`.
    #[must_use]
    pub fn difference(&self, player: usize, opponent: usize) -> Elo {
        Elo(self.values[player] - self.values[opponent])
    }

    /// The standard error of the difference of two players' ratings,
    /// `sqrt(C_ii - 2C_ij + C_jj)`: use it to compare two players.
    #[must_use]
    pub fn difference_error(&self, player: usize, opponent: usize) -> Elo {
        let c = &self.covariance;
        let variance = c[player][player] - 2.0 * c[player][opponent] + c[opponent][opponent];
        Elo(variance.max(0.0).sqrt())
    }

    /// The confidence interval of the difference of two players' ratings.
    #[must_use]
    pub fn difference_interval(
        &self,
        player: usize,
        opponent: usize,
        level: Level,
    ) -> Interval<Elo> {
        let error = self.difference_error(player, opponent);
        around(self.difference(player, opponent), error, level)
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

fn around(middle: Elo, error: Elo, level: Level) -> Interval<Elo> {
    let half = level.z() * error.0;
    Interval { low: Elo(middle.0 - half), high: Elo(middle.0 + half) }
}

/// The groups of players that games connect, in the order of their first members.
fn components(players: usize, records: &[Record]) -> Vec<Vec<usize>> {
    fn root(parents: &[usize], mut player: usize) -> usize {
        while parents[player] != player {
            player = parents[player];
        }
        player
    }
    let mut parents: Vec<usize> = (0..players).collect();
    for record in records.iter().filter(|record| record.games.count() > 0) {
        let (a, b) = (root(&parents, record.first_mover), root(&parents, record.second_mover));
        parents[a.max(b)] = a.min(b);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for player in 0..players {
        groups.entry(root(&parents, player)).or_default().push(player);
    }
    groups.into_values().collect()
}

/// A step shorter than this, in logits, ends Newton's method.
const CLOSE: f64 = 1e-10;
/// A variance, in squared logits, from which on a rating is taken for infinite.
const LOST: f64 = 1e6;

/// The ratings in logits, the advantage last, by Newton's method: the virtual
/// opponent, or without a prior the first player, is at zero.
fn fit(players: usize, records: &[Record], prior: Prior) -> Option<Ratings> {
    let problem = Problem { players, records, prior };
    let mut x = vec![0.0; players + 1];
    let mut likelihood = problem.log_likelihood(&x);
    for _ in 0..100 {
        let (gradient, information) = problem.derivatives(&x);
        let covariance = linear::Cholesky::new(&information)?.inverse();
        let mut step = linear::product(&covariance, &gradient);
        // Concave, but a full step can overshoot: halve until it gains.
        let next = loop {
            let next: Vec<f64> = x.iter().zip(&step).map(|(x, s)| x + s).collect();
            let reached = problem.log_likelihood(&next);
            let longest = step.iter().map(|s| s.abs()).fold(0.0, f64::max);
            if reached >= likelihood || longest < CLOSE {
                likelihood = reached;
                break next;
            }
            step = step.into_iter().map(|s| s / 2.0).collect();
        };
        x = next;
        // Ratings on their way to infinity leave no information behind.
        let is_lost = (0..=players).any(|i| !x[i].is_finite() || covariance[i][i] > LOST);
        if is_lost {
            return None;
        }
        if step.iter().all(|s| s.abs() < CLOSE) {
            return Some(centred(&x, &covariance));
        }
    }
    None
}

/// Ratings and covariance in Elo, shifted to the mean rating zero, since only
/// differences are known: `r' = r - w·r` with w equal weights, and
/// `C' = P C Pᵀ` with `P = 1 - 1wᵀ`.
fn centred(x: &[f64], covariance: &[Vec<f64>]) -> Ratings {
    let players = x.len() - 1;
    let weight = 1.0 / players as f64;
    let mean = |values: &[f64]| values.iter().map(|value| value * weight).sum::<f64>();
    let shift = |values: &mut [f64]| {
        let mean = mean(&values[..players]);
        values[..players].iter_mut().for_each(|value| *value -= mean);
    };
    let mut ratings = x.to_vec();
    shift(&mut ratings);
    let mut shifted = covariance.to_vec();
    for row in &mut shifted {
        shift(row);
    }
    for column in 0..=players {
        let mut values: Vec<f64> = shifted.iter().map(|row| row[column]).collect();
        shift(&mut values);
        shifted.iter_mut().zip(values).for_each(|(row, value)| row[column] = value);
    }
    let unit = Elo::PER_LOGIT;
    shifted.iter_mut().flatten().for_each(|value| *value *= unit * unit);
    let advantage = ratings.pop().unwrap_or(0.0) * unit;
    // Adding zero turns minus zero into zero.
    let values = ratings.into_iter().map(|rating| rating * unit + 0.0).collect();
    Ratings { values, advantage, covariance: shifted }
}

/// The likelihood of a tournament.
struct Problem<'a> {
    players: usize,
    records: &'a [Record],
    prior: Prior,
}

impl Problem<'_> {
    /// The scores of the likelihood: wins and losses with the parameters whose
    /// sum, with these signs, is the logit of a win.
    fn terms(&self) -> impl Iterator<Item = (f64, f64, [Option<(usize, f64)>; 3])> {
        let advantage = self.players;
        let games = self.records.iter().map(move |record| {
            let Games { losses, draws, wins } = record.games;
            let (wins, losses) =
                (wins as f64 + 0.5 * draws as f64, losses as f64 + 0.5 * draws as f64);
            let (i, j) = (record.first_mover, record.second_mover);
            let own = Some((advantage, 1.0));
            if i == j {
                (wins, losses, [own, None, None])
            } else {
                (wins, losses, [own, Some((i, 1.0)), Some((j, -1.0))])
            }
        });
        let half = 0.5 * self.prior.draws;
        let prior = (0..=self.players).map(move |i| (half, half, [Some((i, 1.0)), None, None]));
        games.chain(prior)
    }

    fn log_likelihood(&self, x: &[f64]) -> f64 {
        let value = |(wins, losses, parts): (f64, f64, [Option<(usize, f64)>; 3])| {
            let logit: f64 = parts.iter().flatten().map(|&(i, sign)| sign * x[i]).sum();
            // -ln(1 + e^(-logit)) for a win, without overflow.
            let ln_sigma = |l: f64| l.min(0.0) - (-l.abs()).exp().ln_1p();
            wins * ln_sigma(logit) + losses * ln_sigma(-logit)
        };
        self.terms().map(value).sum()
    }

    /// The gradient, and minus the second derivatives.
    fn derivatives(&self, x: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = self.players + 1;
        let mut gradient = vec![0.0; size];
        let mut information = vec![vec![0.0; size]; size];
        for (wins, losses, parts) in self.terms() {
            let logit: f64 = parts.iter().flatten().map(|&(i, sign)| sign * x[i]).sum();
            let p = 1.0 / (1.0 + (-logit).exp());
            let surplus = wins - (wins + losses) * p;
            let weight = (wins + losses) * p * (1.0 - p);
            for &(i, sign) in parts.iter().flatten() {
                gradient[i] += sign * surplus;
                for &(j, other) in parts.iter().flatten() {
                    information[i][j] += sign * other * weight;
                }
            }
        }
        if self.prior.draws <= 0.0 {
            // Without a prior the likelihood knows differences only: the
            // first player stays where it is.
            information[0][0] += 1.0;
        }
        (gradient, information)
    }
}

#[cfg(test)]
#[path = "ratings_tests.rs"]
mod tests;
