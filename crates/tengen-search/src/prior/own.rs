//! Priors that a program registers.

use super::{MovePriors, Prior, Scale, VISITS};
use crate::tree::cell;
use tengen_go::{Bits, Board, Move, Named, Registry, RegistryError, Vertex};

/// Prior values of moves of a researcher's own.
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
/// let config = UctConfig { prior: "centre:20".parse()?, ..UctConfig::default() };
/// let board = Board::<2>::new(Size::square(9)?);
/// let priors = config.prior.of(&board, Recent::default(), board.empty()).ok_or("no priors")?;
/// assert_eq!(priors.value("E5".parse()?), 0.7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MovePrior: Send + Sync {
    /// Writes the prior value of each move of the player to move on `board`: the win rate, 0 to 1, that
    /// this player expects of it. Points are in the order of [`Size::number`](tengen_go::Size::number); the
    /// pass is the last. All are ½ before the call, and those of illegal moves are not read. `last` is the
    /// opponent's last move, if known.
    ///
    /// Values are rounded to whole percent, 1 to 100, and `NaN` counts as 1. A formula that reads priors,
    /// as PUCT does, gets each one divided by the sum of all legal ones.
    fn values(&self, board: &Board<6>, last: Option<Move>, values: &mut [f32]);
}

/// The priors that this process has registered.
static REGISTERED: Registry<dyn MovePrior> =
    Registry::new("prior", &["none", "heuristic", "learned"]);

/// Registers a prior under `name` in `version`: from now on `NAME:VISITS`, or `NAME:PARAMETERS:VISITS`,
/// is a value of the setting `prior`. `make` makes the prior from the parameters, empty if there are
/// none; its error is shown to the user.
///
/// # Errors
/// If the name cannot be registered ([`Registry::register`]).
pub fn register<P: MovePrior + 'static>(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<P, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    let make = move |parameters: &str| Ok(Box::new(make(parameters)?) as Box<dyn MovePrior>);
    REGISTERED.register(name, version, make)
}

/// Reads `NAME:VISITS` or `NAME:PARAMETERS:VISITS`.
///
/// # Errors
/// What is expected.
pub(super) fn parse(text: &str) -> Result<Prior, String> {
    let Some((own, visits)) = text.rsplit_once(':') else { return Err(expected()) };
    let Some(prior) = REGISTERED.get(own)? else { return Err(expected()) };
    let visits = visits.parse().ok().filter(|visits| VISITS.contains(visits));
    Ok(Prior::Own { prior, visits: visits.ok_or_else(expected)? })
}

/// What may be written as a prior.
pub(super) fn expected() -> String {
    let texts = ["none", "heuristic:VISITS", "learned:FILE:EVEN:WEIGHT"];
    let numbers = format!("the numbers from {} to {}", VISITS.start(), VISITS.end());
    format!("{}, {numbers}", REGISTERED.expected(&texts, ":VISITS"))
}

/// The prior values of all moves on `board` by `prior`.
pub(super) fn priors<const W: usize>(
    prior: Named<dyn MovePrior>,
    board: &Board<W>,
    last: Option<Move>,
) -> MovePriors<W> {
    let size = board.size();
    let mut values = vec![0.5; size.points() + 1];
    let board_of_six = board.repacked();
    prior.call(|prior| prior.values(&board_of_six, last, &mut values));
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
