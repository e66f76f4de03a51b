//! The progress of a tuning, on standard error.

use crate::tuning::Tuning;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar with the games done, their rate, the time left and the current estimate with
/// its interval; nothing where standard error is no terminal.
pub struct Progress<'run> {
    tuning: &'run Tuning,
    bar: Bar,
    /// The number of games after which the estimate that is shown was made.
    shown: usize,
}

/// A bar of games.
pub struct Bar(ProgressBar);

/// A bar for `games` games called `what`, of which `played` are there.
pub fn bar(games: usize, played: usize, what: &str) -> Bar {
    let bar = ProgressBar::new(games as u64);
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left{{msg}}");
    // The template is constant: a plain bar if it should be refused.
    let style = ProgressStyle::with_template(&template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(played as u64);
    bar.reset_eta();
    Bar(bar)
}

impl Bar {
    /// Counts a game that has just ended.
    pub fn advance(&mut self) {
        self.0.inc(1);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl<'run> Progress<'run> {
    /// A bar for `tuning`, of which `played` games are there.
    pub fn new(tuning: &'run Tuning, played: usize) -> Self {
        Self { tuning, bar: bar(tuning.games(), played, "games"), shown: 0 }
    }

    /// Counts a game that has just ended.
    pub fn finished(&mut self) {
        if let Some(at) = self.tuning.latest().filter(|at| at.games != self.shown) {
            self.shown = at.games;
            self.bar.0.set_message(format!(", {}", at.in_words(self.tuning)));
        }
        self.bar.advance();
    }
}
