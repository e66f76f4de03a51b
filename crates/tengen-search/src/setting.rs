//! Settings written as a name, or as a name and a number: `none`, `mercy:25`.

/// An invalid value of a setting.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("invalid {setting} `{text}`: expected {expected}")]
pub struct SettingError {
    pub(super) text: String,
    pub(super) setting: &'static str,
    pub(super) expected: &'static str,
}

/// The number after `name:` in `text`, if it lies in `range`.
pub(super) fn number_after(
    text: &str,
    name: &str,
    range: std::ops::RangeInclusive<f64>,
) -> Option<f64> {
    let number: f64 = text.strip_prefix(name)?.strip_prefix(':')?.parse().ok()?;
    range.contains(&number).then_some(number)
}

/// Conversions by which serde reads and writes a type with `FromStr` and `Display` as
/// text.
macro_rules! written_as_text {
    ($setting:ty) => {
        impl TryFrom<String> for $setting {
            type Error = $crate::SettingError;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$setting> for String {
            fn from(setting: $setting) -> Self {
                setting.to_string()
            }
        }
    };
}

pub(super) use written_as_text;
