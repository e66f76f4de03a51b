//! The progress of a command.

use super::host::{Caller, Shown};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two lines of progress if standard error is no terminal.
const EVERY: Duration = Duration::from_secs(30);

/// The progress of a command, in units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// Number of units that are done.
    pub done: usize,
    /// Number of all units.
    pub all: usize,
    /// The name of the units, such as "games".
    pub name: String,
    /// A message to show behind the numbers.
    pub message: String,
}

/// The progress of a command, which its caller shows.
pub struct Progress {
    units: Units,
    shown: Shown,
}

impl Progress {
    /// The progress of `all` units, called `name`, of which `done` are done.
    pub fn new(caller: &dyn Caller, all: usize, done: usize, name: &str) -> Self {
        let units = Units { done, all, name: name.to_owned(), message: String::new() };
        let shown = caller.shows(&units);
        Self { units, shown }
    }

    /// Expects `all` units from now on.
    pub fn expect(&mut self, all: usize) {
        self.units.all = all;
    }

    /// Shows `message` behind the numbers, until the next one.
    pub fn say(&mut self, message: String) {
        self.units.message = message;
    }

    /// Counts a unit that is done.
    pub fn advance(&mut self) {
        self.reach(self.units.done + 1);
    }

    /// Says that `done` units are done.
    pub fn reach(&mut self, done: usize) {
        self.units.done = done;
        (self.shown)(&self.units);
    }
}

/// Shows progress on standard error, with units per second and time left: a bar on a terminal, which
/// is gone when it is dropped, elsewhere a line every 30 seconds.
pub fn bar(units: &Units) -> Shown {
    let bar = ProgressBar::new(units.all as u64);
    let template =
        format!("{{bar:20}} {{pos}}/{{len}} {}, {{per_sec}}, {{eta}} left{{wide_msg}}", units.name);
    // The template is constant; if it is refused all the same, a plain bar is used.
    let style = ProgressStyle::with_template(&template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(units.done as u64);
    bar.reset_eta();
    let mut written = (!io::stderr().is_terminal()).then(Instant::now);
    Box::new(move |units| {
        show(&bar, units);
        if written.is_some_and(|written| written.elapsed() >= EVERY) {
            written = Some(Instant::now());
            // If standard error is closed, nobody reads this.
            let _ = writeln!(io::stderr(), "{}", line(&bar, units));
        }
    })
}

fn show(bar: &ProgressBar, units: &Units) {
    bar.set_length(units.all as u64);
    bar.set_message(units.message.clone());
    bar.set_position(units.done as u64);
}

fn line(bar: &ProgressBar, units: &Units) -> String {
    let Units { done, all, name, message } = units;
    let (speed, left) = (bar.per_sec(), HumanDuration(bar.eta()));
    format!("{done} of {all} {name}, {speed:.1} per second, {left} left{message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_numbers() {
        let bar = ProgressBar::new(100);
        let message = ", a leads with 60 %".to_owned();
        let units = Units { done: 21, all: 100, name: "games".to_owned(), message };
        show(&bar, &units);
        let text = line(&bar, &units);
        assert!(text.starts_with("21 of 100 games, "), "{text}");
        assert!(text.ends_with(" left, a leads with 60 %"), "{text}");
        let fewer = Units { all: 40, ..units };
        show(&bar, &fewer);
        assert_eq!(bar.length(), Some(40));
        assert!(line(&bar, &fewer).starts_with("21 of 40 games, "));
    }
}
