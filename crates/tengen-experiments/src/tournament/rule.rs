//! The rule by which a run is decided: claims, each about the strength of two bots.

use std::fmt;
use std::str::FromStr;
use tengen_go::{ParseError, text_setting};
use tengen_stats::{Claim, Elo, Finding};

/// A claim that a run is to decide: `A > B`; `A > B + 20`, by which the first bot is more than
/// 20 Elo stronger than the second; or `A = B +- 20`, by which the two bots are equivalent, since
/// their difference is less than 20 Elo in either direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The bot that is named first.
    pub bot: String,
    /// The other bot.
    pub opponent: String,
    /// The claim about the rating difference, `bot` minus `opponent`.
    pub claim: Claim,
}

/// The forms of the text.
const FORMS: &str = "`A > B`, `A > B + ELO` or `A = B +- ELO`, such as `new > old + 20`";

/// The text that stands between the second bot and the margin of an equivalence.
const PLUS_OR_MINUS: &str = " +- ";

text_setting!(Rule, "rule", FORMS);

impl FromStr for Rule {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.is_finite());
        let parts = match text.split_once(" > ") {
            Some((bot, rest)) => {
                let signed =
                    [(" + ", 1.0), (" - ", -1.0)].into_iter().find_map(|(sign, factor)| {
                        let (opponent, elo) = rest.rsplit_once(sign)?;
                        Some((opponent, factor * number(elo)?))
                    });
                let (opponent, margin) = signed.unwrap_or((rest, 0.0));
                Some((bot, opponent, Claim::Above(Elo(margin))))
            }
            None => text.split_once(" = ").and_then(|(bot, rest)| {
                let (opponent, elo) = rest.rsplit_once(PLUS_OR_MINUS)?;
                let margin = number(elo).filter(|&elo| elo > 0.0)?;
                Some((bot, opponent, Claim::Within(Elo(margin))))
            }),
        };
        let trimmed = parts.map(|(bot, opponent, claim)| (bot.trim(), opponent.trim(), claim));
        match trimmed {
            Some((bot, opponent, claim))
                if !bot.is_empty() && !opponent.is_empty() && bot != opponent =>
            {
                Ok(Self { bot: bot.to_owned(), opponent: opponent.to_owned(), claim })
            }
            _ => Err(Self::refused(text)),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bot, opponent, claim } = self;
        match *claim {
            Claim::Above(Elo(margin)) if margin > 0.0 => write!(f, "{bot} > {opponent} + {margin}"),
            Claim::Above(Elo(margin)) if margin < 0.0 => {
                write!(f, "{bot} > {opponent} - {}", -margin)
            }
            Claim::Above(_) => write!(f, "{bot} > {opponent}"),
            Claim::Within(Elo(margin)) => write!(f, "{bot} = {opponent}{PLUS_OR_MINUS}{margin}"),
        }
    }
}

/// Verdict of a run on a rule, by the 95 % interval of the difference of the bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "kebab-case")]
pub enum Verdict {
    /// The claim holds in the whole interval.
    Holds,
    /// The claim fails in the whole interval.
    Fails,
    /// The claim holds in a part of the interval.
    Undecided,
    /// The run is not over, and nothing is decided before its end.
    NotOver,
}

impl From<Finding> for Verdict {
    fn from(finding: Finding) -> Self {
        match finding {
            Finding::Holds => Self::Holds,
            Finding::Fails => Self::Fails,
            Finding::Undecided => Self::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_as_they_are_written() {
        for text in [
            "a > b",
            "a > b + 20",
            "new one > old - 12.5",
            "a+b > c + 1",
            "a = b +- 20",
            "x = y > z",
        ] {
            assert_eq!(text.parse::<Rule>().map(|rule| rule.to_string()).as_deref(), Ok(text));
        }
        let rule: Rule = "a > b + c".parse().unwrap();
        assert_eq!((rule.opponent.as_str(), rule.claim), ("b + c", Claim::Above(Elo(0.0))));
        let rule: Rule = "new = the old +- 7.5".parse().unwrap();
        assert_eq!((rule.opponent.as_str(), rule.claim), ("the old", Claim::Within(Elo(7.5))));
        for text in [
            "a < b",
            "a > ",
            " > b",
            "a > a",
            "a>b",
            "",
            "a = b",
            "a = b +- -3",
            "a = b +- 0",
            "a = b + 20",
            "a = a +- 20",
            "a = b +- x",
        ] {
            let said = text.parse::<Rule>().unwrap_err().to_string();
            assert!(said.contains(&format!("`{text}`")) && said.contains("A > B"), "{said}");
        }
    }
}
