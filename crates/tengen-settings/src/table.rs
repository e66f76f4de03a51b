//! Settings of a run as a table: given in a file, by options of a command line or both, merged key
//! by key, and read once.

use crate::error::SettingError;
use crate::{one_line, suggestion};
use toml::Table;

/// How a setting is given on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One value.
    One,
    /// Given any number of times, a value each.
    Many,
    /// One value, or several with commas between them.
    List,
    /// Given any number of times, each as NAME=VALUE.
    Pairs,
    /// `true` where no value is given.
    Flag,
    /// Not at all: in a file only.
    File,
}

/// A setting, as help texts show it.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its key in a file; the option has `-` for `_`.
    pub key: &'static str,
    /// What stands for its value.
    pub value: &'static str,
    /// How it is given on a command line.
    pub form: Form,
    /// Its meaning, its range and its default, as lines of a doc comment.
    pub help: &'static str,
    /// The names that the value may have, each with its meaning; none for other values.
    pub choices: fn() -> Vec<(&'static str, &'static str)>,
}

/// Settings that are declared by [`settings!`](crate::settings).
pub trait Settings: Sized {
    /// What they belong to, as "a tournament".
    const OWNER: &'static str;

    /// The settings, in the order of declaration.
    const ALL: &'static [Setting];

    /// Takes the settings out of `table`; those that are left out have their defaults. Keys of
    /// other settings stay there.
    ///
    /// # Errors
    /// The first setting that is invalid.
    fn take(table: &mut Table) -> Result<Self, SettingError>;

    /// Reads the settings, which are all that `table` holds.
    ///
    /// # Errors
    /// The first setting that is unknown or invalid.
    fn from_table(mut table: Table) -> Result<Self, SettingError> {
        refuse_unknown(&table, Self::OWNER, Self::ALL.iter())?;
        Self::take(&mut table)
    }

    /// Reads the settings from a TOML text.
    ///
    /// # Errors
    /// One line: the number of the line with the first setting that is unknown or invalid, and what
    /// is expected there.
    fn from_toml(text: &str) -> Result<Self, SettingError> {
        Self::from_table(parse(text)?).map_err(|error| error.in_text(text).into())
    }
}

/// The table that `text`, a TOML file, writes.
///
/// # Errors
/// One line: the number of the line, and what is wrong there.
pub fn parse(text: &str) -> Result<Table, SettingError> {
    text.parse::<Table>().map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        let said = error.message();
        if ["128, expected", "overflowed", "too large"].iter().any(|it| said.contains(it)) {
            let most = i64::MAX;
            return format!("line {line}: expected a text in quotes, or a number up to {most}")
                .into();
        }
        format!("line {line}: {}", one_line(said)).into()
    })
}

/// Refuses a key of `table` that is none of `known`, the settings of `owner`.
///
/// # Errors
/// The first such key.
pub fn refuse_unknown<'a>(
    table: &Table,
    owner: &str,
    known: impl Iterator<Item = &'a Setting>,
) -> Result<(), SettingError> {
    let names: Vec<&str> = known.map(|setting| setting.key).collect();
    match table.keys().find(|key| !names.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let likely = suggestion(key, &names);
            Err(SettingError::of(key, format!("unknown setting `{key}` of {owner}: {likely}")))
        }
    }
}

/// Declares a struct of settings, each with its help, type, default, the name of its value and its
/// [`Form`]; a default may use the settings above it. Implements [`Settings`] for it; the settings
/// are checked by its function `checked`, which may complete them.
#[macro_export]
macro_rules! settings {
    (
        $owner:literal
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[doc = $help:literal])+
                $(#[serde($($serde:tt)*)])?
                $field:ident: $type:ty = $default:expr,
                $key:literal $value:literal $form:ident $($choices:path)?;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(serde::Serialize)]
        $visibility struct $name {
            $(
                $(#[doc = $help])+
                $(#[serde($($serde)*)])?
                #[serde(rename = $key)]
                pub $field: $type,
            )+
        }

        impl $crate::Settings for $name {
            const OWNER: &'static str = $owner;

            const ALL: &'static [$crate::Setting] = &[$($crate::Setting {
                key: $key,
                value: $value,
                form: $crate::Form::$form,
                help: concat!($($help, "\n"),+),
                choices: $crate::choices!($($choices)?),
            }),+];

            fn take(table: &mut toml::Table) -> Result<Self, $crate::SettingError> {
                $(
                    let $field: $type = match $crate::take(table, $key, $crate::Form::$form)? {
                        Some(given) => given,
                        None => $default,
                    };
                )+
                Self { $($field),+ }.checked()
            }
        }
    };
}

/// The function that names the values of a type, if there is one.
#[doc(hidden)]
#[macro_export]
macro_rules! choices {
    () => {
        Vec::new
    };
    ($type:path) => {
        $crate::choices::names::<$type>
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    settings! {
        "a test"
        /// Settings of a test.
        #[derive(Debug, PartialEq)]
        struct Sample {
            /// Name of the run
            name: String = "x".to_owned(), "name" "NAME" One;
            /// Number of pairs
            /// [default: 3]
            pairs: u32 = 3, "pairs" "PAIRS" One;
            /// Twice as many
            twice: u32 = 2 * pairs, "twice" "N" One;
            /// Numbers of games
            games: Vec<u64> = vec![1], "games" "GAMES" List;
        }
    }

    impl Sample {
        fn checked(self) -> Result<Self, SettingError> {
            check("pairs", self.pairs, self.pairs > 0, "1 or more").map(|()| self)
        }
    }

    #[test]
    fn a_default_may_depend_on_what_is_given() {
        let sample = Sample::from_toml("pairs = 5\nname = '2026'\ngames = 3").unwrap();
        let games = vec![3];
        assert_eq!(sample, Sample { name: "2026".into(), pairs: 5, twice: 10, games });
        assert_eq!(Sample::ALL[1].help, " Number of pairs\n [default: 3]\n");
        assert!(Sample::from_toml("pairs = '0x7'").is_err());
        // As on a command line, where every value is a text.
        let sample = Sample::from_toml("pairs = '7'\ngames = ['1', '2']").unwrap();
        assert_eq!((sample.twice, sample.games), (14, vec![1, 2]));
    }

    #[test]
    fn an_invalid_setting_is_named_with_its_line() {
        let whole = "write a whole number from 0";
        for (text, said) in [
            ("name = 'a'\npairs = 1.5", format!("line 2: `pairs` is 1.5: {whole}")),
            ("pairs = 'many'", format!("line 1: `pairs` is many: {whole}")),
            ("pairs = '-1'", format!("line 1: `pairs` is -1: {whole}")),
            ("name = 1\n", "line 1: `name` is 1: write a text, in quotes".to_owned()),
            ("\npairs = 0", "line 2: `pairs` is 0: it must be 1 or more".to_owned()),
            (
                "pair = 3",
                "line 1: unknown setting `pair` of a test: did you mean `pairs`?".to_owned(),
            ),
            (
                "pairs = 99999999999999999999",
                format!("line 1: expected a text in quotes, or a number up to {}", i64::MAX),
            ),
        ] {
            assert_eq!(Sample::from_toml(text).unwrap_err().to_string(), said, "{text}");
        }
    }
}
