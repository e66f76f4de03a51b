//! Which settings of a UCT search go together.

use super::UctConfig;
use crate::select::{Fpu, Rave};
use tengen_settings::{SettingError, Settings as _, check};

impl UctConfig {
    /// Refuses settings that no search can work with.
    pub fn validate(&self) -> Result<(), SettingError> {
        self.in_range()?;
        let playouts = self.simulations.unwrap_or(u64::MAX);
        let allowed = u64::from(self.workers) <= playouts;
        check("workers", self.workers, allowed, "at most `simulations`, which they share")?;
        let formula = self.selection.properties();
        let finite = self.first_play != Fpu::Constant(f64::INFINITY);
        let allowed = finite || !formula.reads_priors;
        let range = "finite for puct and formulas that read priors, such as parent-0.1";
        check("first_play", self.first_play, allowed, range)?;
        // Before `rave` and `prior`: an evaluator sets the formula too, and their errors would
        // blame it.
        if let Some(evaluator) = &self.evaluator {
            let has_playouts = self.rave != Rave::None || self.leaf_playouts > 1;
            let allowed = !has_playouts && self.sharing.is_none();
            let range = "left out, or combined with rave=none, leaf_playouts=1 and sharing=none";
            check("evaluator", evaluator.name(), allowed, range)?;
            let has_own = !self.prior.is_none() || self.expansion != 1 || self.transpositions;
            let allowed = !has_own || !evaluator.gives_priors();
            let range = "left out, or combined with prior=none, expansion=1 and \
                         transpositions=false, since it gives priors";
            check("evaluator", evaluator.name(), allowed, range)?;
        }
        let allowed = self.rave == Rave::None || !formula.ranks_unvisited;
        let range = "none for thompson, puct, gumbel and formulas that rank moves without visits";
        check("rave", self.rave, allowed, range)?;
        let is_blended = !formula.ranks_unvisited;
        let allowed = self.prior.is_none() || is_blended || formula.reads_priors;
        let range =
            "none for thompson and formulas that rank moves without visits and read no priors";
        check("prior", self.prior, allowed, range)?;
        let allowed = self.rave != Rave::None && self.prior.learned().is_some();
        let allowed = allowed || self.prior_exploration == 0.0;
        check(
            "prior_exploration",
            self.prior_exploration,
            allowed,
            "0 without rave and a learned prior",
        )?;
        // Only visits and rewards carry over between rounds.
        let can_share = self.in_flight == 1 && !self.reuse && !self.transpositions;
        let allowed = self.sharing.is_none() || can_share;
        check("sharing", self.sharing, allowed, "none with in_flight, reuse or transpositions")?;
        let allowed = self.epoch == 0.0 || self.sharing.is_none();
        check("epoch", self.epoch, allowed, "0 with sharing")?;
        // A registered rule sets values; these settings add sums of rewards.
        let allowed = self.back_up.is_mean() || !self.transpositions && self.sharing.is_none();
        let range = "mean with transpositions or sharing";
        check("back_up", self.back_up, allowed, range)?;
        let allowed = self.smart_pruning == 0.0 || self.sharing.is_none();
        check("smart_pruning", self.smart_pruning, allowed, "0 with sharing")?;
        let allowed = self.sure_win == 1.0 || self.sharing.is_none();
        check("sure_win", self.sure_win, allowed, "1 with sharing")?;
        let allowed = self.playout_share == 0.0 || self.evaluator.is_some();
        check("playout_share", self.playout_share, allowed, "0 without an evaluator")?;
        let allowed = self.root_noise.is_none() || formula.reads_priors;
        check(
            "root_noise",
            self.root_noise,
            allowed,
            "none without a formula that reads priors, such as puct",
        )?;
        let allowed = self.root_noise.is_none() || self.sharing.is_none();
        check("root_noise", self.root_noise, allowed, "none with sharing")?;
        if formula.plans_root {
            self.validate_plan()?;
        }
        Ok(())
    }

    /// Refuses settings that do not go with a formula that divides the simulations among the moves
    /// of the root.
    fn validate_plan(&self) -> Result<(), SettingError> {
        let formula = self.selection;
        let with =
            |value: &str| format!("{value} with selection={formula}, which plans the simulations");
        let (seconds, allowed) = (self.seconds.unwrap_or(0.0), self.simulations.is_some());
        check("seconds", seconds, allowed, &with("left out, or set beside `simulations`,"))?;
        check("workers", self.workers, self.workers == 1, &with("1"))?;
        check("sharing", self.sharing, self.sharing.is_none(), &with("none"))?;
        check("reuse", self.reuse, !self.reuse, &with("false"))?;
        check("leaf_playouts", self.leaf_playouts, self.leaf_playouts == 1, &with("1"))?;
        check("epoch", self.epoch, self.epoch == 0.0, &with("0"))?;
        check("smart_pruning", self.smart_pruning, self.smart_pruning == 0.0, &with("0"))?;
        check("sure_win", self.sure_win, self.sure_win == 1.0, &with("1"))?;
        check("root_noise", self.root_noise, self.root_noise.is_none(), &with("none"))
    }

    /// The settings, if a search can work with them.
    pub(super) fn checked(self) -> Result<Self, SettingError> {
        self.validate().map(|()| self)
    }
}
