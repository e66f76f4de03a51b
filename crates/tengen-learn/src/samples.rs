//! Positions to learn from: the features of their moves, and how a search divided its visits.

use crate::feature::{Feature, Position, Recent};
use tengen_go::{Bits, Board, Move};

/// Positions with the features of all their moves, and the probabilities with which a teacher chose
/// the moves.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The features of all moves, one after the other.
    features: Vec<Feature>,
    /// Where the features of each move end.
    feature_ends: Vec<usize>,
    /// The teacher's probability of each move.
    targets: Vec<f32>,
    /// Where the moves of each position end.
    move_ends: Vec<usize>,
    /// The game of each position.
    games: Vec<u64>,
    /// The number of plies before each position.
    plies: Vec<u32>,
}

/// A position of [`Samples`].
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    all: &'a Samples,
    first: usize,
    end: usize,
    /// The game that it is from.
    pub game: u64,
    /// Number of plies of the game before it.
    pub ply: u32,
}

impl<'a> Sample<'a> {
    /// Number of its moves; the pass is the last.
    #[must_use]
    pub const fn moves(&self) -> usize {
        self.end - self.first
    }

    /// The places of its moves among those of all positions.
    #[must_use]
    pub const fn places(&self) -> std::ops::Range<usize> {
        self.first..self.end
    }

    /// The features of its move number `number`.
    #[must_use]
    pub fn features(&self, number: usize) -> &'a [Feature] {
        let ends = &self.all.feature_ends;
        let at = self.first + number;
        let begin = if at == 0 { 0 } else { ends[at - 1] };
        &self.all.features[begin..ends[at]]
    }

    /// The probabilities of the teacher, by number of the move.
    #[must_use]
    pub fn targets(&self) -> &'a [f32] {
        &self.all.targets[self.first..self.end]
    }

    /// The number of the move that the teacher prefers; of equal ones the first.
    #[must_use]
    pub fn preferred(&self) -> usize {
        let targets = self.targets();
        (0..targets.len()).rev().max_by(|&a, &b| targets[a].total_cmp(&targets[b])).unwrap_or(0)
    }
}

impl Samples {
    /// Number of positions.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.move_ends.len()
    }

    /// Whether there is no position.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.move_ends.is_empty()
    }

    /// Appends the position on `board`, after the moves `recent`. Its moves are the plays at
    /// `points` and the pass; `visits` are the visits that a search gave to a move. Nothing is
    /// appended where no move has visits.
    pub fn push<const W: usize>(
        &mut self,
        board: &Board<W>,
        recent: Recent,
        points: Bits<W>,
        visits: impl Fn(Move) -> u32,
        (game, ply): (u64, u32),
    ) {
        let vertices = points.iter().map(|index| Move::Play(Bits::<W>::vertex(index)));
        let moves: Vec<Move> = vertices.chain([Move::Pass]).collect();
        let visits: Vec<f64> = moves.iter().map(|&mv| f64::from(visits(mv))).collect();
        let all: f64 = visits.iter().sum();
        if all == 0.0 {
            return;
        }
        let position = Position::new(board, recent);
        for (&mv, visits) in moves.iter().zip(visits) {
            match mv {
                Move::Play(vertex) => {
                    position.of_play(Bits::<W>::index(vertex), &mut self.features);
                }
                Move::Pass => position.of_pass(points.count(), &mut self.features),
            }
            self.feature_ends.push(self.features.len());
            #[allow(clippy::cast_possible_truncation)] // a probability
            self.targets.push((visits / all) as f32);
        }
        self.move_ends.push(self.feature_ends.len());
        self.games.push(game);
        self.plies.push(ply);
    }

    /// The position of this number.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn get(&self, number: usize) -> Sample<'_> {
        let first = if number == 0 { 0 } else { self.move_ends[number - 1] };
        let (end, game, ply) = (self.move_ends[number], self.games[number], self.plies[number]);
        Sample { all: self, first, end, game, ply }
    }
}
