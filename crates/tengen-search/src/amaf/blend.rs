//! How the mean of a move is blended with that of all-moves-as-first.

/// The blend at one node: (1 − β) m + β a for a move of mean m and mean a of
/// all-moves-as-first. A move without visits has a alone, one without visits of
/// all-moves-as-first m alone, and one without either `first_play`.
#[derive(Clone, Copy, Debug)]
pub struct Blend<'own> {
    /// The weight β.
    pub weight: Weight<'own>,
    /// The value of a move of which nothing is known.
    pub first_play: f32,
}

/// The weight β of all-moves-as-first, by [`Rave`](crate::select::Rave), which
/// names the formulas.
#[derive(Clone, Copy, Debug)]
pub enum Weight<'own> {
    /// The same for all moves.
    Equal(f32),
    /// β = ñ / (n + ñ + 4 b² n ñ), where ñ are the visits of all-moves-as-first.
    LeastError {
        /// 4 b².
        four_square_bias: f32,
        /// The visits n of each cell's move.
        own_visits: &'own [f32],
    },
}
