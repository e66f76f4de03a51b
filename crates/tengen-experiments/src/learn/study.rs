//! How well the teacher's moves are predicted: by stage of the game, and by the number of positions that
//! were learned from.

use super::positions::Positions;
use serde::{Deserialize, Serialize};
use tengen_learn::{Fit, Prediction, Row};

/// Source of the probabilities of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Judge {
    /// The same probability for every move.
    Uniform,
    /// The prior `heuristic` of `uct`, divided by the sum over all moves.
    Heuristic,
    /// The weights.
    Learned,
}

/// How well the moves of held-out positions are predicted: a row of `prediction.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictionRow {
    /// Source of the probabilities.
    pub judge: Judge,
    /// Least number of plies before a position.
    pub from_ply: u32,
    /// Bound below which this number of plies lies; none for no bound.
    pub below_ply: Option<u32>,
    /// Number of positions.
    pub positions: u64,
    /// The mean of −ln P of the most visited move.
    pub log_loss: Option<f64>,
    /// Share of the positions where the judge ranks the most visited move first.
    pub top_1: Option<f64>,
    /// Share of the positions where the most visited move is among the judge's first five.
    pub top_5: Option<f64>,
}

/// The loss after learning from a number of positions: a row of `learning_curve.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurveRow {
    /// Number of positions that were learned from.
    pub positions: usize,
    /// The mean of −ln P of the most visited move in held-out positions.
    pub log_loss: Option<f64>,
    /// Share of the held-out positions where the most visited move is ranked first.
    pub top_1: Option<f64>,
    /// Share of the held-out positions where the most visited move is among the first five.
    pub top_5: Option<f64>,
}

/// A study of weights, in addition to the matches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Study {
    /// The predictions by stage of the game; the first row of each judge covers all stages.
    pub predictions: Vec<PredictionRow>,
    /// The learning curve.
    pub curve: Vec<CurveRow>,
}

/// The stages of a game, in plies.
const STAGES: [(u32, Option<u32>); 5] =
    [(0, None), (0, Some(20)), (20, Some(40)), (40, Some(60)), (60, None)];

/// The fewest positions of a learning curve.
const FEWEST: usize = 100;

impl Study {
    /// The study of the weights `rows`, which `fit` made of `positions` without the features that
    /// are left out. Each point of the curve takes a fit.
    #[must_use]
    pub fn new(
        rows: &[Row],
        positions: &Positions,
        fit: Fit,
        is_left_out: &dyn Fn(u32) -> bool,
    ) -> Self {
        let held_out = positions.held_out();
        let mut predictions = Vec::new();
        for judge in [Judge::Uniform, Judge::Heuristic, Judge::Learned] {
            for (from_ply, below_ply) in STAGES {
                let is_in = |&&number: &&usize| {
                    let ply = positions.samples.get(number).ply;
                    ply >= from_ply && below_ply.is_none_or(|below| ply < below)
                };
                let numbers: Vec<usize> = held_out.iter().filter(is_in).copied().collect();
                let found = predicted(judge, rows, positions, &numbers);
                predictions.push(PredictionRow {
                    judge,
                    from_ply,
                    below_ply,
                    positions: found.positions,
                    log_loss: found.log_loss(),
                    top_1: found.top_1(),
                    top_5: found.top_5(),
                });
            }
        }
        let all = positions.fitted(None).len();
        let numbers = std::iter::successors(Some(all), |number| Some(number / 2));
        let mut curve: Vec<CurveRow> = numbers
            .take_while(|&number| number >= FEWEST)
            .map(|number| {
                let fitted = positions.fitted(Some(number));
                let rows = fit.run(&positions.samples, &fitted, is_left_out);
                let found = Prediction::by_weights(&rows, &positions.samples, &held_out);
                CurveRow {
                    positions: number,
                    log_loss: found.log_loss(),
                    top_1: found.top_1(),
                    top_5: found.top_5(),
                }
            })
            .collect();
        curve.reverse();
        Self { predictions, curve }
    }
}

fn predicted(judge: Judge, rows: &[Row], positions: &Positions, numbers: &[usize]) -> Prediction {
    let samples = &positions.samples;
    match judge {
        Judge::Learned => Prediction::by_weights(rows, samples, numbers),
        Judge::Uniform => Prediction::by_weights(&[], samples, numbers),
        Judge::Heuristic => {
            let mut found = Prediction::default();
            for &number in numbers {
                let sample = samples.get(number);
                let shares = &positions.heuristic[sample.places()];
                let shares: Vec<f64> = shares.iter().copied().map(f64::from).collect();
                found.count(&sample, &shares);
            }
            found
        }
    }
}
