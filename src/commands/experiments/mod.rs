//! The experiments that have a command: Tengen's own, and those that a program registers.

pub mod convergence;
pub mod learn;
pub mod tournament;
pub mod tune;

use super::front::{self, Front, RowOf, RunArguments, SettingsOf, Work};
use super::{Failure, Host};
use crate::go::RegistryError;
use crate::kind::{self, Kind};
use crate::run::{Experiment, RunError, rows};
use crate::settings::{CliOptions, Setting};
use clap::error::ErrorKind;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches, Subcommand};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};
use toml::Table;

/// What is known of an experiment without its types.
#[derive(Clone, Copy, Debug)]
pub struct RunKind {
    /// [`Front::KINDS`].
    pub kinds: &'static [Kind],
    /// The command with its arguments and help.
    command: fn() -> Command,
    /// Reads the arguments.
    read: fn(&ArgMatches) -> Result<ExperimentCall, clap::Error>,
    /// The settings and their defaults.
    pub settings: fn() -> (Vec<Setting>, Table),
    /// Name of the file with the rows.
    rows: &'static str,
    /// Verifies the text of such a file, at a path that errors name.
    verify: fn(&[u8], &Path) -> Result<(), RunError>,
    /// How the page starts such a run.
    #[cfg(feature = "serve")]
    pub start: fn(Self) -> Result<crate::web::StartKind, Failure>,
}

/// Tengen's experiments. A new one is a file or a folder here, and a line.
const BUILT_IN: &[RunKind] = &[
    RunKind::of::<tournament::Play>(),
    RunKind::of::<tune::Tune>(),
    RunKind::of::<learn::Learn>(),
    RunKind::of::<convergence::Measure<false>>(),
];

/// The experiments that the program registers.
static REGISTERED: Mutex<Vec<RunKind>> = Mutex::new(Vec::new());

/// All experiments; from the first use on, none can be registered.
static ALL: OnceLock<Vec<RunKind>> = OnceLock::new();

/// All experiments, Tengen's own first.
pub fn all() -> &'static [RunKind] {
    ALL.get_or_init(|| {
        let registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
        let kinds = BUILT_IN.iter().flat_map(|experiment| experiment.kinds).copied();
        kinds.filter(|kind| !kind.is_known()).for_each(kind::register);
        BUILT_IN.iter().chain(&*registered).copied().collect()
    })
}

/// The names of all experiments, Tengen's own first.
#[must_use]
pub fn names() -> Vec<&'static str> {
    all().iter().map(RunKind::name).collect()
}

/// Registers the experiment of `F`: the program then has a command named after the first key of
/// its first kind ([`Front::KINDS`]), and its page and its `schema` know the runs.
///
/// # Errors
/// The name is not made of small letters, digits and `-`, or is that of another command; a kind, a key or the
/// file of rows is that of another experiment; the setting `kind` has another default; or the program has read
/// a command line before.
pub fn register<F: Front>() -> Result<(), RegistryError> {
    let own = RunKind::of::<F>();
    let keys: Vec<&str> = own.kinds.iter().flat_map(|kind| kind.keys()).copied().collect();
    let name = keys.first().copied().unwrap_or_default();
    let refused = |reason: &str| {
        Err(RegistryError { kind: "experiment", name: name.to_owned(), reason: reason.to_owned() })
    };
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(is_allowed) {
        return refused("expected a small letter, then small letters, digits and `-`");
    }
    if let Some(kind) = (own.settings)().1.get("kind").filter(|kind| kind.as_str() != Some(name)) {
        return refused(&format!("the default of its setting `kind` is {kind}"));
    }
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut others = BUILT_IN.iter().chain(&*registered);
    if super::program::has_command(name) || others.clone().any(|other| other.name() == name) {
        return refused("there is a command of this name");
    }
    if let Some(other) = others.find(|other| other.rows == own.rows) {
        return refused(&format!("its file {} is that of `{}`", own.rows, other.name()));
    }
    if let Some(taken) = own.kinds.iter().copied().find(|kind| kind.is_known()) {
        return refused(&format!("there is a kind of runs `{taken}`, or one with a key of it"));
    }
    if ALL.get().is_some() {
        return refused("it comes too late: register it before the program reads its arguments");
    }
    own.kinds.iter().copied().for_each(kind::register);
    registered.push(own);
    Ok(())
}

/// Verifies `text`, the contents of the file `path` of a run, if it is the file with the run's rows.
pub fn verify_rows(text: &[u8], path: &Path) -> Result<(), RunError> {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let name = name.strip_suffix(".xz").unwrap_or(name);
    all().iter().find(|kind| kind.rows == name).map_or(Ok(()), |kind| (kind.verify)(text, path))
}

impl RunKind {
    /// Its name: that of the command and the key `kind` of `config.toml`.
    pub fn name(&self) -> &'static str {
        self.kinds[0].keys()[0]
    }

    /// The experiment of `F`.
    const fn of<F: Front>() -> Self {
        Self {
            kinds: F::KINDS,
            command: RunArguments::<F>::command,
            read: |matches| {
                let arguments = RunArguments::<F>::from_arg_matches(matches)?;
                Ok(ExperimentCall(Box::new(|host| front::run(arguments, host))))
            },
            settings: || (SettingsOf::<F>::settings(), SettingsOf::<F>::defaults()),
            rows: F::Experiment::ROWS,
            verify: rows::verify_as::<RowOf<F>>,
            #[cfg(feature = "serve")]
            start: super::serve::start_kind::<F>,
        }
    }

    /// The experiment with this name.
    pub fn named(name: &str) -> Option<Self> {
        all().iter().copied().find(|kind| kind.name() == name)
    }
}

/// The command of an experiment with its arguments.
pub struct ExperimentCall(Work);

impl ExperimentCall {
    /// Runs the command.
    pub fn run(self, host: &mut Host<'_>) -> Result<(), Failure> {
        (self.0)(host)
    }
}

impl FromArgMatches for ExperimentCall {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = matches.subcommand().and_then(|(name, own)| Some((RunKind::named(name)?, own)));
        let (kind, own) = named.ok_or_else(|| clap::Error::new(ErrorKind::InvalidSubcommand))?;
        (kind.read)(own)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for ExperimentCall {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(all().iter().map(|kind| (kind.command)()))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        RunKind::named(name).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_registered_once() {
        let refused = register::<learn::Learn>().unwrap_err();
        assert_eq!((refused.name.as_str(), refused.kind), ("learn", "experiment"));
        assert_eq!(refused.reason, "there is a command of this name");
    }
}
