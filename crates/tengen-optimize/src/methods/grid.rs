//! Regular grids over one or two parameters, and the scores of their cells.

use super::space::Point;
use super::trial::{Estimate, Score};
use rand_distr::{Beta, Distribution};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_stats::{Level, percentile_interval};

/// Draws for the interval of the optimum.
const DRAWS: usize = 1_000;

/// The points of a regular grid with `steps` points per parameter, both ends of each
/// range among them, the last coordinate fastest.
#[must_use]
pub fn regular(dimensions: usize, steps: usize) -> Vec<Point> {
    let unit = |step: usize| {
        if steps < 2 { 0.0 } else { 2.0 * step as f64 / (steps - 1) as f64 - 1.0 }
    };
    let mut points = vec![Vec::new()];
    for _ in 0..dimensions {
        points = points
            .into_iter()
            .flat_map(|point: Point| {
                (0..steps).map(move |step| point.iter().copied().chain([unit(step)]).collect())
            })
            .collect();
    }
    points
}

/// A grid with the score of each cell.
#[derive(Clone, Debug)]
pub struct Cells {
    points: Vec<Point>,
    scores: Vec<Score>,
}

impl Cells {
    /// The cells at `points`, with nothing played.
    #[must_use]
    pub fn new(points: Vec<Point>) -> Self {
        let scores = vec![Score::default(); points.len()];
        Self { points, scores }
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The scores.
    #[must_use]
    pub fn scores(&self) -> &[Score] {
        &self.scores
    }

    /// Adds a score to the cell at `point`, if there is one.
    pub fn add(&mut self, point: &[f64], score: Score) {
        if let Some(cell) = self.points.iter().position(|other| other == point) {
            self.scores[cell] += score;
        }
    }

    /// The cells in the order of their mean scores, the best first; among equals the
    /// earlier one. A won and a lost game are added to each, so that a cell with few
    /// games needs more than luck.
    #[must_use]
    pub fn ranking(&self, among: &[usize]) -> Vec<usize> {
        let rate = |cell: usize| (self.scores[cell].wins + 1.0) / (self.scores[cell].games() + 2.0);
        let mut ranking = among.to_vec();
        ranking.sort_by(|&a, &b| rate(b).total_cmp(&rate(a)).then(a.cmp(&b)));
        ranking
    }

    /// The estimate that the cell `best` is the optimum. Its interval is that of the best
    /// cell in draws from the posterior of each cell's win rate (Beta, Jeffreys' prior).
    #[must_use]
    pub fn estimate(&self, best: usize, seed: u64) -> Estimate {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut draw = || {
            let rates = self.scores.iter().map(|score| {
                let beta = Beta::new(score.wins + 0.5, score.losses + 0.5);
                beta.map_or(0.5, |beta| beta.sample(&mut stream))
            });
            let drawn: Vec<f64> = rates.collect();
            (0..drawn.len()).max_by(|&a, &b| drawn[a].total_cmp(&drawn[b])).unwrap_or_default()
        };
        let optima: Vec<usize> = (0..DRAWS).map(|_| draw()).collect();
        let point = self.points[best].clone();
        let interval = |number: usize| {
            let units = optima.iter().map(|&cell| self.points[cell][number]).collect();
            percentile_interval(units, Level::P95)
        };
        match (0..point.len()).map(interval).collect() {
            Some(intervals) => Estimate::new(point, intervals),
            None => Estimate::unknown(point),
        }
    }
}
