//! Positions of a convergence as units of blocks.

use super::block::{RunSettings, UnitSettings};
use super::dispatch::Units;
use super::tournament::Files;
use super::{Part, Work};
use crate::convergence::{Convergence, PositionRow, write};
use crate::run::{Experiment, Row, RunError, rows};
use crate::tournament::SearchRecord;
use std::path::Path;
use tengen_bots::SideBySide;
use toml::Table;

/// The most positions of a block: a worker process makes one after the other.
const MOST: usize = 64;

pub(crate) struct Positions<'a>(pub(crate) &'a Convergence);

impl Units for Positions<'_> {
    type Unit = usize;
    type Made = Vec<PositionRow>;

    fn settings(&self) -> Result<(RunSettings, Vec<Part>), RunError> {
        let mut settings = Table::try_from(&self.0.settings)?;
        let files = Files::of(&mut settings)?;
        files.replace(&mut settings);
        let (settings, positions) = (toml::to_string(&settings)?, write(&self.0.positions)?);
        let kind = UnitSettings::Positions { settings, positions };
        Ok(files.settings(kind, self.0.provenance()?))
    }

    fn number(&self, position: &usize) -> usize {
        *position
    }

    fn work(&self, positions: &[usize]) -> Result<Work, RunError> {
        Ok(Work::Positions(positions.to_vec()))
    }

    fn read(
        &self,
        positions: &[usize],
        text: &str,
        _: Vec<Vec<SearchRecord>>,
    ) -> Result<Vec<Vec<PositionRow>>, String> {
        let rows = rows::parse::<PositionRow>(text.as_bytes(), Path::new("the answer"));
        let mut rows = rows.map_err(|why| why.to_string())?.into_iter().map(|signed| signed.row);
        let made = positions.iter().map(|&position| {
            let own: Vec<PositionRow> = rows.by_ref().take(self.0.rows_per_unit()).collect();
            let is_own =
                |row: &PositionRow| row.unit() == position && self.0.differs(row).is_none();
            if own.len() == self.0.rows_per_unit() && own.iter().all(is_own) {
                Ok(own)
            } else {
                Err(format!("other rows came back in place of those of position {position}"))
            }
        });
        made.collect()
    }

    fn is_alike(&self, one: &Vec<PositionRow>, other: &Vec<PositionRow>) -> bool {
        one == other
    }

    fn most(&self) -> usize {
        MOST
    }

    fn side_by_side(&self) -> SideBySide {
        self.0.settings.side_by_side()
    }
}
