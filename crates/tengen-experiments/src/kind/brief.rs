//! The answer of a run in a few words, from its most telling table.

use super::Kind;
use crate::report::cells::{Cells, parse};
use crate::report::files::Files;
use crate::tournament::report::card::summary;
use toml::Table;

/// The answer of a run of `kind` in a few words. `text` is the contents of its [`Kind::table`] or
/// of `summary.csv`. None if that table has no answer yet.
#[must_use]
pub fn brief(kind: Kind, text: &str) -> Option<String> {
    let rows: Vec<Cells> = parse("", text).unwrap_or_default();
    (kind.declaration().brief)(&rows, text)
}

/// The answer of a tournament in a few words, computed from its games: for a run without a stored
/// `summary.csv`.
#[must_use]
pub fn brief_of_games(config: &Table, files: &dyn Files) -> Option<String> {
    brief(Kind::TOURNAMENT, &summary(config, files)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_a_few_words() {
        let said = |kind, text: &str| brief(kind, text).unwrap_or_default();
        let summary = "kind,bot,opponent,win_rate,win_rate_low,win_rate_high\n\
                       bot,a,,0.25,0.2,0.3\nbot,b,,0.75,0.7,0.8\npairing,b,a,0.99,,\n";
        assert_eq!(said(Kind::TOURNAMENT, summary), "b wins 75.0 % (70.0 to 80.0)");
        assert_eq!(said(Kind::TOURNAMENT, "kind,bot\n"), "");
        let estimate = "games,c,c_low,c_high,c_flat\n8,0.3,0.1,0.9,true\n10,0.2,0.1,0.4,false\n";
        assert_eq!(said(Kind::TUNING, estimate), "c 0.2 (0.1 to 0.4)");
        let rounds = "round,accepted,top_1\n1,true,0.25\n2,false,0.3\n";
        assert_eq!(said(Kind::LEARNING, rounds), "1 of 2 rounds accepted, predicts 30.0 %");
        let speeds = "size,config,threads,simulations_per_second,simulations_per_cpu_second\n\
                      9x9,a,2,100000,\n9x9,b,2,90000,60000\n\
                      9x9,b,2,90000,62000\n9x9,b,2,90000,90000\n5x5,a,1,1000000,\n";
        assert_eq!(said(Kind::SPEED, speeds), "9x9: b 62 thousand simulations/s");
        let page = format!("# x\n\nWhy?\n\nSince 0.5 is less. {}\n", "x ".repeat(99));
        assert_eq!(said(Kind::STUDY, &page), "Since 0.5 is less.");
        assert_eq!(said(Kind::STUDY, &"x ".repeat(99)).chars().count(), 90);
        assert_eq!(brief(Kind::TUNING, "games\n\"1"), None);
    }
}
