//! Smart pruning: a search ends before its budget is spent if what is left can hardly change the
//! most visited move.
//!
//! ```text
//! lead   visits of the most visited move at the root − visits of the next
//! left   simulations that the budget still allows
//!
//! end if factor · lead ≥ left
//! ```
//!
//! With the factor 1 no other move can catch up. A simulation adds at most 1 to the lead, and takes 1 off what is
//! left. So the search need not look again for k simulations if factor · (lead + k) < left − k:
//!
//! ```text
//! budget 1,000, factor 1
//! simulations   lead   left   looks again after
//!           0      0   1000   500 simulations
//!         500    300    500   100
//!         600    390    400     5
//!         605    395    395   ends
//! ```
//!
//! The name and the factor are those of Lc0; its inverse is p in the rule STOP of Baier and Winands, "Time management
//! for Monte Carlo tree search", 2016, section III.

use super::clock::Instant;
use super::search::SearchControl;
use super::tree::Tree;
use super::uct::UctSearch;

/// When a search looks whether it may end.
#[derive(Clone, Copy, Debug)]
pub struct SmartPruning {
    factor: f64,
    /// The limit of the search by the clock.
    seconds: Option<f64>,
    /// When the search looked first.
    began: Option<Instant>,
    /// The simulations after which it looks again.
    next: u64,
}

impl SmartPruning {
    /// That of a search with the settings `smart_pruning` and `seconds`. With 0 it never looks.
    pub const fn new(factor: f64, seconds: Option<f64>) -> Self {
        Self { factor, seconds, began: None, next: if factor > 0.0 { 0 } else { u64::MAX } }
    }

    /// How many more simulations the clock allows a search that has made `simulations`, at its
    /// speed so far.
    fn left_by_clock(&mut self, simulations: u64) -> f64 {
        let Some(seconds) = self.seconds else { return f64::INFINITY };
        let spent = self.began.get_or_insert_with(Instant::now).elapsed().as_secs_f64();
        if spent > 0.0 { simulations as f64 * (seconds / spent - 1.0) } else { f64::INFINITY }
    }
}

impl<const W: usize> UctSearch<W> {
    /// Whether the search ends before the next leaf is selected. Leaves in flight count as visits:
    /// the answer does not depend on when results arrive.
    pub(super) fn ends_early(&mut self) -> bool {
        /// The most simulations between two looks: those of a clock are an estimate.
        const LONGEST: f64 = 1_000.0;
        let simulations = self.simulations();
        if simulations < self.smart_pruning.next {
            return false;
        }
        let by_clock = self.smart_pruning.left_by_clock(simulations);
        let left = by_clock.min(self.budget.saturating_sub(simulations) as f64);
        let children = self.tree.columns(self.tree.children(Tree::ROOT));
        let (most, second) = children.visits.iter().fold((0, 0), |(most, second), &visits| {
            (visits.max(most), second.max(visits.min(most)))
        });
        let factor = self.smart_pruning.factor;
        let missing = left - factor * f64::from(most - second);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 1 to `LONGEST`
        let wait = (missing / (1.0 + factor)).ceil().clamp(1.0, LONGEST) as u64;
        self.smart_pruning.next = simulations + wait;
        missing <= 0.0
    }
}
