//! The games of a run that count: the longest complete prefix of each pairing, up to the end of a
//! sequential test or of the pairing's match.

use super::row::GameRow;
use std::collections::BTreeMap;
use tengen_stats::{Elimination, Outcome, SequentialTest, Sprt};

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
    elimination: Option<Elimination>,
}

/// The games of a pairing that count.
#[derive(Debug, Default)]
struct Prefix {
    games: usize,
    /// Games that wait for earlier ones of the pairing, or for a look at all arms, by their place in
    /// it.
    waiting: BTreeMap<usize, GameRow>,
    /// The first bot's result in the first game of a pair, while the second is due.
    half: Option<Outcome>,
}

impl Counted {
    /// No games of a run of `bots` bots with the test `sprt`, or with an elimination of the first
    /// bot's opponents at the error rate `eliminate`, if there is one.
    #[must_use]
    pub fn new(sprt: Option<Sprt>, eliminate: Option<f64>, bots: usize) -> Self {
        let test = sprt.map(SequentialTest::new);
        let elimination = eliminate.map(|error| Elimination::new(bots.saturating_sub(1), error));
        Self { pairings: BTreeMap::new(), rows: Vec::new(), test, elimination }
    }

    /// These games and the games `rows`.
    #[must_use]
    pub fn with(mut self, rows: impl IntoIterator<Item = GameRow>) -> Self {
        rows.into_iter().for_each(|row| self.insert(row));
        self
    }

    /// Adds a game; a second game of the same number is dropped.
    pub fn insert(&mut self, row: GameRow) {
        let prefix = self.pairings.entry(row.pairing).or_default();
        let pairing = row.pairing;
        let place = 2 * row.pair + row.game % 2;
        if place >= prefix.games {
            prefix.waiting.entry(place).or_insert(row);
        }
        let mut looks = self.looks();
        self.count_waiting(pairing);
        // After a look, games of every pairing may count.
        while self.looks() != looks {
            looks = self.looks();
            let pairings: Vec<usize> = self.pairings.keys().copied().collect();
            for pairing in pairings {
                self.count_waiting(pairing);
            }
        }
    }

    fn looks(&self) -> u32 {
        self.elimination.as_ref().map_or(0, Elimination::looks)
    }

    /// Counts the games of `pairing` that wait for no other game.
    fn count_waiting(&mut self, pairing: usize) {
        let mut prefix = self.pairings.remove(&pairing).unwrap_or_default();
        while !self.is_decided() && prefix.games < self.limit(pairing) {
            let Some(row) = prefix.waiting.remove(&prefix.games) else { break };
            self.test_next(&mut prefix, &row);
            self.rows.push(row);
            prefix.games += 1;
        }
        self.pairings.insert(pairing, prefix);
    }

    /// Number of games of `pairing` that count so far, at most.
    fn limit(&self, pairing: usize) -> usize {
        let pairs = self.elimination.as_ref().map(|elimination| elimination.limit(pairing));
        pairs.map_or(usize::MAX, |pairs| usize::try_from(2 * pairs).unwrap_or(usize::MAX))
    }

    /// Passes the next game of a pairing to the sequential test, or to the elimination.
    fn test_next(&mut self, prefix: &mut Prefix, row: &GameRow) {
        let result = row.of_first();
        if row.game.is_multiple_of(2) {
            prefix.half = result;
            return;
        }
        let games = prefix.half.take().zip(result).map(|(one, other)| [one, other]);
        if let (Some(test), Some(games)) = (&mut self.test, games) {
            test.finish(row.pair as u64, games);
        }
        if let Some(elimination) = &mut self.elimination {
            // The arm is the second bot of the pairing.
            elimination.finish(row.pairing, games.map(|games| games.map(Outcome::reversed)));
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

    /// The elimination of arms, if there is one.
    #[must_use]
    pub const fn elimination(&self) -> Option<&Elimination> {
        self.elimination.as_ref()
    }

    /// Whether the sequential test is decided, or one arm remains: no further game counts.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.decision().is_some())
            || self.elimination.as_ref().is_some_and(|elimination| elimination.best().is_some())
    }

    /// Whether a run with at most `pairs` pairs per pairing is over before its last game: its test is
    /// decided, or every remaining arm of its elimination has all its pairs.
    #[must_use]
    pub fn is_over(&self, pairs: usize) -> bool {
        let games = |pairing| self.pairings.get(&pairing).map_or(0, |prefix| prefix.games);
        let has_all = |elimination: &Elimination| {
            elimination.remaining().all(|pairing| games(pairing) == 2 * pairs)
        };
        self.is_decided() || self.elimination.as_ref().is_some_and(has_all)
    }

    /// Number of games, of the `games` of the schedule, after which the sequential test ends if its
    /// log-likelihood ratio keeps its pace; all of them while the ratio is 0, and without a test.
    /// With an elimination the games if no further arm is dropped.
    #[must_use]
    pub fn expected_games(&self, games: usize) -> usize {
        if let Some(elimination) = &self.elimination {
            let arms = elimination.arms();
            let dropped = (0..arms).filter_map(|arm| elimination.dropped_after(arm)).sum::<u64>();
            let dropped = usize::try_from(2 * dropped).unwrap_or(usize::MAX);
            let of_each = games / arms.max(1);
            return match elimination.best() {
                Some(_) => self.count(),
                None => dropped + elimination.remaining().count() * of_each,
            };
        }
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

    /// Number of games, from the start of the schedule, that certainly count unless their arm is
    /// dropped already; all without a sequential test and an elimination.
    #[must_use]
    pub fn certain_games(&self) -> usize {
        if let Some(elimination) = &self.elimination {
            let pairs = usize::try_from(elimination.next_look()).unwrap_or(usize::MAX);
            return pairs.saturating_mul(2 * elimination.arms());
        }
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
        let mut counted = Counted::new(None, None, 2);
        let mut insert = |game| {
            counted.insert(GameRow { game, pair: game / 2, ..GameRow::example() });
            counted.count()
        };
        assert_eq!([2, 0, 0, 1, 4, 3].map(&mut insert), [0, 1, 1, 3, 3, 5]);
    }

    #[test]
    fn a_slow_pairing_holds_up_no_other() {
        let mut counted = Counted::new(None, None, 2);
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
        let mut counted =
            Counted::new(Some("elo0=0 elo1=100 model=wald".parse().unwrap()), None, 2);
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

    #[test]
    fn no_game_of_an_arm_counts_after_it_was_dropped() {
        // Arm 0 wins every game against the first bot, arm 1 loses every one, arm 2 wins half.
        let row = |pair: usize, pairing: usize, half: usize| {
            let game = 2 * (3 * pair + pairing) + half;
            let is_black = match pairing {
                0 => half == 1,
                1 => half == 0,
                _ => pair.is_multiple_of(2),
            };
            let outcome = if is_black { Outcome::Black } else { Outcome::White };
            GameRow { game, pairing, pair, outcome, ..GameRow::example() }
        };
        let all = |pairs: usize| {
            let pairings = (0..pairs).flat_map(|pair| (0..3).map(move |pairing| (pair, pairing)));
            pairings.flat_map(|(pair, pairing)| [0, 1].map(|half| row(pair, pairing, half)))
        };
        let counted =
            |rows: &mut dyn Iterator<Item = GameRow>| Counted::new(None, Some(0.05), 4).with(rows);
        let forward = counted(&mut all(40));
        let elimination = forward.elimination().unwrap();
        assert_eq!([0, 1, 2].map(|arm| elimination.dropped_after(arm)), [None, Some(16), Some(16)]);
        assert!(forward.is_decided() && forward.is_over(40));
        assert_eq!((forward.count(), forward.certain_games()), (96, 192));
        // The order in which games end changes nothing.
        let mut rows: Vec<GameRow> = all(40).collect();
        rows.sort_by_key(|row| row.game * 7_919 % 240);
        let shuffled = counted(&mut rows.into_iter());
        assert_eq!(shuffled.into_parts().0, forward.into_parts().0);
        let few = counted(&mut all(15));
        assert!(!few.is_decided() && few.is_over(15) && !few.is_over(16));
        assert_eq!(few.expected_games(96), 96);
    }
}
