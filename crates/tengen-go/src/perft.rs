//! Perft: the number of legal move sequences, the usual test of a rules engine.

use super::bits::Bits;
use super::board::Board;
use super::history::History;
use super::rules::Rules;
use super::vertex::Move;

/// The number of legal sequences of exactly `depth` plies from `board`, passes
/// included; nothing follows two passes in a row. The limit of plies is
/// ignored.
///
/// `history` must hold the earlier positions and `board`; it is unchanged afterwards.
#[must_use]
pub fn perft<const W: usize>(
    board: &Board<W>,
    history: &mut History,
    rules: Rules,
    depth: u32,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    if board.is_over() {
        return 0;
    }
    let points = history.without_repeats(board, board.legal_points(rules));
    if depth == 1 {
        return u64::from(points.count()) + 1;
    }
    let plays = points.iter().map(|index| Move::Play(Bits::<W>::vertex(index)));
    let mut below = |mv: Move| {
        let mut after = *board;
        after.play_unchecked(mv);
        history.push(mv, &after);
        let count = perft(&after, history, rules, depth - 1);
        history.pop();
        count
    };
    plays.map(&mut below).sum::<u64>() + below(Move::Pass)
}
