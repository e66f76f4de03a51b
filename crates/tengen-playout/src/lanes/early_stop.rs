//! The rules that stop games before they are over, in all lanes.

use super::kernel::{Kernel, Row, lane};
use super::lane_word::{LaneWord, and, and_not, count, neighbors, or};
use crate::EarlyStop;

/// Added to both sides of a comparison of leads, so that none is negative:
/// more than any lead or need, which come from at most 1000 points each.
const BIAS: u64 = 1 << 12;

/// A rule and the lanes where it has stopped the game.
///
/// It lies beside the kernel and not in it, so that the code of playouts without
/// a rule is what it would be if there were none.
#[repr(align(64))]
pub struct EarlyStopLanes<T, const L: usize> {
    stop: EarlyStop,
    /// What Black, and what White, must have: [`EarlyStop::needs`].
    needs: [T; 2],
    /// All bits where the game has been stopped.
    stopped: Row<T, L>,
}

impl<T: LaneWord, const L: usize> Default for EarlyStopLanes<T, L> {
    /// Stops no game.
    fn default() -> Self {
        Self::new(EarlyStop::Never, [i32::MAX; 2])
    }
}

impl<T: LaneWord, const L: usize> EarlyStopLanes<T, L> {
    /// A judge by `stop`, where `needs` is [`EarlyStop::needs`].
    pub fn new(stop: EarlyStop, needs: [i32; 2]) -> Self {
        let needs = needs.map(|need| match stop {
            EarlyStop::Mercy { .. } => T::from_u64(BIAS.wrapping_add_signed(need.into())),
            // Who needs less than nothing has it.
            EarlyStop::Never | EarlyStop::Decided { .. } => {
                T::from_u64(need.max(0).unsigned_abs().into())
            }
        });
        Self { stop, needs, stopped: [T::default(); L] }
    }

    /// The rule.
    pub const fn stop(&self) -> EarlyStop {
        self.stop
    }

    /// Whether the game in lane `l` has been stopped.
    pub fn has_stopped(&self, l: usize) -> bool {
        self.stopped[l] != T::default()
    }

    /// The lanes whose game has been stopped, lane 0 the lowest bit.
    #[inline(always)]
    pub fn stopped(&self) -> u64 {
        let mut lanes = 0;
        for l in 0..L {
            lanes |= u64::from(self.stopped[l] != T::default()) << l;
        }
        lanes
    }

    /// Lets a new game begin in lane `l`.
    pub fn forget(&mut self, l: usize) {
        self.stopped[l] = T::default();
    }

    /// What the rule counts for the player to move and for the other one in
    /// lane `l`: [`EarlyStop::counted`].
    pub fn counted<const N: usize, const S: usize>(
        &self,
        kernel: &Kernel<T, N, S, L>,
        l: usize,
    ) -> [[T; N]; 2] {
        match self.stop {
            EarlyStop::Never => [[T::default(); N]; 2],
            EarlyStop::Mercy { .. } => counted::<T, N, S, L, true>(kernel, l),
            EarlyStop::Decided { .. } => counted::<T, N, S, L, false>(kernel, l),
        }
    }

    /// Stops the games where the rule says so; tells whether there are any.
    #[inline(always)]
    pub fn look_at<const N: usize, const S: usize>(&mut self, kernel: &Kernel<T, N, S, L>) -> bool {
        match self.stop {
            EarlyStop::Never => false,
            EarlyStop::Mercy { .. } => self.look_by::<N, S, true>(kernel),
            EarlyStop::Decided { .. } => self.look_by::<N, S, false>(kernel),
        }
    }

    /// By [`EarlyStop::Mercy`] if `MERCY`, else by [`EarlyStop::Decided`].
    #[inline(always)]
    fn look_by<const N: usize, const S: usize, const MERCY: bool>(
        &mut self,
        kernel: &Kernel<T, N, S, L>,
    ) -> bool {
        let bias = T::from_u64(if MERCY { BIAS } else { 0 });
        let [of_black, of_white] = self.needs;
        let mut any = T::default();
        for l in 0..L {
            let [own, other] = counted::<T, N, S, L, MERCY>(kernel, l);
            let (own, other) = (count(own), count(other));
            let black = kernel.black[l];
            let own_need = of_black.and(black).or(of_white.and_not(black));
            let other_need = of_white.and(black).or(of_black.and_not(black));
            // The lead over the opponent, or what is counted alone.
            let own_least = if MERCY { own_need.plus(other) } else { own_need };
            let other_least = if MERCY { other_need.plus(own) } else { other_need };
            let has_early_stop =
                own.plus(bias).at_least(own_least) || other.plus(bias).at_least(other_least);
            let stopped = T::ALL.when(has_early_stop).and_not(kernel.idle[l]);
            self.stopped[l] = stopped;
            any = any.or(stopped);
        }
        any != T::default()
    }
}

/// By [`EarlyStop::Mercy`] if `MERCY`, else by [`EarlyStop::Decided`].
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
