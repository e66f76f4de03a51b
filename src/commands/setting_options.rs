//! Options of a command line that are settings of a run.

use crate::settings::{CliOptions, Domain, Form, ParseError, Setting, SettingValue};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use std::marker::PhantomData;
use std::str::FromStr;
use toml::{Table, Value};

/// The settings of `O` as options of a command line: one option for each setting, such as
/// `--max-plies` for the key `max_plies`, in a group named `Settings`.
#[derive(Clone, Debug)]
pub struct Options<O> {
    /// The given settings, by key. Values are texts; they are parsed together with the settings.
    pub given: Table,
    owner: PhantomData<O>,
}

impl<O: CliOptions> clap::Args for Options<O> {
    fn augment_args(command: Command) -> Command {
        let settings: Vec<Setting> =
            O::settings().into_iter().filter(|setting| setting.form != Form::File).collect();
        let group = ArgGroup::new("Settings").multiple(true);
        let group = group.args(settings.iter().map(|setting| setting.key));
        let defaults = O::defaults();
        let option = |setting| option(setting, &defaults).help_heading(O::HEADING);
        let options = settings.iter().map(option);
        command.args(options).group(group)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The option of `setting`.
fn option(setting: &Setting, defaults: &Table) -> Arg {
    let option = Arg::new(setting.key)
        .long(setting.key.replace('_', "-"))
        .value_name(setting.value)
        .allow_negative_numbers(true)
        .help(help(setting, setting.summary(), defaults))
        .long_help(help(setting, setting.meaning(), defaults));
    let option = match setting.form {
        Form::Many | Form::Pairs => option.action(ArgAction::Append),
        Form::List => option.action(ArgAction::Append).value_delimiter(','),
        Form::Flag => option.num_args(0..=1).default_missing_value("true"),
        Form::One | Form::File => option,
    };
    let domain = (setting.domain)();
    let values = possible_values(&domain);
    if values.is_empty() {
        return option;
    }
    option
        .value_parser(PossibleValuesParser::new(values))
        .ignore_case(true)
        .hide_possible_values(setting.form == Form::List)
}

/// The meaning of `setting`, with its range and default.
fn help(setting: &Setting, meaning: String, defaults: &Table) -> String {
    let mut help = meaning;
    let domain = (setting.domain)();
    let each = if let Domain::List(each) = &domain { each } else { &domain };
    // A range that is only the type's own range is not worth showing.
    let is_narrowed = match each {
        Domain::Whole { least, most } => *least > 0 || *most < u32::MAX.into(),
        Domain::Number { .. } => *each != Domain::NUMBERS,
        _ => false,
    };
    if is_narrowed {
        help = format!("{help} [range: {domain}]");
    }
    match setting.default(defaults) {
        Some(default) if setting.form != Form::Flag => format!("{help} [default: {default}]"),
        _ => help,
    }
}

impl<O: CliOptions> clap::FromArgMatches for Options<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Table::new();
        for setting in O::settings() {
            let Setting { key, form, domain, .. } = setting;
            if form == Form::File || matches.value_source(key).is_none() {
                continue;
            }
            let domain = domain();
            let as_declared = |text: &String| {
                let choice =
                    domain.names().iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
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

/// The table for `setting` from `texts`, each NAME=VALUE.
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

/// A command-line parser for the names of the values of `T`; the help text lists the names.
#[must_use]
pub fn choices<T>() -> impl TypedValueParser<Value = T>
where
    T: SettingValue + FromStr<Err = ParseError> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(possible_values(&T::domain())).try_map(|name: String| name.parse())
}

/// The names in `domain`, each with its help.
fn possible_values(domain: &Domain) -> Vec<PossibleValue> {
    let value = |&(name, help)| PossibleValue::new(name).help(help);
    domain.names().iter().map(value).collect()
}
