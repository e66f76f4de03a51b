//! What a search is to whoever drives it.

use super::tree::Tree;
use std::any::Any;
use tengen_go::Size;
use tengen_playout::{Job, Playout, PlayoutConfig};

/// What a search wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request<const W: usize> {
    /// The result of a playout, handed to [`Search::update`] under this
    /// number.
    Playout {
        /// The simulation's number in this search.
        simulation: u64,
        /// The playout from the leaf that was reached.
        job: Job<W>,
    },
    /// The result of a simulation that is out.
    Wait,
    /// To be asked again: a thousand simulations have ended inside the tree,
    /// and the driver may want to look at the clock.
    Pause,
    /// Nothing: the budget of simulations is spent, or the search has ended
    /// before, and all results are counted.
    Done,
}

/// A search for the best move of one position, on a board of `W` words.
///
/// It never plays a playout: [`Search::select`] names the position whose
/// playout it wants, [`Search::update`] takes the result, and a
/// [driver](super::driver) mixes the playouts of many searches. What a search
/// finds must not depend on who else is driven with it: results may come in any
/// order, and a search counts them in an order of its own.
pub trait Search<const W: usize>: Send {
    /// The next playout that it wants.
    fn select(&mut self) -> Request<W>;

    /// Takes the result of a playout that [`Search::select`] asked for.
    ///
    /// # Panics
    /// If `simulation` is not out.
    fn update(&mut self, simulation: u64, playout: &Playout<W>);

    /// The playouts that it may have out at once.
    fn playouts_at_once(&self) -> usize;

    /// The size of the board.
    fn size(&self) -> Size;

    /// How its playouts are to be played.
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
