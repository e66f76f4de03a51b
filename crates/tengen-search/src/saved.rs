//! A saved search, which another process can resume later.

use super::config::UctConfig;
use super::report::SearchCounts;
use super::score_sum::ScoreSum;
use super::transpositions::Transpositions;
use super::tree::{Extras, Tree};
use super::uct::UctSearch;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tengen_go::Game;

/// A saved search: its tree, its counts and the state of its random numbers, without the position
/// and the settings. No leaf is in flight.
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
/// search.suspend_after(200);
/// let mut searches = driver::advance(size, vec![search], &|| false)?;
/// let saved = searches[0].save().ok_or("a search by UCT can be saved")?;
///
/// let bytes = serde_json::to_string(&saved)?;
/// let saved = serde_json::from_str(&bytes)?;
/// let resumed = root_parallel::resume_one(&game, &config, 500, saved).ok_or("other settings")?;
/// let results = driver::run(size, vec![resumed])?;
/// assert_eq!(results[0].counts.simulations, 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedSearch {
    tree: Tree,
    positions: Transpositions,
    seed: u64,
    random: Xoshiro256PlusPlus,
    counts: SearchCounts,
    scores: Vec<ScoreSum>,
    root_priors: Vec<f32>,
    root_draws: Vec<f64>,
    has_ended: bool,
}

impl SavedSearch {
    /// The columns of the saved tree; the settings that resume the search must need the same
    /// columns.
    #[must_use]
    pub const fn extras(&self) -> Extras {
        self.tree.extras()
    }
}

impl<const W: usize> UctSearch<W> {
    /// Takes back the simulations without a result, and returns what the search knows.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn saved(&mut self) -> SavedSearch {
        self.settle();
        SavedSearch {
            tree: self.tree.clone(),
            positions: self.positions.clone(),
            seed: self.seed,
            random: self.random.clone(),
            counts: self.counts,
            scores: self.scores.clone(),
            root_priors: self.root_priors.clone(),
            root_draws: self.root_draws.clone(),
            has_ended: self.has_ended,
        }
    }

    /// Resumes the `saved` search of the current position of `game` by `config`, with at most
    /// `budget` simulations, those already made included.
    ///
    /// # Panics
    /// If its tree does not have the columns that `config` needs.
    pub(super) fn resumed(
        game: &Game,
        config: &UctConfig,
        budget: u64,
        saved: SavedSearch,
    ) -> Self {
        let SavedSearch { tree, positions, seed, random, counts, scores, .. } = saved;
        let SavedSearch { root_priors, root_draws, has_ended, .. } = saved;
        // Begins without the saved tree: `new` would reset its numbers of positions.
        let mut search = Self::new(game, config, budget, seed, Tree::new(config.extras()));
        assert_eq!(tree.extras(), config.extras(), "the tree was made for another configuration");
        search.tree = tree;
        search.positions = positions;
        search.random = random;
        search.counts = counts;
        search.scores = scores;
        search.root_priors = root_priors;
        search.root_draws = root_draws;
        search.has_ended = has_ended;
        search
    }
}
