//! A whole playout of one game.
//!
//! ```text
//! repeat until two passes, the limit of plies, or the early-stop rule end it:
//!     find the candidates
//!     repeat until a ply is made:
//!         draw a number
//!         without candidates: pass
//!         else: draw a candidate by the number, and play it unless it is suicide; else
//!             remove it from the candidates
//! ```

use super::position::Position;
use crate::sets::point_set::{Numbering, PointSet};
use crate::{EarlyStop, Ending, PlayoutConfig};
use rand_xoshiro::rand_core::Rng;

/// Where a playout begins, and by which rules it is played.
pub struct Start<S> {
    pub position: Position<S>,
    /// [`Color::index`](tengen_go::Color::index) of the player to move.
    pub turn: usize,
    pub passes: u32,
    /// The points at the edge of the board.
    pub edge: S,
    pub numbering: Numbering,
    /// Number of plies after which the playout is cut short.
    pub limit: u32,
    pub playout_config: PlayoutConfig,
    /// [`EarlyStop::thresholds`] of the rule.
    pub thresholds: [i32; 2],
}

/// What a playout returns; sets by [`Color::index`](tengen_go::Color::index).
pub struct Final<S> {
    pub ending: Ending,
    pub plies: u32,
    pub attempts: u64,
    pub first_plays: [S; 2],
    /// The areas, or what the early-stop rule counts.
    pub areas: [S; 2],
}

/// Plays a playout. `PLAIN` is set if the policy is uniform and no early-stop rule is set:
/// the code for either is compiled in only otherwise.
#[inline(always)]
pub fn play<S: PointSet, const PLAIN: bool>(start: &Start<S>, random: &mut impl Rng) -> Final<S> {
    let Start { mut position, mut turn, mut passes, edge, numbering, playout_config, .. } = *start;
    let PlayoutConfig { policy, stop, .. } = playout_config;
    let none = edge.none();
    let mut first_plays = [none; 2];
    let mut last = none;
    let (mut plies, mut attempts) = (0, 0);
    let ending = loop {
        if passes >= 2 {
            break Ending::Passes;
        }
        if plies >= start.limit {
            break Ending::CutShort;
        }
        if !PLAIN && stop != EarlyStop::Never {
            let counts = by_color(counted(stop, &position), turn).map(S::count);
            if stop.is_reached(counts, start.thresholds) {
                break Ending::Stopped;
            }
        }
        let mut candidates = position.candidates(edge);
        let mut is_first = true;
        passes += 1;
        last = loop {
            attempts += 1;
            let number = random.next_u64();
            let mut drawn_from = candidates.points;
            if !PLAIN && is_first && policy.has_preference(number) {
                let preferred = policy.preferred_in(&position.view(last)).and(candidates.points);
                drawn_from = if preferred.is_empty() { drawn_from } else { preferred };
            }
            let Some(point) = drawn_from.draw(number, numbering) else {
                position.ko = none;
                break none;
            };
            if position.play_unless_suicide(point, candidates.safe) {
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
    Final { ending, plies, attempts, first_plays, areas: by_color(areas, turn) }
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

/// What belongs to the player to move, `turn`, and to the opponent: as Black's and White's.
#[inline(always)]
fn by_color<T>([own, other]: [T; 2], turn: usize) -> [T; 2] {
    if turn == 0 { [own, other] } else { [other, own] }
}
