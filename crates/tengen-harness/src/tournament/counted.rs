//! The games of a run that count: the longest complete prefix of each pairing, up to the end of a
//! sequential test.

use super::row::GameRow;
use std::collections::BTreeMap;
use tengen_stats::{SequentialTest, Sprt};

/// The games of a run that count, and the games that wait for earlier games of their pairing.
///
/// Whatever is decided from a run, such as the end of a sequential test, is decided from the
/// longest complete prefix of the games of each pairing: the games that happen to end early are not a
/// fair sample.
#[derive(Debug)]
pub struct Counted {
    pairings: BTreeMap<usize, Prefix>,
    rows: Vec<GameRow>,
    test: Option<SequentialTest>,
    /// The first bot's result in the first game of a pair, while the second is due.
    half: Option<tengen_stats::Outcome>,
}

/// The games of a pairing that count.
#[derive(Debug, Default)]
struct Prefix {
    /// Number of its games that count.
    games: usize,
    /// Games that wait for earlier ones of the pairing, by their place in it.
    waiting: BTreeMap<usize, GameRow>,
}

impl Counted {
    /// No games of a run with the test `sprt`, if there is one.
    #[must_use]
    pub fn new(sprt: Option<Sprt>) -> Self {
        let test = sprt.map(SequentialTest::new);
        Self { pairings: BTreeMap::new(), rows: Vec::new(), test, half: None }
    }

    /// Adds a game; a second game of the same number is dropped.
    pub fn insert(&mut self, row: GameRow) {
        let mut prefix = self.pairings.remove(&row.pairing).unwrap_or_default();
        let pairing = row.pairing;
        let place = 2 * row.pair + row.game % 2;
        if place >= prefix.games {
            prefix.waiting.entry(place).or_insert(row);
        }
        while !self.is_decided() {
            let Some(row) = prefix.waiting.remove(&prefix.games) else { break };
            self.test_next(&row);
            self.rows.push(row);
            prefix.games += 1;
        }
        self.pairings.insert(pairing, prefix);
    }

    /// Passes the next game of the schedule to the sequential test.
    fn test_next(&mut self, row: &GameRow) {
        let Some(test) = &mut self.test else { return };
        let first_is_black = row.game.is_multiple_of(2);
        let result = row.outcome.of_black();
        let result = result.map(|black| if first_is_black { black } else { black.reversed() });
        if first_is_black {
            self.half = result;
        } else if let (Some(one), Some(other)) = (self.half.take(), result) {
            test.finish(row.pair as u64, [one, other]);
        }
    }

    /// Number of games that count.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The sequential test, if there is one.
    #[must_use]
    pub const fn test(&self) -> Option<&SequentialTest> {
        self.test.as_ref()
    }

    /// Whether the sequential test is decided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.decision().is_some())
    }

    /// Number of games, of the `games` of the schedule, after which the sequential test ends if its
    /// log-likelihood ratio keeps its pace; all of them while the ratio is 0, and without a test.
    #[must_use]
    pub fn expected_games(&self, games: usize) -> usize {
        let Some(test) = self.test.as_ref() else { return games };
        let (llr, bounds, count) = (test.llr(), test.sprt().bounds(), self.rows.len());
        if test.decision().is_some() {
            return count;
        }
        let bound = if llr < 0.0 { bounds.lower } else { bounds.upper };
        let expected = count as f64 * (bound / llr);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive, or none
        let expected = if expected.is_finite() { expected.ceil() as usize } else { games };
        expected.max(count + 1).min(games)
    }

    /// Number of games, from the start of the schedule, that certainly count; all without a sequential test.
    #[must_use]
    pub fn certain_games(&self) -> usize {
        let further = self.test.as_ref().map(SequentialTest::certain_pairs);
        let further = further.and_then(|pairs| usize::try_from(2 * pairs).ok());
        further.map_or(usize::MAX, |games| self.count().next_multiple_of(2) + games)
    }

    /// The games that count, in the order of the schedule, and the test after them.
    #[must_use]
    pub fn into_parts(mut self) -> (Vec<GameRow>, Option<SequentialTest>) {
        self.rows.sort_by_key(|row| row.game);
        (self.rows, self.test)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Outcome;

    #[test]
    fn games_count_in_the_order_of_the_schedule() {
        let mut counted = Counted::new(None);
        let mut insert = |game| {
            counted.insert(GameRow { game, pair: game / 2, ..GameRow::example() });
            counted.count()
        };
        assert_eq!([2, 0, 0, 1, 4, 3].map(&mut insert), [0, 1, 1, 3, 3, 5]);
    }

    #[test]
    fn a_slow_pairing_holds_up_no_other() {
        let mut counted = Counted::new(None);
        // Two pairings; the first game of the first is late.
        for game in [3, 2, 6, 1, 7, 4] {
            let (pair, pairing) = (game / 4, game / 2 % 2);
            counted.insert(GameRow { game, pairing, pair, ..GameRow::example() });
        }
        let games: Vec<usize> = counted.into_parts().0.iter().map(|row| row.game).collect();
        assert_eq!(games, [2, 3, 6, 7]);
    }

    #[test]
    fn a_test_that_goes_on_as_it_has_gone_ends_at_its_bound() {
        let mut counted = Counted::new(Some("elo0=0 elo1=100 model=wald".parse().unwrap()));
        assert_eq!(counted.expected_games(1000), 1000);
        let mut insert = |game: usize| {
            let outcome = [Outcome::Black, Outcome::White][game % 2];
            counted.insert(GameRow { game, pair: game / 2, outcome, ..GameRow::example() });
            (counted.expected_games(1000), counted.is_decided())
        };
        insert(0);
        // Every pair is won, so that each moves the ratio as far as the first.
        let (expected, _) = insert(1);
        let end = (2..1000).find(|&game| insert(game).1).unwrap() + 1;
        assert!((end - 2..=end).contains(&expected), "{expected} of {end}");
        assert_eq!(insert(end + 1), (end, true));
    }
}
