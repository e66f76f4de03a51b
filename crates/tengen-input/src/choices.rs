//! Values of an option that are one of a few names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::str::FromStr;
use strum::{EnumMessage, VariantArray};

/// A parser of the names of `T`, which help lists, each with the first
/// paragraph of its documentation.
#[must_use]
pub fn choices<T>() -> impl TypedValueParser<Value = T>
where
    T: VariantArray + EnumMessage + FromStr + Clone + Send + Sync,
    &'static str: for<'name> From<&'name T>,
    <T as FromStr>::Err: std::error::Error + Send + Sync + 'static,
{
    let value = |variant: &T| {
        let documentation = variant.get_documentation().unwrap_or_default();
        PossibleValue::new(<&str>::from(variant)).help(documentation)
    };
    PossibleValuesParser::new(T::VARIANTS.iter().map(value)).try_map(|name: String| name.parse())
}
