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
    /// No playout now: the search waits for the result of a simulation in flight.
    Wait,
    /// No playout yet: a thousand leaves in a row needed none, since their simulations
    /// ended inside the tree. The driver may check the clock and call again.
    Pause,
    /// No more playouts: the search is done and all its results are counted.
    Done,
}

/// A search for the best move of one position, on a board of `W` words.
///
/// It plays no playouts itself: [`Search::select`] returns the next leaf with its
/// playout, [`Search::update`] takes the result, and a [driver](super::driver)
/// plays the playouts of many searches side by side. The result of a search must
/// not depend on the other searches of its driver: playouts may end in any order,
/// and a search counts their results in the order in which it requested them.
///
/// # Example
/// A driver of one search, without lanes:
/// ```
/// use tengen_go::{Board, Color, Game, Komi, Preset, Rules};
/// use tengen_playout::scalar;
/// use tengen_search::tree::Tree;
/// use tengen_search::uct::UctSearch;
/// use tengen_search::{Request, Search, UctConfig};
///
/// // Black to move takes three stones at A2.
/// let position = "
///     . . . . .
///     X X X . .
///     O O X . .
///     . O X . .
///     . X . . .";
/// let board = Board::from_diagram(position, Color::Black)?;
/// let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
/// let game = Game::from_position(board, rules);
///
/// let config = UctConfig::default();
/// let (budget, seed, tree) = (1_000, 1, Tree::new(config.extras()));
/// let mut search = UctSearch::<1>::new(&game, &config, budget, seed, tree);
/// let playout_config = search.playout_config();
/// loop {
///     match search.select() {
///         Request::Playout { simulation, job } => {
///             search.update(simulation, &scalar::play_by(playout_config, &job));
///         }
///         Request::Wait | Request::Pause => {}
///         Request::Done => break,
///     }
/// }
/// let best = search.tree().principal_variation(Tree::ROOT)[0];
/// assert_eq!(best.to_string(), "A2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Search<const W: usize>: Send {
    /// Selects a leaf and returns its playout, or why there is none.
    fn select(&mut self) -> Request<W>;

    /// Takes the result of a playout that [`Search::select`] returned.
    ///
    /// # Panics
    /// If `simulation` is not in flight.
    fn update(&mut self, simulation: u64, playout: &Playout<W>);

    /// The most playouts of the search that may be in flight at once.
    fn playouts_at_once(&self) -> usize;

    /// The size of the board.
    fn size(&self) -> Size;

    /// Policy, early stop and komi of its playouts.
    fn playout_config(&self) -> PlayoutConfig;

    /// Memory of the search in bytes.
    fn bytes(&self) -> usize;

    /// Ends the search and returns its result.
    fn report(self: Box<Self>) -> SearchResult;
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The tree: at least the root with the statistics of its visited moves.
    pub tree: Tree,
    /// The number of simulations made.
    pub simulations: u64,
    /// The sum of the depths of all simulations' leaves; the root has depth 0.
    pub depth_sum: u64,
    /// The depth of the deepest leaf.
    pub max_depth: usize,
    /// Whether a node could not be added because the tree held as many as it may.
    pub was_full: bool,
}

/// A [`Search`] whose type does not name the number of words `W` of its board.
pub struct AnySearch(Box<dyn Any + Send>);

impl std::fmt::Debug for AnySearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AnySearch")
    }
}

impl AnySearch {
    /// Removes the number of words `W` from the type of `search`.
    #[must_use]
    pub fn new<const W: usize>(search: Box<dyn Search<W>>) -> Self {
        Self(Box::new(search))
    }

    /// The search with the number of words `W` in its type again.
    ///
    /// # Panics
    /// If the search was made with another `W`.
    pub(crate) fn of_words<const W: usize>(self) -> Box<dyn Search<W>> {
        *self.0.downcast().expect("a search of W words")
    }
}
