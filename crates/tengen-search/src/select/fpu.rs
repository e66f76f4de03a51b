//! First-play urgency (FPU).

use serde::Serialize;
use std::fmt;
use std::str::FromStr;
use tengen_go::ParseError;
use tengen_settings::{Domain, TextValue};

/// First-play urgency: the value that a move without visits has in the formulas.
///
/// # Examples
/// ```
/// use tengen_search::select::Fpu;
///
/// let first_play: Fpu = "parent-0.25".parse()?;
/// assert_eq!(first_play, Fpu::Parent(-0.25));
/// assert_eq!(first_play.value(0.75), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fpu {
    /// A constant value (Gelly and Wang, "Exploration exploitation in Go: UCT for
    /// Monte-Carlo Go", 2006). Infinity tries every move once before any other is tried
    /// again.
    Constant(f64),
    /// The mean reward of the node's simulations for the player to move there, plus this
    /// offset, which is usually negative.
    Parent(f64),
}

impl Fpu {
    /// The value of a first play at a node whose mean reward for the player to move is
    /// `parent_mean`.
    #[inline]
    #[must_use]
    pub fn value(self, parent_mean: f64) -> f64 {
        match self {
            Self::Constant(value) => value,
            Self::Parent(offset) => parent_mean + offset,
        }
    }
}

/// The forms of the text.
const FORMS: &str =
    "a number from 0, inf, parent, or parent-NUMBER or parent+NUMBER with a NUMBER of 0 to 1";

impl TextValue for Fpu {
    fn domain() -> Domain {
        Domain::Text(FORMS.to_owned())
    }
}

impl FromStr for Fpu {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new("first_play", text, FORMS);
        match text.strip_prefix("parent") {
            Some("") => Ok(Self::Parent(0.0)),
            Some(offset) if offset.starts_with(['+', '-']) => {
                let offset: f64 = offset.parse().map_err(|_| error())?;
                if offset.abs() <= 1.0 { Ok(Self::Parent(offset)) } else { Err(error()) }
            }
            Some(_) => Err(error()),
            None => match text.parse::<f64>() {
                Ok(value) if value >= 0.0 => Ok(Self::Constant(value)),
                _ => Err(error()),
            },
        }
    }
}

impl fmt::Display for Fpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "{value}"),
            Self::Parent(offset) => write!(f, "parent{offset:+}"),
        }
    }
}

impl Serialize for Fpu {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(value) => serializer.serialize_f64(*value),
            Self::Parent(_) => serializer.collect_str(self),
        }
    }
}
