//! Searches that end before their budget is spent: by smart pruning, or in a game that is won.
//!
//! **Smart pruning.** The search ends if what is left can hardly change the most visited move:
//!
//! ```text
//! lead   visits of the most visited move at the root − visits of the next
//! left   simulations that the budget still allows
//!
//! end if factor · lead ≥ left
//! ```
//!
//! With the factor 1 no other move can overtake. A simulation adds at most 1 to the lead, and takes 1 off what is
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
//! The name and the factor are those of Lc0. Baier and Winands ("Time management for Monte Carlo tree search", 2016)
//! call such a rule STOP.
//!
//! **A sure win.** After a tenth of the budget the search ends if the mean of the most visited move is high enough. In
//! a won game many moves have such means, none of them has a lead, and smart pruning does not end the search. Pachi has
//! a similar rule.
//!
//! With one leaf in flight and without a clock, a search that is saved and resumed ends where an uninterrupted one
//! does. It may look at the lead once more, but that look cannot end it earlier. When it looks at the mean follows from
//! the number of its simulations alone.

use super::clock::Instant;
use super::config::UctConfig;
use super::search::SearchControl;
use super::tree::Tree;
use super::uct::UctSearch;

/// Simulations between two looks whether the win is sure.
const SURE_WIN_INTERVAL: u64 = 128;

/// The share of its budget that a search makes at least, however sure the win.
const SURE_WIN_SHARE: f64 = 0.1;

/// The most simulations between two looks at the lead: a clock allows fewer than were estimated if
/// the search has become slower.
const LONGEST_WAIT: f64 = 1_000.0;

/// When a search looks whether it may end.
#[derive(Clone, Copy, Debug)]
pub struct EarlyEnd {
    /// When the search looked first, if a clock limits it.
    began: Option<Instant>,
    /// The simulations after which it looks at the lead again.
    next_look: u64,
}

impl EarlyEnd {
    /// That of a search by `config` that has not looked yet.
    pub const fn new(config: &UctConfig) -> Self {
        let next_look = if config.smart_pruning > 0.0 { 0 } else { u64::MAX };
        Self { began: None, next_look }
    }

    /// How many more simulations `seconds` allow a search that has made `simulations`, at its speed
    /// so far.
    fn left_by_clock(&mut self, seconds: Option<f64>, simulations: u64) -> f64 {
        let Some(seconds) = seconds else { return f64::INFINITY };
        let spent = self.began.get_or_insert_with(Instant::now).elapsed().as_secs_f64();
        let is_known = simulations > 0 && spent > 0.0;
        if is_known { simulations as f64 * (seconds / spent - 1.0) } else { f64::INFINITY }
    }
}

impl<const W: usize> UctSearch<W> {
    /// Whether the search ends before the next leaf is selected. To be asked when all results that
    /// are due are counted, so that the answer does not depend on when they arrived.
    pub(super) fn ends_early(&mut self) -> bool {
        let simulations = self.simulations();
        let looks_at_win = self.config.sure_win < 1.0
            && simulations % SURE_WIN_INTERVAL < u64::from(self.config.leaf_playouts);
        simulations >= self.early_end.next_look && self.lead_decides()
            || looks_at_win && self.win_is_sure()
    }

    /// The simulations that budget and clock still allow.
    fn left(&mut self) -> f64 {
        let by_clock = self.early_end.left_by_clock(self.config.seconds, self.simulations());
        by_clock.min(self.budget.saturating_sub(self.simulations()) as f64)
    }

    #[cold]
    fn lead_decides(&mut self) -> bool {
        let children = self.tree.columns(self.tree.children(Tree::ROOT));
        let (most, second) = children.visits.iter().fold((0, 0), |(most, second), &visits| {
            (visits.max(most), second.max(visits.min(most)))
        });
        let factor = self.config.smart_pruning;
        let missing = self.left() - factor * f64::from(most - second);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 1 to 1,000
        let wait = (missing / (1.0 + factor)).ceil().clamp(1.0, LONGEST_WAIT) as u64;
        self.early_end.next_look = self.simulations() + wait;
        missing <= 0.0
    }

    #[cold]
    fn win_is_sure(&mut self) -> bool {
        let (made, left) = (self.simulations() as f64, self.left());
        let children = self.tree.columns(self.tree.children(Tree::ROOT));
        let moves = children.visits.iter().zip(children.rewards);
        let Some((&visits, &reward)) = moves.max_by_key(|(visits, _)| **visits) else {
            return false;
        };
        made >= SURE_WIN_SHARE * (made + left) && reward > self.config.sure_win * f64::from(visits)
    }
}
