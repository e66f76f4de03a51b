//! The early-stop rules ([`EarlyStop`]) in all lanes.

use super::kernel::Kernel;
use crate::EarlyStop;
use crate::sets::lane_word::{LaneWord, and, and_not, count, neighbors, or};
use crate::sets::rows::{Row, lane};

/// Added to both sides of a comparison of leads, so that neither is negative: more than
/// any lead or threshold, which are at most 1000 points.
const BIAS: u64 = 1 << 12;

/// An early-stop rule, and the lanes where it has stopped the game.
///
/// It is not a part of the kernel, so that playouts without an early-stop rule do not
/// pay for it.
#[repr(align(64))]
pub struct EarlyStopLanes<T, const L: usize> {
    rule: EarlyStop,
    /// Thresholds of Black and of White: [`EarlyStop::thresholds`].
    thresholds: [T; 2],
    /// Mask: the game has been stopped.
    stopped: Row<T, L>,
}

impl<T: LaneWord, const L: usize> EarlyStopLanes<T, L> {
    /// The rule with its [`EarlyStop::thresholds`].
    pub fn new(rule: EarlyStop, thresholds: [i32; 2]) -> Self {
        // No lead and no count reaches the bounds of the clamp.
        let thresholds = thresholds.map(|threshold| threshold.clamp(-1000, 1000));
        let thresholds = thresholds.map(|threshold| match rule {
            EarlyStop::Mercy { .. } => T::from_u64(BIAS.wrapping_add_signed(threshold.into())),
            // A count is never negative: every position reaches a threshold of 0.
            EarlyStop::Never | EarlyStop::Decided { .. } => {
                T::from_u64(threshold.max(0).unsigned_abs().into())
            }
        });
        Self { rule, thresholds, stopped: [T::default(); L] }
    }

    /// The rule.
    pub const fn rule(&self) -> EarlyStop {
        self.rule
    }

    /// Whether the game in lane `l` has been stopped.
    pub fn has_stopped(&self, l: usize) -> bool {
        self.stopped[l] != T::default()
    }

    /// The lanes whose game has been stopped, as a bit set: lane 0 is the lowest
    /// bit.
    #[inline(always)]
    pub fn stopped(&self) -> u64 {
        let mut lanes = 0;
        for l in 0..L {
            lanes |= u64::from(self.stopped[l] != T::default()) << l;
        }
        lanes
    }

    /// Clears the mark that the game in lane `l` was stopped, for a new game.
    pub fn clear(&mut self, l: usize) {
        self.stopped[l] = T::default();
    }

    /// The points that the rule counts for the player to move and for the
    /// opponent in lane `l`: [`EarlyStop::counted`].
    pub fn counted<const N: usize, const S: usize>(
        &self,
        kernel: &Kernel<T, N, S, L>,
        l: usize,
    ) -> [[T; N]; 2] {
        match self.rule {
            EarlyStop::Never => [[T::default(); N]; 2],
            EarlyStop::Mercy { .. } => counted::<T, N, S, L, true>(kernel, l),
            EarlyStop::Decided { .. } => counted::<T, N, S, L, false>(kernel, l),
        }
    }

    /// Stops the games whose position reaches a threshold, and returns whether
    /// there are any.
    #[inline(always)]
    pub fn stop_games<const N: usize, const S: usize>(
        &mut self,
        kernel: &Kernel<T, N, S, L>,
    ) -> bool {
        match self.rule {
            EarlyStop::Never => false,
            EarlyStop::Mercy { .. } => self.stop_games_by::<N, S, true>(kernel),
            EarlyStop::Decided { .. } => self.stop_games_by::<N, S, false>(kernel),
        }
    }

    /// [`Self::stop_games`] by [`EarlyStop::Mercy`] if `MERCY`, else by
    /// [`EarlyStop::Decided`].
    #[inline(always)]
    fn stop_games_by<const N: usize, const S: usize, const MERCY: bool>(
        &mut self,
        kernel: &Kernel<T, N, S, L>,
    ) -> bool {
        let bias = T::from_u64(if MERCY { BIAS } else { 0 });
        let [for_black, for_white] = self.thresholds;
        let mut any_stopped = T::default();
        for l in 0..L {
            let [own, other] = counted::<T, N, S, L, MERCY>(kernel, l);
            let (own, other) = (count(own), count(other));
            let black = kernel.black_to_move[l];
            let own_threshold = (for_black & black) | for_white.and_not(black);
            let other_threshold = (for_white & black) | for_black.and_not(black);
            // Mercy compares the lead over the opponent, Decided one's own count.
            let own_least = if MERCY { own_threshold.plus(other) } else { own_threshold };
            let other_least = if MERCY { other_threshold.plus(own) } else { other_threshold };
            let stops =
                own.plus(bias).at_least(own_least) || other.plus(bias).at_least(other_least);
            let stopped = T::ALL.when(stops).and_not(kernel.idle[l]);
            self.stopped[l] = stopped;
            any_stopped |= stopped;
        }
        any_stopped != T::default()
    }
}

/// The counted points by [`EarlyStop::Mercy`] if `MERCY`, else by
/// [`EarlyStop::Decided`].
#[inline(always)]
fn counted<T: LaneWord, const N: usize, const S: usize, const L: usize, const MERCY: bool>(
    kernel: &Kernel<T, N, S, L>,
    l: usize,
) -> [[T; N]; 2] {
    let (own, other) = (lane(&kernel.own, l), lane(&kernel.other, l));
    if MERCY {
        return [own, other];
    }
    let empty = and_not(kernel.board, or(own, other));
    let (by_own, by_other) = (neighbors::<T, N, S>(own), neighbors::<T, N, S>(other));
    [
        or(own, and(empty, and_not(by_own, by_other))),
        or(other, and(empty, and_not(by_other, by_own))),
    ]
}
