//! Policies as formulas on sets of points, which a program registers and the lanes play.

use super::points::{Points, SetForm};
use super::turn::{PlayoutPolicy, Turn};
use super::{capture_escape, coin_threshold, has_preference, mogo};
use crate::policy::GameView;
use crate::simd::point_set::below;
use std::sync::Arc;
use tengen_go::Bits;

/// A playout policy as formulas on sets of points: the [lanes](crate::lanes) play it, many games
/// side by side.
///
/// The first attempt of a turn draws by `K` sets of points, as [`Self::draw_by`] says. Every later
/// attempt, after a suicide, draws from all candidates. Otherwise games, limits and random numbers
/// are as with [`PlayoutPolicy`], which is plain code on a board and plays one game after the
/// other.
///
/// # Examples
/// Beside the opponent's last stone, which the setting `policy=beside-last:PROBABILITY` then names:
/// ```
/// use tengen_go::{Board, Size};
/// use tengen_playout::lanes::{Lanes, Ticket};
/// use tengen_playout::policy::{self, DrawBy, Points, SetForm, SetPolicy, TurnSets};
/// use tengen_playout::{Isa, Job, Policy, scalar};
///
/// struct BesideLast {
///     probability: f64,
/// }
///
/// impl SetPolicy<1> for BesideLast {
///     fn draw_by(&self) -> DrawBy<1> {
///         DrawBy::FirstOf([self.probability])
///     }
///
///     #[inline(always)]
///     fn sets<S: SetForm>(&self, turn: &TurnSets<S>) -> [Points<S>; 1] {
///         [turn.last.square()]
///     }
/// }
///
/// policy::register_sets("beside-last", "1", |text| {
///     let probability = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
///     Ok(BesideLast { probability: probability.ok_or("beside-last:PROBABILITY, 0 to 1")? })
/// })?;
/// let policy: Policy = "beside-last:0.5".parse()?;
/// let size = Size::square(9)?;
/// let start = Board::<2>::new(size);
/// let mut jobs = (0..100).map(|seed| (Ticket(seed), Job { start, seed }));
/// Lanes::with_config(size, Isa::fastest(), policy).run(
///     || jobs.next(),
///     |Ticket(seed), playout| {
///         let same = scalar::play_by(policy, &Job { start, seed });
///         assert_eq!((playout.score, playout.plies), (same.score, same.plies));
///     },
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SetPolicy<const K: usize>: Send + Sync + 'static {
    /// Whether to compute [`TurnSets::urgent`], which takes about as much time as the rest of a
    /// uniform playout.
    const URGENT: bool = false;

    /// How a turn draws by the sets. Called once, when the policy is made.
    fn draw_by(&self) -> DrawBy<K>;

    /// The sets of a turn. Their points need not be candidates. The result must depend on the
    /// policy and `turn` alone. Write `#[inline(always)]` above this method and all that it calls:
    /// only then does the compiler make vector code of it.
    fn sets<S: SetForm>(&self, turn: &TurnSets<S>) -> [Points<S>; K];
}

/// How the first attempt of a turn draws by `K` sets of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawBy<const K: usize> {
    /// From the first considered set that has a candidate; from all candidates if there is no such
    /// set. A set is considered with its probability, 0 to 1. One coin decides for all sets:
    /// whenever a set is considered, so is every set of a higher probability.
    FirstOf([f64; K]),
    /// Each candidate with a probability proportional to its weight, at least 0: the weight of the
    /// first set that contains the candidate, or `others`. If all candidates have weight 0, all are
    /// equally likely. Weights are rounded to a 65,535th of the greatest.
    Weights {
        /// The weights of the sets.
        of_sets: [f64; K],
        /// The weight of candidates that are in no set.
        others: f64,
    },
}

/// A turn of a playout, as sets of points.
#[derive(Clone, Copy, Debug)]
pub struct TurnSets<S> {
    /// All points of the board.
    pub board: Points<S>,
    /// Stones of the player to move.
    pub own: Points<S>,
    /// Stones of the opponent.
    pub other: Points<S>,
    /// Points without a stone.
    pub empty: Points<S>,
    /// The opponent's stone just played in this playout; empty after a pass, and at the first turn.
    pub last: Points<S>,
    /// The points to draw from: all legal ones that are no own eye, and maybe some suicides, which
    /// fail when drawn.
    pub candidates: Points<S>,
    /// The last liberties of the chains in atari that `last` belongs to or touches, where the
    /// player to move captures or may escape; none unless [`SetPolicy::URGENT`] is set.
    pub urgent: Points<S>,
}

impl<S: SetForm> TurnSets<S> {
    /// The turn of these sets. `own`, `other`, `last`, `candidates` and `urgent` are on the board.
    #[inline(always)]
    pub(super) fn new(board: S, [own, other, last, candidates, urgent]: [S; 5]) -> Self {
        let points = |set| Points::new(set, board);
        Self {
            board: points(board),
            own: points(own),
            other: points(other),
            empty: points(board.and_not(own.or(other))),
            last: points(last),
            candidates: points(candidates),
            urgent: points(urgent),
        }
    }

    /// The points at the edge of the board.
    #[inline(always)]
    #[must_use]
    pub fn edge(&self) -> Points<S> {
        let board = self.board;
        board - (board.east() & board.west() & board.north() & board.south())
    }

    /// The points around the last stone that have one of the shapes of MoGo's playouts (Gelly,
    /// Wang, Munos and Teytaud 2006), as the policy `mogo` finds them.
    #[inline(always)]
    #[must_use]
    pub fn mogo_shapes(&self) -> Points<S> {
        let [own, other, empty, last] =
            [self.own, self.other, self.empty, self.last].map(|it| it.set);
        Points::new(mogo::preferred_in(&GameView { own, other, empty, last }), self.board.set)
    }
}

/// [`DrawBy`] in the numbers that the draw needs.
#[derive(Clone, Copy)]
pub(super) enum Draw<const K: usize> {
    /// A set is considered if the coin of 31 bits is below its bound.
    FirstOf([u32; K]),
    /// The weights of the sets and of the others.
    Weights([u16; K], u16),
}

impl<const K: usize> Draw<K> {
    /// # Errors
    /// If a probability is not between 0 and 1, or a weight not a number of at least 0.
    pub fn new(draw_by: DrawBy<K>) -> Result<Self, String> {
        match draw_by {
            DrawBy::FirstOf(probabilities) => {
                if probabilities.iter().any(|probability| !(0.0..=1.0).contains(probability)) {
                    return Err(format!("probabilities from 0 to 1, not {probabilities:?}"));
                }
                Ok(Self::FirstOf(probabilities.map(coin_threshold)))
            }
            DrawBy::Weights { of_sets, others } => {
                let most = of_sets.into_iter().fold(others, f64::max);
                let is_weight = |weight: &f64| (0.0..=f64::MAX).contains(weight);
                if !of_sets.iter().chain([&others]).all(is_weight) {
                    return Err(format!("weights of at least 0, not {of_sets:?} and {others}"));
                }
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 65,535
                let rounded = |weight: f64| match most {
                    0.0 => 0,
                    most => (weight / most * f64::from(u16::MAX)).round() as u16,
                };
                Ok(Self::Weights(of_sets.map(rounded), rounded(others)))
            }
        }
    }
}

/// A policy of sets in plain code.
pub(super) struct Plain<P, const K: usize>(pub Arc<P>, pub Draw<K>);

impl<P: SetPolicy<K>, const K: usize> PlayoutPolicy for Plain<P, K> {
    fn draw<const W: usize>(&self, turn: &Turn<W>) -> usize {
        let Turn { ref board, candidates, last, is_first, number } = *turn;
        if !is_first {
            return turn.one_of(candidates);
        }
        let (own, other) = (board.stones(board.to_play()), board.stones(!board.to_play()));
        let urgent = if P::URGENT { capture_escape::preferred(board, last) } else { Bits::EMPTY };
        let points = Bits::board(board.size());
        let sets = self.0.sets(&TurnSets::new(points, [own, other, last, candidates, urgent]));
        turn.one_of(drawn_from(self.1, sets.map(|it| it.set & candidates), candidates, number))
    }
}

/// The candidates that a turn draws from, by the candidates of each set.
fn drawn_from<const W: usize, const K: usize>(
    draw: Draw<K>,
    sets: [Bits<W>; K],
    candidates: Bits<W>,
    number: u64,
) -> Bits<W> {
    match draw {
        Draw::FirstOf(thresholds) => {
            let mut sets = sets.into_iter().zip(thresholds);
            let first = sets.find(|(set, below)| !set.is_empty() && has_preference(number, *below));
            first.map_or(candidates, |(set, _)| set)
        }
        Draw::Weights(of_sets, others) => {
            let mut left = candidates;
            let mut classes = Vec::with_capacity(K + 1);
            for (set, weight) in sets.into_iter().zip(of_sets) {
                classes.push((set & left, weight));
                left = left - set;
            }
            classes.push((left, others));
            let shares = classes.iter().map(|(set, weight)| set.count() * u32::from(*weight));
            // The candidate is drawn by the upper half of the number, its class by the lower.
            let mut number = below(shares.clone().sum(), number << 32);
            let mut drawn = candidates;
            for ((class, _), share) in classes.iter().zip(shares) {
                if number < share {
                    drawn = *class;
                    break;
                }
                number -= share;
            }
            drawn
        }
    }
}
