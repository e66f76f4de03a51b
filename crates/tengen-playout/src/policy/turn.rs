//! A policy as plain code: an attempt to move, and what it draws.

use crate::candidate_order::nth;
use crate::simd::point_set::below;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::any::Any;
use tengen_go::{Bits, Board};

/// A playout policy as plain code: how a move is drawn among the candidates of a turn.
///
/// Playouts of a registered policy in plain code are scalar, about twenty times slower on 9×9 than
/// built-in policies in AVX-512; a [`SetPolicy`](super::SetPolicy) avoids that. Everything else is
/// as with built-in policies: the candidates, the limit of plies, the early-stop rules, and one
/// random number per attempt.
///
/// # Examples
/// A policy that plays away from the edge, which the setting `policy=inside:PROBABILITY` then names:
/// ```
/// use tengen_go::{Bits, Board, Size};
/// use tengen_playout::policy::{self, PlayoutPolicy, Turn};
/// use tengen_playout::{Job, Policy, scalar};
///
/// struct Inside {
///     probability: f64,
/// }
///
/// impl PlayoutPolicy for Inside {
///     fn draw<const W: usize>(&self, turn: &Turn<W>) -> usize {
///         let inside = turn.candidates - Bits::edge(turn.board.size());
///         let is_preferred = turn.is_first && !inside.is_empty() && turn.coin(self.probability);
///         turn.one_of(if is_preferred { inside } else { turn.candidates })
///     }
/// }
///
/// policy::register("inside", "1", |probability| {
///     let probability = probability.parse().ok().filter(|p| (0.0..=1.0).contains(p));
///     Ok(Inside { probability: probability.ok_or("inside:PROBABILITY, 0 to 1")? })
/// })?;
/// let policy: Policy = "inside:0.9".parse()?;
/// let start = Board::<2>::new(Size::square(9)?);
/// assert!(scalar::play_by(policy, &Job { start, seed: 1 }).plies > 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PlayoutPolicy: Send + Sync {
    /// Draws one of [`Turn::candidates`] and returns its index in [`Bits`]. Any other index counts
    /// as a panic of the policy. If the point is suicide, the attempt is repeated without it. The
    /// result must depend on `turn` alone.
    fn draw<const W: usize>(&self, turn: &Turn<W>) -> usize;
}

/// An attempt to move in a playout, as a policy sees it.
#[derive(Clone, Copy, Debug)]
pub struct Turn<const W: usize> {
    /// The position, with the player to move.
    pub board: Board<W>,
    /// The points to draw from, at least one: all legal ones that are no own eye of the player to
    /// move, and maybe some suicides.
    pub candidates: Bits<W>,
    /// The opponent's stone just played in this playout, as a set of one point; empty after a pass,
    /// and at the first turn of the playout.
    pub last: Bits<W>,
    /// Whether this is the first attempt of the turn: false once a candidate of the turn was
    /// suicide.
    pub is_first: bool,
    /// The random number of this attempt.
    pub number: u64,
}

impl<const W: usize> Turn<W> {
    /// Draws one of `points`, each with equal probability, by the random number of the attempt.
    ///
    /// # Panics
    /// If there are no points.
    #[must_use]
    pub fn one_of(&self, points: Bits<W>) -> usize {
        nth(self.board.size(), points, below(points.count(), self.number))
    }

    /// Draws one of the candidates with a probability proportional to its weight, at least 0, by
    /// the random number of the attempt; if no weight is above 0, all are equally likely.
    #[must_use]
    pub fn weighted(&self, weight: impl Fn(usize) -> f64) -> usize {
        let sum: f64 = self.candidates.iter().map(&weight).sum();
        if sum.is_nan() || sum <= 0.0 {
            return self.one_of(self.candidates);
        }
        let mut left = sum * (self.number >> 32) as f64 / 2_f64.powi(32);
        let mut drawn = 0;
        for index in self.candidates.iter() {
            let weight = weight(index);
            if weight > 0.0 {
                drawn = index;
                left -= weight;
                if left < 0.0 {
                    break;
                }
            }
        }
        drawn
    }

    /// True with this probability. The coin takes other bits of the random number than
    /// [`Self::one_of`] and [`Self::weighted`], and may be combined with them. A second call in the
    /// same attempt takes the same bits: for more bits use [`Self::random`].
    #[must_use]
    pub fn coin(&self, probability: f64) -> bool {
        super::has_preference(self.number, super::coin_threshold(probability))
    }

    /// A stream of random numbers for this attempt, for a policy that needs more than one.
    #[must_use]
    pub fn random(&self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.number)
    }
}

/// A [`PlayoutPolicy`] on boards of each number of words. Implemented for every policy.
pub trait OfAllWords: Send + Sync {
    /// [`PlayoutPolicy::draw`] on a board of one word.
    fn in_one_word(&self, turn: &Turn<1>) -> usize;
    /// [`PlayoutPolicy::draw`] on a board of two words.
    fn in_two_words(&self, turn: &Turn<2>) -> usize;
    /// [`PlayoutPolicy::draw`] on a board of three words.
    fn in_three_words(&self, turn: &Turn<3>) -> usize;
    /// [`PlayoutPolicy::draw`] on a board of six words.
    fn in_six_words(&self, turn: &Turn<6>) -> usize;
}

impl<P: PlayoutPolicy> OfAllWords for P {
    fn in_one_word(&self, turn: &Turn<1>) -> usize {
        self.draw(turn)
    }

    fn in_two_words(&self, turn: &Turn<2>) -> usize {
        self.draw(turn)
    }

    fn in_three_words(&self, turn: &Turn<3>) -> usize {
        self.draw(turn)
    }

    fn in_six_words(&self, turn: &Turn<6>) -> usize {
        self.draw(turn)
    }
}

/// [`PlayoutPolicy::draw`] by `policy`.
///
/// # Panics
/// If what it draws is no candidate.
pub(crate) fn draw<const W: usize>(policy: &dyn OfAllWords, turn: &Turn<W>) -> usize {
    let any: &dyn Any = turn;
    let drawn = any.downcast_ref().map(|turn| policy.in_one_word(turn));
    let drawn = drawn.or_else(|| any.downcast_ref().map(|turn| policy.in_two_words(turn)));
    let drawn = drawn.or_else(|| any.downcast_ref().map(|turn| policy.in_three_words(turn)));
    let drawn = drawn.or_else(|| any.downcast_ref().map(|turn| policy.in_six_words(turn)));
    let drawn = drawn.expect("a board of 1, 2, 3 or 6 words");
    assert!(
        drawn < 64 * W && turn.candidates.contains(drawn),
        "the playout policy drew index {drawn}, which is no candidate"
    );
    drawn
}
