//! The rules that stop games before they are over, in all lanes.

use super::kernel::{Kernel, Row, lane};
use super::word::{Word, and, but, count, near, or};
use crate::Stop;

/// Added to both sides of a comparison of leads, so that none is negative:
/// more than any lead or need, which come from at most 1000 points each.
const BIAS: u64 = 1 << 12;

/// A rule and the lanes where it has stopped the game.
///
/// It lies beside the kernel and not in it, so that the code of playouts without
/// a rule is what it would be if there were none.
#[repr(align(64))]
pub struct Judge<T, const L: usize> {
    stop: Stop,
    /// What Black, and what White, must have: [`Stop::needs`].
    needs: [T; 2],
    /// All bits where the game has been stopped.
    stopped: Row<T, L>,
}

impl<T: Word, const L: usize> Default for Judge<T, L> {
    /// Stops no game.
    fn default() -> Self {
        Self::new(Stop::Never, [i32::MAX; 2])
    }
}

impl<T: Word, const L: usize> Judge<T, L> {
    /// A judge by `stop`, where `needs` is [`Stop::needs`].
    pub fn new(stop: Stop, needs: [i32; 2]) -> Self {
        let needs = needs.map(|need| match stop {
            Stop::Mercy { .. } => T::from_u64(BIAS.wrapping_add_signed(need.into())),
            // Who needs less than nothing has it.
            Stop::Never | Stop::Decided { .. } => T::from_u64(need.max(0).unsigned_abs().into()),
        });
        Self { stop, needs, stopped: [T::default(); L] }
    }

    /// The rule.
    pub const fn stop(&self) -> Stop {
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
    /// lane `l`: [`Stop::counted`].
    pub fn counted<const N: usize, const S: usize>(
        &self,
        kernel: &Kernel<T, N, S, L>,
        l: usize,
    ) -> [[T; N]; 2] {
        match self.stop {
            Stop::Never => [[T::default(); N]; 2],
            Stop::Mercy { .. } => counted::<T, N, S, L, true>(kernel, l),
            Stop::Decided { .. } => counted::<T, N, S, L, false>(kernel, l),
        }
    }

    /// Stops the games where the rule says so; tells whether there are any.
    #[inline(always)]
    pub fn look_at<const N: usize, const S: usize>(&mut self, kernel: &Kernel<T, N, S, L>) -> bool {
        match self.stop {
            Stop::Never => false,
            Stop::Mercy { .. } => self.look_by::<N, S, true>(kernel),
            Stop::Decided { .. } => self.look_by::<N, S, false>(kernel),
        }
    }

    /// By [`Stop::Mercy`] if `MERCY`, else by [`Stop::Decided`].
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
            let own_need = of_black.and(black).or(of_white.but(black));
            let other_need = of_white.and(black).or(of_black.but(black));
            // The lead over the opponent, or what is counted alone.
            let own_least = if MERCY { own_need.plus(other) } else { own_need };
            let other_least = if MERCY { other_need.plus(own) } else { other_need };
            let stops =
                own.plus(bias).at_least(own_least) || other.plus(bias).at_least(other_least);
            let stopped = T::ALL.when(stops).but(kernel.idle[l]);
            self.stopped[l] = stopped;
            any = any.or(stopped);
        }
        any != T::default()
    }
}

/// By [`Stop::Mercy`] if `MERCY`, else by [`Stop::Decided`].
#[inline(always)]
fn counted<T: Word, const N: usize, const S: usize, const L: usize, const MERCY: bool>(
    kernel: &Kernel<T, N, S, L>,
    l: usize,
) -> [[T; N]; 2] {
    let (own, other) = (lane(&kernel.own, l), lane(&kernel.other, l));
    if MERCY {
        return [own, other];
    }
    let empty = but(kernel.board, or(own, other));
    let (by_own, by_other) = (near::<T, N, S>(own), near::<T, N, S>(other));
    [or(own, and(empty, but(by_own, by_other))), or(other, and(empty, but(by_other, by_own)))]
}
