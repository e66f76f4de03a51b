//! The interface between a search and the driver that plays its playouts.

use super::tree::Tree;
use std::any::Any;
use tengen_go::Size;
use tengen_playout::{Job, Playout, PlayoutConfig};

/// The next request of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request<const W: usize> {
    /// A playout, whose result goes to [`Search::update`] with the number of the
    /// simulation.
    Playout {
        /// The number of the simulation in this search.
        simulation: u64,
        /// The playout from the selected leaf.
        job: Job<W>,
    },
    /// Nothing until the result of a simulation in flight is there.
    Wait,
    /// Another call: a thousand simulations have ended inside the tree, and the
    /// driver may have to check the clock.
    Pause,
    /// Nothing: the search is done and all its results are counted.
    Done,
}

/// A search for the best move of one position, on a board of `W` words.
///
/// It plays no playouts itself: [`Search::select`] returns the next leaf with its
/// playout, [`Search::update`] takes the result, and a [driver](super::driver)
/// plays the playouts of many searches side by side. The result of a search must
/// not depend on the other searches of its driver: playouts may end in any order,
/// and a search counts their results in the order in which it requested them.
pub trait Search<const W: usize>: Send {
    /// Selects a leaf and returns its playout, or why there is none.
    fn select(&mut self) -> Request<W>;

    /// Takes the result of a playout that [`Search::select`] returned.
    ///
    /// # Panics
    /// If `simulation` is not in flight.
    fn update(&mut self, simulation: u64, playout: &Playout<W>);

    /// The most playouts that it may have in flight at once.
    fn playouts_at_once(&self) -> usize;

    /// The size of the board.
    fn size(&self) -> Size;

    /// Policy, stop rule and komi of its playouts.
    fn playout_config(&self) -> PlayoutConfig;

    /// Bytes that it holds.
    fn bytes(&self) -> usize;

    /// Ends the search and says what it found.
    fn report(self: Box<Self>) -> SearchResult;
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The statistics of the moves that it looked at, with those of the root's
    /// children at least.
    pub tree: Tree,
    /// Simulations made.
    pub simulations: u64,
    /// The depths of all simulations' leaves added up; the root has depth 0.
    pub depth_sum: u64,
    /// The depth of the deepest leaf.
    pub depth_most: usize,
    /// Whether its tree held all the nodes that it may and was to grow on.
    pub was_full: bool,
}

/// A search of a position on a board of any size.
pub struct AnySearch(Box<dyn Any + Send>);

impl std::fmt::Debug for AnySearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AnySearch")
    }
}

impl AnySearch {
    /// `search` with its number of words left out.
    #[must_use]
    pub fn new<const W: usize>(search: Box<dyn Search<W>>) -> Self {
        Self(Box::new(search))
    }

    /// The search on a board of `W` words.
    ///
    /// # Panics
    /// If it was made for a board of other words.
    pub(crate) fn of_words<const W: usize>(self) -> Box<dyn Search<W>> {
        *self.0.downcast().expect("a search of W words")
    }
}
