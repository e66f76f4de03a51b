//! Positions as units of blocks.

use super::{Convergence, PositionRow, Settings, measure, read, write};
use crate::run::blocks::{Made, Maker, TravellingFiles, UnitKind, Units, located};
use crate::run::{Experiment, Provenance, Row, RunError, rows};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tengen_bots::SideBySide;
use tengen_settings::Settings as _;
use toml::Table;

/// Positions in blocks.
pub(crate) const POSITION_UNITS: UnitKind =
    UnitKind { name: "positions", maker: PositionMaker::of };

/// The settings of a run for the worker processes.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PositionSettings {
    /// Those of the convergence as TOML, since JSON has no infinite numbers.
    settings: String,
    positions: String,
}

/// The most positions of a block: a worker process makes one after the other.
const MOST: usize = 64;

/// The positions of a convergence.
pub(super) struct Positions<'a> {
    convergence: &'a Convergence,
    /// The files that the bots read.
    files: TravellingFiles,
}

impl<'a> Positions<'a> {
    pub(super) fn new(convergence: &'a Convergence) -> Result<Self, RunError> {
        let files = TravellingFiles::of(Table::try_from(&convergence.settings)?)?;
        Ok(Self { convergence, files })
    }
}

impl Units for Positions<'_> {
    type Unit = usize;
    type Made = Vec<PositionRow>;

    const KIND: UnitKind = POSITION_UNITS;

    fn settings(&self) -> Result<Value, RunError> {
        let mut settings = Table::try_from(&self.convergence.settings)?;
        self.files.replace(&mut settings);
        let (settings, positions) =
            (toml::to_string(&settings)?, write(&self.convergence.positions)?);
        Ok(serde_json::to_value(PositionSettings { settings, positions })?)
    }

    fn files(&self) -> &TravellingFiles {
        &self.files
    }

    fn provenance(&self) -> Result<Provenance, RunError> {
        self.convergence.provenance()
    }

    fn number(&self, position: &usize) -> usize {
        *position
    }

    fn work(&self, positions: &[usize]) -> Result<Value, RunError> {
        Ok(Value::from(positions))
    }

    fn read(
        &self,
        positions: &[usize],
        text: &str,
        _: Value,
    ) -> Result<Vec<Vec<PositionRow>>, String> {
        let rows = rows::parse::<PositionRow>(text.as_bytes(), Path::new("the answer"));
        let mut rows = rows.map_err(|why| why.to_string())?.into_iter().map(|signed| signed.row);
        let made = positions.iter().map(|&position| {
            let own: Vec<PositionRow> =
                rows.by_ref().take(self.convergence.rows_per_unit()).collect();
            let is_own = |row: &PositionRow| {
                row.unit() == position && self.convergence.differs(row).is_none()
            };
            if own.len() == self.convergence.rows_per_unit() && own.iter().all(is_own) {
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
        self.convergence.settings.side_by_side()
    }
}

/// Searches positions in a worker process.
struct PositionMaker(Convergence);

impl PositionMaker {
    fn of(settings: &Value) -> Result<Box<dyn Maker>, RunError> {
        let PositionSettings { settings, positions } = PositionSettings::deserialize(settings)?;
        let input = |why: &dyn ToString| RunError::Input(why.to_string());
        let settings = Settings::from_table(located(&settings)?).map_err(|why| input(&why))?;
        let positions = read(&positions).map_err(|why| input(&why))?;
        Ok(Box::new(Self(Convergence { settings, positions })))
    }
}

impl Maker for PositionMaker {
    fn provenance(&self) -> Result<Provenance, RunError> {
        self.0.provenance()
    }

    fn set_clock(&mut self, factor: f64) {
        for bot in &mut self.0.settings.bot {
            bot.config = bot.config.with_seconds_times(factor);
        }
    }

    fn make(&self, numbers: Value) -> Result<Made, RunError> {
        let numbers: Vec<usize> = serde_json::from_value(numbers)?;
        let mut rows: Vec<PositionRow> = Vec::new();
        for number in numbers {
            let Some(position) = self.0.positions.get(number) else {
                return Err(RunError::Input(format!("there is no position {number}")));
            };
            let stop = AtomicBool::new(false);
            let found = measure(&self.0.settings, number, position, &stop)?;
            rows.extend(found.unwrap_or_default());
        }
        let rows = rows::to_csv(rows.iter().map(|row| (row, None)), true)?;
        Ok(Made { rows, extra: Value::Null })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "size,source,ply,to_play,position,value,moves\n\
                        2x2,random,2,white,X./.O,-4,A1:-4 B2:1 pass:4\n\
                        2x2,random,2,black,X./.O,4,A1:-4 B2:1 pass:4\n";

    fn convergence(bot: &str) -> Convergence {
        let text = format!("positions = ''\nsearches = 3\nseed = 3\nbot = ['{bot}']");
        let settings = Settings::from_toml(&text).unwrap();
        Convergence { settings, positions: read(FILE).unwrap() }
    }

    fn maker(convergence: &Convergence) -> Box<dyn Maker> {
        let settings = Positions::new(convergence).unwrap().settings().unwrap();
        (POSITION_UNITS.maker)(&settings).unwrap()
    }

    #[test]
    fn a_worker_process_makes_the_rows_of_the_run_in_the_order_of_the_block() {
        let convergence = convergence("uct:simulations=20");
        let units = Positions::new(&convergence).unwrap();
        let Made { rows, extra } = maker(&convergence).make(units.work(&[1, 0]).unwrap()).unwrap();
        let made = units.read(&[1, 0], &rows, extra.clone()).unwrap();
        for (number, rows) in [1, 0].into_iter().zip(made) {
            let stop = AtomicBool::new(false);
            let position = &convergence.positions[number];
            assert_eq!(
                Some(rows),
                measure(&convergence.settings, number, position, &stop).unwrap()
            );
        }
        let refused = units.read(&[0, 1], &rows, extra).unwrap_err();
        assert!(refused.contains("in place of those of position 0"), "{refused}");
        let refused = maker(&convergence).make(Value::from(vec![2])).err().unwrap().to_string();
        assert_eq!(refused, "there is no position 2");
    }

    #[test]
    fn a_host_that_searches_more_slowly_gives_searches_more_time() {
        let convergence = convergence("uct:seconds=0.5");
        let mut maker = PositionMaker(convergence);
        maker.set_clock(2.0);
        assert_eq!(maker.0.settings.bot[0].config.to_string(), "uct:seconds=1.0");
    }
}
