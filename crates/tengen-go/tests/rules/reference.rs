//! A slow twin of the rules, written from their wording and differently from
//! the program: stones in a map by coordinates, chains by recursion, whole
//! positions instead of hashes, no bits and no incremental values. It shares
//! with the program only the names of things (`Color`, `Move`, `Rules`, …).

#![allow(dead_code)] // every test file uses its own part

use std::collections::{BTreeMap, BTreeSet};
use tengen_go::{Board, Color, Size, Vertex};

/// Column and row, both from 0.
pub type Point = (i32, i32);
/// What lies on the board.
pub type Stones = BTreeMap<Point, Color>;

pub fn vertex((col, row): Point) -> Vertex {
    Vertex::new(u8::try_from(col).unwrap(), u8::try_from(row).unwrap())
}

pub fn point(vertex: Vertex) -> Point {
    (vertex.col.into(), vertex.row.into())
}

/// A position and what simple ko has to know of the ply before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub width: i32,
    pub height: i32,
    pub stones: Stones,
    pub to_play: Color,
    /// The stones before the opponent's last play; none after a pass, or if
    /// the turn was changed.
    pub before: Option<Stones>,
    pub passes: u32,
}

/// What a play leads to.
pub struct Outcome {
    pub stones: Stones,
    pub captured: usize,
    /// Own stones that were taken off, the new one included.
    pub lost: usize,
}

impl Position {
    pub fn empty(size: Size, to_play: Color) -> Self {
        Self {
            width: i32::try_from(size.width()).unwrap(),
            height: i32::try_from(size.height()).unwrap(),
            stones: Stones::new(),
            to_play,
            before: None,
            passes: 0,
        }
    }

    /// The position of `board`, but for its ko.
    pub fn of<const W: usize>(board: &Board<W>) -> Self {
        let mut position = Self::empty(board.size(), board.to_play());
        position.passes = board.passes().into();
        for at in position.points() {
            if let Some(color) = board.at(vertex(at)) {
                position.stones.insert(at, color);
            }
        }
        position
    }

    /// Every point, lowest row first.
    pub fn points(&self) -> Vec<Point> {
        (0..self.height).flat_map(|row| (0..self.width).map(move |col| (col, row))).collect()
    }

    pub fn holds(&self, (col, row): Point) -> bool {
        (0..self.width).contains(&col) && (0..self.height).contains(&row)
    }

    fn at_offsets(
        &self,
        (col, row): Point,
        offsets: [Point; 4],
    ) -> impl Iterator<Item = Point> + use<'_> {
        let there = offsets.map(|(right, up)| (col + right, row + up));
        there.into_iter().filter(|&other| self.holds(other))
    }

    pub fn neighbors(&self, at: Point) -> impl Iterator<Item = Point> + use<'_> {
        self.at_offsets(at, [(1, 0), (-1, 0), (0, 1), (0, -1)])
    }

    pub fn diagonals(&self, at: Point) -> impl Iterator<Item = Point> + use<'_> {
        self.at_offsets(at, [(1, 1), (-1, 1), (1, -1), (-1, -1)])
    }

    /// Adds to `found` all that is connected to `at` through points that hold
    /// the same: a chain, or a region of empty points.
    fn connect(&self, stones: &Stones, at: Point, found: &mut BTreeSet<Point>) {
        if found.insert(at) {
            let same = stones.get(&at);
            for next in self.neighbors(at) {
                if !found.contains(&next) && stones.get(&next) == same {
                    self.connect(stones, next, found);
                }
            }
        }
    }

    pub fn chain(&self, stones: &Stones, at: Point) -> BTreeSet<Point> {
        let mut found = BTreeSet::new();
        self.connect(stones, at, &mut found);
        found
    }

    fn has_liberty(&self, stones: &Stones, chain: &BTreeSet<Point>) -> bool {
        chain.iter().any(|&at| self.neighbors(at).any(|near| !stones.contains_key(&near)))
    }

    /// What a stone of the player to move on the empty point `at` leads to.
    pub fn outcome(&self, at: Point) -> Outcome {
        let mut stones = self.stones.clone();
        stones.insert(at, self.to_play);
        let mut remove_if_dead = |near: Point, owner: Color| {
            if stones.get(&near) != Some(&owner) {
                return 0;
            }
            let chain = self.chain(&stones, near);
            if self.has_liberty(&stones, &chain) {
                return 0;
            }
            for stone in &chain {
                stones.remove(stone);
            }
            chain.len()
        };
        let captured = self.neighbors(at).map(|near| remove_if_dead(near, !self.to_play)).sum();
        let lost = remove_if_dead(at, self.to_play);
        Outcome { stones, captured, lost }
    }

    /// The point that the player to move may not take back: where a capture
    /// would bring back the stones before the opponent's play.
    pub fn ko(&self) -> Option<Point> {
        let before = self.before.as_ref()?;
        let mut gone = before.keys().filter(|at| !self.stones.contains_key(at));
        let (&at, None) = (gone.next()?, gone.next()) else {
            return None;
        };
        let outcome = self.outcome(at);
        (outcome.captured > 0 && outcome.stones == *before).then_some(at)
    }

    pub fn pass(&mut self) {
        self.passes += 1;
        self.before = None;
        self.to_play = !self.to_play;
    }

    pub fn play(&mut self, at: Point) {
        let after = self.outcome(at).stones;
        self.before = Some(std::mem::replace(&mut self.stones, after));
        self.passes = 0;
        self.to_play = !self.to_play;
    }

    pub fn turn_to(&mut self, color: Color) {
        if self.to_play != color {
            self.to_play = color;
            self.before = None;
            self.passes = 0;
        }
    }

    /// Whether an empty point has own stones on all sides.
    pub fn is_surrounded(&self, at: Point) -> bool {
        let own = |near: Point| self.stones.get(&near) == Some(&self.to_play);
        !self.stones.contains_key(&at) && self.neighbors(at).all(own)
    }

    /// The eye of the player to move: surrounded, and of the opposing diagonal
    /// points plus one at the edge fewer than two.
    pub fn is_eye(&self, at: Point) -> bool {
        if !self.is_surrounded(at) {
            return false;
        }
        let diagonals: Vec<Point> = self.diagonals(at).collect();
        let opposing = |near: &&Point| self.stones.get(near) == Some(&!self.to_play);
        let at_edge = diagonals.len() < 4;
        diagonals.iter().filter(opposing).count() + usize::from(at_edge) < 2
    }

    pub fn eyes(&self) -> BTreeSet<Point> {
        self.points().into_iter().filter(|&at| self.is_eye(at)).collect()
    }

    /// Black's area minus White's, region by region.
    pub fn area(&self) -> i32 {
        let sign = |color: &Color| if *color == Color::Black { 1 } else { -1 };
        let mut left: BTreeSet<Point> =
            self.points().into_iter().filter(|at| !self.stones.contains_key(at)).collect();
        let mut total = self.stones.values().map(sign).sum();
        while let Some(&at) = left.first() {
            let region = self.chain(&self.stones, at);
            let borders: BTreeSet<Color> = region
                .iter()
                .flat_map(|&inside| self.neighbors(inside))
                .filter_map(|near| self.stones.get(&near).copied())
                .collect();
            if let (Some(color), 1) = (borders.first(), borders.len()) {
                total += sign(color) * i32::try_from(region.len()).unwrap();
            }
            left.retain(|point| !region.contains(point));
        }
        total
    }

    /// Whether a play on the empty point `at` takes off own stones.
    fn is_suicide(&self, at: Point) -> bool {
        // A look that saves most of the time: an empty neighbour is a liberty.
        self.neighbors(at).all(|near| self.stones.contains_key(&near)) && self.outcome(at).lost > 0
    }

    /// What a playout draws from before it asks for suicide, in row order.
    fn playout_candidates(&self) -> Vec<Point> {
        let ko = self.ko();
        let candidate =
            |&at: &Point| !self.stones.contains_key(&at) && Some(at) != ko && !self.is_eye(at);
        self.points().into_iter().filter(candidate).collect()
    }

    /// The opponent's stones that are seen to be in chains with two liberties:
    /// those beside two empty points, and what three steps, each one along a
    /// row and then one along a column, reach from them through such stones.
    fn seen_safe(&self) -> BTreeSet<Point> {
        let opposing = |at: &Point| self.stones.get(at) == Some(&!self.to_play);
        let empty = |at: &Point| !self.stones.contains_key(at);
        let beside_two = |at: &Point| self.neighbors(*at).filter(empty).count() >= 2;
        let mut safe: BTreeSet<Point> =
            self.points().into_iter().filter(|at| opposing(at) && beside_two(at)).collect();
        for _ in 0..3 {
            for along_row in [true, false] {
                let reached: Vec<Point> = safe
                    .iter()
                    .flat_map(|&at| self.neighbors(at).map(move |near| (at, near)))
                    .filter(|(at, near)| (at.1 == near.1) == along_row && opposing(near))
                    .map(|(_, near)| near)
                    .collect();
                safe.extend(reached);
            }
        }
        safe
    }

    /// One ply as the program's documentation promises it, draw by draw: `draw`
    /// numbers one of so many candidates, which are in row order or on large
    /// boards in six classes, evident suicides are none, and any
    /// other suicide is struck off; a pass is drawn for as well.
    pub fn playout_ply_by_attempts(
        &mut self,
        draw: &mut impl FnMut(usize) -> usize,
    ) -> Option<Point> {
        let safe = self.seen_safe();
        let evident = |at: &Point| self.neighbors(*at).all(|near| safe.contains(&near));
        let mut candidates = self.playout_candidates();
        candidates.retain(|at| !evident(at));
        if self.width > 13 || self.height > 13 {
            candidates.sort_by_key(|(col, row)| (20 * row + col) % 6);
        }
        loop {
            let number = draw(candidates.len());
            if candidates.is_empty() {
                self.pass();
                return None;
            }
            let at = candidates.remove(number);
            if !self.is_suicide(at) {
                self.play(at);
                return Some(at);
            }
        }
    }
}

/// Pearson's χ² as a deviate of the normal distribution (Wilson and Hilferty, "The
/// distribution of chi-square", 1931): above 4 counts are not what was expected, below -4
/// they are too even to be random.
pub fn chi_square_deviate(chi_square: f64, freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// A small generator of its own (Knuth's MMIX constants), so that a fault in
/// the program's is not repeated here.
pub struct Lcg(u64);

impl Lcg {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed ^ 0x5DEE_CE66_D1CE_4E5B);
        for _ in 0..4 {
            random.below(2);
        }
        random
    }

    /// A number below `count`, which is far below 2³¹.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(((self.0 >> 33) * count as u64) >> 31).unwrap()
    }
}
