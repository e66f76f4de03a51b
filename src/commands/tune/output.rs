//! What a finished tuning writes and says.

use crate::analysis::Summary;
use crate::analysis::tuning::{Report, pictures};
use crate::commands::Failure;
use crate::run::RunDirectory;
use crate::stats::{percent, percent_range};
use crate::tuning::Findings;
use std::io::Write;

/// Writes validation, plots and report into `directory` and the answer to `output`.
pub fn write(
    directory: &RunDirectory,
    findings: &Findings<'_>,
    validation: &Summary,
    output: &mut dyn Write,
) -> Result<(), Failure> {
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
    writeln!(output, "{conditions}\n")?;
    if let Some((rate, interval)) = findings.own_win_rate() {
        writeln!(
            output,
            "while tuning (biased): {} against {} ({})",
            percent(rate),
            findings.own_opponent(),
            percent_range(interval)
        )?;
    }
    writeln!(output, "tuned bot: {}\n", findings.tuned.name)?;
    for sentence in report.sentences() {
        writeln!(output, "{sentence}")?;
    }
    writeln!(output, "\nreport: {}", directory.path().join("report.html").display())?;
    Ok(())
}
