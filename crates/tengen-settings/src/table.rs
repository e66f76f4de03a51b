//! Settings of a run as a table: given in a file, by options of a command line or both, merged key
//! by key, and read once.

use crate::error::SettingError;
use crate::key_change::{KeyChange, present_keys, rename};
use crate::value::{Refusal, SettingValue};
use crate::{Domain, one_line, shortened, suggestion};
use toml::{Table, Value};

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

/// A setting, as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its key in a file; the option has `-` for `_`.
    pub key: &'static str,
    /// What stands for its value.
    pub value: &'static str,
    /// How it is given on a command line.
    pub form: Form,
    /// Its meaning, as lines of a doc comment.
    pub help: &'static str,
    /// The values that it may have.
    pub domain: fn() -> Domain,
    /// Whether it has to be given.
    pub is_required: bool,
    /// Its default in words, where the default depends on other settings.
    pub words: Option<&'static str>,
    /// What it decides of a run.
    pub effect: Effect,
    /// The value at which it changes nothing, if earlier versions did not have it. A table that leaves
    /// out no other setting with a default is of such a version, and is read as if it had this value.
    /// Only for settings that a complete table always has.
    pub neutral: Option<&'static str>,
}

/// What a setting decides of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Its rows: a run is continued only with the same value.
    Rows,
    /// How many rows there are, or what is written beside them: rows made with another value are
    /// equal, but all parts of a run have one value.
    Extent,
    /// Nothing, such as a name.
    Nothing,
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Setting {
    /// Its meaning in one line.
    #[must_use]
    pub fn meaning(&self) -> String {
        in_one_line(self.help)
    }

    /// The first paragraph of its meaning in one line, without the full stop.
    #[must_use]
    pub fn summary(&self) -> String {
        let lines = self.help.trim().lines().map(str::trim);
        let first: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        in_one_line(&first.join(" ")).trim_end_matches('.').to_owned()
    }

    /// Its default in words, where `defaults` has those of all settings; none if the setting has to
    /// be given, or may be absent.
    #[must_use]
    pub fn default(&self, defaults: &Table) -> Option<String> {
        let value = || defaults.get(self.key).map(in_words).filter(|words| !words.is_empty());
        self.words.map(str::to_owned).or_else(value)
    }

    /// Checks that `value` is in the domain.
    #[doc(hidden)]
    pub fn check<T: SettingValue>(&self, value: &T) -> Result<(), SettingError> {
        let domain = (self.domain)();
        value
            .check(&domain)
            .map_err(|value| SettingError::range(self.key, shown(&value), &domain.to_string()))
    }

    /// Takes the setting out of `table`; none if it is left out. In lenient reading a value that
    /// cannot be read counts as left out.
    #[doc(hidden)]
    pub fn take<T: SettingValue>(
        &self,
        table: &mut Table,
        reading: Reading,
    ) -> Result<Option<T>, SettingError> {
        let Some(value) = table.remove(self.key) else { return Ok(None) };
        match (T::read(&value), reading) {
            (Ok(read), Reading::Strict) => self.check(&read).map(|()| Some(read)),
            (Ok(read), Reading::Lenient) => Ok(Some(read)),
            (Err(refusal), Reading::Strict) => Err(self.refused(&value, refusal)),
            (Err(_), Reading::Lenient) => Ok(None),
        }
    }

    /// The error that `value` is refused.
    #[cold]
    fn refused(&self, value: &Value, refusal: Refusal) -> SettingError {
        let domain = (self.domain)();
        let guilty = refusal.place.and_then(|place| value.as_array()?.get(place));
        let domain = match &domain {
            Domain::List(each) if guilty.is_some() || !value.is_table() => each,
            domain => domain,
        };
        let guilty = guilty.unwrap_or(value);
        let said = match refusal.said {
            Some(said) if said.contains(self.key) => one_line(&said).into_owned(),
            Some(said) => format!("`{}`: {}", self.key, one_line(&said)),
            None => match domain {
                Domain::Whole { least, most } if is_whole(guilty) => {
                    let range = format!("{least} to {most}");
                    return SettingError::range(self.key, shown(guilty), &range);
                }
                Domain::Whole { .. } if let Some(number) = guilty.as_float() => {
                    // As one that is not whole: 1000.0.
                    format!("`{}` is {number:?}: {}", self.key, domain.request())
                }
                _ => format!("`{}` is {}: {}", self.key, shown(guilty), domain.request()),
            },
        };
        SettingError::of(self.key, said).at(refusal.place.unwrap_or(0))
    }
}

/// Whether `value` is a whole number, or a text of one, of any size.
fn is_whole(value: &Value) -> bool {
    let digits = |text: &str| {
        let text = text.strip_prefix('-').unwrap_or(text);
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    value.is_integer() || value.as_str().is_some_and(digits)
}

/// `value` as an error shows it.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => one_line(text).into_owned(),
        Value::Float(number) => number.to_string(),
        other => one_line(&other.to_string()).into_owned(),
    };
    shortened(&text).into_owned()
}

/// A default in words.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Float(number) => number.to_string(),
        Value::Array(values) => values.iter().map(in_words).collect::<Vec<_>>().join(","),
        Value::Table(table) => {
            let pairs = table.iter().map(|(key, value)| format!("{key}={}", in_words(value)));
            let pairs = || pairs.collect::<Vec<_>>().join(" ");
            table.get("name").map_or_else(pairs, in_words)
        }
        other => other.to_string(),
    }
}

/// How settings are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Each setting is checked, and all settings together.
    Strict,
    /// A setting that cannot be read has its default.
    Lenient,
}

/// Settings that are declared by [`settings!`](crate::settings).
pub trait Settings: serde::Serialize + Sized {
    /// What they belong to, as "a tournament".
    const OWNER: &'static str;

    /// Keys that earlier versions had, which files may still name.
    const KEY_CHANGES: &'static [KeyChange] = &[];

    /// The settings, in the order of declaration.
    const ALL: &'static [Setting];

    /// All settings, and the defaults.
    #[must_use]
    fn part() -> Part {
        (Self::ALL.to_vec(), Self::filled(&Table::new()))
    }

    /// The settings with these `keys`, in the order of declaration, and the defaults.
    #[must_use]
    fn part_of(keys: &[&str]) -> Part {
        let (mut settings, defaults) = Self::part();
        settings.retain(|setting| keys.contains(&setting.key));
        (settings, defaults)
    }

    /// Takes the settings out of `table` in this way of reading. An error is the first setting that
    /// is missing or, unless the reading is lenient, invalid.
    fn read(table: &mut Table, reading: Reading) -> Result<Self, SettingError>;

    /// Takes the settings out of `table`; those that are left out have their defaults. Keys of
    /// other settings stay there.
    fn take(table: &mut Table) -> Result<Self, SettingError> {
        Self::read(table, Reading::Strict)
    }

    /// The defaults by key, with the settings of `given` in their place as far as they can be read;
    /// nothing is checked. A required setting that is left out has no key.
    #[must_use]
    fn filled(given: &Table) -> Table {
        let mut table = given.clone();
        let is_left_out = |it: &&Setting| it.is_required && !given.contains_key(it.key);
        let left_out: Vec<&Setting> = Self::ALL.iter().filter(is_left_out).collect();
        // Stands for a value of any type: each setting takes the first that it can read.
        let stands_in: [Value; 7] = [
            "".into(),
            "1".into(),
            // A bot.
            "random".into(),
            1.into(),
            1.0.into(),
            false.into(),
            Value::Array(Vec::new()),
        ];
        let mut place = vec![0; left_out.len()];
        let read = loop {
            for (setting, &place) in left_out.iter().zip(&place) {
                table.insert(setting.key.to_owned(), stands_in[place].clone());
            }
            let error = match Self::read(&mut table.clone(), Reading::Lenient) {
                Ok(read) => break Some(read),
                Err(error) => error,
            };
            let refused = left_out.iter().position(|setting| error.key() == Some(setting.key));
            let Some(refused) = refused.filter(|&it| place[it] + 1 < stands_in.len()) else {
                break None;
            };
            place[refused] += 1;
        };
        let mut filled = read.and_then(|it| Table::try_from(&it).ok()).unwrap_or_default();
        filled.retain(|key, _| left_out.iter().all(|setting| setting.key != key));
        filled
    }

    /// Checks that every setting is in its domain.
    fn in_range(&self) -> Result<(), SettingError>;

    /// Renames earlier keys in `table` to the present ones. Refuses a setting by both of its keys.
    fn rename(table: &mut Table) -> Result<(), SettingError> {
        rename(table, Self::KEY_CHANGES)
    }

    /// Gives `table`, if it is of an earlier version, the neutral values of the settings that were added
    /// later ([`Setting::neutral`]).
    fn add_neutral(table: &mut Table) {
        let is_left_out = |it: &&Setting| !table.contains_key(it.key);
        let (added, others): (Vec<&Setting>, Vec<_>) =
            Self::ALL.iter().filter(is_left_out).partition(|it| it.neutral.is_some());
        if added.is_empty() {
            return;
        }
        let filled = Self::filled(table);
        if !others.iter().any(|it| filled.contains_key(it.key)) {
            let neutral = |it: &Setting| Some((it.key.to_owned(), it.neutral?.into()));
            table.extend(added.into_iter().filter_map(neutral));
        }
    }

    /// Reads the settings, which are all that `table` holds but for keys of earlier versions.
    fn from_table(mut table: Table) -> Result<Self, SettingError> {
        present_keys(&mut table, Self::KEY_CHANGES)?;
        refuse_unknown(&table, Self::OWNER, Self::ALL.iter())?;
        Self::add_neutral(&mut table);
        Self::take(&mut table)
    }

    /// Reads the settings from a TOML text. An error is one line, with the number of the line of
    /// the text and what is expected there.
    fn from_toml(text: &str) -> Result<Self, SettingError> {
        Self::from_table(parse(text)?).map_err(|error| error.in_text(text).into())
    }
}

/// The settings that a command takes as options: its own, and those that it shares with others.
pub trait CliOptions {
    /// Heading of the options in the help text.
    const HEADING: &'static str;

    /// The parts; the command's own comes first.
    fn parts() -> Vec<Part>;

    /// The settings.
    #[must_use]
    fn settings() -> Vec<Setting> {
        Self::parts().into_iter().flat_map(|(settings, _)| settings).collect()
    }

    /// The defaults, by key; where two parts share a key, the default of the first.
    #[must_use]
    fn defaults() -> Table {
        Self::parts().into_iter().rev().flat_map(|(_, defaults)| defaults).collect()
    }
}

/// Some settings of one owner, and the defaults of all its settings by key.
pub type Part = (Vec<Setting>, Table);

/// Parses `text`, a TOML file, as a table. An error is one line, with the number of the line of the
/// text.
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
pub fn refuse_unknown<'a>(
    table: &Table,
    owner: &str,
    known: impl Iterator<Item = &'a Setting>,
) -> Result<(), SettingError> {
    let names: Vec<&str> = known.map(|setting| setting.key).collect();
    match table.keys().find(|key| !names.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let said = if names.is_empty() {
                format!("unknown setting `{key}`: {owner} has no settings")
            } else {
                format!("unknown setting `{key}` of {owner}: {}", suggestion(key, &names))
            };
            Err(SettingError::of(key, said))
        }
    }
}

/// Declares a struct of settings, each with its help, key, type, default, the name of its value and
/// its [`Form`], and implements [`Settings`] for it.
///
/// ```text
/// /// Meaning of the setting
/// pairs: usize = default_pairs(size) => "50; 10 on 19x19", "PAIRS" One extent, in 1..=1_000;
/// ```
///
/// - The key is the name of the field, or another one behind it, as in `bots as "bot": …`.
/// - A default may use the settings above it. `=>` says in words a default that depends on them. A
///   setting without `= DEFAULT` has to be given.
/// - `in` narrows the [`Domain`] of the type.
/// - `extent` and `nothing` name another [`Effect`] than [`Effect::Rows`].
/// - `neutral "VALUE"` marks a setting that earlier versions did not have ([`Setting::neutral`]).
/// - Below the settings, `state NAME: TYPE;` declares a private field that is no setting. It begins
///   with the default of its type.
///
/// With a name behind the owner, as in `"a tournament" => checked`, the struct's function of that
/// name checks the settings as a whole, and may complete them. Then `; changes LIST`, as in
/// `"uct" => checked; changes KEY_CHANGES`, names a slice of [`KeyChange`].
#[macro_export]
macro_rules! settings {
    (
        $owner:literal $(=> $check:ident)? $(; changes $changes:ident)?
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[doc = $help:literal])+
                $(#[serde($($serde:tt)*)])?
                $field:ident $(as $key:literal)?: $type:ty $(= $default:expr $(=> $words:literal)?)?,
                $value:literal $form:ident $($mark:ident)? $(, in $range:expr)? $(, neutral $neutral:literal)?;
            )*
            $(state $state:ident: $state_type:ty;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(serde::Serialize)]
        $visibility struct $name {
            $(
                $(#[doc = $help])+
                $(#[serde($($serde)*)])?
                $(#[serde(rename = $key)])?
                pub $field: $type,
            )*
            $(
                #[serde(skip)]
                $state: $state_type,
            )*
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let table = <$crate::Table as serde::Deserialize>::deserialize(deserializer)?;
                <Self as $crate::Settings>::from_table(table).map_err(serde::de::Error::custom)
            }
        }

        impl $crate::Settings for $name {
            const OWNER: &'static str = $owner;

            $(const KEY_CHANGES: &'static [$crate::KeyChange] = $changes;)?

            const ALL: &'static [$crate::Setting] = &[$($crate::Setting {
                key: $crate::declared!(key $field $($key)?),
                value: $value,
                form: $crate::Form::$form,
                // The page shows no help, and the size of its module is limited.
                help: if cfg!(target_family = "wasm") { "" } else { concat!($($help, "\n"),+) },
                domain: $crate::declared!(domain $type $(, $range)?),
                is_required: $crate::declared!(is_required $(, $default)?),
                words: $crate::declared!(words $($($words)?)?),
                effect: $crate::declared!(effect $($mark)?),
                neutral: $crate::declared!(words $($neutral)?),
            }),*];

            #[allow(unused_mut, unused_variables)] // where there are no settings
            fn read(
                table: &mut $crate::Table,
                reading: $crate::Reading,
            ) -> Result<Self, $crate::SettingError> {
                let mut declared = Self::ALL.iter();
                $(
                    let $field: $type = match $crate::next(&mut declared).take(table, reading)? {
                        Some(given) => given,
                        None => $crate::declared!(required $field $(as $key)? $(, $default)?),
                    };
                )*
                let read = Self { $($field,)* $($state: Default::default()),* };
                $(let read = if reading == $crate::Reading::Strict { read.$check()? } else { read };)?
                Ok(read)
            }

            #[allow(unused_mut, unused_variables)] // where there are no settings
            fn in_range(&self) -> Result<(), $crate::SettingError> {
                let mut declared = Self::ALL.iter();
                $($crate::next(&mut declared).check(&self.$field)?;)*
                Ok(())
            }
        }
    };
}

/// Parts of what [`settings!`](crate::settings) declares.
#[doc(hidden)]
#[macro_export]
macro_rules! declared {
    (domain $type:ty) => {
        <$type as $crate::SettingValue>::domain
    };
    (domain $type:ty, $range:expr) => {
        || <$type as $crate::SettingValue>::domain().narrowed($crate::Domain::from($range))
    };
    (words) => {
        None
    };
    (words $words:literal) => {
        Some($words)
    };
    (effect) => {
        $crate::Effect::Rows
    };
    (effect extent) => {
        $crate::Effect::Extent
    };
    (effect nothing) => {
        $crate::Effect::Nothing
    };
    (key $field:ident) => {
        stringify!($field)
    };
    (key $field:ident $key:literal) => {
        $key
    };
    (required $field:ident $(as $key:literal)?) => {
        return Err($crate::SettingError::missing($crate::declared!(key $field $($key)?)))
    };
    (required $field:ident $(as $key:literal)?, $default:expr) => {
        $default
    };
    (is_required) => {
        true
    };
    (is_required, $default:expr) => {
        false
    };
}

/// The setting that is declared next.
#[doc(hidden)]
#[must_use]
pub fn next(declared: &mut std::slice::Iter<'static, Setting>) -> &'static Setting {
    declared.next().expect("a field of the struct is a setting")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    settings! {
        "a test" => checked
        /// Settings of a test.
        #[derive(Debug, PartialEq)]
        struct Sample {
            /// Name of the run
            name: String = "x".to_owned(), "NAME" One;
            /// Number of pairs
            pairs: u32 = 3, "PAIRS" One extent, in 1..;
            /// Twice as many
            twice: u32 = 2 * pairs => "twice the pairs", "N" One;
            /// Numbers of games
            games: Vec<u64> = vec![1], "GAMES" List;
        }
    }

    impl Sample {
        fn checked(self) -> Result<Self, SettingError> {
            let apart = self.name != "pairs";
            check("name", &self.name, apart, "another name than that of a setting").map(|()| self)
        }
    }

    settings! {
        "a test"
        /// Settings of which some have to be given.
        #[derive(Debug, PartialEq)]
        struct Required {
            /// Number of games
            games: u32, "N" One, in 2..=9;
            /// Share
            share: f64, "SHARE" One;
            /// Sizes
            size: Vec<u8>, "SIZE" Many;
            /// Whether it is fair
            is_fair: bool, "" Flag;
            /// Number of pairs
            pairs: u32 = 3, "PAIRS" One;
        }
    }

    #[test]
    fn required_settings_of_any_type_leave_the_defaults_of_others() {
        assert_eq!(Required::filled(&Table::new()), "pairs = 3".parse().unwrap());
        let given = "games = 4\npairs = 5".parse().unwrap();
        assert_eq!(Required::filled(&given), given);
    }

    #[test]
    fn a_default_may_depend_on_what_is_given() {
        let sample = Sample::from_toml("pairs = 5\nname = '2026'\ngames = 3").unwrap();
        let games = vec![3];
        assert_eq!(sample, Sample { name: "2026".into(), pairs: 5, twice: 10, games });
        let [_, pairs, twice, _] = Sample::ALL else { panic!("four settings") };
        assert_eq!(
            (pairs.meaning(), pairs.effect, twice.effect),
            ("Number of pairs".into(), Effect::Extent, Effect::Rows)
        );
        let defaults = Sample::filled(&Table::new());
        assert_eq!(
            [pairs.default(&defaults), twice.default(&defaults)],
            ["3", "twice the pairs"].map(|it| Some(it.to_owned()))
        );
        let too_few = Sample { pairs: 0, ..sample };
        let said = "`pairs` is 0: it must be 1 to 4294967295";
        assert_eq!(too_few.in_range().unwrap_err().to_string(), said);
        assert!(Sample::from_toml("pairs = '0x7'").is_err());
        // As on a command line, where every value is a text.
        let sample = Sample::from_toml("pairs = '7'\ngames = ['1', '2']").unwrap();
        assert_eq!((sample.twice, sample.games), (14, vec![1, 2]));
    }

    settings! {
        "a test"
        /// Settings of which two were added.
        #[derive(Debug, PartialEq)]
        struct Grown {
            /// Seconds
            #[serde(skip_serializing_if = "Option::is_none")]
            seconds: Option<f64> = None, "SECONDS" One;
            /// Komi
            komi: f64 = 7.5, "KOMI" One;
            /// Noise
            noise: f64 = 0.25, "NOISE" One, in 0.0..=1.0, neutral "0";
            /// Names
            names: Vec<String> = vec!["a".to_owned()], "NAME" Many, neutral "none";
        }
    }

    #[test]
    fn a_table_from_before_a_setting_has_its_neutral_value() {
        let read = |text: &str| {
            let Grown { noise, names, .. } = Grown::from_toml(text).unwrap();
            (noise, names.concat())
        };
        for (text, noise, names) in [
            ("komi = 6.5", 0.0, "none"),
            ("komi = 6.5\nnoise = 0.1", 0.1, "none"),
            ("komi = 6.5\nnames = []", 0.0, ""),
            ("", 0.25, "a"),
            ("seconds = 1", 0.25, "a"),
            ("noise = 0.1", 0.1, "a"),
        ] {
            assert_eq!(read(text), (noise, names.to_owned()), "{text}");
        }
    }

    #[test]
    fn an_invalid_setting_is_named_with_its_line() {
        let whole = "write a whole number from 1 to 4294967295";
        for (text, said) in [
            ("name = 'a'\npairs = 1.5", format!("line 2: `pairs` is 1.5: {whole}")),
            ("pairs = 'many'", format!("line 1: `pairs` is many: {whole}")),
            ("pairs = '-1'", "line 1: `pairs` is -1: it must be 1 to 4294967295".to_owned()),
            ("name = 1\n", "line 1: `name` is 1: write a text, in quotes".to_owned()),
            ("\npairs = 0", "line 2: `pairs` is 0: it must be 1 to 4294967295".to_owned()),
            (
                "name = 'pairs'",
                "line 1: `name` is pairs: it must be another name than that of a setting"
                    .to_owned(),
            ),
            ("games = [1, 'x']", "line 1: `games` is x: write a whole number from 0".to_owned()),
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
