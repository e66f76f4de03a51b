//! A whole playout of one game.
//!
//! ```text
//! repeat until two passes, the limit of plies, or the early-stop rule end it:
//!     find the candidates
//!     repeat until a ply is made:
//!         draw a number
//!         without candidates: pass
//!         else: draw a candidate by the number, and play it unless it is suicide or the
//!             policy vetoes it; else remove it from the candidates
//! ```

use super::position::Position;
use crate::policy::{BuiltInPolicy, CaptureEscape, Mogo, ScalarPolicy, ScalarTactical, Uniform};
use crate::simd::point_set::{Form, Numbering, PointSet};
use crate::simd::{Target, Task};
use crate::{EarlyStop, Ending, FastConfig, Job, Playout, SPARES_CODE, max_plies};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tengen_go::{Bits, Score};

/// A playout, and the number of its attempts.
pub type Counted<const W: usize> = (Playout<W>, u64);

/// The task of a playout on sets of the form `S`.
pub struct PlayTask<'job, S: Form<W>, const W: usize> {
    pub playout_config: FastConfig,
    pub job: &'job Job<W>,
    pub target: Target,
    pub proof: S::Proof,
}

impl<S: Form<W>, const W: usize> Task for PlayTask<'_, S, W> {
    type Output = Counted<W>;

    #[inline(always)]
    fn run(self) -> Counted<W> {
        let FastConfig { policy, stop, .. } = self.playout_config;
        let thresholds = policy.coin_thresholds();
        match policy {
            BuiltInPolicy::CaptureEscape { .. } => {
                play::<S, W, true>(&self, CaptureEscape(thresholds))
            }
            BuiltInPolicy::Mogo { .. } => play::<S, W, true>(&self, Mogo(thresholds)),
            BuiltInPolicy::Tactical(rules) if !SPARES_CODE => {
                play::<S, W, true>(&self, ScalarTactical(rules.into()))
            }
            BuiltInPolicy::Uniform {} if stop == EarlyStop::Never => {
                play::<S, W, false>(&self, Uniform)
            }
            // `PlayoutConfig::fast` returns no tactical policy where its code is left out.
            BuiltInPolicy::Uniform {} | BuiltInPolicy::Tactical(_) => {
                play::<S, W, true>(&self, Uniform)
            }
        }
    }
}

/// The task of a uniform playout without an early-stop rule, whose code alone is compiled.
#[cfg(target_arch = "x86_64")]
pub struct UniformTask<'job, S: Form<W>, const W: usize>(pub PlayTask<'job, S, W>);

#[cfg(target_arch = "x86_64")]
impl<S: Form<W>, const W: usize> Task for UniformTask<'_, S, W> {
    type Output = Counted<W>;

    #[inline(always)]
    fn run(self) -> Counted<W> {
        play::<S, W, false>(&self.0, Uniform)
    }
}

/// Plays a playout by `policy`. The code for an early-stop rule is compiled in only if `STOPS`;
/// else `playout_config` has no rule.
#[inline(always)]
fn play<S: Form<W>, const W: usize, const STOPS: bool>(
    task: &PlayTask<'_, S, W>,
    policy: impl ScalarPolicy,
) -> Counted<W> {
    let PlayTask { playout_config, job, target, proof } = *task;
    let Job { start: ref board, seed } = *job;
    let FastConfig { stop, komi, .. } = playout_config;
    let (size, me) = (board.size(), board.to_play());
    let pack = |set| S::pack(set, proof);
    let (stones, points) = ([board.stones(me), board.stones(!me)], Bits::board(size));
    let mut position = Position::new(stones.map(pack), pack(board.ko_set()), pack(points));
    let (mut turn, mut passes) = (me.index(), u32::from(board.passes()));
    let (edge, numbering) = (pack(Bits::edge(size)), Numbering { size, target });
    let (limit, thresholds) = (max_plies(size), stop.thresholds(size, komi));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let none = edge.none();
    let mut first_plays = [none; 2];
    let mut last = none;
    let mut memory = policy.remember(&position.view(last));
    let (mut plies, mut attempts) = (0, 0);
    let ending = loop {
        if passes >= 2 {
            break Ending::Passes;
        }
        if plies >= limit {
            break Ending::CutShort;
        }
        if STOPS && stop != EarlyStop::Never {
            let counts = by_color(counted(stop, &position), turn).map(S::count);
            if stop.is_reached(counts, thresholds) {
                break Ending::Stopped;
            }
        }
        let mut candidates = position.candidates(edge);
        let mut is_first = true;
        let mut instead = none;
        passes += 1;
        last = loop {
            attempts += 1;
            let number = random.next_u64();
            let mut drawn_from = candidates.points;
            if is_first {
                let game = position.view(last);
                drawn_from = policy.drawn_from(&mut memory, &game, drawn_from, number);
            } else if instead.meets(drawn_from) {
                drawn_from = drawn_from.and(instead);
            }
            let Some(point) = drawn_from.draw(number, numbering) else {
                position.ko = none;
                break none;
            };
            let veto = policy.vetoed(&memory, &position.view(last), point, number);
            instead = veto.unwrap_or(none);
            if veto.is_none() && position.play_unless_suicide(point, candidates.safe) {
                passes = 0;
                break point;
            }
            candidates.points = candidates.points.and_not(point);
            is_first = false;
        };
        first_plays[turn] = first_plays[turn].or(last.and_not(first_plays[turn ^ 1]));
        position.end_turn();
        turn ^= 1;
        plies += 1;
    };
    let areas = match ending {
        Ending::Stopped => counted(stop, &position),
        Ending::Passes | Ending::CutShort => position.areas(),
    };
    let areas = by_color(areas, turn).map(S::unpack);
    let [black, white] = areas.map(|points| points.count().cast_signed());
    let playout = Playout {
        score: Score::from_points(black - white),
        plies,
        ending,
        first_plays: first_plays.map(S::unpack),
        area: Some(areas),
    };
    (playout, attempts)
}

/// The points that the rule counts for the player to move and for the opponent.
#[inline(always)]
fn counted<S: PointSet>(stop: EarlyStop, position: &Position<S>) -> [S; 2] {
    match stop {
        EarlyStop::Never => [position.own.none(); 2],
        EarlyStop::Mercy { .. } => [position.own, position.other],
        EarlyStop::Decided { .. } => position.held(),
    }
}

/// Orders what belongs to the player to move, `turn`, and to the opponent as Black's and
/// White's.
#[inline(always)]
fn by_color<T>([own, other]: [T; 2], turn: usize) -> [T; 2] {
    if turn == 0 { [own, other] } else { [other, own] }
}
