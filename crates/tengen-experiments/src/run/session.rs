//! A process that makes the missing units of a run.

use super::blocks::Blocks;
use super::{
    Build, CONFIG, Concurrency, Experiment, Fingerprint, MANIFEST, Provenance, Row, RowFile, Rows,
    Run, RunError, SessionRecord, Signed, check_provenance, config_of, difference, rows,
    saved_config,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_search::ResourceFault;
use tengen_settings::CliOptions;

/// A run that is being made: its file of rows, and the rows made so far.
///
/// Meanwhile the file has the rows in order of completion. When the run is over, the file is
/// written anew with the rows that count, in order.
pub struct Session<'run, E: Experiment> {
    experiment: &'run E,
    run: &'run mut Run,
    provenance: &'run Provenance,
    file: RowFile,
    there: Rows<E::Row>,
}

impl<'run, E: Experiment> Session<'run, E> {
    /// Opens the rows of `run`, all of which must have been made under `provenance`, the provenance
    /// of the program `build`. After an error nothing has changed.
    pub fn open(
        experiment: &'run E,
        run: &'run mut Run,
        provenance: &'run Provenance,
        build: &Build,
    ) -> Result<Self, RunError> {
        let folder = run.directory.path();
        let begun = run.manifest.provenance.as_ref().map(|before| before.settings);
        // An extended run has more units than its settings say.
        let is_extended = run.manifest.units != experiment.units();
        if begun.is_some_and(|begun| begun != provenance.settings) && !is_extended {
            let wanted = experiment.config()?;
            if let Some(difference) =
                difference(&E::Settings::settings(), &config_of(&run.directory)?, &wanted)
            {
                return Err(RunError::Input(format!(
                    "{} cannot be continued: in {CONFIG}, {difference}: give this program the settings \
                     of {CONFIG}",
                    folder.display()
                )));
            }
        }
        check_provenance(folder, &run.manifest, provenance, build)?;
        experiment.check(&run.directory)?;
        let path = folder.join(E::ROWS);
        let packed = folder.join(format!("{}.xz", E::ROWS));
        if packed.exists() && !path.exists() {
            let packed = packed.display();
            return Err(RunError::Input(format!("{packed} is compressed: unpack it with xz -d")));
        }
        let (file, found) = RowFile::open(&path)?;
        let whole = found.len();
        let fingerprint = provenance.fingerprint();
        let there = admit(experiment, fingerprint, found, &path)?;
        // An extended run has more units than its settings say.
        let config = saved_config(experiment, &run.directory)?;
        if run.directory.read(CONFIG)? != config {
            run.directory.write(CONFIG, config)?;
        }
        let mut session = Self { experiment, run, provenance, file, there };
        // A unit whose rows, or whose data in other files, are incomplete is made again.
        if session.there.values().map(Vec::len).sum::<usize>() < whole {
            session.rewrite()?;
        }
        Ok(session)
    }

    /// The rows made so far.
    #[must_use]
    pub const fn rows(&self) -> &Rows<E::Row> {
        &self.there
    }

    /// Whether nothing is left to be made.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.experiment.is_over(&self.there)
    }

    /// Makes the missing units until none is left or `stop` is true, and calls `told` with the rows
    /// of each unit. Returns the missing resource, if that stopped it. After an error, rows already
    /// made stay.
    pub fn play(
        &mut self,
        build: Build,
        on: Concurrency<'_>,
        stop: &AtomicBool,
        mut told: impl FnMut(&[E::Row]) + Send,
    ) -> Result<Option<ResourceFault>, RunError> {
        let mut entry = SessionRecord::begin(on, build);
        entry.scheduled = self.experiment.units();
        let started = Instant::now();
        let before = self.run.manifest.sessions.len();
        self.record(before, &entry)?;
        let fingerprint = Some(self.provenance.fingerprint());
        let mut units = 0;
        let lacking = loop {
            if let Some(blocks) = on.blocks {
                blocks.works_in(self.run.directory.path());
            }
            let Self { experiment, there, file, .. } = self;
            let mut fresh: Rows<E::Row> = Rows::new();
            let made = if experiment.is_over(there) {
                Ok(())
            } else {
                experiment.make(there, None, on, stop, &mut |rows| {
                    file.append(rows, fingerprint)?;
                    told(rows);
                    if let Some(first) = rows.first() {
                        fresh.insert(first.unit(), rows.to_vec());
                    }
                    Ok(())
                })
            };
            // Synced even after a failure, so that the rows already written stay.
            let synced = file.sync();
            units += fresh.len();
            there.append(&mut fresh);
            if self.remove_wrong(on)? {
                continue;
            }
            let lacking = lacking(made)?;
            synced?;
            break lacking;
        };
        entry.end(started.elapsed().as_secs_f64(), Some(units));
        entry.hosts = on.blocks.map(Blocks::take_hosts).unwrap_or_default();
        self.record(before, &entry)?;
        Ok(lacking)
    }

    /// Removes the rows of processes that were found to answer wrongly, and of units that depend on
    /// these rows; returns whether it removed any.
    fn remove_wrong(&mut self, on: Concurrency<'_>) -> Result<bool, RunError> {
        let wrong = on.blocks.map(Blocks::take_again).unwrap_or_default();
        let Some(&first) = wrong.first() else { return Ok(false) };
        let depends = self.experiment.depends_on_earlier();
        self.there.retain(|unit, _| !wrong.contains(unit) && (*unit < first || !depends));
        self.rewrite()?;
        Ok(true)
    }

    /// Writes the file of rows anew, with the rows made so far.
    fn rewrite(&mut self) -> Result<(), RunError> {
        self.write(self.there.values().flatten())?;
        self.file = RowFile::open::<E::Row>(&self.run.directory.path().join(E::ROWS))?.0;
        Ok(())
    }

    /// Writes the manifest with `entry` as the session after the first `before`.
    fn record(&mut self, before: usize, entry: &SessionRecord) -> Result<(), RunError> {
        let manifest = &mut self.run.manifest;
        let folder = self.run.directory.path();
        manifest.provenance = Some(self.provenance.clone().seen_from(folder));
        manifest.units = self.experiment.units();
        manifest.sessions.truncate(before);
        manifest.sessions.push(entry.clone());
        self.run.directory.write(MANIFEST, toml::to_string(manifest)?)
    }

    /// Ends the session of a run that is over: writes the file of rows anew, with the rows that
    /// count, in order.
    pub fn finish(self) -> Result<(), RunError> {
        let counted = self.experiment.counted(self.there.clone());
        self.write(counted.iter())
    }

    fn write<'a>(&self, rows: impl Iterator<Item = &'a E::Row>) -> Result<(), RunError>
    where
        E::Row: 'a,
    {
        let fingerprint = Some(self.provenance.fingerprint());
        let text = rows::to_csv(rows.map(|row| (row, fingerprint)), true)?;
        self.run.directory.write(E::ROWS, text)
    }
}

/// Makes the missing units of the run of `experiment` in `folder`, which is a part of another run
/// and is begun if it is absent. Calls `told` at first and after each unit with the number of units
/// made. Returns the rows that count; none if it was stopped. After an error, rows already made
/// stay.
pub fn make_part<E: Experiment>(
    experiment: &E,
    folder: &Path,
    build: &Build,
    on: Concurrency<'_>,
    stop: &AtomicBool,
    mut told: impl FnMut(usize) + Send,
) -> Result<Option<Vec<E::Row>>, RunError> {
    let mut run = if folder.join(CONFIG).exists() {
        Run::open(folder)?
    } else {
        let begun = Run::begin(experiment, folder)?;
        if begun.directory.path() != folder.components().collect::<PathBuf>() {
            begun.directory.discard();
            let folder = folder.display();
            let said = format!(
                "{folder} has files, but no {CONFIG}: delete this folder, whose games are then played again"
            );
            return Err(RunError::Input(said));
        }
        begun
    };
    let provenance = experiment.provenance()?;
    let mut session = Session::open(experiment, &mut run, &provenance, build)?;
    let mut made = session.rows().len();
    told(made);
    let lacking = session.play(build.clone(), on, stop, |_| {
        made += 1;
        told(made);
    })?;
    if let Some(fault) = lacking {
        return Err(fault.into());
    }
    if !session.is_over() {
        return Ok(None);
    }
    let rows = session.rows().clone();
    session.finish()?;
    Ok(Some(experiment.counted(rows)))
}

/// The units of `experiment` whose rows are among `found`, the rows of the file `path`. All rows
/// must be planned, and have `fingerprint`. Units that lack rows, or data in other files, are left
/// out.
pub(super) fn admit<E: Experiment>(
    experiment: &E,
    fingerprint: Fingerprint,
    found: Vec<Signed<E::Row>>,
    path: &Path,
) -> Result<Rows<E::Row>, RunError> {
    let name = &path.display().to_string();
    let mut there: Rows<E::Row> = Rows::new();
    for Signed { row, fingerprint: own } in found {
        let unit = row.unit();
        check_planned(experiment, &row, name)?;
        let fault = match own {
            Some(own) if own == fingerprint => "",
            Some(own) if own.settings == fingerprint.settings => {
                "has the fingerprint of a program whose bots play otherwise: build the commit that \
                 manifest.toml names, or take the file away"
            }
            Some(_) => {
                "has the fingerprint of other settings than this run's: undo the change of \
                 config.toml, or take the file away"
            }
            None => {
                "has no fingerprint: go on with the program that wrote it, or take the file away"
            }
        };
        if !fault.is_empty() {
            let number = experiment.number(unit);
            return Err(RunError::Input(format!("{} {number} of {name} {fault}", E::UNIT)));
        }
        if !experiment.is_kept(&row)? {
            continue;
        }
        let rows = there.entry(unit).or_default();
        // A unit that two processes made is counted once.
        if rows.len() < experiment.rows_per_unit() {
            rows.push(row);
        }
    }
    let whole = experiment.rows_per_unit();
    there.retain(|_, rows| rows.len() == whole);
    Ok(there)
}

/// The rows of the run of `experiment` in `folder`, whichever version made them, in the order of the
/// file.
pub fn rows_of<E: Experiment>(experiment: &E, folder: &Path) -> Result<Vec<E::Row>, RunError> {
    let rows = rows::read(folder, E::ROWS)?.into_iter().map(|signed| {
        check_planned(experiment, &signed.row, E::ROWS)?;
        Ok(signed.row)
    });
    rows.collect()
}

/// Checks that `row` of the file `name` is one of `experiment`.
fn check_planned<E: Experiment>(experiment: &E, row: &E::Row, name: &str) -> Result<(), RunError> {
    let number = experiment.number(row.unit());
    let stranger = |difference: String| RunError::stranger(E::UNIT, number, name, &difference);
    experiment.differs(row).map(stranger).map_or(Ok(()), Err)
}

/// The missing resource, if its lack stopped a run: all units made so far are then kept, and the
/// run can be resumed. Other errors stay errors.
pub(super) fn lacking(made: Result<(), RunError>) -> Result<Option<ResourceFault>, RunError> {
    match made {
        Ok(()) => Ok(None),
        Err(RunError::Resource(fault)) => Ok(Some(fault)),
        Err(other) => Err(other),
    }
}
