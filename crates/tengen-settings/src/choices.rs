//! Values that are one of a few names.

/// Declares an enum whose values have names, as a type of settings: it is written, read and
/// serialized by these names. In front stands what a value is, for the error of other texts; the
/// doc comment of a value is its help.
///
/// # Examples
/// ```
/// tengen_settings::choice! {
///     "ladder"
///     /// How a ladder is read.
///     #[derive(Default)]
///     pub enum Ladder {
///         /// To its end.
///         #[default]
///         ToTheEnd = "to-the-end",
///         /// Not at all.
///         No = "no",
///     }
/// }
///
/// assert_eq!("NO".parse(), Ok(Ladder::No));
/// assert_eq!(Ladder::default().to_string(), "to-the-end");
/// let error = "yes".parse::<Ladder>().map_err(|error| error.to_string());
/// assert_eq!(error, Err("invalid ladder `yes`: expected to-the-end, no".to_owned()));
/// ```
#[macro_export]
macro_rules! choice {
    (
        $thing:literal
        $(#[$meta:meta])*
        $visibility:vis enum $type:ident {
            $($(#[$attribute:ident $(= $help:literal)?])+ $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $visibility enum $type {
            $($(#[$attribute $(= $help)?])+ $variant,)+
        }

        impl $type {
            /// All values, in the order of declaration.
            pub const VARIANTS: &'static [Self] = &[$(Self::$variant),+];

            /// The name of the value.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::ParseError;

            fn from_str(text: &str) -> Result<Self, $crate::ParseError> {
                let is_named = |value: &&Self| value.name().eq_ignore_ascii_case(text);
                let named = Self::VARIANTS.iter().find(is_named).copied();
                named.ok_or_else(|| $crate::ParseError::new($thing, text, [$($name),+].join(", ")))
            }
        }

        impl $crate::SettingValue for $type {
            fn domain() -> $crate::Domain {
                let help = |lines: &'static str| lines.trim().trim_end_matches('.');
                $crate::Domain::Names(vec![$(($name, help(concat!($($($help,)?)+)))),+])
            }

            fn read(value: &$crate::Value) -> Result<Self, $crate::Refusal> {
                let named = value.as_str().and_then(|text| text.parse().ok());
                named.ok_or($crate::Refusal::OUTSIDE)
            }
        }

        $crate::written_as_text!($type);
    };
}

/// Makes serde read and write a type as text, by its `FromStr` and `Display`.
#[doc(hidden)]
#[macro_export]
macro_rules! written_as_text {
    ($($kind:ty)*) => {
        $(impl $crate::serde::Serialize for $kind {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $kind {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as $crate::serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err($crate::serde::de::Error::custom)
            }
        })*
    };
}
