//! The setting `sharing`: which statistics the workers of a search share, and how often.

use std::fmt;
use std::str::FromStr;
use tengen_go::{ParseError, text_setting};

/// What workers share while they search. As text `none` or `upper-tree:50:0.05:3`.
///
/// # Examples
/// ```
/// use tengen_search::sharing::Sharing;
///
/// let sharing: Sharing = "upper-tree:50:0.05:3".parse()?;
/// assert_eq!(sharing, Sharing::UpperTree { every: 50, least: 0.05, depth: 3 });
/// assert!(Sharing::default().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Sharing {
    /// Nothing: workers are independent, and merged at the root when all are done.
    #[default]
    None,
    /// The upper tree: visits and rewards of the nodes near the root (Gelly et al., "The
    /// parallelization of Monte-Carlo planning", 2008, section 4; Bourki et al., "Scalability
    /// and parallelization of Monte-Carlo tree search", 2010, there "slow tree
    /// parallelization").
    UpperTree {
        /// Simulations of each worker between two exchanges.
        every: u32,
        /// The least share of the visits of the root, 0 to 1, with which a node is shared.
        least: f64,
        /// The greatest depth of a shared node; the root has depth 0.
        depth: u32,
    },
}

impl Sharing {
    /// Whether nothing is shared.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}

impl FromStr for Sharing {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "none" {
            return Ok(Self::None);
        }
        let numbers = || {
            let mut parts = text.strip_prefix("upper-tree:")?.split(':');
            let every: u32 = parts.next()?.parse().ok()?;
            let least: f64 = parts.next()?.parse().ok()?;
            let depth: u32 = parts.next()?.parse().ok()?;
            let allowed = (1..=1_000_000_000).contains(&every)
                && (0.0..=1.0).contains(&least)
                && (1..=100).contains(&depth)
                && parts.next().is_none();
            allowed.then_some(Self::UpperTree { every, least, depth })
        };
        numbers().ok_or_else(|| Self::refused(text))
    }
}

impl fmt::Display for Sharing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::UpperTree { every, least, depth } => {
                f.pad(&format!("upper-tree:{every}:{least}:{depth}"))
            }
        }
    }
}

text_setting!(
    Sharing,
    "sharing",
    "none or upper-tree:EVERY:LEAST:DEPTH (1 to 1000000000, 0 to 1, and 1 to 100), such as upper-tree:50:0.05:3"
);
