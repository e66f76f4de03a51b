//! Time measurement of a driver: the seconds of each part of its searches.

use super::LaneSteps;
use crate::spent::{Part, Spent};
use std::ops::AddAssign;

/// The seconds that drives have spent in each part of their searches.
///
/// # Examples
/// ```
/// use tengen_go::{Game, Komi, Preset, Rules, Size};
/// use tengen_search::{UctConfig, driver, root_parallel};
///
/// let size = Size::square(5)?;
/// let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// let searches = root_parallel::begin(&game, &UctConfig::default(), 1, Vec::new());
/// let (_, seconds) = driver::run_watched(size, searches)?;
/// assert!(seconds.playouts > 0.0 && seconds.playouts < seconds.whole());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartSeconds {
    /// Selection: the way from the root to a leaf, with the preparation of its playout.
    pub selection: f64,
    /// Expansion: new nodes, and the statistics of moves that a node begins, without priors.
    pub expansion: f64,
    /// Priors.
    pub prior: f64,
    /// Playouts, with loading the lanes and scoring, and evaluations.
    pub playouts: f64,
    /// Steps of lanes without a game, made beside those that play one.
    pub waiting: f64,
    /// Update: backing results up.
    pub update: f64,
}

impl PartSeconds {
    /// The seconds of the time `spent`, while the lanes made `steps`.
    pub(super) fn new(spent: Spent, steps: LaneSteps) -> Self {
        let playouts = spent[Part::Playouts as usize];
        let waiting = playouts * steps.waiting_share();
        Self {
            selection: spent[Part::Selection as usize],
            expansion: spent[Part::Expansion as usize],
            prior: spent[Part::Prior as usize],
            playouts: playouts - waiting,
            waiting,
            update: spent[Part::Update as usize],
        }
    }

    /// The sum of all parts.
    #[must_use]
    pub fn whole(&self) -> f64 {
        let Self { selection, expansion, prior, playouts, waiting, update } = self;
        selection + expansion + prior + playouts + waiting + update
    }
}

impl AddAssign for PartSeconds {
    fn add_assign(&mut self, other: Self) {
        self.selection += other.selection;
        self.expansion += other.expansion;
        self.prior += other.prior;
        self.playouts += other.playouts;
        self.waiting += other.waiting;
        self.update += other.update;
    }
}
