//! The rule by which a run is decided: claims, each of one bot being stronger than another.

use std::fmt;
use std::str::FromStr;
use tengen_go::written_as_text;
use tengen_settings::{Domain, TextValue};
use tengen_stats::{Elo, Interval};

/// A claim that a run is to decide: `A > B`, or `A > B + 20`, by which the first bot is more than
/// 20 Elo stronger than the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The bot that is claimed to be stronger.
    pub bot: String,
    /// The other bot.
    pub opponent: String,
    /// Difference in Elo that the claim exceeds.
    pub margin: f64,
}

/// An invalid rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid rule `{0}`: expected {FORMS}")]
pub struct RuleError(String);

/// The forms of the text.
const FORMS: &str = "`A > B` or `A > B + ELO`, such as `new > old + 20`";

impl TextValue for Rule {
    fn domain() -> Domain {
        Domain::Text(FORMS.to_owned())
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let fault = || RuleError(text.to_owned());
        let (bot, rest) = text.split_once(" > ").ok_or_else(fault)?;
        let signed = [(" + ", 1.0), (" - ", -1.0)].into_iter().find_map(|(sign, factor)| {
            let (opponent, elo) = rest.rsplit_once(sign)?;
            let elo = elo.trim().parse::<f64>().ok().filter(|elo| elo.is_finite())?;
            Some((opponent, factor * elo))
        });
        let (opponent, margin) = signed.unwrap_or((rest, 0.0));
        let [bot, opponent] = [bot, opponent].map(|name| name.trim().to_owned());
        if bot.is_empty() || opponent.is_empty() || bot == opponent {
            return Err(fault());
        }
        Ok(Self { bot, opponent, margin })
    }
}

written_as_text!(Rule);

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bot, opponent, margin } = self;
        write!(f, "{bot} > {opponent}")?;
        if *margin > 0.0 {
            write!(f, " + {margin}")?;
        } else if *margin < 0.0 {
            write!(f, " - {}", -margin)?;
        }
        Ok(())
    }
}

/// Verdict of a run on a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "kebab-case")]
pub enum Verdict {
    /// The interval of the difference is above the margin.
    Holds,
    /// The interval is below the margin.
    Fails,
    /// The interval contains the margin.
    Undecided,
    /// The run is not over, and nothing is decided before its end.
    NotOver,
}

impl Rule {
    /// The verdict by the `interval` of the difference of the bots, which allows for the looks at the
    /// result.
    #[must_use]
    pub fn verdict(&self, interval: Interval<Elo>) -> Verdict {
        if interval.low.0 > self.margin {
            Verdict::Holds
        } else if interval.high.0 < self.margin {
            Verdict::Fails
        } else {
            Verdict::Undecided
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_as_they_are_written() {
        for text in ["a > b", "a > b + 20", "new one > old - 12.5", "a+b > c + 1"] {
            assert_eq!(text.parse::<Rule>().map(|rule| rule.to_string()).as_deref(), Ok(text));
        }
        let rule: Rule = "a > b + c".parse().unwrap();
        assert_eq!((rule.opponent.as_str(), rule.margin), ("b + c", 0.0));
        for text in ["a < b", "a > ", " > b", "a > a", "a>b", ""] {
            let said = text.parse::<Rule>().unwrap_err().to_string();
            assert!(said.contains(&format!("`{text}`")) && said.contains("A > B"), "{said}");
        }
    }

    #[test]
    fn the_interval_decides() {
        let rule: Rule = "a > b + 20".parse().unwrap();
        let verdict = |low, high| rule.verdict(Interval { low: Elo(low), high: Elo(high) });
        assert_eq!(verdict(21.0, 60.0), Verdict::Holds);
        assert_eq!(verdict(-5.0, 19.0), Verdict::Fails);
        assert_eq!(verdict(10.0, f64::INFINITY), Verdict::Undecided);
        assert_eq!(Verdict::NotOver.to_string(), "not-over");
    }
}
