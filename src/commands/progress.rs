//! The progress of a program, on standard error.

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a line is written where standard error is no terminal.
const EVERY: Duration = Duration::from_secs(30);

/// Units done, units per second, time left and a message: a bar on a terminal, elsewhere a line
/// every 30 seconds.
pub struct Progress {
    bar: ProgressBar,
    units: String,
    message: String,
    /// When the last line was written; none on a terminal.
    written: Option<Instant>,
}

impl Progress {
    /// The progress of `all` units, called `units`, of which `there` are done.
    pub fn new(all: usize, there: usize, units: &str) -> Self {
        let bar = ProgressBar::new(all as u64);
        let template =
            format!("{{bar:20}} {{pos}}/{{len}} {units}, {{per_sec}}, {{eta}} left{{wide_msg}}");
        // The template is constant: a plain bar if it should be refused.
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(there as u64);
        bar.reset_eta();
        let written = (!io::stderr().is_terminal()).then(Instant::now);
        Self { bar, units: units.to_owned(), message: String::new(), written }
    }

    /// Expects `all` units from now on.
    pub fn expect(&self, all: usize) {
        self.bar.set_length(all as u64);
    }

    /// Shows `message` behind the numbers, until the next one.
    pub fn say(&mut self, message: String) {
        self.bar.set_message(message.clone());
        self.message = message;
    }

    /// Counts a unit that is done.
    pub fn advance(&mut self) {
        self.reach(self.bar.position() + 1);
    }

    /// Says that `done` units are done.
    pub fn reach(&mut self, done: u64) {
        self.bar.set_position(done);
        if self.written.is_some_and(|written| written.elapsed() >= EVERY) {
            self.written = Some(Instant::now());
            // If standard error is closed, nobody reads this.
            let _ = writeln!(io::stderr(), "{}", self.line());
        }
    }

    fn line(&self) -> String {
        let Self { bar, units, message, .. } = self;
        let (done, all) = (bar.position(), bar.length().unwrap_or_default());
        let left = HumanDuration(bar.eta());
        format!("{done} of {all} {units}, {:.1} per second, {left} left{message}", bar.per_sec())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_numbers() {
        let mut progress = Progress::new(100, 20, "games");
        progress.advance();
        progress.say(", a leads with 60 %".to_owned());
        let line = progress.line();
        assert!(line.starts_with("21 of 100 games, "), "{line}");
        assert!(line.ends_with(" left, a leads with 60 %"), "{line}");
        progress.expect(40);
        assert!(progress.line().starts_with("21 of 40 games, "));
    }
}
