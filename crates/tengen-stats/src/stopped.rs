//! The rating difference after a sequential test.
//!
//! A test that accepts `elo1` stops where the first player happens to be ahead, so that the score
//! of its pairs is too high on average, and an interval for matches of fixed length is wrong. The
//! estimate here is median-unbiased: above the true difference as often as below it. It orders all
//! ways in which the test can end by how much they speak for the first player, and asks which true
//! difference makes the result at hand the median (the stage-wise ordering of Tsiatis, Rosner and
//! Mehta 1984, "Exact confidence intervals following a group sequential test"):
//!
//! ```text
//! elo1 after 5 pairs > elo1 after 6 > ... > not decided > ... > elo0 after 6 > elo0 after 5
//! ```
//!
//! Among results of one length the greater score speaks more for the first player. The probability
//! of each result is summed pair by pair over the lead of the first player in won pairs (`Walk`).
//! How often pairs are split is not known; it is taken from the pairs of the test and
//! [`PSEUDO_PAIRS`].

use super::elo::Elo;
use super::gsprt::{EMPTY, with_mean};
use super::interval::{Interval, Level};
use super::pairs::PSEUDO_PAIRS;
use super::sprt::{Sprt, State};
use super::tally::Pairs;
use std::cmp::Ordering;

/// A rating difference after a sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppedElo {
    /// The median-unbiased estimate.
    pub elo: Elo,
    /// Its confidence interval.
    pub interval: Interval<Elo>,
}

impl StoppedElo {
    /// The difference as the second player sees it.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let Interval { low, high } = self.interval;
        let minus = |Elo(elo): Elo| Elo(0.0 - elo);
        Self { elo: minus(self.elo), interval: Interval { low: minus(high), high: minus(low) } }
    }
}

/// Differences beyond this, in Elo, count as infinite.
const MOST_ELO: f64 = 2000.0;

/// Halvings of the range of differences: to less than 0.001 Elo.
const HALVINGS: usize = 22;

impl Sprt {
    /// The rating difference of two players after `pairs`, the last of which decided this test or
    /// was the last one planned. `None` without pairs, and for pairs without an LLR
    /// ([`Self::llr`]).
    ///
    /// # Examples
    /// ```
    /// use tengen_stats::{Elo, Level, Pairs, Sprt};
    ///
    /// let test: Sprt = "elo0=0 elo1=50".parse()?;
    /// let pairs = Pairs::without_draws([21, 48, 42]);
    /// let after = test.estimate(&pairs, Level::P95).ok_or("no pairs")?;
    /// let naive = Elo::from_score(pairs.score().ok_or("no pairs")?);
    /// assert!(after.elo < naive && after.interval.contains(&after.elo));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn estimate(&self, pairs: &Pairs, level: Level) -> Option<StoppedElo> {
        let above = self.above(pairs)?;
        Some(solve(&*above, level))
    }

    /// The one-sided p-value, after such `pairs`, of "the true score is above `score`": the
    /// probability, if the true score is `score`, of a result that speaks more for the first
    /// player, and half the probability of one that speaks as much. It belongs to
    /// [`Self::estimate`], as [`Pairs::p_value`] to [`Pairs::interval`]. `None` as there, and unless
    /// `score` is above 0 and below 1.
    #[must_use]
    pub fn p_value(&self, pairs: &Pairs, score: f64) -> Option<f64> {
        (score > 0.0 && score < 1.0).then(|| self.above(pairs))?.map(|above| above(score))
    }

    /// The probability of a result that speaks more for the first player than `pairs`
    /// ([`Walk::above`]), as a function of the true mean score.
    fn above(&self, pairs: &Pairs) -> Option<Box<dyn Fn(f64) -> f64>> {
        let seen = Seen { pairs, score: pairs.score()?, llr: self.llr(pairs)? };
        // A score that no pair had gets a little weight, as in the test.
        let weights = pairs.with(&PSEUDO_PAIRS).cells().map(|count| (count as f64).max(EMPTY));
        match (pairs.cells(), weights) {
            // As in the test itself: without jigo two scores are impossible.
            ([ll, 0, split, 0, ww], [lost, _, even, _, won]) => {
                let walk = Walk::new(self, [lost, even, won], [ll, split, ww], &seen)?;
                Some(Box::new(move |mean| walk.above(mean)))
            }
            (cells, weights) => {
                let walk = Walk::new(self, weights, cells, &seen)?;
                Some(Box::new(move |mean| walk.above(mean)))
            }
        }
    }
}

impl Sprt {
    /// Whether this test can have stopped with these pairs: they decide it, and without one of
    /// them, which may have been the last, they would not.
    #[must_use]
    pub fn can_have_stopped(&self, pairs: &Pairs) -> bool {
        let is_decided =
            |pairs: &Pairs| self.llr(pairs).is_some_and(|llr| self.state(llr) != State::Continue);
        let cells = pairs.cells();
        let before = (0..cells.len()).filter(|&cell| cells[cell] > 0).map(|cell| {
            let mut before = cells;
            before[cell] -= 1;
            Pairs::from_cells(before)
        });
        is_decided(pairs) && !before.into_iter().all(|before| is_decided(&before))
    }
}

/// The result at hand.
struct Seen<'a> {
    pairs: &'a Pairs,
    score: f64,
    llr: f64,
}

/// The course of a test, pair by pair, as the lead of the first player: the sum of the scores of
/// its pairs, in steps from one score to the next, with a split pair as zero.
struct Walk<const N: usize> {
    /// Probabilities of the scores of a pair: with another mean they are tilted.
    shape: [f64; N],
    /// After each pair the highest lead at which `elo0` is accepted, and the lowest one for `elo1`.
    bounds: Vec<(i64, i64)>,
    /// The lead at hand after the last pair.
    lead: i64,
}

/// The number of mean scores, evenly spread, for which the LLR per pair is computed.
const GRID: usize = 1000;

impl<const N: usize> Walk<N> {
    /// The lead that a won pair adds.
    #[allow(clippy::cast_possible_wrap)] // 1 or 2
    const WON: i64 = (N / 2) as i64;

    /// The walk of `test` up to the result `seen`, whose pairs by score are `cells`.
    ///
    /// The test stops by its LLR, which depends on all counts. Here the LLR is a function of the
    /// mean alone: the LLR per pair of the shape with this mean, scaled so that the mean of `seen`
    /// gives the LLR of `seen`.
    fn new(test: &Sprt, shape: [f64; N], cells: [u64; N], seen: &Seen<'_>) -> Option<Self> {
        let total: f64 = shape.iter().sum();
        let shape = shape.map(|weight| weight / total);
        let per_pair = LlrPerPair::of(test, &shape)?;
        let count = seen.pairs.count();
        let scale = (seen.llr / (count as f64 * per_pair.at(seen.score))).clamp(0.25, 4.0);
        let scale = if scale.is_nan() { 1.0 } else { scale };
        let stops = test.bounds();
        let bounds_after = |pairs: u64| {
            let pairs = pairs as f64;
            let lead = |llr: f64| {
                let mean = per_pair.mean(llr / (scale * pairs));
                (mean - 0.5) * 2.0 * Self::WON as f64 * pairs
            };
            #[allow(clippy::cast_possible_truncation)] // a few steps per pair
            let whole = |lead: f64| lead as i64;
            let (low, high) = (lead(stops.lower), lead(stops.upper));
            (whole((low + 1e-6).floor()), whole((high - 1e-6).ceil()))
        };
        let by_score = cells.iter().zip(-Self::WON..);
        let lead = by_score.map(|(&count, step)| count.cast_signed() * step).sum();
        let mut bounds: Vec<(i64, i64)> = (1..=count).map(bounds_after).collect();
        // The bounds after the last pair agree with the verdict of the test.
        if let Some((low, high)) = bounds.last_mut() {
            (*low, *high) = match test.state(seen.llr) {
                State::AcceptH0 => ((*low).max(lead), (*high).max(lead + 1)),
                State::AcceptH1 => ((*low).min(lead - 1), (*high).min(lead)),
                State::Continue => ((*low).min(lead - 1), (*high).max(lead + 1)),
            };
        }
        Some(Self { shape, bounds, lead })
    }

    /// The probability of a result that speaks more for the first player than the result at hand,
    /// plus half the probability of one that speaks as much, if the true mean score of a pair is
    /// `mean`.
    fn above(&self, mean: f64) -> f64 {
        let steps = with_mean(&self.shape, mean);
        let mut above = 0.0;
        // The probabilities of the leads `first`, `first + 1` and so on, at which the test goes on.
        let (mut first, mut leads) = (0, vec![1.0]);
        for (place, &(low, high)) in self.bounds.iter().enumerate() {
            let is_last = place + 1 == self.bounds.len();
            let mut next = vec![0.0; leads.len() + N - 1];
            for (lead, probability) in leads.iter().enumerate() {
                for (step, weight) in steps.iter().enumerate() {
                    next[lead + step] += probability * weight;
                }
            }
            first -= Self::WON;
            let with_lead = (first..).zip(next);
            if is_last {
                let share = |lead: i64| match lead.cmp(&self.lead) {
                    Ordering::Less => 0.0,
                    Ordering::Equal => 0.5,
                    Ordering::Greater => 1.0,
                };
                return above + with_lead.map(|(lead, p)| share(lead) * p).sum::<f64>();
            }
            leads.clear();
            for (lead, probability) in with_lead {
                if lead >= high {
                    above += probability;
                } else if lead > low {
                    if leads.is_empty() {
                        first = lead;
                    }
                    leads.push(probability);
                }
            }
        }
        above
    }
}

/// The estimate and its interval, from the probability of a result that speaks more for the first
/// player as a function of the true mean score.
fn solve(above: &dyn Fn(f64) -> f64, level: Level) -> StoppedElo {
    let difference = |probability: f64| {
        let above = |elo: f64| above(Elo(elo).score());
        let (mut low, mut high) = (-MOST_ELO, MOST_ELO);
        if above(low) >= probability {
            return Elo(f64::NEG_INFINITY);
        }
        if above(high) <= probability {
            return Elo(f64::INFINITY);
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if above(middle) < probability { low = middle } else { high = middle }
        }
        Elo(f64::midpoint(low, high))
    };
    let (tail, elo) = (level.tail(), difference(0.5));
    StoppedElo { elo, interval: Interval { low: difference(tail), high: difference(1.0 - tail) } }
}

/// The LLR per pair of a test as a function of the mean score, for pairs of one shape.
struct LlrPerPair(Vec<f64>);

impl LlrPerPair {
    fn of<const N: usize>(test: &Sprt, shape: &[f64; N]) -> Option<Self> {
        let mut highest = f64::NEG_INFINITY;
        let rising = |place: usize| {
            let found = test.llr_of_pairs(with_mean(shape, Self::score(place)))?;
            // The LLR rises, except for rounding.
            highest = found.max(highest);
            Some(highest)
        };
        (1..GRID).map(rising).collect::<Option<_>>().map(Self)
    }

    fn score(place: usize) -> f64 {
        place as f64 / GRID as f64
    }

    /// The LLR per pair at a mean score.
    fn at(&self, mean: f64) -> f64 {
        let place = (mean * GRID as f64 - 1.0).clamp(0.0, (GRID - 2) as f64);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the grid
        let below = (place as usize).min(GRID - 3);
        let [low, high] = [self.0[below], self.0[below + 1]];
        low + (place - below as f64) * (high - low)
    }

    /// The mean score at this LLR per pair; below 0 or above 1 where none has it.
    fn mean(&self, llr: f64) -> f64 {
        match self.0.partition_point(|&found| found < llr) {
            0 => -0.1,
            above if above == self.0.len() => 1.1,
            above => {
                let [low, high] = [self.0[above - 1], self.0[above]];
                Self::score(above) + (llr - low) / (high - low) * Self::score(1)
            }
        }
    }
}

#[cfg(test)]
#[path = "stopped_tests.rs"]
mod tests;
