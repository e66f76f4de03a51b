//! The course of a sequential test that is not played yet: how long it takes, and how it ends, at
//! any true difference.

use super::elo::{Elo, NormalizedElo};
use super::interval::normal_quantile;
use super::pair_kind::PairKind;
use super::power::bisected;
use super::seed::mix;
use super::sprt::{Model, Settings, Sprt, State};
use super::tally::Pairs;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::atomic::{AtomicBool, Ordering};

/// The expected course of a sequential test of pairs at one true difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Expected number of pairs.
    pub pairs: f64,
    /// The number of pairs within which nine tenths of such tests end.
    pub nine_tenths: u64,
    /// Probability that the test accepts H0.
    pub accepts_h0: f64,
    /// Probability that the test accepts H1.
    pub accepts_h1: f64,
    /// Probability that the test is undecided when all pairs are played.
    pub undecided: f64,
    /// Standard error of `pairs`: 0 if the course is computed exactly.
    pub error: f64,
    /// Number of simulated tests; `None` if the course is computed exactly.
    pub simulated: Option<u64>,
}

/// How far the course of a test is followed, and how it is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// Most pairs of a test, after which it is undecided: at least 1.
    pub pairs: u64,
    /// Number of simulated tests: at least 1.
    pub tests: u64,
    /// The test number n has the seed `mix(seed, n)`.
    pub seed: u64,
}

impl Course {
    /// The standard error of one of the probabilities: 0 if the course is computed exactly.
    #[must_use]
    pub fn error_of(&self, probability: f64) -> f64 {
        let tests = self.simulated.map_or(f64::INFINITY, |tests| tests as f64);
        (probability * (1.0 - probability) / tests).sqrt()
    }

    /// The course of tests of which `ended[n]` have stopped after n + 1 pairs by accepting H0 and
    /// H1, and of which the rest is undecided after the last pair: counts or probabilities.
    fn of(ended: &[[f64; 2]], undecided: f64, simulated: Option<u64>) -> Self {
        let last = ended.len() as f64;
        let all = ended.iter().flatten().sum::<f64>() + undecided;
        let (mut sum, mut squares, mut accepted) =
            (undecided * last, undecided * last * last, [0.0; 2]);
        let (mut nine_tenths, mut so_far) = (ended.len() as u64, 0.0);
        for (pairs, [h0, h1]) in (1..).zip(ended) {
            let n = pairs as f64;
            sum += n * (h0 + h1);
            squares += n * n * (h0 + h1);
            accepted = [accepted[0] + h0, accepted[1] + h1];
            so_far += h0 + h1;
            if so_far >= 0.9 * all {
                nine_tenths = nine_tenths.min(pairs);
            }
        }
        let pairs = sum / all;
        let error = match simulated {
            Some(tests) => ((squares / all - pairs * pairs).max(0.0) / tests as f64).sqrt(),
            None => 0.0,
        };
        let [accepts_h0, accepts_h1] = accepted.map(|count| count / all);
        let undecided = undecided / all;
        Self { pairs, nine_tenths, accepts_h0, accepts_h1, undecided, error, simulated }
    }
}

impl Sprt {
    /// The course of this test on pairs of this `kind`, if the true difference is `truth`; `None` if
    /// `stop` is set meanwhile.
    ///
    /// Wald's model depends on the points alone, so that its course is the exact sum over all
    /// courses of the points: a few hundred sums per pair. The other models depend on the counts of
    /// all scores, and are simulated: about 0.3 µs per pair of a test. A course does not depend on
    /// the other truths that are computed.
    ///
    /// # Panics
    /// If a test has no pair, or there is no test.
    #[must_use]
    pub fn course(
        &self,
        kind: &PairKind,
        truth: Elo,
        simulation: &Simulation,
        stop: &AtomicBool,
    ) -> Option<Course> {
        let &Simulation { pairs, tests, .. } = simulation;
        assert!(pairs > 0 && tests > 0, "{tests} tests of {pairs} pairs");
        let cells = kind.cells(truth.score());
        match self.settings().model {
            Model::Wald => self.exact_course(&cells, pairs, stop),
            Model::Logistic | Model::Normalized => self.simulated_course(&cells, simulation, stop),
        }
    }

    /// The course of Wald's test.
    fn exact_course(&self, cells: &[f64; 5], most: u64, stop: &AtomicBool) -> Option<Course> {
        let mut ended = Vec::new();
        // The probabilities of `first`, `first + 1` and so on points in halves, with which the test
        // goes on.
        let (mut first, mut going) = (0_u64, vec![1.0]);
        for pairs in 1..=most {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut next = vec![0.0; going.len() + 4];
            for (place, probability) in going.iter().enumerate() {
                for (halves, cell) in cells.iter().enumerate() {
                    next[place + halves] += probability * cell;
                }
            }
            let mut now = [0.0; 2];
            let mut is_going = Vec::with_capacity(next.len());
            let mut begins = first;
            for (halves, probability) in (first..).zip(next) {
                let llr = self.wald_of(halves as f64 / 2.0, (4 * pairs - halves) as f64 / 2.0);
                match self.state(llr) {
                    State::AcceptH0 => now[0] += probability,
                    State::AcceptH1 => now[1] += probability,
                    State::Continue => {
                        if is_going.is_empty() {
                            begins = halves;
                        }
                        is_going.push(probability);
                    }
                }
            }
            (first, going) = (begins, is_going);
            ended.push(now);
            if going.iter().sum::<f64>() < 1e-15 {
                break;
            }
        }
        Some(Course::of(&ended, going.iter().sum(), None))
    }

    fn simulated_course(
        &self,
        cells: &[f64; 5],
        &Simulation { pairs: most, tests, seed }: &Simulation,
        stop: &AtomicBool,
    ) -> Option<Course> {
        let mut ended: Vec<[f64; 2]> = Vec::new();
        let mut undecided = 0.0;
        for test in 0..tests {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut stream = Xoshiro256PlusPlus::seed_from_u64(mix(seed, test));
            let mut counts = [0; 5];
            let end = (0..most).find_map(|pair| {
                counts[drawn(cells, &mut stream)] += 1;
                let llr = self.llr(&Pairs::from_cells(counts))?;
                match self.state(llr) {
                    State::Continue => None,
                    state => Some((pair, state)),
                }
            });
            match end {
                Some((pair, state)) => {
                    #[allow(clippy::cast_possible_truncation)] // as many pairs as were played
                    let place = pair as usize;
                    ended.resize(ended.len().max(place + 1), [0.0; 2]);
                    ended[place][usize::from(state == State::AcceptH1)] += 1.0;
                }
                None => undecided += 1.0,
            }
        }
        if undecided > 0.0 {
            #[allow(clippy::cast_possible_truncation)] // as many pairs as were played
            ended.resize(most as usize, [0.0; 2]);
        }
        Some(Course::of(&ended, undecided, Some(tests)))
    }

    /// The rating difference that is `elo` in the Elo of the model: another number for the normalized
    /// model alone, where pairs of this `kind` have the normalized Elo `elo` at the difference.
    #[must_use]
    pub fn truth(&self, kind: &PairKind, elo: f64) -> Elo {
        if self.settings().model != Model::Normalized {
            return Elo(elo);
        }
        let t = std::f64::consts::SQRT_2 * elo / NormalizedElo::PER_DEVIATION;
        let is_above = |score: f64| score - 0.5 >= t * kind.deviation(score);
        // The score in deviations rises from -∞ to ∞.
        Elo::from_score(bisected(0.0, 1.0, is_above))
    }

    /// Five true differences at which the course is of interest: half the distance of the hypotheses
    /// below H0, H0, midway, H1, and half the distance above H1.
    #[must_use]
    pub fn truths(&self, kind: &PairKind) -> [Elo; 5] {
        let Settings { elo0, elo1, .. } = *self.settings();
        [-0.5, 0.0, 0.5, 1.0, 1.5].map(|part| self.truth(kind, elo0 + part * (elo1 - elo0)))
    }

    /// The number of pairs of this `kind` with which a match of fixed length has the error rates of
    /// this test: `((z_α σ₀ + z_β σ₁) / (s₁ - s₀))²`, with the scores s under H0 and H1 and the
    /// deviations σ of a pair there (Fleiss, Levin and Paik 2003, "Statistical methods for rates and
    /// proportions", section 4.1).
    #[must_use]
    pub fn fixed_pairs(&self, kind: &PairKind) -> f64 {
        let Settings { elo0, elo1, alpha, beta, .. } = *self.settings();
        let [s0, s1] = [elo0, elo1].map(|elo| self.truth(kind, elo).score());
        let [z0, z1] = [alpha, beta].map(|rate| -normal_quantile(rate));
        ((z0 * kind.deviation(s0) + z1 * kind.deviation(s1)) / (s1 - s0)).powi(2)
    }
}

/// The score of a pair, drawn with these probabilities.
fn drawn(cells: &[f64; 5], stream: &mut Xoshiro256PlusPlus) -> usize {
    let mut left = stream.random::<f64>();
    for (place, cell) in cells.iter().enumerate() {
        if left < *cell {
            return place;
        }
        left -= cell;
    }
    // Rounding leaves a little beyond the last cell that has any weight.
    cells.iter().rposition(|&cell| cell > 0.0).unwrap_or(0)
}

#[cfg(test)]
#[path = "course_tests.rs"]
mod tests;
