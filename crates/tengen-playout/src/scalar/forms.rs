//! The form of the sets of a playout, by its number of words and the instruction set.

use super::game::{self, Final, Start};
use super::position::Position;
#[cfg(target_arch = "x86_64")]
use crate::sets::point_set::Register;
use crate::sets::point_set::{Numbering, PointSet};
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx512, Bits128, Bits192, Bits384};
use crate::simd::{Target, Task};
use crate::{EarlyStop, Job, Playout, PlayoutConfig, Policy, max_plies};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::any::Any;
#[cfg(target_arch = "x86_64")]
use tengen_go::words;
use tengen_go::{Bits, Score};

/// A playout, and the number of its attempts.
type Counted<const W: usize> = (Playout<W>, u64);

/// Plays `job` by code compiled for `target`.
pub(super) fn play<const W: usize>(
    playout_config: PlayoutConfig,
    job: &Job<W>,
    target: Target,
) -> Counted<W> {
    // The functions below are not generic: playouts are compiled in this crate, once, and
    // never where they are used.
    match W {
        1 => same(in_one_word(playout_config, same_ref(job), target)),
        2 => same(in_two_words(playout_config, same_ref(job), target)),
        3 => same(in_three_words(playout_config, same_ref(job), target)),
        _ => same(in_six_words(playout_config, same_ref(job), target)),
    }
}

/// A value as a type that is the same one.
fn same<A: 'static, B: 'static>(value: A) -> B {
    let mut value = Some(value);
    let value = (&mut value as &mut dyn Any).downcast_mut::<Option<B>>().and_then(Option::take);
    value.expect("a board of W words")
}

/// A reference to a value as a type that is the same one.
fn same_ref<A: 'static, B: 'static>(value: &A) -> &B {
    (value as &dyn Any).downcast_ref().expect("a board of W words")
}

fn in_one_word(playout_config: PlayoutConfig, job: &Job<1>, target: Target) -> Counted<1> {
    target.run(InWords { playout_config, job, target })
}

fn in_two_words(playout_config: PlayoutConfig, job: &Job<2>, target: Target) -> Counted<2> {
    #[cfg(target_arch = "x86_64")]
    if let Some(proof) = target.avx512() {
        return proof.run(InRegister::<Bits128, 2>::new(playout_config, job, target, proof));
    }
    target.run_without_avx512(InWords { playout_config, job, target })
}

fn in_three_words(playout_config: PlayoutConfig, job: &Job<3>, target: Target) -> Counted<3> {
    #[cfg(target_arch = "x86_64")]
    if let Some(proof) = target.avx512() {
        return proof.run(InRegister::<Bits192, 3>::new(playout_config, job, target, proof));
    }
    target.run_without_avx512(InWords { playout_config, job, target })
}

fn in_six_words(playout_config: PlayoutConfig, job: &Job<6>, target: Target) -> Counted<6> {
    // The interleaved words number the candidates as large boards do; a small board may be
    // in six words too.
    #[cfg(target_arch = "x86_64")]
    if let Some(proof) = target.avx512()
        && words(job.start.size()) == 6
    {
        return proof.run(InRegister::<Bits384, 6>::new(playout_config, job, target, proof));
    }
    target.run_without_avx512(InWords { playout_config, job, target })
}

/// A playout on sets of [`Bits`].
struct InWords<'job, const W: usize> {
    playout_config: PlayoutConfig,
    job: &'job Job<W>,
    target: Target,
}

impl<const W: usize> Task for InWords<'_, W> {
    type Output = Counted<W>;

    #[inline(always)]
    fn run(self) -> Counted<W> {
        let Self { playout_config, job, target } = self;
        play_in(playout_config, job, target, |set| set, |set| set)
    }
}

/// A playout on sets in registers of type `S`.
#[cfg(target_arch = "x86_64")]
struct InRegister<'job, S, const W: usize> {
    playout_config: PlayoutConfig,
    job: &'job Job<W>,
    target: Target,
    proof: Avx512,
    set: std::marker::PhantomData<S>,
}

#[cfg(target_arch = "x86_64")]
impl<'job, S, const W: usize> InRegister<'job, S, W> {
    fn new(
        playout_config: PlayoutConfig,
        job: &'job Job<W>,
        target: Target,
        proof: Avx512,
    ) -> Self {
        Self { playout_config, job, target, proof, set: std::marker::PhantomData }
    }
}

#[cfg(target_arch = "x86_64")]
impl<S: Register<W>, const W: usize> Task for InRegister<'_, S, W> {
    type Output = Counted<W>;

    #[inline(always)]
    fn run(self) -> Counted<W> {
        let Self { playout_config, job, target, proof, .. } = self;
        play_in(playout_config, job, target, |set| S::pack(set, proof), S::unpack)
    }
}

/// Plays `job` on sets of type `S`, which `pack` and `unpack` convert from and to [`Bits`].
#[inline(always)]
fn play_in<S: PointSet, const W: usize>(
    playout_config: PlayoutConfig,
    job: &Job<W>,
    target: Target,
    pack: impl Fn(Bits<W>) -> S,
    unpack: impl Fn(S) -> Bits<W>,
) -> Counted<W> {
    let Job { start: board, seed } = job;
    let (size, me) = (board.size(), board.to_play());
    let stones = [board.stones(me), board.stones(!me)].map(&pack);
    let start = Start {
        position: Position::new(stones, pack(board.ko_set()), pack(Bits::board(size))),
        turn: me.index(),
        passes: u32::from(board.passes()),
        edge: pack(Bits::edge(size)),
        numbering: Numbering { size, target },
        limit: max_plies(size),
        playout_config,
        thresholds: playout_config.stop.thresholds(size, playout_config.komi),
    };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(*seed);
    let PlayoutConfig { policy, stop, .. } = playout_config;
    let is_plain = policy == Policy::Uniform {} && stop == EarlyStop::Never;
    let played = if is_plain {
        game::play::<S, true>(&start, &mut random)
    } else {
        game::play::<S, false>(&start, &mut random)
    };
    let Final { ending, plies, attempts, first_plays, areas } = played;
    let areas = areas.map(&unpack);
    let [black, white] = areas.map(|points| points.count().cast_signed());
    let playout = Playout {
        score: Score::from_points(black - white),
        plies,
        ending,
        first_plays: first_plays.map(&unpack),
        area: Some(areas),
    };
    (playout, attempts)
}
