//! Heuristic prior values of moves: captures, escapes, atari, distance from the last
//! move and the like, from the stones on the board alone.

use super::MovePriors;
use tengen_go::{Bits, Board, Move, Size};

/// The terms of the prior value of a move, in percent: 50 plus those that apply, kept
/// within 5 to 95. Chosen by hand, after the values of such moves in michi and Pachi.
mod worth {
    pub const PASS: u8 = 10;
    /// Capture of one stone, and for each further stone up to four.
    pub const CAPTURE: i16 = 20;
    pub const CAPTURE_MORE: i16 = 5;
    /// An own chain in atari gets two liberties or more.
    pub const ESCAPE: i16 = 20;
    pub const GIVES_ATARI: i16 = 8;
    /// The chain of the new stone has one liberty.
    pub const SELF_ATARI: i16 = -25;
    /// The same for a single stone.
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
    let shape = Shape::new(board);
    let on_board = Bits::board(board.size());
    let (own, other) = (shape.own, shape.other);
    let mut move_priors = MovePriors { percents: [[50; 64]; W], pass: worth::PASS };
    let mut captures = Bits::EMPTY;
    for &(index, stones) in &shape.captures {
        captures |= Bits::point(index);
        let more = worth::CAPTURE_MORE * (stones.clamp(1, 4) as i16 - 1);
        move_priors.add(Bits::point(index), worth::CAPTURE + more);
    }
    let self_ataris = shape.self_ataris(captures);
    let lone = self_ataris - own.neighbors();
    move_priors.add(self_ataris - lone, worth::SELF_ATARI);
    move_priors.add(lone, worth::LONE_SELF_ATARI);
    move_priors.add(shape.rescues - self_ataris, worth::ESCAPE);
    move_priors.add(shape.ataris, worth::GIVES_ATARI);
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
    for percent in move_priors.percents.as_flattened_mut() {
        *percent = (*percent).clamp(5, 95);
    }
    move_priors
}

impl<const W: usize> MovePriors<W> {
    fn add(&mut self, points: Bits<W>, bonus: i16) {
        for index in points.iter() {
            self.percents[index / 64][index % 64] += bonus;
        }
    }
}

/// The points of a position where a play captures, escapes or gives atari.
struct Shape<const W: usize> {
    own: Bits<W>,
    other: Bits<W>,
    empty: Bits<W>,
    /// The last liberties of the opponent's chains in atari, each with the number of
    /// stones that a play there captures.
    captures: Vec<(usize, u32)>,
    /// The last liberties of own chains in atari.
    rescues: Bits<W>,
    /// The liberties of the opponent's chains with two liberties: a play gives atari.
    ataris: Bits<W>,
    /// The liberties of own chains with three liberties or more: a play leaves two.
    supported: Bits<W>,
}

impl<const W: usize> Shape<W> {
    fn new(board: &Board<W>) -> Self {
        let (own, other) = (board.stones(board.to_play()), board.stones(!board.to_play()));
        let empty = board.empty();
        let none = Bits::EMPTY;
        let captures = Vec::new();
        let mut shape =
            Self { own, other, empty, captures, rescues: none, ataris: none, supported: none };
        each_chain(other, |chain| {
            let liberties = chain.neighbors() & empty;
            match liberties.count() {
                1 => shape.add_capture(liberties.nth(0), chain.count()),
                2 => shape.ataris |= liberties,
                _ => {}
            }
        });
        each_chain(own, |chain| {
            let liberties = chain.neighbors() & empty;
            match liberties.count() {
                1 => shape.rescues |= liberties,
                2 => {}
                _ => shape.supported |= liberties,
            }
        });
        shape
    }

    fn add_capture(&mut self, index: usize, stones: u32) {
        match self.captures.iter_mut().find(|(at, _)| *at == index) {
            Some((_, all)) => *all += stones,
            None => self.captures.push((index, stones)),
        }
    }

    /// The points where a play captures nothing and its chain has at most one liberty.
    fn self_ataris(&self, captures: Bits<W>) -> Bits<W> {
        let empty = self.empty;
        let (west, east) = (empty.shifted_up(1), empty.shifted_down(1));
        let stride = Bits::<W>::STRIDE;
        let (south, north) = (empty.shifted_up(stride), empty.shifted_down(stride));
        let beside_two = (west & east) | (south & north) | ((west | east) & (south | north));
        let in_doubt = empty - captures - self.supported - beside_two;
        let joined = in_doubt & self.own.neighbors();
        let mut found = in_doubt - joined;
        for index in joined.iter() {
            let point = Bits::point(index);
            let chain = point.flood(self.own | point);
            if (chain.neighbors() & (empty - point)).count() <= 1 {
                found |= point;
            }
        }
        found
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

/// Calls `look` with each chain of `stones`.
fn each_chain<const W: usize>(stones: Bits<W>, mut look: impl FnMut(Bits<W>)) {
    let mut left = stones;
    while !left.is_empty() {
        let chain = Bits::point(left.nth(0)).flood(stones);
        left = left - chain;
        look(chain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use tengen_go::{Color, Komi, Preset, Rules, Vertex, with_words};
    use tengen_playout::scalar;

    fn value(rows: &str, mv: &str, last: Option<&str>) -> f64 {
        let board: Board<2> = Board::from_diagram(rows, Color::Black).unwrap();
        let priors = priors(&board, last.map(|last| last.parse().unwrap()));
        priors.value(mv.parse().unwrap())
    }

    fn rules(size: Size) -> Rules {
        Rules::new(Preset::Tengen, size, Komi::default())
    }

    const EMPTY: &str = "......./......./......./......./......./......./.......";

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn lines_and_distance() {
        assert_near(value(EMPTY, "D4", None), 0.5);
        assert_near(value(EMPTY, "A4", None), 0.3);
        assert_near(value(EMPTY, "B4", None), 0.45);
        assert_near(value(EMPTY, "pass", None), 0.1);
        for (last, bonus) in [("D5", 0.08), ("E5", 0.08), ("D6", 0.05), ("G4", 0.02), ("pass", 0.0)]
        {
            assert_near(value(EMPTY, "D4", Some(last)), 0.5 + bonus);
        }
    }

    #[test]
    fn captures_escapes_and_atari() {
        // Two stones fall, and White's other stones stay away.
        let two = "OO..../XXX.../....../....../....../......";
        let found = value(two, "C6", None);
        assert_near(found, 0.5 + 0.2 + 0.05 + 0.06);
        // A stone in atari gets three liberties and touches the other colour.
        let escape = "....../..O.../.OXO../....../....../......";
        assert_near(value(escape, "C3", None), 0.5 + 0.2 + 0.06);
        let gives = "....../..X.../.XO.../....../....../......";
        assert_near(value(gives, "C3", None), 0.5 + 0.08 + 0.06);
    }

    #[test]
    fn own_atari_and_false_eyes() {
        let single = ".O..../....../....../....../....../......";
        // A6 beside B6: one liberty, A5.
        assert!(value(single, "A6", None) < 0.5 - 0.14);
        let false_eye = "....../..XO../.X.X../..XO../....../......";
        assert_near(value(false_eye, "C4", None), 0.5 - 0.25 + 0.06);
    }

    /// The value by looking at one point after another.
    fn point_by_point<const W: usize>(
        board: &Board<W>,
        vertex: Vertex,
        last: Option<Vertex>,
    ) -> f64 {
        let (size, me) = (board.size(), board.to_play());
        let at = |vertex: Vertex| board.at(vertex);
        let around = |vertex: Vertex, lines: u8| {
            Vertex::all(size).filter(move |other| {
                let apart = |a: u8, b: u8| a.abs_diff(b);
                apart(vertex.col, other.col).max(apart(vertex.row, other.row)) <= lines
            })
        };
        let beside = |vertex: Vertex| {
            Vertex::all(size).filter(move |other| {
                vertex.col.abs_diff(other.col) + vertex.row.abs_diff(other.row) == 1
            })
        };
        let mut after = *board;
        let mv = after.play(Move::Play(vertex), rules(size));
        assert!(mv.is_ok(), "only legal moves are asked for");
        let fallen = Vertex::all(size).filter(|&v| at(v) == Some(!me) && after.at(v).is_none());
        let captured = u32::try_from(fallen.count()).unwrap();
        // Chains by their stones, as a set grown stone by stone.
        let chain = |board: &Board<W>, stone: Vertex| {
            let mut chain = vec![stone];
            let mut next = 0;
            while next < chain.len() {
                for other in beside(chain[next]) {
                    if board.at(other) == board.at(stone) && !chain.contains(&other) {
                        chain.push(other);
                    }
                }
                next += 1;
            }
            chain
        };
        let liberties = |board: &Board<W>, stone: Vertex| {
            let mut found: Vec<_> = chain(board, stone).into_iter().flat_map(beside).collect();
            found.retain(|&at| board.at(at).is_none());
            found.sort_by_key(|at| (at.row, at.col));
            found.dedup();
            found.len()
        };
        let next_to = |color, count: usize| {
            beside(vertex).any(|v| at(v) == Some(color) && liberties(board, v) == count)
        };
        let mut value = 0.5;
        if captured > 0 {
            value += 0.2 + 0.05 * f64::from(captured.min(4) - 1);
        }
        let is_lone = beside(vertex).all(|v| at(v) != Some(me));
        if captured == 0 && liberties(&after, vertex) <= 1 {
            value -= 0.25 * if is_lone { 0.6 } else { 1.0 };
        } else if next_to(me, 1) {
            value += 0.2;
        }
        if next_to(!me, 2) {
            value += 0.08;
        }
        for (lines, bonus) in [(1, 0.08), (2, 0.05), (3, 0.02)] {
            if last.is_some_and(|last| around(vertex, lines).any(|v| v == last)) {
                value += bonus;
                break;
            }
        }
        let touches = |color| around(vertex, 1).any(|v| at(v) == Some(color));
        if touches(me) && touches(!me) {
            value += 0.06;
        }
        if around(vertex, 2).all(|v| at(v).is_none()) {
            let (col, row) = (usize::from(vertex.col), usize::from(vertex.row));
            let line = col.min(row).min(size.width() - 1 - col).min(size.height() - 1 - row);
            value += [-0.2, -0.05].get(line).unwrap_or(&0.0);
        }
        if beside(vertex).all(|v| at(v) == Some(me)) {
            value -= 0.25;
        }
        value.clamp(0.05, 0.95)
    }

    #[test]
    fn agrees_with_looking_point_by_point() {
        for (width, height) in [(2, 3), (5, 5), (7, 7), (9, 9), (10, 8), (13, 13), (19, 19)] {
            let size = Size::new(width, height).unwrap();
            with_words!(size, W => {
                for seed in 0..6 {
                    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                    let mut board = Board::<W>::new(size);
                    let mut last = None;
                    for ply in 0..size.points() {
                        if ply % 7 == 3 {
                            let move_priors = priors(&board, last.map(Move::Play));
                            for index in board.legal_points(rules(size)).iter() {
                                let vertex = Bits::<W>::vertex(index);
                                let expected = point_by_point(&board, vertex, last);
                                let found = move_priors.value(Move::Play(vertex));
                                assert_near(found, expected);
                            }
                        }
                        let point = scalar::play_one(&mut board, &mut random);
                        if point.is_empty() {
                            break;
                        }
                        last = Some(Bits::<W>::vertex(point.nth(0)));
                    }
                }
            });
        }
    }
}
