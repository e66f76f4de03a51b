//! The root of a search whose formula divides the simulations among the root's moves
//! ([`Properties::plans_root`](crate::select::Properties::plans_root)).

use super::config::UctConfig;
use super::root_move::RootMove;
use super::select::{Improved, Plan, SelectingNode};
use super::tree::{Columns, Node, Tree};
use super::uct::UctSearch;
use rand::distr::{Distribution, Open01};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_stats::seed::mix;

/// `mix` derives the seed of the draws from the seed of the search and this number.
const PLAN_STREAM: u64 = u64::MAX - 2;

impl UctConfig {
    /// How often the root of a search selects. Simulations that begin before an evaluator has
    /// judged the root end at the root.
    pub(super) fn planned(&self) -> u64 {
        let of_root = if self.has_evaluated_priors() { self.in_flight.into() } else { 0 };
        self.simulations.map_or(u64::MAX, |simulations| simulations.saturating_sub(of_root))
    }
}

impl<const W: usize> UctSearch<W> {
    /// Whether the formula divides the simulations among the moves of `node`.
    #[inline]
    pub(super) fn is_planned(&self, node: Node) -> bool {
        node == Tree::ROOT && self.config.selection.properties().plans_root
    }

    /// Draws a Gumbel number for each of the `moves` moves of the root, unless this is done
    /// already.
    pub(super) fn draw_for_plan(&mut self, moves: usize) {
        if self.root_draws.len() != moves {
            let seed = mix(self.seed, PLAN_STREAM);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut gumbel = || {
                let uniform: f64 = Open01.sample(&mut random);
                -libm::log(-libm::log(uniform))
            };
            self.root_draws = (0..moves).map(|_| gumbel()).collect();
        }
    }

    /// The improved policy over the moves at the root. `moves` are the statistics of all its
    /// children, in order. Empty if the formula computes no policy, or the root has not selected
    /// yet.
    pub(super) fn improved(&self, moves: &[RootMove]) -> Vec<Improved> {
        if !self.is_planned(Tree::ROOT) || moves.is_empty() || moves.len() != self.root_draws.len()
        {
            return Vec::new();
        }
        let visits: Vec<u32> =
            moves.iter().map(|it| u32::try_from(it.visits).unwrap_or(u32::MAX)).collect();
        let rewards: Vec<f64> = moves.iter().map(|it| it.reward).collect();
        let columns = self.tree.columns(self.tree.children(Tree::ROOT));
        let columns = Columns { visits: &visits, rewards: &rewards, ..columns };
        self.config.selection.improve(&SelectingNode {
            children: &columns,
            plan: Some(Plan { simulations: self.planned, draws: &self.root_draws }),
            ..self.selecting_at(Tree::ROOT, 0)
        })
    }
}
