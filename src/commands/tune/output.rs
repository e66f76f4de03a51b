//! The files and the answer of a finished tuning.

use crate::analysis::Summary;
use crate::analysis::tuning::{Report, pictures};
use crate::commands::Failure;
use crate::commands::front::Answer;
use crate::run::RunDirectory;
use crate::stats::{percent, percent_range};
use crate::tuning::Findings;
use std::fmt::Write;

/// Writes validation, plots and report into `directory`, and returns the answer.
pub fn write(
    directory: &RunDirectory,
    findings: &Findings<'_>,
    validation: &Summary,
) -> Result<Answer, Failure> {
    directory.write("validation.csv", &crate::analysis::tuning::validation(validation)?)?;
    let folder = directory.subfolder("plots")?;
    let conditions = findings.conditions();
    for (name, drawing) in pictures(findings, &conditions) {
        drawing.save(&folder.join(name))?;
    }
    let config = directory.read("config.toml")?;
    let path = directory.path();
    let name =
        path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    let report = Report { name: &name, findings, validation, config: &config };
    directory.write("report.html", report.to_html())?;
    let mut text = format!("{conditions}\n\n");
    if let Some((rate, interval)) = findings.own_win_rate() {
        writeln!(
            text,
            "while tuning (biased): {} against {} ({})",
            percent(rate),
            findings.own_opponent(),
            percent_range(interval)
        )?;
    }
    writeln!(text, "tuned bot: {}\n", findings.tuned.name)?;
    for sentence in report.sentences() {
        writeln!(text, "{sentence}")?;
    }
    writeln!(text, "\nreport: {}", directory.path().join("report.html").display())?;
    Ok(Answer { text, json: report.json(path) })
}
