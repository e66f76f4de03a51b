//! Regular grids over one or two parameters, and the scores of their cells.

use super::optimum::Samples;
use super::space::Point;
use super::trial::{Estimate, Score, Trial};

/// The points of a regular grid with `steps` points per parameter, which include both ends of each
/// range; the last coordinate changes fastest.
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
    /// The cells at `points`, before any game.
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

    /// Adds a score to the cell at `point`, if there is one.
    pub fn add(&mut self, point: &[f64], score: Score) {
        if let Some(cell) = self.points.iter().position(|other| other == point) {
            self.scores[cell] += score;
        }
    }

    /// The cells `among` in the order of their mean scores, the best first; of equal cells the
    /// earlier one. Each score counts one more win and one more loss, so that a cell with few games
    /// needs more than luck.
    #[must_use]
    pub fn ranking(&self, among: &[usize]) -> Vec<usize> {
        let rate = |cell: usize| (self.scores[cell].wins + 1.0) / (self.scores[cell].games() + 2.0);
        let mut ranking = among.to_vec();
        ranking.sort_by(|&a, &b| rate(b).total_cmp(&rate(a)).then(a.cmp(&b)));
        ranking
    }

    /// The estimate with the cell `best` as the optimum, and its intervals.
    #[must_use]
    pub fn estimate(&self, best: usize, seed: u64) -> Estimate {
        let mut samples = Samples::default();
        for (point, score) in self.points.iter().zip(&self.scores) {
            if score.games() > 0.0 {
                samples.push(&Trial::against_reference(point.clone(), 0), *score);
            }
        }
        samples.estimate(self.points[best].clone(), seed)
    }
}
