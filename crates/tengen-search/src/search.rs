//! The interface between a search and the driver that plays its playouts.

use super::evaluator::{Leaf, NamedEvaluator};
use super::guarded::Guarded;
use super::opened::OpenedNode;
use super::resource::ResourceFault;
use super::result::{SearchResult, SearchView};
use super::saved::SavedSearch;
use super::trace::TracedSimulation;
use std::any::Any;
use std::ops::{Deref, DerefMut};
use tengen_go::{Move, RegisteredPanic, catch_registered_panic};
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
    /// The evaluation of a leaf: [`Search::leaf`] returns it until the next selection, and the
    /// result goes to [`Search::take_evaluation`] with the number of the simulation.
    Evaluation {
        /// The number of the simulation in this search.
        simulation: u64,
    },
    /// No playout now: the search waits for the result of a simulation in flight.
    Wait,
    /// No playout yet: a thousand leaves in a row needed none, since their simulations
    /// ended inside the tree. The driver may check the clock and call again.
    Pause,
    /// No more playouts: the search is done or suspended ([`SearchControl::suspend_after`]), and no
    /// result is missing.
    Done,
}

/// What a search requests.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// Playouts of one configuration.
    Playouts(PlayoutConfig),
    /// Evaluations by one evaluator, and, with a configuration, the playouts of the leaves too
    /// ([`Leaf::playout`]).
    Evaluations(NamedEvaluator, Option<PlayoutConfig>),
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
/// use tengen_search::{Request, Search, UctConfig, Work};
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
/// let Work::Playouts(playout_config) = search.work() else { return Err("an evaluator".into()) };
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
pub trait Search<const W: usize>: SearchControl {
    /// Selects a leaf and requests its playout or evaluation, or returns why it requests none.
    fn select(&mut self) -> Request<W>;

    /// Takes the result of a playout that [`Search::select`] returned.
    ///
    /// # Panics
    /// If `simulation` is not in flight.
    fn update(&mut self, simulation: u64, playout: &Playout<W>);

    /// What the search requests; it never changes.
    fn work(&self) -> Work;

    /// The leaf whose evaluation [`Search::select`] requested last.
    ///
    /// # Panics
    /// If it requested none.
    fn leaf(&self) -> Leaf {
        panic!("a search by playouts requests no evaluation")
    }

    /// Takes the result of an evaluation that [`Search::select`] requested: the expected result of
    /// the player to move at the leaf and the weights of the moves, as in
    /// [`Batch`](crate::evaluator::Batch), and the playout of the leaf if the search needs it.
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

    /// The most playouts or evaluations of the search that may be in flight at once.
    fn playouts_at_once(&self) -> usize;
}

/// Control of a search from outside: view, suspend, resume and end it. It does not depend on the number of words of
/// the board.
pub trait SearchControl: Send {
    /// The panic of registered code that ended the search. Such a search has no result: [`SearchControl::report`]
    /// unwinds with the panic. `None` if the search goes on, or ended without a panic.
    fn failure(&self) -> Option<&RegisteredPanic> {
        None
    }

    /// Memory of the search in bytes.
    fn bytes(&self) -> usize;

    /// Suspends the search once it has begun `simulations` simulations: it then selects no further
    /// leaf, and [`Search::select`] returns [`Request::Done`] when no result is missing. A later
    /// call with a larger number resumes it; the break does not change the result.
    fn suspend_after(&mut self, simulations: u64);

    /// Whether the search is done: it selects no further leaf, even if it is resumed.
    fn is_done(&self) -> bool;

    /// The number of simulations that were begun.
    fn simulations(&self) -> u64;

    /// What the search has found so far about the moves at the root, as [`SearchControl::report`]
    /// would return it now.
    fn view(&self) -> SearchView<'_>;

    /// Opens the node after the moves `path`, as the next selection at the node sees it; none if
    /// the tree has no such node, or the search cannot open its tree. Does not change the search.
    fn open(&mut self, path: &[Move]) -> Option<OpenedNode> {
        let _ = path;
        None
    }

    /// Asks the search to note the simulation number `simulation`, which must not have begun, for
    /// [`SearchControl::traced`].
    fn trace(&mut self, simulation: u64) {
        let _ = simulation;
    }

    /// What the simulation of [`SearchControl::trace`] did, once its result is backed up.
    fn traced(&mut self) -> Option<TracedSimulation> {
        None
    }

    /// Saves the state that [`root_parallel::resume_one`](crate::root_parallel::resume_one)
    /// resumes; none if the search cannot be saved. Takes back the simulations whose results are
    /// missing: the search itself continues as the resumed one does.
    fn save(&mut self) -> Option<SavedSearch> {
        None
    }

    /// Ends the search and returns its result. Takes back the simulations whose results are
    /// missing. If these are the last simulations, as after every drive, a search with a budget of
    /// the remaining number has the same result.
    fn report(self: Box<Self>) -> SearchResult;
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
/// assert_eq!(searches[0].view().counts.simulations, 100);
/// searches[0].suspend_after(u64::MAX);
/// let results = driver::run(size, searches)?;
/// assert_eq!(results[0].counts.simulations, 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnySearch(Box<dyn OfSomeWords>);

/// A search on a board of any number of words.
trait OfSomeWords: Any + Send {
    fn control(&self) -> &(dyn SearchControl + 'static);
    fn control_mut(&mut self) -> &mut (dyn SearchControl + 'static);
    fn into_control(self: Box<Self>) -> Box<dyn SearchControl>;
}

impl<const W: usize> OfSomeWords for Box<dyn Search<W>> {
    fn control(&self) -> &(dyn SearchControl + 'static) {
        &**self
    }

    fn control_mut(&mut self) -> &mut (dyn SearchControl + 'static) {
        &mut **self
    }

    fn into_control(self: Box<Self>) -> Box<dyn SearchControl> {
        *self
    }
}

impl Deref for AnySearch {
    type Target = dyn SearchControl;

    fn deref(&self) -> &Self::Target {
        self.0.control()
    }
}

impl DerefMut for AnySearch {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.0.control_mut()
    }
}

impl std::fmt::Debug for AnySearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AnySearch")
    }
}

impl AnySearch {
    /// Removes the number of words `W` from the type of `search`, which a program has written: a
    /// panic ends the search ([`SearchControl::failure`]).
    #[must_use]
    pub fn new<const W: usize>(search: Box<dyn Search<W>>) -> Self {
        Self::of::<W>(Box::new(Guarded::new(search, Some("the search"))))
    }

    /// Removes the number of words `W` from the type of `search`.
    #[must_use]
    pub(crate) fn of<const W: usize>(search: Box<dyn Search<W>>) -> Self {
        Self(Box::new(search))
    }

    /// Restores the number of words `W` in the type of the search.
    ///
    /// # Panics
    /// If the search was made with another `W`.
    pub(crate) fn of_words<const W: usize>(self) -> Box<dyn Search<W>> {
        let any: Box<dyn Any> = self.0;
        *any.downcast().expect("a search of W words")
    }

    /// Ends the search ([`SearchControl::report`]). For searches that may have failed, use
    /// [`reports`].
    #[must_use]
    pub fn report(self) -> SearchResult {
        self.0.into_control().report()
    }
}

/// Ends `searches` and returns their results, in order. If registered code panicked in some of them, the
/// error is the panic of the first.
pub fn reports(searches: Vec<AnySearch>) -> Result<Vec<SearchResult>, ResourceFault> {
    let report = |search: AnySearch| catch_registered_panic(|| search.report());
    searches.into_iter().map(report).collect::<Result<_, _>>().map_err(ResourceFault::from)
}
