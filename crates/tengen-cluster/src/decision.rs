//! The time to the decision of a sequential test.

use super::run::Simulated;
use super::settings::Settings;
use super::simulation::{Ended, Load, simulate};
use std::ops::ControlFlow;
use tengen_stats::SequentialTest;

/// How the pairs of a test are handed out to jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handout {
    /// `tournament --chunk K/N` in jobs of the usual minutes: every N-th pair.
    Chunks,
    /// A job per pair, in the order of the schedule.
    Pairs,
    /// A job per block of consecutive pairs, in the order of the schedule.
    Blocks,
}

/// When and at what cost a test was decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decided {
    /// Seconds until the decision, or until all pairs were played.
    pub seconds: f64,
    /// Whether there was a decision.
    pub is_conclusive: bool,
    /// Number of games that count.
    pub counted: usize,
    /// Number of games that were finished by then.
    pub finished: usize,
}

/// The pairs of `simulated` as a test that is fed with results.
struct Match<'a> {
    simulated: &'a Simulated,
    test: SequentialTest,
    finished: usize,
}

impl<'a> Match<'a> {
    fn new(simulated: &'a Simulated, settings: &Settings) -> Self {
        Self { simulated, test: SequentialTest::new(settings.test.sprt), finished: 0 }
    }

    /// Hands in the pairs of which `games` are.
    fn finish(&mut self, games: &[usize]) -> bool {
        let Self { simulated, test, finished } = self;
        *finished += games.len();
        for &first in games.iter().filter(|game| game.is_multiple_of(2)) {
            let result =
                |game: usize| simulated.games[game].of_first(&simulated.schedule.plan(game));
            test.finish((first / 2) as u64, [result(first), result(first + 1)]);
        }
        test.decision().is_some()
    }

    fn decided(&self, seconds: f64) -> Decided {
        #[allow(clippy::cast_possible_truncation)] // at most 100,000 pairs
        let counted = 2 * self.test.pairs().count() as usize;
        let is_conclusive = self.test.decision().is_some();
        Decided { seconds, is_conclusive, counted, finished: self.finished }
    }
}

/// One worker of speed 1, which is never away, plays the games in order.
#[must_use]
pub fn one_machine(settings: &Settings, simulated: &Simulated) -> Decided {
    let mut played = Match::new(simulated, settings);
    let mut seconds = settings.job.start_seconds;
    for first in (0..simulated.games.len()).step_by(2) {
        seconds += simulated.seconds[first] + simulated.seconds[first + 1];
        if played.finish(&[first, first + 1]) {
            break;
        }
    }
    played.decided(seconds)
}

/// `workers` workers play the games as they are handed out; a job's results are known when
/// its chunk is complete.
#[must_use]
pub fn decide(
    settings: &Settings,
    simulated: &Simulated,
    workers: usize,
    handout: Handout,
) -> Decided {
    let games = simulated.games.len();
    let consecutive = |pairs: usize| -> Vec<Vec<usize>> {
        let starts = (0..games).step_by(2 * pairs);
        starts.map(|first| (first..games.min(first + 2 * pairs)).collect()).collect()
    };
    let chunks = match handout {
        Handout::Chunks => simulated.chunks(settings.job.minutes, 1).1,
        Handout::Pairs => consecutive(1),
        Handout::Blocks => consecutive(settings.job.block),
    };
    let mut played = Match::new(simulated, settings);
    let load = Load { chunks: &chunks, seconds: &simulated.seconds };
    let (totals, decided) = simulate(settings, load, workers, |ended: Ended<'_>| {
        let is_decided = ended.is_complete && played.finish(&chunks[ended.chunk]);
        if is_decided { ControlFlow::Break(ended.time) } else { ControlFlow::Continue(()) }
    });
    played.decided(decided.unwrap_or(totals.seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::{MODEL, restless};

    #[test]
    fn the_decision_is_the_same_whoever_plays() {
        let settings = restless();
        let simulated = Simulated::new(&settings, MODEL, 3, settings.test.elo);
        let alone = one_machine(&settings, &simulated);
        assert!(alone.is_conclusive && alone.counted < 400, "{alone:?}");
        assert_eq!(alone.counted, alone.finished);
        for handout in [Handout::Chunks, Handout::Pairs, Handout::Blocks] {
            for workers in [1, 30] {
                let decided = decide(&settings, &simulated, workers, handout);
                assert_eq!(decided.counted, alone.counted, "{handout:?}");
                assert!(decided.is_conclusive && decided.finished >= decided.counted);
            }
        }
        let many = |handout| decide(&settings, &simulated, 30, handout).seconds;
        assert!(many(Handout::Blocks) < alone.seconds);
        assert!(many(Handout::Blocks) < many(Handout::Chunks));
    }
}
