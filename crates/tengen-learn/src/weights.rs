//! Weights of features, and the probabilities of moves that follow from them.

use crate::feature::{self, FEATURES, Feature, Position, Recent, TACTICS};
use crate::places::Places;
use crate::shape::{CODES, Kind, standing_for};
use std::array;
use std::sync::OnceLock;
use tengen_go::{Bits, Board, Move, Size};

/// The longest side of a board.
const SIDE: usize = 19;

/// The most words of a set of points.
const MOST_WORDS: usize = 6;

/// A feature that has a weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The feature.
    pub feature: Feature,
    /// Its weight: the natural logarithm of the factor by which it raises the odds of a move.
    pub weight: f32,
    /// Number of moves that could be chosen and had it, in the positions that were learned from.
    pub seen: u64,
    /// The sum of the probabilities with which the teacher chose these moves.
    pub chosen: f64,
}

/// Weights of features: the probability of a move is exp of the sum of the weights of its features,
/// divided by the sum of this over all moves of the position.
///
/// # Examples
/// ```
/// use tengen_go::{Bits, Board, Color};
/// use tengen_learn::{Recent, Row, Weights, feature};
///
/// let capture = feature::named("tactic", "capture-2").ok_or("no such feature")?;
/// let row = Row { feature: capture, weight: 3_f32.ln(), seen: 10, chosen: 5.0 };
/// let weights = Weights::new(vec![row]);
/// // Black can capture two stones at C1, or play at one of three other points, or pass: odds of 3, 1, 1, 1, 1.
/// let board = Board::<1>::from_diagram("..X/XXO/XO.", Color::Black)?;
/// let found = weights.probabilities(&board, Recent::default(), board.empty());
/// let at = |text: &str| text.parse().map(|vertex| found.of_point(Bits::<1>::index(vertex)));
/// assert!((at("C1")? / at("A3")? - 3.0).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Weights {
    rows: Vec<Row>,
    /// All weights, by feature.
    all: Box<[f32]>,
    shapes: Box<[f32]>,
    crossings: Box<[f32]>,
    tactics: [f32; TACTICS.len()],
    answering_pass: f32,
    /// The weights by place, by size of the board and number of words.
    places: Box<[OnceLock<Places>]>,
}

/// Probabilities of the moves of a position, which add up to 1.
#[derive(Clone, Debug)]
pub struct Probabilities<const W: usize> {
    points: [[f32; 64]; W],
    pass: f32,
}

impl<const W: usize> Probabilities<W> {
    /// The probability of a play at the point `index`; 0 if it is no candidate.
    #[inline]
    #[must_use]
    pub fn of_point(&self, index: usize) -> f32 {
        self.points[index / 64][index % 64]
    }

    /// The probabilities by index of the point.
    #[inline]
    #[must_use]
    pub const fn points(&self) -> &[[f32; 64]; W] {
        &self.points
    }

    /// The probability of a pass.
    #[inline]
    #[must_use]
    pub const fn of_pass(&self) -> f32 {
        self.pass
    }

    /// The probability of a move.
    #[must_use]
    pub fn of(&self, mv: Move) -> f32 {
        match mv {
            Move::Play(vertex) => self.of_point(Bits::<W>::index(vertex)),
            Move::Pass => self.pass,
        }
    }
}

impl Weights {
    /// The weights of `rows`; every other feature has the weight 0.
    ///
    /// # Panics
    /// If a feature is none.
    #[must_use]
    pub fn new(rows: Vec<Row>) -> Self {
        let mut all = vec![0.0; FEATURES];
        for row in &rows {
            all[row.feature as usize] = row.weight;
        }
        let weight = |feature: Feature| all[feature as usize];
        let by_code = |kind, of: fn(u16) -> Feature| -> Box<[f32]> {
            let standing_for = standing_for(kind);
            (0..CODES).map(|code| weight(of(standing_for[code]))).collect()
        };
        Self {
            shapes: by_code(Kind::Shape, feature::of_shape),
            crossings: by_code(Kind::Crossing, feature::of_crossing),
            tactics: array::from_fn(|number| weight(feature::of_tactic(number))),
            answering_pass: weight(feature::ANSWERING_PASS),
            places: (0..MOST_WORDS * SIDE * SIDE).map(|_| OnceLock::new()).collect(),
            rows,
            all: all.into_boxed_slice(),
        }
    }

    /// The features that have a weight.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The probabilities of the plays at `candidates`, which are empty, and of a pass, on `board`
    /// after the moves `recent`. Plays that are suicide or forbidden by simple ko get 0.
    #[inline(always)]
    #[must_use]
    pub fn probabilities<const W: usize>(
        &self,
        board: &Board<W>,
        recent: Recent,
        candidates: Bits<W>,
    ) -> Probabilities<W> {
        let position = Position::new(board, recent);
        let candidates = position.tactics.legal_among(candidates);
        let sums = self.sums(&position, candidates);
        let answers = recent.last == Some(Move::Pass);
        let of_plays = self.all[feature::of_pass(candidates.count(), board.size()) as usize];
        let pass = of_plays + if answers { self.answering_pass } else { 0.0 };
        softmax(candidates, sums, pass)
    }

    /// The sums of the weights of the plays at `candidates`, by index.
    #[inline(always)]
    fn sums<const W: usize>(&self, position: &Position<W>, candidates: Bits<W>) -> [[f32; 64]; W] {
        let mut sums = self.of_places(position);
        for (points, weight) in position.tactics().into_iter().zip(self.tactics) {
            for index in (points & candidates).iter() {
                sums[index / 64][index % 64] += weight;
            }
        }
        for index in candidates.iter() {
            let (word, bit) = (index / 64, index % 64);
            let shape = self.shapes[usize::from(position.shapes[word][bit])];
            sums[word][bit] += shape + self.crossings[usize::from(position.crossings[word][bit])];
        }
        sums
    }

    /// The sums of the weights of lines and of distances to the last moves, by index; places off
    /// the board have any number.
    #[inline(always)]
    fn of_places<const W: usize>(&self, position: &Position<W>) -> [[f32; 64]; W] {
        let places = self.places::<W>(position.size);
        let mut sums = [[0.0; 64]; W];
        let all = sums.as_flattened_mut();
        all.copy_from_slice(&places.lines);
        for (near, mv) in
            [(&places.last, position.recent.last), (&places.before, position.recent.before)]
        {
            let Some(Move::Play(at)) = mv else { continue };
            for (sum, weight) in all.iter_mut().zip(near.from::<W>(at)) {
                *sum += weight;
            }
        }
        sums
    }

    /// The weights by place on boards of `size`.
    #[inline]
    fn places<const W: usize>(&self, size: Size) -> &Places {
        let number = ((W - 1) * SIDE + size.width() - 1) * SIDE + size.height() - 1;
        let weight = |feature: Feature| self.all[feature as usize];
        self.places[number].get_or_init(|| Places::new::<W>(size, weight))
    }
}

/// The probabilities that follow from `sums` at the `candidates` and from `pass`, the sum of a
/// pass. They are equal on every machine and in any number of words: exp is computed from sums and
/// products alone, and its values are added up as whole numbers, so that the order of the points
/// does not matter.
#[inline(always)]
fn softmax<const W: usize>(
    candidates: Bits<W>,
    sums: [[f32; 64]; W],
    pass: f32,
) -> Probabilities<W> {
    const GROUP: usize = 16;
    /// A number below every sum of weights.
    const LOWEST: f32 = -1e4;
    let mut points = sums;
    let mut most = [pass; GROUP];
    for (word, points) in points.iter_mut().enumerate() {
        let set = candidates.words()[word];
        for (group, points) in points.as_chunks_mut::<GROUP>().0.iter_mut().enumerate() {
            #[allow(clippy::cast_possible_truncation)] // a quarter of the word
            let set = (set >> (group * GROUP)) as u16;
            for lane in 0..GROUP {
                let is_candidate = set & (1 << lane) != 0;
                points[lane] = if is_candidate { points[lane] } else { LOWEST };
                most[lane] = if points[lane] > most[lane] { points[lane] } else { most[lane] };
            }
        }
    }
    let most = most.into_iter().fold(pass, f32::max);
    let mut total = [0_u32; GROUP];
    for points in points.as_flattened_mut().as_chunks_mut::<GROUP>().0 {
        for lane in 0..GROUP {
            points[lane] = exp(points[lane] - most);
            total[lane] += units(points[lane]);
        }
    }
    let pass = exp(pass - most);
    let total = total.into_iter().sum::<u32>() + units(pass);
    #[allow(clippy::cast_possible_truncation)] // to single precision
    let share = (f64::from(UNITS) / f64::from(total)) as f32;
    for points in points.as_flattened_mut() {
        *points *= share;
    }
    Probabilities { points, pass: pass * share }
}

/// The whole number that stands for 1: with it the sum over a board fits into 32 bits, and has five
/// digits.
const UNITS: f32 = 4_194_304.0;

/// `value`, 0 to 1, as the nearest whole number of [`UNITS`].
#[inline(always)]
fn units(value: f32) -> u32 {
    /// Adding it rounds to whole numbers.
    const ROUND: f32 = 8_388_608.0;
    (UNITS * value + ROUND).to_bits().wrapping_sub(ROUND.to_bits())
}

/// e to the power of `x`, which is at most 0, to five digits; 0 below −60.
#[inline(always)]
fn exp(x: f32) -> f32 {
    /// Adding it rounds to whole numbers.
    const ROUND: f32 = 12_582_912.0;
    let power = x * std::f32::consts::LOG2_E;
    let power = if power < -90.0 { -90.0 } else { power };
    let rounded = power + ROUND;
    let rest = (power - (rounded - ROUND)) * std::f32::consts::LN_2;
    // The series of exp, for |rest| ≤ ln 2 / 2.
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest
                            * (1.0 / 6.0
                                + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0)))));
    let whole = rounded.to_bits().wrapping_sub(ROUND.to_bits());
    let scale = f32::from_bits(whole.wrapping_add(127) << 23);
    if x < -60.0 { 0.0 } else { series * scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_has_five_digits() {
        for hundredths in 0..6_000_u16 {
            let x = -f32::from(hundredths) / 100.0;
            let exact = f64::from(x).exp();
            let error = (f64::from(exp(x)) / exact - 1.0).abs();
            assert!(error < 5e-6, "{x}: {error}");
        }
        assert_eq!((exp(0.0), exp(-61.0), exp(f32::NEG_INFINITY)), (1.0, 0.0, 0.0));
    }
}
