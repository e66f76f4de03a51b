//! Values that are one of a few names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::str::FromStr;
use strum::{EnumMessage, VariantArray};

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

/// A command-line parser of the names of the variants of `T`, which the help text lists.
#[must_use]
pub fn choices<T>() -> impl TypedValueParser<Value = T>
where
    T: VariantArray + EnumMessage + FromStr + Clone + Send + Sync,
    &'static str: for<'name> From<&'name T>,
    <T as FromStr>::Err: std::error::Error + Send + Sync + 'static,
{
    let value = |(name, help)| PossibleValue::new(name).help(help);
    PossibleValuesParser::new(names::<T>().into_iter().map(value))
        .try_map(|name: String| name.parse())
}
