//! The tables, the plots and the report of a tuning.

pub(crate) mod card;
mod pictures;

use crate::report::page::{Page, picture};
use crate::report::plots::{self, Plots};
use crate::report::text::Align::{Left, Right};
use crate::report::text::short_number;
use crate::report::text::{CsvRow, TextTable, cells, csv_text, json_rows};
use crate::run::{CONFIG, RunDirectory, RunError};
use crate::tournament::report::summary::{
    AGAINST, BOT, ELO, ELO_INTERVAL, GAMES, INTERVAL, JIGO, LOSSES, Line, Summary, WIN_RATE, WINS,
};
use crate::tuning::report::pictures::pictures;
use crate::tuning::{EstimateAt, Findings, Parameter, Tuning};
use maud::html;
use serde_json::{Value, json};
use tengen_optimize::trial::Sample;
use tengen_stats::{Elo, Interval, percent, percent_range};

/// `samples.csv`: a row for each trial, a colour-swapped pair of games, in the order of
/// the schedule. Its columns: number of the trial, number of its opening, the values of
/// the first side, the values of the second side (empty if that is the opponent or the
/// default), and games won and lost by the first side, a jigo being half of each.
pub fn samples(tuning: &Tuning, samples: &[Sample]) -> Result<String, RunError> {
    let candidate = &tuning.candidate;
    let values = |point: Option<&[f64]>, end: &str| -> CsvRow {
        let values = point.map(|point| candidate.values(point));
        let parameters = candidate.space().parameters().iter().enumerate();
        parameters
            .map(|(number, parameter)| {
                let value = values.as_ref().map_or(String::new(), |all| all[number].to_string());
                (format!("{}{end}", parameter.name()), value)
            })
            .collect()
    };
    csv_text(samples.iter().enumerate().map(|(number, Sample { trial, score })| {
        let mut row = cells([("trial", &number), ("opening", &trial.opening)]);
        row.extend(values(Some(&trial.first), ""));
        row.extend(values(trial.second.as_deref(), "_opponent"));
        row.extend(cells([("wins", &score.wins), ("losses", &score.losses)]));
        row
    }))
}

/// `estimate.csv`: the estimate of the optimum after more and more games, with each
/// parameter's interval and whether the parameter is flat.
pub fn estimates(tuning: &Tuning, estimates: &[EstimateAt]) -> Result<String, RunError> {
    csv_text(estimates.iter().map(|at| {
        let mut row = cells([("games", &at.games)]);
        for Parameter { name, best, interval, is_flat, .. } in
            crate::tuning::parameters(tuning, &at.estimate)
        {
            let Interval { low, high } = interval;
            row.extend(cells([
                (name.as_str(), &best),
                (&format!("{name}_low"), &low),
                (&format!("{name}_high"), &high),
                (&format!("{name}_flat"), &is_flat),
            ]));
        }
        row
    }))
}

/// Writes validation, plots and report of a finished tuning into `directory`, the folder of the run:
/// the `findings`, and the match on fresh seeds and openings. Returns the result as text and as a
/// JSON object: folder, conditions, number of games, the optimum of each parameter with its interval,
/// the tuned bot, and the rows of `validation.csv`.
pub fn write(
    directory: &RunDirectory,
    findings: &Findings<'_>,
    validation: &Summary,
) -> Result<(String, Value), RunError> {
    // A row for each opponent that the tuned bot met on fresh openings.
    directory.write("validation.csv", csv_text(validation.validation_rows())?)?;
    let conditions = findings.tuning.conditions();
    // A sentence for the optimum and one for each opponent.
    let validated = validation.pairings.iter().map(validated);
    let answer: Vec<String> = std::iter::once(findings.answer()).chain(validated).collect();
    let said = answer.join("\n");
    let drawn = pictures(findings, &conditions);
    let page = report(directory, findings, validation, answer, &drawn)?;
    plots::save(directory, drawn)?;
    directory.write("report.html", page)?;
    let own = findings.own_win_rate().map_or(String::new(), |(rate, interval)| {
        let (rate, interval) = (percent(rate), percent_range(interval));
        let opponent = findings.own_opponent();
        format!("while tuning (biased): {rate} against {opponent} ({interval})\n")
    });
    let (tuned, folder) = (&findings.tuned.name, directory.path());
    let page = folder.join("report.html");
    let text = format!(
        "{conditions}\n\n{own}tuned bot: {tuned}\n\n{said}\n\nreport: {}\n",
        page.display()
    );
    let optimum = |it: &Parameter| {
        let Interval { low, high } = it.interval;
        json!({ "name": it.name, "best": it.best, "low": low, "high": high, "flat": it.is_flat })
    };
    let object = json!({
        "folder": folder.to_string_lossy(),
        "conditions": conditions,
        "games": findings.games(),
        "parameters": findings.parameters.iter().map(optimum).collect::<Vec<_>>(),
        "tuned": tuned,
        "validation": json_rows(validation.validation_rows()),
    });
    Ok((text, object))
}

/// The page of the run in `directory`, with the sentences `answer` and the `drawn` plots.
fn report(
    directory: &RunDirectory,
    findings: &Findings<'_>,
    validation: &Summary,
    answer: Vec<String>,
    drawn: &Plots,
) -> Result<String, RunError> {
    let path = directory.path();
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let columns = [BOT, AGAINST, GAMES, WINS, LOSSES, JIGO, WIN_RATE, INTERVAL, ELO, ELO_INTERVAL];
    let sections = html! {
        h2 { "Validation" }
        p {
            "Played after the tuning, on seeds and openings that it has not seen: these win \
             rates are unbiased."
        }
        (validation.table(&columns, &validation.pairings).to_html())
        h2 { "Optimum" }
        (optima(&findings.parameters).to_html())
        @if findings.parameters.iter().any(|parameter| parameter.is_flat) {
            p.note {
                "Flat: the interval covers more than half of the range on its scale, so that \
                 the games do not show where the optimum is."
            }
        }
        h2 { "Win rate seen by the tuner" }
        @if let Some((rate, interval)) = findings.own_win_rate() {
            p {
                "At the estimate the tuner saw a win rate of " (percent(rate)) " against "
                (findings.own_opponent()) " (raw, " (percent_range(interval))
                "). It is biased, and so is the range: the estimate was chosen because it looked best there, and the \
                 best of many overstates itself. The validation above is what counts."
            }
        }
        h2 { "Plots" }
        @for (_, drawing) in drawn {
            (picture(drawing))
        }
    };
    let page = Page {
        name: &name,
        conditions: &findings.tuning.conditions(),
        answer,
        note: html! {
            "The tuned bot: " code { (findings.tuned.name) }
            ". Intervals of the validation hold the true value in 95 of 100 such runs. The \
             interval of an optimum holds it in 85 to 100 of 100, by surface and method."
        },
        sections,
        files: &[
            ("Who made it, when, where and from which commit", "manifest.toml"),
            ("All games", "games.csv"),
            ("Those of the validation", "validation/games.csv"),
        ],
        command: "tengen tune --config config.toml",
        config: &directory.read(CONFIG)?,
    };
    Ok(page.to_html())
}

/// One line of the validation in a sentence.
pub(crate) fn validated(line: &Line) -> String {
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

/// A difference with its interval; if all games were won or lost, only the known end.
fn in_elo(elo: Elo, Interval { low, high }: Interval<Elo>) -> String {
    if elo == Elo(f64::INFINITY) {
        format!("at least {low:+.0} Elo")
    } else if elo == Elo(f64::NEG_INFINITY) {
        format!("at most {high:+.0} Elo")
    } else {
        format!("{elo:+.0} Elo ({low:+.0} to {high:+.0})")
    }
}

fn optima(parameters: &[Parameter]) -> TextTable {
    let ends = |low, high| format!("{} to {}", short_number(low), short_number(high));
    TextTable::of(
        parameters,
        &[
            ("parameter", Left, &|it| it.name.clone()),
            ("range", Right, &|it| ends(it.range.0, it.range.1)),
            ("default", Right, &|it| it.default.map_or_else(|| "none".to_owned(), short_number)),
            ("estimate", Right, &|it| short_number(it.best)),
            ("interval", Right, &|it| ends(it.interval.low, it.interval.high)),
            ("", Left, &|it| if it.is_flat { "flat" } else { "" }.to_owned()),
        ],
    )
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
