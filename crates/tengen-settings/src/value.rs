//! Types of settings: reading their values, from a file and from a command line.

use crate::{Domain, one_line};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use toml::Value;

/// A type of settings.
pub trait SettingValue: Serialize + Sized {
    /// The values of the type; a setting may narrow a domain of numbers.
    fn domain() -> Domain;

    /// Reads `value`. A text that holds a number or a truth value stands for it, as on a command
    /// line, where every value is a text.
    fn read(value: &Value) -> Result<Self, Refusal>;

    /// Checks that the value is in `domain`, which is the type's or a part of it. An error is the
    /// value outside it.
    fn check(&self, domain: &Domain) -> Result<(), Value> {
        let _ = domain;
        Ok(())
    }
}

/// Why a value cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// What is wrong, in words; none if the value is not in the domain of its type.
    pub said: Option<String>,
    /// The place in a list of the value that is wrong, from 0.
    pub place: Option<usize>,
}

impl Refusal {
    /// A value that is not in the domain of its type.
    pub const OUTSIDE: Self = Self { said: None, place: None };

    /// A value that is refused for the reason `said`.
    #[must_use]
    pub fn because(said: impl Display) -> Self {
        Self { said: Some(said.to_string()), place: None }
    }
}

/// Reads the `value` of a setting that is written as a table, by its
/// [`Deserialize`](serde::Deserialize).
pub fn deserialized<T: DeserializeOwned>(value: &Value) -> Result<T, Refusal> {
    let read: Result<T, toml::de::Error> = value.clone().try_into();
    read.map_err(|error| Refusal::because(one_line(error.message())))
}

/// A type of settings that is written as text.
///
/// # Examples
/// ```
/// use serde::Serialize;
/// use std::str::FromStr;
/// use tengen_settings::{Domain, SettingValue, TextValue};
///
/// #[derive(Debug, PartialEq, Serialize)]
/// struct Even(u32);
///
/// impl FromStr for Even {
///     type Err = String;
///
///     fn from_str(text: &str) -> Result<Self, String> {
///         let number = text.parse().ok().filter(|number| number % 2 == 0);
///         number.map(Self).ok_or_else(|| format!("`{text}` is not even"))
///     }
/// }
///
/// impl TextValue for Even {
///     fn domain() -> Domain {
///         Domain::Text("an even number".to_owned())
///     }
/// }
///
/// assert_eq!(Even::read(&"4".into()), Ok(Even(4)));
/// assert_eq!(Even::read(&3.into()).unwrap_err().said.as_deref(), Some("`3` is not even"));
/// ```
pub trait TextValue: FromStr<Err: Display> + Serialize {
    /// The forms of the text.
    fn domain() -> Domain;
}

impl<T: TextValue> SettingValue for T {
    fn domain() -> Domain {
        T::domain()
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        let text = text_of(value).ok_or(Refusal::OUTSIDE)?;
        text.parse().map_err(|error: T::Err| Refusal::because(error))
    }
}

/// The text that `value` is, or the number or truth value that it is, as text.
fn text_of(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(text.into()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string().into()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// The whole number that `value` is or writes.
fn whole_of(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// Checks that `value` is in `domain`.
fn in_domain(value: Value, domain: &Domain) -> Result<(), Value> {
    if domain.holds(&value) { Ok(()) } else { Err(value) }
}

/// Whole numbers: TOML has those up to `i64::MAX`.
macro_rules! whole {
    ($($type:ident)*) => {
        $(impl SettingValue for $type {
            fn domain() -> Domain {
                let least = i64::try_from($type::MIN).unwrap_or(i64::MIN);
                let most = i64::try_from($type::MAX).unwrap_or(i64::MAX);
                Domain::Whole { least, most }
            }

            fn read(value: &Value) -> Result<Self, Refusal> {
                let number = whole_of(value).and_then(|number| number.try_into().ok());
                number.ok_or(Refusal::OUTSIDE)
            }

            fn check(&self, domain: &Domain) -> Result<(), Value> {
                let number = i64::try_from(*self).map(Value::Integer);
                in_domain(number.unwrap_or_else(|_| self.to_string().into()), domain)
            }
        })*
    };
}

whole! { u8 u16 u32 u64 usize i32 i64 }

impl SettingValue for f64 {
    fn domain() -> Domain {
        Domain::NUMBERS
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        match value {
            Value::Float(number) => Ok(*number),
            Value::Integer(number) => Ok(*number as Self),
            Value::String(text) => text.parse().map_err(|_| Refusal::OUTSIDE),
            _ => Err(Refusal::OUTSIDE),
        }
    }

    fn check(&self, domain: &Domain) -> Result<(), Value> {
        in_domain(Value::Float(*self), domain)
    }
}

impl SettingValue for bool {
    fn domain() -> Domain {
        Domain::Truth
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        match value {
            Value::Boolean(truth) => Ok(*truth),
            Value::String(text) => text.parse().map_err(|_| Refusal::OUTSIDE),
            _ => Err(Refusal::OUTSIDE),
        }
    }
}

impl SettingValue for String {
    fn domain() -> Domain {
        Domain::Text(String::new())
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        value.as_str().map(Self::from).ok_or(Refusal::OUTSIDE)
    }
}

impl SettingValue for PathBuf {
    fn domain() -> Domain {
        Domain::Path { names: &[], forms: "" }
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        String::read(value).map(Self::from)
    }
}

/// A value that may be left out.
impl<T: SettingValue> SettingValue for Option<T> {
    fn domain() -> Domain {
        T::domain()
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        T::read(value).map(Some)
    }

    fn check(&self, domain: &Domain) -> Result<(), Value> {
        self.as_ref().map_or(Ok(()), |value| value.check(domain))
    }
}

/// A list; one value alone stands for a list of it.
impl<T: SettingValue> SettingValue for Vec<T> {
    fn domain() -> Domain {
        Domain::List(Box::new(T::domain()))
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        match value {
            Value::Array(values) => {
                let read = |(place, value)| {
                    T::read(value).map_err(|refusal| Refusal { place: Some(place), ..refusal })
                };
                values.iter().enumerate().map(read).collect()
            }
            Value::Table(_) => Err(Refusal::OUTSIDE),
            alone => T::read(alone).map(|value| vec![value]),
        }
    }

    fn check(&self, domain: &Domain) -> Result<(), Value> {
        let Domain::List(each) = domain else { return Ok(()) };
        self.iter().try_for_each(|value| value.check(each))
    }
}

/// A table of texts.
impl SettingValue for BTreeMap<String, String> {
    fn domain() -> Domain {
        Domain::Text("a table of texts, in braces".to_owned())
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        let table = value.as_table().ok_or(Refusal::OUTSIDE)?;
        table.iter().map(|(key, value)| Ok((key.clone(), String::read(value)?))).collect()
    }
}

/// Makes a struct that [`settings!`](crate::settings) declares the value of a setting: a table.
#[macro_export]
macro_rules! table_setting {
    ($type:ty) => {
        impl $crate::SettingValue for $type {
            fn domain() -> $crate::Domain {
                let keys: Vec<&str> =
                    <Self as $crate::Settings>::ALL.iter().map(|setting| setting.key).collect();
                $crate::Domain::Text(format!("a table of {}", keys.join(", ")))
            }

            fn read(value: &$crate::Value) -> Result<Self, $crate::Refusal> {
                let table = value.as_table().ok_or($crate::Refusal::OUTSIDE)?;
                <Self as $crate::Settings>::from_table(table.clone())
                    .map_err($crate::Refusal::because)
            }
        }
    };
}
