//! Values that are one of a few names.

use crate::Refusal;
use strum::{EnumMessage, VariantArray};
use toml::Value;

/// The names of the variants of `T`, each with the first paragraph of its documentation.
#[must_use]
pub fn names<T>() -> Vec<(&'static str, &'static str)>
where
    T: VariantArray + EnumMessage,
    &'static str: for<'name> From<&'name T>,
{
    let named = |variant: &T| (<&str>::from(variant), variant.get_documentation());
    let sentence = |(name, help): (_, Option<&'static str>)| {
        (name, help.unwrap_or_default().trim_end_matches('.'))
    };
    T::VARIANTS.iter().map(named).map(sentence).collect()
}

/// The variant of `T` that `value` names, in any case.
#[doc(hidden)]
pub fn read<T>(value: &Value) -> Result<T, Refusal>
where
    T: VariantArray + Clone,
    &'static str: for<'name> From<&'name T>,
{
    let text = value.as_str().ok_or(Refusal::OUTSIDE)?;
    let named = |variant: &&T| <&str>::from(*variant).eq_ignore_ascii_case(text);
    T::VARIANTS.iter().find(named).cloned().ok_or(Refusal::OUTSIDE)
}

/// Values of settings that are the names of an enum's variants.
#[macro_export]
macro_rules! named_setting {
    ($type:ty) => {
        impl $crate::SettingValue for $type {
            fn domain() -> $crate::Domain {
                $crate::Domain::Names($crate::choices::names::<Self>())
            }

            fn read(value: &$crate::Value) -> Result<Self, $crate::Refusal> {
                $crate::choices::read(value)
            }
        }
    };
}
