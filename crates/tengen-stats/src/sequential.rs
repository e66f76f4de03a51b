//! A sequential test of a match whose pairs finish in any order.

use super::sprt::{Sprt, State};
use super::tally::{Outcome, Pairs};
use std::collections::BTreeMap;

/// A sequential test of a match, fed with the longest complete prefix of the
/// schedule.
///
/// Pairs are numbered 0, 1, 2, … by the schedule and handed in as they finish; a pair is
/// counted as soon as it and all pairs before it have finished. So where and how the
/// test stops depends on the results alone and not on the number of workers. Counting
/// pairs in the order in which they finish would favour the player whose wins are quick:
/// with 64 workers a nominal error rate of 5 % becomes one of 66 %.
///
/// # Examples
/// ```
/// use tengen_stats::{Outcome, SequentialTest, State};
///
/// let mut test = SequentialTest::new("elo0=0 elo1=100".parse()?);
/// let won = [Outcome::Win, Outcome::Win];
/// assert_eq!(test.finish(1, won), None);
/// assert_eq!(test.pairs().count(), 0); // pair 0 is still being played
/// assert_eq!(test.finish(0, won), None);
/// assert_eq!(test.pairs().count(), 2);
/// let decision = (2..100).find_map(|pair| test.finish(pair, won));
/// assert_eq!(decision.map(|decision| decision.state), Some(State::AcceptH1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    /// The pairs of the complete prefix.
    counted: Pairs,
    /// The LLR of the counted pairs; if it cannot be computed, the last LLR that could.
    llr: f64,
    /// Finished pairs that come after a pair that has not finished, by number.
    waiting: BTreeMap<u64, [Outcome; 2]>,
    decision: Option<Decision>,
}

/// The decision with which a test ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The accepted hypothesis: never [`State::Continue`].
    pub state: State,
    /// The number of the last pair that counts, at which the test stopped.
    pub last_pair: u64,
    /// The LLR at that pair.
    pub llr: f64,
}

impl SequentialTest {
    /// The test before the first pair.
    #[must_use]
    pub fn new(sprt: Sprt) -> Self {
        let (counted, waiting) = (Pairs::default(), BTreeMap::new());
        Self { sprt, counted, llr: 0.0, waiting, decision: None }
    }

    /// Hands in the pair number `pair`, both games as the first player sees
    /// them, and returns the decision once there is one. A pair that was
    /// handed in before, or that comes after the decision, changes nothing.
    pub fn finish(&mut self, pair: u64, games: [Outcome; 2]) -> Option<Decision> {
        if self.decision.is_none() && pair >= self.counted.count() {
            self.waiting.entry(pair).or_insert(games);
            while self.decision.is_none() {
                let number = self.counted.count();
                let Some([one, other]) = self.waiting.remove(&number) else { break };
                self.counted.record(one, other);
                // Counts without an LLR decide nothing: the next pair may have one again.
                let Some(llr) = self.sprt.llr(&self.counted) else { continue };
                self.llr = llr;
                let state = self.sprt.state(llr);
                if state != State::Continue {
                    self.decision = Some(Decision { state, last_pair: number, llr: self.llr });
                    self.waiting.clear();
                }
            }
        }
        self.decision
    }

    /// The test with its hypotheses and error rates.
    #[must_use]
    pub const fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The counted pairs: the complete prefix so far, or until the decision.
    #[must_use]
    pub const fn pairs(&self) -> &Pairs {
        &self.counted
    }

    /// The LLR of [`Self::pairs`]; if it cannot be computed ([`Sprt::llr`]), the last LLR that
    /// could.
    #[must_use]
    pub const fn llr(&self) -> f64 {
        self.llr
    }

    /// The least number of further pairs that can decide the test, if the first player wins or
    /// loses them all: at least so many will count. 0 once the test is decided.
    #[must_use]
    pub fn certain_pairs(&self) -> u64 {
        if self.decision.is_some() {
            return 0;
        }
        let ends = |further: u64| {
            [Outcome::Win, Outcome::Loss].into_iter().any(|result| {
                let mut cells = self.counted.cells();
                cells[usize::from(2 * result.halves())] += further;
                let llr = self.sprt.llr(&Pairs::from_cells(cells));
                llr.is_some_and(|llr| self.sprt.state(llr) != State::Continue)
            })
        };
        // Doubling, then bisection: further pairs of one result only move the LLR towards its
        // bound.
        let most = (0..32).map(|power| 1 << power).find(|&further| ends(further));
        let (mut low, mut high) = most.map_or((0, 1 << 32), |most| (most / 2, most));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if ends(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }

    /// The decision, once there is one.
    #[must_use]
    pub const fn decision(&self) -> Option<Decision> {
        self.decision
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Loss, Win};

    fn test() -> SequentialTest {
        SequentialTest::new("elo0=0 elo1=100 model=wald".parse().expect("a test"))
    }

    #[test]
    fn pairs_count_in_the_order_of_the_schedule() {
        let games = |pair| if pair % 5 == 4 { [Win, Loss] } else { [Win, Win] };
        let mut in_order = test();
        let expected = (0..100).find_map(|pair| in_order.finish(pair, games(pair)));
        assert_eq!(expected.map(|d| d.state), Some(State::AcceptH1));
        let last = expected.expect("decided").last_pair;
        assert!((5..40).contains(&last), "{last}");

        let mut reversed = test();
        for pair in (1..100).rev() {
            assert_eq!(reversed.finish(pair, games(pair)), None, "pair 0 is missing");
        }
        assert_eq!(reversed.pairs().count(), 0);
        assert_eq!(reversed.finish(0, games(0)), expected);
        assert_eq!(reversed.pairs(), in_order.pairs());
    }

    #[test]
    fn no_test_ends_before_the_pairs_that_certainly_count() {
        for text in
            ["elo0=0 elo1=100 model=wald", "elo0=0 elo1=30", "elo0=-5 elo1=5 model=normalized"]
        {
            for (won, lost) in [(0, 0), (3, 2), (1, 3), (4, 6)] {
                let mut test = SequentialTest::new(text.parse().expect("a test"));
                let results = [(Win, won), (Loss, lost)];
                let games =
                    results.into_iter().flat_map(|(one, count)| (0..count).map(move |_| one));
                for (pair, one) in (0..).zip(games) {
                    test.finish(pair, [one, if pair % 3 == 0 { one } else { Win }]);
                }
                assert_eq!(test.decision(), None, "{text} {won} {lost}");
                let (before, certain) = (test.pairs().count(), test.certain_pairs());
                let ends = [Win, Loss].map(|result| {
                    let mut test = test.clone();
                    let mut pairs = before..1_000_000;
                    let last = pairs.find(|&pair| test.finish(pair, [result; 2]).is_some());
                    last.expect("it ends") + 1 - before
                });
                assert_eq!(Some(certain), ends.into_iter().min(), "{text} {won} {lost}");
            }
        }
    }

    #[test]
    fn nothing_counts_twice_or_after_the_end() {
        let mut test = test();
        test.finish(0, [Win, Win]);
        test.finish(0, [Loss, Loss]);
        assert_eq!(test.pairs(), &Pairs::without_draws([0, 0, 1]));
        let decision = (1..100).find_map(|pair| test.finish(pair, [Loss, Loss])).expect("decided");
        assert_eq!(decision.state, State::AcceptH0);
        let (pairs, llr) = (*test.pairs(), test.llr());
        assert_eq!(test.finish(decision.last_pair + 1, [Win, Win]), Some(decision));
        assert_eq!((test.pairs(), test.llr().to_bits()), (&pairs, llr.to_bits()));
    }
}
