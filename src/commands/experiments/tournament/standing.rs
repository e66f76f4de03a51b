//! The progress of a tournament.

use crate::commands::Caller;
use crate::commands::progress::Progress;
use crate::run::Rows;
use crate::stats::percent;
use crate::tournament::{Counted, GameRow, Tournament};
use std::fmt::Write;

/// Games played, the win rate of the leading bot, and the state of a sequential test.
pub struct Standing {
    progress: Progress,
    bots: Vec<String>,
    /// Half points and games of each bot.
    scores: Vec<(u32, u32)>,
    /// The games that count, for a sequential test or an elimination.
    counted: Counted,
    /// Number of games of the whole schedule.
    games: usize,
}

impl Standing {
    /// The standing of `tournament` after the games `there`, which are played already.
    pub fn new(caller: &dyn Caller, tournament: &Tournament, there: &Rows<GameRow>) -> Self {
        let games = tournament.schedule().games();
        let bots: Vec<String> = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
        let scores = vec![(0, 0); bots.len()];
        let counted = tournament.no_games();
        let progress = Progress::new(caller, games, there.len(), "games");
        let mut standing = Self { progress, bots, scores, counted, games };
        there.values().flatten().for_each(|row| standing.count(row));
        standing
    }

    /// Counts a game that has just ended.
    pub fn finished(&mut self, row: &GameRow) {
        self.count(row);
        let rate = |&(half_points, games): &(u32, u32)| {
            f64::from(half_points) / f64::from(2 * games.max(1))
        };
        let best = (0..self.bots.len())
            .rev()
            .max_by(|&a, &b| rate(&self.scores[a]).total_cmp(&rate(&self.scores[b])));
        let mut message = best.map_or(String::new(), |best| {
            format!(", {} leads with {}", self.bots[best], percent(rate(&self.scores[best])))
        });
        if let Some(elimination) = self.counted.elimination() {
            let remaining = elimination.remaining().count();
            // Writing to a string does not fail.
            let _ = write!(message, ", {remaining} opponents remain");
        } else if let Some(test) = self.counted.test() {
            let (llr, bounds) = (test.llr(), test.sprt().bounds());
            let _ = write!(message, ", LLR {llr:.2} in {:.2} .. {:.2}", bounds.lower, bounds.upper);
        } else {
            self.progress.say(message);
            self.progress.advance();
            return;
        }
        // Progress counts only the games that the test or the elimination counts.
        self.progress.expect(self.counted.expected_games(self.games));
        self.progress.say(message);
        self.progress.reach(self.counted.count());
    }

    fn count(&mut self, row: &GameRow) {
        if self.counted.test().is_some() || self.counted.elimination().is_some() {
            self.counted.insert(row.clone());
        }
        let Some(black) = row.outcome.of_black() else { return };
        for (name, result) in [(&row.black, black), (&row.white, black.reversed())] {
            if let Some(place) = self.bots.iter().position(|bot| bot == name) {
                self.scores[place].0 += u32::from(result.halves());
                self.scores[place].1 += 1;
            }
        }
    }
}
