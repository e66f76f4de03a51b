//! The interface between a search and the driver that plays its playouts.

use super::evaluator::{Leaf, NamedEvaluator};
use super::guarded::Guarded;
use super::opened::OpenedNode;
use super::resource::ResourceFault;
use super::root_move::RootMove;
use super::score_sum::ScoreSum;
use super::trace::TracedSimulation;
use super::tree::Tree;
use std::any::Any;
use tengen_go::{Move, RegisteredPanic, Size, catch_registered_panic};
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
    /// The evaluation of a leaf, which is [`Search::leaf`] until the next selection; its result goes
    /// to [`Search::take_evaluation`] with the number of the simulation.
    Evaluation {
        /// The number of the simulation in this search.
        simulation: u64,
    },
    /// No playout now: the search waits for the result of a simulation in flight.
    Wait,
    /// No playout yet: a thousand leaves in a row needed none, since their simulations
    /// ended inside the tree. The driver may check the clock and call again.
    Pause,
    /// No more playouts: the search is done or suspended ([`Search::suspend_after`]), and no
    /// result is missing.
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
/// # Examples
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
///         Request::Wait | Request::Pause | Request::Evaluation { .. } => {}
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

    /// The evaluator of its leaves; none if playouts judge them.
    fn evaluator(&self) -> Option<&NamedEvaluator> {
        None
    }

    /// The leaf whose evaluation [`Search::select`] requested last.
    ///
    /// # Panics
    /// If it requested none.
    fn leaf(&self) -> Leaf {
        panic!("a search by playouts requests no evaluation")
    }

    /// Whether an evaluation needs the playout of its leaf too ([`Leaf::playout`]).
    fn needs_leaf_playouts(&self) -> bool {
        false
    }

    /// Takes the result of an evaluation that [`Search::select`] requested, as
    /// [`Batch`](crate::evaluator::Batch) has it: the expected result of the player to move at the
    /// leaf, and the weights of the moves; and the playout of the leaf, where it is needed.
    ///
    /// # Panics
    /// If `simulation` is not in flight.
    fn take_evaluation(
        &mut self,
        simulation: u64,
        value: f32,
        weights: &[f32],
        playout: Option<&Playout<W>>,
    ) {
        let _ = (value, weights, playout);
        panic!("simulation {simulation} requested no evaluation")
    }

    /// Ends the search: the playout or the evaluation that it requested for `simulation` has no result, since
    /// registered code panicked.
    fn fail(&mut self, simulation: u64, panic: RegisteredPanic) {
        let _ = simulation;
        panic.resume()
    }

    /// The panic of registered code that ended the search. Such a search has no result: [`Search::report`]
    /// unwinds with the panic. `None` if the search goes on, or ended without a panic.
    fn failure(&self) -> Option<&RegisteredPanic> {
        None
    }

    /// The most playouts or evaluations of the search that may be in flight at once.
    fn playouts_at_once(&self) -> usize;

    /// The size of the board.
    fn size(&self) -> Size;

    /// Policy, early stop and komi of its playouts.
    fn playout_config(&self) -> PlayoutConfig;

    /// Memory of the search in bytes.
    fn bytes(&self) -> usize;

    /// Suspends the search once it has begun `simulations` simulations: it then selects no further
    /// leaf, and [`Search::select`] returns [`Request::Done`] when no result is missing. A later
    /// call with a larger number resumes it; the result is that of a search without a break.
    fn suspend_after(&mut self, simulations: u64);

    /// Whether the search is done: it selects no further leaf, even if it is resumed.
    fn is_done(&self) -> bool;

    /// The number of simulations that were begun.
    fn simulations(&self) -> u64;

    /// What the search has found so far: what [`Search::report`] would return now, of the
    /// moves at the root.
    fn view(&self) -> SearchView<'_>;

    /// The node of the tree after the moves `path` as the next selection there sees it; none if it is
    /// not in the tree, or the search has no tree that can be opened. Changes nothing.
    fn open(&mut self, path: &[Move]) -> Option<OpenedNode> {
        let _ = path;
        None
    }

    /// Has the search note what the simulation number `simulation`, which it has not begun, does, for
    /// [`Search::traced`].
    fn trace(&mut self, simulation: u64) {
        let _ = simulation;
    }

    /// What the simulation of [`Search::trace`] did, once its result is backed up.
    fn traced(&mut self) -> Option<TracedSimulation> {
        None
    }

    /// Ends the search and returns its result. Simulations whose results are missing are taken
    /// back. If they are the last ones, as after every drive, the result is that of a search
    /// with a budget of those that are left.
    fn report(self: Box<Self>) -> SearchResult;
}

/// What a search has found so far, of the moves at the root. Each visit stands for a result:
/// simulations without one are left out.
#[derive(Clone, Debug)]
pub struct SearchView<'a> {
    /// The visited moves at the root, in the order of the tree.
    pub moves: Vec<RootMove>,
    /// The tree, in which simulations whose results are not backed up yet are visits without
    /// reward; for lines of play.
    pub tree: &'a Tree,
    /// The number of simulations with a result.
    pub simulations: u64,
    /// The sum of the depths of all simulations' leaves; the root has depth 0.
    pub depth_sum: u64,
    /// The depth of the deepest leaf.
    pub max_depth: usize,
    /// Whether a node could not be added because the tree held as many as it may.
    pub was_full: bool,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The tree: at least the root with the statistics of its visited moves.
    pub tree: Tree,
    /// The scores of the playouts of this search through each child of the root, in their
    /// order; children at the end may be missing.
    pub scores: Vec<ScoreSum>,
    /// The number of simulations made.
    pub simulations: u64,
    /// The sum of the depths of all simulations' leaves; the root has depth 0.
    pub depth_sum: u64,
    /// The depth of the deepest leaf.
    pub max_depth: usize,
    /// Whether a node could not be added because the tree held as many as it may.
    pub was_full: bool,
}

impl SearchResult {
    /// The result as a view of an ended search.
    #[must_use]
    pub fn view(&self) -> SearchView<'_> {
        let mut moves = RootMove::all(&self.tree, &self.scores);
        moves.retain(|root_move| root_move.visits > 0);
        SearchView {
            moves,
            tree: &self.tree,
            simulations: self.simulations,
            depth_sum: self.depth_sum,
            max_depth: self.max_depth,
            was_full: self.was_full,
        }
    }
}

/// A [`Search`] whose type does not name the number of words `W` of its board.
///
/// # Examples
/// ```
/// use tengen_go::{Game, Komi, Preset, Rules, Size};
/// use tengen_search::tree::Tree;
/// use tengen_search::{UctConfig, driver, root_parallel};
///
/// let size = Size::square(5)?;
/// let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// let config = UctConfig::default();
/// let mut search = root_parallel::begin_one(&game, &config, 500, 1, Tree::new(config.extras()));
/// search.suspend_after(100);
/// let mut searches = driver::advance(size, vec![search], &|| false)?;
/// assert_eq!(searches[0].view().simulations, 100);
/// searches[0].suspend_after(u64::MAX);
/// let results = driver::run(size, searches, None)?;
/// assert_eq!(results[0].simulations, 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnySearch(Box<dyn OfSomeWords>);

/// What needs no `W`.
trait OfSomeWords: Any + Send {
    fn suspend_after(&mut self, simulations: u64);
    fn is_done(&self) -> bool;
    fn simulations(&self) -> u64;
    fn view(&self) -> SearchView<'_>;
    fn open(&mut self, path: &[Move]) -> Option<OpenedNode>;
    fn trace(&mut self, simulation: u64);
    fn traced(&mut self) -> Option<TracedSimulation>;
    fn bytes(&self) -> usize;
    fn failure(&self) -> Option<&RegisteredPanic>;
    fn report(self: Box<Self>) -> SearchResult;
}

impl<const W: usize> OfSomeWords for Box<dyn Search<W>> {
    fn suspend_after(&mut self, simulations: u64) {
        (**self).suspend_after(simulations);
    }

    fn is_done(&self) -> bool {
        (**self).is_done()
    }

    fn simulations(&self) -> u64 {
        (**self).simulations()
    }

    fn view(&self) -> SearchView<'_> {
        (**self).view()
    }

    fn open(&mut self, path: &[Move]) -> Option<OpenedNode> {
        (**self).open(path)
    }

    fn trace(&mut self, simulation: u64) {
        (**self).trace(simulation);
    }

    fn traced(&mut self) -> Option<TracedSimulation> {
        (**self).traced()
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn failure(&self) -> Option<&RegisteredPanic> {
        (**self).failure()
    }

    fn report(self: Box<Self>) -> SearchResult {
        (*self).report()
    }
}

impl std::fmt::Debug for AnySearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AnySearch")
    }
}

impl AnySearch {
    /// Removes the number of words `W` from the type of `search`, which a program has written: if it
    /// panics, it ends ([`AnySearch::failure`]).
    #[must_use]
    pub fn new<const W: usize>(search: Box<dyn Search<W>>) -> Self {
        Self::of::<W>(Box::new(Guarded::whole(search)))
    }

    /// Removes the number of words `W` from the type of `search`.
    #[must_use]
    pub(crate) fn of<const W: usize>(search: Box<dyn Search<W>>) -> Self {
        Self(Box::new(search))
    }

    /// The search with the number of words `W` in its type again.
    ///
    /// # Panics
    /// If the search was made with another `W`.
    pub(crate) fn of_words<const W: usize>(self) -> Box<dyn Search<W>> {
        let any: Box<dyn Any> = self.0;
        *any.downcast().expect("a search of W words")
    }

    /// See [`Search::suspend_after`].
    pub fn suspend_after(&mut self, simulations: u64) {
        self.0.suspend_after(simulations);
    }

    /// See [`Search::is_done`].
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.0.is_done()
    }

    /// See [`Search::simulations`].
    #[must_use]
    pub fn simulations(&self) -> u64 {
        self.0.simulations()
    }

    /// See [`Search::view`].
    #[must_use]
    pub fn view(&self) -> SearchView<'_> {
        self.0.view()
    }

    /// See [`Search::open`].
    #[must_use]
    pub fn open(&mut self, path: &[Move]) -> Option<OpenedNode> {
        self.0.open(path)
    }

    /// See [`Search::trace`].
    pub fn trace(&mut self, simulation: u64) {
        self.0.trace(simulation);
    }

    /// See [`Search::traced`].
    #[must_use]
    pub fn traced(&mut self) -> Option<TracedSimulation> {
        self.0.traced()
    }

    /// See [`Search::bytes`].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// See [`Search::failure`].
    #[must_use]
    pub fn failure(&self) -> Option<&RegisteredPanic> {
        self.0.failure()
    }

    /// See [`Search::report`]. For searches that may have failed there is [`reports`].
    #[must_use]
    pub fn report(self) -> SearchResult {
        self.0.report()
    }
}

/// Ends `searches` and returns their results, in order.
///
/// # Errors
/// If registered code panicked in one of them: the panic of the first.
pub fn reports(searches: Vec<AnySearch>) -> Result<Vec<SearchResult>, ResourceFault> {
    let report = |search: AnySearch| catch_registered_panic(|| search.report());
    searches.into_iter().map(report).collect::<Result<_, _>>().map_err(ResourceFault::from)
}
