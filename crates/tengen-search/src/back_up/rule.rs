//! The value of a node after a back-up: the mean of its results, or a rule that a program registers.

use crate::tree::Columns;
use crate::uct::UctSearch;
use tengen_go::{BuiltIn, Made, Named, Registry, RegistryError, registered_setting};

/// How the value of a node follows from the results of its simulations.
///
/// As text `mean`, the mean of all results (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning",
/// 2006), or the text of a rule that the program registers ([`register`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackUp(Named<BackUpRule>);

registered_setting!(BackUp, "back-up", RULES);

impl Default for BackUp {
    fn default() -> Self {
        Self::built_in(MEAN)
    }
}

/// The name of the back-up of means.
const MEAN: &str = "mean";

impl BackUp {
    /// Whether values are means: a search then adds rewards up instead of calling the rule.
    #[must_use]
    pub fn is_mean(self) -> bool {
        self.text() == MEAN
    }

    /// The rule.
    pub(super) const fn rule(self) -> Named<BackUpRule> {
        self.0
    }
}

/// A rule of back-up: the value of a node for the player to move there, 0 to 1.
///
/// It is called for each node on the path of a simulation, from the leaf to the root. A value outside
/// 0 to 1 counts as the nearer end, and `NaN` as ½.
pub type BackUpRule = dyn Fn(&BackedUp<'_>) -> f64 + Send + Sync;

/// A node on the path of a leaf, as a back-up rule sees it. All values are for the player to move
/// at the node.
#[derive(Clone, Copy, Debug)]
pub struct BackedUp<'a> {
    /// Its value before this back-up; undefined at the first, where `visits` equals `results`.
    pub value: f64,
    /// Its visits, the new ones included, and without those of leaves in flight.
    pub visits: u32,
    /// The number of new results: more than 1 with leaf parallelism.
    pub results: u32,
    /// The sum of the new rewards, each 0 for a loss to 1 for a win.
    pub reward: f64,
    /// Its depth in the tree; the root has 0.
    pub depth: usize,
    /// The visits of its children, and their values times their visits, for the same player as `value`.
    /// Leaves in flight count as visits with the reward 0.
    pub children: &'a Columns<'a>,
}

impl BackedUp<'_> {
    /// The mean of the value before, weighted by the visits before, and of the new results.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let before = f64::from(self.visits - self.results);
        let sum = if before > 0.0 { self.value * before } else { 0.0 };
        (sum + self.reward) / f64::from(self.visits)
    }

    /// Visits and value of each child that has visits.
    pub fn visited(&self) -> impl Iterator<Item = (u32, f64)> {
        let children = self.children.visits.iter().zip(self.children.rewards);
        let visited = children.filter(|(visits, _)| **visits > 0);
        visited.map(|(&visits, &reward)| (visits, reward / f64::from(visits)))
    }
}

/// The rules of back-up.
static RULES: Registry<BackUpRule> = Registry::new(
    "back-up",
    &[BuiltIn {
        name: MEAN,
        parameters: "",
        make: |_| Made::only(Box::new(|node: &BackedUp<'_>| node.mean())),
    }],
);

/// Registers a back-up rule under `name` in `version`: from now on `NAME`, or `NAME:PARAMETERS`, is a
/// value of the setting `back_up`. `make` makes the rule from the parameters, empty if there are none;
/// its error is shown to the user.
///
/// # Examples
/// Power-UCT (Dam et al., "Generalized mean estimation in Monte-Carlo tree search", 2019, equation 8): the
/// power mean of the children's values, weighed by their visits.
/// ```
/// use tengen_search::UctConfig;
/// use tengen_search::back_up::{self, BackedUp};
///
/// back_up::register("power", "1", |exponent| {
///     let p: f64 = exponent.parse().map_err(|_| "power:EXPONENT, a number".to_owned())?;
///     Ok(move |node: &BackedUp<'_>| {
///         let visits: u32 = node.visited().map(|(visits, _)| visits).sum();
///         let sum: f64 = node.visited().map(|(n, value)| f64::from(n) * value.powf(p)).sum();
///         if visits == 0 { node.mean() } else { (sum / f64::from(visits)).powf(1.0 / p) }
///     })
/// })?;
/// let config = UctConfig { back_up: "power:2".parse()?, ..UctConfig::plain() };
/// assert_eq!(config.validate(), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register<F>(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<F, String> + Send + Sync + 'static,
) -> Result<(), RegistryError>
where
    F: Fn(&BackedUp<'_>) -> f64 + Send + Sync + 'static,
{
    let make = move |parameters: &str| Ok(Box::new(make(parameters)?) as Box<BackUpRule>);
    RULES.register(name, version, make)
}

impl<const W: usize> UctSearch<W> {
    /// Sets the value of each of `nodes` by `rule`, after `results` new results; `own` is the sum
    /// of their rewards for the player to move at the root.
    pub(super) fn back_up_by(
        &mut self,
        rule: Named<BackUpRule>,
        path: &[u16],
        results: u32,
        own: f64,
    ) {
        let other = f64::from(results) - own;
        // Visits of leaves that are still in flight, by the depth at which their paths part.
        let mut in_flight = vec![0; path.len() + 1];
        for pending in &self.pending {
            let shared = pending.path.iter().zip(path).take_while(|(a, b)| a == b).count();
            in_flight[shared] += pending.count;
        }
        let mut pending = 0;
        for (depth, &node) in self.nodes.iter().enumerate().rev() {
            pending += in_flight[depth];
            let visits = self.tree.visits(node) - pending;
            // The node's rewards are those of the player who moved there.
            let before = 1.0 - self.tree.reward(node) / f64::from(visits - results).max(1.0);
            let reward = if depth % 2 == 0 { own } else { other };
            let children = &self.tree.columns(self.tree.children(node));
            let backed_up = BackedUp { value: before, visits, results, reward, depth, children };
            let value = rule.call(|rule| rule(&backed_up));
            let value = if value.is_nan() { 0.5 } else { value.clamp(0.0, 1.0) };
            let change = (1.0 - value) * f64::from(visits) - self.tree.reward(node);
            self.tree.reward_with(node, change);
        }
    }
}
