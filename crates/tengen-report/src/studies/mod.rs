//! Studies: questions that several runs answer together.
//!
//! A study is a folder of runs, or of measurements, with the file `study.toml`, whose key `kind` names what is
//! computed from their rows: tables and plots. The questions and rules of the kinds are in the folders of
//! `experiments/configs`.

mod exchange;
mod matches;
mod openings;
mod regret_elo;
mod speed;

use crate::plots::Drawing;
use crate::text::{Align, CsvRow, TextTable, csv_text};
use serde::Deserialize;
use std::fs;
use std::path::Path;
use tengen_harness::run::RunError;
use tengen_stats::Interval;

/// The file that makes a folder a study.
pub const STUDY: &str = "study.toml";

/// What a study asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// Whether regret on solved positions predicts Elo.
    RegretElo,
    /// Which openings and which komi tell most per game.
    Openings,
    /// What Elo of self-play is worth against another program.
    Exchange,
    /// How fast programs are on one machine.
    Speed,
}

/// The contents of `study.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    kind: Kind,
}

/// What follows from the rows of the runs of a study.
#[derive(Clone, Debug, Default)]
pub struct Study {
    tables: Vec<(&'static str, Vec<CsvRow>)>,
    plots: Vec<(&'static str, Drawing)>,
}

impl Study {
    /// The study in `folder`; none if the folder is no study.
    ///
    /// # Errors
    /// If `study.toml` or a run is invalid, or a run that the study needs is missing.
    pub fn of(folder: &Path) -> Result<Option<Self>, RunError> {
        let path = folder.join(STUDY);
        if !path.exists() {
            return Ok(None);
        }
        let text =
            fs::read_to_string(&path).map_err(|why| RunError::file("cannot read", &path, &why))?;
        let settings: Settings = toml::from_str(&text)
            .map_err(|why| RunError::Input(format!("{}: {}", path.display(), why.message())))?;
        Ok(Some(match settings.kind {
            Kind::RegretElo => regret_elo::study(folder)?,
            Kind::Openings => openings::study(folder)?,
            Kind::Exchange => exchange::study(folder)?,
            Kind::Speed => speed::study(folder)?,
        }))
    }

    /// The tables, by the names of their files.
    ///
    /// # Errors
    /// Never in practice: writing to memory does not fail.
    pub fn tables(&self) -> Result<Vec<(String, String)>, RunError> {
        let text = |(name, rows): &(&str, Vec<CsvRow>)| {
            Ok(((*name).to_owned(), csv_text(rows.iter().cloned())?))
        };
        self.tables.iter().map(text).collect()
    }

    /// The plots, by the names of their files without an ending.
    #[must_use]
    pub fn plots(&self) -> &[(&'static str, Drawing)] {
        &self.plots
    }

    /// The tables as text.
    #[must_use]
    pub fn text(&self) -> String {
        let shown = self.tables.iter().filter_map(|(_, rows)| {
            let columns: Vec<_> = rows
                .first()?
                .iter()
                .map(|(name, cell)| {
                    let is_number = cell.is_empty() || cell.parse::<f64>().is_ok();
                    (name.as_str(), if is_number { Align::Right } else { Align::Left })
                })
                .collect();
            let mut table = TextTable::new(&columns);
            for row in rows {
                table.push(row.iter().map(|(_, cell)| cell.clone()));
            }
            Some(table.to_string())
        });
        shown.collect::<Vec<_>>().join("\n")
    }
}

/// What an interval says of a threshold.
fn verdict(interval: Option<Interval>, threshold: f64, [below, above]: [&str; 2]) -> String {
    match interval {
        Some(Interval { high, .. }) if high < threshold => below,
        Some(Interval { low, .. }) if low > threshold => above,
        _ => "undecided",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_decides_or_not() {
        let said = |low, high| verdict(Some(Interval { low, high }), 1.0, ["less", "more"]);
        assert_eq!([said(0.2, 0.9), said(1.1, 2.0), said(0.9, 1.1)], ["less", "more", "undecided"]);
        assert_eq!(verdict(None, 1.0, ["less", "more"]), "undecided");
    }

    #[test]
    fn a_folder_is_a_study_or_not_and_a_wrong_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Study::of(folder.path()).unwrap().is_none());
        fs::write(folder.path().join(STUDY), "kind = 'weather'").unwrap();
        let said = Study::of(folder.path()).unwrap_err().to_string();
        assert!(said.contains("study.toml") && said.contains("weather"), "{said}");
        fs::write(folder.path().join(STUDY), "kind = 'exchange'").unwrap();
        let said = Study::of(folder.path()).unwrap_err().to_string();
        assert!(said.contains("self"), "{said}");
    }
}
