//! Figures of a search's result: the name, the meaning and the accessor of each in one place. JSON,
//! GTP, the page and the arrays of Python follow from them.

use super::tree::Proof;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// A figure of a `T`, such as the win rate of a [`RootMove`](crate::RootMove).
#[derive(Clone, Copy, Debug)]
pub struct Figure<T> {
    /// The name in JSON, in GTP and on the page.
    pub name: &'static str,
    /// The name of the array in Python, which has the figure of many moves or searches.
    pub plural: &'static str,
    /// What it is, with its unit and point of view.
    pub meaning: &'static str,
    /// Reads it.
    pub of: fn(&T) -> FigureValue,
}

/// The value of a [`Figure`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FigureValue {
    /// A number of things.
    Count(u64),
    /// A real number; none where the search does not know it.
    Real(Option<f64>),
    /// A yes or no.
    Flag(bool),
    /// A proven result; none where nothing is proved.
    Proof(Option<Proof>),
}

impl FigureValue {
    /// Whether there is a value.
    #[must_use]
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Real(None) | Self::Proof(None))
    }
}

impl fmt::Display for FigureValue {
    /// A number, a real one with six decimals; `true` or `false`; or the proof; `-` without a
    /// value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Count(count) => count.fmt(f),
            Self::Real(Some(real)) => write!(f, "{real:.6}"),
            Self::Flag(flag) => flag.fmt(f),
            Self::Proof(Some(proof)) => proof.fmt(f),
            Self::Real(None) | Self::Proof(None) => f.write_str("-"),
        }
    }
}

impl Serialize for FigureValue {
    /// A number, a real one with six decimals; `true` or `false`; or the proof as text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Count(count) => serializer.serialize_u64(count),
            Self::Real(Some(real)) => serializer.serialize_f64((1e6 * real).round() / 1e6),
            Self::Flag(flag) => serializer.serialize_bool(flag),
            Self::Proof(Some(proof)) => serializer.collect_str(&proof),
            Self::Real(None) | Self::Proof(None) => serializer.serialize_none(),
        }
    }
}

impl<T> Figure<T> {
    /// Writes the `figures` of `of` that have a value into `map`.
    pub(super) fn write<M: SerializeMap>(
        figures: &[Self],
        of: &T,
        map: &mut M,
    ) -> Result<(), M::Error> {
        let values = figures.iter().map(|figure| (figure.name, (figure.of)(of)));
        let mut known = values.filter(|(_, value)| value.is_known());
        known.try_for_each(|(name, value)| map.serialize_entry(name, &value))
    }
}
