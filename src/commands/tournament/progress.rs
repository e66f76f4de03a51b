//! The progress bar of a tournament, on standard error.

use crate::run::Rows;
use crate::stats::Outcome;
use crate::stats::percent;
use crate::tournament::{Counted, GameRow, Tournament};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write;

/// A progress bar: games played, games per second, time left, win rate of the leading
/// bot, and the state of a sequential test. Shown only if standard error is a
/// terminal.
pub struct Progress {
    bar: ProgressBar,
    bots: Vec<String>,
    /// Half points and games of each bot.
    scores: Vec<(u32, u32)>,
    /// The games that count, for a sequential test.
    counted: Counted,
}

impl Progress {
    /// A bar for the games of `tournament`, of which `there` are played.
    pub fn new(tournament: &Tournament, there: &Rows<GameRow>) -> Self {
        let bar = ProgressBar::new(tournament.schedule().games() as u64);
        let template = "{bar:30} {pos}/{len} games, {per_sec}, {eta} left{msg}";
        // A plain bar, should indicatif refuse the template, which is constant.
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let bots: Vec<String> = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
        let scores = vec![(0, 0); bots.len()];
        let counted = Counted::new(tournament.sprt);
        let mut progress = Self { bar, bots, scores, counted };
        there.values().flatten().for_each(|row| progress.count(row));
        progress.bar.set_position(there.len() as u64);
        progress.bar.reset_eta();
        progress
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
        if let Some(test) = self.counted.test() {
            let bounds = test.sprt().bounds();
            // Writing to a string does not fail.
            let _ = write!(
                message,
                ", LLR {:.2} in {:.2} .. {:.2}",
                test.llr(),
                bounds.lower,
                bounds.upper
            );
        }
        self.bar.set_message(message);
        self.bar.inc(1);
    }

    fn count(&mut self, row: &GameRow) {
        if self.counted.test().is_some() {
            self.counted.insert(row.clone());
        }
        let Some(black) = row.outcome.of_black() else { return };
        for (name, result) in [(&row.black, black), (&row.white, black.reversed())] {
            if let Some(place) = self.bots.iter().position(|bot| bot == name) {
                let half_points = match result {
                    Outcome::Loss => 0,
                    Outcome::Draw => 1,
                    Outcome::Win => 2,
                };
                self.scores[place].0 += half_points;
                self.scores[place].1 += 1;
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
