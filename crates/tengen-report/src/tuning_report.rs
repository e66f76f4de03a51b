//! The report of a tuning run.

use crate::tuning_plots::pictures;
use crate::{Line, Summary, page, picture};
use maud::{Markup, html};
use tengen_optimize::tuning::{Findings, Parameter, short};
use tengen_stats::{Elo, Interval};
use tengen_stats::{percent, percent_range};

/// The content of a report.
pub struct Report<'a> {
    /// Name of the run.
    pub name: &'a str,
    /// What came out.
    pub findings: &'a Findings<'a>,
    /// The match on fresh seeds and openings.
    pub validation: &'a Summary,
    /// The resolved settings as TOML.
    pub config: &'a str,
}

impl Report<'_> {
    /// Where the optimum is, how sure that is, and what the match on fresh openings
    /// says: a sentence for the optimum and one for each opponent.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let validated = self.validation.pairings.iter().map(validated);
        std::iter::once(self.findings.answer()).chain(validated).collect()
    }

    /// The page.
    ///
    /// # Errors
    /// If the drawing library refuses a plot.
    pub fn to_html(&self) -> Result<String, String> {
        let conditions = self.findings.tuning.conditions();
        let drawings: Result<Vec<Markup>, String> = pictures(self.findings, &conditions)
            .iter()
            .map(|(_, drawing)| picture(drawing))
            .collect();
        let body = html! {
            p.conditions { (conditions) }
            div.answer {
                @for sentence in self.sentences() {
                    p { (sentence) }
                }
                p.note {
                    "The tuned bot: " code { (self.findings.tuned.name) }
                    ". Intervals hold the true value in 95 of 100 such runs."
                }
            }
            h2 { "Validation" }
            p {
                "Played after the tuning, on seeds and openings that it has not seen: these win \
                 rates are unbiased."
            }
            (results(self.validation))
            h2 { "Optimum" }
            (optima(&self.findings.parameters))
            h2 { "Win rate seen by the tuner" }
            (self.own())
            h2 { "Plots" }
            @for drawing in drawings? {
                (drawing)
            }
            h2 { "Settings" }
            p {
                "Who made it, when, where and from which commit: "
                a href="manifest.toml" { "manifest.toml" }
                ". All games: " a href="games.csv" { "games.csv" }
                ", those of the validation: " a href="validation/games.csv" { "validation/games.csv" }
                ". To repeat it at that commit: "
                code { "tune --config config.toml" }
                "."
            }
            pre { (self.config) }
        };
        Ok(page(self.name, &body))
    }

    /// What the tuner itself saw, which is biased.
    fn own(&self) -> Markup {
        let Some((rate, interval)) = self.findings.own_win_rate() else { return html! {} };
        html! {
            p {
                "At the estimate the tuner saw a win rate of " (percent(rate)) " against "
                (self.findings.own_opponent()) " (" (percent_range(interval))
                "). It is biased: the estimate was chosen because it looked best there, and the \
                 best of many overstates itself. The validation above is what counts."
            }
        }
    }
}

/// One line of the validation in a sentence.
fn validated(line: &Line) -> String {
    let opponent = line.opponent.as_deref().unwrap_or("its opponent");
    let (Some(rate), Some(interval), Some((elo, ends))) =
        (line.win_rate(), line.interval(), line.elo())
    else {
        return format!("The validation against {opponent} has no complete pair.");
    };
    let verdict = if interval.low > 0.5 {
        format!("it is stronger than {opponent}")
    } else if interval.high < 0.5 {
        format!("it is weaker than {opponent}")
    } else {
        format!("no difference to {opponent} is shown")
    };
    format!(
        "Validated on fresh openings, the tuned bot wins {} of {} games against {opponent} ({}), \
         that is {}: {verdict}.",
        percent(rate),
        line.games.count(),
        percent_range(interval),
        in_elo(elo, ends)
    )
}

/// A difference with its interval; where all games were won or lost, the end that is known.
fn in_elo(elo: Elo, Interval { low, high }: Interval<Elo>) -> String {
    if elo == Elo(f64::INFINITY) {
        format!("at least {low:+.0} Elo")
    } else if elo == Elo(f64::NEG_INFINITY) {
        format!("at most {high:+.0} Elo")
    } else {
        format!("{elo:+.0} Elo ({low:+.0} to {high:+.0})")
    }
}

fn results(summary: &Summary) -> Markup {
    html! {
        table {
            tr {
                th.name { "bot" }
                th.name { "against" }
                @for head in ["games", "wins", "losses", "jigo", "win rate", "95 % interval", "Elo", "95 % interval"] {
                    th { (head) }
                }
            }
            @for line in &summary.pairings {
                tr {
                    td.name { (line.bot) }
                    td.name { (line.opponent.as_deref().unwrap_or("")) }
                    td { (line.games.count()) }
                    td { (line.games.wins) }
                    td { (line.games.losses) }
                    td { (line.games.draws) }
                    td { (line.win_rate().map_or(String::new(), percent)) }
                    td { (line.interval().map_or(String::new(), percent_range)) }
                    @if let Some((elo, ends)) = line.elo() {
                        td { (format!("{elo:+.0}")) }
                        td { (format!("{:+.0} to {:+.0}", ends.low, ends.high)) }
                    }
                }
            }
        }
    }
}

fn optima(parameters: &[Parameter]) -> Markup {
    html! {
        table {
            tr {
                th.name { "parameter" }
                @for head in ["range", "default", "estimate", "95 % interval"] {
                    th { (head) }
                }
                th.name { "" }
            }
            @for parameter in parameters {
                tr {
                    td.name { (parameter.name) }
                    td { (short(parameter.range.0)) " to " (short(parameter.range.1)) }
                    td { (parameter.default.map_or_else(|| "none".to_owned(), short)) }
                    td { (short(parameter.best)) }
                    td { (short(parameter.interval.low)) " to " (short(parameter.interval.high)) }
                    td.name { @if parameter.is_flat { "flat" } }
                }
            }
        }
        p.note {
            "Flat: the interval covers more than half of the range on its scale, so that the games \
             do not show where the optimum is."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infinite_difference_is_said_by_the_end_that_is_known() {
        let said = |elo, low, high| in_elo(Elo(elo), Interval { low: Elo(low), high: Elo(high) });
        assert_eq!(said(12.0, -3.0, 27.0), "+12 Elo (-3 to +27)");
        assert_eq!(said(f64::INFINITY, 77.0, f64::INFINITY), "at least +77 Elo");
        assert_eq!(said(f64::NEG_INFINITY, f64::NEG_INFINITY, 113.0), "at most +113 Elo");
    }
}
