//! The most likely ratings under Jeffreys' prior.

use super::Record;
use crate::linear::Cholesky;
use crate::tally::Games;

/// The parameters whose sum, with these signs, is the logit of a win of the first mover.
pub(super) type Parts = [Option<(usize, f64)>; 3];

/// Which players and parameters a likelihood has: the ratings of `players` players and, at the
/// index `players`, the advantage of the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Model {
    pub players: usize,
    /// Whether the games tell the advantage from strength; if not, it is zero.
    pub has_advantage: bool,
}

impl Model {
    /// The parts of the logit of a win of player `i`, who moves first, against `j`.
    pub fn parts(self, i: usize, j: usize) -> Parts {
        // A game of a player against itself tells of the advantage only.
        let differ = (i != j).then_some([(i, 1.0), (j, -1.0)]);
        let [first, second] = differ.map_or([None; 2], |both| both.map(Some));
        [self.has_advantage.then_some((self.players, 1.0)), first, second]
    }
}

/// The sum of `parts` at the parameters `x`: the logit of a win, or its change along a direction.
pub(super) fn along(parts: &Parts, x: &[f64]) -> f64 {
    parts.iter().flatten().map(|&(i, sign)| sign * x[i]).sum()
}

/// The logistic function.
pub(super) fn sigma(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The games of one player moving first against another: a term of the likelihood.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub parts: Parts,
    wins: f64,
    losses: f64,
}

impl Term {
    /// The terms of `records`; a draw is half a win and half a loss.
    pub fn all(model: Model, records: &[Record]) -> Vec<Self> {
        let played = records.iter().filter(|record| record.games.count() > 0);
        let term = |&Record { first_mover, second_mover, games }: &Record| {
            let Games { losses, draws, wins } = games;
            let [wins, losses] = [wins, losses].map(|count| count as f64 + 0.5 * draws as f64);
            Self { parts: model.parts(first_mover, second_mover), wins, losses }
        };
        played.map(term).collect()
    }

    pub fn games(&self) -> f64 {
        self.wins + self.losses
    }
}

/// The maximum of the penalised likelihood.
pub(super) struct Fit {
    /// The parameters in logits.
    pub x: Vec<f64>,
    /// The inverse of the information at `x`.
    pub covariance: Vec<Vec<f64>>,
}

/// A step shorter than this, in logits, ends the search for the maximum.
const CLOSE: f64 = 1e-10;

/// The most steps of the search. With very many games rounding keeps steps longer than [`CLOSE`].
/// Otherwise a few dozen are enough.
const MOST_STEPS: usize = 200;

impl Fit {
    /// The parameters that maximise the likelihood times the square root of the determinant of
    /// the information (Firth 1993, "Bias reduction of maximum likelihood estimates", section 3).
    ///
    /// The games connect all players, and tell the advantage from strength if the model has it:
    /// otherwise the information is singular.
    ///
    /// The gradient of the penalised likelihood is the likelihood's own for records with h/2 more
    /// wins and h/2 more losses, where h is the leverage of a record: its share, 0 to 1, in the
    /// parameters. Each step is Newton's for these records. It takes players³ multiplications.
    pub fn new(model: Model, terms: &[Term]) -> Self {
        let mut x = vec![0.0; model.players + 1];
        let (mut value, mut cholesky) = penalised(model, terms, &x);
        for _ in 0..MOST_STEPS {
            let covariance = cholesky.inverse();
            let mut step = step(model, terms, &x, &covariance);
            // A full step can overshoot: halve until it gains.
            loop {
                let next: Vec<f64> = x.iter().zip(&step).map(|(x, s)| x + s).collect();
                let (reached, decomposed) = penalised(model, terms, &next);
                let is_close = step.iter().all(|s| s.abs() < CLOSE);
                if reached >= value || is_close {
                    (x, value, cholesky) = (next, reached, decomposed);
                    if is_close {
                        return Self { x, covariance: cholesky.inverse() };
                    }
                    break;
                }
                for s in &mut step {
                    *s /= 2.0;
                }
            }
        }
        Self { x, covariance: cholesky.inverse() }
    }
}

/// The logarithm of the penalised likelihood, and the decomposition of the information.
fn penalised(model: Model, terms: &[Term], x: &[f64]) -> (f64, Cholesky) {
    // -ln(1 + e^(-logit)) for a win, without overflow.
    let ln_sigma = |l: f64| l.min(0.0) - (-l.abs()).exp().ln_1p();
    let value = |term: &Term| {
        let logit = along(&term.parts, x);
        term.wins * ln_sigma(logit) + term.losses * ln_sigma(-logit)
    };
    let likelihood: f64 = terms.iter().map(value).sum();
    let information = information(model, terms, std::iter::repeat(0.0), x);
    let cholesky = Cholesky::new(&information).expect("the games identify every parameter");
    (likelihood + cholesky.log_determinant() / 2.0, cholesky)
}

/// Newton's step from `x`, where `covariance` is the inverse of the information.
fn step(model: Model, terms: &[Term], x: &[f64], covariance: &[Vec<f64>]) -> Vec<f64> {
    let mut gradient = vec![0.0; x.len()];
    let mut added = Vec::with_capacity(terms.len());
    for term in terms {
        let p = sigma(along(&term.parts, x));
        let product = |&(i, sign): &(usize, f64)| sign * along(&term.parts, &covariance[i]);
        let variance: f64 = term.parts.iter().flatten().map(product).sum();
        let leverage = term.games() * p * (1.0 - p) * variance;
        let surplus = term.wins - term.games() * p + leverage * (0.5 - p);
        for &(i, sign) in term.parts.iter().flatten() {
            gradient[i] += sign * surplus;
        }
        added.push(leverage);
    }
    let information = information(model, terms, added, x);
    let cholesky = Cholesky::new(&information).expect("more games than those that identify");
    cholesky.solve(&gradient)
}

/// The information of the terms with `added` games each. It is regular: a constant of the size of
/// the information takes the places of what no game can tell, the mean of all ratings and, in a
/// model without it, the advantage.
fn information(
    model: Model,
    terms: &[Term],
    added: impl IntoIterator<Item = f64>,
    x: &[f64],
) -> Vec<Vec<f64>> {
    let Model { players, has_advantage } = model;
    // A much smaller constant would be lost in rounding, and spoil the inverse.
    let games = terms.iter().map(Term::games).sum::<f64>().max(1.0);
    let constant = games / players.pow(2) as f64;
    let mut information = vec![vec![constant; players + 1]; players + 1];
    for row in &mut information[..players] {
        row[players] = 0.0;
    }
    information[players][..players].fill(0.0);
    if has_advantage {
        information[players][players] = 0.0;
    }
    for (term, added) in terms.iter().zip(added) {
        let logit = along(&term.parts, x);
        let weight = (term.games() + added) * sigma(logit) * sigma(-logit);
        for &(i, sign) in term.parts.iter().flatten() {
            for &(j, other) in term.parts.iter().flatten() {
                information[i][j] += sign * other * weight;
            }
        }
    }
    information
}
