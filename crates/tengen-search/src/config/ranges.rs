//! The ranges of the settings of a UCT search, and which of them go together.

use super::UctConfig;
use crate::back_up::BackUp;
use crate::prior::Prior;
use crate::select::{Fpu, Rave};

/// A setting outside its range.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{field}` is {value}: it must be {range}")]
pub struct ConfigError {
    field: &'static str,
    value: String,
    range: &'static str,
}

impl UctConfig {
    /// Refuses values that no search can work with.
    ///
    /// # Errors
    /// The first setting outside its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let check = |field, value: &dyn ToString, allowed: bool, range| {
            if allowed {
                Ok(())
            } else {
                Err(ConfigError { field, value: value.to_string(), range })
            }
        };
        if let Some(playouts) = self.playouts {
            let allowed = (1..=1_000_000_000).contains(&playouts);
            check("playouts", &playouts, allowed, "1 to 1000000000")?;
        }
        if let Some(seconds) = self.seconds {
            let allowed = seconds > 0.0 && seconds <= 1e6;
            check("seconds", &seconds, allowed, "above 0 and at most 1000000")?;
        }
        let playouts = self.playouts.unwrap_or(u64::MAX);
        let allowed = (1..=1024).contains(&self.workers);
        check("workers", &self.workers, allowed, "1 to 1024")?;
        let allowed = u64::from(self.workers) <= playouts;
        check("workers", &self.workers, allowed, "at most `playouts`, which they share")?;
        let allowed = (0.0..=1e6).contains(&self.exploration);
        check("exploration", &self.exploration, allowed, "0 to 1000000")?;
        let allowed = (1..=256).contains(&self.in_flight);
        check("in_flight", &self.in_flight, allowed, "1 to 256")?;
        let allowed = (1..=256).contains(&self.leaf_playouts);
        check("leaf_playouts", &self.leaf_playouts, allowed, "1 to 256")?;
        let allowed = (0.0..=1.0).contains(&self.resign);
        check("resign", &self.resign, allowed, "0 to 1")?;
        let finite = self.first_play != Fpu::Constant(f64::INFINITY);
        let allowed = finite || !self.selection.reads_priors();
        let range = "finite for puct and formulas that read priors, such as parent-0.1";
        check("first_play", &self.first_play, allowed, range)?;
        // Before `rave` and `prior`: an evaluator sets the formula too, which is not to blame for theirs.
        if let Some(evaluator) = &self.evaluator {
            let has_playouts = self.rave != Rave::None || self.leaf_playouts > 1;
            let allowed = !has_playouts && self.sharing.is_none();
            let range = "left out, or combined with rave=none, leaf_playouts=1 and sharing=none";
            check("evaluator", &evaluator.name(), allowed, range)?;
            let has_own = self.prior != Prior::None || self.expansion != 1 || self.transpositions;
            let allowed = !has_own || !evaluator.gives_priors();
            let range = "left out, or combined with prior=none, expansion=1 and \
                         transpositions=false, since it gives priors";
            check("evaluator", &evaluator.name(), allowed, range)?;
        }
        let allowed = self.rave == Rave::None || !self.selection.ranks_unvisited();
        let range = "none for thompson, puct and formulas that rank moves without visits";
        check("rave", &self.rave, allowed, range)?;
        let is_blended = !self.selection.ranks_unvisited();
        let allowed = self.prior == Prior::None || is_blended || self.selection.reads_priors();
        let range =
            "none for thompson and formulas that rank moves without visits and read no priors";
        check("prior", &self.prior, allowed, range)?;
        // Visits and rewards are all that carries over from one round to the next.
        let can_share = self.in_flight == 1 && !self.reuse && !self.transpositions;
        let allowed = self.sharing.is_none() || can_share;
        check("sharing", &self.sharing, allowed, "none with in_flight, reuse or transpositions")?;
        // A registered rule sets values; what these settings share or count ahead are sums.
        let allowed = self.back_up == BackUp::Mean || can_share && self.sharing.is_none();
        let range = "mean with in_flight, reuse, transpositions or sharing";
        check("back_up", &self.back_up, allowed, range)?;
        let allowed = (0.0..=1.0).contains(&self.playout_share);
        check("playout_share", &self.playout_share, allowed, "0 to 1")?;
        let allowed = self.playout_share == 0.0 || self.evaluator.is_some();
        check("playout_share", &self.playout_share, allowed, "0 without an evaluator")?;
        let allowed = self.root_noise.is_none() || self.selection.reads_priors();
        check(
            "root_noise",
            &self.root_noise,
            allowed,
            "none without a formula that reads priors, such as puct",
        )?;
        let allowed = self.root_noise.is_none() || self.sharing.is_none();
        check("root_noise", &self.root_noise, allowed, "none with sharing")?;
        let allowed = (1..=1_000_000).contains(&self.expansion);
        check("expansion", &self.expansion, allowed, "1 to 1000000")?;
        let allowed = (1_000..=2_000_000_000).contains(&self.max_nodes);
        check("max_nodes", &self.max_nodes, allowed, "1000 to 2000000000")
    }
}
