//! A position as planes of numbers, as a network sees it.

use tengen_go::{Bits, Board, Color, Komi, Move};

/// The number of planes of [`write_planes`].
pub const PLANES: usize = 6;

/// Writes [`PLANES`] planes of a position, as [`Leaf::write_planes`](super::Leaf::write_planes)
/// describes them. `legal` are the points that the player to move may play, `recent` the last move
/// and the move before it.
///
/// # Panics
/// If `planes` does not have as many values as that many boards have points.
pub fn write_planes<const W: usize>(
    board: &Board<W>,
    legal: Bits<W>,
    recent: [Option<Move>; 2],
    komi: Komi,
    planes: &mut [f32],
) {
    let size = board.size();
    let points = size.points();
    assert_eq!(planes.len(), PLANES * points, "the values of all planes");
    let player = board.to_play();
    let sets = [board.stones(player), board.stones(!player), legal];
    for (plane, set) in planes.chunks_exact_mut(points).zip(sets) {
        write_bits(set.numbered(size), plane);
    }
    planes[3 * points..5 * points].fill(0.0);
    for (plane, mv) in planes[3 * points..].chunks_exact_mut(points).zip(recent) {
        if let Some(Move::Play(vertex)) = mv {
            plane[size.number(vertex)] = 1.0;
        }
    }
    planes[5 * points..].fill(own_komi(komi, player) / 20.0);
}

/// Komi from the view of `player`: positive for White.
pub(super) fn own_komi(komi: Komi, player: Color) -> f32 {
    #[allow(clippy::cast_possible_truncation)] // a multiple of ½
    let komi = f64::from(komi) as f32;
    if player == Color::White { komi } else { -komi }
}

/// Writes the lowest bits of `words` as 0 and 1, as many as `values` has room for.
#[inline]
pub(crate) fn write_bits(words: [u64; 6], values: &mut [f32]) {
    /// The values of four bits, by the number that the bits form.
    const FOUR: [[f32; 4]; 16] = {
        let mut all = [[0.0; 4]; 16];
        let mut bit = 0;
        while bit < 64 {
            all[bit / 4][bit % 4] = ((bit / 4) >> (bit % 4) & 1) as f32;
            bit += 1;
        }
        all
    };
    let four = |number: usize| &FOUR[(words[number / 16] >> (number % 16 * 4) & 15) as usize];
    let (groups, rest) = values.as_chunks_mut::<4>();
    let full = groups.len();
    for (number, group) in groups.iter_mut().enumerate() {
        *group = *four(number);
    }
    if !rest.is_empty() {
        rest.copy_from_slice(&four(full)[..rest.len()]);
    }
}
