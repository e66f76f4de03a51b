//! The values that a setting may have.

use crate::one_of;
use std::fmt;
use std::ops::{Bound, RangeBounds, RangeFrom, RangeInclusive};
use toml::Value;

/// The values that a setting may have, as errors, help texts and the JSON Schema describe them.
///
/// # Examples
/// ```
/// use tengen_settings::Domain;
///
/// let workers = Domain::from(1..=1024);
/// assert_eq!(workers.to_string(), "1 to 1024");
/// assert!(workers.holds(&4.into()) && !workers.holds(&0.into()));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Whole numbers.
    Whole {
        /// The least.
        least: i64,
        /// The largest; `i64::MAX` where only TOML bounds it.
        most: i64,
    },
    /// Numbers.
    Number {
        /// The lower end.
        least: Bound<f64>,
        /// The upper end.
        most: Bound<f64>,
    },
    /// True or false.
    Truth,
    /// One of these names, each with its meaning.
    Names(Vec<(&'static str, &'static str)>),
    /// A text of these forms; any text if they are empty.
    Text(String),
    /// The path of a file or a folder.
    Path {
        /// Texts that are no path.
        names: &'static [&'static str],
        /// The forms of the text; any text if they are empty.
        forms: &'static str,
    },
    /// A text of these forms, or a table whose settings stand under this name.
    Described {
        /// The name.
        name: &'static str,
        /// The forms of the text.
        forms: &'static str,
    },
    /// A list of values of this domain.
    List(Box<Domain>),
}

impl Domain {
    /// All numbers.
    pub const NUMBERS: Self = Self::Number { least: Bound::Unbounded, most: Bound::Unbounded };

    /// The domain of a type narrowed to the values that `range` holds too.
    #[must_use]
    pub fn narrowed(self, range: Self) -> Self {
        match (self, range) {
            (Self::List(each), range) => Self::List(Box::new(each.narrowed(range))),
            (Self::Whole { least, most }, Self::Whole { least: at_least, most: at_most }) => {
                Self::Whole { least: least.max(at_least), most: most.min(at_most) }
            }
            (_, range) => range,
        }
    }

    /// Whether `value` is in the domain. In a domain of texts every value is: its type checks it.
    #[must_use]
    pub fn holds(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Whole { least, most }, Value::Integer(number)) => {
                (least..=most).contains(&number)
            }
            (Self::Number { least, most }, Value::Float(number)) => {
                (*least, *most).contains(number) && !number.is_nan()
            }
            (Self::Number { .. }, Value::Integer(number)) => {
                self.holds(&Value::Float(*number as f64))
            }
            (Self::Names(names), Value::String(text)) => names.iter().any(|(name, _)| name == text),
            (Self::List(each), Value::Array(values)) => values.iter().all(|it| each.holds(it)),
            (Self::Truth, Value::Boolean(_))
            | (Self::Text(_) | Self::Path { .. } | Self::Described { .. }, _) => true,
            _ => false,
        }
    }

    /// The names of the values, each with its meaning; none where they cannot be listed.
    #[must_use]
    pub fn names(&self) -> &[(&'static str, &'static str)] {
        match self {
            Self::Names(names) => names,
            Self::List(each) => each.names(),
            _ => &[],
        }
    }

    /// The request to write such a value, for an error about a value of another type.
    #[must_use]
    pub fn request(&self) -> String {
        match self {
            Self::Whole { least, most: i64::MAX } => format!("write a whole number from {least}"),
            Self::Whole { least, most } => format!("write a whole number from {least} to {most}"),
            Self::Number { .. } if *self == Self::NUMBERS => "write a number".to_owned(),
            Self::Number { .. } => format!("write a number, {self}"),
            Self::Truth => "write true or false".to_owned(),
            Self::List(_) => "write a list, in brackets".to_owned(),
            _ if self.to_string().is_empty() => "write a text, in quotes".to_owned(),
            _ => format!("write {self}"),
        }
    }
}

impl fmt::Display for Domain {
    /// The values in words; empty for any text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole { least, most: i64::MAX } => write!(f, "{least} or more"),
            Self::Whole { least, most } => write!(f, "{least} to {most}"),
            Self::Number { least, most } => match (least, most) {
                (Bound::Included(least), Bound::Included(most)) => write!(f, "{least} to {most}"),
                (Bound::Excluded(least), Bound::Included(most)) => {
                    write!(f, "above {least} and at most {most}")
                }
                (Bound::Excluded(least), Bound::Excluded(most)) => {
                    write!(f, "above {least} and below {most}")
                }
                (Bound::Included(least), _) => write!(f, "{least} or more"),
                (Bound::Excluded(least), _) => write!(f, "above {least}"),
                _ => f.write_str("a number"),
            },
            Self::Truth => f.write_str("true or false"),
            Self::Names(names) => {
                let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
                f.write_str(&one_of(&names))
            }
            Self::Text(forms) => f.write_str(forms),
            Self::Path { forms, .. } | Self::Described { forms, .. } => f.write_str(forms),
            Self::List(each) => each.fmt(f),
        }
    }
}

impl From<RangeInclusive<i64>> for Domain {
    fn from(range: RangeInclusive<i64>) -> Self {
        Self::Whole { least: *range.start(), most: *range.end() }
    }
}

impl From<RangeFrom<i64>> for Domain {
    fn from(range: RangeFrom<i64>) -> Self {
        Self::Whole { least: range.start, most: i64::MAX }
    }
}

impl From<RangeInclusive<f64>> for Domain {
    fn from(range: RangeInclusive<f64>) -> Self {
        Self::Number { least: Bound::Included(*range.start()), most: Bound::Included(*range.end()) }
    }
}

impl From<(Bound<f64>, Bound<f64>)> for Domain {
    fn from((least, most): (Bound<f64>, Bound<f64>)) -> Self {
        Self::Number { least, most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_says_what_it_holds() {
        let above = Domain::from((Bound::Excluded(0.0), Bound::Included(1e6)));
        let between = Domain::from((Bound::Excluded(0.0), Bound::Excluded(0.5)));
        for (domain, shown, inside, outside) in [
            (Domain::from(1..=1024), "1 to 1024", Value::from(1024), Value::from(1025)),
            (Domain::from(2..), "2 or more", 2.into(), 1.into()),
            (Domain::from(0.0..=1.0), "0 to 1", 1.into(), f64::NAN.into()),
            (above, "above 0 and at most 1000000", 1e6.into(), 0.0.into()),
            (between, "above 0 and below 0.5", 0.4.into(), 0.5.into()),
            (Domain::Truth, "true or false", true.into(), 1.into()),
            (Domain::Names(vec![("a", ""), ("b", "")]), "a or b", "b".into(), "c".into()),
            (Domain::NUMBERS, "a number", f64::INFINITY.into(), f64::NAN.into()),
        ] {
            assert_eq!(domain.to_string(), shown);
            assert!(domain.holds(&inside) && !domain.holds(&outside), "{shown}");
            let lists = Domain::List(Box::new(domain));
            assert!(lists.holds(&vec![inside.clone()].into()));
            assert!(!lists.holds(&vec![inside, outside].into()));
        }
    }
}
