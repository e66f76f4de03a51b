//! Scalar playouts: one game at a time. [`play_one_by`] defines what a ply is, in plain code;
//! [`play_by`] plays whole games by the same rule, faster; the [lanes](super::lanes) play
//! many games side by side.
//!
//! Where to read on, after `../sets`, the sets of points and their chains:
//!
//! | file | what it holds |
//! |---|---|
//! | `position.rs` | candidates and moves, with a drawn example |
//! | `game.rs` | the loop over the plies of a playout |
//! | `forms.rs` | the form of the sets by board size and instruction set |
//! | `plain.rs` | playouts in plain code: recorded, or by a policy that a program registers |

// A playout is one function, whose sets stay in registers only if every helper is inlined.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

mod forms;
mod game;
mod plain;
mod position;

use super::policy::{Attempt, BuiltInPolicy, Player, PlayoutPolicy, Turn};
use super::{Isa, Job, Playout, PlayoutConfig, Policy, SUICIDE_ROUNDS};
use crate::simd::Target;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use tengen_go::{Bits, Board, Move};

/// Plays a uniform playout.
#[must_use]
pub fn play<const W: usize>(job: &Job<W>) -> Playout<W> {
    play_by(Policy::default(), job)
}

/// Plays a playout by `playout_config`.
#[must_use]
pub fn play_by<const W: usize>(
    playout_config: impl Into<PlayoutConfig>,
    job: &Job<W>,
) -> Playout<W> {
    play_on(Isa::of_program(), playout_config, job).0
}

/// Plays a playout by `playout_config` with code compiled for `isa`, and returns the number
/// of move attempts too.
///
/// # Panics
/// If this machine does not have `isa`.
#[must_use]
pub fn play_on<const W: usize>(
    isa: Isa,
    playout_config: impl Into<PlayoutConfig>,
    job: &Job<W>,
) -> (Playout<W>, u64) {
    let (playout_config, target) = (playout_config.into(), Target::new(isa));
    match playout_config.fast() {
        None => plain::play(playout_config, job, |_| {}),
        Some(playout_config) => forms::play(playout_config, job, target),
    }
}

/// Plays a playout by `playout_config` ply by ply, and returns its moves too. The result equals
/// that of [`play_by`] and of the [lanes](super::lanes), but takes longer.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Size};
/// use tengen_playout::{Job, Policy, scalar};
///
/// let job = Job { start: Board::<2>::new(Size::square(9)?), seed: 1 };
/// let (playout, moves) = scalar::record(Policy::default(), &job);
/// let mut board = job.start;
/// moves.iter().for_each(|&mv| board.play_unchecked(mv));
/// assert_eq!(board.area_score(), playout.score);
/// assert_eq!(playout, scalar::play(&job));
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
#[must_use]
pub fn record<const W: usize>(
    playout_config: impl Into<PlayoutConfig>,
    job: &Job<W>,
) -> (Playout<W>, Vec<Move>) {
    let mut moves = Vec::new();
    let (playout, _) = plain::play(playout_config.into(), job, |played| {
        let index = (!played.is_empty()).then(|| played.nth(0));
        moves.push(index.map_or(Move::Pass, |index| Move::Play(Bits::<W>::vertex(index))));
    });
    (playout, moves)
}

/// Plays one ply of a uniform playout and returns the point of the new stone as a set,
/// empty after a pass.
#[inline]
pub fn play_one<const W: usize>(board: &mut Board<W>, random: &mut Xoshiro256PlusPlus) -> Bits<W> {
    play_one_counted(
        |turn| {
            let draw = || Attempt { index: BuiltInPolicy::Uniform {}.draw(turn), is_vetoed: false };
            (!turn.candidates.is_empty()).then(draw)
        },
        board,
        Bits::EMPTY,
        random,
    )
    .0
}

/// Plays the next ply of the playout of `player` and returns the point of the new stone
/// as a set, empty after a pass. `last` is the set returned for the opponent's previous
/// ply; empty if there was none.
#[inline]
pub fn play_one_by<const W: usize>(
    player: &mut Player<W>,
    board: &mut Board<W>,
    last: Bits<W>,
    random: &mut impl Rng,
) -> Bits<W> {
    play_one_counted(|turn| player.attempt(turn), board, last, random).0
}

/// Plays one ply by the attempts that `attempt` makes, a pass if it makes none. Returns the number
/// of attempts too.
#[inline]
fn play_one_counted<const W: usize>(
    mut attempt: impl FnMut(&Turn<W>) -> Option<Attempt>,
    board: &mut Board<W>,
    last: Bits<W>,
    random: &mut impl Rng,
) -> (Bits<W>, u64) {
    let mut candidates =
        board.empty() - (board.eyes() | board.ko_set() | board.evident_suicides(SUICIDE_ROUNDS));
    let mut attempts = 0;
    loop {
        let number = random.next_u64();
        attempts += 1;
        let is_first = attempts == 1;
        let turn = Turn { board: *board, candidates, last, is_first, number };
        let Some(Attempt { index, is_vetoed }) = attempt(&turn) else {
            board.pass();
            return (Bits::EMPTY, attempts);
        };
        if !is_vetoed && board.play_unless_suicide(index) {
            return (Bits::point(index), attempts);
        }
        candidates = candidates - Bits::point(index);
    }
}
