//! Evaluators: they judge the leaves of searches in place of playouts, as a network does.
//!
//! ```text
//! search: selects a leaf, and requests its evaluation
//! driver: gathers the leaves of many searches until a batch is full or no search can go on,
//!         calls the evaluator once, and hands each search its results
//! search: the node gets the priors of its moves; the value is backed up
//! ```
//!
//! An [`Evaluator`] is registered by name ([`register`]), and then is a value of the setting
//! `evaluator` of `uct`. `playouts` is built in: it judges a leaf by a uniform playout.

mod named;
mod plane_set;
mod planes;
mod playouts;
mod time_limited;

pub use named::{
    EvaluatorError, MakeEvaluator, NamedEvaluator, register, register_named, registered, unregister,
};
pub use plane_set::PlaneSet;
pub(super) use planes::write_bits;
pub use planes::{PLANES, write_planes};

use tengen_go::{Bits, Board, Komi, Move, Score, Size};
use tengen_playout::Job;

/// Number of past moves that an evaluator sees, and maximum number of positions that it can see,
/// the leaf's included.
pub const RECENT: usize = 8;

/// A position to be evaluated.
///
/// # Examples
/// ```
/// use tengen_go::{Game, Komi, Preset, Rules, Size};
/// use tengen_search::evaluator::{Leaf, RECENT};
///
/// let size = Size::square(5)?;
/// let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// let (board, legal, komi) = (*game.board(), game.sensible_points(), game.rules().komi);
/// let leaf = Leaf { board, legal, recent: [None; RECENT], before: Vec::new(), komi, seed: 1 };
/// let mut planes = vec![0.0; Leaf::plane_values(size)];
/// leaf.write_planes(&mut planes);
/// let legal = &planes[2 * size.points()..3 * size.points()];
/// assert_eq!(legal, [1.0; 25]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The position; [`Board::to_play`] is the player whose result is expected.
    pub board: Board<6>,
    /// The points that the player to move may play, superko considered; the pass is always legal.
    /// Own eyes are among them with the setting `own_eyes` only.
    pub legal: Bits<6>,
    /// The moves that led to the position, the last one first; none where the game began later.
    pub recent: [Option<Move>; RECENT],
    /// The positions before this one, the newest first: as many as the evaluator
    /// [asks for](NamedEvaluator::with_positions), fewer where the game began later.
    pub before: Vec<Board<6>>,
    /// The komi of the game.
    pub komi: Komi,
    /// The seed of the simulation, and of the leaf's playout if it has one. An evaluator draws
    /// random numbers from this seed alone, so that the search is repeatable.
    pub seed: u64,
}

impl Leaf {
    /// The number of values that [`Leaf::write_planes`] writes for a board of `size`.
    #[must_use]
    pub const fn plane_values(size: Size) -> usize {
        PLANES * size.points()
    }

    /// Writes [`PLANES`] planes of height × width values, 0 or 1 but for the last one: the stones
    /// of the player to move, those of the opponent, the legal points, the last move and the move
    /// before it, and komi from the view of the player to move divided by 20 at every point. Points
    /// are in the order of [`Size::number`].
    ///
    /// # Panics
    /// If `planes` does not have [`Leaf::plane_values`] values.
    pub fn write_planes(&self, planes: &mut [f32]) {
        let recent = [self.recent[0], self.recent[1]];
        write_planes(&self.board, self.legal, recent, self.komi, planes);
    }

    /// The playout from the leaf, with its seed; `W` is the number of words of the board.
    #[must_use]
    pub fn playout<const W: usize>(&self) -> Job<W> {
        Job { start: self.board.repacked(), seed: self.seed }
    }

    /// The result of the player to move where the game ends with `score` on the board: 1 for a win,
    /// ½ for jigo, 0 for a loss.
    #[must_use]
    pub fn result(&self, score: Score) -> f32 {
        match (score - self.komi).winner() {
            None => 0.5,
            Some(winner) => f32::from(u8::from(winner == self.board.to_play())),
        }
    }

    /// Komi from the view of the player to move: positive for White.
    #[must_use]
    pub fn own_komi(&self) -> f32 {
        planes::own_komi(self.komi, self.board.to_play())
    }
}

/// Leaves to be evaluated, and the places for their results.
#[derive(Debug)]
pub struct Batch<'a> {
    /// The size of all boards.
    pub size: Size,
    /// The leaves.
    pub leaves: &'a [Leaf],
    /// For each leaf the expected result of the player to move with komi, 0 for a loss to 1 for a
    /// win. `NaN` before the call: each value must be written.
    pub values: &'a mut [f32],
    /// For each leaf points + 1 weights, one leaf after the other: the weights of the points, in
    /// the order of [`Size::number`], then of the pass. Each is at least 0, as after a softmax
    /// (logits must be exponentiated first). The search takes each legal move's share of the sum of
    /// all legal moves as its prior. All 1 before the call; empty for an evaluator [without
    /// priors](NamedEvaluator::without_priors).
    pub priors: &'a mut [f32],
}

/// Judges positions in place of a playout. Each thread of a run has its own evaluator. A function
/// that takes a [`Batch`] is an evaluator.
///
/// The result for a leaf must not depend on the other leaves of the batch, nor on earlier calls:
/// then a search is a function of its position, configuration, seed and evaluator. An evaluator
/// draws all its random numbers from [`Leaf::seed`].
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color, Game, Komi, Preset, Rules};
/// use tengen_search::evaluator::{Batch, register, registered};
/// use tengen_search::{UctConfig, driver, root_parallel};
///
/// fn area(batch: Batch<'_>) -> Result<(), String> {
///     for (leaf, value) in batch.leaves.iter().zip(batch.values) {
///         let lead = (leaf.board.area_score() - leaf.komi).for_player(leaf.board.to_play());
///         *value = (0.5 + lead as f32 / 100.0).clamp(0.0, 1.0);
///     }
///     Ok(())
/// }
///
/// register("area", "1", |_| Ok(area))?;
/// let config = UctConfig::with_evaluator(registered("area")?);
///
/// let board = Board::from_diagram("...../XXX../OOX../.OX../.X...", Color::Black)?;
/// let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
/// let game = Game::from_position(board, rules);
/// let searches = root_parallel::begin(&game, &config, 1, Vec::new());
/// let results = driver::run(game.size(), searches)?;
/// let (report, _) = root_parallel::report(&game, results, 0.0);
/// assert_eq!((report.counts.simulations, report.moves[0].mv.to_string()), (1_000, "A2".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluator: Send {
    /// The maximum number of leaves of a batch.
    fn batch(&self) -> usize {
        64
    }

    /// Evaluates the leaves of `batch`, 1 to [`Evaluator::batch`].
    ///
    /// # Errors
    /// A sentence for people, where the evaluator cannot.
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String>;
}

impl<F: FnMut(Batch<'_>) -> Result<(), String> + Send> Evaluator for F {
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        self(batch)
    }
}

#[cfg(test)]
mod tests;
