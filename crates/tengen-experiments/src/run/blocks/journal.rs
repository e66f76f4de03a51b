//! Which process made which units.

use super::Process;
use crate::run::{AppendFile, RunError, csv_lines};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The file that says which process made which units of a run.
pub const BLOCKS: &str = "blocks.csv";

/// A line of the file: a block whose rows came.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    /// Numbers of its units, from 0.
    units: String,
    host: String,
    /// Number of the process on the host, and when it made its first block.
    process: String,
    cpu: String,
    version: String,
    cpu_seconds: Option<f64>,
    clock: Option<f64>,
}

/// What is noted of a block beside its units.
#[derive(Clone, Copy, Default)]
pub(super) struct Spent {
    /// Seconds of processor time.
    pub cpu_seconds: Option<f64>,
    /// Factor by which the seconds of bots with a clock were multiplied.
    pub clock: Option<f64>,
}

pub(super) struct Journal {
    file: AppendFile,
    path: PathBuf,
    is_empty: bool,
}

impl Journal {
    pub(super) fn open(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(BLOCKS);
        let file = AppendFile::open(&path)?;
        let bytes = fs::read(&path).map_err(|why| RunError::file("cannot open", &path, &why))?;
        let whole = crate::run::rows::whole_lines(&bytes).len();
        Ok(Self { file: file.continued_at(whole as u64)?, path, is_empty: whole == 0 })
    }

    pub(super) fn append(
        &mut self,
        units: &[usize],
        process: &Process,
        spent: Spent,
    ) -> Result<(), RunError> {
        let units: Vec<String> = units.iter().map(usize::to_string).collect();
        let Process { host, process, cpu, version } = process.clone();
        let rounded = |value: f64| (value * 1e3).round() / 1e3;
        let (cpu_seconds, clock) = (spent.cpu_seconds.map(rounded), spent.clock.map(rounded));
        let line = Line { units: units.join(" "), host, process, cpu, version, cpu_seconds, clock };
        self.file.append(csv_lines([line], self.is_empty)?.as_bytes())?;
        self.is_empty = false;
        Ok(())
    }

    /// The units that one of the `accused` made, by the lines of the file.
    pub(super) fn units_of(
        &self,
        accused: impl Fn(&str, &str) -> bool,
    ) -> Result<BTreeSet<usize>, RunError> {
        let fault = |why: csv::Error| {
            RunError::Input(format!("{} cannot be read: {why}", self.path.display()))
        };
        let mut reader = csv::Reader::from_path(&self.path).map_err(fault)?;
        let mut units = BTreeSet::new();
        for line in reader.deserialize::<Line>() {
            let line = line.map_err(fault)?;
            if accused(&line.host, &line.process) {
                units.extend(line.units.split(' ').filter_map(|unit| unit.parse::<usize>().ok()));
            }
        }
        Ok(units)
    }
}

/// Record in the manifest of what the processes of one host made in a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostRecord {
    /// Name of the host.
    pub name: String,
    /// Name of the processor.
    pub cpu: String,
    /// Version of Tengen.
    pub version: String,
    /// Number of processes that made blocks.
    pub processes: usize,
    /// Number of units that they made.
    pub units: usize,
    /// Seconds of processor time that these units took.
    pub cpu_seconds: f64,
    /// Number of their blocks that were made again elsewhere, and compared.
    pub audited: usize,
    /// Number of their blocks, audits included, with wrong rows.
    pub differing: usize,
}

/// What the processes of a session made.
#[derive(Default)]
pub(super) struct Tally(BTreeMap<String, HostRecord>);

impl Tally {
    pub(super) fn of(&mut self, process: &Process) -> &mut HostRecord {
        let key = format!("{} {}", process.host, process.process);
        let Process { host, cpu, version, .. } = process.clone();
        let begin =
            || HostRecord { name: host, cpu, version, processes: 1, ..HostRecord::default() };
        self.0.entry(key).or_insert_with(begin)
    }

    pub(super) fn hosts(&self) -> usize {
        self.by_host().len()
    }

    pub(super) fn by_host(&self) -> Vec<HostRecord> {
        let mut hosts: BTreeMap<String, HostRecord> = BTreeMap::new();
        for own in self.0.values() {
            let add = |host: &mut HostRecord| {
                host.processes += own.processes;
                host.units += own.units;
                host.cpu_seconds += own.cpu_seconds;
                host.audited += own.audited;
                host.differing += own.differing;
            };
            hosts.entry(own.name.clone()).and_modify(add).or_insert_with(|| own.clone());
        }
        let rounded = |host: HostRecord| HostRecord {
            cpu_seconds: (host.cpu_seconds * 1e3).round() / 1e3,
            ..host
        };
        hosts.into_values().map(rounded).collect()
    }
}
