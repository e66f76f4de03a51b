//! The error of parsing a text: a vertex, a komi, the value of a setting.

use std::borrow::Cow;

/// An invalid text, with a description of the valid ones.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("invalid {thing} `{text}`: expected {expected}")]
pub struct ParseError {
    thing: &'static str,
    text: String,
    expected: Cow<'static, str>,
}

impl ParseError {
    /// The error that `text` is no valid `thing`; `expected` describes the valid ones.
    pub fn new(
        thing: &'static str,
        text: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { thing, text: text.into(), expected: expected.into() }
    }
}

/// Makes serde read and write a type as text, by its `FromStr` and `Display`.
#[doc(hidden)]
#[macro_export]
macro_rules! written_as_text {
    ($($kind:ty)*) => {
        $(impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        })*
    };
}

/// Makes a type the value of a setting, written as text: `text_setting!(Type, "what it is",
/// forms)`, where `forms` describes the valid texts. Adds `refused`, the error of any other text.
#[doc(hidden)]
#[macro_export]
macro_rules! text_setting {
    ($type:ty, $what:literal, $forms:expr) => {
        $crate::written_as_text!($type);

        impl $type {
            /// The error that `text` is not a valid value.
            #[allow(dead_code)]
            fn refused(text: &str) -> $crate::ParseError {
                $crate::ParseError::new($what, text, $forms)
            }
        }

        impl $crate::settings::TextValue for $type {
            fn domain() -> $crate::settings::Domain {
                $crate::settings::Domain::Text($forms.into())
            }
        }
    };
}
