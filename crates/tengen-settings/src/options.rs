//! Options of a command line that are settings of a run.

use crate::{Form, Setting};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use std::marker::PhantomData;
use toml::{Table, Value};

/// Settings that a program takes as options.
pub trait Optional {
    /// Heading of the options in the help text.
    const HEADING: &'static str;

    /// The settings.
    fn settings() -> Vec<Setting>;
}

/// The settings of `O` that are given as options of a command line: an option for each, `--max-plies`
/// for the key `max_plies`, in a group of the name `Settings`.
#[derive(Clone, Debug)]
pub struct Options<O> {
    /// What is given, by key. Values are texts, which are read with the settings.
    pub given: Table,
    owner: PhantomData<O>,
}

impl<O: Optional> clap::Args for Options<O> {
    fn augment_args(command: Command) -> Command {
        let settings: Vec<Setting> =
            O::settings().into_iter().filter(|setting| setting.form != Form::File).collect();
        let group = ArgGroup::new("Settings").multiple(true);
        let group = group.args(settings.iter().map(|setting| setting.key));
        let options = settings.iter().map(|setting| option(setting).help_heading(O::HEADING));
        command.args(options).group(group)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The option of `setting`.
fn option(setting: &Setting) -> Arg {
    let help: Vec<&str> = setting.help.lines().map(str::trim).collect();
    let option = Arg::new(setting.key)
        .long(setting.key.replace('_', "-"))
        .value_name(setting.value)
        .allow_negative_numbers(true)
        .help(help.join(" "));
    let option = match setting.form {
        Form::Many | Form::Pairs => option.action(ArgAction::Append),
        Form::List => option.action(ArgAction::Append).value_delimiter(','),
        Form::Flag => option.num_args(0..=1).default_missing_value("true"),
        Form::One | Form::File => option,
    };
    let choices = (setting.choices)();
    if choices.is_empty() {
        return option;
    }
    let values = choices.into_iter().map(|(name, help)| PossibleValue::new(name).help(help));
    option
        .value_parser(PossibleValuesParser::new(values))
        .ignore_case(true)
        .hide_possible_values(setting.form == Form::List)
}

impl<O: Optional> clap::FromArgMatches for Options<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Table::new();
        for setting in O::settings() {
            let Setting { key, form, choices, .. } = setting;
            if form == Form::File || matches.value_source(key).is_none() {
                continue;
            }
            let choices = choices();
            let as_declared = |text: &String| {
                let choice = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
                choice.map_or_else(|| text.clone(), |(name, _)| (*name).to_owned())
            };
            let mut texts = matches.get_many::<String>(key).into_iter().flatten().map(as_declared);
            let value = match form {
                Form::Many | Form::List => Value::Array(texts.map(Value::String).collect()),
                Form::Pairs => Value::Table(pairs(&setting, texts)?),
                Form::One | Form::Flag | Form::File => {
                    Value::String(texts.next().unwrap_or_default())
                }
            };
            given.insert(key.to_owned(), value);
        }
        Ok(Self { given, owner: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The table that `texts`, each NAME=VALUE, make for `setting`.
fn pairs(setting: &Setting, texts: impl Iterator<Item = String>) -> Result<Table, clap::Error> {
    let refused = |said: String| clap::Error::raw(clap::error::ErrorKind::InvalidValue, said);
    let Setting { key, value: form, .. } = setting;
    let mut table = Table::new();
    for text in texts {
        let Some((name, value)) = text.split_once('=') else {
            return Err(refused(format!("--{key} `{text}`: expected {form}")));
        };
        let value = Value::String(value.trim().to_owned());
        if table.insert(name.trim().to_owned(), value).is_some() {
            return Err(refused(format!("--{key}: `{}` is given twice", name.trim())));
        }
    }
    Ok(table)
}
