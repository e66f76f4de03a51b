//! Command-line options whose value is one of a few names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::str::FromStr;
use strum::{EnumMessage, VariantArray};

/// A command-line parser of the names of the variants of `T`. The help text lists
/// each name with the first paragraph of the variant's documentation.
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
