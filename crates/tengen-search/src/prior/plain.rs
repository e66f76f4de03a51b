//! Priors that a program registers as plain code.

use super::{MovePriors, Scale};
use crate::tree::cell;
use tengen_go::{Bits, Board, Move, Vertex};

/// A prior as plain code: the values of all moves of a position.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Move, Size, Vertex};
/// use tengen_search::prior::{self, MovePrior, Recent};
/// use tengen_search::UctConfig;
///
/// /// Moves in the centre are better; for boards of 9×9.
/// struct Centre;
///
/// impl MovePrior for Centre {
///     fn values(&self, board: &Board<6>, _: Option<Move>, values: &mut [f32]) {
///         let size = board.size();
///         for vertex in Vertex::all(size) {
///             let distance = vertex.col.abs_diff(4).max(vertex.row.abs_diff(4));
///             values[size.number(vertex)] = 0.7 - 0.1 * f32::from(distance);
///         }
///     }
/// }
///
/// prior::register("centre", "1", |_| Ok(Centre))?;
/// let prior = "centre:20".parse()?;
/// let config = UctConfig { prior, prior_exploration: 0.0, ..UctConfig::default() };
/// let board = Board::<2>::new(Size::square(9)?);
/// let priors = config.prior.of(&board, Recent::default(), board.empty()).ok_or("no priors")?;
/// assert_eq!(priors.value("E5".parse()?), 0.7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MovePrior: Send + Sync {
    /// Writes to `values` the prior value of each move on `board`: the win rate, 0 to 1, that the
    /// player to move expects of the move. Points come in the order of
    /// [`Size::number`](tengen_go::Size::number), then the pass. All values are ½ before the call;
    /// values of illegal moves are not read. `last` is the opponent's last move, if known.
    ///
    /// Values are rounded to whole percent, 1 to 100, and `NaN` counts as 1. A formula that reads
    /// priors, such as PUCT, gets each legal move's share of the sum over all legal moves.
    fn values(&self, board: &Board<6>, last: Option<Move>, values: &mut [f32]);
}

/// The prior values of all moves on `board` by `prior`.
pub(super) fn priors<const W: usize>(
    prior: &dyn MovePrior,
    board: &Board<W>,
    last: Option<Move>,
) -> MovePriors<W> {
    let size = board.size();
    let mut values = vec![0.5; size.points() + 1];
    let board_of_six = board.repacked();
    prior.values(&board_of_six, last, &mut values);
    let mut bytes = [[0; 64]; W];
    let mut set = |mv: Move, value: f32| {
        let cell = cell::<W>(mv);
        #[allow(clippy::cast_possible_truncation)] // 1 to 100
        let percent = (100.0 * value).round().clamp(1.0, 100.0) as i16;
        bytes[cell / 64][cell % 64] = percent.max(1);
    };
    for index in Bits::<W>::board(size).iter() {
        let vertex: Vertex = Bits::<W>::vertex(index);
        set(Move::Play(vertex), values[size.number(vertex)]);
    }
    set(Move::Pass, values[size.points()]);
    MovePriors { bytes, scale: Scale::Percent }
}
