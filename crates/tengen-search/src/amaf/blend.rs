//! The blend of RAVE: the mean of a move with its mean of all-moves-as-first.

/// The blend at one node: (1 − β) m + β a for a move with mean m and
/// all-moves-as-first mean a.
///
/// A move without visits has a alone, one without visits of all-moves-as-first m alone,
/// and one without either `first_play`.
#[derive(Clone, Copy, Debug)]
pub struct Blend<'own> {
    /// The weight β.
    pub weight: Weight<'own>,
    /// The value of a move without visits of either kind.
    pub first_play: f32,
}

/// The weight β of all-moves-as-first. [`Rave`](crate::select::Rave) has the formulas.
#[derive(Clone, Copy, Debug)]
pub enum Weight<'own> {
    /// The same β for all moves of the node.
    Equal(f32),
    /// β = ñ / (n + ñ + 4 b² n ñ), where ñ are the visits of all-moves-as-first.
    LeastError {
        /// 4 b².
        four_square_bias: f32,
        /// The visits n of each cell's move.
        own_visits: &'own [f32],
    },
}
