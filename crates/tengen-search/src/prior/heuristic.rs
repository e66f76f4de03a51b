//! Heuristic prior values of moves: captures, escapes, atari, distance from the last
//! move and the like, from the stones on the board alone.

use super::{MovePriors, Scale};
use crate::tree::cell;
use tengen_go::{Bits, Board, Move, Size};
use tengen_learn::Tactics;

/// The terms of the prior value of a move, in percent: 50 plus the terms that apply, clamped to 5
/// to 95; the pass has 10. Chosen by hand, after the values of such moves in michi and Pachi.
mod worth {
    pub const PASS: i16 = 10;
    /// Capture of one stone, and for each further stone up to four.
    pub const CAPTURE: i16 = 20;
    pub const CAPTURE_MORE: i16 = 5;
    /// An own chain in atari gets two liberties or more.
    pub const ESCAPE: i16 = 20;
    pub const GIVES_ATARI: i16 = 8;
    /// The chain of the new stone has one liberty.
    pub const SELF_ATARI: i16 = -25;
    /// The new stone alone, with one liberty.
    pub const LONE_SELF_ATARI: i16 = -15;
    /// Within one, two and three lines of the move before.
    pub const NEAR: [i16; 3] = [8, 5, 2];
    /// On the first and the second line with no stone within two lines.
    pub const LONELY_EDGE: [i16; 2] = [-20, -5];
    /// Stones of both colours on the eight points around it, as in a hane or a cut.
    pub const CONTACT: i16 = 6;
    /// All neighbours are own stones: the move fills a false eye.
    pub const FALSE_EYE: i16 = -25;
}

/// The prior values of all moves on `board`. `last` is the opponent's last move, if known.
///
/// They are computed once per node, in less than a microsecond on 9×9: each chain is
/// visited once, and each term is added for a set of points.
pub fn priors<const W: usize>(board: &Board<W>, last: Option<Move>) -> MovePriors<W> {
    let tactics = Tactics::new(board, last);
    let on_board = Bits::board(board.size());
    let (own, other) = (tactics.own, tactics.other);
    let mut move_priors = MovePriors { bytes: [[50; 64]; W], scale: Scale::Percent };
    move_priors.add(tactics.captures[0], worth::CAPTURE);
    for more in &tactics.captures[1..] {
        move_priors.add(*more, worth::CAPTURE_MORE);
    }
    let lone = tactics.lone_self_ataris();
    move_priors.add(tactics.self_ataris - lone, worth::SELF_ATARI);
    move_priors.add(lone, worth::LONE_SELF_ATARI);
    move_priors.add(tactics.escapes(), worth::ESCAPE);
    move_priors.add(tactics.ataris, worth::GIVES_ATARI);
    if let Some(Move::Play(last)) = last {
        let mut nearer = Bits::EMPTY;
        for (lines, bonus) in (1..).zip(worth::NEAR) {
            let near = within(Bits::point(Bits::<W>::index(last)), lines, on_board);
            move_priors.add(near - nearer, bonus);
            nearer = near;
        }
    }
    move_priors.add(within(own, 1, on_board) & within(other, 1, on_board), worth::CONTACT);
    let lonely = on_board - within(own | other, 2, on_board);
    for (line, malus) in lines(board.size()).into_iter().zip(worth::LONELY_EDGE) {
        move_priors.add(lonely & line, malus);
    }
    move_priors.add(on_board - (on_board - own).neighbors(), worth::FALSE_EYE);
    for percent in move_priors.bytes.as_flattened_mut() {
        *percent = (*percent).clamp(5, 95);
    }
    let pass = cell::<W>(Move::Pass);
    move_priors.bytes[pass / 64][pass % 64] = worth::PASS;
    move_priors
}

impl<const W: usize> MovePriors<W> {
    fn add(&mut self, points: Bits<W>, bonus: i16) {
        for index in points.iter() {
            self.bytes[index / 64][index % 64] += bonus;
        }
    }
}

/// The points of the board at most `lines` lines away from `points`, which are
/// included; a diagonal step counts as one.
fn within<const W: usize>(points: Bits<W>, lines: usize, on_board: Bits<W>) -> Bits<W> {
    let mut reached = points;
    for _ in 0..lines {
        let along = reached | reached.shifted_up(1) | reached.shifted_down(1);
        let across = along.shifted_up(Bits::<W>::STRIDE) | along.shifted_down(Bits::<W>::STRIDE);
        reached = (along | across) & on_board;
    }
    reached
}

/// The points of the first and of the second line.
fn lines<const W: usize>(size: Size) -> [Bits<W>; 2] {
    let first = Bits::edge(size);
    [first, within(first, 1, Bits::board(size)) - first]
}
