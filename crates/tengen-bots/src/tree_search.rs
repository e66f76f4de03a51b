//! A search of a bot that is grown to a number of simulations, whose nodes are opened, and of which
//! one more simulation is traced.

use super::live::begin_analysis;
use super::{AnalysisError, BotConfig, BotFailure, MoveRequest, Searching};
use tengen_go::{Game, Move, Size};
use tengen_search::opened::OpenedNode;
use tengen_search::trace::TracedSimulation;
use tengen_search::{AnySearch, ResourceFault, driver};

/// Simulations between two checks of the memory.
const SLICE: u64 = 512;

/// The search of a bot's first worker, whose tree can be opened. After n simulations the tree
/// equals that of a new bot after n simulations of this worker.
///
/// # Examples
/// ```
/// use tengen_bots::{BotConfig, TreeSearch};
/// use tengen_go::{Game, Komi, Preset, Rules, Size};
///
/// let size = Size::square(5)?;
/// let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// let bot: BotConfig = "uct".parse()?;
/// let mut search = TreeSearch::begin(&bot, 1, &game)?;
/// search.grow(100, usize::MAX, &|| false)?;
/// let root = search.open(&[]).ok_or("no root")?;
/// assert_eq!(root.visits, 100);
/// let most_urgent = root.moves.iter().filter(|one| one.is_most_urgent);
/// let next = search.simulate(100)?.ok_or("no simulation")?;
/// assert!(most_urgent.map(|one| one.mv).any(|mv| mv == next.path[0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TreeSearch {
    /// The search; none once it was lost.
    search: Option<AnySearch>,
    size: Size,
    /// Simulations to which the search was grown.
    grown: u64,
    /// Simulations that may have begun before the result of one is backed up.
    in_flight: u64,
    /// Simulations from one leaf.
    of_leaf: u64,
}

/// Why a tree was not grown.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum TreeSearchError {
    /// The tree takes more memory than it may.
    #[error("the tree takes more than {0} MiB: ask for fewer simulations")]
    TooLarge(usize),
    /// The caller stopped the search.
    #[error("the search was stopped")]
    Stopped,
    /// The program lacks memory.
    #[error(transparent)]
    Failure(#[from] BotFailure),
}

impl From<ResourceFault> for TreeSearchError {
    fn from(fault: ResourceFault) -> Self {
        Self::Failure(fault.into())
    }
}

/// Simulations from one leaf.
fn of_leaf(config: &BotConfig) -> u64 {
    config.uct().map_or(1, |uct| uct.leaf_playouts.into())
}

impl TreeSearch {
    /// The simulations to which a search of `config` is grown before [`TreeSearch::simulate`] makes
    /// the simulation number `number`, from 0: all before the first one from the same leaf.
    #[must_use]
    pub fn grown_before(config: &BotConfig, number: u64) -> u64 {
        number - number % of_leaf(config)
    }

    /// Begins the search that a new bot of `config` makes for its move with the player seed `seed`
    /// in `game`, without its budget and a kept tree. Refuses a bot that makes no search that can
    /// be looked at.
    pub fn begin(config: &BotConfig, seed: u64, game: &Game) -> Result<Self, AnalysisError> {
        let MoveRequest::Searching(Searching { searches, .. }) =
            begin_analysis(config, seed, game, None)?.1
        else {
            return Err(AnalysisError::NoSearch(Box::new(config.clone())));
        };
        let in_flight = config.uct().map_or(1, |uct| uct.in_flight.into());
        let of_leaf = of_leaf(config);
        let search = searches.into_iter().next();
        Ok(Self { search, size: game.size(), grown: 0, in_flight, of_leaf })
    }

    /// Simulations to which the search was grown: it can be grown to as many or more.
    #[must_use]
    pub const fn grown(&self) -> u64 {
        self.grown
    }

    /// Memory of the search in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.bytes())
    }

    /// Grows the search to `simulations`, or until all is proved. After an error the search stands
    /// where it stopped.
    pub fn grow(
        &mut self,
        simulations: u64,
        most_bytes: usize,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<(), TreeSearchError> {
        while self.grown < simulations {
            if should_stop() {
                return Err(TreeSearchError::Stopped);
            }
            self.advance(simulations.min(self.grown + SLICE))?;
            if self.bytes() > most_bytes {
                return Err(TreeSearchError::TooLarge(most_bytes >> 20));
            }
        }
        Ok(())
    }

    fn advance(&mut self, simulations: u64) -> Result<(), TreeSearchError> {
        if let Some(mut search) = self.search.take() {
            search.suspend_after(simulations);
            self.search = driver::advance(self.size, vec![search], &|| false)?.pop();
        }
        self.grown = self.grown.max(simulations);
        Ok(())
    }

    /// The node after the moves `path`; none if it is not in the tree.
    #[must_use]
    pub fn open(&mut self, path: &[Move]) -> Option<OpenedNode> {
        self.search.as_mut()?.open(path)
    }

    /// Makes the simulation number `number`, from 0, of a search that was grown to
    /// [`TreeSearch::grown_before`] it, and the later ones that begin before its result is backed
    /// up. Returns its trace; none if the search is over before.
    pub fn simulate(&mut self, number: u64) -> Result<Option<TracedSimulation>, TreeSearchError> {
        let Some(search) = &mut self.search else { return Ok(None) };
        search.trace(number);
        self.advance(number - number % self.of_leaf + self.in_flight * self.of_leaf)?;
        Ok(self.search.as_mut().and_then(|search| search.traced()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::{Preset, Rules, default_komi};

    #[test]
    fn the_simulations_from_one_leaf_go_together() {
        let of = |bot: &str, number| TreeSearch::grown_before(&bot.parse().unwrap(), number);
        assert_eq!([of("uct", 7), of("uct:leaf_playouts=4", 7), of("random", 7)], [7, 4, 7]);
    }

    fn search(bot: &str) -> TreeSearch {
        let size = Size::square(5).unwrap();
        let game = Game::new(size, Rules::new(Preset::Tengen, size, default_komi(size)));
        TreeSearch::begin(&bot.parse().unwrap(), 3, &game).unwrap()
    }

    #[test]
    fn a_tree_is_the_same_however_it_grew() {
        for bot in ["uct", "uct:in_flight=3,leaf_playouts=2,rave=none,prior=none"] {
            let (mut at_once, mut in_steps) = (search(bot), search(bot));
            at_once.grow(600, usize::MAX, &|| false).unwrap();
            for simulations in [1, 7, 200] {
                in_steps.grow(simulations, usize::MAX, &|| false).unwrap();
                let root = in_steps.open(&[]).unwrap();
                let _ = in_steps.open(&root.variation);
            }
            let number = in_steps.grown();
            let number = number.next_multiple_of(in_steps.of_leaf);
            let traced = in_steps.simulate(number).unwrap().unwrap();
            assert_eq!(u64::from(traced.selections[0].visits), number);
            in_steps.grow(600, usize::MAX, &|| false).unwrap();
            assert_eq!(at_once.open(&[]), in_steps.open(&[]), "{bot}");
        }
    }

    #[test]
    fn growth_has_its_ends() {
        let mut small = search("uct");
        assert_eq!(small.grow(10_000, 1, &|| false), Err(TreeSearchError::TooLarge(0)));
        assert_eq!(small.grow(10_000, 1 << 30, &|| true), Err(TreeSearchError::Stopped));
        assert!(small.grown() < 10_000);
    }
}
