//! The setting `sharing`: which statistics the workers of a search share, and how often.

use crate::setting::none_or_numbers;

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

none_or_numbers!(
    Sharing,
    "sharing",
    "upper-tree:",
    UpperTree {
        every: u32 = (1..=1_000_000_000),
        least: f64 = (0.0..=1.0),
        depth: u32 = (1..=100)
    },
    "none or upper-tree:EVERY:LEAST:DEPTH (1 to 1000000000, 0 to 1, and 1 to 100), such as upper-tree:50:0.05:3"
);
