//! Playouts against a slow twin that is written with sets of vertices, lists
//! the legal moves and draws one of them.

use std::collections::BTreeSet;
use tengen::go::{Board, Color, Size, Vertex, default_komi, with_words};
use tengen::playout::lanes::{Lanes, Ticket};
use tengen::playout::{Isa, Job};
use tengen::seed::{mix, split_mix};

/// A position: a colour or nothing at every vertex.
struct Twin {
    side: u8,
    points: Vec<Option<Color>>,
    ko: Option<Vertex>,
}

impl Twin {
    fn at(&self, v: Vertex) -> Option<Color> {
        self.points[usize::from(v.row) * usize::from(self.side) + usize::from(v.col)]
    }

    fn set(&mut self, v: Vertex, point: Option<Color>) {
        self.points[usize::from(v.row) * usize::from(self.side) + usize::from(v.col)] = point;
    }

    fn around(&self, v: Vertex, steps: [(i8, i8); 4]) -> Vec<Vertex> {
        let inside = |x: i8| (0..self.side.cast_signed()).contains(&x);
        steps
            .into_iter()
            .map(|(dc, dr)| (v.col.cast_signed() + dc, v.row.cast_signed() + dr))
            .filter(|&(col, row)| inside(col) && inside(row))
            .map(|(col, row)| Vertex::new(col.cast_unsigned(), row.cast_unsigned()))
            .collect()
    }

    fn neighbors(&self, v: Vertex) -> Vec<Vertex> {
        self.around(v, [(0, 1), (1, 0), (0, -1), (-1, 0)])
    }

    /// The region of points like `v`, and what it touches.
    fn region(&self, v: Vertex) -> (BTreeSet<Vertex>, BTreeSet<Vertex>) {
        let (mut region, mut border) = (BTreeSet::from([v]), BTreeSet::new());
        let mut open = vec![v];
        while let Some(next) = open.pop() {
            for near in self.neighbors(next) {
                if self.at(near) != self.at(v) {
                    border.insert(near);
                } else if region.insert(near) {
                    open.push(near);
                }
            }
        }
        (region, border)
    }

    fn has_liberty(&self, v: Vertex) -> bool {
        self.region(v).1.iter().any(|&border| self.at(border).is_none())
    }

    fn is_eye(&self, v: Vertex, color: Color) -> bool {
        if self.neighbors(v).iter().any(|&near| self.at(near) != Some(color)) {
            return false;
        }
        let diagonal = self.around(v, [(1, 1), (1, -1), (-1, 1), (-1, -1)]);
        let hostile = diagonal.iter().filter(|&&d| self.at(d) == Some(!color)).count();
        hostile + usize::from(diagonal.len() < 4) < 2
    }

    /// Plays on `v`, or leaves the position as it was if that is illegal.
    fn play(&mut self, v: Vertex, color: Color) -> bool {
        if self.at(v).is_some() || self.ko == Some(v) {
            return false;
        }
        self.set(v, Some(color));
        let mut taken = BTreeSet::new();
        for near in self.neighbors(v) {
            if self.at(near) == Some(!color) && !self.has_liberty(near) {
                taken.extend(self.region(near).0);
            }
        }
        if taken.is_empty() && !self.has_liberty(v) {
            self.set(v, None);
            return false;
        }
        for &stone in &taken {
            self.set(stone, None);
        }
        let (chain, border) = self.region(v);
        let liberties = border.iter().filter(|&&b| self.at(b).is_none()).count();
        let is_ko = taken.len() == 1 && chain.len() == 1 && liberties == 1;
        self.ko = taken.first().copied().filter(|_| is_ko);
        true
    }

    fn score(&self) -> i32 {
        let mut lead = 0;
        for v in Vertex::all(Size::square(self.side).unwrap()) {
            let owner = self.at(v).or_else(|| {
                let colors: BTreeSet<_> =
                    self.region(v).1.iter().map(|&b| self.at(b) == Some(Color::Black)).collect();
                match (colors.len(), colors.first()) {
                    (1, Some(true)) => Some(Color::Black),
                    (1, Some(false)) => Some(Color::White),
                    _ => None,
                }
            });
            lead += owner.map_or(0, |color| if color == Color::Black { 1 } else { -1 });
        }
        lead
    }

    /// Black's lead and the number of plies of a random game.
    fn game(side: u8, seed: u64) -> (i32, u32) {
        let area = usize::from(side) * usize::from(side);
        let mut twin = Self { side, points: vec![None; area], ko: None };
        let vertices: Vec<Vertex> = Vertex::all(Size::square(side).unwrap()).collect();
        let (mut color, mut state) = (Color::Black, seed);
        let (mut passes, mut plies) = (0, 0);
        while passes < 2 && plies < 3 * area as u32 + 50 {
            let mut open: Vec<Vertex> = vertices
                .iter()
                .copied()
                .filter(|&v| twin.at(v).is_none() && !twin.is_eye(v, color))
                .collect();
            // Drawing without replacement until one is legal is drawing one
            // of the legal ones.
            let mut played = false;
            while !played && !open.is_empty() {
                state = split_mix(state);
                played = twin.play(open.swap_remove((state % open.len() as u64) as usize), color);
            }
            if !played {
                twin.ko = None;
            }
            passes = if played { 0 } else { passes + 1 };
            plies += 1;
            color = !color;
        }
        (twin.score(), plies)
    }
}

/// Count, sum and sum of squares.
#[derive(Default)]
struct Mean(f64, f64, f64);

impl Mean {
    fn add(&mut self, x: f64) {
        *self = Self(self.0 + 1.0, self.1 + x, self.2 + x * x);
    }

    /// Mean and squared standard error.
    fn estimate(&self) -> (f64, f64) {
        let mean = self.1 / self.0;
        (mean, (self.2 / self.0 - mean * mean) / self.0)
    }

    fn assert_agrees(&self, other: &Self, what: &str) {
        let ((a, va), (b, vb)) = (self.estimate(), other.estimate());
        let errors = (a - b) / (va + vb).sqrt();
        println!("{what}: twin {a:.4}, lanes {b:.4}, {errors:+.2} standard errors");
        assert!(errors.abs() < 4.0, "{what}: twin {a}, lanes {b}: {errors} standard errors");
    }
}

fn compare<const W: usize>(side: u8, slow: u64, fast: u64) {
    let size = Size::square(side).unwrap();
    let komi = default_komi(size).half_points().into();
    let mut twin = [Mean::default(), Mean::default(), Mean::default()];
    let mut lanes = [Mean::default(), Mean::default(), Mean::default()];
    let mut add = |means: &mut [Mean; 3], half_points: i32, plies: u32| {
        means[0].add(plies.into());
        means[1].add(if half_points > komi { 1.0 } else { 0.0 });
        means[2].add(f64::from(half_points) / 2.0);
    };
    for seed in 0..slow {
        let (points, plies) = Twin::game(side, mix(seed, 99));
        add(&mut twin, 2 * points, plies);
    }
    let start = Board::<W>::new(size);
    let mut seeds = 0..fast;
    Lanes::new(size, Isa::fastest()).run(
        || seeds.next().map(|seed| (Ticket(seed), Job { start, seed })),
        |_, playout| add(&mut lanes, playout.score.half_points(), playout.plies),
    );
    for (i, what) in ["mean plies", "Black wins", "mean score"].into_iter().enumerate() {
        twin[i].assert_agrees(&lanes[i], &format!("{size} {what}"));
    }
}

#[test]
fn plies_wins_and_score_agree_with_the_twin() {
    for (side, games) in [(5, 20_000), (7, 8_000), (9, 4_000), (13, 1_000), (19, 250)] {
        let size = Size::square(side).unwrap();
        with_words!(size, W => compare::<W>(side, games, 20 * games));
    }
}

#[test]
#[ignore = "many minutes: ten times as many games of the slow twin"]
fn plies_wins_and_score_agree_with_the_twin_over_many_games() {
    for (side, games) in [(5, 200_000), (7, 80_000), (9, 40_000), (13, 10_000), (19, 2_500)] {
        let size = Size::square(side).unwrap();
        with_words!(size, W => compare::<W>(side, games, 20 * games));
    }
}
