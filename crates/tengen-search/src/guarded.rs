//! A search that calls code that the program has registered, and survives a panic in this code.
//!
//! ```text
//! each call of the search:
//!     if registered code in it panics: drop the search, and keep the panic
//! a search that has panicked:
//!     select      waits for the results of the playouts in flight, then is done
//!     update      counts them, and does nothing else
//!     report      unwinds with the panic (AnySearch::report, reports)
//! ```
//!
//! So the other searches of the driver go on, and the lanes run as if the search had ended.

use super::evaluator::Leaf;
use super::opened::OpenedNode;
use super::report::SearchCounts;
use super::result::{SearchResult, SearchView};
use super::saved::SavedSearch;
use super::search::{Request, Search, SearchControl, Work};
use super::trace::TracedSimulation;
use super::tree::Tree;
use tengen_go::{Move, RegisteredPanic, call_registered, catch_registered_panic};
use tengen_playout::Playout;

/// A search that calls registered code.
pub(super) struct Guarded<const W: usize> {
    /// None once registered code has panicked in it.
    search: Option<Box<dyn Search<W>>>,
    /// What the search is, if all of it is registered code.
    what: Option<&'static str>,
    /// The panic that ended the search, and the simulation whose leaf panicked: the greatest
    /// number, later than all leaves in flight, for a panic elsewhere in the search.
    panic: Option<(u64, RegisteredPanic)>,
    /// Playouts and evaluations that were requested and whose results are missing.
    missing: u64,
    work: Work,
    /// The tree that a view shows after a panic.
    nothing: Tree,
}

impl<const W: usize> Guarded<W> {
    /// Guards `search`, in which registered code is called. `what` is the search, if all of it is
    /// registered code.
    pub(super) fn new(search: Box<dyn Search<W>>, what: Option<&'static str>) -> Self {
        Self {
            what,
            panic: None,
            missing: 0,
            work: search.work(),
            search: Some(search),
            nothing: Tree::default(),
        }
    }

    /// The result of `call`; none if the search has panicked before, or panics in it.
    fn step<R>(&mut self, call: impl FnOnce(&mut dyn Search<W>) -> R) -> Option<R> {
        let (search, what) = (self.search.as_mut()?, self.what);
        let step = || match what {
            Some(what) => call_registered(|| what.to_owned(), || call(&mut **search)),
            None => call(&mut **search),
        };
        catch_registered_panic(step).map_err(|panic| self.end_by(u64::MAX, panic)).ok()
    }

    /// Drops the search, which `panic` has left half done. Of several panics the panic of the
    /// earliest simulation counts, in whatever order leaves are judged.
    fn end_by(&mut self, simulation: u64, panic: RegisteredPanic) {
        let search = self.search.take();
        // A registered search may panic again when it is dropped.
        let _ = catch_registered_panic(|| call_registered(String::new, || drop(search)));
        if self.panic.as_ref().is_none_or(|(earliest, _)| simulation < *earliest) {
            self.panic = Some((simulation, panic));
        }
    }
}

impl<const W: usize> SearchControl for Guarded<W> {
    fn failure(&self) -> Option<&RegisteredPanic> {
        self.panic.as_ref().map(|(_, panic)| panic)
    }

    fn bytes(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.bytes())
    }

    fn suspend_after(&mut self, simulations: u64) {
        self.step(|search| search.suspend_after(simulations));
    }

    fn is_done(&self) -> bool {
        self.search.as_ref().is_none_or(|search| search.is_done())
    }

    fn simulations(&self) -> u64 {
        self.search.as_ref().map_or(0, |search| search.simulations())
    }

    fn view(&self) -> SearchView<'_> {
        match &self.search {
            Some(search) => search.view(),
            None => SearchView {
                moves: Vec::new(),
                tree: &self.nothing,
                counts: SearchCounts::default(),
            },
        }
    }

    fn open(&mut self, path: &[Move]) -> Option<OpenedNode> {
        let opened = self.step(|search| search.open(path));
        match (opened, &self.panic) {
            // Only the caller can learn of the panic.
            (None, Some((_, panic))) => panic.clone().resume(),
            (opened, _) => opened.flatten(),
        }
    }

    fn trace(&mut self, simulation: u64) {
        self.step(|search| search.trace(simulation));
    }

    fn traced(&mut self) -> Option<TracedSimulation> {
        self.step(|search| search.traced()).flatten()
    }

    fn save(&mut self) -> Option<SavedSearch> {
        self.step(|search| search.save()).flatten()
    }

    fn report(self: Box<Self>) -> SearchResult {
        match (self.search, self.panic, self.what) {
            (_, Some((_, panic)), _) => panic.resume(),
            (Some(search), _, Some(what)) => {
                call_registered(|| what.to_owned(), || search.report())
            }
            (Some(search), ..) => search.report(),
            (None, ..) => SearchResult::default(),
        }
    }
}

impl<const W: usize> Search<W> for Guarded<W> {
    fn select(&mut self) -> Request<W> {
        match self.step(|search| search.select()) {
            Some(request @ (Request::Playout { .. } | Request::Evaluation { .. })) => {
                self.missing += 1;
                request
            }
            Some(request) => request,
            None if self.missing > 0 => Request::Wait,
            None => Request::Done,
        }
    }

    fn update(&mut self, simulation: u64, playout: &Playout<W>) {
        self.missing -= 1;
        self.step(|search| search.update(simulation, playout));
    }

    fn work(&self) -> Work {
        self.work.clone()
    }

    fn leaf(&self) -> Leaf {
        self.search.as_ref().expect("a search that requests an evaluation goes on").leaf()
    }

    fn take_evaluation(
        &mut self,
        simulation: u64,
        value: f32,
        weights: &[f32],
        playout: Option<&Playout<W>>,
    ) {
        self.missing -= 1;
        self.step(|search| search.take_evaluation(simulation, value, weights, playout));
    }

    fn fail(&mut self, simulation: u64, panic: RegisteredPanic) {
        self.missing -= 1;
        self.end_by(simulation, panic);
    }

    fn playouts_at_once(&self) -> usize {
        self.search.as_ref().map_or(1, |search| search.playouts_at_once())
    }
}
