//! The selection formulas `gumbel` and `gumbel-unscaled`: policy improvement by planning with Gumbel.

use super::{Child, ForAllChildren, Improved, Properties, SelectingNode};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_go::numbers;

/// The full search of Danihelka, Guez, Schrittwieser and Silver ("Policy improvement by planning
/// with Gumbel", 2022), as implemented in mctx (`gumbel_muzero_policy`).
///
/// With n the visits of a child, m its mean, P its prior, N the sum of all n, and v the evaluator's value of the node:
///
/// ```text
/// mixed value   v_mix = (v + N · Σ P m / Σ P) / (1 + N)          sums over visited children; appendix D
/// completed     q = m if n > 0, else v_mix                       equation 10
/// σ(q)          (VISITS + max n) · SCALE · q                     equation 8
/// improved      π = softmax(ln P + σ(q))                         equation 11
///
/// interior      π − n / (1 + N)                                  equation 14
/// root          g + ln P + σ(q), where n is the number of visits that sequential halving considers next
/// ```
///
/// `gumbel` scales the completed values q of a node to 0 to 1 before σ, `gumbel-unscaled` does not.
/// For each move at the root, g is NOISE times a draw from the standard Gumbel distribution. Of the
/// moves with the most visits, the search plays the one of the highest g + ln P + σ(q)
/// ([`Improved::worth`]).
///
/// Sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed
/// bandits", 2013) divides the simulations of the search into rounds of about the same length. The
/// first round visits the MOVES moves of highest g + ln P equally often, each further round the
/// better half of the previous round's moves, down to two.
pub(super) struct Gumbel {
    /// The number of moves that the first round visits.
    moves: u64,
    visits: f64,
    scale: f64,
    noise: f64,
    is_rescaled: bool,
}

/// The parameters after the name.
pub(super) const PARAMETERS: &str = ":MOVES:VISITS:SCALE:NOISE";

/// The least worth, which a move of prior 0 gets.
const LEAST_WORTH: f64 = -1e9;

/// The least range of values that is scaled to 0 to 1.
const LEAST_RANGE: f64 = 1e-8;

impl Gumbel {
    /// The formula of the parameters `given`, or of the defaults, and its parameters as text.
    pub(super) fn of(given: &str, is_rescaled: bool) -> Result<(Self, String), String> {
        // The defaults of mctx. Unscaled values differ less: their SCALE is larger.
        let default = [16.0, 50.0, if is_rescaled { 0.1 } else { 1.0 }, 1.0];
        let all = if given.is_empty() { default } else { numbers(given, 0.0..=1e6)? };
        let [moves, visits, scale, noise] = all;
        if moves < 1.0 || moves.fract() != 0.0 {
            return Err("MOVES a whole number from 1".to_owned());
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a whole number to 1e6
        let formula = Self { moves: moves as u64, visits, scale, noise, is_rescaled };
        Ok((formula, format!("{moves}:{visits}:{scale}:{noise}")))
    }

    /// The values that all moves of `node` share.
    fn at(&self, node: &SelectingNode<'_>) -> AtNode {
        let columns = node.children;
        let mut at = AtNode { visits: 0, mixed: 0.0, least: f64::INFINITY, range: 1.0, sigma: 0.0 };
        let (mut most_visits, mut most) = (0, f64::NEG_INFINITY);
        let (mut priors, mut means) = (0.0, 0.0);
        let mut has_unvisited = node.untried.is_some();
        for (place, (&visits, &reward)) in columns.visits.iter().zip(columns.rewards).enumerate() {
            if visits == 0 {
                has_unvisited = true;
                continue;
            }
            let mean = reward / f64::from(visits);
            let prior = prior(node, place).max(f64::MIN_POSITIVE);
            (priors, means) = (priors + prior, means + prior * mean);
            at.visits += u64::from(visits);
            most_visits = most_visits.max(visits);
            (at.least, most) = (at.least.min(mean), most.max(mean));
        }
        let (own, visits) = (node.value.unwrap_or(node.mean), at.visits as f64);
        at.mixed =
            if at.visits > 0 { (own + visits * means / priors) / (1.0 + visits) } else { own };
        if has_unvisited {
            (at.least, most) = (at.least.min(at.mixed), most.max(at.mixed));
        }
        at.sigma = (self.visits + f64::from(most_visits)) * self.scale;
        if self.is_rescaled {
            at.range = (most - at.least).max(LEAST_RANGE);
        } else {
            at.least = 0.0;
        }
        at
    }

    /// The improved policy of a node: the shares of its children, and the share per prior of a move
    /// outside the tree.
    fn policy(&self, node: &SelectingNode<'_>) -> (AtNode, Vec<f64>, f64) {
        let at = self.at(node);
        let columns = node.children;
        let places = 0..columns.visits.len();
        let sigma =
            |place: usize| at.sigma(at.completed(columns.visits[place], columns.rewards[place]));
        let of_untried = node.untried.map(|_| at.sigma(at.mixed));
        // Only of moves that have a share: the weights of other moves may overflow.
        let has_share = |&place: &usize| prior(node, place) > 0.0;
        let sigmas = places.clone().filter(has_share).map(sigma).chain(of_untried);
        let greatest = sigmas.fold(f64::NEG_INFINITY, f64::max);
        let weight = |sigma: f64| libm::exp(sigma - greatest);
        let share = |place| {
            if has_share(&place) { prior(node, place) * weight(sigma(place)) } else { 0.0 }
        };
        let mut shares: Vec<f64> = places.map(share).collect();
        let of_untried = of_untried.map_or(0.0, weight);
        let sum = shares.iter().sum::<f64>() + node.untried.unwrap_or(0.0) * of_untried;
        let each = if sum > 0.0 { 1.0 / sum } else { 0.0 };
        for share in &mut shares {
            *share *= each;
        }
        (at, shares, of_untried * each)
    }

    /// g + ln P + σ(q) of the move `place` at the root.
    fn worth(&self, at: &AtNode, node: &SelectingNode<'_>, place: usize, draws: &[f64]) -> f64 {
        let columns = node.children;
        let completed = at.completed(columns.visits[place], columns.rewards[place]);
        let draw = draws.get(place).copied().unwrap_or(0.0);
        let worth = self.noise * draw + libm::log(prior(node, place)) + at.sigma(completed);
        worth.max(LEAST_WORTH)
    }
}

/// The values that all moves of a node share.
struct AtNode {
    /// The sum N of the visits of the children.
    visits: u64,
    /// The mixed value.
    mixed: f64,
    /// The completed value that σ scales to 0, and the range that it scales to 1.
    least: f64,
    range: f64,
    /// (VISITS + max n) · SCALE.
    sigma: f64,
}

impl AtNode {
    fn completed(&self, visits: u32, reward: f64) -> f64 {
        if visits > 0 { reward / f64::from(visits) } else { self.mixed }
    }

    fn sigma(&self, completed: f64) -> f64 {
        self.sigma * (completed - self.least) / self.range
    }
}

/// The prior of a child; without priors, an equal share.
fn prior(node: &SelectingNode<'_>, place: usize) -> f64 {
    let even = || 1.0 / node.children.visits.len() as f64;
    node.children.priors.get(place).map_or_else(even, |&prior| prior.into())
}

/// The number of visits that a move must have for simulation number `index`, from 0, of
/// `simulations` to visit it, if sequential halving begins with `moves` moves.
fn considered_visits(moves: u64, simulations: u64, index: u64) -> u64 {
    if moves <= 1 {
        return index;
    }
    let rounds = u64::from((moves - 1).ilog2() + 1);
    let (mut considered, mut visits, mut begun) = (moves, 0, 0);
    loop {
        let visits_of_each = (simulations / (rounds * considered)).max(1);
        let of_round = visits_of_each * considered;
        // The last two moves are visited until the search ends.
        if considered == 2 || index < begun + of_round {
            return visits + (index - begun) / considered;
        }
        (visits, begun) = (visits + visits_of_each, begun + of_round);
        considered = (considered / 2).max(2);
    }
}

impl ForAllChildren for Gumbel {
    fn properties(&self) -> Properties {
        Properties {
            ranks_unvisited: true,
            reads_priors: true,
            unvisited_follow_priors: true,
            plans_root: true,
        }
    }

    fn of(&self, node: &SelectingNode<'_>, child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        let (_, _, of_untried) = self.policy(node);
        child.prior * of_untried
    }

    fn fill(
        &self,
        node: &SelectingNode<'_>,
        _: Option<&[f64]>,
        _: &mut Xoshiro256PlusPlus,
        urgencies: &mut [f64],
    ) {
        let visits = node.children.visits;
        let Some(plan) = node.plan else {
            let (at, shares, _) = self.policy(node);
            let each = 1.0 / (1.0 + at.visits as f64);
            for ((urgency, share), &visits) in urgencies.iter_mut().zip(shares).zip(visits) {
                *urgency = share - f64::from(visits) * each;
            }
            return;
        };
        let at = self.at(node);
        let moves = self.moves.min(visits.len() as u64);
        let considered = considered_visits(moves, plan.simulations, at.visits);
        let distance = |visits: u32| u64::from(visits).abs_diff(considered);
        // 0, unless the search makes another number of simulations than planned.
        let nearest = visits.iter().map(|&visits| distance(visits)).min().unwrap_or(0);
        for (place, urgency) in urgencies.iter_mut().enumerate() {
            let is_considered = distance(visits[place]) == nearest;
            *urgency = if is_considered {
                self.worth(&at, node, place, plan.draws)
            } else {
                f64::NEG_INFINITY
            };
        }
    }

    fn improve(&self, node: &SelectingNode<'_>, improved: &mut Vec<Improved>) {
        let draws = node.plan.map_or(&[][..], |plan| plan.draws);
        let (at, shares, _) = self.policy(node);
        let shares = shares.into_iter().enumerate();
        improved.extend(shares.map(|(place, policy)| Improved {
            policy,
            worth: self.worth(&at, node, place, draws),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::Plan;
    use crate::tree::Columns;
    use rand_xoshiro::rand_core::SeedableRng;
    use serde_json::Value;

    /// A node of a search by mctx.
    struct ByMctx {
        formula: Gumbel,
        visits: Vec<u32>,
        rewards: Vec<f64>,
        priors: Vec<f32>,
        value: f64,
        /// Empty below the root.
        draws: Vec<f64>,
        planned: u64,
        policy: Vec<f64>,
        selected: usize,
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // as the tree holds them
    fn by_mctx() -> Vec<ByMctx> {
        let lines = include_str!("../../../../tests/data/gumbel_by_mctx.jsonl").lines();
        let node = |line: &str| {
            let all: Value = serde_json::from_str(line).unwrap();
            let numbers = |key: &str| -> Vec<f64> {
                let array = all[key].as_array().unwrap();
                array.iter().map(|number| number.as_f64().unwrap()).collect()
            };
            let visits: Vec<u32> = numbers("visits").iter().map(|&n| n as u32).collect();
            let means = visits.iter().zip(numbers("values"));
            ByMctx {
                formula: Gumbel {
                    moves: all["moves"].as_u64().unwrap(),
                    visits: 50.0,
                    scale: all["scale"].as_f64().unwrap(),
                    noise: 1.0,
                    is_rescaled: all["is_rescaled"].as_bool().unwrap(),
                },
                rewards: means.map(|(&n, mean)| f64::from(n) * mean).collect(),
                visits,
                priors: numbers("priors").iter().map(|&prior| prior as f32).collect(),
                value: all["raw"].as_f64().unwrap(),
                draws: numbers("draws"),
                planned: all["planned"].as_u64().unwrap(),
                policy: numbers("policy"),
                selected: all["selected"].as_u64().unwrap() as usize,
            }
        };
        lines.map(node).collect()
    }

    impl ByMctx {
        fn columns(&self) -> Columns<'_> {
            let Self { visits, rewards, priors, .. } = self;
            Columns { visits, rewards, priors, positions: &[] }
        }

        fn at<'a>(&'a self, children: &'a Columns<'a>) -> SelectingNode<'a> {
            let plan = Plan { simulations: self.planned, draws: &self.draws };
            let untried = &self.priors[children.visits.len()..];
            SelectingNode {
                visits: 1 + self.visits.iter().sum::<u32>(),
                first_play: 0.5,
                mean: 0.5,
                depth: usize::from(self.draws.is_empty()),
                exploration: 1.0,
                children,
                value: Some(self.value),
                untried: (!untried.is_empty())
                    .then(|| untried.iter().map(|&prior| f64::from(prior)).sum()),
                plan: (!self.draws.is_empty()).then_some(plan),
            }
        }
    }

    fn urgencies(formula: &Gumbel, node: &SelectingNode<'_>) -> Vec<f64> {
        let mut urgencies = vec![0.0; node.children.visits.len()];
        formula.fill(node, None, &mut Xoshiro256PlusPlus::seed_from_u64(1), &mut urgencies);
        urgencies
    }

    #[test]
    fn policies_and_selections_are_those_of_mctx() {
        let (mut roots, mut rescaled) = (0, 0);
        for node in by_mctx() {
            let columns = node.columns();
            let at = node.at(&columns);
            let (_, policy, _) = node.formula.policy(&at);
            for (own, expected) in policy.iter().zip(&node.policy) {
                assert!((own - expected).abs() < 1e-6, "{own} and {expected}");
            }
            let urgencies = urgencies(&node.formula, &at);
            assert_eq!(crate::select::most_urgent(&urgencies).0, node.selected, "{urgencies:?}");
            roots += u32::from(!node.draws.is_empty());
            rescaled += u32::from(node.formula.is_rescaled);
        }
        assert!(roots == 40 && rescaled > 30, "{roots} roots, {rescaled} nodes with scaled values");
    }

    /// Below the root only some moves are children, those of the highest priors: the formula counts
    /// all other moves as one.
    #[test]
    fn moves_outside_the_tree_are_counted() {
        let mut nodes = 0;
        for mut node in by_mctx().into_iter().filter(|node| node.draws.is_empty()) {
            let mut order: Vec<usize> = (0..node.visits.len()).collect();
            order.sort_by_key(|&place| std::cmp::Reverse((node.visits[place] > 0, place)));
            node.visits = order.iter().map(|&place| node.visits[place]).collect();
            node.rewards = order.iter().map(|&place| node.rewards[place]).collect();
            node.priors = order.iter().map(|&place| node.priors[place]).collect();
            let tried = node.visits.iter().filter(|&&visits| visits > 0).count();
            let columns = node.columns();
            let all = urgencies(&node.formula, &node.at(&columns));
            let some = Columns {
                visits: &columns.visits[..tried],
                rewards: &columns.rewards[..tried],
                priors: &columns.priors[..tried],
                positions: &[],
            };
            let at = node.at(&some);
            let mut urgencies = urgencies(&node.formula, &at);
            for &prior in &node.priors[tried..] {
                let child = Child { visits: 0.0, reward: 0.0, mean: 0.5, prior: prior.into() };
                let random = &mut Xoshiro256PlusPlus::seed_from_u64(1);
                urgencies.push(node.formula.of(&at, &child, random));
                nodes += 1;
            }
            for (one, other) in urgencies.iter().zip(&all) {
                assert!((one - other).abs() < 1e-6, "{urgencies:?} and {all:?}");
            }
        }
        assert!(nodes > 50, "{nodes}");
    }

    #[test]
    fn a_move_without_prior_has_no_share_however_good_it_is() {
        let (formula, _) = Gumbel::of("16:50:1000:0", true).unwrap();
        let mut node = by_mctx().remove(0);
        node.draws.clear();
        (node.visits, node.rewards) = (vec![1; 3], vec![1.0, 0.0, 0.05]);
        node.priors = vec![0.0, 0.5, 0.5];
        let columns = node.columns();
        let (_, policy, _) = formula.policy(&node.at(&columns));
        assert_eq!(policy, [0.0, 0.0, 1.0]);
    }

    #[test]
    fn sequential_halving_by_hand() {
        // 4 moves 2 times each, then 2 moves.
        let eight: Vec<u64> = (0..12).map(|index| considered_visits(4, 16, index)).collect();
        assert_eq!(eight, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3]);
        assert_eq!(
            considered_visits(16, 10, 1 << 40),
            (1 << 39) - 11,
            "after 28 simulations of three rounds"
        );
    }

    #[test]
    fn parameters_as_text() {
        let text = |given: &str, is_rescaled| Gumbel::of(given, is_rescaled).map(|(_, text)| text);
        assert_eq!(text("", true).unwrap(), "16:50:0.1:1");
        assert_eq!(text("", false).unwrap(), "16:50:1:1");
        assert_eq!(text("4:50:0.10:0", true).unwrap(), "4:50:0.1:0");
        for wrong in ["0:50:1:1", "1.5:50:1:1", "16", "16:50:1:x", "16:50:1:-1"] {
            assert!(text(wrong, true).is_err(), "{wrong}");
        }
    }
}
