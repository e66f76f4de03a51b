//! The error of every text that is read: a vertex, a komi, the value of a setting.

use std::borrow::Cow;

/// A text that is not what it should be.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("invalid {thing} `{text}`: expected {expected}")]
pub struct ParseError {
    thing: &'static str,
    text: String,
    expected: Cow<'static, str>,
}

impl ParseError {
    /// `text` is no `thing`; `expected` says what one looks like.
    pub fn new(
        thing: &'static str,
        text: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { thing, text: text.into(), expected: expected.into() }
    }
}

/// Serde reads and writes a type with `FromStr` and `Display` as text.
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

/// The value of a setting that is written as text: `text_setting!(Type, "what it is", forms)`, where `forms`
/// says which texts there are. Gives the type `refused`, the error of another text.
#[doc(hidden)]
#[macro_export]
macro_rules! text_setting {
    ($type:ty, $what:literal, $forms:expr) => {
        $crate::written_as_text!($type);

        impl $type {
            /// The error that `text` is none.
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
