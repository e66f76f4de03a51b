//! Trials in schedule order, several at once.

use super::method::Method;
use super::trial::{Sample, Score, Trial};
use std::collections::BTreeMap;

/// The answer of a tuner to the request for a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Play this trial; it has this number.
    Play(usize, Trial),
    /// Ask again when more scores have been told.
    Wait,
    /// There is nothing more to play.
    Done,
}

/// Drives a method whose trials are played several at once and end in any order.
///
/// Before asking the method for trial i, it has told the method exactly the first i + 1 -
/// `look_ahead` scores, or more if the method needs more to request a trial. So the method's state
/// is a function of its seed, of the scores in schedule order and of `look_ahead`, whatever the
/// number of threads and the order in which trials end.
pub struct Tuner {
    method: Box<dyn Method>,
    trials: usize,
    look_ahead: usize,
    asked: Vec<Trial>,
    /// Scores that have come in but the method has not been told, by the number of the trial.
    waiting: BTreeMap<usize, Score>,
    samples: Vec<Sample>,
}

impl Tuner {
    /// A tuner of `trials` trials, of which up to `look_ahead` are played at once.
    ///
    /// # Panics
    /// If `look_ahead` is 0.
    #[must_use]
    pub fn new(method: Box<dyn Method>, trials: usize, look_ahead: usize) -> Self {
        assert!(look_ahead > 0, "at least one trial is played at once");
        let (asked, samples) = (Vec::new(), Vec::new());
        Self { method, trials, look_ahead, asked, waiting: BTreeMap::new(), samples }
    }

    /// The next trial to play.
    pub fn next_trial(&mut self) -> Next {
        let number = self.asked.len();
        if number == self.trials {
            return Next::Done;
        }
        while self.samples.len() + self.look_ahead < number + 1 {
            if !self.tell_next() {
                return Next::Wait;
            }
        }
        loop {
            if let Some(trial) = self.method.ask() {
                self.asked.push(trial.clone());
                return Next::Play(number, trial);
            }
            if self.samples.len() == number {
                return Next::Done;
            }
            if !self.tell_next() {
                return Next::Wait;
            }
        }
    }

    /// Takes the score of the trial `number`.
    ///
    /// # Panics
    /// If no such trial is being played.
    pub fn tell(&mut self, number: usize, score: Score) {
        assert!(number < self.asked.len() && number >= self.samples.len(), "trial {number}");
        assert!(self.waiting.insert(number, score).is_none(), "trial {number} is told twice");
    }

    /// Tells the method all scores that have come in, in order and without a gap: for the end, when
    /// no more trials are requested.
    pub fn settle(&mut self) {
        while self.tell_next() {}
    }

    /// The samples that the method has been told, in order.
    #[must_use]
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The method in its present state.
    #[must_use]
    pub fn method(&self) -> &dyn Method {
        &*self.method
    }

    fn tell_next(&mut self) -> bool {
        let number = self.samples.len();
        let Some(score) = self.waiting.remove(&number) else { return false };
        let trial = self.asked[number].clone();
        self.method.tell(&trial, score);
        self.samples.push(Sample { trial, score });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::{MethodConfig, MethodKind};
    use proptest::prelude::*;

    /// A score that depends on the trial alone.
    fn play(number: usize, trial: &Trial) -> Score {
        let lead = trial.first[0] - trial.second.as_ref().map_or(0.2, |second| second[0]);
        Score::of_game(lead > 0.0 || number.is_multiple_of(3))
    }

    /// Plays all trials, up to `open` at once; `pick` chooses which of them ends next.
    fn run(tuner: &mut Tuner, open: usize, mut pick: impl FnMut(usize) -> usize) {
        let mut playing: Vec<(usize, Trial)> = Vec::new();
        loop {
            if playing.len() < open {
                match tuner.next_trial() {
                    Next::Play(number, trial) => {
                        playing.push((number, trial));
                        continue;
                    }
                    Next::Done if playing.is_empty() => break,
                    Next::Wait | Next::Done => {}
                }
            }
            let (number, trial) = playing.swap_remove(pick(playing.len()) % playing.len());
            tuner.tell(number, play(number, &trial));
        }
        tuner.settle();
    }

    fn tuner(kind: MethodKind, look_ahead: usize) -> Tuner {
        let config = MethodConfig { kind, trials: 60, steps: 5, ..MethodConfig::default() };
        Tuner::new(config.build(1, 7), 60, look_ahead)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn the_order_of_results_does_not_matter(picks in prop::collection::vec(0..100_usize, 100), open in 1..9_usize) {
            for &kind in MethodKind::VARIANTS {
                let mut in_order = tuner(kind, 8);
                run(&mut in_order, 8, |_| 0);
                let mut shuffled = tuner(kind, 8);
                let mut next = picks.iter().cycle();
                run(&mut shuffled, open, |_| *next.next().unwrap());
                prop_assert_eq!(in_order.samples(), shuffled.samples());
                prop_assert_eq!(in_order.method().best(), shuffled.method().best());
            }
        }
    }

    #[test]
    fn no_more_is_told_than_the_look_ahead_asks_for() {
        let mut tuner = tuner(MethodKind::Clop, 3);
        for number in 0..3 {
            assert!(matches!(tuner.next_trial(), Next::Play(asked, _) if asked == number));
        }
        assert_eq!(tuner.next_trial(), Next::Wait);
        tuner.tell(2, Score::of_game(true));
        tuner.tell(1, Score::of_game(true));
        assert_eq!(tuner.next_trial(), Next::Wait, "the first has no score");
        tuner.tell(0, Score::of_game(false));
        assert!(matches!(tuner.next_trial(), Next::Play(3, _)));
        assert_eq!(tuner.samples().len(), 1);
        tuner.settle();
        assert_eq!(tuner.samples().len(), 3);
    }

    #[test]
    fn a_method_without_more_to_ask_ends_the_run() {
        // Halving stops where its rounds do not use up the trials.
        let config =
            MethodConfig { kind: MethodKind::Halving, trials: 101, ..MethodConfig::default() };
        let mut tuner = Tuner::new(config.build(1, 1), 101, 4);
        run(&mut tuner, 4, |_| 0);
        assert!((90..=101).contains(&tuner.samples().len()), "{}", tuner.samples().len());
    }
}
