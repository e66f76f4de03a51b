//! Minimax of depth two on the area score.

use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_go::{Bits, Board, Color, Game, History, Move, Rules, Size, Vertex, with_words};

/// Chooses a move by minimax of depth two: the move with the best area score after the opponent's
/// best reply.
///
/// Every legal move is tried, and every legal reply to it, passing included; a move that ends the
/// game has no reply. The player passes unless a play is better than passing. Ties go to the point
/// nearest the centre by Euclidean distance, and among equally near points to one drawn from
/// `random`.
///
/// Once `should_stop` returns true, no further plays are tried. It is called before each play;
/// trying a play takes milliseconds on a large board.
#[must_use]
pub fn choose(
    game: &Game,
    random: &mut Xoshiro256PlusPlus,
    should_stop: &dyn Fn() -> bool,
) -> Move {
    let values = with_words!(game.size(), W => values::<W>(game, should_stop));
    let Some(best) = values.plays.iter().map(|&(_, value)| value).max() else {
        return Move::Pass;
    };
    if best <= values.pass {
        return Move::Pass;
    }
    let size = game.size();
    let ties = values.plays.iter().filter(|&&(_, value)| value == best).map(|&(vertex, _)| vertex);
    let nearest = ties.clone().map(|vertex| from_centre(vertex, size)).min();
    let choice: Vec<Vertex> = ties.filter(|&v| Some(from_centre(v, size)) == nearest).collect();
    choice.choose(random).map_or(Move::Pass, |&vertex| Move::Play(vertex))
}

/// The minimax value of each move: the lead of the player to move, in half points,
/// after the opponent's best reply.
struct Values {
    plays: Vec<(Vertex, i32)>,
    pass: i32,
}

fn values<const W: usize>(game: &Game, should_stop: &dyn Fn() -> bool) -> Values {
    let board: Board<W> = game.board().repacked();
    let rules = game.rules();
    let mut history = game.history().clone();
    let player = game.to_play();
    let is_last = game.ply() + 1 >= rules.max_plies;
    let mut value = |mv: Move| {
        let mut after = board;
        after.play_unchecked(mv);
        if is_last || after.is_over() {
            return after.area_score().for_player(player);
        }
        history.push(mv, &after);
        let worst = worst_reply(&after, &history, rules, player);
        history.pop();
        worst
    };
    let plays = game.legal_points();
    let plays = plays.iter().take_while(|_| !should_stop()).map(Bits::<6>::vertex);
    Values {
        plays: plays.map(|vertex| (vertex, value(Move::Play(vertex)))).collect(),
        pass: value(Move::Pass),
    }
}

/// The least lead that `player` has after a reply on `board`.
fn worst_reply<const W: usize>(
    board: &Board<W>,
    history: &History,
    rules: Rules,
    player: Color,
) -> i32 {
    let replies = history.without_repeats(board, board.legal_points(rules));
    let after_reply = |index| {
        let mut after = *board;
        after.play_at(index);
        after.area_score().for_player(player)
    };
    let passed = board.area_score().for_player(player);
    replies.iter().map(after_reply).fold(passed, i32::min)
}

/// Four times the squared distance from the centre of the board.
fn from_centre(vertex: Vertex, size: Size) -> usize {
    let across = (2 * usize::from(vertex.col) + 1).abs_diff(size.width());
    let up = (2 * usize::from(vertex.row) + 1).abs_diff(size.height());
    across * across + up * up
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use tengen_go::{Komi, Preset};

    #[test]
    fn tries_no_move_once_it_should_stop() {
        let size = Size::square(5).unwrap();
        let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
        let asked = Cell::new(0);
        let should_stop = || asked.replace(asked.get() + 1) == 3;
        let values = with_words!(size, W => values::<W>(&game, &should_stop));
        assert_eq!((values.plays.len(), asked.get()), (3, 4));
    }
}
