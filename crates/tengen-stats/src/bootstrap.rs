//! Parametric bootstrap: the errors of ratings from tournaments that the
//! ratings themselves would produce. A cross-check of the covariance, which
//! supposes that the likelihood is quadratic.

use super::elo::Elo;
use super::ratings::{Method, Ratings, RatingsError, Record, rate};
use super::tally::{Games, Outcome};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The ratings of simulated tournaments.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    samples: Vec<Ratings>,
}

impl Bootstrap {
    /// Plays the tournament of `records` again `samples` times, each game by
    /// the probabilities of `ratings` and with as many jigo as its record has,
    /// and rates each of them by `method`.
    ///
    /// # Errors
    /// If a simulated tournament cannot be rated: never with a prior.
    pub fn new(
        names: &[String],
        records: &[Record],
        ratings: &Ratings,
        method: &Method,
        samples: usize,
        seed: u64,
    ) -> Result<Self, RatingsError> {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
        let samples = (0..samples).map(|_| {
            let again =
                |record: &Record| Record { games: replay(ratings, record, &mut stream), ..*record };
            let records: Vec<Record> = records.iter().map(again).collect();
            rate(names, &records, method)
        });
        Ok(Self { samples: samples.collect::<Result<_, _>>()? })
    }

    /// The standard deviation of a rating; `None` below two samples.
    #[must_use]
    pub fn standard_error(&self, player: usize) -> Option<Elo> {
        self.deviation(|ratings| ratings.rating(player).0)
    }

    /// The standard deviation of a difference; `None` below two samples.
    #[must_use]
    pub fn difference_error(&self, player: usize, opponent: usize) -> Option<Elo> {
        self.deviation(|ratings| ratings.difference(player, opponent).0)
    }

    fn deviation(&self, value: impl Fn(&Ratings) -> f64) -> Option<Elo> {
        let count = self.samples.len() as f64;
        let mean = self.samples.iter().map(&value).sum::<f64>() / count;
        let square: f64 = self.samples.iter().map(|s| (value(s) - mean).powi(2)).sum();
        (self.samples.len() > 1).then(|| Elo((square / (count - 1.0)).sqrt()))
    }
}

/// The games of a record once more. Jigo keep their share, and wins and losses
/// what the ratings leave them.
fn replay(ratings: &Ratings, record: &Record, stream: &mut Xoshiro256PlusPlus) -> Games {
    let count = record.games.count();
    let p = ratings.expected(record.black, record.white);
    let jigo = record.games.jigo as f64 / (count.max(1) as f64);
    let jigo = jigo.min(2.0 * p.min(1.0 - p));
    let mut games = Games::default();
    for _ in 0..count {
        let x = stream.random::<f64>();
        games.record(if x < p - jigo / 2.0 {
            Outcome::Win
        } else if x < p + jigo / 2.0 {
            Outcome::Jigo
        } else {
            Outcome::Loss
        });
    }
    games
}
