//! Perft: the number of legal move sequences, the usual test of a rules engine.

use super::bits::Bits;
use super::board::Board;
use super::history::History;
use super::rules::Rules;
use super::vertex::Move;
use crate::with_words;

/// The number of legal sequences of exactly `depth` plies from `start`, before which there was no
/// position. Passes are included; nothing follows two passes in a row. The limit of plies is
/// ignored.
#[must_use]
pub fn perft(start: &Board<6>, rules: Rules, depth: u32) -> u64 {
    with_words!(start.size(), W => {
        let board: Board<W> = start.repacked();
        sequences(&board, &mut History::new(rules.ko, &board), rules, depth)
    })
}

/// As [`perft`]. `history` holds the earlier positions and `board`; it is unchanged afterwards.
fn sequences<const W: usize>(
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
        let count = sequences(&after, history, rules, depth - 1);
        history.pop();
        count
    };
    plays.map(&mut below).sum::<u64>() + below(Move::Pass)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Ko, Komi, Preset};

    #[test]
    fn the_number_of_words_does_not_matter() {
        for (rows, depth) in [(".X.O/X.XO/.XOO/...O", 5), ("....../.XO.../..XO../......", 3)] {
            let start = Board::<6>::from_diagram(rows, Color::Black).unwrap();
            for ko in [Ko::Simple, Ko::Psk, Ko::Ssk] {
                let rules =
                    Rules { ko, ..Rules::new(Preset::Tengen, start.size(), Komi::default()) };
                let in_six = sequences(&start, &mut History::new(ko, &start), rules, depth);
                assert_eq!(perft(&start, rules, depth), in_six, "{rows} {ko}");
            }
        }
    }
}
