//! The options of a command as data, for callers that have help texts of their own.

use crate::settings::{Setting, Table};
use clap::{Arg, ArgAction, Command};
use serde::Serialize;

/// An option of a command.
#[derive(Clone, Debug, Serialize)]
pub struct ProgramOption {
    /// Its name, without `--`.
    pub name: String,
    /// The placeholder of its value, such as `PAIRS`; none without a value.
    pub value: Option<String>,
    /// The form in which it is given.
    pub kind: OptionKind,
    /// Its meaning, its range and its default.
    pub help: String,
    /// Its default in words; none if it has none.
    pub default: Option<String>,
    /// The heading that it stands below; empty for the first ones.
    pub heading: String,
    /// The values that it may have; none if they cannot be listed.
    pub choices: Vec<String>,
}

/// The form in which an option is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionKind {
    /// Without a value; a switch.
    Flag,
    /// With a value or without; without a value it means `true`.
    Truth,
    /// With one value.
    One,
    /// Any number of times, with one value each time.
    Many,
}

impl ProgramOption {
    /// The options of `command`, which is built and takes `settings` with these defaults; without
    /// the options that every command has.
    pub(super) fn all(command: &Command, settings: &(Vec<Setting>, Table)) -> Vec<Self> {
        let own = command.get_arguments().filter(|arg| !["help", "version"].contains(&id(arg)));
        own.filter_map(|arg| Self::of(arg, settings)).collect()
    }

    /// The option `arg`; none for an argument without a name.
    fn of(arg: &Arg, (settings, own): &(Vec<Setting>, Table)) -> Option<Self> {
        let name = arg.get_long()?.to_owned();
        let least = arg.get_num_args().map_or(1, |range| range.min_values());
        let kind = match arg.get_action() {
            ArgAction::SetTrue => OptionKind::Flag,
            ArgAction::Append => OptionKind::Many,
            _ if least == 0 => OptionKind::Truth,
            _ => OptionKind::One,
        };
        let value = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
        let value = value.filter(|_| kind != OptionKind::Flag);
        let mut help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let defaults: Vec<_> =
            arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        let setting = settings.iter().find(|setting| setting.key == id(arg));
        let default = match setting {
            Some(setting) => setting.default(own),
            None if kind == OptionKind::Flag || defaults.is_empty() => None,
            None => {
                let default = defaults.join(",");
                help = format!("{help} [default: {default}]");
                Some(default)
            }
        };
        let heading = arg.get_help_heading().unwrap_or_default().to_owned();
        let listed = arg.get_possible_values();
        let choices = listed.iter().map(|choice| choice.get_name().to_owned());
        let choices = if kind == OptionKind::Flag { Vec::new() } else { choices.collect() };
        Some(Self { name, value, kind, help, default, heading, choices })
    }
}

fn id(arg: &Arg) -> &str {
    arg.get_id().as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::options;

    #[test]
    fn options_are_those_of_the_help() {
        let all = options("tournament").unwrap();
        let find = |name: &str| all.iter().find(|option| option.name == name).unwrap();
        assert_eq!(find("bot").kind, OptionKind::Many);
        assert_eq!(find("json").kind, OptionKind::Flag);
        assert_eq!(find("comments").kind, OptionKind::Truth);
        assert_eq!(find("pairs").kind, OptionKind::One);
        assert!(find("format").choices.contains(&"gauntlet".to_owned()));
        assert!(find("pairs").help.contains("[default: 50; "), "{}", find("pairs").help);
        assert_eq!(find("seed").default.as_deref(), Some("1"));
        assert_eq!(find("bot").default, None);
        assert!(find("max-plies").heading.starts_with("Tournament"));
        assert!(all.iter().all(|option| option.name != "help" && !option.help.is_empty()));
        let solve = options("solve").unwrap();
        let memory = solve.iter().find(|option| option.name == "memory").unwrap();
        assert!(memory.help.ends_with("[default: 1024]"), "{}", memory.help);
        assert!(options("nothing").is_none());
    }
}
