//! The front of every experiment: one command line that begins, resumes, extends, splits into
//! chunks, merges and reports a run.
//!
//! ```text
//! settings: options of the command line, over a TOML file or the default ones
//! --report: write tables, plots and report of the rows again
//! --merge:  chunks become rows of the run; if no unit is missing, write tables, plots and report
//! --chunk:  make a share of the units
//! else:     begin or resume the run, make the missing units, write tables, plots and report
//! ```
//!
//! A [`Front`] is what an experiment adds to this front.

use super::build::build;
use super::memory::MemoryArgument;
use super::progress::Progress;
use super::run::{open, stopped};
use super::setting_options::Options;
use super::settings::{self, SettingsFile};
use super::{Caller, Failure, Host, cores};
use crate::kind::Kind;
use crate::run::{
    CONFIG, Chunk, Concurrency, Execution, Experiment, FileFault, Plan, Provenance, Row, Rows, Run,
    RunDirectory, Session, check_name, check_provenance, chunk_files, differences, files,
    play_chunk, rows_of,
};
use crate::settings::{CliOptions, SettingError, Settings, parse, refuse_unknown};
use crate::tournament::Tournament;
use clap::builder::StyledStr;
use clap::{Args, Command, CommandFactory, Parser};
#[cfg(feature = "serve")]
use indicatif::HumanDuration;
use serde_json::Value;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
#[cfg(feature = "serve")]
use std::time::Duration;
use toml::Table;

/// A callback that gets the rows of each finished unit.
pub type Told<'a, R> = Box<dyn FnMut(&[R]) + Send + 'a>;

/// Work that does not make a run.
pub type Work = Box<dyn FnOnce(&mut Host<'_>) -> Result<(), Failure>>;

/// The result of a run.
#[derive(Debug)]
pub struct Answer {
    /// As text, with its last line break.
    pub text: String,
    /// As a JSON object.
    pub json: Value,
}

/// An experiment on the command line, with the options that it alone has. Its documentation comment is
/// the help of its command.
pub trait Front: clap::Args + Debug + Default + 'static {
    /// The experiment.
    type Experiment: Experiment<Settings: Settings + Debug>;

    /// The kinds of runs that it continues and reports, each with a key; the first is that of the runs
    /// that it begins.
    const KINDS: &'static [Kind];

    /// The settings, as TOML, that apply without `--config`.
    const DEFAULT: &'static str = "";

    /// Settings that replace [`Front::DEFAULT`]: it does not apply if one of them is given.
    const INSTEAD_OF_DEFAULT: &'static [&'static str] = &[];

    /// The settings that a form shows first; if there are none, those of [`Front::DEFAULT`].
    const SHOWN_FIRST: &'static [&'static str] = &[];

    /// The settings that a form does not show, since they make something other than a run of this kind, or
    /// name folders.
    const HIDDEN: &'static [&'static str] = &[];

    /// The setting that `--extend` raises. An error says why a run cannot be extended, and what to do
    /// instead.
    const EXTENT: Result<&'static str, &'static str>;

    /// Checks the options before any of them is followed, and may replace those of every experiment.
    fn prepare(&self, _: &mut General) -> Result<(), Failure> {
        Ok(())
    }

    /// The experiment of the settings in `table`.
    fn read(&self, table: Table) -> Result<Self::Experiment, SettingError>;

    /// Changes `table`, the settings of the run in `folder`, so that it names the folder's own
    /// files.
    fn name_own_files(&self, _table: &mut Table, _folder: &Path) {}

    /// The work that the settings ask for if it is not a run.
    fn aside(&self, _: &Table, _: &General, _: &Execution) -> Result<Option<Work>, SettingError> {
        Ok(None)
    }

    /// How much `experiment` plays, in words, and about how many seconds of one thread it takes, if
    /// that is known.
    #[cfg(feature = "serve")]
    fn extent(&self, experiment: &Self::Experiment) -> Result<(String, Option<f64>), SettingError> {
        Ok((format!("{} {}s", experiment.most_units(), Self::Experiment::UNIT), None))
    }

    /// Checks `experiment`, whose settings are in `file`, before anything is written or made.
    fn check(
        &self,
        _: &Self::Experiment,
        _: Concurrency<'_>,
        _file: Option<&SettingsFile>,
    ) -> Result<(), Failure> {
        Ok(())
    }

    /// Shows the progress of `experiment`, which already has the rows `there`; returns the callback
    /// for the rows of each further unit.
    fn watch<'a>(
        &self,
        experiment: &'a Self::Experiment,
        caller: &dyn Caller,
        there: &Rows<RowOf<Self>>,
    ) -> Told<'a, RowOf<Self>> {
        let units = format!("{}s", Self::Experiment::UNIT);
        let mut progress = Progress::new(caller, experiment.most_units(), there.len(), &units);
        Box::new(move |_| progress.advance())
    }

    /// The provenance under which the chunks of `run` are merged.
    fn merged(&self, run: &Run, experiment: &mut Self::Experiment) -> Result<Provenance, Failure> {
        let provenance = experiment.provenance()?;
        check_provenance(run.directory.path(), &run.manifest, &provenance, &build())?;
        Ok(provenance)
    }

    /// Called when all units of `run` are made, or when the run was stopped with the rows `there`:
    /// plays the parts that follow all units, such as a validation.
    fn made(
        &self,
        _: &Run,
        _: &Self::Experiment,
        _there: &Rows<RowOf<Self>>,
        _: Concurrency<'_>,
        _stop: &AtomicBool,
        _: &dyn Caller,
    ) -> Result<(), Failure> {
        Ok(())
    }

    /// Writes the tables, the plots and the report that follow from the rows of `run`, and returns the
    /// result.
    fn finish(&self, run: &Run, caller: &dyn Caller) -> Result<Answer, Failure>;

    /// The options, each after a space, with which a stopped run is resumed.
    fn resumed_with(&self) -> String {
        String::new()
    }
}

/// The rows of the experiment of `F`.
pub type RowOf<F> = <<F as Front>::Experiment as Experiment>::Row;

/// The settings of the experiment of `F`.
pub type SettingsOf<F> = <<F as Front>::Experiment as Experiment>::Settings;

/// The options of every experiment.
#[derive(Debug, clap::Args)]
pub struct General {
    /// Read the settings from a TOML file
    ///
    /// Options on the command line replace the settings of the file. The config.toml of an earlier
    /// run repeats that run. `tengen schema` describes the keys.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Resume the stopped run in DIR
    ///
    /// A setting on the command line must equal the setting in the run's config.toml. Options that
    /// are not in config.toml, such as --threads, may differ.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "chunk", "merge", "report"])]
    resume: Option<PathBuf>,
    /// Make only chunk K of N, such as 3/8, in the folder --out
    ///
    /// All chunks of a run have equal settings and one folder --out, which every machine must be
    /// able to access. --merge then joins the chunks. A run whose units depend on earlier ones has
    /// no chunks.
    #[arg(long, value_name = "K/N", conflicts_with_all = ["merge", "report", "json"])]
    pub chunk: Option<Chunk>,
    /// Merge the chunks in DIR into one run, and write its tables, plots and report
    ///
    /// No setting is allowed with --merge.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "report"])]
    merge: Option<PathBuf>,
    /// Write tables, plots and report of the run in DIR again
    ///
    /// The command plays no games and makes no new rows. No setting is allowed with --report.
    #[arg(long, value_name = "DIR", conflicts_with = "config")]
    report: Option<PathBuf>,
    /// Print the result as one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    memory: MemoryArgument,
}

/// The options of an experiment.
#[derive(Debug, clap::Args)]
pub struct RunArguments<F: Front> {
    /// Those of every experiment.
    #[command(flatten)]
    pub general: General,
    #[arg(long, value_name = "N", help = extend_help::<F>())]
    extend: Option<u64>,
    /// Those of this one alone.
    #[command(flatten)]
    pub own: F,
    #[command(flatten)]
    options: Options<SettingsOf<F>>,
}

/// The command is named after the first key of the first kind, and has the help of its front.
impl<F: Front> CommandFactory for RunArguments<F> {
    fn command() -> Command {
        let name = F::KINDS[0].keys().first().copied().unwrap_or_default();
        let (own, mut command) =
            (F::augment_args(Command::new(name)), Self::augment_args(Command::new(name)));
        for (text, set) in [
            (own.get_about(), Command::about as fn(Command, StyledStr) -> Command),
            (own.get_long_about(), Command::long_about),
            (own.get_after_help(), Command::after_help),
        ] {
            command = set(command, text.cloned().unwrap_or_default());
        }
        command.version(env!("CARGO_PKG_VERSION"))
    }

    fn command_for_update() -> Command {
        Self::command()
    }
}

impl<F: Front> Parser for RunArguments<F> {}

/// To what a run is extended, or why it cannot be.
fn extend_help<F: Front>() -> String {
    match F::EXTENT {
        Ok(key) => format!("With --resume: extend the run to N {key}"),
        Err(why) => format!("With --resume: refused, since {why}"),
    }
}

/// Begins, resumes, extends, cuts into chunks, merges or reports a run.
pub fn run<F: Front>(arguments: RunArguments<F>, host: &mut Host<'_>) -> Result<(), Failure> {
    let RunArguments { mut general, extend, own: front, options } = arguments;
    front.prepare(&mut general)?;
    let General { config, resume, chunk, merge, report, json, memory } = &general;
    memory.limit();
    let given = options.given;
    check_extension(extend, resume.as_deref())?;
    if let Some(folder) = report {
        settings::refuse_given("--report", &given)?;
        return conclude(&front, &open(folder, host.caller)?, *json, host);
    }
    let file = config.as_deref().map(|path| SettingsFile::read(path, F::KINDS)).transpose()?;
    let refused = |error: SettingError| settings::refused(&error, &given, file.as_ref());
    let asks = |key: &&str| given.contains_key(*key);
    let mut below = match &file {
        Some(file) => file.table.clone(),
        None if resume.is_some() || merge.is_some() => Table::new(),
        None if F::INSTEAD_OF_DEFAULT.iter().any(asks) => Table::new(),
        None => parse(F::DEFAULT)?,
    };
    SettingsOf::<F>::rename(&mut below).map_err(refused)?;
    let mut table = Tournament::over(given.clone(), below);
    let execution = execution_in::<F>(&mut table).map_err(refused)?;
    let caller = host.caller;
    let on = Concurrency { blocks: caller.blocks(), ..execution.concurrency(cores()) };
    if on.blocks.is_some() && chunk.is_some() {
        refuse!("--chunk: an executor cuts the run by itself: leave one of them out");
    }
    if let Some(folder) = merge {
        settings::refuse_given("--merge", &given)?;
        return merge_chunks(&front, folder, on, *json, host);
    }
    if let Some(folder) = resume {
        let run = open(folder, host.caller)?;
        let experiment = resumed(&front, &run, table, extend, &refused)?;
        return go_on(&front, run, experiment, on, *json, host);
    }
    if let Some(work) = front.aside(&table, &general, &execution).map_err(refused)? {
        if on.blocks.is_some() {
            refuse!(
                "an executor makes the units of a run, of which there are none here: leave it out"
            );
        }
        return work(host);
    }
    let mut experiment = front.read(table).map_err(refused)?;
    front.check(&experiment, on, file.as_ref())?;
    check_executor(&experiment, on)?;
    if chunk.is_some() {
        experiment.chunks().map_err(|why| Failure::Usage(format!("--chunk: {why}")))?;
        if execution.out.is_none() {
            refuse!("--chunk needs --out DIR, the folder that all chunks share");
        }
    }
    let is_of_file = is_of_file(&front, &experiment, file.as_ref());
    let plan = config.as_deref().filter(|_| is_of_file).and_then(Plan::of);
    // Bots that cannot play are refused before anything is written.
    let provenance = experiment.provenance()?;
    if let (Some(chunk), Some(folder)) = (*chunk, &execution.out) {
        experiment.works_in(folder, Some(chunk));
        return make_chunk(&experiment, folder, chunk, (&provenance, plan), on, host);
    }
    let mut run = begin(&experiment, execution.out.as_deref(), host.caller)?;
    run.manifest.plan = plan;
    play(&front, &mut run, experiment, &provenance, on, *json, host)
}

/// Reads the settings in `table` as [`run`] reads a file, and says how much they play; writes and
/// plays nothing.
#[cfg(feature = "serve")]
pub fn plan<F: Front>(front: &F, mut table: Table) -> Result<String, Failure> {
    // The error names the key: a form finds its field by the key.
    let refused = |error: SettingError| {
        let said = error.to_string();
        Failure::Usage(match error.key().map(|key| format!("`{key}`")) {
            Some(key) if !said.contains(&key) => format!("{key}: {said}"),
            _ => said,
        })
    };
    let execution = execution_in::<F>(&mut table).map_err(refused)?;
    let experiment = front.read(table).map_err(refused)?;
    let on = execution.concurrency(cores());
    front.check(&experiment, on, None)?;
    let (extent, seconds) = front.extent(&experiment).map_err(refused)?;
    Ok(match seconds {
        Some(seconds) => {
            let (threads, s) = (on.threads, if on.threads == 1 { "" } else { "s" });
            let time = Duration::try_from_secs_f64((seconds / threads as f64).max(1.0));
            let time = time.unwrap_or(Duration::MAX);
            format!("{extent}: about {} on {threads} thread{s}", HumanDuration(time))
        }
        None => extent,
    })
}

/// Takes folder and threads out of `table`, and refuses unknown settings. No row depends on folder
/// and threads, and config.toml has neither.
fn execution_in<F: Front>(table: &mut Table) -> Result<Execution, SettingError> {
    SettingsOf::<F>::rename(table)?;
    let known = SettingsOf::<F>::settings();
    refuse_unknown(table, SettingsOf::<F>::OWNER, known.iter())?;
    Execution::take(table)
}

/// A new run of `experiment`, in the folder `out` or the default one.
pub fn begin<E: Experiment>(
    experiment: &E,
    out: Option<&Path>,
    caller: &dyn Caller,
) -> Result<Run, Failure> {
    let config = experiment.config()?;
    let name = config.get("name").and_then(toml::Value::as_str).unwrap_or_default();
    check_name(name).map_err(|error| Failure::Usage(error.to_string()))?;
    let default = || RunDirectory::default_path(name);
    let run = Run::begin(experiment, &out.map_or_else(default, Path::to_path_buf))?;
    caller.works_in(run.directory.path());
    Ok(run)
}

/// Whether the settings of `experiment` equal those of `file`: the command line changes none.
pub fn is_of_file<F: Front>(
    front: &F,
    experiment: &F::Experiment,
    file: Option<&SettingsFile>,
) -> bool {
    let Some(mut table) = file.map(|file| file.table.clone()) else { return false };
    let of_file = Execution::take(&mut table).and_then(|_| front.read(table));
    of_file
        .is_ok_and(|it| it.config().is_ok_and(|it| experiment.config().is_ok_and(|own| own == it)))
}

/// The experiment of `run`, to be continued or reported.
pub fn saved<F: Front>(front: &F, run: &Run) -> Result<F::Experiment, Failure> {
    settings::saved(run, F::KINDS, |mut table| {
        front.name_own_files(&mut table, run.directory.path());
        front.read(table)
    })
}

/// The rows that `run` has so far, by unit, whichever version made them.
pub fn there<E: Experiment>(run: &Run, experiment: &E) -> Result<Rows<E::Row>, Failure> {
    let mut there = Rows::new();
    for row in rows_of(experiment, run.directory.path())? {
        there.entry(row.unit()).or_insert_with(Vec::new).push(row);
    }
    Ok(there)
}

/// Refuses `--extend` without the run that it extends. clap would not where another option excludes
/// `--resume`.
pub fn check_extension(extend: Option<u64>, resume: Option<&Path>) -> Result<(), Failure> {
    if extend.is_some() && resume.is_none() {
        refuse!("--extend needs --resume DIR, the run to extend");
    }
    Ok(())
}

/// The experiment of `run`, extended to `extend`.
pub fn resumed<F: Front>(
    front: &F,
    run: &Run,
    given: Table,
    extend: Option<u64>,
    refused: &dyn Fn(SettingError) -> Failure,
) -> Result<F::Experiment, Failure> {
    let folder = run.directory.path();
    let experiment = saved(front, run)?;
    let mut own = run.config()?;
    files::located_in(&mut own, folder);
    SettingsOf::<F>::rename(&mut own).map_err(refused)?;
    front.name_own_files(&mut own, folder);
    if !given.is_empty() {
        let wanted = front.read(Tournament::over(given, own.clone())).map_err(refused)?;
        wanted.check(&run.directory)?;
        let [mut found, mut wanted] = [experiment.config()?, wanted.config()?];
        files::by_contents(&mut found);
        files::by_contents(&mut wanted);
        let differences = differences(&found, &wanted);
        if !differences.is_empty() {
            let is_extent = |key: &&str| found.get(*key) != wanted.get(*key);
            let or = F::EXTENT.ok().filter(is_extent);
            let or = or.map_or("", |_| ", or use --extend for a longer one");
            refuse!(
                "{} cannot be resumed under other settings ({}): begin a new run{or}",
                folder.display(),
                differences.join("; ")
            );
        }
    }
    let Some(wanted) = extend else {
        let (before, now) = (run.manifest.units, experiment.units());
        let Ok(key) = F::EXTENT else { return Ok(experiment) };
        // Without this check an edited config.toml would silently extend the run.
        return match before.zip(now).filter(|(before, now)| before != now) {
            None => Ok(experiment),
            Some((before, now)) => Err(Failure::Usage(format!(
                "{}: `{key}` was changed after the run began (the run had {before} {}s, and would now have \
                 {now}): undo the change, or use --extend",
                folder.join(CONFIG).display(),
                F::Experiment::UNIT
            ))),
        };
    };
    let refused = |why: String| Failure::Usage(format!("--extend {wanted}: {why}"));
    let key = F::EXTENT.map_err(|why| refused(why.to_owned()))?;
    let there = own.get(key).and_then(toml::Value::as_integer).unwrap_or_default();
    // TOML has no larger integers.
    let most = i64::try_from(wanted).unwrap_or(i64::MAX);
    if most < there {
        return Err(refused(format!("the run has {there} {key}, and cannot be shortened")));
    }
    own.insert(key.to_owned(), most.into());
    front.read(own).map_err(|error| refused(error.to_string()))
}

/// Refuses an executor that cannot make the units, and one with an audit if the games cannot be
/// repeated.
fn check_executor<E: Experiment>(experiment: &E, on: Concurrency<'_>) -> Result<(), Failure> {
    match on.blocks {
        Some(_) if !E::TAKES_EXECUTOR => {
            refuse!("an executor cannot make {}s: leave it out", E::UNIT)
        }
        Some(blocks) if !experiment.is_reproducible() => {
            blocks.refuse_audit().map_err(Failure::Usage)
        }
        _ => Ok(()),
    }
}

/// Resumes `run`, the run of `experiment`.
pub fn go_on<F: Front>(
    front: &F,
    mut run: Run,
    experiment: F::Experiment,
    on: Concurrency<'_>,
    json: bool,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    front.check(&experiment, on, None)?;
    check_executor(&experiment, on)?;
    let provenance = experiment.provenance()?;
    play(front, &mut run, experiment, &provenance, on, json, host)
}

/// Makes one chunk of a run, in the folder that all its chunks share.
fn make_chunk<E: Experiment>(
    experiment: &E,
    folder: &Path,
    chunk: Chunk,
    (provenance, plan): (&Provenance, Option<Plan>),
    on: Concurrency<'_>,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let stop = host.caller.stop()?;
    host.caller.works_in(folder);
    let unit = E::UNIT;
    let mut progress = Progress::new(host.caller, 0, 0, &format!("{unit}s"));
    let mut told = |made: usize, all: usize| {
        progress.expect(all);
        progress.reach(made);
    };
    let played =
        play_chunk(experiment, folder, chunk, provenance, build(), plan, on, &stop, &mut told)?;
    drop(progress);
    let Some(played) = played else {
        let folder = folder.display();
        writeln!(host.output, "all {unit}s are made: write the report with --merge {folder}")?;
        return Ok(());
    };
    let (made, path) = (played.made, played.path.display());
    if played.had_lost_rows {
        let said = format!("warning: {path} has lost rows: what was missing has been made again");
        host.caller.say(&said);
    }
    if played.is_complete {
        writeln!(host.output, "{made} {unit}s made, the chunk is complete: {path}")?;
        return Ok(());
    }
    let why = played.lacking.map_or(String::new(), |fault| format!("{fault}: "));
    Err(anyhow::anyhow!("{why}stopped after {made} {unit}s: run the same command again").into())
}

/// Merges the chunks of the run in `folder`, completes and reports it.
fn merge_chunks<F: Front>(
    front: &F,
    folder: &Path,
    on: Concurrency<'_>,
    json: bool,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let mut run = open(folder, host.caller)?;
    let mut experiment = saved(front, &run)?;
    experiment.chunks().map_err(|why| {
        Failure::Usage(format!("{} has no chunks to merge: {why}", folder.display()))
    })?;
    let provenance = front.merged(&run, &mut experiment)?;
    experiment.works_in(folder, None);
    run.merge(&experiment, &provenance)?;
    let there = there(&run, &experiment)?;
    front.made(&run, &experiment, &there, on, &*host.caller.stop()?, host.caller)?;
    conclude(front, &run, json, host)
}

/// Makes the missing units of `run`, and writes and prints its result.
pub fn play<F: Front>(
    front: &F,
    run: &mut Run,
    experiment: F::Experiment,
    provenance: &Provenance,
    on: Concurrency<'_>,
    json: bool,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let folder = run.directory.path().to_path_buf();
    let more = front.resumed_with();
    let played = play_units(front, run, experiment, provenance, on, json, host);
    played.map_err(|failure| with_remedy(failure, &folder, &more))
}

/// `failure`, with the option that resumes the run in `folder` if a file was refused and the failure
/// names no remedy yet; `more` are further options, each after a space.
fn with_remedy(failure: Failure, folder: &Path, more: &str) -> Failure {
    let names_remedy = |said: &str| said.contains("--resume") || said.contains("--report");
    match failure {
        Failure::File(FileFault { said, code, is_input: false }) if !names_remedy(&said) => {
            let said = format!("{said}: go on with --resume {}{more}", folder.display());
            Failure::File(FileFault { said, code, is_input: false })
        }
        other => other,
    }
}

/// [`play`], but a refused file is told without a remedy.
fn play_units<F: Front>(
    front: &F,
    run: &mut Run,
    mut experiment: F::Experiment,
    provenance: &Provenance,
    on: Concurrency<'_>,
    json: bool,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let stop = host.caller.stop()?;
    experiment.works_in(run.directory.path(), None);
    let mut session = Session::open(&experiment, run, provenance, &build())?;
    let told = front.watch(&experiment, host.caller, session.rows());
    let lacking = session.play(build(), on, &stop, told)?;
    let (there, is_over) = (session.rows().clone(), session.is_over());
    if is_over {
        session.finish()?;
    }
    front.made(run, &experiment, &there, on, &stop, host.caller)?;
    if !is_over {
        let (made, all) = (there.len(), experiment.most_units());
        let at = format!("with {made} of {all} {}s made", F::Experiment::UNIT);
        return Err(stopped(run.directory.path(), lacking, &at, &front.resumed_with()));
    }
    // This ends the display of progress.
    drop(experiment);
    conclude(front, run, json, host)
}

/// Writes and prints the result of `run`, as JSON if `json`.
fn conclude<F: Front>(
    front: &F,
    run: &Run,
    json: bool,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let Answer { text, json: object } = front.finish(run, host.caller)?;
    let text = if json { format!("{object}\n") } else { text };
    Ok(host.output.write_all(text.as_bytes())?)
}

/// A sentence that only `made` units of `run` exist; empty if none is missing.
pub fn what_is_missing<E: Experiment>(run: &Run, experiment: &E, made: usize) -> String {
    let all = experiment.most_units();
    if made >= all {
        return String::new();
    }
    let made = format!("{made} of {all} {}s", E::UNIT);
    not_over(&made, run.directory.path()) + "\n"
}

/// A sentence that the run in `folder` is not over, with only `made` units and maybe chunks.
pub fn not_over(made: &str, folder: &Path) -> String {
    let has_chunks = chunk_files(folder, "csv").is_ok_and(|chunks| !chunks.is_empty());
    let remedy = if has_chunks { "merge its chunks with --merge" } else { "go on with --resume" };
    format!("the run is not over, with {made} made: {remedy} {}", folder.display())
}
